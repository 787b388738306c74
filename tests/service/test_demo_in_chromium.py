"""A whole sample final on the built pages, in a real Chromium: judge, air and hall at once."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, async_playwright

from controller.service.access import Scope
from controller.service.demo import Autoplay
from controller.service.running import PAGES, Running, running
from controller.service.settings import Settings, Web
from tests.service.waiting import comes_true

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(240),
    pytest.mark.skipif(not (PAGES / "hall.html").is_file(), reason="the pages are not built: make web"),
]
SPEED = 25.0
ROLE_WORDS = re.compile(
    r"мафи|дон(?![а-яё])|дона(?![а-яё])|шериф|мирн|чёрн|черн|красн|mafia|sheriff|civilian|role", re.IGNORECASE
)

COLLECT = """
(() => {
  const seen = new Set()
  const look = () => {
    if (!document.body) return
    seen.add(document.body.innerText)
    for (const one of document.querySelectorAll('[aria-label],[title],[alt]'))
      for (const name of ['aria-label', 'title', 'alt']) if (one.getAttribute(name)) seen.add(one.getAttribute(name))
  }
  new MutationObserver(look).observe(document, {subtree: true, childList: true, characterData: true, attributes: true})
  window.everything = () => { look(); return [...seen] }
})()
"""


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a screen."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=[
                "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--no-first-run",
            ],
        )  # fmt: skip
        yield browser
        await browser.close()


@pytest.fixture
async def demo(chosen: Settings) -> AsyncIterator[Running]:
    """A simulated table with the real pages."""
    async with running(chosen, simulated=True) as service:
        yield service


async def _opened(browser: Browser, link: str, complaints: list[str]) -> Page:
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    page = await context.new_page()
    page.on("pageerror", lambda error: complaints.append(f"{link}: {error}"))
    page.on("console", lambda said: complaints.append(f"{link}: {said.text}") if said.type == "error" else None)
    await page.add_init_script(COLLECT)
    await page.goto(link)
    return page


async def _shows(page: Page, words: str, seconds: float = 150) -> None:
    await page.wait_for_function(
        "words => document.body.innerText.toLowerCase().includes(words)", arg=words.lower(), timeout=seconds * 1000
    )


async def test_a_whole_final_on_air_in_the_hall_and_at_the_judge(browser: Browser, demo: Running) -> None:
    complaints: list[str] = []
    autoplay = asyncio.create_task(Autoplay(demo, SPEED).run())
    try:
        pages: dict[Scope, Any] = {}
        for scope in (Scope.JUDGE, Scope.AIR, Scope.HALL):
            pages[scope] = await _opened(browser, demo.link(scope), complaints)
            await _shows(pages[scope], "Велосипедо", 20)
        # The token leaves the address bar as soon as it is read.
        assert demo.access[Scope.JUDGE] not in await pages[Scope.JUDGE].evaluate("location.href")

        for scope, words in ((Scope.HALL, "Голосование"), (Scope.HALL, "Ночь 1"), (Scope.HALL, "День 2")):
            await _shows(pages[scope], words)
        for page in pages.values():
            await _shows(page, "Победа города" if page is not pages[Scope.JUDGE] else "Игра окончена")

        hall = await pages[Scope.HALL].evaluate("everything()")
        assert len(hall) > 50
        assert [text for text in hall if ROLE_WORDS.search(text)] == []
        air = "\n".join(await pages[Scope.AIR].evaluate("everything()"))
        assert "симуляция" in air.lower()
        judge = "\n".join(await pages[Scope.JUDGE].evaluate("everything()"))
        assert "Кто голосует против игрока под номером 6?" in judge
        assert complaints == []
    finally:
        autoplay.cancel()
        with pytest.raises(asyncio.CancelledError):
            await autoplay


async def test_a_page_that_loses_the_service_comes_back_by_itself(
    browser: Browser, chosen: Settings, unused_tcp_port: int
) -> None:
    complaints: list[str] = []
    fixed = Settings(data=chosen.data, web=Web(port=unused_tcp_port), game=chosen.game)
    async with running(fixed) as service:
        page = await _opened(browser, service.link(Scope.AIR), complaints)
        await _shows(page, "Велосипедо", 20)
    complaints.clear()  # a page may say that it has lost the service
    async with running(fixed) as service:
        await comes_true(lambda: bool(service.broadcast.screens.of(Scope.AIR)))
        await _shows(page, "Велосипедо", 20)
