"""The music there is: files of the folders that were added, each with the gain that evens it out, in a shuffled order
without repeats. Files are never touched; what was measured lies beside the journal."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

OWN: Final = Path(__file__).parent / "own"
"""Sounds of our own making, by `composing`."""
NIGHT_BED: Final = OWN / "night.opus"
MUSIC: Final = frozenset({".flac", ".mp3", ".m4a", ".ogg", ".opus", ".wav", ".aac", ".wma", ".aif", ".aiff"})


@dataclass(frozen=True, slots=True)
class Track:
    """One file, and the decibels by which it is made louder or quieter."""

    path: Path
    gain: float = 0.0


def music_in(folder: Path) -> tuple[Path, ...]:
    """The music files of `folder` and of its folders, in order of name; hidden ones are left out."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in MUSIC and path.is_file())
    return tuple(sorted(path for path in found if not path.name.startswith(".")))


def shuffled(tracks: Sequence[Track], seed: int) -> Iterator[Track]:
    """The order in which `tracks` are played, without end: all of them, then all of them anew in another order; never
    the same one twice in a row unless there is but one. The same seed gives the same order."""
    last: Track | None = None
    cycle = 0
    while tracks:
        order = list(tracks)
        random.Random(f"{seed} {cycle}").shuffle(order)
        if len(order) > 1 and order[0] == last:
            order.append(order.pop(0))
        yield from order
        last = order[-1]
        cycle += 1


def tracks_in(folder: Path) -> tuple[Track, ...]:
    """The music that was added to the table whose sound's folder is `folder`."""
    return ()
