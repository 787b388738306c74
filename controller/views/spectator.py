"""What spectators may know: what viewers of the air may, later. When is not decided here."""

from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.facts import Surroundings
from controller.views.messages import AirView


def spectator_view(snapshot: Snapshot, around: Surroundings) -> AirView:
    """The spectators' view: key by key the air's."""
    return air_view(snapshot, around)
