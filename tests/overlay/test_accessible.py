"""The judge's page for every hand and eye: axe finds nothing serious in any state, and every target can be hit."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page

from tests.overlay.conftest import Opener, shown
from tests.overlay.fixture_server import OVERLAY, FixtureServer, moments
from tests.overlay.geometry import faults
from tests.overlay.stories import LONGEST

AXE = OVERLAY / "node_modules" / "axe-core" / "axe.min.js"
SMALLEST = 48
pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]

_RUN = """
async () => {
  const found = await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']})
  if (found.passes.length < 8) return [`axe has looked at ${found.passes.length} rules alone`]
  return found.violations
    .filter((one) => ['serious', 'critical'].includes(one.impact))
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(' ')} ${node.failureSummary}`))
}
"""
_SMALL = """
(least) => [...document.querySelectorAll('button, a, input, [role=switch]')]
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, box]) => box.width > 0 && !one.disabled && !one.classList.contains('veil')
    && (box.width < least || box.height < least))
  .map(([one, box]) => `${one.className} ${one.textContent.trim().slice(0, 20)}: ${box.width} x ${box.height}`)
"""


# What would have to be pushed aside: a page or a part of it that is wider than there is room for.
_ASIDE = """
() => [document.documentElement, ...document.querySelectorAll('.content, .middle')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => `${one.className}: ${one.scrollWidth} in ${one.clientWidth}`)
"""


async def _faults(page: Page) -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = await page.evaluate(_RUN)
    return found + await page.evaluate(_SMALL, SMALLEST)


async def test_every_moment_of_the_judges_page_is_for_everybody(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("judge")
    found: list[str] = []
    for moment in moments():
        await server.play(moment)
        await shown(page, server)
        found += [f"{moment}: {fault}" for fault in await _faults(page)]
    assert found == []


SHEETS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("seat", "speech", ()),
    ("more", "speech", ("[aria-label='Ещё']",)),
    ("history", "vote", ("[aria-label='Ещё']", ".list .act:nth-child(1)")),
    ("readiness", "walk", ("[aria-label='Ещё']", ".list .act:nth-child(2)")),
    ("set up", "setup", ("aside .wide",)),
)


@pytest.mark.parametrize(("name", "moment", "touches"), SHEETS, ids=[sheet[0] for sheet in SHEETS])
async def test_every_sheet_is_for_everybody_and_takes_the_focus(
    name: str, moment: str, touches: tuple[str, ...], server: FixtureServer, open_page: Opener
) -> None:
    server.change(moment)
    page = await open_page("judge")
    if name == "seat":
        await page.keyboard.press("Shift+Digit8")
    for touch in touches:
        await page.locator(touch).first.click()
    await page.wait_for_selector("[role=dialog]")
    assert await page.evaluate("document.querySelector('[role=dialog]').contains(document.activeElement)")
    assert await _faults(page) == []
    await page.keyboard.press("Escape")
    await page.wait_for_selector("[role=dialog]", state="detached")


TABLETS = ((1024, 768), (1180, 820), (768, 1024), (820, 1180))
UPRIGHT = ((390, 844), (360, 740), (430, 932))
"""Phones: the middle of the page is pushed up and down, nothing is pushed aside."""
LYING = ((844, 390),)
"""It shows a part of the page at a time."""


@pytest.mark.parametrize(("width", "height"), TABLETS + UPRIGHT + LYING)
async def test_on_every_screen_lying_or_upright_a_target_is_as_large_as_a_fingertip(
    width: int, height: int, server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("judge", viewport={"width": width, "height": height})
    found: list[str] = []
    for moment in moments():
        await server.play(moment)
        await shown(page, server)
        found += [f"{moment}: {fault}" for fault in await page.evaluate(_SMALL, SMALLEST)]
        if (width, height) not in LYING:
            found += [f"{moment}: {fault}" for fault in await faults(page, "judge")]
    # The seat comes first: what lies under a sheet is not touched by the finger that has just closed one.
    for moment, touch in (("over", "[data-seat='4']"), ("setup", "aside .wide"), ("speech", "[aria-label='Ещё']")):
        await server.play(moment)
        await page.locator(touch).first.click()
        await page.wait_for_selector("[role=dialog]")
        found += [f"sheet at {moment}: {fault}" for fault in await page.evaluate(_SMALL, SMALLEST)]
        await page.keyboard.press("Escape")
    assert found == []


MORE = "header .right button:last-child"
PHONE_SHEETS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("over", ("[data-seat='4']",)),
    ("speech", (MORE,)),
    ("over", (MORE,)),
    ("vote", (MORE, ".list .act:nth-child(1)")),
    ("vote", (MORE, ".list .act:nth-child(1)", ".content button")),
    ("vote", (MORE, ".list .act:nth-child(4)")),
    ("walk", (MORE, ".list .act:nth-child(2)")),
    ("speech", (MORE, ".list .act:nth-child(6)")),
    ("setup", ("aside .wide",)),
    ("night", (".centre .pill >> nth=1",)),
)


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
async def test_on_a_phone_nothing_has_to_be_pushed_aside_and_every_sheet_stands_whole(
    language: str, server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("judge", f"?lang={language}", viewport={"width": UPRIGHT[0][0], "height": UPRIGHT[0][1]})
    found: list[str] = []
    for moment, touches in PHONE_SHEETS:
        await server.play(moment)
        for touch in touches:
            await page.locator(touch).first.click()
        await page.wait_for_selector("[role=dialog]")
        where = f"{moment} {touches[-1]}"
        found += [f"{where}: {fault}" for fault in await faults(page, "judge")]
        found += [f"{where}: {fault}" for fault in await page.evaluate(_SMALL, SMALLEST)]
        found += [f"{where}: {fault}" for fault in await page.evaluate(_ASIDE)]
        await page.keyboard.press("Escape")
        await page.wait_for_selector("[role=dialog]", state="detached")
    assert found == []


async def test_the_side_judges_page_is_for_everybody_and_moves_nothing(
    server: FixtureServer, open_page: Opener
) -> None:
    server.change("speech")
    page = await open_page("judge", "?lang=ru&side=1", ready=False)
    await page.wait_for_selector("[data-seat]")
    assert server.hellos[-1]["side"] is True
    await page.locator("[data-seat='8']").click()
    assert await _faults(page) == []
    await page.locator(".pair .foul").click()
    await page.keyboard.press("Space")
    await page.wait_for_timeout(100)
    sent: list[dict[str, Any]] = server.commands
    assert [(one["do"], one["seat"]) for one in sent] == [("foul", 8)]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
async def test_on_a_phone_the_side_judges_page_and_the_way_in_are_there_whole(
    width: int, height: int, server: FixtureServer, open_page: Opener
) -> None:
    server.change("speech")
    for row, name in zip(server.views["judge"]["seats"], LONGEST["uk"], strict=True):
        row["name"] = name
    phone = {"width": width, "height": height}
    side = await open_page("judge", "?lang=uk&side=1", viewport=phone, ready=False)
    await side.locator("[data-seat='8']").click()
    found = [*await faults(side, "judge"), *await side.evaluate(_SMALL, SMALLEST), *await side.evaluate(_ASIDE)]
    entry = await open_page("judge", "?lang=uk#t=stranger", viewport=phone, ready=False)
    await entry.wait_for_selector(".keys button")
    found += [*await entry.evaluate(_SMALL, SMALLEST), *await entry.evaluate(_ASIDE)]
    each = "[...document.querySelectorAll('.keys button, .words')].map((e) => e.getBoundingClientRect().right)"
    right = f"Math.max(...{each})"
    assert await entry.evaluate(right) <= width
    assert found == []
