"""What happens at the table beside the game itself. The journal holds these next to the game's events, and their fold
is `book.fold`, which never decides."""

from dataclasses import dataclass
from typing import TypeAlias

from controller.game.commands import Command
from controller.game.events import Event
from controller.table.state import Timer
from controller.table.wishes import Header


@dataclass(frozen=True, slots=True)
class GameBegan:
    """Game `game` is set on the table; `previous` is the one before it."""

    game: str
    previous: str | None
    seats: int
    header: Header
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameReopened:
    """The game that was thought to be done is on the table again."""


@dataclass(frozen=True, slots=True)
class RosterSet:
    """Header and names are these."""

    header: Header
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """The row's command is a decision, with `ahead` played before it; the row's game events are what came of all."""

    ahead: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True)
class Followed:
    """The row's command followed from the last decision and belongs to it."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The last decision was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The decision that the last undo took is back."""


@dataclass(frozen=True, slots=True)
class Play:
    """A decision of a game that was decided anew; `events` are those of all its commands, in order."""

    ahead: tuple[Command, ...]
    command: Command
    then: tuple[Command, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """Decision `number` and all after it are `plays` now."""

    number: int
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class TimerSet:
    """The timer is this now."""

    timer: Timer | None


@dataclass(frozen=True, slots=True)
class StopSet:
    """A technical stop began or ended; `resumes`: its end will start the timer again."""

    stopped: bool
    resumes: bool


@dataclass(frozen=True, slots=True)
class WindowTimed:
    """The window of `candidate` in ballot `ballot`: its times, and since when hands are gathered for it."""

    ballot: int
    candidate: int
    since: int
    opened: int
    closes: int


@dataclass(frozen=True, slots=True)
class Gathering:
    """Hands that left the table before `since` belong to no window that is still to come."""

    since: int


@dataclass(frozen=True, slots=True)
class SensorsDoubted:
    """What the row's count left out: the touches of `seats`, whose contacts sent more than a hand makes, and of
    `lying` the hands that had rested too long already when the window opened."""

    seats: tuple[int, ...]
    lying: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EdgesKept:
    """The edges that are on disk with this row: their last batch, and the hash that covers it and all before it."""

    batch: int
    hash: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """The side judge suggests `what` for `seat`; its number is that of the row."""

    seat: int
    what: str
    clause: str | None
    text: str


@dataclass(frozen=True, slots=True)
class SuggestionAnswered:
    """A suggestion has had its answer."""

    suggestion: int
    taken: bool


@dataclass(frozen=True, slots=True)
class Took:
    """The suggestion that was taken, as the decision that it is."""

    command: Command


@dataclass(frozen=True, slots=True)
class SideSet:
    """The side judge's fouls are given at once, or suggested."""

    gives: bool


@dataclass(frozen=True, slots=True)
class Signed:
    """The judge has signed, under this name."""

    judge: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The service came up again with this game on the table; `new_boot`: so did the machine."""

    new_boot: bool


@dataclass(frozen=True, slots=True)
class Unsaved:
    """The disk did not write, and the judge went on all the same: this row was written later than it was decided."""


TableEvent: TypeAlias = (
    GameBegan
    | GameReopened
    | RosterSet
    | Played
    | Followed
    | Undone
    | Redone
    | Replaced
    | TimerSet
    | StopSet
    | WindowTimed
    | Gathering
    | SensorsDoubted
    | EdgesKept
    | Suggested
    | SuggestionAnswered
    | Took
    | SideSet
    | Signed
    | Restarted
    | Unsaved
)
