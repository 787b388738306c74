"""What happens in the on-air view, by names that a cue sheet can use.

Whatever may choose a scene is found in the open part alone: somebody in the hall may see OBS's picture on a monitor,
and a cut that only a shot or a check could have made would give it away. `in_the_open` is that part, as the hall's own
type.
"""

from dataclasses import dataclass
from typing import Final

from controller.views.messages import AirView, AirVote, HallCandidate, HallSeat, HallView, HallVote

SITUATIONS: Final = (
    "dealing",
    "acquaintance",
    "acquaintance_don",
    "acquaintance_mafia",
    "acquaintance_sheriff",
    "night",
    "night_shooting",
    "night_don",
    "night_sheriff",
    "morning",
    "speech",
    "silent_speech",
    "defence",
    "revote_speech",
    "last_word",
    "voting",
    "vote_open",
    "raise",
    "dusk",
    "over",
    "over_red",
    "over_black",
    "over_draw",
    "stopped",
)
"""What lasts until something else comes."""

OPEN_MOMENTS: Final = ("foul", "nominated", "counted", "vote_result", "left", "killed", "removed", "replay")
"""What passes, and everybody at the table has seen it; a replay is the producer's own."""

VIEWERS_MOMENTS: Final = ("shot", "missed", "checked", "best_move")
"""What passes and the table may not know: no scene, no transition and no camera may follow it."""

_REMOVED: Final = frozenset({"fouled", "removed"})


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that passes: its name, whom it is about, and a number that goes with it (of hands, of fouls)."""

    name: str
    seat: int | None = None
    number: int | None = None


def in_the_open(view: AirView) -> HallView:
    """What of the on-air view everybody in the hall knows too."""
    return HallView(
        header=view.header,
        phase=view.phase,
        timer=view.timer,
        stopped=view.stopped,
        nominations=view.nominations,
        result=view.result,
        seats=tuple(
            HallSeat(
                seat=one.seat,
                name=one.name,
                in_play=one.in_play,
                out=one.out,
                fouls=one.fouls,
                silent=one.silent,
                nominated=one.nominated,
                speaking=one.speaking,
            )
            for one in view.seats
        ),
        vote=None if view.vote is None else _vote_in_the_open(view.vote),
    )


def _vote_in_the_open(vote: AirVote) -> HallVote:
    counted = sum(1 for one in vote.candidates if one.state == "counted")
    # Viewers see a count before the judge says it; the table hears of the next candidate after that.
    told = counted - vote.unsaid
    return HallVote(
        kind=vote.kind,
        candidates=tuple(
            HallCandidate(
                seat=one.seat,
                state=("counting" if index == told else "waiting") if vote.unsaid and index >= told else one.state,
                count=len(one.hands) + len(one.assigned) if index < told else None,
            )
            for index, one in enumerate(vote.candidates)
        ),
        window=vote.window,
        tied=vote.tied,
    )


def situations(view: HallView) -> tuple[str, ...]:
    """What lasts now, the most particular name first."""
    names = _of_the_phase(view)
    return ("stopped", *names) if view.stopped else names


def _of_the_phase(view: HallView) -> tuple[str, ...]:
    phase = view.phase
    match phase.kind:
        case "acquaintance" | "night":
            step = () if phase.step is None else (f"{phase.kind}_{phase.step}",)
            return (*step, phase.kind)
        case "speech":
            named = {"defence": "defence", "revote": "revote_speech"}.get(phase.speech or "", "speech")
            return ("silent_speech", named) if phase.silent else (named,)
        case "voting":
            vote = view.vote
            is_open = vote is not None and any(one.state == "open" for one in vote.candidates)
            particular = ("raise",) if vote is not None and vote.kind == "raise" else ()
            return (*(("vote_open",) if is_open else ()), *particular, "voting")
        case "over":
            winner = None if view.result is None else view.result.winner
            return (*(() if winner is None else (f"over_{winner}",)), "over")
        case kind:
            return (kind,)


def subject(view: HallView) -> int | None:
    """Whom the situation is about: the speaker, or the candidate whose turn it is."""
    if view.phase.seat is not None:
        return view.phase.seat
    if view.vote is not None and view.phase.kind == "voting":
        return next((one.seat for one in view.vote.candidates if one.state in ("called", "open", "counting")), None)
    return None


def open_moments(before: HallView, now: HallView) -> tuple[Moment, ...]:
    """What has passed between two views that follow each other, in the order of a game."""
    if _another_game(before, now):
        return ()
    found: list[Moment] = []
    for was, seat in zip(before.seats, now.seats, strict=True):
        if seat.fouls > was.fouls:
            found.append(Moment("foul", seat.seat, seat.fouls))
        if seat.nominated is not None and was.nominated is None and before.phase.day == now.phase.day:
            found.append(Moment("nominated", seat.seat, seat.nominated))
    found += _counted(before.vote, now.vote)
    for was, seat in zip(before.seats, now.seats, strict=True):
        if was.in_play and seat.out is not None:
            found.append(Moment("left", seat.seat))
            if seat.out.how == "shot":
                found.append(Moment("killed", seat.seat))
            elif seat.out.how in _REMOVED:
                found.append(Moment("removed", seat.seat))
    return tuple(found)


def _another_game(before: HallView, now: HallView) -> bool:
    names = [seat.name for seat in now.seats]
    return len(before.seats) != len(now.seats) or names != [seat.name for seat in before.seats]


def _counted(before: HallVote | None, now: HallVote | None) -> list[Moment]:
    """Counts that were said meanwhile; one that has only come back into view is none."""
    if before is None or now is None or before.kind != now.kind:
        return []
    asked = [one.seat for one in now.candidates]
    if asked != [one.seat for one in before.candidates]:
        return []
    found = [
        Moment("counted", one.seat, one.count)
        for was, one in zip(before.candidates, now.candidates, strict=True)
        if was.count is None and one.count is not None
    ]
    if found and all(one.count is not None for one in now.candidates):
        found.append(Moment("vote_result"))
    return found


def viewers_moments(before: AirView, now: AirView) -> tuple[Moment, ...]:
    """What has passed that viewers alone may know."""
    found: list[Moment] = []
    nights = {row.night: row for row in before.nights}
    for night in now.nights:
        was = nights.get(night.night)
        if was is None or (was.killed is not None and len(was.checks) == len(night.checks)):
            continue
        if was.killed is None and night.killed is not None:
            found += [Moment("shot", seat) for seat in night.killed] or [Moment("missed")]
        found += [Moment("checked", check.seat) for check in night.checks[len(was.checks) :]]
    if now.best_move is not None and before.best_move is None:
        found.append(Moment("best_move", now.best_move.seat, len(now.best_move.numbers)))
    return tuple(found)


def replay_begun(before: AirView, now: AirView) -> bool:
    """Whether the producer has just asked for a replay."""
    replay = now.stage.replay
    return replay is not None and replay != before.stage.replay
