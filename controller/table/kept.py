"""Every vote window of a game as the journal keeps it: those that were counted, voided, taken back, and the open one;
each with all its edges on the table's clock and who opened, closed and counted it. Read while the table may be running.

The kept edges can be put through the ruling again (`replayed`): what they give is what was counted.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from controller.game import RULESETS
from controller.game.ballot import Ballot, BallotKind, Touch, Votes
from controller.game.commands import CountHands, OpenWindow
from controller.game.events import BallotOpened, Event, HandsCounted, WindowOpened, WindowVoided
from controller.game.history import Decision, History
from controller.game.moment import Moment
from controller.game.rules import Rules
from controller.game.window import judge
from controller.record.evidence import Evidence, Lane, RawEdge, evidence
from controller.table.archive import NoJournal
from controller.table.book import Book, Misfit, Row, WindowTimes, fold
from controller.table.clock import MICROSECOND, SECOND
from controller.table.codec import Unreadable
from controller.table.events import EdgesKept, SensorsDoubted
from controller.table.hands import KEPT_NS, Hands
from controller.table.journal_file import EdgeRow, KeptEdge, read_edges, read_game
from controller.table.sensors import STARTED
from controller.table.wishes import CloseWindow
from hardware.signal import seat_of

LEFT_LYING: Final = -60 * SECOND // MICROSECOND
"""A hand that had rested so long when the window opened was stuck, and no hand of it."""
_PER_MS: Final = 1000
"""Microseconds."""
NANOSECONDS: Final = 1_000_000
"""In a millisecond."""
_AFTER_NS: Final = 2 * SECOND
"""How long after its close the edges of a window that was not counted are of interest."""


class Fate(StrEnum):
    """What became of a window."""

    COUNTED = "counted"
    VOIDED = "voided"
    """The judge had it repeated."""
    TAKEN_BACK = "taken_back"
    """An undo took back its opening, or another decision took its place."""
    OPEN = "open"
    """It is open, or closed and not counted yet."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The moment of a count: the ballot with it, and what was known of edges then."""

    ballot: Ballot
    by: str
    living: frozenset[int]
    """The seats in play then."""
    batch: int
    """The last batch of edges that was on disk with it."""
    doubted: SensorsDoubted
    """What of them was left out."""


@dataclass(frozen=True, slots=True)
class KeptWindow:
    """One window."""

    number: int
    """Its own within the game, from 1."""
    times: WindowTimes
    wall: str
    """The wall's date and time of its opening, as it was noted."""
    voters: tuple[int, ...]
    rules: Rules
    kind: BallotKind
    at: Moment
    opened_by: str
    closed_by: str
    """Empty: it closed by itself."""
    fate: Fate
    edges: tuple[KeptEdge, ...]
    """Of all hands, as they came to the disk, to a little after its close or to the next opening; with what was before
    it, since a hand may have rested there for long. A key "started" says that a device was heard for the first time in
    a new life."""
    counted: Counted | None
    """The last count that was made of it, also where that was voided or taken back."""


@dataclass(slots=True)
class _Found:
    """A window while the rows are read."""

    row: Row
    voters: tuple[int, ...]
    rules: Rules
    kind: BallotKind
    at: Moment
    closed_by: str = ""
    counted: Counted | None = None


@dataclass(slots=True)
class _Reading:
    found: dict[int, _Found] = field(default_factory=dict[int, _Found])
    """By the opening."""
    open: int | None = None
    batch: int = 0
    book: Book | None = None


def kept_windows(
    folder: Path, game: str | None = None, rulesets: Mapping[str, Rules] = RULESETS
) -> tuple[Book, tuple[KeptWindow, ...]]:
    """The game `game` - the last one without it - of the journal in `folder`, and its windows in the order in which
    they were opened. Raises NoJournal."""
    try:
        batch, rows = read_game(folder, game)
        game = rows[-1].game if game is None and rows else game or ""
        reading = _Reading(batch=batch)
        for row in rows:
            _read(reading, row, game, rulesets)
        book = reading.book
        if book is None:
            raise NoJournal(f"{folder}: {game}")
        since: dict[str, int] = {}
        for times in book.windows:
            since[times.boot] = min(times.since - KEPT_NS, since.get(times.boot, times.since))
        edges = read_edges(folder, since)
    except (sqlite3.Error, Unreadable, Misfit) as wrong:
        raise NoJournal(f"{folder}: {wrong}") from wrong
    return book, tuple(_windows(book, reading.found, edges))


def _read(reading: _Reading, row: Row, game: str, rulesets: Mapping[str, Rules]) -> None:
    for event in row.table:
        if isinstance(event, EdgesKept):
            reading.batch = event.batch
    if row.game != game:
        return
    before = None if reading.book is None else reading.book.state.ballot
    reading.book = book = fold(reading.book, row, rulesets)
    ballot = book.state.ballot
    if isinstance(row.command, OpenWindow) and ballot is not None and ballot.opened is not None:
        reading.found[ballot.opened] = _Found(row, ballot.voters, book.state.rules, ballot.kind, book.state.at)
    opened = None if before is None else before.opened
    window = None if opened is None else reading.found.get(opened)
    if window is None:
        return
    if isinstance(row.command, CloseWindow):
        window.closed_by = row.origin
    if isinstance(row.command, CountHands) and ballot is not None:
        living = frozenset(seat.number for seat in book.state.seats if seat.in_play)
        doubted = next((event for event in row.table if isinstance(event, SensorsDoubted)), SensorsDoubted((), ()))
        window.counted = Counted(ballot, row.origin, living, reading.batch, doubted)


