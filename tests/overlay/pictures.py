"""Contact sheets of a whole game, to be looked at: `python -m tests.overlay.pictures FOLDER [PAGE] [LANGUAGE] [LOOK]`.

Every moment of the tests, eight to a sheet, over a dark frame; with the longest names of the language. PAGE is air,
hall, break, result or judge; the other pages are in `pictures_of_service`.
"""

from __future__ import annotations

import asyncio
import base64
import sys
from html import escape
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from controller.service.themes import Looks
from tests.overlay.conftest import ARGUMENTS, CHROMIUM, SIZES
from tests.overlay.fixture_server import FixtureServer
from tests.overlay.stories import picture
from tests.overlay.test_pictures import moments_for

PER_SHEET = 8
SHEET_WIDTH = 1920


async def shoot(browser: Browser, name: str, language: str, look: str) -> list[tuple[str, bytes]]:
    """Every moment of one page as a JPEG."""
    server = FixtureServer(looks=Looks(look), picture=lambda file: picture(int(file.partition(".")[0])))
    await server.start()
    width, height = SIZES[name]
    page = await browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    await page.goto(f"{server.url}/{name}?lang={language}")
    shots: list[tuple[str, bytes]] = []
    for moment, views in moments_for(name, language):
        await server.show(views)
        await page.wait_for_timeout(150)
        if name == "air":
            await page.evaluate("document.documentElement.style.background = '#2a211c'")
        shots.append((moment, await page.screenshot(type="jpeg", quality=85)))
    await page.close()
    await server.stop()
    return shots


async def write_sheets(
    browser: Browser, folder: Path, name: str, shots: list[tuple[str, bytes]], *, across: int = 2
) -> None:
    """Pictures as PNG files of eight, `across` beside one another, each under its own name."""
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - nobody waits for it
    wide = SHEET_WIDTH // across
    for first in range(0, len(shots), PER_SHEET):
        parts = "".join(
            f'<div style="width:{wide}px">{escape(moment)}<img style="width:{wide - 4}px;display:block" '
            f'src="data:image/jpeg;base64,{base64.b64encode(shot).decode()}"></div>'
            for moment, shot in shots[first : first + PER_SHEET]
        )
        page = await browser.new_page(viewport={"width": SHEET_WIDTH, "height": 100})
        await page.set_content(f'<body style="margin:0;display:flex;flex-wrap:wrap;font:20px sans-serif">{parts}')
        file = folder / f"{name}-{first // PER_SHEET:02}.png"
        await page.screenshot(path=file, full_page=True)
        await page.close()
        print(file)


async def sheets(folder: Path, names: list[str], languages: list[str], look: str) -> None:
    """Writes the sheets into `folder`."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in names:
            for language in languages:
                await write_sheets(browser, folder, f"{name}-{language}", await shoot(browser, name, language, look))
        await browser.close()


if __name__ == "__main__":
    given = sys.argv[1:]
    asyncio.run(
        sheets(
            Path(given[0]),
            given[1:2] or ["air", "hall", "break", "result"],
            given[2:3] or ["ru", "uk", "en"],
            (given[3:4] or ["dark"])[0],
        )
    )
