"""After the game, for the judge's tablet: what was given, what is left of the caps, the minutes of protest."""

from controller.table.state import Snapshot
from controller.views import public, tablet
from controller.views.facts import Surroundings
from controller.views.tablet import Aftermath, Given, Protested


def aftermath_of(snapshot: Snapshot, around: Surroundings) -> Aftermath:
    """What stands below the result."""
    state, timer, caps = snapshot.state, snapshot.timer, around.caps
    return Aftermath(
        awards=tuple(Given(seat=row.seat, points=str(row.points), clause=None) for row in state.awards),
        penalties=tuple(Given(seat=row.seat, points=str(row.points), clause=row.clause) for row in state.penalties),
        protests=tuple(Protested(seat=row.seat, text=row.text) for row in state.protests),
        caps=None
        if caps is None
        else tablet.Caps(
            most=caps.most,
            total=caps.total,
            total_approved=caps.total_approved,
            players=caps.players,
            players_approved=caps.players_approved,
        ),
        protests_timer=None if timer is None or timer.kind != public.PROTESTS else public.shown_timer(snapshot, timer),
        signed=snapshot.signed,
    )
