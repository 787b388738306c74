"""The collector is out of the way while the table runs, and as it was afterwards."""

import asyncio
import gc
from collections.abc import Generator
from weakref import ref

import pytest

from controller.service.access import Scope
from controller.service.collector import RUNS_AFTER, spared
from controller.service.running import Running
from controller.table.clock import SECOND, SystemClock
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true


class Thing:
    """Something that knows itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_there_was_is_not_looked_through_and_what_comes_later_goes_in_the_end() -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with spared():
        assert gc.get_freeze_count() > frozen + 10_000
        assert gc.isenabled()
        thing = Thing()
        gone = ref(thing)
        del thing
        kept = [[number] for number in range(RUNS_AFTER // 2)]
        assert gone() is not None
        kept += [[number] for number in range(RUNS_AFTER)]
        assert gone() is None
        del kept
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


async def test_what_a_game_has_left_goes_when_another_begins(simulated: Running) -> None:
    async with Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.deals()
        thing = Thing()
        gone = ref(thing)
        del thing
        await judge.does("next")
        assert gone() is not None
        await judge.does("defeat", seat=1)
        await judge.does("new_game")
        assert gone() is None


@pytest.fixture
def uncollected() -> Generator[None]:
    """Nothing is collected: what goes, goes by itself."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


async def test_a_screen_that_has_gone_leaves_nothing_to_collect(service: Running, uncollected: None) -> None:
    gc.disable()  # the service has begun meanwhile
    for scope in (Scope.HALL, Scope.JUDGE):
        async with Page(service.address, None if scope is Scope.HALL else token(service, scope)):
            (screen,) = service.broadcast.screens.of(scope)
            gone = [ref(screen), ref(screen._line)]
            del screen
        await comes_true(lambda gone=gone: all(one() is None for one in gone))


async def test_an_alarm_that_has_rung_or_was_cancelled_lets_go_of_what_it_calls(uncollected: None) -> None:
    clock, rung = SystemClock(), asyncio.Event()

    class Called:
        def ring(self) -> None:
            rung.set()

    for cancelled in (False, True):
        called = Called()
        gone, cancel = ref(called), clock.wake_at(clock.now() + 1_000_000 + cancelled * SECOND, called.ring)
        del called
        if not cancelled:
            await rung.wait()
        cancel()
        del cancel
        assert gone() is None
