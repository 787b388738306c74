"""The pictures of the judge's guide, taken from the real page: `python -m tests.overlay.guide_pictures [FOLDER]`.

They lie in docs/pictures and are made anew when the tablet has changed enough for a reader to notice.
"""

from __future__ import annotations

import asyncio
import copy
import io
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, async_playwright

from tests.overlay.conftest import ARGUMENTS, CHROMIUM, SIZES
from tests.overlay.fixture_server import FixtureServer
from tests.overlay.test_pictures import moments_for

DOCS = Path(__file__).parents[2] / "docs" / "pictures"
LANGUAGES = ("ru", "en")
SHOWN = {
    "deal": "dealing",
    "speech": "speech",
    "call": "vote_called",
    "vote": "vote",
    "night": "night",
    "after": "over",
}
"""The picture's name, and the moment of the tests that it shows."""
DISK = "disk"
"""The same as the speech, but that the disk takes nothing."""
WIDTH = 960
LARGEST_BYTES = 80_000
QUALITY = 72


def picture_names() -> tuple[str, ...]:
    """What the pictures are called."""
    return (*SHOWN, DISK)


def views_of(language: str) -> dict[str, Any]:
    """What the tablet is shown for each picture."""
    moments = dict(moments_for("judge", language))
    found = {name: moments[moment] for name, moment in SHOWN.items()}
    failing = copy.deepcopy(found["speech"])
    failing["judge"] |= {"disk": "failing", "unsaved": {"offered": True, "on": False, "rows": 0, "since": None}}
    return found | {DISK: failing}


async def shoot(browser: Browser, language: str, folder: Path) -> None:
    """Every picture in one language."""
    server = FixtureServer()
    await server.start()
    width, height = SIZES["judge"]
    page = await browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    await page.goto(f"{server.url}/judge?lang={language}")
    for name, views in views_of(language).items():
        await server.show(views)
        await page.wait_for_timeout(400)
        shot = Image.open(io.BytesIO(await page.screenshot()))
        shot.thumbnail((WIDTH, WIDTH))
        shot.convert("RGB").save(folder / f"judge-{name}.{language}.webp", quality=QUALITY, method=6)
    await page.close()
    await server.stop()


async def shoot_all(folder: Path) -> None:
    """Both languages' pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - nobody waits for it
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for language in LANGUAGES:
            await shoot(browser, language, folder)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(shoot_all(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS))
