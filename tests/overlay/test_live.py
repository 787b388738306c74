"""The link: a late page, a cut, another build, another clock. What is shown is a function of the last view."""

from __future__ import annotations

import asyncio
import gzip
import random
import re

import pytest
from playwright.async_api import Browser, Page

from tests.overlay.conftest import Opener
from tests.overlay.fixture_server import DIST, FixtureServer, moments
from tests.overlay.stories import others
from tests.overlay.test_secrets import at_rest, picture

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]

SKEW = """
  const hour = 3_600_000
  const RealDate = Date
  Date.now = () => RealDate.prototype.getTime.call(new RealDate()) + 5 * hour
  const real = performance.now.bind(performance)
  performance.now = () => real() + 17 * hour
"""


async def until(condition: str, page: Page, within: int = 8000) -> None:
    await page.wait_for_function(condition, timeout=within)


@pytest.mark.parametrize("name", ["air", "hall", "judge"])
async def test_a_page_that_joins_late_shows_what_one_shows_that_was_there_from_the_start(
    name: str, server: FixtureServer, open_page: Opener
) -> None:
    early = await open_page(name, still=False)
    for moment in moments():
        server.change(moment)
        server.views[name] = at_rest(server.views[name])
        await server.send_all()
        await asyncio.sleep(0.15)  # in the middle of the motion
    for moment in ("speech", "over", "vote"):
        server.change(moment)
        server.views[name] = at_rest(server.views[name])
        await server.send_all()
        await asyncio.sleep(1.6)
        late = await open_page(name, still=False)
        await asyncio.sleep(0.3)
        assert await picture(late) == await picture(early), moment


