"""The number that is called in the shooting: on air and on the tablet, never in the hall, gone with the shots."""

from controller.service.access import Scope
from controller.service.running import Running
from tests.service.judge import Judge, token
from tests.service.page import Page


async def test_the_number_is_shown_on_air_and_the_hall_hears_nothing_of_it(simulated: Running) -> None:
    async with (
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
        Page(simulated.address, token(simulated, Scope.AIR)) as air,
        Page(simulated.address, None) as hall,
    ):
        judge = Judge(tablet)
        await judge.deals()
        refused = await judge.tries("call", seat=1)
        assert refused["refusal"]["code"] == "not_called_now"
        assert refused["refusal"]["sentence"]
        while tablet.view["phase"]["step"] != "shooting":
            await judge.does("next")
        await hall.sees(lambda view: view["phase"]["step"] == "shooting")
        heard = len(hall.views)
        rows = simulated.table.snapshot.revision
        for number in range(1, 11):
            await judge.does("call", seat=number)
            assert tablet.view["calling"] == number
        await air.sees(lambda view: view["calling"] == 10)
        assert (await judge.tries("call", seat=20))["refusal"]["code"] == "no_such_seat"
        await judge.does("call", seat=None)
        assert tablet.view["calling"] is None
        await judge.does("call", seat=5)
        assert simulated.table.snapshot.revision == rows, "no decision"
        assert len(hall.views) == heard
        await judge.does("shoot", shots={}, at=4)
        assert tablet.view["calling"] is None
        assert (await judge.tries("call", seat=5))["refusal"]["code"] == "not_called_now"
        assert not any('"calling"' in frame for frame in hall.frames)
