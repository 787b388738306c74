"""The hall's page is read from 15 m: no letter on it is smaller than that asks for, with ten seats, twelve or twenty.

A projected picture is read from six times its height at most (AVIXA's factor for reading), so for a reader at 15 m it
is 2.5 m high. Whoever sees half of what good eyes see (0.5, what a driver's licence asks) reads letters of 10 minutes
of arc: 44 mm at 15 m, 19 pixels of 1080 for a capital, and Roboto Condensed's capitals are 0.711 of its size.
"""

from __future__ import annotations

import math

import pytest

from tests.overlay.conftest import Opener
from tests.overlay.fixture_server import FixtureServer
from tests.overlay.stories import LONGEST
from tests.overlay.test_pictures import moments_for, settled

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400), pytest.mark.asyncio(loop_scope="package")]

DISTANCE_MM = 15_000
PICTURE_MM = DISTANCE_MM / 6
LETTER_MM = DISTANCE_MM * math.tan(math.radians(10 / 60))
SMALLEST = LETTER_MM / PICTURE_MM * 1080 / 0.711
"""Pixels of a 1920 x 1080 picture: 26.5."""
NARROWEST = 0.7
"""So far a long name may be drawn narrower before it is cut."""

_WORDS = """
() => {
  const words = []
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue.trim()
    if (!text) continue
    let narrow = 1
    for (let e = node.parentElement; e; e = e.parentElement) {
      const turned = getComputedStyle(e).transform
      if (turned !== 'none') narrow *= new DOMMatrix(turned).a
    }
    words.push([text, parseFloat(getComputedStyle(node.parentElement).fontSize), narrow])
  }
  return words
}
"""


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
async def test_every_word_in_the_hall_is_large_enough_for_the_last_row(
    language: str, server: FixtureServer, open_page: Opener
) -> None:
    assert pytest.approx(26.5, abs=0.1) == SMALLEST
    page = await open_page("hall", f"?lang={language}")
    found: set[str] = set()
    for moment, views in moments_for("hall", language):
        await settled(page, views, server)
        for text, size, narrow in await page.evaluate(_WORDS):
            if size < SMALLEST or narrow < NARROWEST - 0.001:
                found.add(f"{moment}: {text!r} is {size:g} px, drawn {narrow:.2f} wide")
    assert sorted(found) == []


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
async def test_no_nickname_is_cut_where_twenty_sit(language: str, server: FixtureServer, open_page: Opener) -> None:
    page = await open_page("hall", f"?lang={language}")
    views = next(views for name, views in moments_for("hall", language) if name == "speech 20")
    await settled(page, views, server)
    shown = await page.evaluate("[...document.querySelectorAll('.seat .name')].map((one) => one.innerText)")
    assert len(shown) == 20
    assert {name.replace("-", "").replace(" ", "").replace("\n", "") for name in shown} == {
        name.replace("-", "").replace(" ", "") for name in LONGEST[language]
    }
