"""Contact sheets of pages that need the whole service: `python -m tests.overlay.pictures_of_service FOLDER [LANGUAGE]`.

The simulated final and a practice game run as a person would start them; every page is opened by the link that they
print, on the screens that it is for: producer, simulated table, spectators, devices, office, side judge, the judge's
sheets, the room of the practice, and what is shown to somebody whose link is wrong.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, Page, async_playwright

from tests.overlay.conftest import ARGUMENTS, CHROMIUM
from tests.overlay.pictures import write_sheets

PROGRAM = [str(Path(sys.executable).with_name("mafia-table"))]
TABLET, UPRIGHT, LYING, PROJECTOR = (1280, 800), (390, 844), (844, 390), (1920, 1080)
PLAYED_S = 75
"""So long the final plays before it is looked at: the first vote is over then."""
MORE = "header .right button:last-child"

Act = Callable[[Page], Awaitable[None]]


@dataclass
class Taker:
    """Opens pages and keeps what they look like."""

    browser: Browser
    language: str
    shots: dict[tuple[int, int], list[tuple[str, bytes]]] = field(default_factory=dict)

    async def take(
        self, name: str, link: str, *sizes: tuple[int, int], act: Act | None = None, wait_ms: int = 1200
    ) -> None:
        """One picture on each screen; `act` is what a hand does first."""
        address, _, fragment = link.partition("#")
        address += ("&" if "?" in address else "?") + f"lang={self.language}"
        for width, height in sizes:
            hand = min(width, height) < 600
            context = await self.browser.new_context(
                viewport={"width": width, "height": height}, reduced_motion="reduce", is_mobile=hand, has_touch=hand
            )
            page = await context.new_page()
            await page.goto(f"{address}#{fragment}" if fragment else address)
            await page.wait_for_timeout(wait_ms)
            if act is not None:
                await act(page)
                await page.wait_for_timeout(wait_ms)
            self.shots.setdefault((width, height), []).append((name, await page.screenshot(type="jpeg", quality=88)))
            await context.close()


@asynccontextmanager
async def started(*arguments: str) -> AsyncGenerator[list[str]]:
    """The program with these arguments, and the links that it prints."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, *arguments, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    assert process.stdout is not None
    links: list[str] = []
    async for line in process.stdout:
        links += re.findall(r"http://\S+", line.decode())
        if b"Ctrl-C" in line:
            break
    try:
        yield links
    finally:
        process.terminate()
        await process.communicate()


async def said(*arguments: str) -> str:
    """What the program answers."""
    process = await asyncio.create_subprocess_exec(*PROGRAM, *arguments, stdout=asyncio.subprocess.PIPE)
    answer, _ = await process.communicate()
    return answer.decode()


def touching(*targets: str) -> Act:
    """Touches one thing after another."""

    async def act(page: Page) -> None:
        for target in targets:
            await page.locator(target).first.click()
            await page.wait_for_timeout(300)

    return act


def entering(pin: str, *targets: str) -> Act:
    """Types the PIN, and touches one thing after another."""

    async def act(page: Page) -> None:
        await page.keyboard.type(pin)
        await page.keyboard.press("Enter")
        await page.wait_for_timeout(1500)
        await touching(*targets)(page)

    return act


async def held(page: Page) -> None:
    """A finger that stays on seat 4."""
    await page.locator("[data-seat='4']").first.click(delay=900)


async def take_final(taker: Taker, folder: str, language: str) -> None:
    """The pages of the simulated final."""
    async with started("demo", "--data", folder, "--port", "0", "--lang", language) as links:
        by = {link.rpartition("/")[2].partition("#")[0]: link for link in links}
        base = by["hall"].rpartition("/")[0]
        port = base.rpartition(":")[2]

        async def devices(*arguments: str) -> str:
            return await said("devices", *arguments, "--data", folder)

        pin = {desk: re.findall(r"\d{6,}", await devices("pin", "--for", desk))[0] for desk in ("judge", "office")}
        later = {
            delay: re.findall(
                r"http://\S+",
                await devices("link", "spectator", "--name", delay, "--delay", delay, "--yes", "--port", port),
            )[0]
            for delay in ("0", "20", "600")
        }
        invited = [
            re.findall(r"http://\S+", await devices("add", f"{desk} {n}", "--for", desk, "--port", port))[0]
            for n, desk in enumerate(("judge", "office", "judge"))
        ]
        await asyncio.sleep(PLAYED_S)
        side = by["judge"].replace("/judge", "/judge?side=1")
        await taker.take("producer", by["producer"], TABLET, PROJECTOR, UPRIGHT)
        await taker.take("simulated table", by["table"], TABLET, UPRIGHT)
        await taker.take("spectators", later["0"], TABLET, UPRIGHT, LYING)
        await taker.take("spectators, not yet", later["600"], TABLET, UPRIGHT)
        both = f"{later['0']}&{later['20'].partition('#')[2]}"
        await taker.take("two tables", both, TABLET, PROJECTOR)
        await taker.take("three tables", f"{both}&{later['600'].partition('#')[2]}", PROJECTOR)
        for page in ("hall", "break"):
            await taker.take(page, by[page], PROJECTOR, UPRIGHT, LYING)
        await taker.take("judge", by["judge"], TABLET, (800, 1280), UPRIGHT, LYING)
        await taker.take("side judge", side, TABLET, UPRIGHT, LYING)
        await taker.take("side judge: a seat", side, TABLET, UPRIGHT, LYING, act=touching("[data-seat='8']"))
        await taker.take("a seat's menu", by["judge"], TABLET, UPRIGHT, act=held)
        await taker.take("more", by["judge"], TABLET, UPRIGHT, act=touching(MORE))
        for place in range(1, 10):
            sheet = touching(MORE, f".list .act >> nth={place - 1}")
            if place not in (7, 8):  # a file to print, and a switch
                await taker.take(f"more, {place}", by["judge"], TABLET, UPRIGHT, act=sheet)
        await taker.take("the way in", f"{base}/judge", TABLET, UPRIGHT, LYING)
        await taker.take("the way in, invited", invited[0], TABLET, UPRIGHT)
        await taker.take("office", invited[1], TABLET, UPRIGHT, act=entering(pin["office"]))
        seen = invited[0].replace("/judge", "/devices")
        await taker.take("devices", invited[2].replace("/judge", "/devices"), TABLET, act=entering(pin["judge"]))
        await taker.take("devices and a QR code", seen, TABLET, act=entering(pin["judge"], "main button >> nth=0"))
        for page in ("air", "watch", "producer", "table"):
            await taker.take(f"{page}, wrong link", f"{base}/{page}#t=wrong", TABLET, UPRIGHT)
        await taker.take("no such page", f"{base}/nothing", TABLET, UPRIGHT)


async def take_practice(taker: Taker, language: str) -> None:
    """The room of a practice game."""
    async with started("practice", "--port", "0", "--lang", language, "--seed", "7") as links:
        for link in links:
            page = link.rpartition("/")[2].partition("#")[0]
            await taker.take(f"practice, {page}", link, TABLET, UPRIGHT)


async def main(folder: Path, language: str) -> None:
    """Writes the sheets into `folder`."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        taker = Taker(browser, language)
        with TemporaryDirectory() as data:
            await take_final(taker, data, language)
        await take_practice(taker, language)
        for (width, height), shots in taker.shots.items():
            await write_sheets(browser, folder, f"service-{width}-{language}", shots, across=4 if height > width else 2)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), (sys.argv[2:3] or ["ru"])[0]))
