"""The journal off the event loop: one thread writes, and says within one command when the disk is slow or failing."""

import asyncio
import errno
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from controller.table.book import Book, Row
from controller.table.clock import MILLISECOND, SECOND, Clock
from controller.table.hands import KEPT_NS
from controller.table.journal_file import EdgeRow, JournalFile
from controller.table.state import Damage, Disk

SLOW_NS: Final = 500 * MILLISECOND
DEAD_NS: Final = 5 * SECOND
"""A write that has not come back by now is as good as failed, and the judge must know."""


T = TypeVar("T")


class NotWritten(Exception):
    """The disk did not take it; nothing of it was written."""


def is_full(wrong: BaseException | None) -> bool:
    """Whether there was no room on the disk."""
    while wrong is not None:
        if isinstance(wrong, sqlite3.Error) and getattr(wrong, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return True
        if isinstance(wrong, OSError) and wrong.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        wrong = wrong.__cause__
    return False


class Journal:
    """One writer's journal; `Journal.open` makes it."""

    def __init__(self, file: JournalFile, thread: ThreadPoolExecutor, clock: Clock) -> None:
        self._file = file
        self._thread = thread
        self._clock = clock
        self.on_disk: Callable[[], None] = lambda: None
        """Called on the event loop whenever the disk's health changes."""
        self.disk = Disk.OK

    @classmethod
    async def open(cls, folder: Path, clock: Clock) -> "Journal":
        """Open the journal in `folder`. Raises InUse, NewerVersion, NoFile, sqlite3.Error or OSError."""
        thread = ThreadPoolExecutor(1, "journal")
        try:
            file = await asyncio.get_running_loop().run_in_executor(thread, JournalFile, folder)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(file, thread, clock)

    @property
    def damage(self) -> Damage | None:
        """What was wrong with the file when it was opened."""
        return self._file.damage

    @property
    def ids(self) -> dict[str, int]:
        """Every command's id, with the number of its row."""
        return self._file.ids

    async def close(self) -> None:
        """Give the file back when all that was begun is written."""
        await self._do(self._file.close)
        self._thread.shutdown(wait=False)

    async def commit(self, row: Row | None, edges: Sequence[EdgeRow] = ()) -> None:
        """Return once `row` and `edges` are on disk. Raises NotWritten if they are not."""
        began = self._clock.now()
        alarms = [
            self._clock.wake_at(began + SLOW_NS, lambda: self._is(Disk.SLOW)),
            self._clock.wake_at(began + DEAD_NS, lambda: self._is(Disk.FAILING)),
        ]
        try:
            await self._do(lambda: self._file.write(row, edges))
        except (sqlite3.Error, OSError) as wrong:
            self._is(Disk.FAILING)
            raise NotWritten(str(wrong)) from wrong
        finally:
            for cancel in alarms:
                cancel()
        if row is not None:
            self._thread.submit(self._file.settle)
        self._is(Disk.SLOW if self._clock.now() - began > SLOW_NS else Disk.OK)

    async def rows(self, game: str) -> list[Row]:
        """Return the rows of `game`."""
        return await self._do(lambda: self._file.rows(game))

    async def last_game(self) -> str | None:
        """Return the game of the last row; None if the journal is empty."""
        return await self._do(lambda: None if self._file.last is None else str(self._file.last[1]))

    async def edges_for(self, book: Book) -> list[EdgeRow]:
        """Return the edges that windows of `book` may be made of, by time: this boot's latest, and those around a
        window that an earlier boot has left open."""
        boot, now = self._clock.boot, self._clock.now()
        found: list[EdgeRow] = []
        times = book.open_times()
        if times is not None and times.boot != boot:
            since = times.since - KEPT_NS
            found += await self._do(lambda: self._file.edges(times.boot, since))
        return found + await self._do(lambda: self._file.edges(boot, now - KEPT_NS))

    async def last_edges(self) -> dict[tuple[str, int], int]:
        """Return the last committed edge of each device's life: (source, device boot) -> seq."""
        return await self._do(self._file.last_edges)

    async def alive(self) -> tuple[str, int] | None:
        """Return when the service was last seen alive: boot and nanoseconds."""
        return await self._do(self._file.alive)

    async def note_alive(self) -> None:
        """Note that it lives now."""
        boot, now = self._clock.boot, self._clock.now()
        await self._do(lambda: self._file.note_alive(boot, now))

    def _is(self, disk: Disk) -> None:
        if disk is not self.disk:
            self.disk = disk
            self.on_disk()

    async def _do(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
