"""A second place for everything that the table keeps: a USB stick, another folder. The copy is a journal of its own
that follows the first row by row, in a thread of its own: a stick that hangs or is pulled out holds nobody up.

What was decided while the table's own disk did not write is in the copy all the same.
"""

import asyncio
import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.small_files import sync_folder
from controller.table.book import Row
from controller.table.journal_file import JOURNAL, MARK, EdgeRow, InUse, JournalFile, NewerVersion, NoFile, hold
from controller.table.looking import look_through
from controller.table.salvage import FIRST
from controller.table.state import Damage

LARGEST_BESIDE: Final = 4_000_000
"""Bytes; of the files beside the journal (links, devices, faces) a larger one is none of ours."""
_OWN: Final = frozenset({MARK, "alive", "journal.lock", "simulated-table"})
_NOT_RESTORED: Final = frozenset({"journal.lock", "alive"})
_STICKS: Final = (Path("/media"), Path("/mnt"), Path("/run/media"))
"""Below these only what is mounted is written to: without the stick the folder lies on the table's own card."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CopyState:
    """How a copy does."""

    folder: str
    code: str
    """"ok", "away" (the place is not there), "behind", "failing" or "in_use"; empty: nobody has looked yet."""
    rows: int = 0
    """So many decisions are in it."""
    more: int = 0
    """So many more than the table had decisions when it found the copy: that one was set aside and can be restored."""


class NoCopy(Exception):
    """There is nothing to restore in that folder: no journal, not one decision that can be read, or it is the data
    folder itself."""


class Copy:
    """One copy, in `folder`, of the data folder `source`. All of it is called on the event loop."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.state = CopyState(str(folder), "")
        self.on_change: Callable[[], None] = lambda: None
        """Called on the event loop whenever `state` has changed."""
        self._folder = folder
        self._source = source
        self._file: JournalFile | None = None
        self._thread = ThreadPoolExecutor(1, "copy")
        self._jobs = 0
        self._unseen = False
        """Its first rows have still to be looked through."""
        self._ended = threading.Event()

    def follow(self, row: Row | None, edges: Sequence[EdgeRow]) -> None:
        """`row` and `edges` are the newest of the journal."""
        self._job(lambda: self._write(row, edges))

    def look(self) -> None:
        """See whether the place is there, and bring the copy up to date; nothing if it is at that already."""
        if not self._jobs:
            self._job(self._bring_up)
        if self._unseen:
            self._unseen = False
            looking = asyncio.get_running_loop().run_in_executor(None, look_through, self._folder, self._ended)
            looking.add_done_callback(self._looked_through)

    async def close(self) -> None:
        """Give the copy back once all of it is written; a place that hangs is not waited for longer than a second."""
        self._ended.set()
        self._job(self._let_go)
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await asyncio.get_running_loop().run_in_executor(self._thread, lambda: None)
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _job(self, work: Callable[[], CopyState]) -> None:
        def done(future: asyncio.Future[CopyState]) -> None:
            self._jobs -= 1
            if not future.cancelled() and future.result() != self.state:
                self.state = future.result()
                self.on_change()

        self._jobs += 1
        asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, work).add_done_callback(done)

    def _looked_through(self, looking: "asyncio.Future[Damage | None]") -> None:
        # A place that was pulled out meanwhile is told by whoever writes to it.
        if not looking.cancelled() and looking.exception() is None and looking.result() is not None:
            log.warning("the copy does not fit its hashes and is made anew")
            self._job(self._renew)

    # --- in the copy's thread

    def _guarded(self, work: Callable[[], CopyState]) -> CopyState:
        try:
            return work()
        except InUse:
            return self._is("in_use")
        except (OSError, sqlite3.Error, NewerVersion, NoFile) as wrong:
            self._let_go()
            if self.state.code == "ok":
                log.warning("the copy is not kept any more: %s", wrong)
            return self._is("failing" if is_there(self._folder) else "away")

    def _is(self, code: str) -> CopyState:
        rows = 0 if self._file is None or self._file.last is None else int(self._file.last[0])
        return replace(self.state, code=code, rows=rows or self.state.rows)

    def _write(self, row: Row | None, edges: Sequence[EdgeRow]) -> CopyState:
        file = self._file
        if file is None:
            return self.state
        last = 0 if file.last is None else int(file.last[0])
        if row is not None and row.seq <= last:
            return self._is("ok")  # it was there when the whole was copied
        if row is not None and row.seq > last + 1:
            self._let_go()
            return self._is("behind")
        file.write(row, edges)
        file.settle()
        return self._is("ok")

    def _bring_up(self) -> CopyState:
        if not is_there(self._folder):
            self._let_go()
            return self._is("away")
        if self._file is None:
            self._attach()
        beside(self._source, self._folder)
        return self._is("ok")

    def _attach(self) -> None:
        file = JournalFile(self._folder, whole=False)
        same, more = _compared(self._source, file)
        if same and file.damage is None:
            self._file = file
            self._unseen = file.unseen > 0
            return
        foreign = file.last is not None and more != 0
        file.close()
        if foreign:
            # Another table's journal, or one that knows more than ours: it is nobody's to throw away.
            _aside(self._folder)
            self.state = replace(self.state, more=max(more, 0))
        self._renew()

    def _renew(self) -> CopyState:
        self._let_go()
        whole_copy(self._source, self._folder)
        self._file = JournalFile(self._folder, whole=False)
        return self._is("ok")

    def _let_go(self) -> CopyState:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError, sqlite3.Error):
                file.close()
        return self.state


def is_there(folder: Path) -> bool:
    """Whether `folder` may be written to: below the places for sticks only while something is mounted there."""
    for top in _STICKS:
        if folder.is_relative_to(top):
            return any(
                part != top and part.is_relative_to(top) and part.is_mount() for part in (folder, *folder.parents)
            )
    return True


