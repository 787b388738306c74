"""The hall and the judge's covered tablet: whatever the roles are, they look the same."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from playwright.async_api import Page

from tests.overlay.conftest import Opener
from tests.overlay.fixture_server import FixtureServer, fixture, moments

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]

ROLE_WORDS = ("civilian", "mafia", "sheriff", '"don"', '"role"', "shots", "checks", "nights")


async def picture(page: Page) -> str:
    """What the page shows, without Svelte's invisible anchors and the order of classes; window and timer are at rest."""
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
            await page.wait_for_timeout(60)
            pictures.append(await picture(page))
        assert pictures[0] == pictures[1], moment


async def test_roles_show_only_while_a_finger_holds_the_cover(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("judge")
    server.views["judge"] = at_rest(fixture("speech")["judge"])
    await server.send_all()
    await page.wait_for_timeout(100)
    covered = await picture(page)
    box = await page.locator(".cover").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 40, box["y"] + 40)
    await page.mouse.down()
    await page.wait_for_timeout(600)
    assert await page.locator(".uncovered").count() == 0, "half a second is not enough"
    await page.wait_for_timeout(700)
    assert await page.locator(".uncovered li.she").inner_text() == "5\nШериф"
    await page.mouse.up()
    await page.wait_for_timeout(60)
    assert await picture(page) == covered


async def test_the_hall_is_told_and_shows_no_role(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("hall", ready=False)
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    await page.reload()
    await page.wait_for_selector(".seat")
    for moment in moments():
        await server.play(moment)
        await page.wait_for_timeout(40)
        shown = (await picture(page)).lower()
        assert not [word for word in ("мирный", "шериф", "мафия", "дон") if f">{word}" in shown], moment
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
            await page.wait_for_timeout(60)
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
    await page.wait_for_timeout(60)
    assert "мафия, а не дон" not in await picture(page)
