"""The ballot: who stands, whose turn it is, what the hands decide (fiim 4.4; wma as fiim; ukraine 4.4; city)."""

from dataclasses import dataclass, replace
from enum import Enum

from controller.game.ballot import RAISE, Ballot, BallotKind, Count, HandRuling, Touch
from controller.game.city import avenger_chooses
from controller.game.commands import Announce, CountHands, CountVote, OpenWindow, RuleHand, VoidWindow
from controller.game.departures import leave, settle
from controller.game.draft import Draft
from controller.game.events import (
    BallotDecided,
    BallotOpened,
    HandRuled,
    HandsCounted,
    VoteSettled,
    WindowOpened,
    WindowVoided,
)
from controller.game.phases import Voting
from controller.game.refusal import refuse
from controller.game.rules import RaiseOfThree, SecondTie, SoleCandidate
from controller.game.seat import How
from controller.game.state import State
from controller.game.values import changed
from controller.game.window import Sheet, judge

# --- who stands


def sole_candidate_rule(state: State) -> SoleCandidate:
    """What is done today if one player alone is nominated (fiim 4.4.11; ukraine 4.4.12)."""
    return state.rules.sole_candidate_day_one if state.at.number == 1 else state.rules.sole_candidate


def vote_is_cancelled(state: State) -> bool:
    """Whether today's vote is off because of a removal (fiim 7.1, 7.2; city, "Важно!")."""
    if not state.at.day or state.cancelled_day != state.at.number or state.vote_settled:
        return False
    enough = state.rules.vote_held_after_removals
    return not enough or state.removed_for_day < enough


def open_ballot(draft: Draft, kind: BallotKind, candidates: tuple[int, ...]) -> None:
    """A ballot begins among `candidates`; every living player has a hand in it."""
    draft.emit(BallotOpened(draft.state.ballots_begun + 1, kind, candidates, draft.state.living))


# --- the windows


def _voting(state: State, code: str = "no_ballot") -> Ballot:
    if not isinstance(state.phase, Voting) or state.ballot is None:
        raise refuse(code, not_now=True, clause=state.rules.name + " 4.4.1")
    return state.ballot


def _due(state: State, candidate: int | None = None) -> int:
    """The question that is open or comes next; refused if `candidate` is another one."""
    ballot = _voting(state)
    due = ballot.due
    if candidate is not None and candidate not in ballot.questions:
        if candidate == RAISE or ballot.kind is BallotKind.RAISE:
            raise refuse("other_question", not_now=True)
        raise refuse("not_a_candidate", seat=candidate, clause="4.4.1")
    if due is None:
        raise refuse("all_counted")
    if candidate is not None and candidate != due:
        raise refuse("out_of_order", seat=candidate, due=due, clause="4.4.5")
    return due


def check_open(state: State, _: OpenWindow) -> None:
    """A window may be opened for the candidate whose turn it is, if none is open."""
    _due(state)
    if _voting(state).is_open:
        raise refuse("window_open")


def open_window(draft: Draft, command: OpenWindow) -> None:
    """Opens the vote on the candidate whose turn it is."""
    draft.emit(WindowOpened(_due(draft.state), command.at))


def check_void(state: State, _: VoidWindow) -> None:
    """The open window may be voided, or the last counted one while the ballot has no result."""
    ballot = _voting(state)
    if not ballot.is_open and not ballot.counts:
        raise refuse("no_window")


def void_window(draft: Draft, _: VoidWindow) -> None:
    """The window will be repeated; the judge's rulings over it go with it."""
    ballot = _voting(draft.state)
    candidate = ballot.due if ballot.is_open else ballot.counts[-1].candidate
    assert candidate is not None
    without = changed(
        ballot,
        opened=None,
        counts=tuple(count for count in ballot.counts if count.candidate != candidate),
        rulings=tuple(ruling for ruling in ballot.rulings if ruling.candidate != candidate),
    )
    sheet = sheet_of(draft.state, without)
    draft.emit(WindowVoided(candidate, sheet.votes, sheet.proposals))


def _voters_only(state: State, seats: set[int]) -> None:
    ballot = _voting(state)
    for seat in sorted(seats):
        if seat not in ballot.voters:
            raise refuse("not_living", seat=seat, clause="4.4.6")


