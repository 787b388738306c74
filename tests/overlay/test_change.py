"""A look or a roster that changes reaches the pages that are open, of the real service, without opening them anew."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from PIL import Image
from playwright.async_api import Browser, Page

from controller.game import commands as cmd
from controller.game.phases import Speech
from controller.service import sample_final
from controller.service.access import Scope
from controller.service.running import running
from controller.service.settings import Game, Settings, Show, Web
from controller.table.wishes import Accepted, Wish

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]

ACCENT = "getComputedStyle(document.documentElement).getPropertyValue('--acc')"
NIGHT = """(() => {
  const dark = document.createElement('div')
  dark.className = 'night'
  document.body.append(dark)
  const found = getComputedStyle(dark).getPropertyValue('--acc')
  dark.remove()
  return found
})()"""


def settings(folder: Path) -> Settings:
    """A table with players and an event's own look."""
    show = Show(theme=str(folder / "cup.toml"), roster=str(folder / "roster"))
    game = Game(event="Кубок", names=sample_final.NAMES)
    return Settings(data=folder / "data", web=Web(port=0), game=game, show=show)


def write(file: Path, text: str) -> None:
    """As an editor does: whole or not at all."""
    new = file.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def paint(file: Path, colour: str) -> None:
    file.parent.mkdir(exist_ok=True)
    new = file.with_suffix(".new")
    Image.new("RGB", (300, 320), colour).save(new, "PNG")
    new.replace(file)


async def until(page: Page, condition: str, within: float = 30.0) -> None:
    """Asks again and again: the service's own pages let no script of Playwright's wait inside them."""
    ends = time.monotonic() + within
    while not await page.evaluate(condition):
        assert time.monotonic() < ends, condition
        await asyncio.sleep(0.1)


async def opened(browser: Browser, link: str, stands: str) -> Page:
    page = await browser.new_page(viewport={"width": 1920, "height": 1080})
    await page.goto(link)
    await page.wait_for_selector(stands)
    await page.evaluate("window.first = true")
    return page


async def test_a_new_look_with_its_logo_is_worn_by_every_open_page(
    browser: Browser, built_pages: Path, tmp_path: Path
) -> None:
    look = tmp_path / "cup.toml"
    write(look, '[colours]\nacc = "#ffb000"\nacc_line = "#ffb000"\n')
    paint(tmp_path / "logo.png", "#204080")
    async with running(settings(tmp_path), simulated=True) as service:
        air = await opened(browser, service.link(Scope.AIR), ".card")
        hall = await opened(browser, f"{service.address}/hall", ".seat")
        pause = await opened(browser, service.link(Scope.BREAK), "header")
        pages = (air, hall, pause)
        own = await browser.new_page()
        await own.goto(service.link(Scope.AIR).replace("/air", "/air?theme=light"))
        await own.wait_for_selector(".card")
        asked_for = await own.evaluate(ACCENT)
        for page in pages:
            assert await page.evaluate(ACCENT) == "#ffb000"

        write(
            look,
            '[colours]\nacc = "#40e080"\nacc_line = "#40e080"\n[night]\nacc = "#30c070"\n'
            '[logos]\nevent = "logo.png"\nsponsors = ["logo.png"]\n[safe]\nx = 60\ny = 40\n',
        )
        for page in pages:
            await until(page, f"{ACCENT} === '#40e080'")
            assert await page.evaluate(NIGHT) == "#30c070"
        for page in (air, pause):
            await until(
                page,
                "[...document.querySelectorAll('img[src^=\"/theme/\"]')]"
                ".filter((i) => i.naturalWidth === 300).length >= 2",
            )
        # What is computed from the look, not only coloured by it.
        first = await air.locator(".place").first.bounding_box()
        assert first is not None
        assert first["x"] == pytest.approx(60, abs=1)

        logo = "document.querySelector('.logo img').getAttribute('src')"
        before = await air.evaluate(logo)
        paint(tmp_path / "logo.png", "#a02040")
        await until(air, f"{logo} !== '{before}'")

        # A file that is wrong leaves what is shown, and the next good one is worn again.
        write(look, '[colours]\nacc = "green"\n')
        write(look, '[colours]\nacc = "#60c0ff"\nacc_line = "#60c0ff"\n')
        for page in pages:
            await until(page, f"{ACCENT} === '#60c0ff'")
            assert await page.evaluate(NIGHT) == "#60c0ff"
            assert await page.locator('img[src^="/theme/"]').count() == 0
            assert await page.evaluate("window.first")
        assert await own.evaluate(ACCENT) == asked_for
        for page in (*pages, own):
            await page.close()


