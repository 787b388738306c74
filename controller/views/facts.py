"""What the service knows beside the table and tells its views: its screens, and whether this is a simulation."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.game.refusal import Param, Refusal
from controller.views.stage import Switches


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for the checklist: something is amiss, and `code` with `params` says what to do."""

    code: str
    params: Mapping[str, Param]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything around the table that a view may speak of."""

    simulated: bool = False
    person: bool = False
    """At the simulated table: a person has taken over from the autoplay."""
    keys: tuple[str, ...] = ()
    """The simulated table's sensors."""
    board_refused: Refusal | None = None
    """Why the board's last press did nothing; None once something was done."""
    points: Mapping[int, str] = field(default_factory=dict[int, str])
    """Each seat's points once the game is over."""
    notes: tuple[Note, ...] = ()
    """What is amiss with the settings and the devices, beside what the links say of themselves."""
    screens: dict[str, int] = field(default_factory=dict[str, int])
    """How many screens of each audience are connected."""
    switches: Switches = Switches()
    """What the producer has set for the overlay."""
