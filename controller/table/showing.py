"""The snapshot: what the table shows of itself, put together from the book, the sensors and the clock."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.game.ballot import Ballot, Count
from controller.game.rules import Rules
from controller.game.window import judge
from controller.table.board import lamps
from controller.table.book import Book, WindowTimes
from controller.table.clock import MICROSECOND, Clock
from controller.table.selftest import SelfTest
from controller.table.sensors import Sensors
from controller.table.state import Contact, Damage, Disk, Snapshot, Stage, Step, Unsaved, Window
from controller.table.steps import main_step

_ALL_SAVED: Final = Unsaved()


class Show:
    """Makes snapshots. It keeps what cannot have changed since the last one, since every edge makes one."""

    def __init__(self, sensors: Sensors, clock: Clock, damage: Callable[[], Damage | None]) -> None:
        self._sensors = sensors
        self._clock = clock
        self._damage = damage
        self._step: tuple[Book, Stage | None, Step] | None = None
        self._lamps: tuple[object, dict[str, str]] | None = None

    def snapshot(
        self,
        book: Book,
        *,
        live: int | None,
        disk: Disk,
        armed: str | None,
        selftest: SelfTest | None = None,
        unsaved: Unsaved = _ALL_SAVED,
    ) -> Snapshot:
        """What there is to see now; `live` is the opening of the window that counts itself, `armed` the board's key
        that waits for a seat. While a self-test walks, the lamps are its."""
        walking = None if selftest is None or selftest.is_over else selftest
        window = self._window(book, live)
        step = self._main_step(book, None if window is None else window.stage)
        return Snapshot(
            revision=book.revision,
            game=book.game,
            header=book.header,
            names=book.names,
            history=book.history,
            previous=book.previous,
            timer=book.timer,
            stopped=book.stopped,
            window=window,
            contacts=self._contacts(book),
            links=self._sensors.links,
            disk=disk,
            damage=self._damage(),
            unsaved=unsaved,
            step=step,
            lamps=self._lit(book, step, window, armed) if walking is None else walking.lamps,
            walk=None if selftest is None else selftest.walk,
            suggestions=book.suggestions,
            side_gives=book.side_gives,
            signed=book.signed,
        )

    def _main_step(self, book: Book, stage: Stage | None) -> Step:
        if self._step is None or self._step[0] is not book or self._step[1] is not stage:
            self._step = (book, stage, main_step(book.state, stage))
        return self._step[2]

    def _lit(self, book: Book, step: Step, window: Window | None, armed: str | None) -> dict[str, str]:
        stage, hands = (None, ()) if window is None else (window.stage, window.hands)
        made_of = (id(book), step, stage, hands, armed)
        if self._lamps is None or self._lamps[0] != made_of:
            undo = book.history.last is not None
            lit = lamps(book.state, step=step, window=window, timer=book.timer, undo=undo, armed=armed)
            self._lamps = (made_of, lit)
        return self._lamps[1]

    def _contacts(self, book: Book) -> dict[int, Contact]:
        return {seat.number: self._sensors.contact(seat.number) for seat in book.state.seats}

    def _window(self, book: Book, live: int | None) -> Window | None:
        ballot = book.state.ballot
        if ballot is None or ballot.opened is None or ballot.due is None:
            return None
        times = book.open_times()
        if times is None:
            return Window(ballot.due, Stage.UNDECIDED, None, None, book.state.rules.window, (), (), (), flagged=True)
        now, here = self._clock.now(), times.boot == self._clock.boot
        touches = self._sensors.touches(times.boot, ballot.voters, times.since, times.opened)
        length = (times.closes - times.opened) // MICROSECOND
        waiting: set[int] = set()
        if here and now >= times.closes:
            waiting.update(self._sensors.waiting_for(ballot.voters, times.closes))
            waiting.update(self._sensors.unknown(ballot.voters, times.since, times.opened, times.closes))
        counted = Count(ballot.due, touches, length)
        return Window(
            candidate=ballot.due,
            stage=self._stage(ballot, times, live),
            opened=times.opened if here else None,
            closes=times.closes if here else None,
            length=times.closes - times.opened,
            hands=hands_taken(book.state.rules, ballot, counted),
            touches=touches,
            waiting_for=tuple(seat for seat in ballot.voters if seat in waiting),
            flagged=self._sensors.flagged(ballot.voters, times.since, times.closes),
        )

    def _stage(self, ballot: Ballot, times: WindowTimes, live: int | None) -> Stage:
        if live != ballot.opened:
            return Stage.UNDECIDED
        if self._clock.now() < times.closes:
            return Stage.OPEN
        return Stage.WAITING if self._sensors.are_there(ballot.voters, times.opened) else Stage.TALLY


def hands_taken(rules: Rules, ballot: Ballot, seen: Count) -> tuple[int, ...]:
    """Seats whose hand is taken for the open question so far, in order: as the game would count them now."""
    counted = replace(ballot, counts=(*ballot.counts, seen))
    return judge(rules, counted, "", frozenset(), ()).votes[-1].hands
