"""The collector is out of the way while the table runs, and as it was afterwards."""

import gc
from weakref import ref

from controller.service.access import Scope
from controller.service.collector import RUNS_AFTER, spared
from controller.service.running import Running
from tests.service.judge import Judge, token
from tests.service.page import Page


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
