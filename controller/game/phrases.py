"""What the judge says now: the official phrase of the moment, hints beside it, and what the next foul brings.

Codes alone: the words are the catalogue's. Nothing here tells a role, a shot or a check of a living game: the judge's
page shows it uncovered. `phrases(state)` are all the words in the order spoken, `phrase(state)` is the last of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import assert_never

from controller.game.ballot import RAISE, Ballot, BallotKind
from controller.game.hints import Hint, consequence_of_foul, consequence_of_proposal, hints, recorded
from controller.game.moment import Moment
from controller.game.night import quiet_circles, wakes, waking
from controller.game.outcome import Reason
from controller.game.phases import (
    Acquaintance,
    Choosing,
    Dealing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Speech,
    SpeechKind,
    Voting,
)
from controller.game.refusal import Param
from controller.game.roles import Role
from controller.game.rules import Wake
from controller.game.seat import How
from controller.game.speeches import may_nominate
from controller.game.state import NightRow, State
from controller.game.voting import After, verdict
from controller.game.words import clause_of, word, words


def _none() -> Mapping[str, Param]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words to say: a code of the catalogue, `phrase.` where they are official and `call.` where they are customary."""

    code: str
    params: Mapping[str, Param] = field(default_factory=_none)
    clause: str | None = None


def phrase(state: State) -> Phrase:
    """The phrase of this step: the last of `phrases`."""
    return phrases(state)[-1]


def phrases(state: State) -> tuple[Phrase, ...]:
    """All that is to be said now, in order."""
    phase = state.phase
    match phase:
        case Dealing():
            return (_dealing(state),)
        case Acquaintance():
            return (*_sleeps(state, _called_before(state)), *_wakes(state))
        case Night():
            return _night(state)
        case Morning():
            return _morning(state)
        case Speech():
            return _speech(state, phase)
        case LastWord():
            return _last_word(state, phase)
        case Voting():
            return _voting(state)
        case Choosing():
            return _choosing(state, phase)
        case Dusk():
            return _dusk(state)
        case Over():
            return (_over(state),)
        case _:
            assert_never(phase)


def _say(state: State, moment: str, clause: str | None = None, /, **params: Param) -> Phrase:
    said = word(state.rules, moment)
    code = f"{'phrase' if said.official else 'call'}.{state.rules.name}.{moment}"
    return Phrase(code, MappingProxyType(params), clause or said.clause)


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(str(seat) for seat in seats)


# --- the night


def _dealing(state: State) -> Phrase:
    without = [seat.number for seat in state.seats if seat.role is None]
    if len(without) == len(state.seats):
        return _say(state, "night_falls", word(state.rules, "begin").clause)
    return _say(state, "card", seat=without[0]) if without else _say(state, "cards_dealt")


def _calls(state: State, night: int, calls: tuple[Wake, ...]) -> tuple[Wake, ...]:
    """The calls that were or will be made in that night, in order."""
    dealt = {seat.role for seat in state.seats}
    there = len(state.living) + sum(1 for row in state.departures if row.at == Moment.night_of(night))
    return tuple(call for call in calls if (not call.needs or call.needs & dealt) and there >= call.least_living)


def _called_before(state: State) -> Wake | None:
    """Who was called before the one who is called now."""
    call = waking(state)
    assert call is not None
    made = _calls(state, state.at.number, wakes(state))
    place = made.index(call)
    return made[place - 1] if place else None


def _moment(state: State, call: Wake, what: str) -> str:
    first = state.at.number == 0 or (state.at.day and state.at.number == 1)
    return f"{'first_' if first else ''}{call.step.value}_{what}"


def _wakes(state: State) -> tuple[Phrase, ...]:
    call = waking(state)
    assert call is not None
    return (_say(state, _moment(state, call, "wakes")),)


def _sleeps(state: State, call: Wake | None) -> tuple[Phrase, ...]:
    """The closing words of a call, where the text has them or custom does."""
    if call is None or (moment := _moment(state, call, "sleeps")) not in words(state.rules):
        return ()
    return (_say(state, moment),)


