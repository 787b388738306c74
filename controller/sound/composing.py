"""Makes the table's own sounds, so that they are free to use: `python -m controller.sound.composing`. They lie ready in
`own/`; this is run again only when they are changed, and needs ffmpeg to pack them.

The night bed is a round: everything in it, the echoes and the noise too, runs over its end into its beginning, so that
it can be repeated without a seam. Nothing is left to chance: the same sounds come out every time.
"""

import math
import random
import subprocess
import sys
import wave
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

RATE: Final = 48_000
OWN: Final = Path(__file__).parent / "own"
SEED: Final = 2_3

# --- the night bed: eight chords of eight seconds, three times

CHORD_S: Final = 8.0
STEP_S: Final = 0.4
ROUNDS: Final = 3
_CHORDS: Final = (
    # The root, then what is laid over it; numbers as of a keyboard, 69 is the A of 440 Hz.
    (38, (57, 62, 65, 69, 76)),
    (34, (58, 62, 65, 69, 74)),
    (41, (57, 60, 65, 69, 76)),
    (36, (55, 60, 64, 67, 74)),
    (43, (58, 62, 65, 70, 77)),
    (38, (57, 62, 65, 69, 72)),
    (34, (58, 62, 65, 69, 77)),
    (33, (57, 62, 64, 67, 74)),
)
BED_S: Final = CHORD_S * len(_CHORDS) * ROUNDS
_LENGTH: Final = int(BED_S * RATE)
_LEVEL: Final = 0.165
"""By what the whole is multiplied, so that the bed comes out at -20 LUFS."""
_ECHOES: Final = ((0.6, 0.42), (1.2, 0.2))
_TABLE: Final = 4096

Samples: TypeAlias = "array[float]"


def hertz(key: float) -> float:
    """The frequency of a key."""
    return 440.0 * 2.0 ** ((key - 69.0) / 12.0)


@cache
def _table(partials: tuple[float, ...]) -> tuple[float, ...]:
    """One turn of a wave with these partials."""
    return tuple(
        sum(level * math.sin(2.0 * math.pi * (row + 1) * step / _TABLE) for row, level in enumerate(partials))
        for step in range(_TABLE)
    )


def _turning(frequency: float, count: int, partials: tuple[float, ...]) -> Iterator[float]:
    table, step = _table(partials), frequency * _TABLE / RATE
    return (table[int(step * number) % _TABLE] for number in range(count))


def _swell(count: int, rise: int, fall: int) -> Iterator[float]:
    """Up and down again in two halves of a cosine."""
    for number in range(count):
        if number < rise:
            yield 0.5 - 0.5 * math.cos(math.pi * number / rise)
        elif number > count - fall:
            yield 0.5 - 0.5 * math.cos(math.pi * (count - number) / fall)
        else:
            yield 1.0


@cache
def pad(key: int, detune: float) -> Samples:
    """A soft held note; it rises and falls for two seconds, into the next chord's."""
    count, slope = int((CHORD_S + 2.0) * RATE), int(2.0 * RATE)
    wave_ = _turning(hertz(key + detune), count, (1.0, 0.34, 0.16, 0.07, 0.03))
    return array("d", (value * level for value, level in zip(wave_, _swell(count, slope, slope), strict=True)))


