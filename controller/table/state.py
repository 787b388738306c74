"""The table's state as others see it: one immutable snapshot, and the values it is made of. Nothing here acts.

Times are nanoseconds on the table's clock unless a name says otherwise; touches are microseconds from the opening.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from controller.game.ballot import Touch
from controller.game.commands import Command
from controller.game.events import Event
from controller.game.history import History
from controller.game.refusal import Param, Refusal
from controller.game.state import State
from controller.table.wishes import Header, NewGame, TableCommand


@dataclass(frozen=True, slots=True)
class Timer:
    """The clock of a speech or of a night's call. Its end is shown and moves nothing."""

    id: str
    kind: str
    """"minute", "defence", "revote", "last_word", or "call" for a call of the night."""
    seat: int | None
    total: int
    running: bool
    deadline: int | None
    """While it runs: when it ends."""
    left: int
    """While it is paused: what is left."""

    def left_at(self, now: int) -> int:
        """What is left at `now`, never below 0."""
        return self.left if self.deadline is None else max(0, self.deadline - now)

    def paused(self, now: int) -> "Timer":
        """The same timer, standing still since `now`."""
        return replace(self, running=False, deadline=None, left=self.left_at(now))

    def started(self, now: int) -> "Timer":
        """The same timer, running since `now` with what was left."""
        left = self.left_at(now)
        return replace(self, running=True, deadline=now + left, left=left)


class Stage(StrEnum):
    """How far a window has come."""

    OPEN = "open"
    WAITING = "waiting"
    """It is closed, and seats in `waiting_for` have not sent everything up to the close, or have lost some of it: for
    those the judge decides."""
    TALLY = "tally"
    """It is closed and there are no sensors: the judge counts."""
    UNDECIDED = "undecided"
    """It came back after a restart or an undo: the judge confirms what the sensors saw, rules or voids."""


@dataclass(frozen=True, slots=True)
class Window:
    """The vote window that is open or not counted yet, and what the sensors have seen of it so far."""

    candidate: int
    stage: Stage
    opened: int | None
    """None where it was opened before the machine was started anew: its nanoseconds mean nothing now."""
    closes: int | None
    length: int
    """From the opening to the close."""
    hands: tuple[int, ...]
    """Seats whose hand is taken so far, in order."""
    touches: tuple[Touch, ...]
    waiting_for: tuple[int, ...]
    flagged: bool
    """The sensors' clock is not fitted yet, or a sensor cannot be believed: the judge should look himself."""


class Contact(StrEnum):
    """What a seat's sensor says now."""

    UP = "up"
    DOWN = "down"
    STUCK = "stuck"
    CHATTERING = "chattering"
    """It sends more than a hand can make."""
    LOST = "lost"
    """Its device is gone, or there never was one."""


class Verdict(StrEnum):
    """What the walk around the table found of one contact."""

    PASSED = "passed"
    DEAD = "dead"
    """Nothing came."""
    STUCK = "stuck"
    """It is closed with nobody on it."""
    CHATTERING = "chattering"
    SWAPPED = "swapped"
    """Another one answered."""
    LOST = "lost"
    """Its device is silent."""
    DARK = "dark"
    """Of the lamps: not all were seen lit."""


class Ask(StrEnum):
    """What the walk asks for now."""

    DOWN = "down"
    UP = "up"
    LOOK = "look"
    """Whether every lamp is lit."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One contact's verdict; `by` is the one that answered in its place. `key` is "lamps" for the lamps."""

    key: str
    verdict: Verdict
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Walk:
    """How far the walk around the table has come."""

    step: int
    """From 0; once it is over, the same as `of`."""
    of: int
    key: str | None
    """The contact that is asked for."""
    ask: Ask | None
    """None: it is over."""
    silent: bool
    """The device is not heard: nothing can answer."""
    closed: bool
    """The contact that is asked for is not to be believed until it opens."""
    findings: tuple[Finding, ...]


class Disk(StrEnum):
    """How the journal's disk does."""

    OK = "ok"
    SLOW = "slow"
    """A commit has taken more than half a second."""
    FAILING = "failing"
    """The last write failed: nothing is taken until one succeeds."""


