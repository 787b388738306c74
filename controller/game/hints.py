"""What to remind the judge of, and what the next foul brings: codes of the catalogue. No role, shot or check of a
living game is told by them: the judge's page shows them uncovered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from controller.game.ballot import RAISE, BallotKind, Proposal
from controller.game.best_move import best_move_of
from controller.game.commands import Command, Foul, Give
from controller.game.deal import unusual
from controller.game.decide import decide
from controller.game.events import Disqualified, FoulGiven, SilenceOwed, WarningGiven
from controller.game.fouls import FOULS_OUT
from controller.game.moment import Moment
from controller.game.night import quiet_circles, waking
from controller.game.phases import Acquaintance, Dealing, Dusk, LastWord, Morning, Night, Speech, SpeechKind, Voting
from controller.game.refusal import Param, Refusal
from controller.game.rules import SecondTie, SoleCandidate, ThirdFoul, Wake, Waking
from controller.game.seat import How
from controller.game.speeches import may_nominate, minute_seconds, next_speaker, opening_seat
from controller.game.state import NightRow, State
from controller.game.voting import sole_candidate_rule, vote_is_cancelled
from controller.game.words import clause_of, word, words


def _none() -> Mapping[str, Param]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hint:
    """A reminder: a code of the catalogue's group `hint`, the weightiest first."""

    code: str
    params: Mapping[str, Param] = field(default_factory=_none)
    clause: str | None = None


def _hint(key: str, clause: str | None, **params: Param) -> Hint:
    return Hint(f"hint.{key}", MappingProxyType(params), clause)


def hints(state: State) -> tuple[Hint, ...]:
    """All reminders of this moment, the weightiest first."""
    return (*_waiting_fouls(state), *_of_the_phase(state), *_of_the_day(state))


def _of_the_phase(state: State) -> tuple[Hint, ...]:
    match state.phase:
        case Dealing():
            return tuple(
                _hint("unusual_role", None, role=role.value, seats=len(state.seats)) for role in unusual(state)
            )
        case Acquaintance() | Night():
            return (*_third_miss(state, state.at.number), *_seconds(state))
        case Morning():
            return _next_is_silent(state, opening_seat(state)) if not state.last_words else ()
        case Speech(seat, SpeechKind.MINUTE, seconds):
            return (*_own_minute(state, seat, seconds), *_next_is_silent(state, next_speaker(state)))
        case Speech(seat, _, seconds):
            if seconds and len(state.seat(seat).fouls) >= FOULS_OUT - 1:
                clause = "7.5" if state.rules.third_foul is ThirdFoul.NEAREST_MINUTE else None
                return (_hint("speaks_all_the_same", clause, seat=seat),)
            return ()
        case LastWord(seat, _, _):
            return _last_word(state, seat)
        case Voting():
            return _voting(state)
        case Dusk():
            return _third_miss(state, state.at.number)
        case _:
            return ()


# --- fouls


def consequence_of_foul(state: State, seat: int, clause: str | None = None) -> str | None:
    """What one foul more to `seat` would bring: a code of the group `consequence` without its name, or None.

    third_foul, third_foul_short, third_foul_half, third_foul_all, fourth_foul, fourth_foul_unless_decided,
    warning_instead. Whether a vote has decided the game is not told by it: that depends on roles.
    """
    return _consequence(state, Foul(seat, clause), seat, clause)


def consequence_of_proposal(state: State, proposal: Proposal) -> str | None:
    """What giving `proposal` would bring; also `warning`, where the text has a warning for it. None once answered."""
    if proposal.given is not None:
        return None
    return _consequence(state, Give(proposal.id), proposal.seat, proposal.clause)


def _consequence(state: State, command: Command, seat: int, clause: str | None) -> str | None:
    decided = decide(state, command)
    if isinstance(decided, Refusal):
        return None
    own = [event for event in decided if isinstance(event, FoulGiven | WarningGiven | Disqualified | SilenceOwed)]
    fourth = len(state.seat(seat).fouls) + 1 >= FOULS_OUT
    if any(isinstance(event, WarningGiven) for event in own):
        return "warning_instead" if fourth and clause in state.rules.softened_fourth_foul else "warning"
    if fourth and clause in state.rules.void_fourth_foul_after_decision:
        return "fourth_foul_unless_decided"  # wma 5.6.5
    if any(isinstance(event, Disqualified) for event in own):
        return "fourth_foul"
    if not any(isinstance(event, SilenceOwed) for event in own):
        return None
    match state.rules.third_foul:
        case ThirdFoul.NEAREST_MINUTE:
            return "third_foul_short" if len(state.living) in state.rules.short_minute_living else "third_foul"
        case ThirdFoul.ALL_MINUTES:
            return "third_foul_all"
        case ThirdFoul.HALF_MINUTE:
            return "third_foul_half"
        case ThirdFoul.NOTHING:
            return None


def _waiting_fouls(state: State) -> tuple[Hint, ...]:
    """Fouls in the queue that bring more than a foul."""
    found: list[Hint] = []
    for proposal in state.proposals:
        if proposal.given is None:
            what = consequence_of_proposal(state, proposal)
            if what in ("fourth_foul", "fourth_foul_unless_decided", "warning_instead"):
                found.append(_hint(f"queue_{what}", proposal.clause, seat=proposal.seat))
    return tuple(found)


# --- speeches


