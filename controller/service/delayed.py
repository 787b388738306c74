"""What viewers were shown when: a ring of views, so that spectators can be shown each of them later.

A view is never shown sooner than is asked for: views are kept in slots of a fifth of a second, dated by a slot's end.
After a restart the ring is what the journal tells, as if its last decision had been made at the start: whatever was
not shown yet waits its whole delay anew.
"""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.game.rules import Rules
from controller.game.rulesets import RULESETS
from controller.service.access import LONGEST_DELAY_S
from controller.table.book import Book, Row, fold
from controller.table.journal_file import read_only
from controller.table.state import Disk, Snapshot
from controller.table.steps import main_step
from controller.views.facts import Surroundings
from controller.views.spectator import spectator_view

SECOND: Final = 1_000_000_000
SLOT: Final = SECOND // 5
"""Spectators are shown five views a second at most."""
_QUICKLY: Final = 1
_ON_ONE_GROUND: Final = 64
"""So many views are packed as what differs from one of them."""
_GAMES_READ: Final = 2
"""The last game of the journal and the one before: a longer delay than a game there is not."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One view: nanoseconds of the service's clock, its number, and the view, packed as what differs from `ground`:
    a quarter of an hour of them would be the largest thing that the service holds."""

    at: int
    number: int
    packed: bytes
    ground: bytes

    @property
    def view(self) -> bytes:
        """The view as it is sent."""
        return zlib.decompressobj(zdict=self.ground).decompress(self.packed)


class Ring:
    """The views of the last quarter of an hour and the one before them."""

    def __init__(self) -> None:
        self._kept: list[Kept] = []
        self._number = 0
        self._newest: bytes | None = None
        self._ground = b""
        self._on_ground = _ON_ONE_GROUND

    @property
    def size(self) -> int:
        """How many bytes the views take."""
        grounds = {id(kept.ground): len(kept.ground) for kept in self._kept}
        return sum(grounds.values()) + sum(len(kept.packed) for kept in self._kept)

    def add(self, now: int, view: bytes) -> None:
        """Viewers are shown `view` since `now`; nothing is kept where that is what they were shown before."""
        at = -(-now // SLOT) * SLOT
        if view == self._newest:
            return
        self._newest = view
        self._number += 1
        if self._kept and self._kept[-1].at == at:
            self._kept.pop()
        self._kept.append(Kept(at, self._number, self._pack(view), self._ground))
        oldest = bisect_right(self._kept, now - (LONGEST_DELAY_S + 1) * SECOND, key=_at) - 1
        if oldest > 0:
            del self._kept[:oldest]

    def _pack(self, view: bytes) -> bytes:
        self._on_ground += 1
        if self._on_ground > _ON_ONE_GROUND:
            self._ground, self._on_ground = view, 1
        packing = zlib.compressobj(_QUICKLY, zdict=self._ground)
        return packing.compress(view) + packing.flush()

    def at(self, moment: int) -> Kept | None:
        """What viewers were shown at `moment`; None: nothing yet."""
        place = bisect_right(self._kept, moment, key=_at)
        return self._kept[place - 1] if place else None

    def after(self, moment: int) -> int | None:
        """When the next view after `moment` came; None: there is none."""
        place = bisect_right(self._kept, moment, key=_at)
        return self._kept[place].at if place < len(self._kept) else None

    @property
    def last(self) -> Kept | None:
        """The newest view."""
        return self._kept[-1] if self._kept else None

    def __len__(self) -> int:
        return len(self._kept)


def _at(kept: Kept) -> int:
    return kept.at


def refill(
    ring: Ring,
    folder: Path,
    now: int,
    around: Callable[[Snapshot], Surroundings],
    rulesets: Mapping[str, Rules] = RULESETS,
) -> None:
    """Fills an empty ring from the journal in `folder`, as if its last decision were of `now`. Raises what reading a
    journal raises."""
    rows = read_only(folder, _GAMES_READ)
    times = _times(rows, now)
    earliest = now - (LONGEST_DELAY_S + 1) * SECOND
    books: dict[str, Book] = {}
    for place, (row, at) in enumerate(zip(rows, times, strict=True)):
        book = books[row.game] = fold(books.get(row.game), row, rulesets)
        if at >= earliest or place + 1 == len(rows) or times[place + 1] >= earliest:
            snapshot = _snapshot(book)
            ring.add(at, msgspec.json.encode(spectator_view(snapshot, around(snapshot))))


def _times(rows: Sequence[Row], now: int) -> list[int]:
    """When each decision was made, with the last of them at `now`. Clocks of two boots cannot be compared: between
    them no time goes by, so that nothing comes sooner than it may."""
    times, at = [now] * len(rows), now
    for place in range(len(rows) - 2, -1, -1):
        row, later = rows[place], rows[place + 1]
        if row.boot == later.boot:
            at -= max(0, later.at - row.at)
        times[place] = at
    return times


def _snapshot(book: Book) -> Snapshot:
    """The table as the journal alone knows it: no hands, no clocks."""
    return Snapshot(
        revision=book.revision,
        game=book.game,
        previous=book.previous,
        header=book.header,
        names=book.names,
        history=book.history,
        timer=None,
        stopped=book.stopped,
        window=None,
        contacts={},
        links=(),
        disk=Disk.OK,
        damage=None,
        step=main_step(book.state, None),
        lamps={},
    )
