"""What the service knows beside the table and tells its views: its screens, and whether this is a simulation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from controller.game.refusal import Param, Refusal
from controller.game.rules import Rules
from controller.game.rulesets import RULESETS
from controller.views.sounding import SoundReport
from controller.views.stage import FactsBy, Switches


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for the checklist: something is amiss, and `code` with `params` says what to do."""

    code: str
    params: Mapping[str, Param]


@dataclass(frozen=True, slots=True)
class NextGame:
    """A game that is still to come."""

    game: int
    stage: str
    table: int
    players: tuple[str, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line of the standings."""

    place: int
    name: str
    total: str
    games: int
    wins: int


def _nobody(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class ObsLine:
    """OBS's line of the checklist: whether it is connected, and a code of the catalogue's group `obs`."""

    ok: bool
    code: str
    params: Mapping[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What is left to award, decimals in shortest form; None where no limit is stated."""

    most: str
    """For one player of the side that has won."""
    total: str | None
    total_approved: str | None
    players: int | None
    players_approved: int | None


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
    calling: int | None = None
    """The number that the judge calls in the shooting. Whoever knows it knows when a shot falls: never for the hall."""
    photo: Callable[[str], str | None] = _nobody
    """A player's name -> the address of the picture."""
    facts: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    """Seat -> what can be told of that player."""
    facts_by: FactsBy = "by_hand"
    fact: tuple[int, str] | None = None
    """The seat and the fact that comes by itself now."""
    places: tuple[Place, ...] = ()
    """The standings after the games that are over."""
    coming: tuple[NextGame, ...] = ()
    """The games to come, as the roster has them."""
    obs: ObsLine | None = None
    """None: no OBS is set."""
    sound: SoundReport | None = None
    """How the sound goes; None where there is none to speak of."""
    playable: tuple[tuple[str, Rules], ...] = tuple(RULESETS.items())
    """What can be chosen before the deal, each with its rules."""
    caps: Caps | None = None
    """What is left of the awards once the game is over."""
