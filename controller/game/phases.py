"""Where a game can be. Everything that is true only in one phase lives in that phase's value.

The moves between phases are the table in `moves.py`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class SpeechKind(StrEnum):
    """Why somebody has the word."""

    MINUTE = "minute"
    DEFENCE = "defence"
    REVOTE = "revote"
    LAST_WORD = "last_word"


@dataclass(frozen=True, slots=True)
class Dealing:
    """The cards are being drawn, seat by seat (fiim 4.1.3)."""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """Night 0: `step` counts the ruleset's wakings from 0 (fiim 4.2)."""

    step: int


@dataclass(frozen=True, slots=True)
class Night:
    """A night with shooting: `step` counts the ruleset's wakings from 0 (fiim 4.5)."""

    step: int


@dataclass(frozen=True, slots=True)
class Morning:
    """Everybody wakes; who was killed is said (fiim 4.2.5, 4.5.4)."""


@dataclass(frozen=True, slots=True)
class Speech:
    """`seat` has the word for `seconds`; 0 seconds is a minute taken by the third foul (fiim 4.3, 6.4)."""

    seat: int
    kind: SpeechKind
    seconds: int


@dataclass(frozen=True, slots=True)
class LastWord:
    """The last word of one who leaves; `evening` after a vote, otherwise in the morning (fiim 4.4.14, 4.5.4)."""

    seat: int
    seconds: int
    evening: bool


@dataclass(frozen=True, slots=True)
class Voting:
    """The ballot in `State.ballot` is being held (fiim 4.4)."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """The dead avenger chooses whom to take along; the others are masked (city, "Мститель")."""

    seat: int
    evening: bool


@dataclass(frozen=True, slots=True)
class Dusk:
    """The day is done; night falls at the next step (fiim 4.5.1)."""


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing more is played; points, protests and annulment are still taken."""


Phase: TypeAlias = Dealing | Acquaintance | Night | Morning | Speech | LastWord | Voting | Choosing | Dusk | Over
