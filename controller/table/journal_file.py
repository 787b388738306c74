"""The journal's file: SQLite, one row a decision, each with the hash of the one before it; and a table of edges.

Used from one thread at a time. What it has answered for is on disk: WAL, synchronous=FULL.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from controller.table import codec
from controller.table.book import Row
from controller.table.state import Damage

JOURNAL: Final = "journal.sqlite"
_LOCK: Final = "journal.lock"
_ALIVE: Final = "alive"
_NO_HASH: Final = ""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS decisions (
    seq INTEGER PRIMARY KEY, game TEXT NOT NULL, id TEXT NOT NULL UNIQUE, origin TEXT NOT NULL,
    version INTEGER NOT NULL, command TEXT NOT NULL, events TEXT NOT NULL, table_events TEXT NOT NULL,
    wall TEXT NOT NULL, boot TEXT NOT NULL, at INTEGER NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS edges (
    source TEXT NOT NULL, device_boot INTEGER NOT NULL, seq INTEGER NOT NULL, key TEXT NOT NULL,
    down INTEGER NOT NULL, at INTEGER NOT NULL, error INTEGER NOT NULL, boot TEXT NOT NULL,
    PRIMARY KEY (source, device_boot, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS decisions_game ON decisions (game, seq);
CREATE INDEX IF NOT EXISTS edges_at ON edges (boot, at);
"""
_DECISION: Final = "seq, game, id, origin, version, command, events, table_events, wall, boot, at, previous, hash"

Line: TypeAlias = tuple[Any, ...]


class InUse(Exception):
    """Another program has this journal open."""