async def test_a_picture_and_a_next_game_in_the_roster_reach_open_pages(
    browser: Browser, built_pages: Path, tmp_path: Path
) -> None:
    write(tmp_path / "cup.toml", "")
    roster, name = tmp_path / "roster", sample_final.NAMES[2]
    roster.mkdir()
    async with running(settings(tmp_path), simulated=True) as service:
        air = await opened(browser, service.link(Scope.AIR), ".card")
        pause = await opened(browser, service.link(Scope.BREAK), "header")
        assert await air.locator('img[src^="/photos/"]').count() == 0
        source = "document.querySelector('img.portrait[src^=\"/photos/\"]')?.getAttribute('src')"

        paint(roster / f"{name}.png", "#305070")
        await until(air, f"{source} !== undefined")
        before = await air.evaluate(source)
        paint(roster / f"{name}.png", "#a03050")
        await until(air, f"{source} !== undefined && {source} !== '{before}'")

        # While players sit down, they are who plays next; then the roster's next game is.
        commands = [*(cmd.Deal(seat, role) for seat, role in enumerate(sample_final.CARDS, 1)), cmd.Next()]
        for number, command in enumerate(commands):
            assert isinstance(await service.table.submit(Wish(id=f"d{number}", command=command)), Accepted)
        players = [f"Новичок {seat}" for seat in range(1, 10)] + [name]
        write(roster / "roster.toml", f"[[game]]\ngame = 7\nplayers = {players!r}\n")
        await until(pause, "document.body.innerText.includes('Новичок 9')")
        write(roster / "roster.toml", f"[[game]]\ngame = 7\nplayers = {['Переименован', *players[1:]]!r}\n")
        await until(pause, "document.body.innerText.includes('Переименован')")
        for page in (air, pause):
            assert await page.evaluate("window.first")
            await page.close()


async def test_a_fact_that_changes_in_the_roster_reaches_open_pages(
    browser: Browser, built_pages: Path, tmp_path: Path
) -> None:
    write(tmp_path / "cup.toml", "")
    roster, name = tmp_path / "roster", sample_final.NAMES[0]
    roster.mkdir()

    def tell(*facts: str) -> None:
        write(roster / "roster.toml", f"[[player]]\nname = '{name}'\nfacts = {list(facts)!r}\n")

    tell("Двадцать лет за столом")
    chosen = settings(tmp_path)
    chosen = replace(chosen, show=msgspec.structs.replace(chosen.show, facts="speeches"))
    async with running(chosen, simulated=True) as service:
        commands = [*(cmd.Deal(seat, role) for seat, role in enumerate(sample_final.CARDS, 1)), cmd.Next()]
        for number, command in enumerate(commands):
            assert isinstance(await service.table.submit(Wish(id=f"d{number}", command=command)), Accepted)
        number = 100
        while not isinstance(service.table.snapshot.state.phase, Speech):
            number += 1
            assert isinstance(await service.table.submit(Wish(id=f"n{number}", command=cmd.Next())), Accepted)
        air = await opened(browser, service.link(Scope.AIR), ".card")
        desk = await opened(browser, service.link(Scope.PRODUCER), "main h1")
        shows = "document.body.innerText.includes('{}')"
        # By itself, on whoever speaks.
        await until(air, shows.format("Двадцать лет за столом"))
        tell("Двадцать один год за столом")
        await until(air, shows.format("Двадцать один год за столом"))
        await until(air, f"!{shows.format('Двадцать лет')}")
        # The producer is offered the new ones, and what he shows stays his: the roster does not speak over him.
        tell("Ни одного фола в этом сезоне", "Вторая игра подряд")
        await desk.get_by_role("button", name="Ни одного фола").click()
        await until(air, shows.format("Ни одного фола"))
        tell("Совсем другое")
        await until(desk, shows.format("Совсем другое"))
        assert await air.evaluate(shows.format("Ни одного фола"))
        await desk.get_by_role("button", name="Совсем другое").click()
        await until(air, shows.format("Совсем другое"))
        await until(air, f"!{shows.format('Ни одного фола')}")
        for page in (air, desk):
            assert await page.evaluate("window.first")
            await page.close()
