"""Looking through a journal: whether every decision follows the one before it by its hash, and every batch of edges is
what it was when the decisions that carry its hash were written. Nothing is written here.

A season's journal is longer than a start may take: the game on the table is looked through before anybody plays, and
what lies before it by `look_through`, beside the table.
"""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.table import salvage
from controller.table.salvage import FIRST, Line, row_hash
from controller.table.state import Damage

JOURNAL: Final = "journal.sqlite"
DECISION: Final = "seq, game, id, origin, version, command, events, table_events, wall, boot, at, previous, hash"
AT_ONCE: Final = 2000
"""So many of the last rows, and all of the last game, are looked through before a table starts: a tenth of a second."""
_AT_A_TIME: Final = 100
_PAUSE_S: Final = 0.005
"""Beside the table nothing is looked through for longer at a time than a hand can wait."""
_STEPS: Final = 10_000
"""After so many of its instructions SQLite asks whether to go on."""
_THE_DISK: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    }
)
"""Faults that say nothing of the file itself."""
_CARRIES: Final = '"type":"EdgesKept"'
_EDGES: Final = "SELECT * FROM edges WHERE source = ? AND device_boot = ? AND seq BETWEEN ? AND ? ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Mark:
    """The last row that was on disk."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of edges: its number, from 1, and the hash over it and all before it."""

    number: int
    hash: str


class Chain:
    """What is found of decisions that are seen one after another."""

    def __init__(self, mark: Mark | None = None, previous: str = FIRST) -> None:
        """`previous` is the hash of the row before the first that is seen."""
        self._mark = mark
        self._previous = previous
        self.first: dict[str, int] = {}
        """Every game's first row."""
        self.carried: list[tuple[int, Batch]] = []
        """Rows that carry a batch of edges."""
        self.misfits: list[tuple[int, bool]] = []
        """Rows that do not follow the row before, and whether they are sound."""
        self.last: Line | None = None

    def see(self, line: Line) -> None:
        """`line` is the next row."""
        sound = salvage.is_sound(line)
        if not sound or line[-2] != self._previous:
            self.misfits.append((line[0], sound))
        self._previous = line[-1]
        self.first.setdefault(line[1], line[0])
        self.last = line
        if sound:
            self.carried += [(line[0], batch) for batch in carried_by(line)]
        mark = self._mark
        if mark is not None and line[0] == mark.seq and line[-1] != mark.hash and not self.misfits:
            self.misfits.append((line[0], True))

    @property
    def hashes(self) -> dict[int, str]:
        """The hash of each batch that was carried, by its number."""
        return {batch.number: batch.hash for _, batch in self.carried}

    def row_without(self, unfit: int) -> int:
        """The row that carries the batch `unfit`, or the first one after it."""
        end = self.carried[-1][0] if self.carried else 1
        return next((row for row, batch in self.carried if batch.number >= unfit), end)


class _EdgeEvent(msgspec.Struct):
    """As much of a table event as tells a batch."""

    type: str
    batch: int = 0
    hash: str = ""


_EVENTS: Final = msgspec.json.Decoder(list[_EdgeEvent])


def carried_by(line: Line) -> list[Batch]:
    """The batches that a decision's row carries: one, or none. Raises msgspec.MsgspecError."""
    if _CARRIES not in line[7]:
        return []
    return [Batch(event.batch, event.hash) for event in _EVENTS.decode(line[7]) if event.type == "EdgesKept"]


def rows_from(db: sqlite3.Connection, begin: int) -> Iterator[Line]:
    """The decisions from row `begin` on, without asking an index."""
    asked = f"SELECT {DECISION} FROM decisions NOT INDEXED WHERE seq >= ? ORDER BY seq"
    yield from db.execute(asked, (begin,))


def first_at_once(db: sqlite3.Connection) -> int:
    """The first row that is looked through before a table starts: 1 where that is all of them."""
    (last,) = db.execute("SELECT MAX(seq) FROM decisions").fetchone()
    if last is None or last <= AT_ONCE:
        return 1
    (begins,) = db.execute(
        "SELECT MIN(seq) FROM decisions WHERE game = (SELECT game FROM decisions WHERE seq = ?)", (last,)
    ).fetchone()
    return max(1, min(begins, last - AT_ONCE + 1))


def hash_before(db: sqlite3.Connection, begin: int) -> str:
    """The hash that the row `begin` has to name as the one before it."""
    found = db.execute("SELECT hash FROM decisions WHERE seq = ?", (begin - 1,)).fetchone()
    return FIRST if found is None else found[0]