async def test_after_a_reconnect_the_picture_is_drawn_without_entrances(
    server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("air", still=False)
    await page.wait_for_timeout(400)
    await server.play("vote")
    moving = "document.getAnimations().filter((a) => a.playState === 'running').length"
    await until(f"{moving} > 0", page, within=2000)  # a change is shown as motion
    await page.wait_for_timeout(1500)
    await server.stop()
    server.change("night")
    await server.start()
    await until("document.querySelector('main.night') !== null", page)
    assert await page.evaluate(moving) == 0


async def test_a_command_is_one_command_however_often_the_link_breaks(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("judge")
    await page.wait_for_timeout(500)
    server.answer_commands = False
    await page.keyboard.press("Space")
    await page.wait_for_timeout(300)
    assert len(server.commands) == 1
    await server.stop()
    await until("document.querySelector('.band.lost') !== null", page)
    await page.keyboard.press("Space")  # not taken: the banner says so
    server.answer_commands = True
    await server.start()
    await until("document.querySelector('.band.lost') === null", page)
    await page.wait_for_timeout(1500)
    assert len(server.commands) >= 2, "what was not acknowledged is sent again"
    assert len({command["id"] for command in server.commands}) == 1
    assert all(command["do"] == "next" for command in server.commands)


async def test_a_lost_link_is_shown_at_once_to_the_judge_and_never_on_air(
    server: FixtureServer, open_page: Opener
) -> None:
    judge, air = await open_page("judge"), await open_page("air")
    before = await air.locator(".card").count()
    await server.stop()
    await until("document.querySelector('.band.lost') !== null", judge, within=1500)
    assert await air.locator(".card").count() == before
    server.change("vote")
    await server.start()
    await until("document.querySelector('.band.lost') === null", judge)
    await until("document.querySelector('.lane') !== null", air)


async def test_the_timer_is_deadline_minus_now_whatever_the_browsers_clock_says(
    server: FixtureServer, open_page: Opener
) -> None:
    pages = [await open_page("judge", init=SKEW), await open_page("hall", init=SKEW), await open_page("air", init=SKEW)]
    server.clock_skew -= 40_000_000
    await server.cut()
    server.change("speech")
    deadline = server.views["hall"]["timer"]["deadline"]
    await asyncio.sleep(2.5)
    shown = ["document.querySelector('.clock').innerText.split(':')[1]"] * 2 + [
        "document.querySelector('svg text').textContent"
    ]
    for page, read in zip(pages, shown, strict=True):
        earlier = (deadline - server.now()) / 1000
        seconds = int(await page.evaluate(read))
        later = (deadline - server.now()) / 1000
        assert later - 0.1 <= seconds <= earlier + 1.1


async def test_the_window_bar_follows_the_servers_clock(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("air", init=SKEW)
    await page.wait_for_timeout(600)
    await server.play("vote_many")
    window = server.views["air"]["vote"]["window"]
    read = "new DOMMatrix(getComputedStyle(document.querySelector('.bar i')).transform).a"
    await page.wait_for_selector(".bar i")
    for _ in range(8):
        first = (window["closes"] - server.now()) / 2000
        bar = await page.evaluate(f"new Promise((r) => requestAnimationFrame(() => r({read})))")
        second = (window["closes"] - server.now()) / 2000
        assert max(second, 0) - 0.03 <= bar <= max(first, 0) + 0.03
        await asyncio.sleep(0.15)
    await page.wait_for_timeout(900)
    assert await page.evaluate(read) == 0
    assert await page.locator(".tenths").count() == 0


async def test_a_page_of_another_build_reloads_once_and_not_for_ever(server: FixtureServer, open_page: Opener) -> None:
    server.build = "another"
    await open_page("air")
    await asyncio.sleep(1.5)
    assert len(server.hellos) == 2


async def test_the_token_leaves_the_address_and_survives_a_reload(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("judge", "?lang=uk#t=s3cret")
    assert "s3cret" not in page.url
    await page.reload()
    await page.wait_for_selector(".seat")
    assert server.hellos == [{"token": "s3cret", "page": "judge", "language": "uk"}] * 2


async def test_a_wrong_token_is_told_in_a_sentence(open_page: Opener) -> None:
    page = await open_page("judge", "#t=wrong", ready=False)
    await page.wait_for_selector("text=Эта ссылка больше не действует.")


async def test_the_on_air_page_is_light(built_pages: object) -> None:
    seen: set[str] = set()

    def weigh(name: str) -> int:
        if name in seen:
            return 0
        seen.add(name)
        body = (DIST / "assets" / name).read_bytes()
        inner = re.findall(rb'["\'`(]\.?/?(?:assets/)?([\w-]+\.(?:js|css))["\'`)]', body)
        return len(gzip.compress(body)) + sum(
            weigh(part.decode()) for part in inner if (DIST / "assets" / part.decode()).exists()
        )

    page = (DIST / "air.html").read_text()
    total = sum(weigh(name) for name in re.findall(r"/assets/([\w-]+\.(?:js|css))", page))
    assert 10_000 < total <= 90 * 1024


@pytest.mark.parametrize(("language", "said"), [("ru", "1,5"), ("uk", "1,5"), ("en", "1.5")])
async def test_points_are_written_as_the_language_writes_them(
    language: str, said: str, server: FixtureServer, open_page: Opener
) -> None:
    server.change("over")
    server.views["air"]["stage"]["lifted"] = 2
    for name in ("air", "result"):
        page = await open_page(name, f"?lang={language}")
        found = [text.strip() for text in await page.locator(".points").all_inner_texts()]
        assert said in found, (name, found)
        assert not any(("." if said == "1,5" else ",") in text for text in found), (name, found)


_PLACES = """
() => [...document.querySelectorAll('#app *')].map((one) => {
  const box = one.getBoundingClientRect()
  const sides = [box.left, box.top, box.width, box.height].map((x) => Math.round(x))
  return [one.tagName, ...sides, getComputedStyle(one).opacity]
})
"""


@pytest.mark.parametrize("name", ["air", "hall"])
async def test_a_burst_of_moments_in_the_midst_of_every_motion_ends_where_a_late_page_begins(
    name: str, server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page(name, still=False)
    chance = random.Random(5)
    story = [views for _, views in others() if name in views]
    for last in ("speech", "over", "night_miss"):
        # Some stand for a frame, some for none, and some long enough for half of their entrance.
        for views in chance.sample(story, 20):
            await server.show({name: views[name]})
            await asyncio.sleep(chance.choice((0, 0, 0.005, 0.02, 0.15)))
        server.change(last)
        server.views[name] = at_rest(server.views[name])
        await server.send_all()
        await page.wait_for_timeout(2500)
        late = await open_page(name)
        await late.wait_for_timeout(400)
        assert await picture(late) == await picture(page), last
        assert await late.evaluate(_PLACES) == await page.evaluate(_PLACES), last
        await late.close()


@pytest.mark.parametrize("look", ["dark", "light", "club"])
async def test_no_page_asks_any_address_but_the_services_own(
    look: str, browser: Browser, server: FixtureServer
) -> None:
    page = await browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
    for name in ("air", "hall", "break", "result"):
        await page.goto(f"{server.url}/{name}?theme={look}&lang=en")
        await page.wait_for_selector("main")
        await server.play("over")
        await page.wait_for_timeout(100)
    await page.close()
    assert len(asked) > 20
    assert [address for address in asked if not address.startswith((server.url, "data:"))] == []
