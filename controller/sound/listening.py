"""Listening to a card: what goes out of it is recorded from the sound server's monitor and measured. Where a card has
no monitor nobody but a person can tell whether it sounds."""

import asyncio
import math
import shutil
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.sound.cards import Card
from controller.sound.ending import end

RATE: Final = 48_000
TONE_HZ: Final = 1_000.0
_FULL: Final = 32_768.0
_QUIET_DB: Final = -90.0
_PATIENCE_S: Final = 2.0


Recorded: TypeAlias = "array[int]"


class CannotListen(Exception):
    """This card cannot be listened to."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A recording's level in dB of full scale, and how far below the whole the rest lies once the tone is taken out."""

    level: float
    rest: float

    @property
    def is_tone(self) -> bool:
        """Whether the tone was heard and little else."""
        return self.level > -60.0 and self.rest < -12.0


async def record(card: Card, seconds: float) -> Recorded:
    """What goes out of `card` in the next `seconds`: one channel, 48 kHz. Raises CannotListen."""
    parec = shutil.which("parec")
    if parec is None or card.sink is None:
        raise CannotListen(card.name)
    process = await asyncio.create_subprocess_exec(
        parec,
        f"--device={card.sink}.monitor",
        "--raw",
        "--format=s16le",
        f"--rate={RATE}",
        "--channels=1",
        "--latency-msec=20",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    heard, wanted = b"", int(seconds * RATE) * 2
    try:
        async with asyncio.timeout(seconds + _PATIENCE_S):
            while len(heard) < wanted and (more := await process.stdout.read(wanted - len(heard))):
                heard += more
    except TimeoutError:
        pass  # what has come by now is measured
    finally:
        await end(process)
    heard = heard[: len(heard) // 2 * 2]
    if not heard:
        raise CannotListen(card.name)
    samples = array("h")
    samples.frombytes(heard)
    return samples


def decibels(samples: Sequence[int]) -> float:
    """The level of `samples` (RMS), dB of full scale; -inf for digital silence."""
    power = sum(sample * sample for sample in samples) / max(1, len(samples)) / _FULL**2
    return 10.0 * math.log10(power) if power > 0 else -math.inf


def amplitude(samples: Sequence[int], hertz: float) -> float:
    """The amplitude of the sine of `hertz` in `samples`, 1.0 being full scale."""
    step = 2.0 * math.pi * hertz / RATE
    real = sum(sample * math.cos(step * number) for number, sample in enumerate(samples))
    imaginary = sum(sample * math.sin(step * number) for number, sample in enumerate(samples))
    return 2.0 * math.hypot(real, imaginary) / max(1, len(samples)) / _FULL


def measure(samples: Recorded) -> Measured:
    """Where the test tone is in `samples`, and what else. The loudest half second is looked at."""
    piece = RATE // 2
    starts = range(0, max(1, len(samples) - piece), piece // 2)
    loudest = max((samples[start : start + piece] for start in starts), key=decibels)
    level = decibels(loudest)
    if level < _QUIET_DB:
        return Measured(level, 0.0)
    whole = 10.0 ** (level / 10.0)
    tone = amplitude(loudest, TONE_HZ) ** 2 / 2.0
    rest = max(whole - tone, whole * 1e-9)
    return Measured(level, 10.0 * math.log10(rest / whole))
