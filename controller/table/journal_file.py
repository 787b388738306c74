"""The journal's file: SQLite, one row a decision, each with the hash of the one before it; and a table of edges, whose
batches have a chain of hashes of their own that the decisions carry.

Used from one thread at a time. What it has answered for is on disk: WAL, synchronous=FULL. The number and the hash of
the last row stand in a small file beside it, so that rows which a damaged log has dropped are missed.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.small_files import sync_folder
from controller.table import codec, looking, salvage
from controller.table.book import Row
from controller.table.events import EdgesKept, GameBegan
from controller.table.looking import JOURNAL, Batch, Chain, Mark
from controller.table.salvage import FIRST, Line, row_hash
from controller.table.state import Damage

MARK: Final = "last"
_LOCK: Final = "journal.lock"
_ALIVE: Final = "alive"
_BROKEN: Final = "journal.broken"
"""While it is there, all of the journal is looked through before anything is done with it."""
_PARTS: Final = ("", "-wal", "-shm")
_CACHE_KB: Final = 512
"""Of the file kept in memory, four times less than SQLite's own: rows are written once, and read at a start."""
_WAITS_MS: Final = 5000
_PAGES_IN_LOG: Final = 100
"""When the log has as many, it is brought into the database: what lies in the log is the easiest to lose."""
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
CREATE TABLE IF NOT EXISTS batches (number INTEGER PRIMARY KEY, edges TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS decisions_game ON decisions (game, seq);
CREATE INDEX IF NOT EXISTS edges_at ON edges (boot, at);
"""


class InUse(Exception):
    """Another program has this journal open."""


class NewerVersion(Exception):
    """The journal was written by a newer version of this program."""


class NoFile(Exception):
    """Something that is no file bears the journal's name."""


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

    def __init__(self, folder: Path, *, whole: bool = True) -> None:
        """Open or make the journal in `folder`, and look through all of it; where it is not to be looked through as a
        `whole`, through its end alone: `unseen` rows are left for `looking.look_through`.

        Raises InUse if another process has it, NewerVersion if it cannot be read by this program, NoFile, sqlite3.Error
        or OSError if the disk does not do. What is damaged is set aside and told in `damage`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._path = folder / JOURNAL
        if self._path.exists() and not self._path.is_file():
            raise NoFile(f"{self._path} is no file.")
        self.damage: Damage | None = None
        self.unseen = 0
        """So many of the first rows have not been looked through."""
        self._found_none = not any((folder / (JOURNAL + part)).exists() for part in _PARTS)
        self._whole = whole or (folder / _BROKEN).exists()
        self.ids: dict[str, int] = {}
        """Every command's id, with its row."""
        self.last: Line | None = None
        self._batch = Batch(0, FIRST)
        """The last batch of edges on disk."""
        self._told: int = 0
        """The last batch that a decision carries."""
        self._log_is_due = False
        self._held = [_locked(folder / _LOCK)]
        try:
            self._alive = self._hold(folder / _ALIVE)
            self._mark = self._hold(folder / MARK)
            self._is_its_owners_alone()
            self._db = self._open()
            self._batch = looking.last_batch(self._db)
            self._note_last()
            os.fsync(self._mark)
            if not self.unseen:
                (folder / _BROKEN).unlink(missing_ok=True)
        except BaseException:
            self._let_go()
            raise

    def close(self) -> None:
        """Give the journal back."""
        self._log_is_due = True
        self.settle()
        with suppress(sqlite3.Error):
            self._db.close()
        self._let_go()

    def undo(self) -> None:
        """Give back a journal that nothing was written to; one that was made by opening it is taken away again."""
        made = self._found_none and self.last is None and not self._batch.number and self.damage is None
        self.close()
        if made:
            for name in (*(JOURNAL + part for part in _PARTS), MARK, _ALIVE):
                (self._folder / name).unlink(missing_ok=True)

    def _hold(self, path: Path) -> int:
        self._held.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o644))
        return self._held[-1]

    def _let_go(self) -> None:
        for descriptor in reversed(self._held):
            os.close(descriptor)
        self._held.clear()

    def is_broken(self) -> None:
        """Have all of it looked through and mended before it is opened again. Raises OSError."""
        (self._folder / _BROKEN).touch()

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._folder

    @property
    def edges_hash(self) -> str:
        """The hash of the last batch of edges, which covers all before it."""
        return self._batch.hash

    # --- writing

    def write(self, row: Row | None, edges: Iterable[EdgeRow]) -> None:
        """Put a decision and edges on disk, all or nothing. Raises sqlite3.Error; then nothing was written."""
        line: Line | None = None
        batch = self._batch
        self._db.execute("BEGIN IMMEDIATE")
        try:
            lines = [(e.source, e.device_boot, e.seq, e.key, int(e.down), e.at, e.error_ns, e.boot) for e in edges]
            batch = _keep_edges(self._db, lines, batch)
            if row is not None:
                if batch.number != self._told:
                    row = replace(row, table=(*row.table, EdgesKept(batch.number, batch.hash)))
                line = _line(row, FIRST if self.last is None else self.last[-1])
                marks = ", ".join("?" * len(line))
                self._db.execute(f"INSERT INTO decisions ({looking.DECISION}) VALUES ({marks})", line)
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk has rolled back by itself
                self._db.execute("ROLLBACK")
            raise
        self._batch = batch
        if row is not None:
            self._told = batch.number
            self.last = line
            self.ids[row.id] = row.seq
            self._log_is_due |= any(isinstance(happened, GameBegan) for happened in row.table)
            with suppress(OSError):  # the row is on disk: a mark that lags behind misses nothing that is there
                self._note_last()

    def probe(self) -> None:
        """Write a number that means nothing, to learn whether the disk takes anything. Raises sqlite3.Error."""
        (number,) = self._db.execute("PRAGMA user_version").fetchone()
        self._db.execute(f"PRAGMA user_version = {(number + 1) % 1_000_000}")

    def settle(self) -> None:
        """What nobody waits for: the mark of the last row onto the disk, and before a new game the log into the
        database."""
        with suppress(OSError):
            os.fdatasync(self._mark)
        if self._log_is_due:
            with suppress(sqlite3.Error):
                # Whoever reads meanwhile is not waited for: the next decision would wait too.
                self._db.execute("PRAGMA busy_timeout = 0")
                (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                self._log_is_due = bool(busy)
            with suppress(sqlite3.Error):
                self._db.execute(f"PRAGMA busy_timeout = {_WAITS_MS}")

    def _note_last(self) -> None:
        seq, own = (0, FIRST) if self.last is None else (self.last[0], self.last[-1])
        os.pwrite(self._mark, _mark_text(Mark(seq, own)), 0)

    def note_alive(self, boot: str, at: int) -> None:
        """Note that the service runs at `at` of `boot`. Not synced: it is for a crash of the service, and a guess
        some seconds old after a power cut."""
        os.pwrite(self._alive, f"{at:>24} {boot:<48}\n".encode(), 0)

    # --- reading

    def rows(self, game: str) -> list[Row]:
        """Return all rows of `game`, in order."""
        found = self._db.execute(f"SELECT {looking.DECISION} FROM decisions WHERE game = ? ORDER BY seq", (game,))
        return [_row(line) for line in found]

    def edges(self, boot: str, since: int) -> list[EdgeRow]:
        """Return the edges of `boot` from `since` on, in the order of their times."""
        found = self._db.execute(
            "SELECT * FROM edges WHERE boot = ? AND at >= ? ORDER BY at, source, device_boot, seq", (boot, since)
        )
        return [_edge(line) for line in found]

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

    def _is_its_owners_alone(self) -> None:
        """Every card stands in it: nobody else may read it, whoever made the folder. SQLite gives its log the rights of
        the file. Raises OSError where it cannot be made."""
        if self._found_none:
            os.close(os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600))
        for part in _PARTS:
            with suppress(OSError):  # it is not there, or its disk knows no rights
                path = self._folder / (JOURNAL + part)
                path.chmod(path.stat().st_mode & 0o700)

    def _open(self) -> sqlite3.Connection:
        mark = self._marked()
        if not self._size("") and (mark is not None or self._size("-wal")):
            return self._salvage(None, mark)  # SQLite would throw the log away
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            if self._is_whole(db, mark):
                _prepare(db)
                return db
        except (sqlite3.Error, ValueError, TypeError, OverflowError) as wrong:
            if looking.is_the_disk(wrong):
                db.close()
                raise
        except BaseException:
            db.close()
            raise
        return self._salvage(db, mark)

    def _is_whole(self, db: sqlite3.Connection, mark: Mark | None) -> bool:
        """Look through it, writing nothing. An edit that costs the present game nothing is told in `damage`.

        Raises NewerVersion, and whatever SQLite and a damaged file come to.
        """
        self.ids, self.last = {}, None
        if not db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
            return mark is None
        begin = 1 if self._whole else looking.first_at_once(db)
        chain = Chain(mark, looking.hash_before(db, begin))
        seen: list[tuple[int, str, str]] = []
        for line in looking.rows_from(db, begin):
            chain.see(line)
            if not chain.misfits and line[4] > codec.VERSION:
                raise self._newer()
            seen.append(line[:3])
        self.last = chain.last
        if begin == 1:
            self.ids = {name: seq for seq, _, name in seen}
            if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                return False
        else:
            self.ids = dict(db.execute("SELECT id, seq FROM decisions"))
            if not looking.indexes_agree(db, seen, self.ids):
                self._whole = True
                return self._is_whole(db, mark)
        if not _has_schema(db):
            return False
        if mark is not None and mark.seq > (0 if self.last is None else self.last[0]):
            return False
        self.unseen = begin - 1
        before = looking.batch_told_before(db, begin) if begin > 1 else None
        told = chain.carried[-1][1] if chain.carried else before
        self._told = 0 if told is None else told.number
        if not chain.misfits or self.last is None:
            unfit = looking.first_unfit_batch(db, chain.hashes, before) if looking.has_batches(db) else None
            if unfit is not None:
                self.damage = Damage("edges", chain.row_without(unfit), len(self.ids), None)
            return True
        begins = chain.first[self.last[1]]
        if any(seq > begins or (seq == begins and not sound) for seq, sound in chain.misfits):
            return False
        self.damage = Damage("edited", chain.misfits[0][0], len(self.ids), None)
        return True

    def _newer(self) -> NewerVersion:
        return NewerVersion(f"The journal in {self._folder} was written by a newer version of mafia-table.")

    def _salvage(self, db: sqlite3.Connection | None, mark: Mark | None) -> sqlite3.Connection:
        """Copy the damaged files aside as they are, and go on with what is whole in a new one."""
        self.unseen = 0
        data, log = self._bytes(""), self._bytes("-wal")
        rows = salvage.sound_rows(data, log)
        if any(line[4] > codec.VERSION for line in rows):
            raise self._newer()
        lines = salvage.in_use(rows)
        aside = self._set_aside()
        if db is not None:
            with suppress(sqlite3.Error):
                db.close()
        told = [batch.number for line in lines for batch in looking.carried_by(line)]
        self._told = max(told, default=0)
        self._make(lines, salvage.edges(data, log), self._told)
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(db)
        except BaseException:
            db.close()
            raise
        self.last = lines[-1] if lines else None
        self.ids = {line[2]: line[0] for line in lines}
        known = max((line[0] for line in rows), default=0)
        if mark is not None:
            known = max(known, mark.seq)
        row = next((number for number, line in enumerate(lines, 1) if line[0] != number), len(lines) + 1)
        missing = max(0, known - len(lines))
        kind = "missing" if aside is None else "torn" if missing or mark is None else "mended"
        self.damage = Damage(kind, row, len(lines), aside, missing)
        return db

    def _set_aside(self) -> str | None:
        parts = [part for part in _PARTS if self._size(part)]
        if not parts:
            return None
        names = (f"journal-damaged-{number}.sqlite" for number in range(1, 10_000))
        name = next(name for name in names if not any((self._folder / (name + part)).exists() for part in _PARTS))
        for part in parts:
            shutil.copy2(self._path.with_name(JOURNAL + part), self._folder / (name + part))
            sync_folder(self._folder / (name + part))
        return name

    def _make(self, lines: Iterable[Line], edges: Iterable[Line], told: int) -> None:
        """A new journal in the old one's place. The batches begin anew after number `told`."""
        fresh = self._path.with_name(JOURNAL + ".new")
        for part in _PARTS:
            fresh.with_name(fresh.name + part).unlink(missing_ok=True)
        with closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            _prepare(db, in_log=False)
            db.execute("BEGIN")
            db.executemany(f"INSERT INTO decisions VALUES ({', '.join('?' * 13)})", lines)
            insert = "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            kept = list(edges)
            db.executemany(insert, kept)
            _batch_up(db, kept, Batch(told, FIRST))  # also with none: the hashes before it are of another chain
            db.execute("COMMIT")
        for part in ("-wal", "-shm"):
            self._path.with_name(JOURNAL + part).unlink(missing_ok=True)
        fresh.replace(self._path)
        sync_folder(self._folder)

    def _size(self, part: str) -> int:
        path = self._path.with_name(JOURNAL + part)
        return path.stat().st_size if path.exists() else 0

    def _bytes(self, part: str) -> bytes:
        path = self._path.with_name(JOURNAL + part)
        return path.read_bytes() if path.exists() else b""

    def _marked(self) -> Mark | None:
        """The last row as it was marked; None if there was none, or the mark is torn."""
        said = os.pread(self._mark, 200, 0)
        words = said.split()
        if len(words) != 3 or not words[0].isdigit():
            return None
        mark = Mark(int(words[0]), words[1].decode("ascii", "replace"))
        return mark if mark.seq and said == _mark_text(mark) else None


