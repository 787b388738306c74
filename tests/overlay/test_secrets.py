"""The hall and the judge's covered tablet: whatever the roles are, they look the same."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page

from controller.game.commands import Command
from controller.table.state import Snapshot
from controller.views.facts import Surroundings
from controller.views.hall import hall_view
from controller.views.judge import JudgeViews
from tests.overlay.conftest import Opener, shown
from tests.overlay.fixture_server import FixtureServer, fixture, moments
from tests.views.test_hall_knows_nothing import Pair

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]

ROLE_WORDS = ("civilian", "mafia", "sheriff", '"don"', '"role"', "shots", "checks", "nights")


async def picture(page: Page) -> str:
    """What the page shows, without Svelte's invisible anchors and the order of classes; window and timer stand."""
    return await page.evaluate(
        """() => {
          const app = document.getElementById('app').cloneNode(true)
          for (const el of app.querySelectorAll('[class]')) el.setAttribute('class', [...el.classList].sort().join(' '))
          return app.innerHTML.replace(/<!--.*?-->/g, '')
        }"""
    )


def with_other_secrets(view: dict[str, Any]) -> dict[str, Any]:
    """The same public game with the cards dealt the other way round, other shots and other answers."""
    other = copy.deepcopy(view)
    dealt = [seat for seat in other["seats"] if seat["role"] is not None]
    for seat, role in zip(dealt, [seat["role"] for seat in reversed(dealt)], strict=True):
        seat["role"] = role
    for night in other["nights"]:
        night["shots"] = {"1": [10]}
        for check in night["checks"]:
            check["hit"] = not check["hit"]
    if other["best_move"] is not None:
        other["best_move"]["hits"] = 3 - other["best_move"]["hits"]
    return other


def at_rest(view: dict[str, Any]) -> dict[str, Any]:
    view = copy.deepcopy(view)
    if view["timer"] is not None:
        view["timer"].update(running=False, deadline=None)
    if view["vote"] is not None:
        view["vote"]["window"] = None
    return view


