"""A whole game on every page a spectator sees, with the longest names and people's own pictures: nothing cut, nothing
over anything else, every word readable over any video, and a page that comes late like one that was there."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageStat

from controller.service.themes import Looks
from tests.overlay.conftest import Opener
from tests.overlay.contrast import pale_words
from tests.overlay.fixture_server import FixtureServer
from tests.overlay.geometry import faults
from tests.overlay.stories import Views, desk_moments, long_names, others, whole_game
from tests.overlay.stories import picture as drawing
from tests.overlay.test_secrets import at_rest, picture

# A whole game is a hundred pictures: they come slowly where the machine has something else to do.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="package")]

LANGUAGES = ("ru", "uk", "en")
SETTLES_MS = 30
LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100">'
    '<rect width="300" height="100" fill="#e6b23c"/></svg>'
)
OWN = """
name = "Cup"
[colours]
acc = "#ffb000"
acc_line = "#ffb000"
[logos]
event = "logo.svg"
sponsors = ["logo.svg", "logo2.svg", "logo3.svg", "logo4.svg"]
[lower_third]
side = "right"
plane = "#5a1020"
[safe]
x = 60
y = 36
"""


def source(page: str) -> str:
    """Which audience's view a page shows."""
    return "air" if page == "result" else page


def moments_for(page: str, language: str, *, long: bool = True) -> list[tuple[str, Views]]:
    """Everything there is to be seen on `page`; each picture once."""
    found: dict[str, tuple[str, Views]] = {}
    story = desk_moments(language) if page == "judge" else (*whole_game(), *others())
    for name, views in story:
        view = views.get(source(page))
        if view is None or (page == "result" and view["result"] is None and found):
            continue
        shown = long_names(views, language) if long else views
        found.setdefault(repr(shown[source(page)]), (name, shown))
    return list(found.values())


@pytest.fixture
def pictured(server: FixtureServer) -> FixtureServer:
    """The fixture service with players' pictures."""
    server.picture = lambda name: drawing(int(name.partition(".")[0]))
    return server


def lasting(views: Views) -> Views:
    """The same moment with an open window that stays open while it is looked at."""
    vote = views["air"]["vote"]
    if vote is not None and vote["window"] is not None:
        vote["window"] = {"opened": 0.0, "closes": 60_000.0}
    return views


async def settled(page: Any, views: Views, server: FixtureServer, wait: float = SETTLES_MS) -> None:
    await server.show(views)
    await page.wait_for_timeout(wait)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["air", "hall", "break", "result", "judge"])
async def test_a_whole_game_stands_whole_with_the_longest_names(
    name: str, language: str, pictured: FixtureServer, open_page: Opener
) -> None:
    page = await open_page(name, f"?lang={language}", ready=False)
    found: list[str] = []
    for moment, views in moments_for(name, language):
        await settled(page, views, pictured)
        found += [f"{moment}: {fault}" for fault in await faults(page, name)]
    assert found == []


@pytest.mark.parametrize("look", ["dark", "light", "club"])
async def test_every_word_can_be_read_over_a_bright_and_a_dark_frame(
    look: str, pictured: FixtureServer, open_page: Opener
) -> None:
    pictured.looks = Looks(look)
    page = await open_page("air", "?lang=ru")
    wanted = {"vote", "last_word", "over", "check", "hit", "everything", "replay ended", "night 20", "covered"}
    found: list[str] = []
    for moment, views in others():
        if moment not in wanted:
            continue
        wanted.discard(moment)
        await settled(page, long_names(lasting(views), "ru"), pictured, 250)
        # Planes are opaque; a look of its own needs one frame of each kind now and then.
        frames = ("#ffffff", "#000000")
        for frame in frames if look == "dark" else frames[len(wanted) % 2 :][:1]:
            found += [f"{moment} over {frame}: {word}" for word in await pale_words(page, frame)]
    assert wanted == set()
    assert found == []


@pytest.mark.parametrize("name", ["hall", "break", "result"])
async def test_every_word_of_the_other_pages_can_be_read(name: str, pictured: FixtureServer, open_page: Opener) -> None:
    found: list[str] = []
    for look in ("dark", "light", "club"):
        pictured.looks = Looks(look)
        page = await open_page(name, "?lang=uk", ready=False)
        for moment, views in moments_for(name, "uk")[::12]:
            await settled(page, views, pictured, 150)
            found += [f"{look}, {moment}: {word}" for word in await pale_words(page, "#808080")]
    assert found == []


async def test_an_events_own_look_stands_whole(pictured: FixtureServer, open_page: Opener, tmp_path: Path) -> None:
    for name in ("logo", "logo2", "logo3", "logo4"):
        (tmp_path / f"{name}.svg").write_text(LOGO.replace("e6b23c", f"{len(name)}6b23c"))
    (tmp_path / "cup.toml").write_text(OWN)
    pictured.looks = Looks(str(tmp_path / "cup.toml"))
    assert pictured.looks.fault is None
    for name in ("air", "break", "result"):
        page = await open_page(name, "?lang=uk", ready=False)
        found: list[str] = []
        for moment, views in moments_for(name, "uk")[::3]:
            await settled(page, views, pictured)
            found += [f"{name}, {moment}: {fault}" for fault in await faults(page, name)]
        assert found == []
        await settled(page, moments_for(name, "uk")[0][1], pictured)
        logos = "[...document.images].filter((one) => one.src.includes('/theme/')).length"
        # The event's own stands on every page; before the result its page has nothing but that.
        assert await page.evaluate(logos) >= (1 if name == "result" else 4)


