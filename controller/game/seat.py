"""A seat at the table and what has happened to the one who sits there."""

from dataclasses import dataclass
from enum import StrEnum

from controller.game.moment import Moment
from controller.game.roles import Role


class How(StrEnum):
    """How somebody left."""

    VOTED = "voted"
    RAISED = "raised"
    SHOT = "shot"
    FOULED = "fouled"
    REMOVED = "removed"
    MANIAC = "maniac"
    GUEST = "guest"
    BLAST = "blast"
    AVENGED = "avenged"


@dataclass(frozen=True, slots=True)
class Departure:
    """Who left, how and when."""

    seat: int
    how: How
    at: Moment


@dataclass(frozen=True, slots=True)
class Violation:
    """A foul or a warning as it was given; the clause may be unsaid."""

    clause: str | None
    at: Moment


@dataclass(frozen=True, slots=True)
class Technical:
    """A technical foul as it was given (a club's; no text has them)."""

    heavy: bool
    clause: str | None
    at: Moment


@dataclass(frozen=True)  # without slots: see `changed`
class Seat:
    """One place at the table. Names are the roster's; the game knows numbers."""

    number: int
    role: Role | None = None
    fouls: tuple[Violation, ...] = ()
    warnings: tuple[Violation, ...] = ()
    technical: tuple[Technical, ...] = ()
    owes_silence: bool = False
    """The third foul takes the nearest minute (fiim 6.4)."""
    left: Departure | None = None
    disqualified: How | None = None
    """FOULED or REMOVED: out by the judge's hand, which costs points whatever else happened (fiim 8.2.4)."""

    @property
    def heavy(self) -> int:
        """How many heavy technical fouls were given."""
        return sum(1 for foul in self.technical if foul.heavy)

    @property
    def in_play(self) -> bool:
        """Whether the seat lives: it speaks, votes, and counts for parity."""
        return self.left is None

    @property
    def acts(self) -> bool:
        """Whether the seat can still do anything itself: it lives and has not been sent off tonight."""
        return self.left is None and self.disqualified is None
