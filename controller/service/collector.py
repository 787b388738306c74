"""Python's collector of what is no longer wanted, kept out of the way of whoever works in real time."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from controller.table.state import Cause, Snapshot

RUNS_AFTER: Final = 50_000
"""So many more things are there than when it ran last: with Python's own 700 it ran every other second while a
thousand spectators answered pings, and held a judge's command up by 20 ms each time (`make bench`)."""


@contextmanager
def spared() -> Generator[None]:
    """What was made up to now stays for good: Python need not look through it again and again, which held the hands
    up by a tenth of a second each time (`make bench`). Of what is made later most goes by itself, and is looked
    through seldom."""
    before = gc.get_threshold()
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(RUNS_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class BetweenGames:
    """Looks through everything when another game begins: then nobody waits for a tenth of a second, and what the game
    has left does not stay for the rest of the day."""

    def __init__(self, game: str) -> None:
        """`game` is the one on the table."""
        self._game = game

    def hear(self, snapshot: Snapshot, _: Cause) -> None:
        """Something has happened at the table."""
        if snapshot.game != self._game:
            self._game = snapshot.game
            gc.collect()
