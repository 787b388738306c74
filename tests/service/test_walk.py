"""The walk around the table over the real link: in a terminal, and from the tablet."""

from io import StringIO

import pytest
from rich.console import Console

from controller.service.access import Scope
from controller.service.running import Running
from controller.service.settings import Settings
from controller.service.walk import walk
from tests.service.judge import Judge, token
from tests.service.page import Page


async def test_the_terminal_walks_round_the_simulated_table(chosen: Settings) -> None:
    console = Console(file=StringIO(), width=200)
    assert await walk(chosen, console, simulated=True, keyboard=False)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "  Место 4: положите руку\n  Место 4: уберите руку\n+ Место 4: есть\n" in said
    assert "+ Пульт, «Музыка ночи»: есть\n" in said
    assert said.endswith("Стол в порядке, проверено: 29\n")


@pytest.mark.timeout(90)
async def test_the_tablet_walks_by_the_real_link_and_crossed_seats_are_named(simulated: Running) -> None:
    simulation = simulated.simulation
    assert simulation is not None
    async with (
        Page(simulated.address, token(simulated, Scope.JUDGE)) as page,
        Page(simulated.address, token(simulated, Scope.TABLE)) as table,
    ):
        judge = Judge(page)
        await page.sees(lambda view: view["links"][0]["sentence"].endswith("на связи"), 60)
        await judge.does("selftest", act="start")
        assert page.view["walk"]["sentence"] == "Место 1: положите руку"
        await table.until(lambda: table.lamps.get("seat 1") == "blink")
        for step, key in enumerate(("seat 1", "seat 3", "seat 2")):
            simulation.press(key, down=True)
            await page.sees(lambda view: view["walk"]["ask"] == "up")
            simulation.press(key, down=False)
            await page.sees(lambda view, step=step: view["walk"]["step"] == step + 1)
        await judge.does("selftest", act="skip", step=3)
        assert page.view["walk"]["faults"] == [
            "Место 2: вместо него отвечает место 3. Поменяйте провода местами.",
            "Место 3: вместо него отвечает место 2. Поменяйте провода местами.",
            "Место 4: сигнала нет. Проверьте провод и датчик.",
        ]
        await judge.does("selftest", act="stop")
        assert page.view["walk"] is None
        await judge.deals()
        await judge.does("next")
        assert (await judge.tries("selftest", act="start"))["refusal"]["code"] == "game_not_over"