class NewerVersion(Exception):
    """The journal was written by a newer version of this program."""


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge as it is kept: `(source, device_boot, seq)` names it for good; `at` is nanoseconds of `boot`."""

    source: str
    device_boot: int
    seq: int
    key: str
    down: bool
    at: int
    error_ns: int
    boot: str


class JournalFile:
    """The open journal of one data folder. Nobody else can open it meanwhile."""

    def __init__(self, folder: Path) -> None:
        """Open or make the journal in `folder`, and look through all of it.

        Raises InUse if another process has it, NewerVersion if it cannot be read by this program.
        What is damaged is set aside and told in `damage`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._path = folder / JOURNAL
        self._lock = _locked(folder / _LOCK)
        self.damage: Damage | None = None
        self.ids: dict[str, int] = {}
        """Every command's id, with its row."""
        self.last: Line | None = None
        try:
            self._db = self._connect()
            self._look_through()
            self._alive = os.open(folder / _ALIVE, os.O_RDWR | os.O_CREAT, 0o644)
        except BaseException:
            os.close(self._lock)
            raise

    def close(self) -> None:
        """Give the journal back."""
        with suppress(sqlite3.Error):
            self._db.close()
        os.close(self._alive)
        os.close(self._lock)

    # --- writing

    def write(self, row: Row | None, edges: Iterable[EdgeRow]) -> None:
        """Put a decision and edges on disk, all or nothing. Raises sqlite3.Error; then nothing was written."""
        line: Line | None = None
        self._db.execute("BEGIN IMMEDIATE")
        try:
            if row is not None:
                line = _line(row, _NO_HASH if self.last is None else self.last[-1])
                marks = ", ".join("?" * len(line))
                self._db.execute(f"INSERT INTO decisions ({_DECISION}) VALUES ({marks})", line)
            self._db.executemany(
                "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(e.source, e.device_boot, e.seq, e.key, int(e.down), e.at, e.error_ns, e.boot) for e in edges],
            )
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk has rolled back by itself
                self._db.execute("ROLLBACK")
            raise
        if row is not None:
            self.last = line
            self.ids[row.id] = row.seq

    def note_alive(self, boot: str, at: int) -> None:
        """Note that the service runs at `at` of `boot`. Not synced: it is for a crash of the service, and a guess
        some seconds old after a power cut."""
        os.pwrite(self._alive, f"{at:>24} {boot:<48}\n".encode(), 0)

    # --- reading

    def rows(self, game: str) -> list[Row]:
        """Return all rows of `game`, in order."""
        found = self._db.execute(f"SELECT {_DECISION} FROM decisions WHERE game = ? ORDER BY seq", (game,))
        return [_row(line) for line in found]

    def edges(self, boot: str, since: int) -> list[EdgeRow]:
        """Return the edges of `boot` from `since` on, in the order of their times."""
        found = self._db.execute(
            "SELECT * FROM edges WHERE boot = ? AND at >= ? ORDER BY at, source, device_boot, seq", (boot, since)
        )
        return [EdgeRow(s, b, n, key, bool(down), at, error, boot) for s, b, n, key, down, at, error, boot in found]

    def last_edges(self) -> dict[tuple[str, int], int]:
        """Return the number of the last edge of every life of every device: (source, device boot) -> seq."""
        found = self._db.execute("SELECT source, device_boot, MAX(seq) FROM edges GROUP BY source, device_boot")
        return {(source, boot): seq for source, boot, seq in found}

    def alive(self) -> tuple[str, int] | None:
        """Return when the service was last seen alive: boot and nanoseconds; None if that is not known."""
        words = os.pread(self._alive, 200, 0).split()
        if len(words) != 2 or not words[0].isdigit():
            return None
        return words[1].decode("ascii", "replace"), int(words[0])

    # --- opening

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.executescript(_SCHEMA)
        except sqlite3.DatabaseError as wrong:
            db.close()
            if isinstance(wrong, sqlite3.OperationalError):
                raise  # no rights, no space: the file itself may be whole
            return self._salvage(1, readable=False)
        return db

    def _look_through(self) -> None:
        """Check every row's hash against the row before it, and set aside what cannot be used."""
        edited, torn = self._first_misfit()
        if torn is None and edited is not None and self.last is not None:
            game = str(self.last[1])
            begins = self._db.execute("SELECT MIN(seq) FROM decisions WHERE game = ?", (game,)).fetchone()[0]
            if edited < begins:
                # An earlier game's row: it is told, and the game on the table goes on.
                self.damage = Damage("edited", edited, len(self.ids), None)
                return
        end = torn if edited is None else edited
        if end is not None:
            self._db = self._salvage(end)
            self._first_misfit()

    def _first_misfit(self) -> tuple[int | None, int | None]:
        """Read all rows. Return the first that does not fit its hash, and the first that cannot be read at all.

        Raises NewerVersion if a row is of one.
        """
        self.ids, self.last = {}, None
        previous, edited = _NO_HASH, None
        try:
            for line in self._db.execute(f"SELECT {_DECISION} FROM decisions ORDER BY seq"):
                if edited is None and (line[-2] != previous or line[-1] != _hash(line[:-2], previous)):
                    edited = int(line[0])
                if edited is None and line[4] > codec.VERSION:
                    raise NewerVersion(f"The journal in {self._folder} was written by a newer version of mafia-table.")
                previous = line[-1]
                self.ids[line[2]] = line[0]
                self.last = line
            self.last_edges()
        except sqlite3.DatabaseError:
            return edited, 1 if self.last is None else int(self.last[0]) + 1
        return edited, None

    def _readable(self, select: str, *values: object) -> list[Line]:
        """Return the rows of `select` up to the first that cannot be read."""
        found: list[Line] = []
        with suppress(sqlite3.DatabaseError):
            found.extend(self._db.execute(select, values))
        return found

    def _salvage(self, end: int, *, readable: bool = True) -> sqlite3.Connection:
        """Copy the damaged file aside as it is, and go on with the rows before `end` in a new one."""
        lines: list[Line] = []
        edges: list[Line] = []
        if readable:
            lines = self._readable(f"SELECT {_DECISION} FROM decisions WHERE seq < ? ORDER BY seq", end)
            edges = self._readable("SELECT * FROM edges")
            self._db.close()
        aside = next(
            path
            for number in range(1, 10_000)
            if not (path := self._folder / f"journal-damaged-{number}.sqlite").exists()
        )
        for ending in ("", "-wal"):
            part = self._path.with_name(JOURNAL + ending)
            if part.exists():
                shutil.copy2(part, aside.with_name(aside.name + ending))
        fresh = self._path.with_name(JOURNAL + ".new")
        for ending in ("", "-wal", "-shm"):
            fresh.with_name(fresh.name + ending).unlink(missing_ok=True)
        with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.executescript(_SCHEMA)
            db.execute("BEGIN")
            db.executemany(f"INSERT INTO decisions VALUES ({', '.join('?' * 13)})", lines)
            db.executemany("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)", edges)
            db.execute("COMMIT")
        for ending in ("-wal", "-shm"):
            self._path.with_name(JOURNAL + ending).unlink(missing_ok=True)
        fresh.replace(self._path)
        self.damage = Damage("torn", end, len(lines), aside.name)
        return self._connect()


def _locked(path: Path) -> int:
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as taken:
        os.close(lock)
        raise InUse(f"Another mafia-table is running with the folder {path.parent}: close it first.") from taken
    return lock


def _hash(content: Line, previous: str) -> str:
    return hashlib.sha256(previous.encode() + msgspec.json.encode(content)).hexdigest()


def _line(row: Row, previous: str) -> Line:
    content: Line = (
        row.seq,
        row.game,
        row.id,
        row.origin,
        codec.VERSION,
        codec.write(row.command),
        codec.write(row.events),
        codec.write(row.table),
        row.wall,
        row.boot,
        row.at,
    )
    return (*content, previous, _hash(content, previous))


def read_only(folder: Path) -> list[Row]:
    """All rows of the journal in `folder`, whoever has it open; nothing is written and nobody waits.

    Raises sqlite3.Error, or codec.Unreadable for a row of another version.
    """
    address = f"{(folder / JOURNAL).absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as journal:
        return [_row(line) for line in journal.execute(f"SELECT {_DECISION} FROM decisions ORDER BY seq")]


def _row(line: Line) -> Row:
    seq, game, name, origin, _, command, events, table, wall, boot, at, _, _ = line
    return Row(
        seq=seq,
        game=game,
        id=name,
        origin=origin,
        command=codec.read_command(command),
        events=codec.read_events(events),
        table=codec.read_table_events(table),
        wall=wall,
        boot=boot,
        at=at,
    )
