"""The computer sleeps in the middle of a game: the table's clock stood still meanwhile, what ran waits for the judge,
and the judge is told."""

import time
from pathlib import Path

import pytest

from controller.catalogue import sentence
from controller.service import sleeping
from controller.service.access import Scope
from controller.service.running import running
from controller.service.settings import Settings
from controller.table.clock import SECOND
from controller.table.state import Stage
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true

HOUR_NS = 3600 * SECOND


class Lid:
    """The lid of the computer: how long it was shut so far."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self.shut_ns = 0
        patched.setattr(sleeping, "asleep_ns", lambda: self.shut_ns)


def test_this_machine_tells_how_long_it_slept() -> None:
    assert sleeping.asleep_ns() > -SECOND
    assert abs(sleeping.asleep_ns() - sleeping.asleep_ns()) < SECOND // 10


async def test_a_clock_stands_with_what_was_left_and_the_judge_is_told(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lid = Lid(monkeypatch)
    async with (
        running(chosen, simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address) as hall,
    ):
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("speech")
        timer = service.table.snapshot.timer
        assert timer is not None
        assert timer.running
        lid.shut_ns += HOUR_NS
        await comes_true(lambda: service.table.snapshot.timer is not None and not service.table.snapshot.timer.running)
        still = service.table.snapshot.timer
        assert still is not None
        assert still.id == timer.id
        assert 0 < timer.left - still.left < 15 * SECOND
        told = sentence("readiness.slept", "ru", seconds=3600)
        await tablet.sees(lambda view: any(line["sentence"] == told and not line["ok"] for line in view["readiness"]))
        await judge.does("timer", running=True)
        assert not hall.closed.is_set()
        # A breath between two looks at two clocks is no sleep.
        lid.shut_ns += SECOND // 2
        time_before = time.monotonic()
        await comes_true(lambda: time.monotonic() - time_before > 3 * sleeping.LOOKS_EVERY_S)
        running_still = service.table.snapshot.timer
        assert running_still is not None
        assert running_still.running


async def test_an_open_vote_is_undecided_and_counts_nothing_by_itself(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lid = Lid(monkeypatch)
    async with (
        running(chosen, simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
    ):
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("morning")
        await judge.discussion({1: 6, 2: 3})
        while tablet.view["phase"]["kind"] != "voting":
            await judge.does("next")
        await comes_true(lambda: service.cables.up)
        await judge.does("open_window")
        lid.shut_ns += HOUR_NS
        await comes_true(
            lambda: service.table.snapshot.window is not None and service.table.snapshot.window.stage is Stage.UNDECIDED
        )
        await judge.does("void_window")
        assert service.table.snapshot.window is None
