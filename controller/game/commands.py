"""What a judge can decide. A command is a wish: `decide` turns it into events or refuses it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from controller.game.ballot import Touch
from controller.game.position import Position
from controller.game.roles import Role


@dataclass(frozen=True, slots=True)
class Deal:
    """`seat` has drawn `role`."""

    seat: int
    role: Role


@dataclass(frozen=True, slots=True)
class Next:
    """The one big step: what it does is the present phase's move."""


@dataclass(frozen=True, slots=True)
class Nominate:
    """`by` says «Я выставляю игрока № `seat`» in the own minute."""

    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """`by` takes the own nomination back."""

    by: int


@dataclass(frozen=True, slots=True)
class Foul:
    """A foul to `seat`."""

    seat: int
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class TechnicalFoul:
    """Where a tournament has them: a technical foul to `seat`, light or heavy."""

    seat: int
    heavy: bool
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Warn:
    """A warning to `seat`."""

    seat: int
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """A disqualifying foul to `seat`."""

    seat: int
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Defeat:
    """The team of `seat` is given the defeat."""

    seat: int
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class OpenWindow:
    """The vote on the next candidate is opened at `at`, nanoseconds on the table's clock."""

    at: int = 0


@dataclass(frozen=True, slots=True)
class VoidWindow:
    """The open window is void, it will be repeated; or the last counted one is (`counted`)."""


@dataclass(frozen=True, slots=True)
class CountHands:
    """The open window is closed and these touches are what its sensors saw. Microseconds from the opening."""

    candidate: int
    touches: tuple[Touch, ...] = ()
    closed: int = 2_000_000
    announced: int | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Announce:
    """The count is said aloud: what hands did between the close and now is added to the last window's evidence."""

    candidate: int
    touches: tuple[Touch, ...]
    announced: int


@dataclass(frozen=True, slots=True)
class CountVote:
    """The hands against `candidate` as the judge counted them himself."""

    candidate: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RuleHand:
    """The judge's ruling: the hand of `seat` counts against `candidate`, or it does not."""

    candidate: int
    seat: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Give:
    """The proposal `proposal` is given."""

    proposal: str


@dataclass(frozen=True, slots=True)
class Waive:
    """The proposal `proposal` is waived."""

    proposal: str


@dataclass(frozen=True, slots=True)
class Shoot:
    """What was shot: each shooter with targets in order. A living black who is not named did not shoot.

    `everybody_at` is the plain case, all at one; `missed` a miss without saying whose.
    """

    shots: tuple[tuple[int, tuple[int, ...]], ...] = ()
    everybody_at: int | None = None
    missed: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """The don's or the sheriff's check of `seat`; None: none was made."""

    by: Role
    seat: int | None


@dataclass(frozen=True, slots=True)
class Kill:
    """City: what the mafia want. `choices` gives each one's, or `together` is what they agreed on; neither: refused."""

    together: int | None = None
    choices: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """City: what the maniac, beauty, doctor, bomber or avenger does tonight; no seats: refuses."""

    by: Role
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BestMove:
    """The best move of `seat`: 0 to 3 numbers in the order spoken."""

    seat: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Will:
    """Club: whom `seat` leaves in the will; None: nobody. `forgotten`: the judge forgot to ask."""

    seat: int
    named: int | None = None
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Award:
    """The judge's points for a good game."""

    seat: int
    points: Decimal
    approved: bool = False


@dataclass(frozen=True, slots=True)
class Penalise:
    """The judge's penalty points, negative."""

    seat: int
    points: Decimal
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Protest:
    """A protest of `seat` for the protocol."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class SetPosition:
    """The table is set by hand."""

    position: Position


@dataclass(frozen=True, slots=True)
class Annul:
    """The game does not count."""


Command: TypeAlias = (
    Deal
    | Next
    | Nominate
    | Withdraw
    | Foul
    | TechnicalFoul
    | Warn
    | Remove
    | Defeat
    | OpenWindow
    | VoidWindow
    | CountHands
    | Announce
    | CountVote
    | RuleHand
    | Give
    | Waive
    | Shoot
    | Check
    | Kill
    | Act
    | BestMove
    | Will
    | Award
    | Penalise
    | Protest
    | Annul
    | SetPosition
)
