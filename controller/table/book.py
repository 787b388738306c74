"""What the journal says of the game on the table. `fold(book, row)` is the only way it changes, live as after a
restart, and it never decides: whatever a row says has happened."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from controller.game.commands import Command
from controller.game.events import BallotOpened, Event, WindowOpened
from controller.game.history import History, begin
from controller.game.refusal import Refusal, Refused
from controller.game.rules import Rules
from controller.game.state import State, new_game
from controller.scoring.referee import referee
from controller.table import events as ev
from controller.table.events import TableEvent
from controller.table.state import Suggestion, Timer
from controller.table.terms import NoSuchTerms, points_of, rules_of
from controller.table.wishes import Answer, Header, TableCommand


class Misfit(Exception):
    """A row that cannot follow the rows before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One decision as the journal keeps it."""

    seq: int
    game: str
    id: str
    origin: str
    command: Command | TableCommand
    events: tuple[Event, ...] = ()
    table: tuple[TableEvent, ...] = ()
    wall: str
    """A note for people; nothing is computed from it."""
    boot: str
    at: int
    """Nanoseconds of `boot`."""


@dataclass(frozen=True, slots=True)
class WindowTimes:
    """When a window was open, in nanoseconds of `boot`, and since when hands were gathered for it."""

    ballot: int
    candidate: int
    since: int
    opened: int
    closes: int
    boot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The game on the table and all that stands around it."""

    game: str
    previous: str | None
    header: Header
    names: tuple[str, ...]
    history: History
    revision: int = 0
    timer: Timer | None = None
    stopped: bool = False
    resumes: bool = False
    """Whether the end of the technical stop starts the timer again."""
    since: int = 0
    """Hands that left before this belong to no window that is still to come."""
    windows: tuple[WindowTimes, ...] = ()
    """Every window that was opened in this game, those too that were voided or taken back."""
    clocks: tuple[Timer | None, ...] = ()
    """For each decision that stands, the timer as it was just before it, standing still."""
    undone_clocks: tuple[Timer | None, ...] = ()
    """For each decision taken back, the timer as it was when it was, standing still."""
    suggestions: tuple[Suggestion, ...] = ()
    """The side judge's, that wait for an answer."""
    side_gives: bool = False
    signed: str | None = None
    """Under which name the judge has signed; None once anything was decided after it."""

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.history.state

    def open_times(self) -> WindowTimes | None:
        """The times of the window that is open or uncounted."""
        ballot = self.state.ballot
        return None if ballot is None or ballot.opened is None else self._times(ballot.opened)

    def counted_times(self, candidate: int) -> WindowTimes | None:
        """The times of the window in which the hands against `candidate` were counted, in the present ballot."""
        decision = self.history.last
        while decision is not None:
            for event in decision.events:
                match event:
                    case WindowOpened(asked, at) if asked == candidate:
                        return self._times(at)
                    case BallotOpened():
                        return None
                    case _:
                        pass
            decision = decision.previous
        return None

    def _times(self, opened: int) -> WindowTimes | None:
        return next((times for times in self.windows if times.opened == opened), None)


def fold(book: Book | None, row: Row, rulesets: Mapping[str, Rules]) -> Book:
    """The book after `row`. Raises Misfit if the row cannot follow."""
    for happened in row.table:
        if isinstance(happened, ev.GameBegan):
            book = _begun(happened, rulesets)
        elif book is None:
            raise Misfit(f"row {row.seq} is of a game that has not begun")
        else:
            book = _apply(book, row, happened, rulesets)
    if book is None or book.game != row.game:
        raise Misfit(f"row {row.seq} is of another game")
    return replace(book, revision=row.seq)


def new_history(header: Header, seats: int, rulesets: Mapping[str, Rules]) -> History:
    """A game before its deal. Raises Misfit."""
    try:
        rules, table = rules_of(header, rulesets), points_of(header)
    except NoSuchTerms as wrong:
        raise Misfit(str(wrong)) from None
    except Refused as refused:
        raise Misfit(f"{refused.refusal.code} {dict(refused.refusal.params)}") from None
    return begin(new_game(rules, seats), referee(table))