@cache
def bass(key: int) -> Samples:
    """The root."""
    count = int((CHORD_S + 1.0) * RATE)
    wave_ = _turning(hertz(key), count, (1.0, 0.5, 0.2))
    return array("d", (value * level for value, level in zip(wave_, _swell(count, RATE // 2, RATE), strict=True)))


@cache
def pluck(key: int) -> Samples:
    """A plucked note that rings for two and a half seconds."""
    count = int(2.5 * RATE)
    bright = array("d", _turning(hertz(key), count, (1.0, 0.5, 0.3, 0.2, 0.12, 0.08)))
    dull = array("d", _turning(hertz(key), count, (1.0, 0.12)))
    fast, slow = -9.0 / RATE, -2.2 / RATE
    rise = 240
    return array(
        "d",
        (
            (0.5 * first * math.exp(fast * number) + 0.5 * then * math.exp(slow * number))
            * min(1.0, number / rise)
            * min(1.0, (count - number) / 4800)
            for number, (first, then) in enumerate(zip(bright, dull, strict=True))
        ),
    )


@cache
def brush() -> Samples:
    """One stroke of a brush: what covers a rustle."""
    count = int(0.24 * RATE)
    noise = array("h", random.Random(SEED).randbytes(2 * count))
    stroke, before = array("d"), 0.0
    for number, value in enumerate(noise):
        high, before = value - before, value
        rise = min(1.0, number / 900)
        stroke.append(high / 65_536 * rise * math.exp(-16.0 * number / RATE))
    return stroke


@cache
def air(channel: int) -> Samples:
    """Sixteen seconds of a soft wind that runs into itself."""
    count = 16 * RATE
    noise = array("h", random.Random(SEED + 1 + channel).randbytes(2 * count))
    low = lower = 0.0
    wind = array("d", bytes(8 * count))
    # Twice around: the second time the filter comes from the end of the first.
    for turn in range(2):
        for number, value in enumerate(noise):
            low += 0.35 * (value - low)
            lower += 0.035 * (low - lower)
            if turn:
                wind[number] = (0.55 * low + 1.6 * lower) / 32_768
    return wind


@dataclass(frozen=True, slots=True)
class Note:
    """Something that begins at sample `start` and is as loud as `left` and `right` say."""

    start: int
    sound: Callable[[], Samples]
    left: float
    right: float


def _panned(start: float, sound: Callable[[], Samples], level: float, pan: float) -> Note:
    """`pan` from -1, left, to 1, right."""
    angle = (pan + 1.0) * math.pi / 4.0
    return Note(round(start * RATE) % _LENGTH, sound, level * math.cos(angle), level * math.sin(angle))


@cache
def score() -> tuple[Note, ...]:
    """Every note of the bed."""
    chance = random.Random(SEED)
    notes: list[Note] = []
    for number in range(ROUNDS * len(_CHORDS)):
        root, keys = _CHORDS[number % len(_CHORDS)]
        start = number * CHORD_S
        notes.append(_panned(start, lambda root=root: bass(root), 0.62, 0.0))
        for place, key in enumerate(keys):
            side = 0.7 * (place - 2) / 2
            notes.append(_panned(start - 1.0, lambda key=key: pad(key, 0.04), 0.2, side))
            notes.append(_panned(start - 1.0, lambda key=key: pad(key, -0.04), 0.2, -side))
        notes += _arpeggio(chance, start, keys, number // len(_CHORDS))
    return tuple(notes)


def _arpeggio(chance: random.Random, start: float, keys: Sequence[int], turn: int) -> Iterator[Note]:
    steps = round(CHORD_S / STEP_S)
    place = chance.randrange(len(keys))
    for step in range(steps):
        at = start + step * STEP_S
        yield _panned(at, brush, 0.17 if step % 2 else 0.26, 0.3 if step % 2 else -0.3)
        # Every round plays more of the steps than the one before.
        if step % 4 and chance.random() > 0.45 + 0.15 * turn:
            continue
        place = max(0, min(len(keys) - 1, place + chance.choice((-1, 1, 1, -2, 2))))
        key = keys[place] + (12 if turn and chance.random() < 0.3 else 0)
        pan, level = chance.uniform(-0.6, 0.6), chance.uniform(0.36, 0.55)

        def sound(key: int = key) -> Samples:
            return pluck(key)

        yield _panned(at, sound, level, pan)
        for number, (later, quieter) in enumerate(_ECHOES):
            yield _panned(at + later, sound, level * quieter, -pan if number % 2 == 0 else pan)


def bed(first: int, count: int) -> tuple[Samples, Samples]:
    """`count` samples of the night bed from `first` on, left and right; 1.0 is full scale."""
    sides: list[Samples] = []
    for channel in range(2):
        wind = air(channel)
        swell = (
            0.055 * (1.0 + 0.4 * math.sin(2.0 * math.pi * (3 * (number // 480 * 480) / _LENGTH + 0.25 * channel)))
            for number in range(first, first + count)
        )
        sides.append(array("d", (wind[(first + number) % len(wind)] * level for number, level in enumerate(swell))))
    for note in score():
        levels, sound = (note.left, note.right), None
        for begins in (note.start - _LENGTH, note.start, note.start + _LENGTH):
            if begins >= first + count or begins + 11 * RATE <= first:
                continue
            sound = note.sound()
            low, high = max(begins, first), min(begins + len(sound), first + count)
            if low >= high:
                continue
            piece = sound[low - begins : high - begins]
            for side, level in zip(sides, levels, strict=True):
                here = side[low - first : high - first]
                side[low - first : high - first] = array(
                    "d", [old + level * new for old, new in zip(here, piece, strict=True)]
                )
    return sides[0], sides[1]


# --- the cues


def bell(key: float, seconds: float, *, fall: float, bright: float = 1.0) -> Samples:
    """A struck bar: few partials, the high ones gone soon. It begins within 2 ms."""
    partials = ((1.0, 1.0, 1.0), (2.756, 0.42 * bright, 2.2), (5.404, 0.18 * bright, 4.5))
    count = int(seconds * RATE)
    sound = array("d", bytes(8 * count))
    for ratio, level, faster in partials:
        step, fading = 2.0 * math.pi * hertz(key) * ratio / RATE, -fall * faster / RATE
        for number in range(count):
            sound[number] += level * math.sin(step * number) * math.exp(fading * number)
    for number in range(96):
        sound[number] *= number / 96
    for number in range(min(count, 2400)):
        sound[count - 1 - number] *= number / 2400
    return sound


def _together(seconds: float, notes: Sequence[tuple[float, Samples]], level: float) -> Samples:
    sound = array("d", bytes(8 * int(seconds * RATE)))
    for at, note in notes:
        begins = int(at * RATE)
        for number, value in enumerate(note[: len(sound) - begins]):
            sound[begins + number] += level * value
    return sound


def cues() -> dict[str, Samples]:
    """Every cue, one channel."""
    down, up = (86, 81, 77, 74), (74, 77, 81, 86)
    tone = array("d", (0.1414 * math.sin(2.0 * math.pi * 1000.0 * number / RATE) for number in range(int(1.5 * RATE))))
    for number in range(960):
        tone[number] *= number / 960
        tone[len(tone) - 1 - number] *= number / 960
    return {
        "night": _together(3.2, [(0.28 * n, bell(key, 2.2, fall=2.6)) for n, key in enumerate(down)], 0.2),
        "morning": _together(3.0, [(0.24 * n, bell(key, 2.0, fall=3.0)) for n, key in enumerate(up)], 0.22),
        "ten_seconds": _together(0.8, [(0.0, bell(84, 0.5, fall=9.0)), (0.18, bell(84, 0.5, fall=9.0))], 0.26),
        "time": _together(1.6, [(0.0, bell(81, 0.8, fall=5.0)), (0.22, bell(74, 1.3, fall=3.5))], 0.3),
        "vote_open": _together(0.5, [(0.0, bell(88, 0.45, fall=10.0, bright=1.4))], 0.34),
        "vote_closed": _together(0.7, [(0.0, bell(83, 0.4, fall=12.0)), (0.12, bell(76, 0.5, fall=9.0))], 0.32),
        "tone": tone,
    }


# --- to files


def pcm(*channels: Samples) -> bytes:
    """Sixteen bits a sample, the channels side by side. Raises ValueError where it would be clipped."""
    if max(max(abs(value) for value in channel) for channel in channels) >= 1.0:
        raise ValueError("too loud: it would be clipped")
    mixed = array("h", bytes(2 * sum(map(len, channels))))
    for place, channel in enumerate(channels):
        mixed[place :: len(channels)] = array("h", [round(value * 32_767) for value in channel])
    return mixed.tobytes()


def _pack(name: str, raw: bytes, channels: int, *options: str) -> None:
    loose = OWN / "loose.wav"
    with wave.open(str(loose), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(raw)
    quiet = ("-hide_banner", "-loglevel", "error", "-y", "-bitexact", "-fflags", "+bitexact", "-flags", "+bitexact")
    subprocess.run(["ffmpeg", *quiet, "-i", str(loose), "-map_metadata", "-1", *options, str(OWN / name)], check=True)
    loose.unlink()


def compose() -> None:
    """Writes every sound into `own/`."""
    OWN.mkdir(exist_ok=True)
    for name, sound in cues().items():
        _pack(f"{name}.flac", pcm(sound), 1, "-compression_level", "12")
    left, right = bed(0, _LENGTH)
    quieter = tuple(array("d", [value * _LEVEL for value in side]) for side in (left, right))
    _pack("night.opus", pcm(*quieter), 2, "-c:a", "libopus", "-b:a", "64k", "-vbr", "on")


if __name__ == "__main__":
    sys.exit(compose())
