"""The standings on the screens: read from the journal whenever a game has come to its end or its points have changed.

Reading takes a while on a small machine, so it is done beside the event loop; until it is done the old table stands.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.game.outcome import Reason
from controller.game.phases import Over
from controller.record.tournament import shown
from controller.scoring import SCORINGS
from controller.scoring.standings import GameCard, game_card, standings
from controller.table.archive import NoJournal, filed_book, games_of
from controller.table.book import Book
from controller.table.state import Cause, Snapshot, What
from controller.table.terms import points_of, scoring_of, tournament_under
from controller.table.wishes import Header
from controller.views.facts import Place

SETTLES_S: Final = 0.5
"""So long nothing must be decided before the table is made anew: a judge's points come one after another."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Game:
    """A game as the standings know it."""

    last: int
    """The number of its last row: with another one it is read again."""
    series: tuple[str, ...] = ()
    card: GameCard | None = None
    """None: it is not over, or was annulled."""


class Games:
    """The games of a journal, each read once and again only where it has changed: a season has hundreds of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, _Game] = {}

    def places(self, played: Header) -> tuple[Place, ...]:
        """The standings of the games that are of the event and the points of `played`. One thread at a time; it rests
        between two games that it has to read, since a hand may not wait for it. Raises NoJournal."""
        if scoring_of(played) not in SCORINGS:
            return ()
        now = games_of(self._folder)
        self._known = {
            name: known
            if (known := self._known.get(name)) is not None and known.last == last
            else self._read(name, last)
            for name, last in now.items()
        }
        of = _series(played)
        cards = [game.card for game in self._known.values() if game.card is not None and game.series == of]
        rows = standings(cards, tournament_under(played)).rows if cards else ()
        return tuple(Place(row.place, row.name, shown(row.total), row.games, row.wins) for row in rows)

    def _read(self, name: str, last: int) -> _Game:
        began = time.thread_time()
        try:
            book = filed_book(self._folder, name)
        except NoJournal as wrong:
            log.warning("a game is left out of the standings: %s", wrong)
            return _Game(last)
        game = _Game(last) if book is None else _Game(last, _series(book.header), _card(book))
        time.sleep(time.thread_time() - began)
        return game


def _card(book: Book) -> GameCard | None:
    state, header = book.state, book.header
    if not isinstance(state.phase, Over) or state.outcome is None or state.outcome.reason is Reason.ANNULLED:
        return None
    if scoring_of(header) not in SCORINGS:
        return None
    return game_card(str(header.game), header.stage, dict(enumerate(book.names, 1)), state, points_of(header))


def _series(header: Header) -> tuple[str, ...]:
    """What games of one table of places have in common."""
    return (header.event, header.ruleset, header.scoring, header.variant)


class Series:
    """The standings of the event that is played."""

    def __init__(self, folder: Path, changed: Callable[[], None]) -> None:
        """`changed` is called on the event loop when there are other places."""
        self._games = Games(folder)
        self._changed = changed
        self._wanted = asyncio.Event()
        self._over = False
        self._of: tuple[str, ...] = ()
        self.places: tuple[Place, ...] = ()

    def hear(self, snapshot: Snapshot, cause: Cause) -> None:
        """Something has happened at the table."""
        over, of = isinstance(snapshot.state.phase, Over), _series(snapshot.header)
        # What an undo has opened again is no game of the table any more.
        if (cause.what is What.DECISION and over) or over != self._over or of != self._of:
            self._over, self._of = over, of
            self._wanted.set()

    async def run(self, snapshot: Callable[[], Snapshot]) -> None:
        """Keeps the places until cancelled."""
        self._wanted.set()
        while True:
            await self._wanted.wait()
            await asyncio.sleep(SETTLES_S)
            self._wanted.clear()
            try:
                places = await asyncio.to_thread(self._games.places, snapshot().header)
            except NoJournal as wrong:
                log.warning("no standings: %s", wrong)
                continue
            if places != self.places:
                self.places = places
                self._changed()
