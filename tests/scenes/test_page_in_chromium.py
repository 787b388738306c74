"""The producer's page in a real Chromium: what it shows of OBS, and that each of its keys does what it says."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright, expect

from controller.service import sample_final
from controller.service.access import Scope
from controller.service.running import PAGES, running
from controller.views.messages import Fact
from tests.scenes.fake_obs import FakeObs
from tests.scenes.test_desk import ROSTER, SCENES, deal, settings
from tests.service.waiting import comes_true

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not (PAGES / "producer.html").is_file(), reason="the pages are not built: make web"),
]


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium without a screen."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
        )
        yield browser
        await browser.close()


@pytest.fixture
async def obs() -> AsyncIterator[FakeObs]:
    """An OBS with the house's scenes and one of the producer's."""
    fake = await FakeObs(scenes=list(SCENES), program="Drone").start()
    yield fake
    await fake.stop()


async def test_the_wheel_the_scenes_the_overlay_and_the_cover(browser: Browser, obs: FakeObs, tmp_path: Path):
    (tmp_path / "roster").mkdir()
    (tmp_path / "roster" / "roster.toml").write_text(ROSTER.format(name=sample_final.NAMES[2]))
    async with running(settings(tmp_path, obs), simulated=True) as service:
        await deal(service)
        link = service.link(Scope.PRODUCER).replace("/producer", "/producer?lang=en")
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(link)
        await expect(page.get_by_text("OBS 29.0.2 is connected")).to_be_visible(timeout=30_000)
        await expect(page.locator(".scene.air")).to_have_text("Night", timeout=30_000)

        await page.get_by_role("button", name="Drone", exact=True).click()
        await comes_true(lambda: obs.program == "Drone")
        await expect(page.get_by_text("You hold the scene")).to_be_visible()
        await page.get_by_role("button", name="Cover the program").click()
        await comes_true(lambda: obs.program == "Cover")
        await page.get_by_role("button", name="Uncover").click()
        await comes_true(lambda: obs.program == "Drone")
        await page.get_by_role("button", name="Release").click()
        await comes_true(lambda: obs.program == "Night")

        await page.get_by_role("button", name="Roles").click()
        await comes_true(lambda: not service.desk.switches.roles)
        await expect(page.get_by_role("button", name="Roles")).to_have_attribute("aria-pressed", "false")
        await page.get_by_role("button", name="3", exact=True).click()
        await comes_true(lambda: service.desk.switches.lifted == 3)
        await page.get_by_placeholder("First line").fill("Полночь")
        await page.get_by_role("button", name="Show", exact=True).first.click()
        await comes_true(lambda: service.desk.switches.lower_third is not None)

        # What is the producer's own can be given back also where nobody holds the scene.
        await obs.event("CurrentSceneTransitionChanged", transitionName="Cut")
        await expect(page.get_by_text("As you set it, until “Release”: the transition")).to_be_visible()
        await page.get_by_role("button", name="Release").click()
        await expect(page.get_by_text("Yours until")).to_have_count(0)

        await obs.producer_switches("Vote")
        await expect(page.get_by_text("The scene was taken in OBS")).to_be_visible()
        await page.get_by_label("Stream delay, seconds").fill("40")
        await page.get_by_label("Spectators’ delay, seconds").fill("60")
        await page.get_by_role("button", name="Set").click()
        # Somebody in the hall could tell the players: once more.
        await page.get_by_role("button", name="Under 2 minutes").click()
        await comes_true(lambda: {row["parameterName"] for row in obs.requests("SetProfileParameter")} != set())
        await comes_true(lambda: service.desk.delay.spectators == 60)
        await expect(page.get_by_text("Spectators’ page 01:00")).to_be_visible()

        await page.get_by_label("Seat").select_option("3")
        await page.get_by_role("button", name="Играет с 2009 года").click()
        await comes_true(lambda: service.desk.switches.fact == Fact(seat=3, text="Играет с 2009 года"))
        await page.get_by_role("button", name="Every speech").click()
        await comes_true(lambda: service.desk.switches.facts == "speeches")
        assert faults == []


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
async def test_nothing_is_wider_than_a_phone(browser: Browser, obs: FakeObs, tmp_path: Path, language: str):
    async with running(settings(tmp_path, obs), simulated=True) as service:
        link = service.link(Scope.PRODUCER).replace("/producer", f"/producer?lang={language}")
        page = await browser.new_page(viewport={"width": 360, "height": 740})
        await page.goto(link)
        await expect(page.locator(".scene.air")).to_be_visible(timeout=30_000)
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
