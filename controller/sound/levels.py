"""Gains and how they move: fades and ducking are ramps in time, and mpv's volume is the cube root of a gain. Pure."""

from dataclasses import dataclass
from typing import Final

DUCK_ATTACK_S: Final = 0.12
DUCK_RELEASE_S: Final = 0.6
FROM: Final = 0.15
"""Where a fade in begins: 33 dB below its end, so that something is to be heard at once."""


def gain_of(decibels: float) -> float:
    """The factor that `decibels` is."""
    return 10.0 ** (decibels / 20.0)


def volume_of(gain: float) -> float:
    """mpv's volume for a gain: its scale is cubic, 100 leaves a signal as it is."""
    return 100.0 * max(0.0, gain) ** (1.0 / 3.0)


@dataclass(slots=True)
class Ramp:
    """A value between 0 and 1 that walks to where it is sent, in a straight line of time."""

    value: float = 0.0
    target: float = 0.0
    seconds: float = 0.0
    """How long the whole way from 0 to 1 takes; 0: at once."""

    def send(self, target: float, seconds: float) -> None:
        """From now on it walks to `target`."""
        self.target, self.seconds = target, seconds

    def step(self, elapsed: float) -> float:
        """The value `elapsed` seconds later."""
        way = 1.0 if self.seconds <= 0 else elapsed / self.seconds
        if self.value < self.target:
            self.value = min(self.target, self.value + way)
        else:
            self.value = max(self.target, self.value - way)
        return self.value

    @property
    def arrived(self) -> bool:
        """Whether it stands still."""
        return self.value == self.target


class Fader:
    """The music's gain: fade by ducking by volume. Every one of them moves by itself."""

    def __init__(self, duck: float, fade_in: float, fade_out: float) -> None:
        """`duck` is how many decibels the music steps back; the fades are seconds."""
        self._fade = Ramp()
        self._duck = Ramp()
        self._depth = duck
        self._fade_in = fade_in
        self._fade_out = fade_out

    def play(self, wanted: bool, *, fade: float | None = None) -> None:
        """Fades in or out; `fade` seconds in place of the usual."""
        if wanted:
            self._fade.value = max(self._fade.value, FROM)
        usual = self._fade_in if wanted else self._fade_out
        self._fade.send(1.0 if wanted else 0.0, usual if fade is None else fade)

    def silence(self) -> None:
        """From nothing: the next fade begins at 0."""
        self._fade.value = 0.0

    def hold(self, held: bool) -> None:
        """Steps back while the judge speaks, and comes back."""
        self._duck.send(1.0 if held else 0.0, DUCK_ATTACK_S if held else DUCK_RELEASE_S)

    def step(self, elapsed: float) -> float:
        """The gain `elapsed` seconds later: a fade is the square of its way, ducking a straight line in decibels."""
        fade, duck = self._fade.step(elapsed), self._duck.step(elapsed)
        return fade * fade * gain_of(-self._depth * duck)

    @property
    def arrived(self) -> bool:
        """Whether nothing moves."""
        return self._fade.arrived and self._duck.arrived

    @property
    def is_silent(self) -> bool:
        """Whether it has faded out wholly."""
        return self._fade.value == 0.0 and self._fade.target == 0.0
