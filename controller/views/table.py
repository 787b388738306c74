"""What the page of the simulated table needs: who sits where and which keys there are. Lamps come on their own."""

from controller.table.state import Snapshot
from controller.views import public
from controller.views.facts import Surroundings
from controller.views.messages import TableSeat, TableView


def table_view(snapshot: Snapshot, around: Surroundings) -> TableView:
    """The simulated table's view. It knows no more than the hall."""
    state = snapshot.state
    return TableView(
        seats=tuple(
            TableSeat(
                seat=seat.number,
                name=snapshot.names[seat.number - 1],
                in_play=public.out_of(state, seat.number) is None,
            )
            for seat in state.seats
        ),
        keys=around.keys,
        simulated=around.simulated,
        person=around.person,
    )