def _night(state: State) -> tuple[Phrase, ...]:
    """A call; its closing words once what was called for is recorded, else together with the next call."""
    call, night = waking(state), state.tonight
    assert call is not None
    assert night is not None
    if recorded(night, call):
        return _sleeps(state, call) or _wakes(state)
    before = _called_before(state)
    return (*(() if before is None or recorded(night, before) else _sleeps(state, before)), *_wakes(state))


def _morning(state: State) -> tuple[Phrase, ...]:
    over = state.at.number - 1
    night = state.nights[-1] if state.nights and state.nights[-1].night == over else None
    said: tuple[Phrase, ...] = ()
    if over == 0:
        last = _calls(state, 0, state.rules.acquaintance)[-1]
        return (*_sleeps(state, last), _say(state, "day_breaks"))
    if night is not None and not _avenger_chose(state, over):  # otherwise the last call was closed before he did
        said = _last_sleeps(state, night)
    breaks = _say(state, "morning" if "morning" in words(state.rules) else "day_breaks")
    return (*said, breaks, *(() if night is None else (_killed(state, night.killed or ()),)))


def _avenger_chose(state: State, night: int) -> bool:
    avenger = state.holder(Role.AVENGER)
    left = None if avenger is None else avenger.left
    return state.avenger_choice is not None and left is not None and left.at == Moment.night_of(night)


def _last_sleeps(state: State, night: NightRow) -> tuple[Phrase, ...]:
    last = _calls(state, night.night, state.rules.night)[-1]
    return () if recorded(night, last) else _sleeps(state, last)


def _killed(state: State, seats: tuple[int, ...]) -> Phrase:
    if not seats:
        return _say(state, "nobody_killed")
    return _say(
        state, "killed" if len(seats) == 1 else "killed_many", word(state.rules, "killed").clause, seats=_listed(seats)
    )


def _choosing(state: State, phase: Choosing) -> tuple[Phrase, ...]:
    """That the avenger is dead is told to the table (city, "Мститель"): it is no secret any more."""
    if phase.evening:
        return (_say(state, "avenger_evening"), _say(state, "avenger_chooses"))
    sent_off = (How.FOULED, How.REMOVED)
    gone = tuple(row.seat for row in state.departures if row.at == state.at and row.how not in sent_off)
    night = state.tonight
    closing = () if night is None else _last_sleeps(state, night)
    return (*closing, _killed(state, gone), _say(state, "avenger_chooses"))


# --- the day


def _speech(state: State, phase: Speech) -> tuple[Phrase, ...]:
    seat, seconds = phase.seat, phase.seconds
    match phase.kind:
        case SpeechKind.MINUTE:
            return (_minute(state, seat, seconds),)
        case SpeechKind.DEFENCE | SpeechKind.REVOTE:
            defence = phase.kind is SpeechKind.DEFENCE
            if not seconds:
                said = _say(state, "word_taken", clause_of(state.rules, "third_foul"), seat=seat)
            elif defence:
                said = _say(state, "defence", clause_of(state.rules, "defence"), seat=seat, seconds=seconds)
            else:
                said = _say(state, "revote_speech", clause_of(state.rules, "revote_speech"), seat=seat, seconds=seconds)
            if defence and state.ballot is not None and seat == state.ballot.candidates[0]:
                return (_say(state, "candidates", seats=_listed(state.ballot.candidates)), said)
            return (said,)
        case SpeechKind.LAST_WORD:
            raise AssertionError(phase)


def _minute(state: State, seat: int, seconds: int) -> Phrase:
    if any(nomination.by == seat for nomination in state.nominations):
        return _say(state, "accepted")
    if state.withdrew:
        return _say(state, "withdrawn")
    if seconds == state.rules.minute:
        return _say(state, "minute", word(state.rules, "minute").clause or clause_of(state.rules, "minute"), seat=seat)
    if seconds:
        return _say(state, "short_minute", clause_of(state.rules, "short_minute"), seat=seat, seconds=seconds)
    moment = "silent_minute" if may_nominate(state, seat) else "word_taken"
    return _say(state, moment, clause_of(state.rules, "third_foul"), seat=seat)


