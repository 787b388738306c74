"""The simulated table's own process: its page's presses, its lamps, its death, and the board's keys on a real cable."""

import os
import signal
from pathlib import Path

from controller.service.access import Scope
from controller.service.running import Running, running
from controller.service.settings import Settings
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true


async def _press(page: Page, key: str) -> None:
    for down in (True, False):
        answer = await page.ask("signal", {"key": key, "down": down})
        assert answer["ok"], answer


async def test_the_page_presses_hands_and_keys_and_sees_the_lamps(simulated: Running) -> None:
    async with (
        Page(simulated.address, token(simulated, Scope.TABLE)) as pad,
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
    ):
        assert pad.view["keys"][:10] == [f"seat {seat}" for seat in range(1, 11)]
        assert pad.view["simulated"]
        judge = Judge(tablet)
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        await judge.deals()
        await pad.until(lambda: pad.lamps.get("next") == "on")
        await pad.ask("signal", {"key": "seat 4", "down": True})
        await tablet.sees(lambda view: view["seats"][3]["contact"] == "down")
        await pad.ask("signal", {"key": "seat 4", "down": False})
        await tablet.sees(lambda view: view["seats"][3]["contact"] == "up")
        await _press(pad, "next")
        await tablet.sees(lambda view: view["phase"]["kind"] == "acquaintance")
        await _press(pad, "back")
        await tablet.sees(lambda view: view["phase"]["kind"] == "dealing")
        refused = await pad.ask("signal", {"key": "seat 40", "down": True})
        assert refused["refusal"]["code"] == "malformed"


async def test_a_key_that_means_nothing_now_is_explained_to_the_judge(simulated: Running) -> None:
    async with (
        Page(simulated.address, token(simulated, Scope.TABLE)) as pad,
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
    ):
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        await _press(pad, "next")
        await tablet.sees(lambda view: any("10" in hint for hint in view["hints"]))
        assert tablet.view["phase"]["kind"] == "dealing"
        await Judge(tablet).does("deal", seat=1, role="don")
        assert not any("10" in hint for hint in tablet.view["hints"])


async def test_a_table_that_dies_shows_as_a_link_that_is_down_and_another_is_plugged_in(simulated: Running) -> None:
    simulation = simulated.simulation
    assert simulation is not None
    async with (
        Page(simulated.address, token(simulated, Scope.TABLE)) as pad,
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
    ):
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        judge = Judge(tablet)
        await judge.deals()
        first = simulation.process_id
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await tablet.sees(lambda view: view["links"][0]["state"] != "up")
        assert tablet.view["seats"][0]["contact"] == "lost"
        await judge.does("next")  # the tablet has every function of the board
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        assert simulation.process_id not in (None, first)
        await _press(pad, "next")
        await tablet.sees(lambda view: view["phase"]["step"] == "mafia")


async def test_nothing_is_left_behind(chosen: Settings, pages: Path) -> None:
    async with running(chosen, simulated=True, pages=pages) as service:
        simulation = service.simulation
        assert simulation is not None
        await comes_true(lambda: service.cables.up)
        assert simulation.process_id is not None
        assert simulation.port.is_symlink()
    assert simulation.process_id is None
    assert not simulation.port.is_symlink()
