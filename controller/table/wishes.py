"""What can be asked of the table: a game's command or one of the table's own, with who asks and what they looked at."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.game.commands import Command

VARIANT: Final = "variant"
"""What the tournament's own rules and points are called among the names of what can be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is played, for the head of a protocol."""

    event: str = ""
    stage: str = ""
    game: int = 1
    table: int = 1
    judge: str = ""
    ruleset: str = "fiim"
    scoring: str = ""
    """The points by which it is counted; empty where they are the ruleset's own."""
    variant: str = ""
    """The text of the tournament's own file: rules and points that start from `ruleset` and are in its place."""
    options: tuple[tuple[str, str], ...] = ()
    """The tournament's own parameters, by the names of the notation's options."""

    @property
    def chosen(self) -> str:
        """What is played, by its name among all that can be played."""
        return VARIANT if self.variant else self.scoring or self.ruleset


@dataclass(frozen=True, slots=True)
class Undo:
    """Takes back the last decision with all that followed from it."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Brings back what the last undo took."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Decision `decision` becomes `command`; the later ones are decided anew, all or nothing."""

    decision: int
    command: Command


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Starts or pauses the clock of the speech."""

    running: bool


@dataclass(frozen=True, slots=True)
class SetStopped:
    """A technical stop, or its end."""

    stopped: bool


@dataclass(frozen=True, slots=True)
class CloseWindow:
    """The open window is closed by hand, at the wish's own time."""


@dataclass(frozen=True, slots=True)
class CountWindow:
    """The closed window is counted by what its sensors saw.

    The table wishes it itself once every seat was heard (`opened` is the window it means); the judge may, sooner.
    """

    opened: int | None = None


@dataclass(frozen=True, slots=True)
class AnnounceCount:
    """The judge says the last count aloud, at the wish's own time: from then on it is everybody's, and hands may leave
    the table. Opening the next window or going on to the result does the same unasked."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Who plays what. Another ruleset, other options or another number of seats are taken only before the first card;
    a name or a word of the head can be put right in any phase."""

    header: Header
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewGame:
    """Another game at the same table with the same names, once this one is over."""


@dataclass(frozen=True, slots=True)
class Suggest:
    """The side judge has seen something of `seat`: `what` is "foul", "warn" or "note"."""

    seat: int
    what: str
    clause: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The judge's word on the side judge's suggestion: it is taken, or it is put aside."""

    suggestion: int
    taken: bool


@dataclass(frozen=True, slots=True)
class SetSide:
    """Whether the side judge's fouls and warnings are given at once, or suggested to the judge."""

    gives: bool


@dataclass(frozen=True, slots=True)
class Sign:
    """The judge signs the protocol of a game that is over; whatever is decided after it takes the signature away."""


@dataclass(frozen=True, slots=True)
class Start:
    """The service has started: the table's own command, never a person's."""


TableCommand: TypeAlias = (
    Undo
    | Redo
    | Replace
    | SetTimer
    | SetStopped
    | CloseWindow
    | CountWindow
    | AnnounceCount
    | SetUp
    | NewGame
    | Suggest
    | Answer
    | SetSide
    | Sign
    | Start
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One thing that somebody wants done, once."""

    id: str
    """Made by whoever wishes; the same id twice is one command, also across a restart."""
    command: Command | TableCommand
    origin: str = "judge"
    """"judge", "board", "side judge", "timer": noted in the journal."""
    revision: int | None = None
    """The snapshot's revision that the person was looking at; of the board's keys, the one its lamps showed then."""
    at: int | None = None
    """When the key or the screen was pressed, nanoseconds on the table's clock; None: now.
    A screen's time is believed for the last 250 ms, the board's as it is."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """It is on disk; `revision` is the table's after it. `repeated`: this id had been taken before."""

    revision: int
    repeated: bool = False
