"""Spoken numbers and phrases: from recordings, by a synthesiser, or not at all, and then that is said."""

import asyncio
import shutil
import time
from pathlib import Path

import pytest

from controller.sound.score import Cue, CueName
from controller.sound.settings import SoundSettings
from controller.sound.speech import Voice, key_of
from tests.sound.conftest import Make, wait_for
from tests.sound.evening import DAY, MS, speech
from tests.sound.hall import RATE, Ears, level
from tests.sound.test_files_for_real import pitch
from tests.sound.test_library import tone
from tests.sound.test_own_sounds import decoded

SEVEN, TIME = Cue(CueName.SPEAKER, 0, 7), Cue(CueName.TIME, 0)

with_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not on this machine")


def synthesiser(folder: Path, says: str) -> Path:
    """A folder for PATH with an `espeak-ng` that does what `says`."""
    folder.mkdir()
    program = folder / "espeak-ng"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    return folder


def nothing(_: tuple[str, ...]) -> None:
    raise AssertionError("something cannot be said")


def test_recorded_words_are_said_at_their_moment_and_after_their_signal(director_of: Make, ears: Ears, tmp_path: Path):
    voice = tmp_path / "voice"
    tone(voice / "speaker_7.wav", -12.0, 0.5, hertz=1_500)
    tone(voice / "time.wav", -12.0, 0.5, hertz=2_000)
    settings = SoundSettings(
        cards=("one",), volume=0, cues=(CueName.TIME,), spoken=(CueName.SPEAKER, CueName.TIME), voice=str(voice)
    )
    director = director_of(settings)
    wait_for(lambda: director.report.state.code == "card" and director._voice.file(TIME) is not None)
    director.see(DAY)
    began = time.monotonic()
    director.see(speech(seat=7, ends=time.monotonic_ns() + 1_200 * MS, total=10_000))
    end = began + 1.2
    # In the recording: the number's pitch, the signal, then the word's pitch, each as long as it is and no second time.
    step = 0.05
    heard = ears.between(began, end + 4.0)
    size = round(step * RATE)
    pitches = [pitch(heard[first : first + size]) for first in range(0, len(heard) - size, size)]
    number = [began + step * place for place, found in enumerate(pitches) if abs(found - 1_500) < 20]
    word = [began + step * place for place, found in enumerate(pitches) if abs(found - 2_000) < 20]
    chime = ears.onset(end - 0.1, end + 0.9, above=-50.0)
    assert chime is not None
    assert 0.3 <= step * len(number) <= 0.55
    assert 0.3 <= step * len(word) <= 0.55
    assert number[0] < began + 0.9
    assert number[-1] < chime < word[0]
    assert 1.4 < word[0] - chime < 2.6


@with_espeak
@pytest.mark.parametrize("language", ["ru", "uk", "en"])
async def test_a_synthesiser_says_every_number_and_phrase_that_is_wanted(language: str, tmp_path: Path):
    voice = Voice((CueName.SPEAKER, CueName.NIGHT), language, None, tmp_path / "kept")
    await voice.prepare(nothing)
    said = [voice.file(Cue(CueName.SPEAKER, 0, seat)) for seat in range(1, 21)] + [voice.file(Cue(CueName.NIGHT, 0))]
    files = {file for file in said if file is not None}
    assert len(files) == 21
    assert len({file.read_bytes() for file in files}) == 21
    seven = voice.file(SEVEN)
    assert seven is not None
    [samples] = await asyncio.to_thread(decoded, seven, 0.0, 10.0, tmp_path, 1)
    assert 0.5 < len(samples) / 22_050 < 3.0
    assert level(samples) > -35.0
    # They are made before the game, and once.
    made = {file: file.stat().st_mtime_ns for file in files}
    again = Voice((CueName.SPEAKER, CueName.NIGHT), language, None, tmp_path / "kept")
    await again.prepare(nothing)
    assert {file: file.stat().st_mtime_ns for file in files} == made


@with_espeak
def test_a_synthesised_number_is_heard(director_of: Make, ears: Ears):
    director = director_of(SoundSettings(cards=("one",), volume=0, cues=(), spoken=(CueName.SPEAKER,)))
    wait_for(lambda: director.report.state.code == "card" and director._voice.file(SEVEN) is not None)
    director.see(DAY)
    began = time.monotonic()
    director.see(speech(seat=7, ends=time.monotonic_ns() + 60_000 * MS))
    onset = ears.onset(began, began + 1.0, above=-45.0)
    assert onset is not None
    assert ears.level(onset, onset + 0.8) > -40.0


async def test_a_recording_goes_before_the_synthesiser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(synthesiser(tmp_path / "bin", f"head -c {2 * RATE} /dev/zero")), prepend=":")
    tone(tmp_path / "voice" / "speaker_7.wav", -12.0, 0.1)
    voice = Voice((CueName.SPEAKER,), "en", tmp_path / "voice", tmp_path / "kept")
    await voice.prepare(nothing)
    assert voice.file(SEVEN) == tmp_path / "voice" / "speaker_7.wav"
    assert voice.file(Cue(CueName.SPEAKER, 0, 8)) == tmp_path / "kept" / "en-speaker_8.wav"


@pytest.mark.parametrize("says", ["exit 1", "exit 0", "echo RIFF"])
async def test_a_synthesiser_that_fails_leaves_words_out_and_they_are_named(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", str(synthesiser(tmp_path / "bin", says)), prepend=":")
    voice, missing = Voice((CueName.TIME, CueName.NIGHT), "en", None, tmp_path / "kept"), list[str]()
    await voice.prepare(missing.extend)
    assert missing == [key_of(TIME), "night"]
    assert voice.file(TIME) is None
    assert not (tmp_path / "kept").exists()


def test_without_recordings_and_synthesiser_the_checklist_says_so_and_the_signals_sound(
    director_of: Make, ears: Ears, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("mpv", "setpriv", "pactl", "parec"):
        found = shutil.which(name)
        if found is not None:
            (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))
    director = director_of(
        SoundSettings(cards=("one",), volume=0, cues=(CueName.TIME,), spoken=(CueName.SPEAKER, CueName.TIME))
    )
    wait_for(lambda: director.report.state.code == "card")
    wait_for(lambda: any(note.code == "no_words" for note in director.report.notes))
    note = next(note for note in director.report.notes if note.code == "no_words")
    assert note.params == {"count": 21, "first": "speaker_1"}
    director.see(DAY)
    end = time.monotonic() + 0.6
    director.see(speech(seat=7, ends=time.monotonic_ns() + 600 * MS, total=10_000))
    assert ears.onset(end - 0.1, end + 0.4, above=-50.0) is not None


async def test_words_that_the_disk_does_not_take_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, director_of: Make
):
    monkeypatch.setenv("PATH", str(synthesiser(tmp_path / "bin", f"head -c {2 * RATE} /dev/zero")), prepend=":")
    (tmp_path / "sound").write_text("a file where the folder is to be")
    director = director_of(SoundSettings(cards=("one",), cues=(), spoken=(CueName.TIME,)))
    wait_for(lambda: {"unkept", "no_words"} <= {note.code for note in director.report.notes})
