"""Music files in real mpv: joined without a gap, and what is done about those that cannot be played."""

import os
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

from controller.sound import library, order
from controller.sound.director import Director
from controller.sound.library import Shelf
from controller.sound.settings import SoundSettings
from tests.sound.conftest import Make, wait_for
from tests.sound.evening import NIGHT
from tests.sound.hall import RATE, Ears, level
from tests.sound.test_library import tone

JOINED_S = 0.6
HERTZ = (480, 600, 750)
"""A whole number of periods fits into a second at 48 kHz, and a whole number of samples into each period."""


def shelf(folder: Path, place: Path) -> None:
    """`place` is on the shelf of the sound whose folder is `folder`."""
    library.keep(Shelf((str(place),)), folder)


def music(director_of: Make, folder: Path, seed: int = 1) -> Director:
    """A director that plays what is on its shelf, without fading in."""
    sounds = SoundSettings(cards=("one",), volume=100, cues=(), fade_in=0.0, fade_out=0.1, seed=seed)
    return director_of(sounds, folder=folder)


def seed_of(place: Path, wanted: Callable[[list[str]], bool]) -> int:
    """A seed with which what is in `place` is played in a wanted order."""
    tracks = tuple(library.Track(path, levelled=False) for path in library.music_in(place))
    for seed in range(1, 1000):
        coming = order.Order(tracks, seed)
        if wanted([track.path.name for _ in tracks if (track := coming.next()) is not None]):
            return seed
    raise AssertionError("no seed does")


def pitch(samples: Sequence[int]) -> float:
    """The frequency of a sine: how often it rises through zero in a second."""
    rises = [number for number in range(1, len(samples)) if samples[number - 1] < 0 <= samples[number]]
    return RATE * (len(rises) - 1) / (rises[-1] - rises[0]) if len(rises) > 1 else 0.0


def longest_quiet(samples: Sequence[int], below: int) -> int:
    """The longest run of samples under `below`."""
    longest = run = 0
    for sample in samples:
        run = run + 1 if abs(sample) < below else 0
        longest = max(longest, run)
    return longest


