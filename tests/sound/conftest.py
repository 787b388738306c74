"""The hall, and a director that plays in it."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.service.installing import NICE
from controller.sound.director import Director
from controller.sound.settings import SoundSettings
from tests.sound.hall import Ears, Hall, missing_parts


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """A sound server with two cards."""
    if missing := missing_parts():
        pytest.skip(f"not on this machine: {', '.join(missing)}")
    folder = tmp_path / "pulse"
    folder.mkdir()
    hall = Hall(folder)
    for name, value in hall.environment.items():
        monkeypatch.setenv(name, value)
    before = os.getpriority(os.PRIO_PROCESS, 0)
    # As at a real table (`mafia-table install`): music goes before what else this machine does, here other tests. For
    # that one has to be root; elsewhere it plays with everybody.
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, min(before, NICE))
    hall.open()
    yield hall
    hall.close()
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, before)


@pytest.fixture
def ears(hall: Hall) -> Iterator[Ears]:
    """Ears at the first card."""
    ears = Ears(hall, "one")
    yield ears
    ears.close()


Make = Callable[..., Director]


@pytest.fixture
def director_of(hall: Hall, tmp_path: Path) -> Iterator[Make]:
    """Makes directors that play on the first card, and ends them."""
    made: list[Director] = []

    def make(settings: SoundSettings | None = None, *, folder: Path | None = None) -> Director:
        settings = settings or SoundSettings(cards=("one", "two"), volume=100)
        director = Director(
            settings,
            folder=folder or tmp_path / "sound",
            language="en",
            clock=time.monotonic_ns,
            changed=lambda _: None,
        )
        made.append(director)
        director.start()
        return director

    yield make
    for director in made:
        director.close()


@pytest.fixture
def director(director_of: Make) -> Director:
    """A director that is ready to play."""
    director = director_of()
    wait_for(lambda: director.report.state.code == "card")
    return director


def wait_for(condition: Callable[[], bool], patience: float = 20.0) -> float:
    """Waits until `condition` holds; the seconds it took. Fails where it never does."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < patience, "it never came true"
        time.sleep(0.005)
    return time.monotonic() - began