def _mark_text(mark: Mark) -> bytes:
    said = f"{mark.seq:>20} {mark.hash or '-':<64} ".encode()
    return said + hashlib.sha256(said).hexdigest()[:16].encode() + b"\n"


def _prepare(db: sqlite3.Connection, *, in_log: bool = True) -> None:
    db.execute(f"PRAGMA page_size = {salvage.PAGE}")
    if in_log:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA wal_autocheckpoint = {_PAGES_IN_LOG}")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA cache_size = {-_CACHE_KB}")
    db.executescript(_SCHEMA)
    if not looking.last_batch(db).number and (edges := db.execute("SELECT * FROM edges").fetchall()):
        # It was written before edges had batches.
        db.execute("BEGIN IMMEDIATE")
        _batch_up(db, edges, Batch(0, FIRST))
        db.execute("COMMIT")


def _has_schema(db: sqlite3.Connection) -> bool:
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    with closing(sqlite3.connect(":memory:")) as pattern:
        pattern.executescript(_SCHEMA)
        wanted = pattern.execute(query).fetchall()
    older = [entry for entry in wanted if entry[2] != "batches"]
    return db.execute(query).fetchall() in (wanted, older)


# --- edges and the hashes of their batches


def _keep_edges(db: sqlite3.Connection, lines: Iterable[Line], before: Batch) -> Batch:
    """Put those of the edges that are not there yet on disk, as a batch that follows `before`; the last one now."""
    insert = "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    fresh = [line for line in lines if db.execute(insert, line).rowcount]
    return _batch_up(db, fresh, before) if fresh else before


