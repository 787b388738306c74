"""The real OBS, once for all tests that need it, and only while they run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.scenes.real_obs import RealObs, display, missing


@pytest.fixture(scope="session")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A display that nobody sees."""
    lacking = missing()
    if lacking is not None:
        pytest.skip(f"{lacking} is not installed: make setup")
    with display(tmp_path_factory.mktemp("xvfb")) as name:
        yield name


@pytest.fixture
def obs_in(screen: str) -> Iterator[Callable[..., RealObs]]:
    """Makes an OBS in a folder; it is ended with the test."""
    made: list[RealObs] = []

    def make(folder: Path, collection: Path | None = None) -> RealObs:
        made.append(RealObs(folder, screen, collection))
        return made[-1]

    yield make
    for one in made:
        one.end()


@pytest.fixture
def obs(obs_in: Callable[..., RealObs], tmp_path: Path) -> RealObs:
    """A running OBS with two plain scenes."""
    folder = tmp_path / "obs"
    folder.mkdir()
    return obs_in(folder).start()