def _compared(source: Path, file: JournalFile) -> tuple[bool, int]:
    """Whether the copy is the same as the journal in `source`; and how many decisions more it has: 0 where it is an
    earlier state of it, -1 where it is another journal altogether."""
    last = file.last
    with closing(_reading(source)) as own:
        newest = own.execute("SELECT seq, hash FROM decisions ORDER BY seq DESC LIMIT 1").fetchone()
        if last is None or newest is None:
            return last is None and newest is None, 0
        at = own.execute("SELECT hash FROM decisions WHERE seq = ?", (last[0],)).fetchone()
        if at == (last[-1],):
            batch = own.execute("SELECT hash FROM batches ORDER BY number DESC LIMIT 1").fetchone()
            return newest[0] == last[0] and file.edges_hash == (batch[0] if batch else FIRST), 0
        # Up to where both are one journal: beyond it the copy may have what was never on the table's own disk.
        ours = dict(own.execute("SELECT seq, hash FROM decisions").fetchall())
    with closing(_reading(file.folder)) as copy:
        theirs = copy.execute("SELECT seq, hash FROM decisions ORDER BY seq DESC").fetchall()
    common = next((int(seq) for seq, hashed in theirs if ours.get(seq) == hashed), 0)
    return False, int(last[0]) - common if common else -1


def _reading(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{(folder / JOURNAL).absolute().as_uri()}?mode=ro", uri=True)


def whole_copy(source: Path, folder: Path) -> None:
    """Copy the journal of `source` into `folder` as it is at this moment, whoever writes to it, in place of the one
    that is there. Raises sqlite3.Error or OSError; then the one that was there is untouched."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / (JOURNAL + ".new")
    for name in _parts(fresh.name):
        (folder / name).unlink(missing_ok=True)
    with closing(_reading(source)) as own, closing(sqlite3.connect(fresh)) as copy:
        own.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    with fresh.open("rb") as written:
        os.fsync(written.fileno())
    for name in (*_parts(JOURNAL)[1:], MARK):
        (folder / name).unlink(missing_ok=True)
    fresh.replace(folder / JOURNAL)
    sync_folder(folder)


def beside(source: Path, folder: Path) -> None:
    """Copy the files beside the journal that have changed: links, devices, faces. Raises OSError."""
    for path in _files_beside(source):
        there, stat = folder / path.relative_to(source), path.stat()
        if there.exists() and (there.stat().st_size, int(there.stat().st_mtime)) == (stat.st_size, int(stat.st_mtime)):
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        fresh = there.with_name(there.name + ".new")
        shutil.copy2(path, fresh)
        fresh.replace(there)


def _files_beside(source: Path) -> Iterator[Path]:
    for path in sorted(source.rglob("*")):
        top = path.relative_to(source).parts[0]
        ours = top not in _OWN and not top.startswith(("journal", "before-", "log", "copy", "sound"))
        if ours and path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_BESIDE:
            yield path


# --- back again


@dataclass(frozen=True, slots=True)
class Restored:
    """What came out of a copy."""

    rows: int
    wall: str
    """When the last of them was decided, as the wall clock said; empty: there is none."""
    damage: Damage | None
    aside: str | None
    """Where what was in the data folder has gone."""


def restore(copy: Path, data: Path) -> Restored:
    """Put what is in `copy` into the data folder `data`; what was there is kept in a folder beside it.

    Raises NoCopy, InUse while a table runs with `data`, NewerVersion, sqlite3.Error or OSError; then `data` is as it
    was.
    """
    if not (copy / JOURNAL).is_file() or copy.resolve() == data.resolve():
        raise NoCopy(str(copy))
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    coming = data / "copy-coming"
    shutil.rmtree(coming, ignore_errors=True)
    coming.mkdir()
    try:
        for name in (*_parts(JOURNAL), MARK):
            if name != JOURNAL + "-shm" and (copy / name).exists():
                shutil.copy2(copy / name, coming / name)
        # It is opened as any journal is: its chain is looked through, and what is whole is kept.
        file = JournalFile(coming)
        last, rows, damage = file.last, len(file.ids), file.damage
        file.close()
        if not rows:
            raise NoCopy(str(copy))
        beside(copy, coming)
        # Nobody else has the folder while its files change places.
        held = hold(data)
        try:
            aside = _aside(data)
            for path in sorted(coming.iterdir()):
                if path.name in _NOT_RESTORED:
                    continue
                if (data / path.name).is_dir():
                    _merge(path, data / path.name)
                else:
                    path.replace(data / path.name)
            sync_folder(data)
        finally:
            os.close(held)
    finally:
        shutil.rmtree(coming, ignore_errors=True)
    return Restored(rows, "" if last is None else str(last[8]), damage, aside)


def _merge(folder: Path, into: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            there = into / path.relative_to(folder)
            there.parent.mkdir(parents=True, exist_ok=True)
            path.replace(there)


def _aside(folder: Path) -> str | None:
    """Move the journal and the files beside it into a folder of their own. Return its name; None: there was nothing."""
    names = [name for name in (*_parts(JOURNAL), MARK, "alive") if (folder / name).exists()]
    names += [path.name for path in folder.iterdir() if path.is_file() and path.suffix in (".json", ".toml")]
    if JOURNAL not in names:
        return None
    aside = next(name for number in range(1, 10_000) if not (folder / (name := f"before-{number}")).exists())
    (folder / aside).mkdir()
    for name in names:
        (folder / name).replace(folder / aside / name)
    sync_folder(folder)
    return aside


def _parts(name: str) -> tuple[str, str, str]:
    return name, name + "-wal", name + "-shm"
