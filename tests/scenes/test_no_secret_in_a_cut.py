"""Somebody in the hall may see OBS's picture: two games that differ only in their secrets make the same cuts, with the
same transitions, at the same moments."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from controller.table.state import Snapshot
from controller.views.hall import hall_view
from controller.views.messages import Audience, Message
from scenes.cues import Cue, cue_sheet
from scenes.director import Director
from scenes.happenings import OPEN_MOMENTS
from scenes.wanted import Wanted
from tests.scenes.views import air
from tests.views import test_hall_knows_nothing
from tests.views.course import SECOND, Course

SHEET = cue_sheet(None, "en")
EVERYTHING = replace(
    SHEET,
    cues={
        **SHEET.cues,
        **{name: Cue(name, scene="table", lasts=3.0) for name in OPEN_MOMENTS},
        **{
            name: Cue(name, show=(("Night", "Sting"),), texts={"Plate": "{seat}"}, lasts=2.0)
            for name in ("shot", "missed", "checked", "best_move")
        },
    },
)
GAMES = 12
STEPS = 90
HAIR = 1e-6


class Directed:
    """A game and every cut that was made of it, in the place of what the hall was sent."""

    def __init__(self, _audience: Audience, _view: Callable[[Snapshot], Message]) -> None:
        self.course = Course()
        self.sent: list[tuple[float, str | None, str | None, int | None]] = []
        self._director = Director(EVERYTHING)
        self.shown_to_viewers = 0
        self.look()

    play = test_hall_knows_nothing.Watched.play
    secretly = test_hall_knows_nothing.Watched.secretly

    def look(self) -> None:
        """What falls due until now, and what is seen now."""
        now = self.course.now / SECOND
        while self._director.wakes_at <= now:
            due = self._director.wakes_at
            self._note(due, self._director.advance(due + HAIR))
        self._director.see(air(self.course.snapshot()), now)
        self._note(now, self._director.advance(now))

    def _note(self, at: float, wanted: Wanted | None) -> None:
        if wanted is None:
            return
        self.shown_to_viewers += bool(wanted.texts["Plate"])
        cut = (wanted.scene, wanted.transition, wanted.duration)
        if not self.sent or self.sent[-1][1:] != cut:
            self.sent.append((round(at, 3), *cut))


def test_games_that_differ_in_secrets_alone_make_the_same_cuts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(test_hall_knows_nothing, "Watched", Directed)
    cuts = told = 0
    for seed in range(GAMES):
        pair = test_hall_knows_nothing.Pair(Random(seed), "hall", hall_view)
        pair.run(STEPS)  # compares what was sent after every step
        cuts += len(pair.games[0].sent)
        told += sum(game.shown_to_viewers for game in pair.games)  # type: ignore[attr-defined]
    assert cuts > 10 * GAMES
    assert told > GAMES, "the secrets were there, and viewers were told of them"
