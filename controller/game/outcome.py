"""Who has won and why."""

from dataclasses import dataclass
from enum import StrEnum

from controller.game.moment import Moment


class Winner(StrEnum):
    """A side, or nobody."""

    RED = "red"
    BLACK = "black"
    MANIAC = "maniac"
    DRAW = "draw"


class Reason(StrEnum):
    """Why the game ended."""

    NO_BLACK_LEFT = "no_black_left"
    PARITY = "parity"
    NO_KILLER_LEFT = "no_killer_left"
    ONE_ON_ONE = "one_on_one"
    THREE_MISSES = "three_misses"
    THREE_QUIET_CIRCLES = "three_quiet_circles"
    TEAM_DEFEAT = "team_defeat"
    NOBODY_LEFT = "nobody_left"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended; `winner` is None where it was annulled."""

    winner: Winner | None
    reason: Reason
    at: Moment
    offender: int | None = None
    """Whose offence it was that gave the team the defeat (city, "В случае ППК": the maniac's own costs more)."""
