"""Pictures as the pages want them: cut to form, turned upright, and written anew, so that nothing a camera wrote into
them (a place, a date, an owner) leaves the machine."""

import io
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from PIL import Image, ImageOps

LARGEST_PICTURE: Final = 60_000_000
"""Pixels: what a good camera makes, and no bomb."""
LARGEST_OTHER: Final = 25_000_000
"""The same of what can only be unpacked whole, four bytes a pixel: a table has a Pi's memory and a game to play."""
PORTRAIT: Final = (656, 712)
"""Four times the card's own size: sharp at 4K, and when a card is lifted out."""
LEAST_PORTRAIT: Final = 160
"""Pixels of the shorter side of what is put in from a page: the card's own width."""
FACE_AT: Final = (0.5, 0.36)
"""Where on the card the face lies."""
GROUND: Final = (59, 68, 80)
"""What a picture without a background stands on."""
LOGO: Final = (1600, 480)
"""Room for a logo: four times what the strip of sponsors gives it."""
LEAST_LOGO: Final = 40

Source: TypeAlias = Path | io.BytesIO
UNREADABLE: Final = (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning)
"""What is raised for something that is no picture, or that is meant to burst."""


class TooSmall(Exception):
    """A picture that would be shown unsharp."""

    def __init__(self, width: int, height: int, least: int) -> None:
        super().__init__(f"{width} x {height}, at least {least}")
        self.width = width
        self.height = height
        self.least = least


def portrait(source: Source, face: tuple[float, float] | None = None, *, least: int = 0) -> bytes:
    """The picture as the card wants it, a JPEG of `PORTRAIT`'s size; `face`: where the face is on it, in parts of its
    width and height; `least`: pixels of its shorter side. Raises TooSmall and what is in `UNREADABLE`."""
    with _opened(source) as opened:
        opened.draft("RGB", (PORTRAIT[0] * 2, PORTRAIT[1] * 2))
        picture = _upright(opened, PORTRAIT, least)
    ground = Image.new("RGBA", picture.size, (*GROUND, 255))
    whole = Image.alpha_composite(ground, picture).convert("RGB")
    part = whole.crop(_crop(whole.size, face))
    cut = part.resize(PORTRAIT, Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType]
    out = io.BytesIO()
    cut.save(out, "JPEG", quality=84, optimize=True, progressive=True)
    return out.getvalue()


def logo(source: Source) -> bytes:
    """A logo without the empty room around it and no larger than `LOGO`, a PNG. Raises TooSmall and what is in
    `UNREADABLE`."""
    with _opened(source) as opened:
        picture = _upright(opened, LOGO, LEAST_LOGO)
    picture = picture.crop(picture.getchannel("A").getbbox() or (0, 0, 0, 0))
    _must_be(picture, LEAST_LOGO)
    picture.thumbnail(LOGO, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


@contextmanager
def _opened(source: Source) -> Generator[Image.Image]:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(source, formats=("JPEG", "PNG", "WEBP")) as opened:
            most = LARGEST_PICTURE if opened.format == "JPEG" else LARGEST_OTHER
            if opened.width * opened.height > most:
                raise ValueError(f"{opened.width} x {opened.height} pixels")
            yield opened


def _upright(opened: Image.Image, room: tuple[int, int], least: int) -> Image.Image:
    """The picture as it was meant to be looked at, in four channels. It is made smaller, to twice `room` at least,
    before anything else is made of it. Raises TooSmall."""
    ImageOps.exif_transpose(opened, in_place=True)
    _must_be(opened, least)
    if (times := min(opened.width // (2 * room[0]), opened.height // (2 * room[1]))) > 1:
        plain = opened if opened.mode in ("L", "LA", "RGB", "RGBA") else opened.convert("RGBA")
        return plain.reduce(times).convert("RGBA")
    return opened.convert("RGBA")


def _must_be(picture: Image.Image, least: int) -> None:
    if min(picture.size) < least:
        raise TooSmall(*picture.size, least)


def _crop(size: tuple[int, int], face: tuple[float, float] | None) -> tuple[int, int, int, int]:
    """The largest part of a picture in the card's form. Without a word on the face: the middle, high up, as portraits
    are; with one: the face where the card wants it, as far as the picture's edges let it."""
    width, height = size
    wide = min(width, round(height * PORTRAIT[0] / PORTRAIT[1]))
    high = min(height, round(width * PORTRAIT[1] / PORTRAIT[0]))
    if face is None:
        left, top = (width - wide) / 2, (height - high) * 0.15
    else:
        left, top = face[0] * width - FACE_AT[0] * wide, face[1] * height - FACE_AT[1] * high
    x, y = (round(min(max(at, 0), most)) for at, most in ((left, width - wide), (top, height - high)))
    return x, y, x + wide, y + high
