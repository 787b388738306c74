"""A browser for the whole package, a fixture service for every test, and the pages built when their sources changed."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from tests.overlay.fixture_server import DIST, OVERLAY, FixtureServer

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
STANDS = {
    "judge": ".seat",
    "air": ".card",
    "hall": ".seat",
    "table": "[data-key]",
    "break": "header",
    "result": "header",
}
"""What every page shows once it has its first view."""
SIZES = {
    "judge": (1280, 800),
    "table": (1280, 800),
    "air": (1920, 1080),
    "hall": (1920, 1080),
    "break": (1920, 1080),
    "result": (1920, 1080),
}


def _sources() -> list[Path]:
    parts = [OVERLAY / "src", OVERLAY / "public"]
    inside = [path for part in parts for path in part.rglob("*") if path.is_file() and ".test." not in path.name]
    return [*inside, *OVERLAY.glob("*.html"), *OVERLAY.glob("*.ts"), OVERLAY / "package-lock.json"]


@pytest.fixture(scope="session")
def built_pages() -> Path:
    """The folder of built pages, built anew when a source is newer than the build."""
    note = DIST / "build.json"
    newest = max(path.stat().st_mtime for path in _sources())
    if not note.exists() or note.stat().st_mtime < newest:
        subprocess.run(["npm", "run", "build"], cwd=OVERLAY, check=True, capture_output=True)
    return DIST


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def browser(built_pages: Path) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        await chromium.close()


@pytest_asyncio.fixture(loop_scope="package")
async def server(built_pages: Path) -> AsyncIterator[FixtureServer]:
    service = FixtureServer()
    await service.start()
    yield service
    await service.stop()


async def shown(page: Page, server: FixtureServer) -> None:
    """Returns once `page` has drawn what it was sent last."""
    await page.wait_for_function(
        "(revision) => document.documentElement.dataset.revision === String(revision)", arg=server.revision
    )
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


class Opener:
    """Opens pages of the fixture service; every page is a viewer of its own, and none may throw."""

    def __init__(self, browser: Browser, server: FixtureServer) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []

    async def __call__(
        self, name: str, address: str = "?lang=ru", *, still: bool = True, ready: bool = True, **options: Any
    ) -> Page:
        """`still` asks for less motion, so that what is looked at has settled; `init` runs before the page."""
        width, height = SIZES[name]
        init = options.pop("init", None)
        context = await self.browser.new_context(
            viewport=options.pop("viewport", {"width": width, "height": height}),
            reduced_motion="reduce" if still else "no-preference",
            **options,
        )
        self.contexts.append(context)
        if init is not None:
            await context.add_init_script(init)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{name}: {error}"))
        await page.goto(f"{self.server.url}/{name}{address}")
        if ready:
            await page.wait_for_selector(STANDS[name])
        return page


@pytest_asyncio.fixture(loop_scope="package")
async def open_page(browser: Browser, server: FixtureServer) -> AsyncIterator[Opener]:
    opener = Opener(browser, server)
    yield opener
    for context in opener.contexts:
        await context.close()
    assert opener.errors == []
