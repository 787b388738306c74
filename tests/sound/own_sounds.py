"""What the table's own sounds are, measured: `python -m tests.sound.own_sounds` prints the figures of docs/sound.md.

The night bed: loudness (EBU R 128), the level of every octave, how deep it falls between two strokes of the brush, and
whether its seam - its end followed by its beginning - can be heard: the second difference of the samples there, which a
click makes large, against the largest of the half second around. The signals: length, peak, how soon they begin, what
is left at their end, their loudest partial.
"""

import math
import re
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path

from controller.sound import composing
from controller.sound.library import NIGHT_BED, OWN
from controller.sound.listening import amplitude
from tests.sound.hall import RATE, level, missing_parts
from tests.sound.test_own_sounds import decoded

OCTAVES = (63, 125, 250, 500, 1000, 2000, 4000, 8000)
SEAM = 24
"""Samples before and after the seam that belong to it."""


def filtered(file: Path, *filters: str) -> str:
    """What mpv's filters say of `file`."""
    options = ["--no-config", "--no-video", "--ao=null", "--ao-null-untimed=yes", "--msg-level=all=no,ffmpeg=v"]
    done = subprocess.run(
        ["mpv", *options, f"--af=lavfi=[{','.join(filters)}]", str(file)], capture_output=True, check=True
    )
    return done.stdout.decode() + done.stderr.decode()


def said(text: str, name: str) -> float:
    """The last figure called `name` in what a filter says."""
    return float(re.findall(rf"{name}:\s*(-?[\d.]+)", text)[-1])


def octaves(file: Path) -> dict[int, float]:
    """The level of every octave, dB of full scale."""
    return {
        hertz: said(filtered(file, f"bandpass=f={hertz}:width_type=o:w=1", "astats"), "RMS level dB")
        for hertz in OCTAVES
    }


def bends(samples: Sequence[int]) -> list[int]:
    """The second difference: large where there is a click."""
    return [
        abs(after - 2 * here + before) for before, here, after in zip(samples, samples[1:], samples[2:], strict=False)
    ]


def seam(folder: Path) -> tuple[float, float]:
    """How sharp the bed's seam is against the sharpest of the half second around it; and the levels of the 20 ms before
    and after it apart, dB."""
    end, _ = decoded(NIGHT_BED, composing.BED_S - 0.25, 0.5, folder)
    begin, _ = decoded(NIGHT_BED, 0.0, 0.25, folder)
    both = array("h", [*end, *begin])
    found, at = bends(both), len(end)
    here = max(found[at - SEAM : at + SEAM])
    around = max(*found[: at - SEAM], *found[at + SEAM :])
    before, after = level(both[at - RATE // 50 : at]), level(both[at : at + RATE // 50])
    return here / around, after - before


def trough(folder: Path) -> float:
    """The quietest tenth of a second of the whole bed against the whole, dB."""
    left, _ = decoded(NIGHT_BED, 0.0, composing.BED_S, folder)
    size = RATE // 10
    return min(level(left[first : first + size]) for first in range(0, len(left) - size, size)) - level(left)


def main() -> int:
    """Prints the figures."""
    if "mpv" in missing_parts():
        print("mpv is not installed: make setup")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = filtered(NIGHT_BED, "ebur128=peak=true:framelog=verbose")
        loudness = (
            f"{said(text, 'I'):.1f} LUFS, range {said(text, 'LRA'):.1f} LU, true peak {said(text, 'Peak'):.1f} dB"
        )
        sharp, step = seam(folder)
        print(f"night bed: {composing.BED_S:.0f} s, {loudness}")
        print(f"  quietest tenth of a second {trough(folder):+.1f} dB against the whole")
        print(f"  seam: {sharp:.2f} of the sharpest bend around it, {step:+.1f} dB from one side to the other")
        print("  octaves: " + ", ".join(f"{hertz} Hz {found:.1f}" for hertz, found in octaves(NIGHT_BED).items()))
        for file in sorted(OWN.glob("*.flac")):
            [samples] = decoded(file, 0.0, 60.0, folder, channels=1)
            limit = 32_768 * 10 ** (-50 / 20)
            first = next(number for number, sample in enumerate(samples) if abs(sample) > limit)
            peak = 20 * math.log10(max(abs(sample) for sample in samples) / 32_768)
            piece = samples[: RATE // 2]
            loudest = max(range(200, 4000, 10), key=lambda hertz, piece=piece: amplitude(piece[::4], 4.0 * hertz))
            tail = max(abs(sample) for sample in samples[-48:])
            print(
                f"{file.stem}: {len(samples) / RATE:.2f} s, peak {peak:.1f} dB, begins after"
                f" {1000 * first / RATE:.1f} ms, last millisecond at most {tail} of 32768, loudest at {loudest} Hz"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
