"""The recorder: which tape a chapter stands on, what an undo takes away, and what a saved replay is called."""

from dataclasses import dataclass, field, replace

import pytest

from controller.service.recorder import Recorder
from controller.views.messages import AirView
from scenes.client import Asked
from scenes.happenings import in_the_open
from scenes.seen import Obs, Output
from scenes.tape import Shelf
from tests.scenes.views import during, speaking

UP = Obs(up=True, replays=True)


@dataclass
class Studio:
    """A recorder with a clock that is moved by hand."""

    shelf: Shelf = field(default_factory=Shelf)
    asked: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.recorder = Recorder(lambda: self.shelf, self._keep, lambda _, asked: self.asked.append(asked), "en")

    def _keep(self, shelf: Shelf) -> None:
        self.shelf = shelf

    def see(self, view: AirView, *passed: str, told: bool = True) -> None:
        """The game has come here."""
        moments = [(name, None) for name in passed]
        self.recorder.see(in_the_open(view), moments, told=told, replays=frozenset({"vote_result", "left"}))

    def obs_records(self, seconds: float) -> None:
        """OBS says so."""
        self.recorder.obs_is(replace(UP, recording=Output(active=True, seconds=seconds)))

    @property
    def chapters(self) -> list[tuple[str, float | None]]:
        """Of the present tape."""
        found = self.shelf.present.chapters
        return [(one.code, None if one.recorded is None else round(one.recorded)) for one in found]

    @property
    def clips(self) -> list[str]:
        """What is said to be in them."""
        return [one.code for one in self.shelf.present.clips]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, seconds."""
    now = [1000.0]
    monkeypatch.setattr("controller.service.recorder.time.monotonic", lambda: now[0])
    return now


def test_a_slip_that_is_undone_leaves_the_days_chapter_where_the_day_began(clock: list[float]):
    studio = Studio()
    studio.obs_records(0)
    studio.see(during("acquaintance"))
    clock[0] += 250
    studio.see(speaking(1))
    clock[0] += 900
    studio.see(during("voting"))
    clock[0] += 3
    studio.see(speaking(1), told=False)
    assert studio.chapters == [("acquaintance", 0), ("day", 250)]
    clock[0] += 60
    studio.see(during("voting"))
    assert studio.chapters == [("acquaintance", 0), ("day", 250), ("voting", 1213)]


def test_a_recording_that_began_while_nobody_listened_has_a_tape_of_its_own(clock: list[float]):
    studio = Studio()
    studio.obs_records(100)
    studio.see(during("acquaintance"))
    clock[0] += 60
    studio.recorder.obs_is(Obs(up=False))
    clock[0] += 60
    studio.obs_records(20)
    assert len(studio.shelf.tapes) == 2
    assert studio.chapters == [("acquaintance", 20)]


def test_the_recording_of_before_a_restart_of_the_service_goes_on(clock: list[float]):
    studio = Studio()
    studio.obs_records(100)
    studio.see(during("acquaintance"))
    clock[0] += 60
    again = Studio(studio.shelf)
    again.see(during("acquaintance"))
    again.obs_records(160)
    again.see(speaking(1))
    assert again.chapters == [("acquaintance", 100), ("day", 160)]


def test_what_obs_records_when_the_service_starts_is_not_yesterdays_recording(clock: list[float]):
    studio = Studio()
    studio.obs_records(5)
    studio.see(during("acquaintance"))
    studio.recorder.recording("stopped", "/yesterday.mkv")
    again = Studio(studio.shelf)
    again.see(during("acquaintance"))
    again.obs_records(30)
    assert again.chapters == [("acquaintance", 30)]
    assert again.shelf.tapes[0].path == "/yesterday.mkv"


def test_a_start_that_obs_has_answered_before_it_told_of_it_is_one_tape(clock: list[float]):
    studio = Studio()
    studio.see(during("acquaintance"))
    studio.obs_records(0.1)
    studio.recorder.recording("started", "")
    assert [len(tape.chapters) for tape in studio.shelf.tapes] == [1, 1]


def test_a_saved_replay_is_called_by_what_it_was_saved_for(clock: list[float]):
    studio = Studio()
    studio.obs_records(0)
    studio.see(during("voting"), "vote_result")
    studio.see(during("voting"), "left")
    studio.recorder.clip_saved("/one.mkv")
    studio.recorder.clip_saved("/two.mkv")
    studio.recorder.clip_saved("/by hand in OBS.mkv")
    assert studio.clips == ["vote_result", "left", "replay"]
    studio.see(during("voting"), "vote_result")
    studio.recorder.clip_refused()
    studio.recorder.save()
    studio.recorder.clip_saved("/the producers.mkv")
    assert studio.clips[3:] == ["replay"]
    studio.see(during("voting"), "vote_result")
    clock[0] += 60
    studio.recorder.clip_saved("/much later.mkv")
    assert studio.clips[4:] == ["replay"]
