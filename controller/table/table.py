"""The single writer. Every decision becomes a wish in one queue, and nothing else touches the state; edges are
gathered beside it. A fault in here is logged and refused: it never ends the writer and never half-changes the state."""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from controller.game.commands import OpenWindow
from controller.game.phases import Dealing, Over
from controller.game.refusal import Refusal
from controller.game.rules import Rules
from controller.game.rulesets import RULESETS
from controller.table import events as ev
from controller.table.board import ARMED_NS, TOO_LATE_NS, Board, NightSound
from controller.table.book import Book, Row, fold
from controller.table.clock import MILLISECOND, SECOND, Cancel, Clock
from controller.table.deciding import NothingToDo, Present, Ruling, rule
from controller.table.journal import Journal, NotWritten
from controller.table.journal_file import EdgeRow
from controller.table.opening import begin_or_go_on
from controller.table.selftest import SelfTest
from controller.table.sensors import Edge, HeardUntil, LinkStatus, Sensors
from controller.table.showing import Show
from controller.table.stale import is_stale
from controller.table.state import Cause, Disk, DiskFigures, Snapshot, Unsaved, What
from controller.table.wishes import Accepted, CountWindow, Header, NewGame, SetTimer, Undo, Wish
from hardware.signal import HAND_KEYS, MOST_SEATS, seat_of

log = logging.getLogger(__name__)

Answer: TypeAlias = Accepted | Refusal
Acknowledge: TypeAlias = Callable[[str, int, int], None]
"""Told (source, device boot, seq): every edge up to `seq` is on disk."""
Walking: TypeAlias = Literal["start", "skip", "seen", "again", "stop"]
Listener: TypeAlias = Callable[[Snapshot, Cause], None]

REVISIONS_KEPT: Final = 512
ANSWERS_KEPT: Final = 1024
LOOK_EVERY_NS: Final = 10 * MILLISECOND
AGAIN_NS: Final = 1 * SECOND
ALIVE_EVERY_NS: Final = 1 * SECOND
_MAY_BE_TRIED_AGAIN: Final = frozenset({"disk_failing", "fault", "closing"})