def _last_word(state: State, phase: LastWord) -> tuple[Phrase, ...]:
    seat, seconds = phase.seat, phase.seconds
    if (state.best_move is not None and state.best_move.seat == seat) or any(will.seat == seat for will in state.wills):
        return (_say(state, "accepted", word(state.rules, "best_move").clause),)
    clause = clause_of(state.rules, "last_word_voted" if phase.evening else "last_word_shot")
    if seconds == 60:
        said = _say(state, "last_minute", clause, seat=seat)
    else:
        said = _say(state, "last_word", clause, seat=seat, seconds=seconds)
    told = any(seat in row.leaves for row in state.ballots if row.at == state.at)
    if phase.evening and not told:  # without a ballot nobody has said it yet (ukraine 4.4.12)
        return (_leave(state, (seat,)), said)
    return (said,)


def _leave(state: State, seats: tuple[int, ...]) -> Phrase:
    moment = "leaves" if len(seats) == 1 else "leave"
    return _say(state, moment, word(state.rules, "leaves").clause, seats=_listed(seats))


def _voting(state: State) -> tuple[Phrase, ...]:
    ballot = state.ballot
    assert ballot is not None
    if ballot.is_open:
        return (_say(state, "thanks"),)
    said: list[Phrase] = []
    if ballot.counts:
        said.append(_count(state, ballot))
        if ballot.unsaid is not None:
            return tuple(said)
    elif ballot.kind is BallotKind.BALLOT and not state.rules.defence:
        said.append(_say(state, "candidates", seats=_listed(ballot.candidates)))
    if ballot.due is None:
        said.append(_result(state))
    elif ballot.due != RAISE:
        said.append(_say(state, "vote", seat=ballot.due))
    elif len(ballot.candidates) > 2 and "raise_many" in words(state.rules):
        said.append(_say(state, "raise_many", count=len(ballot.candidates)))
    else:
        said.append(_say(state, "raise"))
    return tuple(said)


def _count(state: State, ballot: Ballot) -> Phrase:
    last = ballot.votes[-1]
    clause = word(state.rules, "count").clause
    if last.candidate == RAISE:
        return _say(state, "count_raise", clause, votes=last.total)
    return _say(state, "count", clause, seat=last.candidate, votes=last.total)


def _result(state: State) -> Phrase:
    result = verdict(state)
    match result.after:
        case After.LEAVE:
            return _leave(state, tuple(seat for seat in result.seats if state.seat(seat).in_play))
        case After.STAY:
            return _say(state, "stay")
        case After.REVOTE | After.RAISE:
            return _say(state, "tie", seats=_listed(result.seats))
        case After.WORD:
            return _say(state, "word", clause_of(state.rules, "sole_candidate_day_one"), seat=result.seats[0])


def _dusk(state: State) -> tuple[Phrase, ...]:
    if quiet_circles(state):
        return (_say(state, "draw", clause_of(state.rules, "quiet_circles")),)
    today = [row for row in state.ballots if row.at == state.at]
    falls = _say(state, "night_falls")
    if not today:
        return (falls,) if state.vote_settled else (_no_vote(state), falls)
    last = today[-1]
    tied_at_four = last.kind is BallotKind.REVOTE and not last.leaves and len(last.voters) in (3, 4)
    if tied_at_four and state.rules.no_raise_at_four:
        falls = _say(state, "night_falls", clause_of(state.rules, "no_raise_at_four"))
    return (falls,)


def _no_vote(state: State) -> Phrase:
    if state.cancelled_day == state.at.number:
        return _say(state, "no_vote", clause_of(state.rules, "removed"))
    if len(state.candidates) == 1 and state.at.number == 1:
        return _say(state, "no_vote", clause_of(state.rules, "sole_candidate_day_one"))
    return _say(state, "no_vote")


def _over(state: State) -> Phrase:
    outcome = state.outcome
    assert outcome is not None
    if outcome.reason is Reason.ANNULLED or outcome.winner is None:
        return _say(state, "annulled")
    if outcome.reason is Reason.THREE_MISSES:
        return _say(state, "red_wins", clause_of(state.rules, "three_misses"))
    moment = "draw" if outcome.winner.value == "draw" else f"{outcome.winner.value}_wins"
    return _say(state, moment, word(state.rules, moment).clause or clause_of(state.rules, "winner"))


__all__ = ["Hint", "Phrase", "consequence_of_foul", "consequence_of_proposal", "hints", "phrase", "phrases"]