def _batch_up(db: sqlite3.Connection, lines: Iterable[Line], before: Batch) -> Batch:
    lines = sorted(tuple(line) for line in lines)
    runs: list[list[Any]] = []
    for source, life, seq, *_ in lines:
        if runs and runs[-1][:2] == [source, life] and runs[-1][3] == seq - 1:
            runs[-1][3] = seq
        else:
            runs.append([source, life, seq, seq])
    batch = Batch(before.number + 1, row_hash(lines, before.hash))
    said = msgspec.json.encode(runs).decode()
    db.execute("INSERT INTO batches VALUES (?, ?, ?)", (batch.number, said, batch.hash))
    return batch


def schema() -> str:
    """What the tables of this version look like."""
    return _SCHEMA


def hold(folder: Path) -> int:
    """Hold `folder` as an open journal does; the answer is the descriptor to close. Raises InUse."""
    return _locked(folder / _LOCK)


def _locked(path: Path) -> int:
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as taken:
        os.close(lock)
        raise InUse(f"Another mafia-table is running with the folder {path.parent}: close it first.") from taken
    return lock


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
    return (*content, previous, row_hash(content, previous))


def read_only(folder: Path, last_games: int | None = None, *, game: str | None = None) -> list[Row]:
    """All rows of the journal in `folder`, or those of its last games or of one game alone, whoever has it open;
    nothing is written and nobody waits.

    Raises sqlite3.Error, or codec.Unreadable for a row of another version.
    """
    asked, bound = f"SELECT {looking.DECISION} FROM decisions", tuple[object, ...]()
    if game is not None:
        asked, bound = asked + " WHERE game = ?", (game,)
    elif last_games is not None:
        asked += " WHERE game IN (SELECT game FROM decisions GROUP BY game ORDER BY MAX(seq) DESC LIMIT ?)"
        bound = (last_games,)
    with closing(_reading(folder)) as journal:
        return [_row(line) for line in journal.execute(asked + " ORDER BY seq", bound)]