class Table:
    """The one live table; `Table.open` makes it."""

    def __init__(
        self,
        journal: Journal,
        book: Book,
        sensors: Sensors,
        clock: Clock,
        rulesets: Mapping[str, Rules],
        acknowledge: Acknowledge,
    ) -> None:
        self._journal = journal
        self._book = book
        self._sensors = sensors
        self._clock = clock
        self._rulesets = rulesets
        self._acknowledge = acknowledge
        self._board = Board()
        self._selftest: SelfTest | None = None
        self._wired: dict[str, tuple[str, ...]] = {}
        """The contacts of each link, in the order in which they are walked."""
        self._show = Show(sensors, clock, lambda: journal.damage)
        self._books: dict[int, Book] = {book.revision: book}
        self._answered: dict[str, Answer] = {}
        """Answers by the id of what was wished, of wishes that the journal does not hold."""
        """Wishes that were for what was so already: they have no row, and sent again they have the same answer."""
        self._listeners: list[Listener] = []
        self._queue: asyncio.Queue[tuple[Wish, asyncio.Future[Answer] | None] | None] = asyncio.Queue()
        self._live: int | None = None
        """The opening of the window that counts itself; one that a restart or an undo brought back does not."""
        self._counting = False
        self._look_later: Cancel = _nothing
        self._expiry: Cancel = _nothing
        self._pulse: Cancel = _nothing
        self._flushing = False
        self._trying_disk = False
        self._firm: tuple[str, int] | None = None
        """While something is unsaved: the game, and how many of its decisions are on disk for good."""
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self.snapshot = self._picture()
        """What there is to see now."""
        self._shown = deque([(clock.now(), self.snapshot)])
        """What the last seconds have shown, each since when: a key means what it meant when it was pressed."""
        self._writer = asyncio.create_task(self._write(), name="table: the writer")
        journal.on_disk = self._disk_changed
        self._beat()

    @classmethod
    async def open(
        cls,
        folder: Path,
        clock: Clock,
        *,
        heard_until: HeardUntil = lambda _: None,
        acknowledge: Acknowledge = lambda _source, _boot, _seq: None,
        rulesets: Mapping[str, Rules] = RULESETS,
        header: Header | None = None,
        names: tuple[str, ...] = (),
    ) -> "Table":
        """Open the table whose journal is in `folder`, where it was left; `header` and `names` are a new one's.

        Raises InUse or NewerVersion with a sentence, NoFile, NotWritten, sqlite3.Error or OSError if the disk does not
        do, and what `begin_or_go_on` raises.
        """
        journal = await Journal.open(folder, clock)
        try:
            book = await begin_or_go_on(journal, clock, rulesets, header or Header(), names)
            sensors = Sensors(clock.boot, heard_until, await journal.last_edges())
            sensors.recall(await journal.edges_for(book))
        except BaseException:
            await journal.close(used=False)
            raise
        return cls(journal, book, sensors, clock, rulesets, acknowledge)

    async def close(self) -> None:
        """Finish what is in the queue, write the last edges, give the journal back. Twice is once."""
        if self._closed:
            return
        self._closed = True
        for cancel in (self._look_later, self._expiry, self._pulse):
            cancel()
        await self.idle()
        self._queue.put_nowait(None)
        await self._writer
        await self._journal.catch_up()
        await self._flush()
        if self._journal.unsaved:
            log.error("%d decisions could not be put on disk", len(self._journal.unsaved))
        await self._journal.close()

    async def idle(self) -> None:
        """Wait until every wish that came in has its answer and every edge has been tried on the disk."""
        await self._queue.join()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._queue.join()

    # --- what comes in

    async def submit(self, wish: Wish) -> Answer:
        """Take `wish`; the answer comes when it is on disk, or was refused. The same id twice is one command."""
        if self._closed:
            return Refusal("closing")
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((wish, future))
        return await future

    def edge(self, edge: Edge) -> None:
        """Take one edge of a hand or of the board: shown at once, on disk soon, acknowledged after that."""
        if self._closed:
            return
        if not self._sensors.take(edge):
            # It is sent again because the last acknowledgement was lost with the link, or with the service.
            self._acknowledged(edge.signal.source, edge.boot, self._sensors.on_disk(edge))
            return
        self._flush_soon()
        signal = edge.signal
        walking = self._selftest is not None and not self._selftest.is_over
        if self._selftest is not None:
            self._selftest.edge(signal.key, signal.at, down=signal.down)
        if seat_of(signal.key) is None and not walking:
            self._press(edge)
        else:
            self._publish(Cause(What.HANDS))

    def link_status(
        self,
        name: str,
        status: LinkStatus,
        seats: Iterable[int] = range(1, MOST_SEATS + 1),
        keys: Iterable[str] | None = None,
    ) -> None:
        """The link `name`, which serves `seats`, says this of itself. `keys` are its contacts; None: hands alone."""
        seats = tuple(seats)
        self._wired[name] = tuple(HAND_KEYS[seat - 1] for seat in seats) if keys is None else tuple(keys)
        board = any(seat_of(key) is None for key in self._wired[name])
        self._sensors.link(name, status, seats, self._clock.now(), board=board)
        if self._sensors.pending():
            self._flush_soon()
        if status.device is not None:
            self._board.device(status.device.id, status.device.boot, up=status.up)
        self._tell_selftest()
        self._publish(Cause(What.STATUS))

    def selftest(self, act: Walking, step: int = 0) -> Answer:
        """The walk around the table: no decision, only between games, and the board's keys mean nothing during it.

        "skip" says that nothing came of step `step`; "seen" that every lamp is lit; "again" asks anew for what did
        not pass; "start" begins, unless one is under way. The answer is a Refusal while a game is on.
        """
        if not isinstance(self._book.state.phase, Dealing | Over):
            return Refusal("game_not_over")
        if act == "stop":
            self._selftest = None
        elif act == "start" and (self._selftest is None or self._selftest.is_over):
            seats = len(self._book.state.seats)
            keys = dict.fromkeys(key for own in self._wired.values() for key in own)
            if not keys:
                return Refusal("no_sensors")
            self._selftest = SelfTest(key for key in keys if (seat_of(key) or 0) <= seats)
            self._tell_selftest()
        elif self._selftest is not None:
            match act:
                case "skip":
                    self._selftest.skip(step)
                case "seen":
                    self._selftest.seen()
                case "again":
                    self._selftest.again()
                case "start":
                    pass
        self._publish(Cause(What.STATUS))
        return Accepted(self._book.revision)

    def go_on_unsaved(self) -> Answer:
        """The judge goes on although the disk has taken nothing for two seconds; what is decided is put on disk when
        it does again. The answer is a Refusal while the disk is not that bad."""
        if not self._journal.go_on():
            return Refusal("disk_writes")
        log.warning("the judge goes on unsaved", extra={"game": self._book.game})
        return Accepted(self._book.revision)

    async def awake(self) -> None:
        """The machine was asleep, and nobody knows what the hall did: as after a crash, a clock that ran stands still
        with what was left, and an open window is undecided."""
        self._live = None
        self._look()
        timer = self._book.timer
        if timer is not None and timer.running:
            await self.submit(Wish(id=f"awake {uuid.uuid4().hex}", command=SetTimer(running=False), origin="table"))
        self._publish(Cause(What.STATUS))

    async def look_through(self) -> None:
        """Look through those of the journal's rows that the start has left. It takes its time beside the game."""
        await self._journal.look_through()

    def _tell_selftest(self) -> None:
        if self._selftest is not None:
            links = self._sensors.links
            stuck = {key: why for link in links for key, why in link.stuck.items()}
            silent = {key for link in links if not link.up for key in self._wired[link.name]}
            self._selftest.link(stuck, silent)

    def follow(self, listener: Callable[[Row | None, Sequence[EdgeRow]], None]) -> None:
        """Call `listener` on the event loop with every row and all edges that were taken, in their order."""
        self._journal.on_row = listener

    @property
    def disk_figures(self) -> DiskFigures:
        """How the disk has done since the start."""
        return DiskFigures(self._journal.commits, self._journal.failures, self._journal.slowest_ns)

    def subscribe(self, listener: Listener) -> Cancel:
        """Call `listener` on the event loop with every new snapshot and why there is one; the answer ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    # --- the writer

    async def _write(self) -> None:
        while (taken := await self._queue.get()) is not None:
            wish, future = taken
            try:
                answer = await self._take(wish)
            except Exception:
                # Its kind alone: what it says may be a card or a shot, and a log is read by many.
                log.exception("a fault while taking %s", type(wish.command).__name__, extra={"command": wish.id})
                answer = Refusal("fault")
            if future is None:
                if isinstance(answer, Refusal):
                    self._publish(Cause(What.REFUSED, wish.command, origin=wish.origin, refusal=answer, id=wish.id))
            elif not future.done():
                future.set_result(answer)
            self._queue.task_done()

    async def _take(self, wish: Wish) -> Answer:
        if (seq := self._journal.ids.get(wish.id)) is not None:
            return Accepted(seq, repeated=True)
        if (known := self._answered.get(wish.id)) is not None:
            return known if isinstance(known, Refusal) else replace(known, repeated=True)
        answer = await self._decide(wish)
        if isinstance(answer, Refusal):
            stays = answer.code not in _MAY_BE_TRIED_AGAIN
        else:
            stays = wish.id not in self._journal.ids
        if stays:
            self._answered[wish.id] = answer
            if len(self._answered) > ANSWERS_KEPT:
                del self._answered[next(iter(self._answered))]
        return answer

    async def _decide(self, wish: Wish) -> Answer:
        book = self._book
        if wish.revision is not None:
            seen = self._books.get(wish.revision)
            since = (self._books[number] for number in range(wish.revision + 1, book.revision + 1))
            if seen is None or is_stale(seen, since, wish.command):
                return Refusal("stale", {"revision": wish.revision, "now": book.revision})
        game, ground, ruled = await self._rule(wish)
        if isinstance(ruled, Refusal):
            return ruled
        if isinstance(ruled, NothingToDo):
            return Accepted(book.revision)
        late = (ev.Unsaved(),) if self._journal.going_on else ()
        row = Row(
            seq=book.revision + 1,
            game=game,
            id=wish.id,
            origin=wish.origin,
            command=ruled.command,
            events=ruled.events,
            table=(*ruled.table, *late),
            wall=self._clock.wall(),
            boot=self._clock.boot,
            at=self._clock.now(),
        )
        after = fold(ground, row, self._rulesets)
        edges = self._sensors.pending()
        try:
            saved = await self._journal.commit(row, edges)
        except NotWritten:
            return Refusal("disk_failing")
        if saved:
            self._written(edges)
        else:
            before = self._firm if self._firm is not None and self._firm[0] == game else (game, after.history.length)
            ground_length = 0 if ground is None else ground.history.length
            self._firm = (game, min(before[1], ground_length, after.history.length))
        self._became(after, row)
        return Accepted(after.revision)

    async def _rule(self, wish: Wish) -> tuple[str, Book | None, Ruling | NothingToDo | Refusal]:
        """What `wish` comes to, in which game, upon which book."""
        book = self._book
        if isinstance(wish.command, Undo) and book.history.last is None and book.previous is not None:
            if self._journal.hangs:
                return book.game, book, Refusal("disk_failing")
            before = await self._game(book.previous)
            return before.game, before, Ruling(wish.command, table=(ev.GameReopened(),))
        ballot, now = book.state.ballot, self._clock.now()
        times = book.open_times()
        flagged = (
            ballot is not None and times is not None and self._sensors.flagged(ballot.voters, times.since, times.closes)
        )
        present = Present(now, self._clock.boot, self._sensors.touches, self._sensors.doubted, flagged, self._rulesets)
        ruled = rule(book, wish, present)
        if isinstance(wish.command, NewGame) and isinstance(ruled, Ruling):
            game = uuid.uuid4().hex
            header = replace(book.header, game=book.header.game + 1)
            began = ev.GameBegan(game, book.game, len(book.state.seats), header, book.names)
            return game, None, Ruling(wish.command, table=(began,))
        return book.game, book, ruled

    async def _game(self, game: str) -> Book:
        book: Book | None = None
        for row in await self._journal.rows(game):
            book = fold(book, row, self._rulesets)
        assert book is not None
        return book

    def _became(self, after: Book, row: Row) -> None:
        """`row` is on disk: the table is `after` now."""
        self._book = after
        if not isinstance(after.state.phase, Dealing | Over):
            self._selftest = None
        self._books[after.revision] = after
        self._books.pop(after.revision - REVISIONS_KEPT, None)
        ballot = after.state.ballot
        opened = None if ballot is None else ballot.opened
        if isinstance(row.command, OpenWindow):
            self._live, self._counting = opened, False
        elif opened != self._live:
            self._live = None
        self._publish(Cause(What.DECISION, row.command, row.events, row.origin, id=row.id))
        self._look()
        self._watch_timer()

    # --- what falls due

    def _look(self) -> None:
        """Sees to the open window: it closes at its time, and is counted when every seat was heard up to that."""
        self._look_later()
        self._look_later = _nothing
        ballot, times = self._book.state.ballot, self._book.open_times()
        if self._live is None or ballot is None or times is None or self._closed:
            return
        now = self._clock.now()
        if now < times.closes:
            self._look_later = self._clock.wake_at(times.closes, self._look)
            return
        if self._picture().window != self.snapshot.window:
            self._publish(Cause(What.WINDOW))
        heard = self._sensors.are_there(ballot.voters, times.opened)
        unknown = self._sensors.unknown(ballot.voters, times.since, times.opened, times.closes)
        if not heard or unknown or self._sensors.waiting_for(ballot.voters, times.closes):
            self._look_later = self._clock.wake_at(now + LOOK_EVERY_NS, self._look)
        elif not self._counting:
            self._counting = True
            self._run(self._count(times.opened))

    async def _count(self, opened: int) -> None:
        name = f"count {self._book.game} {self._book.revision} {opened}"
        answer = await self.submit(Wish(id=name, command=CountWindow(opened), origin="timer"))
        if isinstance(answer, Refusal) and not self._closed:
            # The disk is failing, or the judge was quicker; look again.
            self._counting = False
            self._look_later()
            self._look_later = self._clock.wake_at(self._clock.now() + AGAIN_NS, self._look)

    def _watch_timer(self) -> None:
        self._expiry()
        self._expiry = _nothing
        timer = self._book.timer
        if timer is not None and timer.deadline is not None and timer.deadline > self._clock.now():
            self._expiry = self._clock.wake_at(timer.deadline, lambda: self._publish(Cause(What.TIMER)))

    def _beat(self) -> None:
        """Notes that the service lives: after a crash a timer comes back with what was left at the last beat."""
        self._pulse = self._clock.wake_at(self._clock.now() + ALIVE_EVERY_NS, self._beat)
        self._run(self._journal.note_alive())

    # --- a disk that fails

    def _disk_changed(self) -> None:
        self._publish(Cause(What.STATUS))
        bad = self._journal.disk is Disk.FAILING or self._journal.going_on
        if bad and not self._trying_disk and not self._closed:
            self._trying_disk = True
            self._clock.wake_at(self._clock.now() + AGAIN_NS, self._try_disk)

    def _try_disk(self) -> None:
        self._trying_disk = False
        if not self._closed:
            self._run(self._catch_up())

    async def _catch_up(self) -> None:
        await self._journal.catch_up()
        self._disk_changed()

    def _unsaved(self) -> Unsaved:
        journal = self._journal
        if not journal.unsaved:
            self._firm = None
        since = self._firm[1] + 1 if self._firm is not None and self._firm[0] == self._book.game else None
        offered = journal.may_go_on and not journal.going_on
        return Unsaved(offered, journal.going_on, len(journal.unsaved), since)

    # --- edges to disk, presses to wishes

    def _flush_soon(self) -> None:
        if not self._flushing and not self._closed:
            self._flushing = True
            self._run(self._flush())

    async def _flush(self) -> None:
        try:
            while edges := self._sensors.pending():
                await self._journal.commit(None, edges)
                self._written(edges)
        except NotWritten:
            if not self._closed:
                self._clock.wake_at(self._clock.now() + AGAIN_NS, self._flush_soon)
        finally:
            self._flushing = False

    def _written(self, edges: Sequence[EdgeRow]) -> None:
        for (source, boot), seq in self._sensors.committed(edges).items():
            self._acknowledged(source, boot, seq)

    def _acknowledged(self, source: str, boot: int, seq: int) -> None:
        try:
            self._acknowledge(source, boot, seq)
        except Exception:
            log.exception("edges of %s could not be acknowledged", source)

    def _press(self, edge: Edge) -> None:
        signal = edge.signal
        if signal.down and self._clock.now() - signal.at > TOO_LATE_NS:
            self._publish(Cause(What.REFUSED, refusal=Refusal("press_too_late", {"key": signal.key}), origin="board"))
            return
        shown = self._shown_at(signal.at)
        pressed = self._board.key(
            signal.key,
            down=signal.down,
            at=signal.at,
            snapshot=shown,
            source=signal.source,
            life=edge.boot,
        )
        match pressed:
            case None:
                self._publish(Cause(What.STATUS))
                if self._board.armed_key(self._clock.now()) is not None:
                    self._clock.wake_at(self._clock.now() + ARMED_NS + 1, lambda: self._publish(Cause(What.STATUS)))
            case Refusal():
                self._publish(Cause(What.REFUSED, refusal=pressed, origin="board"))
            case NightSound(down):
                self._publish(Cause(What.NIGHT_SOUND, origin="board", down=down, at=signal.at))
            case _:
                name = f"{signal.source} {edge.boot} {edge.seq}"
                # What the press meant was read from the lamps of its moment: if that has changed since, it is not done.
                wish = Wish(id=name, command=pressed, origin="board", revision=shown.revision, at=signal.at)
                self._queue.put_nowait((wish, None))

    # --- what goes out

    def _picture(self) -> Snapshot:
        armed = self._board.armed_key(self._clock.now())
        disk, selftest = self._journal.disk, self._selftest
        return self._show.snapshot(
            self._book, live=self._live, disk=disk, armed=armed, selftest=selftest, unsaved=self._unsaved()
        )

    def _shown_at(self, at: int) -> Snapshot:
        """What there was to see at `at`, not more than `TOO_LATE_NS` ago."""
        return next((shown for since, shown in reversed(self._shown) if since <= at), self._shown[0][1])

    def _show_now(self) -> None:
        self.snapshot = shown = self._picture()
        last, now = self._shown[-1][1], self._clock.now()
        # Hands mean nothing to the board; what does is a decision, or how far the window has come.
        if (shown.revision, shown.step) != (last.revision, last.step):
            self._shown.append((now, shown))
        while len(self._shown) > 1 and self._shown[1][0] < now - TOO_LATE_NS:
            self._shown.popleft()

    def _publish(self, cause: Cause) -> None:
        self._show_now()
        for listener in tuple(self._listeners):
            try:
                listener(self.snapshot, cause)
            except Exception:
                log.exception("a listener failed on %s", cause.what)

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("a task of the table failed", exc_info=fault)


def _nothing() -> None:
    """No wake-up is pending."""