def _check_touches(state: State, touches: tuple[Touch, ...]) -> None:
    _voters_only(state, {touch.seat for touch in touches})
    for touch in touches:
        if touch.up is not None and touch.up < touch.down:
            raise refuse("hand_up_before_down", seat=touch.seat)


def check_count_hands(state: State, command: CountHands) -> None:
    """The open window is counted, by hands of living players."""
    _due(state, command.candidate)
    if not _voting(state).is_open:
        raise refuse("no_window")
    _check_touches(state, command.touches)


def count_hands(draft: Draft, command: CountHands) -> None:
    """The window's ruling, with its edges kept."""
    _count(
        draft,
        Count(command.candidate, command.touches, command.closed, command.announced, None, command.flagged),
    )


def check_announce(state: State, command: Announce) -> None:
    """Evidence is completed for the last window counted by sensors, before the next one."""
    ballot = _voting(state)
    if ballot.is_open or not ballot.counts or ballot.counts[-1].candidate != command.candidate:
        raise refuse("no_window")
    if not ballot.counts[-1].by_sensors:
        raise refuse("no_window")
    _check_touches(state, command.touches)


def announce(draft: Draft, command: Announce) -> None:
    """What hands did until the count was said aloud is added; hands inside the window stay what they were."""
    last = _voting(draft.state).counts[-1]
    _count(draft, replace(last, touches=command.touches, announced=command.announced))


def check_count_vote(state: State, command: CountVote) -> None:
    """Hands as the judge counted them: living players, each once in a ballot (fiim 4.4.8)."""
    _due(state, command.candidate)
    _voters_only(state, set(command.seats))
    ballot = _voting(state)
    given = {seat: votes.candidate for votes in ballot.votes for seat in votes.hands}
    for index, seat in enumerate(command.seats):
        if seat in command.seats[:index]:
            raise refuse("hand_twice", seat=seat, clause="4.4.8")
        if seat in given:
            raise refuse("hand_given", seat=seat, candidate=given[seat], clause="4.4.8")
        if not state.seat(seat).in_play:
            raise refuse("not_living", seat=seat, clause="4.4.6")


def count_vote(draft: Draft, command: CountVote) -> None:
    """The judge's own count of one candidate's hands."""
    _count(draft, Count(command.candidate, listed=command.seats))


def check_rule(state: State, command: RuleHand) -> None:
    """A hand may be ruled for the open candidate or any that was counted in this ballot."""
    ballot = _voting(state)
    _voters_only(state, {command.seat})
    if command.candidate not in ballot.questions:
        raise refuse("not_a_candidate", seat=command.candidate, clause="4.4.1")
    called = {count.candidate for count in ballot.counts}
    if ballot.is_open and ballot.due is not None:
        called.add(ballot.due)
    if command.candidate not in called:
        raise refuse("not_called_yet", seat=command.candidate, not_now=True, clause="4.4.5")


def rule_hand(draft: Draft, command: RuleHand) -> None:
    """The judge's word over one hand; "yes" moves it here from wherever it was counted."""
    ballot = _voting(draft.state)
    ruling = HandRuling(command.candidate, command.seat, command.counts)
    sheet = sheet_of(draft.state, changed(ballot, rulings=(*ballot.rulings, ruling)))
    draft.emit(HandRuled(ruling, sheet.votes, sheet.proposals))


def _count(draft: Draft, count: Count) -> None:
    ballot = _voting(draft.state)
    counts = (*[c for c in ballot.counts if c.candidate != count.candidate], count)
    sheet = sheet_of(draft.state, changed(ballot, counts=counts, opened=None))
    draft.emit(HandsCounted(count, sheet.votes, sheet.proposals))


def sheet_of(state: State, ballot: Ballot) -> Sheet:
    """What `ballot` says now."""
    return judge(state.rules, ballot, str(state.at), frozenset(state.living), state.proposals[state.proposed_before :])


# --- the result


