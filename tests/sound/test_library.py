"""The music there is: its levels, and what was added."""

import math
import wave
from array import array
from pathlib import Path

import pytest

from controller.sound import library
from controller.sound.library import music_in, shelf_in, tracks_in
from controller.sound.loudness import NoMusic, loudness_of
from tests.sound.hall import missing_parts

with_mpv = pytest.mark.skipif("mpv" in missing_parts(), reason="mpv is not on this machine")


def tone(path: Path, level: float, seconds: float = 4.0, hertz: int = 1_000) -> Path:
    """A sine on both channels, its peak at `level` dB; `hertz` is a whole number of periods in a second."""
    peak = 32_767 * 10 ** (level / 20)
    second = array("h")
    for number in range(48_000):
        value = round(peak * math.sin(2 * math.pi * hertz * number / 48_000))
        second.extend((value, value))
    samples = second * math.ceil(seconds)
    del samples[2 * round(seconds * 48_000) :]
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(samples.tobytes())
    return path


def test_music_is_found_in_folders_of_folders_and_hidden_files_are_not(tmp_path: Path):
    (tmp_path / "b").mkdir()
    for name in ("b/one.MP3", "two.flac", ".hidden.ogg", "cover.jpg"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in music_in(tmp_path)] == ["one.MP3", "two.flac"]


@with_mpv
async def test_levels_are_evened_out_and_no_file_is_touched(tmp_path: Path):
    place, folder = tmp_path / "music", tmp_path / "sound"
    loud, quiet = tone(place / "loud.wav", -3.0), tone(place / "quiet.wav", -33.0)
    (place / "broken.mp3").write_text("no music")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.iterdir()}
    told: dict[str, bool] = {}
    await library.add(place, folder, lambda file, loudness: told.update({file.name: loudness is not None}))
    assert told == {"loud.wav": True, "quiet.wav": True, "broken.mp3": False}
    gains = {track.path: track.gain for track in tracks_in(folder)}
    assert set(gains) == {loud, quiet}
    # A sine at -3 dB on two channels has -3 LUFS (BS.1770); both come out at -20.
    assert gains[loud] == pytest.approx(-17.0, abs=0.5)
    assert gains[quiet] == pytest.approx(13.0, abs=0.5)
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.iterdir()} == before
    # Nothing is measured twice; a file that was changed is.
    told.clear()
    await library.add(place, folder, lambda file, _: told.update({file.name: True}))
    assert told == {}
    tone(quiet, -20.0, 3.0)
    assert [track.levelled for track in tracks_in(folder) if track.path == quiet] == [False]
    await library.add(place, folder, lambda file, _: told.update({file.name: True}))
    assert told == {"quiet.wav": True}


@with_mpv
async def test_no_gain_lifts_a_peak_above_full_scale(tmp_path: Path):
    clicks = tone(tmp_path / "clicks.wav", -60.0)
    data = bytearray(clicks.read_bytes())
    data[20_000:20_004] = b"\xff\x7f\xff\x7f"
    clicks.write_bytes(bytes(data))
    loudness = await loudness_of(clicks)
    assert loudness.gain <= -1.0 - loudness.peak


@with_mpv
async def test_silence_is_no_music(tmp_path: Path):
    with pytest.raises(NoMusic):
        await loudness_of(tone(tmp_path / "silence.wav", -200.0))


async def test_a_folder_taken_away_is_forgotten_with_its_levels(tmp_path: Path):
    place, folder = tmp_path / "music", tmp_path / "sound"
    place.mkdir()
    await library.add(place, folder, lambda _file, _loudness: None)
    assert shelf_in(folder).folders == (str(place),)
    library.remove(place, folder)
    assert shelf_in(folder).folders == ()
    with pytest.raises(KeyError):
        library.remove(place, folder)


def test_a_shelf_that_cannot_be_read_is_no_music_and_no_fault(tmp_path: Path):
    (tmp_path / library.SHELF).write_text("{")
    assert tracks_in(tmp_path) == ()
