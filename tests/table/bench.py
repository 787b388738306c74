"""A whole table on the bench: the real writer and the real journal, hands to lay down, and a time to travel in."""

import asyncio
import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.state import State
from controller.table import Accepted, Cause, Header, Snapshot, Table, TableCommand, What, Wish
from controller.table.clock import SECOND, Cancel
from controller.table.state import Stage, Window
from firmware_bridge.core import DeviceInfo, Edge, Gap, LinkStatus, Reason
from hardware.signal import Signal

START = 7_000 * SECOND
ROLES = {1: Role.DON, 2: Role.MAFIA, 3: Role.MAFIA, 4: Role.SHERIFF}

_TAPS = itertools.count(1)
"""Ids are a client's own and unique, over restarts too."""


class FakeClock:
    """A clock that stands still until it is told to go on; the wall clock beside it can be set to anything."""

    def __init__(self, boot: str = "boot-1", now: int = START) -> None:
        self.boot = boot
        self._now = now
        self.wall_time = "2026-11-29T18:00:00+00:00"
        self._alarms: list[tuple[int, int, Callable[[], None]]] = []
        self._number = itertools.count()
        self._cancelled: set[int] = set()

    def now(self) -> int:
        return self._now

    def wall(self) -> str:
        return self.wall_time

    def wake_at(self, at: int, call: Callable[[], None]) -> Cancel:
        number = next(self._number)
        heapq.heappush(self._alarms, (at, number, call))
        return lambda: self._cancelled.add(number)

    def next_alarm(self, until: int) -> int | None:
        while self._alarms and self._alarms[0][1] in self._cancelled:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms and self._alarms[0][0] <= until else None

    def go(self, at: int) -> None:
        """Jump to `at` and ring what is due."""
        self._now = max(self._now, at)
        while (due := self.next_alarm(self._now)) is not None and due <= self._now:
            _, _, call = heapq.heappop(self._alarms)
            call()


@dataclass
class Device:
    """The seats' microcontroller, as far as the table can tell."""

    boot: int = 1
    seq: int = 0
    heard: int | None = None
    """None: it keeps up with the clock."""
    cut: bool = False
    kept: list[Edge] = field(default_factory=list)


