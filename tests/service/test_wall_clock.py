"""The wall clock is set by an hour, forth and back, or is of another century at the start: the game does not notice,
and no screen is let go."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from controller.service.access import Scope
from controller.service.running import running
from controller.service.settings import Settings
from controller.service.transport import PING_INTERVAL_S
from controller.table.clock import SECOND
from tests.service.judge import Judge, token
from tests.service.page import Page

HOUR = 3600.0


class Wall:
    """The wall clock of this process, moved."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.moved = 0.0
        real, real_ns = time.time, time.time_ns
        patched.setattr(time, "time", lambda: real() + self.moved)
        patched.setattr(time, "time_ns", lambda: real_ns() + int(self.moved * 1e9))


async def hears_pings(page: Page, count: int) -> None:
    """Until `count` more pings have come."""
    before = page.frames.count("2")
    await page.until(lambda: page.frames.count("2") >= before + count)


async def test_steps_of_an_hour_both_ways_let_no_screen_go_and_move_no_timer(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = Wall(monkeypatch)
    async with (
        running(chosen, simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address) as hall,
    ):
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("speech")
        steps = 0
        for step in (HOUR, -2 * HOUR, HOUR):
            timer = service.table.snapshot.timer
            assert timer is not None
            assert timer.running
            before, at = timer.left_at(time.monotonic_ns()), time.monotonic_ns()
            # The step comes while a ping is out and its answer is not in.
            wall.moved += step
            await hears_pings(hall, 2)
            await hears_pings(tablet, 1)
            left = service.table.snapshot.timer
            assert left is not None
            assert left.running
            passed = before - left.left_at(time.monotonic_ns())
            assert passed <= time.monotonic_ns() - at + SECOND // 10
            steps += 1
        for page in (tablet, hall):
            assert not page.closed.is_set()
        await judge.does("next")
        print(f"{steps} steps of the wall clock, 0 screens let go, {PING_INTERVAL_S} s between pings")


async def test_a_clock_of_another_century_at_the_start_is_only_a_note(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = Wall(monkeypatch)
    wall.moved = -time.time() + 100
    async with (
        running(chosen, simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
    ):
        judge = Judge(tablet)
        await judge.deals()
        wall.moved = 0  # the network has told the time
        await hears_pings(tablet, 2)
        await judge.goes_on_to("speech")
        seen = service.table.snapshot
        assert not tablet.closed.is_set()
    # An older time than the one before, at the next start: the journal follows its own order.
    wall.moved = -30 * 24 * HOUR
    async with running(replace(chosen), simulated=True, pages=pages) as service:
        assert service.table.snapshot.damage is None
        assert service.table.snapshot.state == seen.state
        await asyncio.sleep(0)
