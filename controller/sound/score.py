"""What should sound: a function of the hall's view. Pure: no clock, no player, no file.

Music follows the phase and nothing else. A cue belongs to one moment: it is made when that moment comes, once; what an
undo or a restart brings back was heard already and makes none. Nothing here may read more than the hall's view, since
everybody at the table hears it (DESIGN, non-interference).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.views.messages import HallView, Timer

MILLISECOND: Final = 1_000_000
TEN_SECONDS_MS: Final = 10_000
TOO_LATE_NS: Final = 1_000 * MILLISECOND
"""A cue that comes later than this would tell of something that is over."""

_NIGHT: Final = frozenset({"acquaintance", "night"})
_SPEECHES: Final = frozenset({"minute", "defence", "revote", "last_word"})
"""Timers that are called out. A night's calls are not: the judge has the word then."""


class CueName(StrEnum):
    """What a cue says."""

    NIGHT = "night"
    MORNING = "morning"
    TEN_SECONDS = "ten_seconds"
    TIME = "time"
    VOTE_OPEN = "vote_open"
    VOTE_CLOSED = "vote_closed"
    SPEAKER = "speaker"
    """Who has the word: spoken alone, if the event wants it."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue at its moment. `due` is nanoseconds on the table's clock; `seat` is who has the word."""

    name: CueName
    due: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What of a view can be heard."""

    game: int
    """The game's number in the series."""
    kind: str
    round: int
    speaker: tuple[int, str] | None
    """Who has the word and for what; None also in a minute that a third foul has taken."""
    timer: Timer | None
    open_since: float | None
    """The opening of the vote window that is open, milliseconds."""
    closes: float | None

    @property
    def night(self) -> tuple[int, int] | None:
        """Which night it is, as game and number; None by day. Music plays exactly then (fiim 2.3)."""
        return (self.game, self.round) if self.kind in _NIGHT else None


def heard_in(view: HallView) -> Heard:
    """What is to be heard of `view`."""
    phase, vote = view.phase, view.vote
    window = None if vote is None else vote.window
    is_open = window is not None and vote is not None and any(row.state == "open" for row in vote.candidates)
    return Heard(
        game=view.header.game,
        kind=phase.kind,
        round=phase.round,
        speaker=None if phase.seat is None or phase.silent else (phase.seat, phase.speech or ""),
        timer=view.timer,
        open_since=window.opened if is_open and window is not None else None,
        closes=window.closes if is_open and window is not None else None,
    )


class Prompter:
    """Says which cues are due. It is told every view in order and keeps only the last one and what is to come."""

    def __init__(self) -> None:
        self._last: Heard | None = None
        self._coming: dict[tuple[CueName, str], Cue] = {}

    def see(self, heard: Heard, at: int, *, taken_back: bool = False) -> tuple[Cue, ...]:
        """The cues of this moment, `at` on the table's clock. `taken_back`: the view is what an undo, a redo or a
        correction has made, or the first one after a start: it is the state to go on from, and no cue."""
        last, self._last = self._last, heard
        now: list[Cue] = []
        if last is not None and not taken_back:
            now += _edges(last, heard, at)
            if last.open_since is not None and heard.open_since != last.open_since:
                closed = self._coming.get((CueName.VOTE_CLOSED, str(last.open_since)))
                # One whose time has come is still in the list below, or was given already.
                if closed is not None and closed.due > at:
                    now.append(Cue(CueName.VOTE_CLOSED, at))
        self._coming = _kept(self._coming, heard, at) | _ahead(last, heard, at)
        return tuple(now)

    def due(self, now: int) -> tuple[Cue, ...]:
        """The timed cues whose moment has come by `now`; each is given once."""
        come = {key: cue for key, cue in self._coming.items() if cue.due <= now}
        for key in come:
            del self._coming[key]
        return tuple(sorted(come.values(), key=lambda cue: cue.due))

    @property
    def next_due(self) -> int | None:
        """When the next timed cue comes; None: none is in sight."""
        return min((cue.due for cue in self._coming.values()), default=None)


def _edges(last: Heard, heard: Heard, at: int) -> Iterable[Cue]:
    if heard.night is not None and heard.night != last.night:
        yield Cue(CueName.NIGHT, at)
    if heard.kind == "morning" and last.kind != "morning":
        yield Cue(CueName.MORNING, at)
    if heard.open_since is not None and heard.open_since != last.open_since:
        yield Cue(CueName.VOTE_OPEN, at)
    if heard.speaker is not None and heard.speaker != last.speaker:
        yield Cue(CueName.SPEAKER, at, heard.speaker[0])


def _kept(coming: Mapping[tuple[CueName, str], Cue], heard: Heard, at: int) -> dict[tuple[CueName, str], Cue]:
    """What is still to come by `heard`, and what has just come but was not taken from the list yet."""
    still = {key: cue.due for key, cue in _timed(heard)}
    return {key: cue for key, cue in coming.items() if cue.due <= at or still.get(key) == cue.due}


def _ahead(last: Heard | None, heard: Heard, at: int) -> dict[tuple[CueName, str], Cue]:
    """Timed cues that come into sight with `heard`. One whose moment has passed already was heard, or never was one:
    a clock that is started again with five seconds left does not call ten."""
    known: set[tuple[tuple[CueName, str], int]] = set()
    if last is not None:
        known |= {(key, cue.due) for key, cue in _timed(last)}
    return {key: cue for key, cue in _timed(heard) if (key, cue.due) not in known and cue.due > at}


def _timed(heard: Heard) -> Iterable[tuple[tuple[CueName, str], Cue]]:
    timer = heard.timer
    if timer is not None and timer.kind in _SPEECHES and timer.deadline is not None:
        end = round(timer.deadline * MILLISECOND)
        if timer.total > TEN_SECONDS_MS:
            cue = Cue(CueName.TEN_SECONDS, end - TEN_SECONDS_MS * MILLISECOND)
            yield (CueName.TEN_SECONDS, timer.id), cue
        yield (CueName.TIME, timer.id), Cue(CueName.TIME, end)
    if heard.closes is not None:
        yield (CueName.VOTE_CLOSED, str(heard.open_since)), Cue(CueName.VOTE_CLOSED, round(heard.closes * MILLISECOND))