def _own_minute(state: State, seat: int, seconds: int) -> tuple[Hint, ...]:
    rules = state.rules
    if seconds == rules.minute:
        return ()
    if seconds:
        return (_hint("short_minute", clause_of(rules, "short_minute"), seat=seat, seconds=seconds),)
    if not may_nominate(state, seat):
        return (_hint("word_taken", clause_of(rules, "third_foul"), seat=seat),)
    if any(nomination.by == seat for nomination in state.nominations):
        return ()
    return (_hint("silent_may_nominate", clause_of(rules, "third_foul"), seat=seat),)


def _next_is_silent(state: State, seat: int | None) -> tuple[Hint, ...]:
    if seat is None or (seconds := minute_seconds(state, seat)) == state.rules.minute:
        return ()
    if seconds:
        return (_hint("next_short", clause_of(state.rules, "short_minute"), seat=seat, seconds=seconds),)
    return (_hint("next_silent", clause_of(state.rules, "third_foul"), seat=seat),)


def _last_word(state: State, seat: int) -> tuple[Hint, ...]:
    left = state.seat(seat).left
    if state.best_move is None and seat in state.may_name and best_move_of(state) == seat:
        return (_hint("best_move", word(state.rules, "best_move").clause, seat=seat),)
    shot_later = left is not None and left.how is How.SHOT and left.at.number >= 2
    if state.rules.wills and shot_later and seat in state.may_name and all(will.seat != seat for will in state.wills):
        return (_hint("will", None, seat=seat),)
    return ()


# --- the vote


def _of_the_day(state: State) -> tuple[Hint, ...]:
    if not state.at.day or isinstance(state.phase, Voting | Dusk):
        return ()
    rules, found = state.rules, list[Hint]()
    settled = state.vote_settled
    if vote_is_cancelled(state):
        found.append(_hint("vote_off", clause_of(rules, "removed")))
    elif settled and state.cancelled_day == state.at.number + 1:
        found.append(_hint("next_vote_off", clause_of(rules, "removed")))
    elif not settled and state.minute_of is not None and next_speaker(state) is None:
        found += _nominees(state)
    if not settled and quiet_circles(state):
        found.append(_hint("quiet_draw", clause_of(rules, "quiet_circles")))
    return tuple(found)


def _nominees(state: State) -> tuple[Hint, ...]:
    """Said in the last minute of the circle, while the last speaker may still nominate."""
    candidates, rules = state.candidates, state.rules
    if not candidates:
        return (_hint("nobody_nominated", None),)
    sole = candidates[0]
    if candidates != (sole,):
        return ()
    day_one = state.at.number == 1
    clause = clause_of(rules, "sole_candidate_day_one" if day_one else "sole_candidate")
    match sole_candidate_rule(state):
        case SoleCandidate.NO_VOTE:
            return (_hint("sole_no_vote", clause, seat=sole),)
        case SoleCandidate.LEAVES:
            return (_hint("sole_leaves", clause, seat=sole),)
        case SoleCandidate.WORD_ONLY:
            return (_hint("sole_word_only", clause, seat=sole),)
        case SoleCandidate.OWN_HAND:
            return (_hint("sole_own_hand", clause, seat=sole),)
        case SoleCandidate.VOTE:
            return ()


def _voting(state: State) -> tuple[Hint, ...]:
    ballot, rules = state.ballot, state.rules
    if ballot is None or ballot.is_open or ballot.due is None:
        return ()
    living = len(state.living)
    if ballot.due == RAISE:
        return (_hint("raise_needs", clause_of(rules, "second_tie"), hands=living // 2 + 1),)
    found: list[Hint] = []
    if not ballot.counts and "hands_off" in words(rules):
        found.append(_hint("hands_off", word(rules, "hands_off").clause))
    if rules.unvoted_to_last and ballot.due == ballot.questions[-1] and ballot.counts:
        given = {seat for votes in ballot.votes for seat in votes.hands}
        rest = tuple(seat for seat in ballot.voters if seat not in given and state.seat(seat).in_play)
        if rest:
            listed = ", ".join(str(seat) for seat in rest)
            found.append(_hint("rest_to_last", clause_of(rules, "unvoted_to_last"), seats=listed, seat=ballot.due))
    if ballot.kind is BallotKind.REVOTE and not ballot.counts:
        if rules.second_tie is SecondTie.STAY:
            found.append(_hint("tie_stays", clause_of(rules, "second_tie")))
        elif rules.no_raise_of_all and len(ballot.candidates) == living:
            found.append(_hint("no_raise_of_all", clause_of(rules, "no_raise_of_all")))
        elif rules.no_raise_at_four and living in (3, 4):
            found.append(_hint("no_raise_at_four", clause_of(rules, "no_raise_at_four")))
    return tuple(found)


# --- the night


def recorded(night: NightRow, call: Wake) -> bool:
    """Whether what was called for has been noted, be it that nothing was done."""
    if call.step in (Waking.SHOOTING, Waking.KILL):
        return night.shots is not None
    return call.step.value in night.acted


def _seconds(state: State) -> tuple[Hint, ...]:
    call, night = waking(state), state.tonight
    if call is None or not call.seconds or (night is not None and recorded(night, call)):
        return ()
    return (_hint("night_seconds", call.clause, seconds=call.seconds),)


def _third_miss(state: State, night: int) -> tuple[Hint, ...]:
    """Two nights with four at the table have passed without a kill: a third one ends the game (fiim 7.8)."""
    rules = state.rules
    if not rules.three_misses or len(state.living) != 4 or night < 3:
        return ()
    before = [row for row in state.nights if row.night in (night - 1, night - 2)]
    still = not any(row.at >= Moment.night_of(night - 2) for row in state.departures)
    if len(before) < 2 or any(row.killed is None or row.killed for row in before) or not still:
        return ()
    return (_hint("third_miss", clause_of(rules, "three_misses")),)
