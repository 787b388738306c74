"""The sample final, played by the real service, on every page that people see, in three languages at once: a picture of
every kind of moment, and nothing on it cut or over anything else. `make soak` runs it; with PICTURES=FOLDER in the
environment the pictures stay there.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, Page

from controller.game.phases import Over
from controller.service.access import Scope
from controller.service.demo import Autoplay
from controller.service.running import Running, running
from controller.service.settings import Game, Settings, Web
from controller.sound.settings import SoundSettings
from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.facts import Surroundings
from tests.overlay.conftest import STANDS
from tests.overlay.geometry import faults
from tests.overlay.stories import LONGEST, kind_of
from tests.overlay.test_change import until

pytestmark = [
    pytest.mark.browser,
    pytest.mark.soak,
    pytest.mark.timeout(1800),
    pytest.mark.asyncio(loop_scope="package"),
]

SPEED = 8.0
LANGUAGES = ("ru", "uk", "en")
PAGES = ("air", "hall", "break", "result")
SETTLES_S = 0.25
LEAST_KINDS = 20


async def opened(browser: Browser, service: Running) -> dict[tuple[str, str], Page]:
    found: dict[tuple[str, str], Page] = {}
    for language in LANGUAGES:
        context = await browser.new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
        for name in PAGES:
            link = {"air": service.link(Scope.AIR), "result": service.link(Scope.AIR).replace("/air", "/result")}
            page = found[name, language] = await context.new_page()
            await page.goto(link.get(name, f"{service.address}/{name}").replace(f"/{name}", f"/{name}?lang={language}"))
            await page.wait_for_selector(STANDS[name] if name != "result" else "main")
    return found


def kind(snapshot: Snapshot) -> tuple[object, ...]:
    return kind_of(msgspec.json.decode(msgspec.json.encode(air_view(snapshot, Surroundings()))))


async def test_every_moment_of_a_real_final_stands_whole_on_every_page(
    browser: Browser, built_pages: Path, tmp_path: Path
) -> None:
    folder = Path(os.environ.get("PICTURES", tmp_path / "pictures"))
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - nobody waits for it
    game = Game(event="Кубок Осени", stage="Финал", names=LONGEST["ru"])
    chosen = Settings(data=tmp_path / "data", web=Web(port=0), game=game, sound=SoundSettings(on=False))
    found: list[str] = []
    async with running(chosen, simulated=True) as service:
        pages = await opened(browser, service)
        changed = asyncio.Event()
        service.table.subscribe(lambda _snapshot, _cause: changed.set())
        playing = asyncio.create_task(Autoplay(service, SPEED).run())
        seen: set[tuple[object, ...]] = set()
        try:
            while True:
                changed.clear()
                snapshot = service.table.snapshot
                now = kind(snapshot)
                if now in seen:
                    async with asyncio.timeout(120):
                        await changed.wait()
                    continue
                seen.add(now)
                open_window = snapshot.window is not None
                # The players wait while they are looked at; an open window waits for nobody, and is seen on air.
                if not open_window:
                    service.takeover.give(person=True)
                await asyncio.sleep(SETTLES_S)
                for (name, language), page in pages.items():
                    if open_window and name != "air":
                        continue
                    moment = f"{len(seen):02}-{now[0]}-{name}-{language}"
                    found += [f"{moment}: {fault}" for fault in await faults(page, name)]
                    await page.screenshot(path=folder / f"{moment}.jpg", type="jpeg", quality=80)
                service.takeover.give(person=False)
                if isinstance(snapshot.state.phase, Over):
                    break
            for language in LANGUAGES:
                await until(pages["result", language], "document.querySelectorAll('.row').length >= 10")
        finally:
            playing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await playing
        for page in pages.values():
            await page.close()
    assert len(seen) >= LEAST_KINDS
    assert sorted(set(found)) == []
