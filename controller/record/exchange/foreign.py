"""A finished game as another program has it: facts without an order of their own, in our words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from controller.game.moment import Moment
from controller.game.outcome import Winner
from controller.game.roles import Role
from controller.record.headers import Headers


class Stage(StrEnum):
    """Where in a night or a day something happened."""

    BEGIN = "begin"
    SHOOTING = "shooting"
    DON = "don"
    SHERIFF = "sheriff"
    MORNING_WORD = "morning_word"
    MINUTE = "minute"
    SPLIT = "split"
    VOTE = "vote"
    RAISE = "raise"
    EVENING_WORD = "evening_word"
    DUSK = "dusk"
    END = "end"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the game; `seat` is who speaks or stands to the vote, `round` the ballot from 0, where known."""

    at: Moment
    stage: Stage
    seat: int | None = None
    round: int | None = None


class Exit(StrEnum):
    """How somebody left, as far as other programs tell it."""

    NIGHT = "night"
    VOTE = "vote"
    FOULS = "fouls"
    REMOVED = "removed"
    DEFEAT = "defeat"


@dataclass(frozen=True, slots=True)
class Gone:
    """One who left."""

    seat: int
    how: Exit
    at: Moment


@dataclass(frozen=True, slots=True)
class Sanction:
    """A foul, or what sends off at once."""

    seat: int
    place: Place
    how: Exit | None = None
    """None: one foul."""
    clause: str | None = None


@dataclass(slots=True)
class Day:
    """A day's nominations by nominator, and its ballots: each voter's candidate."""

    nominations: dict[int, int] = field(default_factory=dict[int, int])
    ballots: list[dict[int, int]] = field(default_factory=list[dict[int, int]])
    raised: tuple[int, ...] | None = None
    """Who was for all leaving; None: it is not said."""


@dataclass(slots=True)
class Night:
    """A night's shots by shooter (None: he did not shoot), and whom don and sheriff checked."""

    shots: dict[int, int | None] = field(default_factory=dict[int, "int | None"])
    checks: dict[Role, int] = field(default_factory=dict[Role, int])


@dataclass(slots=True, kw_only=True)
class ForeignGame:
    """All that a source says of one game."""

    label: str
    headers: Headers
    roles: Mapping[int, Role]
    winner: Winner | None
    days: dict[int, Day]
    nights: dict[int, Night]
    gone: tuple[Gone, ...] | None
    """None: the source does not state it."""
    sanctions: list[Sanction]
    best_move: tuple[int, tuple[int, ...]] | None = None

    def leavers(self, at: Moment, how: Exit) -> frozenset[int]:
        """Who left at `at` like this by the source's word."""
        return frozenset(gone.seat for gone in self.gone or () if (gone.at, gone.how) == (at, how))
