"""The standings on the screens: read from the journal whenever a game has come to its end or its points have changed.

Reading takes a while on a small machine, so it is done beside the event loop; until it is done the old table stands.
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.game.outcome import Reason
from controller.game.phases import Over
from controller.record.tournament import shown
from controller.scoring import SCORINGS
from controller.scoring.standings import GameCard, game_card, standings
from controller.table.archive import NoJournal, filed_games
from controller.table.state import Cause, Snapshot, What
from controller.table.terms import points_of, scoring_of, tournament_under
from controller.table.wishes import Header
from controller.views.facts import Place

SETTLES_S: Final = 0.5
"""So long nothing must be decided before the table is made anew: a judge's points come one after another."""

log = logging.getLogger(__name__)


def places_of(folder: Path, played: Header) -> tuple[Place, ...]:
    """The standings of the games in the journal of `folder` that are of the event and the points of `played`.

    Raises NoJournal.
    """
    if scoring_of(played) not in SCORINGS:
        return ()
    cards: list[GameCard] = []
    for filed in filed_games(folder):
        book = filed.book
        header, state = book.header, book.state
        if _series(header) != _series(played) or not isinstance(state.phase, Over) or state.outcome is None:
            continue
        if state.outcome.reason is Reason.ANNULLED:
            continue
        names = dict(enumerate(book.names, 1))
        cards.append(game_card(str(header.game), header.stage, names, state, points_of(header)))
    rows = standings(cards, tournament_under(played)).rows if cards else ()
    return tuple(Place(row.place, row.name, shown(row.total), row.games, row.wins) for row in rows)


def _series(header: Header) -> tuple[str, ...]:
    """What games of one table of places have in common."""
    return (header.event, header.ruleset, header.scoring, header.variant)


class Series:
    """The standings of the event that is played."""

    def __init__(self, folder: Path, changed: Callable[[], None]) -> None:
        """`changed` is called on the event loop when there are other places."""
        self._folder = folder
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
                places = await asyncio.to_thread(places_of, self._folder, snapshot().header)
            except NoJournal as wrong:
                log.warning("no standings: %s", wrong)
                continue
            if places != self.places:
                self.places = places
                self._changed()