def test_files_are_joined_without_a_gap(director_of: Make, ears: Ears, tmp_path: Path):
    place, folder = tmp_path / "music", tmp_path / "sound"
    for hertz in HERTZ:
        tone(place / f"{hertz}.wav", -12.0, JOINED_S, hertz=hertz)
    shelf(folder, place)
    director = music(director_of, folder)
    wait_for(lambda: director.report.state.code == "card")
    began = time.monotonic()
    director.see(NIGHT)
    heard = ears.between(began + 1.0, began + 4.6)
    # The joins are where the pitch changes; they are found in the recording itself.
    step = RATE // 50
    pitches = [pitch(heard[first : first + step]) for first in range(0, len(heard) - step, step)]
    near = [min(HERTZ, key=lambda hertz, found=found: abs(hertz - found)) for found in pitches]
    joins = [number * step for number in range(1, len(near)) if near[number] != near[number - 1]]
    peak = max(heard)
    gaps = [longest_quiet(heard[max(0, join - 2 * step) : join + 2 * step], peak // 10) for join in joins]
    print(f"{len(joins)} joins, the quiet in each: {[f'{1000 * gap / RATE:.2f}' for gap in gaps]} ms")
    assert len(joins) >= 4
    # A sine is below a tenth of its peak for 3 samples of 100. A busy machine can only add quiet, be it at one of the
    # joins or at many: what a join is, the better third of them tells. The bench looks at them all.
    assert sorted(gaps)[len(gaps) // 3] <= 0.001 * RATE
    # Nothing is left out and nothing is played twice: from join to join there are as many samples as in a file.
    lengths = [after - before for before, after in pairwise(joins)]
    assert abs(median(lengths) - JOINED_S * RATE) <= 2 * step


def test_what_cannot_be_played_is_shown_and_replaced_by_the_next(director_of: Make, ears: Ears, tmp_path: Path):
    place, folder = tmp_path / "music", tmp_path / "sound"
    tone(place / "good.wav", -12.0, 60.0)
    (place / "text.mp3").write_text("no music at all\n" * 100)
    (place / "empty.flac").write_bytes(b"")
    (place / "half.ogg").write_bytes((library.NIGHT_BED).read_bytes()[:100])
    tone(place / "gone.wav", -12.0)
    shelf(folder, place)
    bad = {"text.mp3", "empty.flac", "half.ogg", "gone.wav"}
    director = music(director_of, folder, seed_of(place, lambda names: names[-1] == "good.wav"))
    (place / "gone.wav").unlink()
    wait_for(lambda: director.report.state.code == "card")
    director.see(NIGHT)
    wait_for(lambda: director._music.piece.path.name == "good.wav")
    assert {note.params["file"] for note in director.report.notes if note.code == "file_unreadable"} == bad
    now = time.monotonic()
    assert ears.level(now + 0.3, now + 0.8) > -20.0


def test_where_no_file_can_be_read_the_tables_own_night_bed_plays(director_of: Make, ears: Ears, tmp_path: Path):
    place, folder = tmp_path / "music", tmp_path / "sound"
    place.mkdir()
    for name in ("one.mp3", "two.mp3"):
        (place / name).write_text("no music")
    shelf(folder, place)
    director = music(director_of, folder)
    wait_for(lambda: director.report.state.code == "card")
    director.see(NIGHT)
    wait_for(lambda: director._music.piece.path == library.NIGHT_BED)
    now = time.monotonic()
    assert ears.level(now + 1.5, now + 2.5) > -45.0


def test_a_file_that_never_opens_is_given_up(director_of: Make, ears: Ears, tmp_path: Path):
    """As on a stick that hangs: the file is there, and reading it never ends."""
    place, folder = tmp_path / "music", tmp_path / "sound"
    tone(place / "good.wav", -12.0, 60.0)
    tone(place / "hangs.wav", -12.0, 60.0)
    tone(place / "short.wav", -12.0, 1.5)
    shelf(folder, place)
    # A pipe in which nobody writes hangs so. It is no file, and takes its place once the director has looked for files.
    os.mkfifo(place / "pipe")
    director = music(director_of, folder, seed_of(place, lambda names: names[:2] == ["short.wav", "hangs.wav"]))
    (place / "pipe").replace(place / "hangs.wav")
    wait_for(lambda: director.report.state.code == "card")
    director.see(NIGHT)
    wait_for(lambda: any(note.code == "file_unreadable" for note in director.report.notes))
    wait_for(lambda: director._music.player.up and director._music.piece.path.name == "good.wav")
    now = time.monotonic()
    assert ears.level(now + 1.0, now + 1.5) > -20.0


def test_the_order_goes_on_after_a_restart(director_of: Make, ears: Ears, tmp_path: Path):
    place, folder = tmp_path / "music", tmp_path / "sound"
    for number in range(3):
        tone(place / f"{number}.wav", -12.0, 60.0, hertz=400 + 100 * number)
    shelf(folder, place)
    heard: list[str] = []
    for _ in range(3):
        director = director_of(SoundSettings(cards=("one",), volume=100, cues=(), fade_in=0.0), folder=folder)
        wait_for(lambda director=director: director.report.state.code == "card")
        director.see(NIGHT, taken_back=True)
        wait_for(lambda: (played := order.played_in(folder)) is not None and len(played.files) == (len(heard) + 1) % 3)
        piece = director._music.piece.path.name
        now = time.monotonic()
        samples = ears.between(now + 0.4, now + 0.7)
        assert level(samples) > -20.0
        assert abs(pitch(samples) - (400 + 100 * int(piece[0]))) < 45.0
        heard.append(piece)
        director.close()
    assert sorted(heard) == ["0.wav", "1.wav", "2.wav"]