class After(Enum):
    """Where a counted ballot leads."""

    LEAVE = "leave"
    STAY = "stay"
    REVOTE = "revote"
    RAISE = "raise"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a counted ballot decides: who leaves, or who is tied and what follows."""

    after: After
    seats: tuple[int, ...]


def verdict(state: State) -> Verdict:
    """What the counted ballot decides (fiim 4.4.12, 4.4.13, 7.6, 7.10)."""
    ballot = state.ballot
    assert ballot is not None
    assert ballot.counted
    if ballot.kind is BallotKind.RAISE:
        # More than half of the living (rules page, reading 2).
        if len(ballot.votes[0].hands) * 2 > len(state.living):
            return Verdict(After.LEAVE, ballot.candidates)
        return Verdict(After.STAY, ())
    most = max(votes.total for votes in ballot.votes)
    if most == 0:
        return Verdict(After.STAY, ())  # city: with no hand at all nobody leaves
    tied = tuple(votes.candidate for votes in ballot.votes if votes.total == most)
    tied = tuple(seat for seat in ballot.candidates if seat in tied)
    if len(tied) == 1:
        return _single(state, ballot, tied[0])
    if state.rules.no_elimination_over_half_tied and len(tied) * 2 > len(state.living):
        return Verdict(After.STAY, ())
    if ballot.kind is BallotKind.REVOTE and set(tied) == set(ballot.candidates):
        return Verdict(After.RAISE if raise_is_asked(state, tied) else After.STAY, tied)
    return Verdict(After.REVOTE, tied)


def _single(state: State, ballot: Ballot, seat: int) -> Verdict:
    if len(ballot.candidates) == 1 and ballot.kind is BallotKind.BALLOT:
        rule = sole_candidate_rule(state)
        if rule is SoleCandidate.OWN_HAND and seat not in ballot.votes[0].hands:
            return Verdict(After.STAY, ())
        if rule is SoleCandidate.WORD_ONLY:
            return Verdict(After.WORD, (seat,))
    return Verdict(After.LEAVE, (seat,))


def raise_is_asked(state: State, tied: tuple[int, ...]) -> bool:
    """Whether "who is for all of them leaving?" is put to the vote after the same set has tied again."""
    rules, living = state.rules, len(state.living)
    if rules.second_tie is SecondTie.STAY:
        return False  # ukraine 4.4.14
    if rules.no_raise_of_all and len(tied) == living:
        return False  # fiim 7.10
    if rules.no_raise_at_four and living in (3, 4):
        return False  # fiim 7.6, geographic
    if len(tied) == 3 and living == 9:
        match rules.raise_of_three_at_nine:
            case RaiseOfThree.NEVER:
                return False
            case RaiseOfThree.AFTER_A_MISS:
                return bool(state.nights) and not state.nights[-1].killed
            case RaiseOfThree.ALLOWED:
                pass
    return True


def every_hand_is_counted(state: State) -> bool:
    """Whether a ballot only waits for its result to be said."""
    return isinstance(state.phase, Voting) and state.ballot is not None and state.ballot.counted


def check_result(state: State) -> None:
    """The result can be said when every candidate has been called: a vote is never stopped early."""
    ballot = _voting(state)
    if ballot.is_open:
        raise refuse("window_open")
    if (due := ballot.due) is not None:
        raise refuse("not_counted", seat=due, clause="4.4.5")


def take_away(draft: Draft, seats: tuple[int, ...], how: How) -> None:
    """Those who lost the vote leave together, and the win is checked once for all (rules page, reading 3)."""
    leaving = tuple(seat for seat in seats if draft.state.seat(seat).in_play)
    leave(draft, tuple((seat, how) for seat in leaving))
    if not avenger_chooses(draft.state):
        settle(draft)  # city: otherwise after his choice


def decide_ballot(draft: Draft) -> Verdict:
    """The counted ballot becomes a row; those whom it sends out have left."""
    ballot = draft.state.ballot
    assert ballot is not None
    result = verdict(draft.state)
    match result.after:
        case After.LEAVE:
            draft.emit(BallotDecided(result.seats, final=True))
            how = How.RAISED if ballot.kind is BallotKind.RAISE else How.VOTED
            take_away(draft, result.seats, how)
        case After.STAY | After.WORD:
            draft.emit(BallotDecided((), final=True))
            settle(draft)  # city: somebody was removed in this vote
        case After.REVOTE | After.RAISE:
            draft.emit(BallotDecided((), final=False))
    return result


def leave_without_vote(draft: Draft) -> None:
    """One nominated player leaves as by a unanimous vote (ukraine 4.4.12); there are no hands and no row."""
    seat = draft.state.candidates[0]
    draft.emit(VoteSettled())
    take_away(draft, (seat,), How.VOTED)
