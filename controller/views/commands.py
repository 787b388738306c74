"""What a page may ask of the table, as it comes over the wire: one type a command, told apart by `do`.

Whether it is legal now is the game's business; here stands only what can be said at all.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from controller.game.roles import Role

SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=20)]
Seats: TypeAlias = Annotated[tuple[SeatNumber, ...], Meta(max_length=20)]
Clause: TypeAlias = Annotated[str, Meta(min_length=1, max_length=20)]
Line: TypeAlias = Annotated[str, Meta(max_length=80)]
Points: TypeAlias = Annotated[str, Meta(pattern=r"^[+-]?\d{1,2}([.,]\d{1,2})?$", max_length=6)]


class CommandHead(Struct, frozen=True):
    """What every command carries: its own id, the revision that the person looked at, and when it was tapped by the
    page's estimate of the service's clock, milliseconds."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    revision: Annotated[int, Meta(ge=0, le=2**53)]
    tapped: Annotated[float, Meta(ge=0, le=2**53)] | None = None


class Order(Struct, frozen=True, tag_field="do"):
    """The body of a command."""


class Next(Order, frozen=True, tag="next"):
    """The one big step."""


class Deal(Order, frozen=True, tag="deal"):
    """The card that was drawn."""

    seat: SeatNumber
    role: Role


class Nominate(Order, frozen=True, tag="nominate"):
    """`by` nominates `seat`."""

    by: SeatNumber
    seat: SeatNumber


class Withdraw(Order, frozen=True, tag="withdraw"):
    """`by` takes the own nomination back."""

    by: SeatNumber


class Foul(Order, frozen=True, tag="foul"):
    """A foul."""

    seat: SeatNumber
    clause: Clause | None = None


class Technical(Order, frozen=True, tag="technical"):
    """A technical foul, where the tournament has them."""

    seat: SeatNumber
    heavy: bool
    clause: Clause | None = None


class Warn(Order, frozen=True, tag="warn"):
    """A warning."""

    seat: SeatNumber
    clause: Clause | None = None


class Remove(Order, frozen=True, tag="remove"):
    """A disqualifying foul."""

    seat: SeatNumber
    clause: Clause | None = None


class Defeat(Order, frozen=True, tag="defeat"):
    """The team of `seat` is given the defeat."""

    seat: SeatNumber
    clause: Clause | None = None


class OpenWindow(Order, frozen=True, tag="open_window"):
    """Opens the vote."""


class CloseWindow(Order, frozen=True, tag="close_window"):
    """Closes the open window by hand."""


class AnnounceCount(Order, frozen=True, tag="announce"):
    """The last count is said aloud: from now on the hall shows it."""


class VoidWindow(Order, frozen=True, tag="void_window"):
    """The window is void and will be repeated."""


class Rule(Order, frozen=True, tag="rule"):
    """The judge's ruling over one hand; no candidate: the raise question."""

    candidate: Annotated[int, Meta(ge=0, le=20)] | None
    seat: SeatNumber
    counts: bool


class Count(Order, frozen=True, tag="count"):
    """Hands for the current candidate by the judge's own count."""

    seats: Seats


class Give(Order, frozen=True, tag="give"):
    """A proposal is given."""

    proposal: Annotated[str, Meta(max_length=64)]


class Waive(Order, frozen=True, tag="waive"):
    """A proposal is waived."""

    proposal: Annotated[str, Meta(max_length=64)]


class Shoot(Order, frozen=True, tag="shoot"):
    """Each shooter's targets, or everybody at one, or a plain miss."""

    shots: dict[str, Seats] = msgspec.field(default_factory=dict[str, Seats])
    at: SeatNumber | None = None
    miss: bool = False


class Check(Order, frozen=True, tag="check"):
    """A check; no seat: none was made."""

    by: Literal["don", "sheriff"]
    seat: SeatNumber | None


class Kill(Order, frozen=True, tag="kill"):
    """City: whom the mafia kill, all at one or each alone; neither: they refuse."""

    at: SeatNumber | None = None
    choices: dict[str, SeatNumber] = msgspec.field(default_factory=dict[str, SeatNumber])


class Act(Order, frozen=True, tag="act"):
    """City: what the maniac, the beauty, the doctor, the bomber or the avenger does; no seats: refuses."""

    by: Literal["maniac", "beauty", "doctor", "bomber", "avenger"]
    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=2)] = ()


class Will(Order, frozen=True, tag="will"):
    """Whom the dying leaves in the will; nobody, or the judge forgot to ask."""

    seat: SeatNumber
    named: SeatNumber | None = None
    forgotten: bool = False


class BestMove(Order, frozen=True, tag="best_move"):
    """The best move as spoken."""

    seat: SeatNumber
    numbers: Annotated[tuple[SeatNumber, ...], Meta(max_length=3)]


class Award(Order, frozen=True, tag="award"):
    """The judge's points."""

    seat: SeatNumber
    points: Points
    approved: bool = False


class Penalty(Order, frozen=True, tag="penalty"):
    """The judge's penalty points."""

    seat: SeatNumber
    points: Points
    clause: Clause | None = None


