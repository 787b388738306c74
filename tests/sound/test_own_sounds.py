"""The table's own sounds: what lies in `own/` is what the script makes, and it is fit to be listened to."""

import math
import subprocess
from array import array
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from controller.sound import composing
from controller.sound.library import NIGHT_BED, OWN
from controller.sound.loudness import TARGET_LUFS, loudness_of
from tests.sound.hall import missing_parts

pytestmark = pytest.mark.skipif("mpv" in missing_parts(), reason="mpv is not on this machine")
RATE = composing.RATE


def decoded(file: Path, start: float, seconds: float, folder: Path, channels: int = 2) -> list["array[int]"]:
    """The channels of `file` from `start` on, decoded by mpv."""
    raw = folder / "decoded.raw"
    options = [f"--start={start}", f"--length={seconds}", "--audio-format=s16"]
    options += ["--ao=pcm", f"--ao-pcm-file={raw}", "--ao-pcm-waveheader=no"]
    options += [f"--audio-channels={'mono' if channels == 1 else 'stereo'}"]
    subprocess.run(["mpv", "--no-config", "--no-video", "--really-quiet", *options, str(file)], check=True)
    both = array("h")
    both.frombytes(raw.read_bytes())
    return [both[channel::channels] for channel in range(channels)]


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    """Correlation, 1.0 being the same but for loudness."""
    product = sum(a * b for a, b in zip(one, other, strict=False))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def test_the_cues_are_what_the_script_makes(tmp_path: Path):
    for name, sound in composing.cues().items():
        [left] = decoded(OWN / f"{name}.flac", 0.0, 60.0, tmp_path, channels=1)
        made = [round(value * 32_767) for value in sound]
        assert len(left) == len(made), name
        assert max(abs(a - b) for a, b in zip(left, made, strict=True)) <= 1, name


def test_the_night_bed_is_what_the_script_makes(tmp_path: Path):
    # Packed as Opus it is another file; what is heard is the same, in time to the sample.
    left, right = decoded(NIGHT_BED, 100.0, 0.25, tmp_path)
    made = composing.bed(100 * RATE, RATE // 4)
    assert likeness(left, made[0]) > 0.98
    assert likeness(right, made[1]) > 0.98


async def test_the_bed_is_as_loud_as_every_music_and_not_clipped():
    loudness = await loudness_of(NIGHT_BED)
    assert abs(loudness.integrated - TARGET_LUFS) < 0.5
    assert loudness.peak < -3.0


def test_the_seam_of_the_bed_is_no_event(tmp_path: Path):
    """Across the end and the beginning again, no step from sample to sample is larger than anywhere else."""
    end, _ = decoded(NIGHT_BED, composing.BED_S - 0.5, 1.0, tmp_path)
    begin, _ = decoded(NIGHT_BED, 0.0, 0.5, tmp_path)
    seam = [*end[-4800:], *begin[:4800]]
    steps = [abs(after - before) for before, after in pairwise(seam)]
    around = max(steps[: 4800 - 100])
    assert max(steps[4800 - 100 : 4800 + 100]) <= 1.5 * around
    # The bed as it is made is a round: its last sample is followed by its first.
    last, first = composing.bed(composing._LENGTH - 2400, 2400)[0], composing.bed(0, 2400)[0]
    assert abs(first[0] - last[-1]) < 0.05


def test_what_the_bed_covers(tmp_path: Path):
    """Something sounds in every tenth of a second, in the range of speech and in that of a rustle."""
    left, _ = decoded(NIGHT_BED, 64.0, 4.0, tmp_path)
    high = [after - before for before, after in pairwise(left)]
    for name, samples, least in (("all", list(left), -32.0), ("high", high, -50.0)):
        size = RATE // 10
        levels = [
            10 * math.log10(sum(x * x for x in samples[at : at + size]) / size / 32_768**2)
            for at in range(0, len(samples) - size, size)
        ]
        assert min(levels) > least, (name, min(levels))