@dataclass(frozen=True, slots=True)
class DiskFigures:
    """How the disk has done since the start."""

    commits: int
    failures: int
    slowest_ns: int


@dataclass(frozen=True, slots=True)
class Unsaved:
    """How far the table is ahead of its disk."""

    offered: bool = False
    """The judge may go on unsaved: for two seconds nothing was taken."""
    on: bool = False
    """The judge does."""
    rows: int = 0
    """So many decisions, with timers and the like, are not on disk yet."""
    since: int | None = None
    """The first decision of the present game that is not."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What was wrong with the journal when it was opened, or when what the start had left was looked through."""

    kind: str
    """"broken": the file is damaged where earlier games lie, and is mended at the next start; "edited": a row of an
    earlier game does not fit its hash; "edges": edges do not fit the hash that `row` carries, or one before it;
    "torn": part of the journal could not be used; "missing": the file is gone or empty; "mended": the file was damaged,
    and every decision could be read."""
    row: int
    """The first row that does not fit."""
    kept: int
    """Rows that are in use."""
    aside: str | None
    """The name of the copy that the whole damaged file was kept under."""
    missing: int = 0
    """Decisions that are known to have been there and are not in use."""


@dataclass(frozen=True, slots=True)
class Link:
    """A device of the table, as its link last spoke of it."""

    name: str
    up: bool
    reason: str | None
    detail: str
    device: str | None
    clock_ready: bool
    stuck: Mapping[str, str]
    seats: tuple[int, ...] = ()
    """The seats whose hands it watches."""
    board: bool = False
    """Whether keys of the judge's board are on it."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the one big step does now: a code with parameters for its label, or why it is barred."""

    do: str
    """"next", "open_window", "announce", "shoot", "kill", "wait", "count", "confirm" or "none"."""
    code: str
    params: Mapping[str, Param] = field(default_factory=dict[str, Param])
    blocked: Refusal | None = None


class What(StrEnum):
    """Why there is a new snapshot."""

    DECISION = "decision"
    HANDS = "hands"
    WINDOW = "window"
    TIMER = "timer"
    """A timer has come to its end."""
    STATUS = "status"
    NIGHT_SOUND = "night_sound"
    """The board's key for the night music was pressed or released."""
    REFUSED = "refused"
    """The board pressed what is not legal now."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What has just happened. `command` and `events` are a decision's; nothing of an undo plays again."""

    what: What
    command: Command | TableCommand | None = None
    events: tuple[Event, ...] = ()
    origin: str = ""
    refusal: Refusal | None = None
    id: str = ""
    """The wish's own."""
    down: bool = False
    """Of the key for the night music: pressed, not released."""
    at: int = 0
    """Of the same: when."""


Names: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the side judge has suggested and nobody has answered yet: "foul", "warn" or "note"."""

    number: int
    seat: int
    what: str
    clause: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All that the table knows at one moment."""

    revision: int
    """The number of the journal's last row. Edges and the running of timers do not raise it."""
    game: str
    header: Header
    names: Names
    history: History
    previous: str | None
    """The game before this one; before this one's first decision an undo goes back to it."""
    timer: Timer | None
    stopped: bool
    window: Window | None
    contacts: Mapping[int, Contact]
    links: tuple[Link, ...]
    disk: Disk
    damage: Damage | None
    step: Step
    lamps: Mapping[str, str]
    """Every lamp that is not off: key -> "on" or "blink"."""
    unsaved: Unsaved = Unsaved()
    suggestions: tuple[Suggestion, ...] = ()
    """The side judge's, that wait for an answer."""
    side_gives: bool = False
    """Whether the side judge's fouls are given at once."""
    signed: str | None = None
    """Under which name the judge has signed the protocol."""
    walk: Walk | None = None
    """The walk around the table, while there is one or its findings are shown."""

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.history.state

    @property
    def undo(self) -> Command | NewGame | None:
        """What an undo would take back; None: nothing."""
        if self.history.last is not None:
            return self.history.last.command
        return None if self.previous is None else NewGame()

    @property
    def redo(self) -> Command | None:
        """What a redo would bring back; None: nothing."""
        return self.history.undone[-1].command if self.history.undone else None