def _begun(began: ev.GameBegan, rulesets: Mapping[str, Rules]) -> Book:
    return Book(
        game=began.game,
        previous=began.previous,
        header=began.header,
        names=began.names,
        history=new_history(began.header, began.seats, rulesets),
    )


def is_another_game(book: Book, header: Header, names: tuple[str, ...]) -> bool:
    """Whether this head and these names change what is played, and not only how it is written."""
    own = book.header
    return (_terms(header), len(names)) != (_terms(own), len(book.names))


def _terms(header: Header) -> tuple[object, ...]:
    return (header.ruleset, header.scoring, header.variant, header.options)


def _apply(book: Book, row: Row, happened: TableEvent, rulesets: Mapping[str, Rules]) -> Book:
    still = None if book.timer is None else book.timer.paused(row.at)
    if isinstance(happened, ev.Played | ev.Followed | ev.Undone | ev.Redone | ev.Replaced):
        book = replace(book, signed=None)
    match happened:
        case ev.GameBegan():
            raise Misfit(f"row {row.seq} begins a game in another")
        case ev.GameReopened() | ev.SensorsDoubted() | ev.EdgesKept() | ev.Unsaved():
            return book
        case ev.RosterSet(header, names):
            if is_another_game(book, header, names):
                book = replace(book, history=new_history(header, len(names), rulesets))
            return replace(book, header=header, names=names)
        case ev.Played(ahead):
            history = book.history.happened(_play(row), row.events, ahead)
            return replace(book, history=history, clocks=(*book.clocks, still), undone_clocks=())
        case ev.Followed():
            return replace(book, history=book.history.followed(_play(row), row.events), undone_clocks=())
        case ev.Undone():
            history = _stands(book.history.undo(), row)
            undone = (*book.undone_clocks, still)
            return replace(book, history=history, clocks=book.clocks[:-1], undone_clocks=undone)
        case ev.Redone():
            history = _stands(book.history.redo(), row)
            clocks = (*book.clocks, still)
            return replace(book, history=history, clocks=clocks, undone_clocks=book.undone_clocks[:-1])
        case ev.Replaced(number, plays):
            return replace(book, history=_replay(book.history, number, plays), undone_clocks=())
        case ev.TimerSet(timer):
            return replace(book, timer=timer)
        case ev.StopSet(stopped, resumes):
            return replace(book, stopped=stopped, resumes=resumes)
        case ev.WindowTimed(ballot, candidate, since, opened, closes):
            times = WindowTimes(ballot, candidate, since, opened, closes, row.boot)
            others = (times for times in book.windows if times.opened != opened)
            return replace(book, windows=(*others, times))
        case ev.Gathering(since):
            return replace(book, since=since)
        case ev.Suggested(seat, what, clause, text):
            suggestion = Suggestion(row.seq, seat, what, clause, text)
            return replace(book, suggestions=(*book.suggestions, suggestion))
        case ev.SuggestionAnswered(number, _):
            return replace(book, suggestions=tuple(one for one in book.suggestions if one.number != number))
        case ev.Took():
            return book
        case ev.SideSet(gives):
            return replace(book, side_gives=gives)
        case ev.Signed(judge):
            return replace(book, signed=judge)
        case ev.Restarted(new_boot):
            return replace(book, since=row.at if new_boot else book.since, resumes=False)
        case _:
            assert_never(happened)


def _play(row: Row) -> Command:
    if isinstance(row.command, Answer):
        # What the side judge had suggested is a decision of the game once it is taken.
        taken = next((event for event in row.table if isinstance(event, ev.Took)), None)
        if taken is not None:
            return taken.command
    if not isinstance(row.command, Command):
        raise Misfit(f"row {row.seq} is no command of the game")
    return row.command


def _stands(history: History | Refusal, row: Row) -> History:
    if isinstance(history, Refusal):
        raise Misfit(f"row {row.seq}: {history.code}")
    return history


def _replay(history: History, number: int, plays: tuple[ev.Play, ...]) -> History:
    kept = history
    while kept.length >= number:
        back = kept.undo()
        assert not isinstance(back, Refusal)
        kept = back
    kept = replace(kept, undone=())
    for play in plays:
        kept = kept.happened(play.command, play.events, play.ahead, play.then)
    return kept
