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
from controller.game.ballot import Ballot, Touch, Votes
from controller.game.commands import CountHands, OpenWindow
from controller.game.events import BallotOpened, Event, HandsCounted, WindowOpened, WindowVoided
from controller.game.history import Decision, History
from controller.game.rules import Rules
from controller.game.window import judge
from controller.table.archive import NoJournal
from controller.table.book import Book, Misfit, Row, WindowTimes, fold
from controller.table.clock import MICROSECOND, SECOND
from controller.table.codec import Unreadable
from controller.table.events import EdgesKept, SensorsDoubted
from controller.table.hands import KEPT_NS, Hands
from controller.table.journal_file import KeptEdge, read_edges, read_only
from controller.table.sensors import STARTED
from controller.table.wishes import CloseWindow
from hardware.signal import seat_of

LEFT_LYING: Final = -60 * SECOND // MICROSECOND
"""A hand that had rested so long when the window opened was stuck, and no hand of it."""
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
    opened_by: str
    closed_by: str
    """Empty: it closed by itself."""
    fate: Fate
    edges: tuple[KeptEdge, ...]
    """Of all hands, as they came to the disk, to a little after its close; with what was before it, since a hand may
    have rested there for long. A key "started" says that a device was heard for the first time in a new life."""
    counted: Counted | None
    """The last count that was made of it, also where that was voided or taken back."""


@dataclass(slots=True)
class _Found:
    """A window while the rows are read."""

    row: Row
    voters: tuple[int, ...]
    rules: Rules
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
        rows = read_only(folder)
        game = game or (rows[-1].game if rows else "")
        reading = _Reading()
        for row in rows:
            _read(reading, row, game, rulesets)
        book = reading.book
        if book is None:
            raise NoJournal(f"{folder}: {game}")
        edges = read_edges(folder, {times.boot for times in book.windows})
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
        reading.found[ballot.opened] = _Found(row, ballot.voters, book.state.rules)
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
    for number, times in enumerate(sorted(known, key=lambda times: found[times.opened].row.seq), start=1):
        window = found[times.opened]
        until = times.closes + _AFTER_NS
        yield KeptWindow(
            number=number,
            times=times,
            wall=window.row.wall,
            voters=window.voters,
            rules=window.rules,
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
