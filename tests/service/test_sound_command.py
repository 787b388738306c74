"""`mafia-table sound` in a hall of its own."""

import time
from pathlib import Path

import pytest

from controller.service.settings import Settings, Speech
from controller.service.sound_command import AMISS, DONE, REFUSED, SoundTrial
from controller.sound.settings import SoundSettings
from tests.sound.conftest import ears, hall
from tests.sound.hall import Ears, Hall
from tests.sound.test_library import tone

__all__ = ["ears", "hall"]


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def trial(tmp_path: Path, said: list[str]) -> SoundTrial:
    settings = Settings(data=tmp_path / "data", speech=Speech("en"), sound=SoundSettings(cards=("one",)))
    return SoundTrial(settings, said.append)


def test_cards_are_listed_and_the_chosen_one_marked(hall: Hall, trial: SoundTrial, said: list[str]):
    assert trial.cards() == DONE
    assert said == ["> one  (pulse/one)", "- two  (pulse/two)", "Sound: one"]


def test_the_tone_is_measured(hall: Hall, trial: SoundTrial, said: list[str]):
    assert trial.tone() == DONE
    assert said[-1].startswith("Test tone on “one”: heard, -2")


def test_a_night_takes_twenty_seconds_and_sounds(ears: Ears, trial: SoundTrial, said: list[str]):
    began = time.monotonic()
    assert trial.night() == DONE
    assert 20.0 <= time.monotonic() - began < 35.0
    assert len(said) == 5


def test_music_is_added_and_taken_away(trial: SoundTrial, said: list[str], tmp_path: Path):
    place = tmp_path / "music"
    assert trial.add(place) == REFUSED
    place.mkdir()
    assert trial.add(place) == REFUSED
    assert "holds no music" in said[-1]
    tone(place / "a.wav", -10.0)
    assert trial.add(place) == DONE
    assert said[-2:] == ["a.wav: -10.0 LUFS, plays at -10.0 dB", f"{place}: 1 file plays at night"]
    (place / "b.mp3").write_text("no")
    assert trial.add(place) == AMISS
    assert trial.remove(place) == DONE
    assert trial.remove(place) == REFUSED