class Protest(Order, frozen=True, tag="protest"):
    """A protest for the protocol."""

    seat: SeatNumber
    text: Annotated[str, Meta(max_length=2000)]


class Annul(Order, frozen=True, tag="annul"):
    """The game does not count."""


class Undo(Order, frozen=True, tag="undo"):
    """Takes back the last decision."""


class Redo(Order, frozen=True, tag="redo"):
    """Brings back what the last undo took."""


class Timer(Order, frozen=True, tag="timer"):
    """Starts or pauses the clock of the speech."""

    running: bool


class Stop(Order, frozen=True, tag="stop"):
    """Technical stop, or its end."""

    stopped: bool


class SetUp(Order, frozen=True, tag="set_up"):
    """Who plays what, before the deal."""

    event: Line
    stage: Line
    game: Annotated[int, Meta(ge=0, le=10_000)]
    table: Annotated[int, Meta(ge=0, le=1_000)]
    judge: Line
    names: Annotated[tuple[Line, ...], Meta(max_length=20)]
    ruleset: Annotated[str, Meta(max_length=20)] | None = None
    """One of the view's `rulesets`; None: as it is."""
    options: Annotated[dict[str, Annotated[str, Meta(max_length=40)]], Meta(max_length=40)] | None = None
    """The tournament's own parameters by the names of the notation; None: as they are."""


class Suggest(Order, frozen=True, tag="suggest"):
    """The side judge has seen something."""

    seat: SeatNumber
    what: Literal["foul", "warn", "note"]
    clause: Clause | None = None
    text: Annotated[str, Meta(max_length=200)] = ""


class AnswerSuggestion(Order, frozen=True, tag="answer"):
    """The judge takes a suggestion, or puts it aside."""

    suggestion: Annotated[int, Meta(ge=1, le=2**53)]
    taken: bool


class Side(Order, frozen=True, tag="side"):
    """Whether the side judge's fouls are given at once."""

    gives: bool


class Sign(Order, frozen=True, tag="sign"):
    """The protocol is signed."""


Left: TypeAlias = tuple[SeatNumber, Literal["voted", "raised", "shot", "fouled", "removed"]]
Round: TypeAlias = Annotated[int, Meta(ge=1, le=40)]


class Position(Order, frozen=True, tag="position"):
    """The table is set by hand: where the game is, and who is out, in the order of leaving."""

    day: bool
    round: Round
    left: Annotated[tuple[Left, ...], Meta(max_length=20)] = ()
    fouls: Annotated[dict[str, Annotated[int, Meta(ge=1, le=4)]], Meta(max_length=20)] = msgspec.field(
        default_factory=dict[str, int]
    )
    silent: Seats = ()
    nominated: Seats = ()
    speaker: SeatNumber | None = None


class NewGame(Order, frozen=True, tag="new_game"):
    """Another game at the same table."""


class SelfTest(Order, frozen=True, tag="selftest"):
    """The walk around the table, between games; `step` is the one that nothing came of."""

    act: Literal["start", "skip", "seen", "again", "stop"]
    step: Annotated[int, Meta(ge=0, le=1_000)] = 0


class Call(Order, frozen=True, tag="call"):
    """The number that the judge calls in the shooting; none: no number any more. No decision: it is shown alone."""

    seat: SeatNumber | None


class GoOnUnsaved(Order, frozen=True, tag="go_on_unsaved"):
    """The disk has taken nothing for two seconds: the judge goes on all the same."""


PlayOrder: TypeAlias = (
    Next
    | Deal
    | Nominate
    | Withdraw
    | Foul
    | Technical
    | Warn
    | Remove
    | Defeat
    | OpenWindow
    | CloseWindow
    | VoidWindow
    | Rule
    | Count
    | Give
    | Waive
    | Shoot
    | Check
    | Kill
    | Act
    | Will
    | BestMove
    | Award
    | Penalty
    | Protest
    | Position
    | Annul
)


class Replace(Order, frozen=True, tag="replace"):
    """The same moment with another command."""

    decision: Annotated[int, Meta(ge=1, le=100_000)]
    with_: PlayOrder = msgspec.field(name="with")


AnyOrder: TypeAlias = (
    PlayOrder
    | AnnounceCount
    | Undo
    | Redo
    | Replace
    | Timer
    | Stop
    | SetUp
    | NewGame
    | Suggest
    | AnswerSuggestion
    | Side
    | Sign
)


def read_command(payload: object) -> tuple[CommandHead, AnyOrder | SelfTest | Call | GoOnUnsaved]:
    """The command that `payload` says. Raises msgspec.ValidationError if it says none."""
    head = msgspec.convert(payload, CommandHead)
    order: Any = msgspec.convert(payload, AnyOrder | SelfTest | Call | GoOnUnsaved)
    return head, order


class SoundOrder(Struct, frozen=True):
    """What the judge wants of the sound. No decision: it is in no journal and needs no revision."""

    act: Literal["hold", "release", "mute", "unmute", "without", "with", "volume", "tone"]
    volume: Annotated[int, Meta(ge=0, le=100)] = 0
