"""The service as it runs: real sockets, the simulated table's own process on its own terminal."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.service import sample_final
from controller.service.running import Running, running
from controller.service.settings import Game, Settings, Web
from controller.sound.settings import SoundSettings

GAME = Game(event=sample_final.EVENT, stage=sample_final.STAGE, judge=sample_final.JUDGE, names=sample_final.NAMES)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Built pages, as small as can be."""
    folder = tmp_path / "pages"
    (folder / "assets").mkdir(parents=True)
    for name in ("judge", "air", "hall", "break", "result", "table"):
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>")
    (folder / "assets" / "hall-abc.js").write_text("export {}")
    (folder / "build.json").write_text('{"build": "a build"}')
    (tmp_path / "secret.txt").write_text("nobody may read this")
    return folder


@pytest.fixture
def chosen(tmp_path: Path) -> Settings:
    """Settings of a table of its own, on any free port."""
    return Settings(data=tmp_path / "data", web=Web(port=0), game=GAME, sound=SoundSettings(on=False))


@pytest.fixture
async def service(chosen: Settings, pages: Path) -> AsyncIterator[Running]:
    """A table without sensors."""
    async with running(chosen, pages=pages) as service:
        yield service


@pytest.fixture
async def simulated(chosen: Settings, pages: Path) -> AsyncIterator[Running]:
    """A table with the simulated seats and board, whose link is up."""
    async with running(chosen, simulated=True, pages=pages) as service:
        yield service