async def test_the_covered_tablet_is_the_same_for_any_roles(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("judge")
    for moment in moments():
        view = at_rest(fixture(moment)["judge"])
        pictures: list[str] = []
        for secret in (view, with_other_secrets(view)):
            server.views["judge"] = secret
            await server.send_all()
            await shown(page, server)
            pictures.append(await picture(page))
        assert pictures[0] == pictures[1], moment


class Common(Pair):
    """A pair that keeps both games as they stand after each of their common steps."""

    def __init__(self, chance: Random) -> None:
        self.steps: list[tuple[Snapshot, Snapshot]] = []
        super().__init__(chance, "hall", hall_view, written_at_once=True)

    def both(self, command: Command) -> bool:
        """The same decision in both; where they still agree in the open, it is kept."""
        agree = super().both(command)
        if agree:
            first, second = (game.course.snapshot() for game in self.games)
            self.steps.append((first, second))
        return agree


def pairs_of_pictures() -> Iterator[tuple[str, Snapshot, Snapshot]]:
    """Two moments of every kind of phase, from games that differ in their cards, shots and checks."""
    taken: Counter[str] = Counter()
    for seed in range(12):
        pair = Common(Random(seed))
        pair.run(120)
        for first, second in pair.steps:
            kind = type(first.state.phase).__name__
            moment = f"{kind} {first.step.do}"
            different = [seat.role for seat in first.state.seats] != [seat.role for seat in second.state.seats]
            if different and kind != "Over" and taken[moment] < 2:
                taken[moment] += 1
                yield f"{moment}, game {seed}", first, second


async def test_the_covered_tablet_is_equal_pixel_by_pixel_in_games_that_differ_in_secrets(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("judge")
    kinds: set[str] = set()
    games: list[Snapshot] = []
    for moment, *games in pairs_of_pictures():
        seen: list[bytes] = []
        for game in games:
            view = JudgeViews().view(game, Surroundings(), "ru")
            server.views["judge"] = at_rest(json.loads(msgspec.json.encode(view)))
            await server.send_all()
            await shown(page, server)
            seen.append(await page.screenshot(animations="disabled", caret="hide"))
        assert seen[0] == seen[1], moment
        kinds.add(moment.partition(",")[0].partition(" ")[0])
    assert {"Acquaintance", "Speech", "Voting", "Night", "Morning", "LastWord"} <= kinds
    # The control: the same games with the cover held are different pictures.
    await page.keyboard.down("KeyR")
    await page.wait_for_selector(".uncovered", timeout=5000)
    uncovered: list[bytes] = []
    for game in games:
        view = JudgeViews().view(game, Surroundings(), "ru")
        server.views["judge"] = at_rest(json.loads(msgspec.json.encode(view)))
        await server.send_all()
        await shown(page, server)
        uncovered.append(await page.screenshot(animations="disabled", caret="hide"))
    await page.keyboard.up("KeyR")
    assert uncovered[0] != uncovered[1]


async def test_roles_show_only_while_a_finger_holds_the_cover(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("judge")
    server.views["judge"] = at_rest(fixture("speech")["judge"])
    await server.send_all()
    await shown(page, server)
    covered = await picture(page)
    box = await page.locator(".cover").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 40, box["y"] + 40)
    await page.mouse.down()
    began = await page.evaluate("performance.now()")
    await page.wait_for_selector(".uncovered li.she")
    assert await page.evaluate("performance.now()") - began > 600, "half a second is not enough"
    assert await page.locator(".uncovered li.she").inner_text() == "5\nШериф"
    await page.mouse.up()
    await page.wait_for_selector(".uncovered", state="detached")
    assert await picture(page) == covered


async def test_the_hall_is_told_and_shows_no_role(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("hall", ready=False)
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    await page.reload()
    await page.wait_for_selector(".seat")
    for moment in moments():
        await server.play(moment)
        await shown(page, server)
        drawn = (await picture(page)).lower()
        assert not [word for word in ("мирный", "шериф", "мафия", "дон") if f">{word}" in drawn], moment
    assert any("nominations" in frame for frame in frames)
    assert [word for word in ROLE_WORDS if any(word in frame.replace('"step":"don"', "") for frame in frames)] in (
        [],
        ["mafia", "sheriff"],  # as the night's step, which the judge calls aloud
    )


async def test_even_a_service_that_tells_too_much_shows_nothing_in_the_hall(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("hall")
    for moment in ("speech", "vote", "night", "over"):
        pictures: list[str] = []
        for view in (fixture(moment)["judge"], with_other_secrets(fixture(moment)["judge"])):
            leaked = at_rest(view)
            if leaked["vote"] is not None:
                for candidate in leaked["vote"]["candidates"]:
                    candidate["count"] = None
            server.views["hall"] = leaked
            await server.send_all()
            await shown(page, server)
            pictures.append(await picture(page))
        assert pictures[0] == pictures[1], moment


async def test_a_reason_that_tells_a_role_is_read_under_the_cover_alone(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("judge")
    await page.wait_for_timeout(450)
    server.refusal = {
        "code": "secret",
        "params": {},
        "clause": None,
        "sentence": "Так нельзя: причина под шторкой.",
        "covered": "Игрок 3 мафия, а не дон.",
    }
    await page.keyboard.press("Space")
    await page.wait_for_selector("text=Так нельзя: причина под шторкой.")
    assert "мафия, а не дон" not in await picture(page)
    await page.keyboard.down("KeyR")
    await page.wait_for_selector("text=Игрок 3 мафия, а не дон.", timeout=3000)
    await page.keyboard.up("KeyR")
    await page.wait_for_selector("text=Игрок 3 мафия, а не дон.", state="detached")
    assert "мафия, а не дон" not in await picture(page)
