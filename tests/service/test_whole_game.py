"""A whole game over the serial link: hands at the simulated table, a judge's tablet, and what each audience saw."""

from controller.service.access import Scope
from controller.service.running import Running
from tests.service.judge import Judge, hears_no_role, token, votes
from tests.service.page import Page


async def test_a_game_over_the_serial_link_comes_to_its_result_on_every_screen(simulated: Running) -> None:
    address = simulated.address
    async with (
        Page(address, token(simulated, Scope.JUDGE)) as tablet,
        Page(address, token(simulated, Scope.AIR)) as air,
        Page(address) as hall,
    ):
        judge = Judge(tablet)
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        await judge.deals()
        await judge.goes_on_to("morning")

        await judge.discussion({1: 6, 2: 3})
        await votes(judge, simulated, {6: (1, 3, 7, 9, 2, 8), 3: (4, 5, 6, 10)})
        ballot = tablet.view["vote"]["candidates"]
        assert [(one["seat"], one["hands"]) for one in ballot] == [(6, [1, 3, 7, 9, 2, 8]), (3, [4, 5, 6, 10])]
        await judge.does("next")
        assert tablet.view["vote"]["leaves"] == [6]
        await judge.night(shot=2, sheriff=7)
        await judge.does("next")
        await judge.does("best_move", seat=2, numbers=[3, 7, 10])

        await judge.discussion({3: 4, 4: 7})
        await votes(judge, simulated, {4: (3, 7, 9, 1, 8), 7: (4, 5, 10)})
        await judge.does("next")
        await judge.night(shot=5)
        await judge.goes_on_to("over")

        result = {"winner": "black", "reason": "parity", "at": "night 2"}
        for page in (tablet, air, hall):
            view = await page.sees(lambda view: view["phase"]["kind"] == "over")
            assert view["result"] == result
        out = {seat["seat"]: (seat["out"]["how"], seat["out"]["at"]) for seat in hall.view["seats"] if seat["out"]}
        assert out == {6: ("voted", "day 1"), 2: ("shot", "night 1"), 4: ("voted", "day 2"), 5: ("shot", "night 2")}
        assert air.view["nights"][0] == {
            "night": 1,
            "shots": {"3": [2], "7": [2], "9": [2]},
            "killed": [2],
            "checks": [{"by": "sheriff", "seat": 7, "hit": True}],
        }
        assert air.view["best_move"] == {"seat": 2, "numbers": [3, 7, 10], "hits": 2}
        assert [seat["role"] for seat in air.view["seats"]][:3] == ["civilian", "civilian", "mafia"]

        points = {seat["seat"]: seat["points"] for seat in air.view["seats"]}
        assert points[3] == points[9] == "1"
        assert points[8] == "0"

        for page in (tablet, air, hall):
            revisions = [envelope["revision"] for envelope in page.views]
            assert revisions == sorted(set(revisions))
        hears_no_role(hall)
        assert len(hall.views) < len(air.views)