def last_rows(folder: Path) -> dict[str, int]:
    """The number of each game's last row, in the order in which the games began. Raises sqlite3.Error."""
    with closing(_reading(folder)) as journal:
        return dict(journal.execute("SELECT game, MAX(seq) FROM decisions GROUP BY game ORDER BY MIN(seq)"))


def _reading(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{(folder / JOURNAL).absolute().as_uri()}?mode=ro", uri=True)


@dataclass(frozen=True, slots=True)
class KeptEdge:
    """An edge of the journal, with the number of the batch that it came to the disk in."""

    row: EdgeRow
    batch: int


def read_game(folder: Path, game: str | None) -> tuple[int, list[Row]]:
    """The rows from the first to the last of `game`, with those of other games between them, and the last batch of
    edges that a row before them carries; of the last game where it is None. Nothing is written, nobody waits.

    Raises sqlite3.Error or codec.Unreadable.
    """
    with closing(_reading(folder)) as journal:
        if game is None:
            (game,) = journal.execute("SELECT game FROM decisions ORDER BY seq DESC LIMIT 1").fetchone() or ("",)
        first, last = journal.execute("SELECT MIN(seq), MAX(seq) FROM decisions WHERE game = ?", (game,)).fetchone()
        if first is None:
            return 0, []
        asked = f"SELECT {looking.DECISION} FROM decisions WHERE seq BETWEEN ? AND ? ORDER BY seq"
        rows = [_row(line) for line in journal.execute(asked, (first, last))]
        return looking.batch_told_before(journal, first).number, rows


def read_edges(folder: Path, since: Mapping[str, int]) -> list[KeptEdge]:
    """The edges of each boot in `since` from that moment on, nanoseconds, as they came to the disk in the journal in
    `folder`; nothing is written, nobody waits.

    Raises sqlite3.Error.
    """
    batch_of: dict[tuple[str, int], list[tuple[int, int, int]]] = {}
    found: list[KeptEdge] = []
    with closing(_reading(folder)) as journal:
        if looking.has_batches(journal):
            for number, runs in journal.execute("SELECT number, edges FROM batches"):
                for source, life, first, last in msgspec.json.decode(runs):
                    batch_of.setdefault((source, life), []).append((first, last, number))
        for boot in sorted(since):
            for line in journal.execute("SELECT * FROM edges WHERE boot = ? AND at >= ?", (boot, since[boot])):
                runs = batch_of.get((line[0], line[1]), ())
                batch = next((number for first, last, number in runs if first <= line[2] <= last), 0)
                found.append(KeptEdge(_edge(line), batch))
    return sorted(found, key=lambda edge: (edge.batch, edge.row.at, edge.row.seq))


def _edge(line: Line) -> EdgeRow:
    source, life, seq, key, down, at, error, boot = line
    return EdgeRow(source, life, seq, key, bool(down), at, error, boot)


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
