"""Every moment of a game, on every page, in every language: nothing clipped, nothing overlapping."""

from __future__ import annotations

import pytest

from tests.overlay.conftest import Opener, shown
from tests.overlay.fixture_server import FixtureServer, moments
from tests.overlay.geometry import faults

LONGEST = [
    "Велосипедостроитель",
    "Барон Мюнхгаузен",
    "Северная Пальмира",
    "Жизнерадостнейший",
    "Щелкунчик Мышиный Король",
]
pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="package")]


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
@pytest.mark.parametrize("name", ["air", "hall", "judge", "table"])
async def test_every_moment_stands_whole_on_the_page(
    name: str, language: str, server: FixtureServer, open_page: Opener
) -> None:
    page = await open_page(name, f"?lang={language}")
    found: list[str] = []
    for moment in moments():
        await server.play(moment)
        await shown(page, server)
        found += [f"{moment}: {fault}" for fault in await faults(page, name)]
    assert found == []


@pytest.mark.parametrize("name", ["air", "hall", "judge"])
async def test_the_longest_names_on_every_seat_stand_whole(name: str, server: FixtureServer, open_page: Opener) -> None:
    page = await open_page(name)
    found: list[str] = []
    for moment in ("speech", "vote", "last_word", "over", "night"):
        server.change(moment)
        for i, seat in enumerate(server.views[name]["seats"]):
            seat["name"] = LONGEST[i % len(LONGEST)]
        await server.send_all()
        await shown(page, server)
        found += [f"{moment}: {fault}" for fault in await faults(page, name)]
    assert found == []


async def test_at_scale_2_the_picture_is_the_same_picture_twice_as_large(open_page: Opener) -> None:
    small = await open_page("air")
    large = await open_page("air", "?lang=ru&scale=2", viewport={"width": 3840, "height": 2160})
    where = "[...document.querySelectorAll('.plate')].map((p) => Object.values(p.getBoundingClientRect().toJSON()))"
    ones, twos = await small.evaluate(where), await large.evaluate(where)
    for one, two in zip(ones, twos, strict=True):
        assert two == pytest.approx([2 * value for value in one], abs=0.1)
    assert await faults(large, "air") == []


async def test_everything_with_meaning_on_air_lies_in_the_safe_area(server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("air")
    for moment in moments():
        await server.play(moment)
        await shown(page, server)
        outside = await page.evaluate(
            """() => [...document.querySelectorAll('.plate, .number, .slot, .strap, .event, .nights')]
                 .map((e) => e.getBoundingClientRect())
                 .filter((r) => r.left < 95 || r.right > 1825 || r.top < 53 || r.bottom > 1027).length"""
        )
        assert outside == 0, moment