class TableBench:
    """`at` and `seconds` are seconds; hands are dated from the last opening."""

    def __init__(self, folder: Path, table: Table, clock: FakeClock, device: Device | None) -> None:
        self.folder = folder
        self.table = table
        self.clock = clock
        self.device = device
        self.acknowledged: dict[tuple[str, int], int] = {}
        self.causes: list[Cause] = []
        self.opened = clock.now()
        table.subscribe(lambda _, cause: self.causes.append(cause))

    @classmethod
    async def open(
        cls,
        folder: Path,
        *,
        clock: FakeClock | None = None,
        device: Device | None = None,
        sensors: bool = True,
        ruleset: str = "fiim",
    ) -> "TableBench":
        clock = clock or FakeClock()
        device = (device or Device()) if sensors else None
        acknowledged: dict[tuple[str, int], int] = {}

        def heard_until(_: int) -> int | None:
            if device is None:
                return None
            return clock.now() if device.heard is None else device.heard

        def acknowledge(source: str, boot: int, seq: int) -> None:
            acknowledged[source, boot] = seq

        table = await Table.open(
            folder, clock, heard_until=heard_until, acknowledge=acknowledge, header=Header(ruleset=ruleset)
        )
        bench = cls(folder, table, clock, device)
        bench.acknowledged = acknowledged
        if device is not None:
            bench.link()
        return bench

    async def restart(self, *, boot: str | None = None, after: float = 3.0) -> "TableBench":
        """The service goes and comes back `after` seconds later, on another boot of the machine if one is named."""
        await self.table.close()
        clock = FakeClock(boot or self.clock.boot, self.clock.now() if boot is None else 30 * SECOND)
        clock.go(clock.now() + round(after * SECOND))
        return await TableBench.open(self.folder, clock=clock, device=self.device, sensors=self.device is not None)

    # --- what is looked at

    @property
    def now(self) -> Snapshot:
        return self.table.snapshot

    @property
    def state(self) -> State:
        return self.table.snapshot.state

    @property
    def window(self) -> Window:
        assert self.now.window is not None, "no window is open"
        return self.now.window

    @property
    def stage(self) -> Stage | None:
        return None if self.now.window is None else self.now.window.stage

    @property
    def hands(self) -> dict[int, list[int]]:
        """The present ballot's hands by candidate, or those of the ballot that was decided last."""
        ballot = self.state.ballot or self.state.ballots[-1]
        return {votes.candidate: list(votes.hands) for votes in ballot.votes}

    @property
    def leaves(self) -> list[int]:
        return list(self.state.ballots[-1].leaves)

    @property
    def left_on_timer(self) -> float:
        """Seconds."""
        assert self.now.timer is not None, "nothing is timed"
        return self.now.timer.left_at(self.clock.now()) / SECOND

    # --- the judge

    async def does(self, command: Command | TableCommand, **wish: Any) -> Accepted:
        answer = await self.submit(command, **wish)
        assert isinstance(answer, Accepted), f"{command} was refused: {answer}"
        return answer

    async def refuses(self, command: Command | TableCommand, **wish: Any) -> str:
        """The refusal's code."""
        answer = await self.submit(command, **wish)
        assert isinstance(answer, Refusal), f"{command} was taken"
        return answer.code

    async def submit(self, command: Command | TableCommand, **wish: Any) -> Accepted | Refusal:
        wish.setdefault("id", f"tap {next(_TAPS)}")
        return await self.table.submit(Wish(command=command, **wish))

    async def deals(self) -> "TableBench":
        for seat in range(1, 11):
            await self.does(cmd.Deal(seat, ROLES.get(seat, Role.CIVILIAN)))
        return self

    async def next(self, steps: int = 1) -> None:
        for _ in range(steps):
            await self.does(cmd.Next())

    async def first_day(self) -> "TableBench":
        """Up to the minute of seat 1 on day 1."""
        await self.deals()
        await self.next(5)
        assert self.state.minute_of == 1
        return self

    async def second_day(self, *nominees: int) -> "TableBench":
        """Up to the vote of day 2, nobody has left; the speakers from seat 2 on nominate `nominees` in this order."""
        await self.first_day()
        await self.next(10)  # the minutes, then dusk
        await self.next()
        await self.does(cmd.Shoot(missed=True))
        await self.next(4)
        for nominee in nominees:
            speaker = self.state.minute_of
            assert speaker is not None
            await self.does(cmd.Nominate(speaker, nominee))
            await self.next()
        while self.state.minute_of is not None:
            await self.next()
        return self

    async def opens(self, **wish: Any) -> None:
        """The vote window of the candidate whose turn it is."""
        await self.does(cmd.OpenWindow(), **wish)
        assert self.state.ballot is not None
        assert self.state.ballot.opened is not None
        self.opened = self.state.ballot.opened

    # --- the players' hands and the board's keys

    def hand(self, seat: int, *, down: bool, at: float) -> None:
        """A hand of `seat`, `at` seconds after the opening."""
        self.signal(f"seat {seat}", down=down, at=self.opened + round(at * SECOND))

    def press(self, key: str, *, held: float = 0.05) -> None:
        """A key of the board, pressed now and held so many seconds."""
        now = self.clock.now()
        self.signal(key, down=True, at=now)
        self.signal(key, down=False, at=now + round(held * SECOND))

    def signal(self, key: str, *, down: bool, at: int) -> None:
        device = self.device
        assert device is not None
        device.seq += 1
        edge = Edge(Signal("bench", key, down, at), device.seq, device.boot, 100_000)
        if device.cut:
            device.kept.append(edge)
        else:
            self.table.edge(edge)

    def link(self, *, up: bool = True, clock_ready: bool = True, stuck: Any = None, gaps: tuple[Gap, ...] = ()) -> None:
        self.table.link_status("seats", self.status(up=up, clock_ready=clock_ready, stuck=stuck, gaps=gaps))

    def status(
        self, *, up: bool = True, clock_ready: bool = True, stuck: Any = None, gaps: tuple[Gap, ...] = ()
    ) -> LinkStatus:
        assert self.device is not None
        info = DeviceInfo("bench", "table", "test", self.device.boot, 29)
        reason = None if up else Reason.SILENT
        return LinkStatus(up, reason, device=info, clock_ready=clock_ready, stuck=stuck or {}, gaps=gaps)

    def cuts(self) -> None:
        """The link is cut: edges stay in the device's ring and nothing is heard of it."""
        assert self.device is not None
        self.device.cut, self.device.heard = True, self.clock.now()
        self.link(up=False)

    def mends(self, **status: Any) -> None:
        """The link is back, with this `status`: everything is sent with its own date."""
        assert self.device is not None
        device = self.device
        device.cut, kept, device.kept = False, device.kept, []
        for edge in kept:
            self.table.edge(edge)
        device.heard = None
        self.link(**status)

    def reboots(self, **status: Any) -> None:
        """The device has begun a new life, with this `status`; what it had not sent is lost."""
        assert self.device is not None
        self.device.boot, self.device.seq, self.device.kept = self.device.boot + 1, 0, []
        self.mends(**status)

    # --- time

    async def advance(self, seconds: float) -> None:
        """Let time pass; whatever falls due meanwhile happens at its own time."""
        until = self.clock.now() + round(seconds * SECOND)
        await self.settle()
        while (due := self.clock.next_alarm(until)) is not None:
            self.clock.go(due)
            await self.settle()
        self.clock.go(until)
        await self.settle()

    async def settle(self) -> None:
        """Until nothing is on its way any more."""
        await self.table.idle()
        await asyncio.sleep(0)
        await self.table.idle()

    def heard(self, what: What) -> list[Cause]:
        return [cause for cause in self.causes if cause.what is what]
