"""A page that comes late shows what one shows that was open from the start, in every phase of a game of each rule
set."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page

from controller.game.history import History, begin
from controller.record.notation import read
from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.hall import hall_view
from tests.overlay.conftest import STANDS, Opener
from tests.overlay.fixture_server import FixtureServer
from tests.overlay.stories import around_of, kind_of
from tests.overlay.test_secrets import at_rest, picture
from tests.views.course import Course

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="package")]

RECORDS = {
    "fiim": "fiim_tie_raise",
    "wma": "wma_final",
    "ukraine": "ukraine_removed",
    "city": "city_night",
}
VECTORS = Path(__file__).parents[1] / "vectors"
PAGES = ("air", "hall")
ALL_PAGES = ("air", "hall", "result")
SETTLES_WITHIN_S = 20.0
LOOKS_EVERY_S = 0.05


def game(name: str) -> Iterator[Snapshot]:
    """The recorded game, decision by decision."""
    record = read((VECTORS / f"{name}.mafia").read_text(encoding="utf-8"))
    played = begin(record.game.start)
    names = tuple(f"Игрок {seat.number}" for seat in played.state.seats)
    course = Course(played)
    yield replace(course.snapshot(), names=names)
    for decision in record.game:
        went = played.play(decision.command, decision.ahead)
        assert isinstance(went, History)
        played = course.history = went
        course.row = next(course.rows)
        yield replace(course.snapshot(), names=names)


def phases(name: str, *, all_of_it: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """The views of the pages at the first moment of each phase and step, or of each kind of moment."""
    seen: set[object] = set()
    for number, snapshot in enumerate(game(name)):
        surroundings = around_of(snapshot)
        shown = (air_view(snapshot, surroundings), hall_view(snapshot))
        air, hall = (at_rest(msgspec.json.decode(msgspec.json.encode(view))) for view in shown)
        phase = air["phase"]
        kind = kind_of(air) if all_of_it else (phase["kind"], phase["step"], phase["speech"], air["result"] is None)
        if kind not in seen:
            seen.add(kind)
            yield f"{number} {phase['kind']}", {"air": air, "hall": hall}


def differ(one: str, other: str) -> str:
    """Where two pictures begin to differ."""
    place = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"...{one[max(0, place - 80) : place + 160]}\nagainst\n...{other[max(0, place - 80) : place + 160]}"


async def come_to_the_same(early: Page, late: Page, where: str) -> None:
    """Waits until both show the same; motion takes its time."""
    until = time.monotonic() + SETTLES_WITHIN_S
    while (one := await picture(early)) != (other := await picture(late)):
        assert time.monotonic() < until, f"{where}: {differ(one, other)}"
        await asyncio.sleep(LOOKS_EVERY_S)


async def follow(name: str, pages: Sequence[str], server: FixtureServer, open_page: Opener, *, still: bool) -> int:
    """Plays a game to pages that are open from the start, and reloads others at every phase; how many there were."""
    first, *rest = phases(name, all_of_it=not still)
    server.views |= first[1]
    early = [await open_page(page, still=still) for page in pages]
    late = [await open_page(page, still=still) for page in pages]
    for where, views in (first, *rest):
        server.revision += 1
        server.views |= views
        await server.send_all()
        await asyncio.gather(*(page.reload() for page in late))
        for page, opened in zip(pages, late, strict=True):
            await opened.wait_for_selector(STANDS[page])
        for page, one, other in zip(pages, early, late, strict=True):
            await come_to_the_same(one, other, f"{page} at {where}")
    return 1 + len(rest)


@pytest.mark.parametrize("ruleset", RECORDS)
async def test_in_every_phase_a_late_page_shows_what_one_shows_that_was_open_from_the_start(
    ruleset: str, server: FixtureServer, open_page: Opener
) -> None:
    assert await follow(RECORDS[ruleset], PAGES, server, open_page, still=True) >= 5


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(path.stem for path in VECTORS.glob("*.mafia")))
async def test_at_every_kind_of_moment_of_every_record_and_with_motion(
    name: str, server: FixtureServer, open_page: Opener
) -> None:
    assert await follow(name, ALL_PAGES, server, open_page, still=False) >= 5
