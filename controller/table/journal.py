"""The journal off the event loop: one thread writes, and says within one command when the disk is slow or failing.

Where two seconds have passed without a commit, the judge may go on unsaved: what is decided then waits here in its
order, is tried again every second, and is on disk as soon as the disk takes it.
"""

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from controller.small_files import no_room
from controller.table.book import Book, Row
from controller.table.clock import MILLISECOND, SECOND, Clock
from controller.table.hands import KEPT_NS
from controller.table.journal_file import EdgeRow, JournalFile
from controller.table.looking import Stopped, look_through
from controller.table.state import Damage, Disk

SLOW_NS: Final = 500 * MILLISECOND
DEAD_NS: Final = 2 * SECOND
"""A write that has not come back by now is as good as failed; the judge must know, and may go on without it."""

log = logging.getLogger(__name__)

T = TypeVar("T")


class NotWritten(Exception):
    """The disk did not take it; nothing of it was written."""


def is_full(wrong: BaseException | None) -> bool:
    """Whether there was no room on the disk."""
    while wrong is not None:
        if isinstance(wrong, sqlite3.Error) and getattr(wrong, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return True
        if no_room(wrong):
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
        self.on_row: Callable[[Row | None, Sequence[EdgeRow]], None] = lambda _row, _edges: None
        """Told on the event loop of every row and all edges, once they are on disk or kept unsaved."""
        self.disk = Disk.OK
        self.may_go_on = False
        """Two seconds have passed without a commit: the judge is asked whether to go on unsaved."""
        self.going_on = False
        """The judge goes on unsaved."""
        self.unsaved: deque[Row] = deque()
        """What was decided and is not on disk, in its order."""
        self.commits = 0
        self.failures = 0
        self.slowest_ns = 0
        """Of the commits, the one that took longest."""
        self._at_work = 0
        self._failing_since: int | None = None
        self._go_on: asyncio.Future[None] | None = None
        self._found: Damage | None = None
        self._held_up: asyncio.Future[None] | None = None
        """A write that has not come back, whose row is the first of `unsaved`."""

    @classmethod
    async def open(cls, folder: Path, clock: Clock) -> "Journal":
        """Open the journal in `folder`. Raises InUse, NewerVersion, NoFile, sqlite3.Error or OSError."""
        thread = ThreadPoolExecutor(1, "journal")
        try:
            file = await asyncio.get_running_loop().run_in_executor(thread, lambda: JournalFile(folder, whole=False))
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(file, thread, clock)

    @property
    def damage(self) -> Damage | None:
        """What was wrong with the file when it was opened, or has been found since by `look_through`."""
        return self._file.damage or self._found

    @property
    def ids(self) -> dict[str, int]:
        """Every command's id, with the number of its row."""
        return self._file.ids

    async def close(self, *, used: bool = True) -> None:
        """Give the file back when all that was begun is written. One that was made now and not `used` leaves nothing
        behind."""
        await self._do(self._file.close if used else self._file.undo)
        self._thread.shutdown(wait=False)

    async def commit(self, row: Row | None, edges: Sequence[EdgeRow] = ()) -> bool:
        """Return True once `row` and `edges` are on disk, False where the judge goes on without that: then `row` waits
        in `unsaved` and the edges are not kept. Raises NotWritten if nothing of it was written nor will be."""
        if self.going_on:
            if row is None:
                raise NotWritten("what was decided goes before")
            self._keep(row)
            return False
        writing = asyncio.ensure_future(self._write(row, edges))
        if row is None:
            await writing
            self.on_row(None, edges)
            return True
        self._go_on = asyncio.get_running_loop().create_future()
        await asyncio.wait({writing, self._go_on}, return_when=asyncio.FIRST_COMPLETED)
        self._go_on = None
        if writing.done():
            writing.result()
            self.on_row(row, edges)
            return True
        # The disk has it and does not answer: what comes of it is seen to when it does.
        self._keep(row, edges)
        self._held_up = writing
        writing.add_done_callback(self._answered)
        return False

    async def _write(self, row: Row | None, edges: Sequence[EdgeRow]) -> None:
        await self._try(lambda: self._file.write(row, edges))
        if row is not None:
            self._thread.submit(self._file.settle)

    async def _try(self, work: Callable[[], None]) -> None:
        """Do `work` on the disk and note how that does. Raises NotWritten."""
        began = self._clock.now()
        alarms = [
            self._clock.wake_at(began + SLOW_NS, lambda: self._is(Disk.SLOW)),
            self._clock.wake_at(began + DEAD_NS, self._is_dead),
        ]
        self._at_work += 1
        try:
            await self._do(work)
        except (sqlite3.Error, OSError) as wrong:
            self.failures += 1
            if self._failing_since is None:
                self._failing_since = began
                self._clock.wake_at(began + DEAD_NS, self._is_still_failing)
            self._is(Disk.FAILING)
            raise NotWritten(str(wrong)) from wrong
        finally:
            self._at_work -= 1
            for cancel in alarms:
                cancel()
        took = self._clock.now() - began
        self.commits += 1
        self.slowest_ns = max(self.slowest_ns, took)
        self._failing_since = None
        self.may_go_on = False
        self._is(Disk.SLOW if took > SLOW_NS else Disk.OK)

    # --- without the disk

    def go_on(self) -> bool:
        """The judge goes on unsaved, where the disk has not taken anything for two seconds. Return whether he may."""
        if self.may_go_on and not self.going_on:
            self.going_on = True
            if self._go_on is not None and not self._go_on.done():
                self._go_on.set_result(None)
            self.on_disk()
        return self.going_on

    async def catch_up(self) -> None:
        """Try to put what is unsaved on disk, in its order; what fails waits for the next time."""
        if self._at_work:
            return  # what comes of that says enough
        try:
            while self.unsaved:
                await self._write(self.unsaved[0], ())
                self.unsaved.popleft()
            await self._try(self._file.probe)
        except NotWritten:
            return
        if self.disk is Disk.OK and not self.unsaved:
            self.going_on = False
        self.on_disk()

    @property
    def hangs(self) -> bool:
        """Whether a write has not come back: nothing can be read now."""
        return self._held_up is not None

    def _keep(self, row: Row, edges: Sequence[EdgeRow] = ()) -> None:
        self.unsaved.append(row)
        self._file.ids[row.id] = row.seq
        self.on_row(row, edges)

    def _answered(self, writing: "asyncio.Future[None]") -> None:
        self._held_up = None
        if not writing.cancelled() and writing.exception() is None:
            self.unsaved.popleft()
        self.on_disk()

    def _is_dead(self) -> None:
        self.may_go_on = True
        self._is(Disk.FAILING)
        self.on_disk()

    def _is_still_failing(self) -> None:
        if self._failing_since is not None and not self.may_go_on:
            self.may_go_on = True
            self.on_disk()

    async def look_through(self) -> None:
        """Look through the rows that the start has left, beside all else. What is wrong with them is told, and costs
        the present game nothing."""
        if not self._file.unseen:
            return
        stop = threading.Event()
        try:
            self._found = await asyncio.to_thread(look_through, self._file.folder, stop)
        except Stopped:
            return
        except (sqlite3.Error, OSError) as wrong:
            log.warning("the journal could not be looked through: %s", wrong)
        finally:
            stop.set()
        if self._found is not None:
            log.warning("the journal is %s from row %d on", self._found.kind, self._found.row)
            if self._found.kind == "broken":
                with suppress(OSError):  # a disk that does not take that is told by itself
                    self._file.is_broken()
            self.on_disk()

    # --- reading

    async def rows(self, game: str) -> list[Row]:
        """Return the rows of `game`, those too that are unsaved."""
        return await self._do(lambda: self._file.rows(game)) + [row for row in self.unsaved if row.game == game]

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
