"""In which order the music is played: shuffled, and all of it before anything is played again. What was heard is kept
beside the journal, so that a restart goes on with what was not."""

import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from controller.small_files import write_whole
from controller.sound.library import Track

log = logging.getLogger(__name__)

FILE: Final = "order.json"


class Played(msgspec.Struct, frozen=True):
    """How far the music has come."""

    seed: int
    turn: int = 0
    """How many times everything was played."""
    files: tuple[str, ...] = ()
    """The files that were begun in this turn."""
    last: str = ""
    """The file that was begun last."""


def played_in(folder: Path) -> Played | None:
    """What was kept in `folder`; None where there is nothing, or nothing that can be read."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Played)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError):
        log.warning("%s cannot be read: the music is shuffled anew", folder / FILE)
        return None


def keep(played: Played, folder: Path) -> None:
    """Writes it, whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / FILE, msgspec.json.encode(played))


class Order:
    """The order of `tracks`."""

    def __init__(self, tracks: Sequence[Track], seed: int = 0, kept: Played | None = None) -> None:
        """`seed` is what the settings say, 0: any. `kept` is how far it had come; another seed begins anew."""
        if kept is None or (seed and seed != kept.seed):
            kept = Played(seed or random.SystemRandom().randrange(1, 1_000_000), last="" if kept is None else kept.last)
        self._tracks = tuple(tracks)
        self.played = kept
        """How far it has come."""
        self._coming = self._from_here()

    def next(self) -> Track | None:
        """What is played next, without end; None where there is no music."""
        return next(self._coming, None)

    def begun(self, track: Track) -> bool:
        """`track` is to be heard now; whether that is anything new."""
        before, name = self.played, str(track.path)
        if track not in self._tracks:
            return False
        if name == before.last and (name in before.files or not before.files):
            return False
        # One that comes again although others were not heard: those cannot be played.
        turn, files = (before.turn + 1, (name,)) if name in before.files else (before.turn, (*before.files, name))
        if {str(one.path) for one in self._tracks} <= set(files):
            turn, files = turn + 1, ()
        self.played = Played(before.seed, turn, files, name)
        return True

    def _from_here(self) -> Iterator[Track]:
        turn, left_out, last = self.played.turn, set(self.played.files), self.played.last
        while self._tracks:
            order = list(self._tracks)
            random.Random(f"{self.played.seed} {turn}").shuffle(order)
            order = [track for track in order if str(track.path) not in left_out]
            if len(order) > 1 and str(order[0].path) == last:
                order.append(order.pop(0))
            yield from order
            last = str(order[-1].path) if order else last
            turn, left_out = turn + 1, set[str]()
