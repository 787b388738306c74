"""The producer's switches of the on-air overlay: what is kept, and what of it the on-air view carries.

A replay names a window of the present game; one that an undo has taken away is not shown.
"""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from controller.table.state import Snapshot
from controller.views.evidence import counted_windows
from controller.views.messages import Fact, LowerThird, Replay, Stage
from controller.views.public import MILLISECOND

FactsBy: TypeAlias = Literal["by_hand", "first_day", "speeches", "last_words"]
"""When a fact on a player comes by itself: never, on each speaker of the first day, on each speaker of every day, or
on whoever has a last word."""


class Replayed(Struct, frozen=True):
    """A replay that was asked for: which window, and since when (nanoseconds on the table's clock)."""

    window: str
    since: int


class Switches(Struct, frozen=True):
    """What the producer has set. Everything is on until it is switched off."""

    overlay: bool = True
    roles: bool = True
    scores: bool = True
    lifted: int | None = None
    lower_third: LowerThird | None = None
    fact: Fact | None = None
    facts: FactsBy | None = None
    """None: as the settings say."""
    hidden_fact: Fact | None = None
    """The one that came by itself and was taken away."""
    replay: Replayed | None = None

    def for_another_game(self) -> "Switches":
        """The same without what spoke of the players and windows of the game before."""
        return msgspec.structs.replace(self, lifted=None, fact=None, hidden_fact=None, replay=None)


def stage_of(snapshot: Snapshot, switches: Switches) -> Stage:
    """The switches as the on-air view carries them."""
    seats = len(snapshot.state.seats)
    fact, lifted = switches.fact, switches.lifted
    return Stage(
        overlay=switches.overlay,
        roles=switches.roles,
        scores=switches.scores,
        lifted=lifted if lifted is not None and lifted <= seats else None,
        lower_third=switches.lower_third,
        fact=fact if fact is not None and fact.seat <= seats else None,
        replay=_replay(snapshot, switches.replay),
    )


def _replay(snapshot: Snapshot, asked: Replayed | None) -> Replay | None:
    if asked is None:
        return None
    evidence = counted_windows(snapshot.state).get(asked.window)
    if evidence is None:
        return None
    return Replay(window=asked.window, started_at=asked.since / MILLISECOND, evidence=evidence)