@pytest.mark.parametrize("name", ["air", "hall", "break", "result"])
async def test_in_every_phase_a_page_that_comes_late_shows_the_same_picture(
    name: str, pictured: FixtureServer, open_page: Opener
) -> None:
    early, late = await open_page(name, ready=False), await open_page(name, ready=False)
    # Neighbours of one kind are left out: every load of a page costs a second on a small machine.
    for moment, views in moments_for(name, "ru", long=False)[:: {"air": 3, "hall": 6}.get(name, 1)]:
        key = source(name)
        view = views[key] if name == "break" else at_rest(views[key])
        replay = (view.get("stage") or {}).get("replay")
        if replay is not None:
            replay["started_at"] = -60_000.0  # it has run out: the picture stands
        await pictured.show({key: view})
        await late.reload()
        await late.wait_for_selector("main")
        await late.wait_for_timeout(SETTLES_MS)
        assert await picture(late) == await picture(early), moment


async def test_nothing_flashes_when_night_falls_or_while_it_lasts(pictured: FixtureServer, open_page: Opener) -> None:
    for look in ("dark", "light"):
        pictured.looks = Looks(look)
        page = await open_page("air", still=False)
        story = dict(others())
        await page.wait_for_timeout(600)
        await page.evaluate("document.documentElement.style.background = '#101010'")
        for before, after in (("speech", "shooting begins"), ("shooting begins", "hit")):
            await settled(page, story[before], pictured, 1500)
            start = await _light(page)
            await pictured.show(story[after])
            lights = [await _light(page) for _ in range(8)]
            await page.wait_for_timeout(800)
            end = await _light(page)
            assert max(lights) <= max(start, end) * 1.08 + 1, (look, before, after, start, lights, end)


async def _light(page: Any) -> float:
    """The mean light of the picture, 0 to 255."""
    shot = await page.screenshot(type="jpeg", quality=60)
    return ImageStat.Stat(Image.open(io.BytesIO(shot)).convert("L")).mean[0]


async def test_everybodys_own_picture_is_shown_and_a_missing_one_leaves_a_bust(
    pictured: FixtureServer, open_page: Opener
) -> None:
    page = await open_page("air")
    views = dict(others())["speech"]
    for i, seat in enumerate(views["air"]["seats"]):
        seat["photo"] = f"/photos/{i}.jpg" if i != 2 else "/photos/gone.jpg"
    pictured.picture = lambda name: None if name == "gone.jpg" else drawing(int(name.partition(".")[0]))
    await pictured.show(views)
    await page.wait_for_function(
        "[...document.querySelectorAll('.card img')].filter((i) => i.complete && i.naturalWidth > 0).length === 9"
    )
    await page.wait_for_function("document.querySelectorAll('.card')[2].querySelector('img') === null")
    assert await page.locator(".card svg.portrait").count() == 10


async def test_the_replay_runs_at_a_quarter_of_the_speed_and_is_a_function_of_the_service_clock(
    pictured: FixtureServer, open_page: Opener
) -> None:
    first = await open_page("air", "?lang=en")
    views = dict(others())["replay begins"]
    views["air"]["stage"]["replay"]["started_at"] = -2000.0
    await pictured.show(views)
    second = await open_page("air", "?lang=en")
    started = pictured.views["air"]["stage"]["replay"]["started_at"]
    for _ in range(4):
        before = pictured.now()
        shown = [float((await page.locator(".replay .time").inner_text()).split()[0]) for page in (first, second)]
        after = pictured.now()
        for seconds in shown:
            assert (before - started) / 4000 - 0.1 <= seconds <= (after - started) / 4000 + 0.1
        await first.wait_for_timeout(250)
    assert await first.locator(".replay .lane").count() == 8
    assert await first.locator(".nights").count() == 0


async def test_with_the_roles_off_no_sign_shot_or_check_is_drawn(pictured: FixtureServer, open_page: Opener) -> None:
    page = await open_page("air", "?lang=en")
    for moment, views in others():
        if " 20" in moment or moment in ("setup", "walk"):
            continue
        views["air"]["stage"] |= {"roles": False, "replay": None, "overlay": True}
        await settled(page, views, pictured, 30)
        assert await page.locator(".card .role, .gun, .aim, .card:not(.covered)").count() == 0, moment
        assert await page.locator(".nights .sign").count() in (0, 2), moment
        assert "sheriff" not in (await page.locator(".slot").all_inner_texts() or [""])[0].lower(), moment


async def test_with_less_motion_nothing_moves(pictured: FixtureServer, open_page: Opener) -> None:
    page = await open_page("air", still=True)
    for moment in ("speech", "vote", "night", "over", "lifted", "everything"):
        await pictured.show(dict(others())[moment])
        await page.wait_for_timeout(15)
        running = "document.getAnimations().filter((a) => a.effect.getComputedTiming().duration > 1).length"
        assert await page.evaluate(running) == 0, moment
