"""What of the sound can be set: the section `sound` of the settings file. Every default works."""

from typing import Annotated

import msgspec
from msgspec import Meta

from controller.sound.score import CueName

Percent = Annotated[int, Meta(ge=0, le=100)]
Seconds = Annotated[float, Meta(ge=0, le=20)]
CALLED: tuple[CueName, ...] = tuple(name for name in CueName if name is not CueName.SPEAKER)


class SoundSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the table sounds."""

    on: bool = True
    cards: tuple[str, ...] = ()
    """Words of the names of the sound cards, best first. Without any: the first card that is no HDMI, then HDMI."""
    volume: Percent = 80
    limit: Percent = 100
    """No volume above it can be set on the judge's tablet."""
    cue_volume: Percent = 100
    fade_in: Seconds = 0.8
    fade_out: Seconds = 2.0
    duck: Annotated[float, Meta(ge=0, le=60)] = 18.0
    """By how much the music steps back while the judge speaks, decibels."""
    seed: int = 0
    """Which shuffled order; 0: another at every start, stated in the log."""
    cues: tuple[CueName, ...] = CALLED
    spoken: tuple[CueName, ...] = ()
    """What is said in words too."""
    voice: str | None = None
    """A folder of recordings (docs/sound.md); without it a speech synthesiser, if there is one."""
