"""The sounds of two games that differ in their secrets alone are the same sounds at the same times: what is played is
made of the hall's view and of nothing else (DESIGN, non-interference)."""

from random import Random

import pytest

from controller.sound.score import Cue, Prompter, heard_in
from controller.views.hall import hall_view
from tests.views import test_hall_knows_nothing as hall
from tests.views.test_hall_knows_nothing import Pair, Watched


class Listened(Watched):
    """A game and all that was ever to be heard of it: when, whether music plays, which cues."""

    def look(self) -> None:
        """The sound is told what there is to see now."""
        super().look()
        if not hasattr(self, "heard"):
            self.prompter = Prompter()
            self.heard: list[tuple[int, tuple[int, int] | None, tuple[Cue, ...]]] = []
        at = self.course.now
        heard = heard_in(hall_view(self.course.snapshot()))
        cues = (*self.prompter.due(at), *self.prompter.see(heard, at))
        if cues or not self.heard or self.heard[-1][1] != heard.night:
            self.heard.append((at, heard.night, cues))


def test_sounds_are_the_same_whatever_the_secrets_are(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hall, "Watched", Listened)
    nights, cues = 0, set[str]()
    for seed in range(16):
        pair = Pair(Random(seed), "hall", hall_view)
        pair.run(120)
        first, second = pair.games
        assert isinstance(first, Listened)
        assert isinstance(second, Listened)
        # What came with the step by which the games part in the open is not compared.
        end = first.course.now
        listened = [[row for row in game.heard if row[0] < end] for game in (first, second)]
        assert listened[0] == listened[1]
        nights += sum(night is not None for _, night, _ in listened[0])
        cues |= {cue.name.value for _, _, given in listened[0] for cue in given}
    assert nights > 20
    assert cues == {"night", "morning", "ten_seconds", "time", "vote_open", "vote_closed", "speaker"} - {
        # The course goes on from decision to decision, a second each: no speech lasts to its end in it.
        "ten_seconds",
        "time",
    }