def batch_told_before(db: sqlite3.Connection, begin: int) -> Batch:
    """The last batch that a row before `begin` carries."""
    asked = f"SELECT {DECISION} FROM decisions NOT INDEXED WHERE seq < ? AND INSTR(table_events, ?) ORDER BY seq DESC"
    found = db.execute(asked + " LIMIT 1", (begin, _CARRIES)).fetchone()
    carried = carried_by(found) if found is not None and salvage.is_sound(found) else []
    return carried[-1] if carried else Batch(0, FIRST)


def indexes_agree(db: sqlite3.Connection, lines: Sequence[tuple[int, str, str]], ids: Mapping[str, int]) -> bool:
    """Whether the indexes find the rows, games and ids of `lines`, which were read without them."""
    counted: dict[str, int] = {}
    for seq, game, name in lines:
        counted[game] = counted.get(game, 0) + 1
        if ids.get(name) != seq:
            return False
    begin = lines[0][0] if lines else 1
    asked = "SELECT COUNT(*) FROM decisions INDEXED BY decisions_game WHERE game = ? AND seq >= ?"
    return all(db.execute(asked, (game, begin)).fetchone()[0] == count for game, count in counted.items())


def is_the_disk(wrong: Exception) -> bool:
    """Whether `wrong` says something of the disk and nothing of the file."""
    code = getattr(wrong, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in _THE_DISK and code != sqlite3.SQLITE_IOERR_SHORT_READ


# --- edges


def has_batches(db: sqlite3.Connection) -> bool:
    """Whether the journal is of the time since edges have batches."""
    return bool(db.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'batches'").fetchone()[0])


def last_batch(db: sqlite3.Connection) -> Batch:
    """The last batch on disk."""
    found = db.execute("SELECT number, hash FROM batches ORDER BY number DESC LIMIT 1").fetchone()
    return Batch(0, FIRST) if found is None else Batch(*found)


def first_unfit_batch(
    db: sqlite3.Connection,
    hashes: Mapping[int, str],
    after: Batch | None = None,
    rest: threading.Event | None = None,
) -> int | None:
    """The first batch that is not what it was when it was written; None: all are. `hashes` are those that decisions
    carry. Only those after the batch `after` are looked at, if it is given and there."""
    if after is not None:
        # A journal that was mended has begun its batches anew.
        there = db.execute("SELECT hash FROM batches WHERE number = ?", (after.number,)).fetchone()
        if there is not None and there[0] != after.hash:
            return after.number
        after = after if there is not None else None
    whole, count = after is None, 0
    previous, number = (FIRST, 0) if after is None else (after.hash, after.number)
    asked = "SELECT number, edges, hash FROM batches WHERE number > ? ORDER BY number"
    found = db.execute(asked, (number,)).fetchall()
    for number, runs, own in found:
        lines = [line for run in msgspec.json.decode(runs) for line in db.execute(_EDGES, run)]
        if own != row_hash(lines, previous) or hashes.get(number, own) != own:
            return number
        previous, count = own, count + len(lines)
        if rest is not None and number % _AT_A_TIME == 0:
            _rest(rest)
    if any(told > number for told in hashes):
        return number + 1
    if whole and db.execute("SELECT COUNT(*) FROM edges").fetchone()[0] != count:
        return number + 1
    return None


# --- beside the table


class Stopped(Exception):
    """The table has ended meanwhile."""


def look_through(folder: Path, stop: threading.Event) -> Damage | None:
    """Look through all of the journal in `folder`, while a table writes to it; None if it is whole. Takes its time:
    some seconds for a season.

    Raises Stopped once `stop` is set, and sqlite3.OperationalError where the disk does not do.
    """
    address = f"{(folder / JOURNAL).absolute().as_uri()}?mode=ro"
    chain, seen = Chain(), 0
    with closing(sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)) as db:
        db.set_progress_handler(lambda: int(stop.is_set()), _STEPS)
        try:
            # What is written from here on is not of this look.
            db.execute("BEGIN")
            for seen, line in enumerate(rows_from(db, 1), 1):
                chain.see(line)
                if seen % _AT_A_TIME == 0:
                    _rest(stop)
            unfit = first_unfit_batch(db, chain.hashes, rest=stop) if has_batches(db) else None
            whole = db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
        except (sqlite3.DatabaseError, ValueError, TypeError, OverflowError) as wrong:
            if stop.is_set():
                raise Stopped from None
            if is_the_disk(wrong):
                raise
            whole, unfit = False, None
    if not whole:
        return Damage("broken", (chain.last[0] if chain.last else 0) + 1, seen, None)
    if chain.misfits:
        return Damage("edited", chain.misfits[0][0], seen, None)
    return None if unfit is None else Damage("edges", chain.row_without(unfit), seen, None)


def _rest(stop: threading.Event) -> None:
    if stop.wait(_PAUSE_S):
        raise Stopped
