"""The music there is: files of the folders that were added, each with the gain that evens it out. Files are never
touched; what was measured lies beside the journal."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.small_files import write_whole
from controller.sound.loudness import Loudness, NoMusic, loudness_of

log = logging.getLogger(__name__)

SHELF: Final = "music.json"
"""What was added, and how loud it was found to be."""

OWN: Final = Path(__file__).parent / "own"
"""Sounds of our own making, by `composing`."""
NIGHT_BED: Final = OWN / "night.opus"
MUSIC: Final = frozenset({".flac", ".mp3", ".m4a", ".ogg", ".opus", ".wav", ".aac", ".wma", ".aif", ".aiff"})


@dataclass(frozen=True, slots=True)
class Track:
    """One file, and the decibels by which it is made louder or quieter."""

    path: Path
    gain: float = 0.0
    levelled: bool = True
    """Whether it was measured."""


def music_in(folder: Path) -> tuple[Path, ...]:
    """The music files of `folder` and of its folders, in order of name; hidden ones are left out."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in MUSIC and path.is_file())
    return tuple(sorted(path for path in found if not path.name.startswith(".")))


class Measured(msgspec.Struct, frozen=True):
    """One file as it was when it was measured."""

    size: int
    changed: int
    """When it was last written, nanoseconds."""
    integrated: float | None
    """LUFS; None: it is no music, or silent."""
    peak: float = 0.0

    @property
    def gain(self) -> float:
        """The decibels that even it out."""
        return 0.0 if self.integrated is None else Loudness(self.integrated, self.peak).gain


class Shelf(msgspec.Struct, frozen=True):
    """The folders that were added and what was measured in them."""

    folders: tuple[str, ...] = ()
    files: dict[str, Measured] = msgspec.field(default_factory=dict[str, Measured])


def shelf_in(folder: Path) -> Shelf:
    """What was added to the table whose sound's folder is `folder`; nothing where that cannot be read."""
    try:
        return msgspec.json.decode((folder / SHELF).read_bytes(), type=Shelf)
    except FileNotFoundError:
        return Shelf()
    except (OSError, msgspec.MsgspecError):
        log.warning("%s cannot be read: add the folders of music anew", folder / SHELF)
        return Shelf()


def keep(shelf: Shelf, folder: Path) -> None:
    """Writes the shelf, whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / SHELF, msgspec.json.format(msgspec.json.encode(shelf), indent=1))


def known(shelf: Shelf, file: Path) -> Measured | None:
    """What was measured of `file`, if it is still the same file."""
    measured = shelf.files.get(str(file))
    try:
        now = file.stat()
    except OSError:
        return None
    same = measured is not None and (measured.size, measured.changed) == (now.st_size, now.st_mtime_ns)
    return measured if same else None


def tracks_in(folder: Path) -> tuple[Track, ...]:
    """The music that was added to the table whose sound's folder is `folder`, each file with its gain; one that was
    never measured plays as it is."""
    shelf = shelf_in(folder)
    tracks: list[Track] = []
    for place in shelf.folders:
        for file in music_in(Path(place)):
            measured = known(shelf, file)
            if measured is None:
                tracks.append(Track(file, levelled=False))
            elif measured.integrated is not None:
                tracks.append(Track(file, measured.gain))
    return tuple(tracks)


async def add(place: Path, folder: Path, told: Callable[[Path, Loudness | None], None]) -> Shelf:
    """Adds the music of `place`: what is new there is measured, and `told` file by file; None: it is no music. Raises
    OSError where the shelf in `folder` cannot be written."""
    shelf = shelf_in(folder)
    files = dict(shelf.files)
    for file in music_in(place):
        if known(shelf, file) is not None:
            continue
        about, loudness = file.stat(), None
        with suppress(NoMusic):
            loudness = await loudness_of(file)
        levels = (None, 0.0) if loudness is None else (loudness.integrated, loudness.peak)
        files[str(file)] = Measured(about.st_size, about.st_mtime_ns, *levels)
        told(file, loudness)
    shelf = Shelf(tuple(dict.fromkeys((*shelf.folders, str(place)))), files)
    keep(shelf, folder)
    return shelf


def remove(place: Path, folder: Path) -> Shelf:
    """Takes `place` off the shelf. Raises KeyError where it is not on it, OSError where it cannot be written."""
    shelf = shelf_in(folder)
    if str(place) not in shelf.folders:
        raise KeyError(str(place))
    inside = f"{place}/"
    files = {name: measured for name, measured in shelf.files.items() if not name.startswith(inside)}
    shelf = Shelf(tuple(name for name in shelf.folders if name != str(place)), files)
    keep(shelf, folder)
    return shelf