def _windows(book: Book, found: Mapping[int, _Found], edges: Sequence[KeptEdge]) -> Iterator[KeptWindow]:
    fates = _fates(book.history)
    known = [times for times in book.windows if times.opened in found]
    known.sort(key=lambda times: found[times.opened].row.seq)
    for number, times in enumerate(known, start=1):
        window = found[times.opened]
        until = times.closes + _AFTER_NS
        if number < len(known) and (following := known[number]).boot == times.boot:
            until = min(until, following.opened)
        yield KeptWindow(
            number=number,
            times=times,
            wall=window.row.wall,
            voters=window.voters,
            rules=window.rules,
            kind=window.kind,
            at=window.at,
            opened_by=window.row.origin,
            closed_by=window.closed_by,
            fate=fates.get(times.opened, Fate.TAKEN_BACK),
            edges=tuple(
                edge
                for edge in edges
                if edge.row.boot == times.boot
                and times.since - KEPT_NS <= edge.row.at <= until
                and (seat_of(edge.row.key) is not None or edge.row.key == STARTED)
            ),
            counted=window.counted,
        )


def _fates(history: History) -> dict[int, Fate]:
    """What became of the windows whose opening stands, by the opening."""
    fates: dict[int, Fate] = {}
    asked: dict[int, int] = {}
    """The last window of each candidate in the present ballot."""
    for event in _events(history):
        match event:
            case BallotOpened():
                asked = {}
            case WindowOpened(candidate, at):
                fates[at] = Fate.OPEN
                asked[candidate] = at
            case HandsCounted(count) if count.candidate in asked:
                fates[asked[count.candidate]] = Fate.COUNTED
            case WindowVoided(candidate) if candidate in asked:
                fates[asked[candidate]] = Fate.VOIDED
            case _:
                pass
    return fates


def _events(history: History) -> Iterator[Event]:
    decisions: list[Decision] = []
    last = history.last
    while last is not None:
        decisions.append(last)
        last = last.previous
    for decision in reversed(decisions):
        yield from decision.events


# --- the ruling again


def touches_of(window: KeptWindow, batch: int | None = None) -> tuple[Touch, ...]:
    """The touches that the window's edges make; those up to `batch` alone, where one is named."""
    hands, lives = Hands(), dict[str, int]()
    serves: dict[str, set[int]] = {}
    for edge in window.edges:
        if (seat := seat_of(edge.row.key)) is not None:
            serves.setdefault(edge.row.source, set()).add(seat)
    for edge in window.edges:
        row = edge.row
        if batch is not None and edge.batch > batch:
            continue
        if lives.setdefault(row.source, row.device_boot) != row.device_boot:
            lives[row.source] = row.device_boot
            hands.forget_levels(serves.get(row.source, ()), row.at)
        if (seat := seat_of(row.key)) is not None:
            hands.edge(seat, row.at, down=row.down)
    return hands.touches(window.voters, window.times.since, window.times.opened)


def replayed(window: KeptWindow) -> Votes | None:
    """What the ruling makes of the kept edges as they were known at the count; None where it was not counted by them.

    What the judge had ruled by then, and the windows before it, are taken as they stand.
    """
    counted = window.counted
    if counted is None:
        return None
    doubted = counted.doubted
    touches = tuple(
        touch
        for touch in touches_of(window, counted.batch)
        if touch.seat not in doubted.seats
        and not (touch.seat in doubted.lying and touch.up is None and touch.down <= LEFT_LYING)
    )
    *before, own = counted.ballot.counts
    ballot = replace(counted.ballot, counts=(*before, replace(own, touches=touches)))
    return judge(window.rules, ballot, "", counted.living, ()).votes[-1]


# --- to be drawn


def drawn(book: Book, windows: Sequence[KeptWindow]) -> tuple[Evidence, ...]:
    """The windows as values for a drawing, with what each hand was read as."""
    counted = {(row.ballot, row.candidate): row for row in evidence(book.state)}
    return tuple(_drawn(book, window, counted) for window in windows)


def _drawn(book: Book, window: KeptWindow, counted: Mapping[tuple[int, int], Evidence]) -> Evidence:
    times = window.times
    known = counted.get((times.ballot, times.candidate)) if window.fate is Fate.COUNTED else None
    if known is None:
        length = (times.closes - times.opened) // MICROSECOND
        known = Evidence(
            ballot=times.ballot,
            kind=window.kind.value,
            day=window.at.day,
            round=window.at.number,
            candidate=times.candidate,
            closed=length / _PER_MS,
            announced=None,
            tolerance=window.rules.early_tolerance / _PER_MS,
            flagged=window.counted is not None and window.counted.ballot.counts[-1].flagged,
            total=0,
            lanes=tuple(_lane(window, seat.number) for seat in book.state.seats),
        )
    since = times.since
    return replace(
        known,
        number=window.number,
        fate=window.fate.value,
        wall=window.wall,
        opened_by=window.opened_by,
        closed_by=window.closed_by,
        counted_by="" if window.counted is None else window.counted.by,
        edges=tuple(_raw(edge.row, times.opened) for edge in window.edges if edge.row.at >= since),
    )


def _lane(window: KeptWindow, seat: int) -> Lane:
    touches = tuple(
        (touch.down / _PER_MS, None if touch.up is None else touch.up / _PER_MS)
        for touch in touches_of(window)
        if touch.seat == seat
    )
    if seat not in window.voters:
        return Lane(seat, touches, "no_vote")
    return Lane(seat, touches, "void" if touches else "none")


def _raw(edge: EdgeRow, opened: int) -> RawEdge:
    at = (edge.at - opened) / NANOSECONDS
    return RawEdge(edge.source, edge.device_boot, edge.seq, edge.key, edge.down, at, edge.error_ns / NANOSECONDS)
