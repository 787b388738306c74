"""The phases of a game and the moves between them, as one table. `Next` makes the first move whose condition holds.

Everything that can follow a phase stands here; the docs' diagram is drawn from this table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from controller.game import city, deal, night, speeches, voting
from controller.game.ballot import BallotKind
from controller.game.departures import conclude
from controller.game.draft import Draft
from controller.game.events import PhaseBegan
from controller.game.outcome import Outcome, Reason, Winner
from controller.game.phases import (
    Acquaintance,
    Choosing,
    Dealing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Phase,
    Speech,
    SpeechKind,
    Voting,
)
from controller.game.refusal import refuse
from controller.game.rules import SoleCandidate
from controller.game.state import State
from controller.game.voting import After


@dataclass(frozen=True, slots=True)
class Move:
    """One move: from a phase, on a condition, to a phase."""

    source: type[Phase]
    when: Callable[[State], bool]
    target: type[Phase]
    go: Callable[[Draft], None]
    clause: str


# --- conditions


def always(_: State) -> bool:
    """Whatever the state is."""
    return True


def more_are_called(state: State) -> bool:
    """Somebody is still to be called in this night."""
    return night.next_call(state) is not None


def words_are_owed(state: State) -> bool:
    """Somebody has a last word to say."""
    return bool(state.last_words)


def game_is_decided(state: State) -> bool:
    """The result stands."""
    return state.outcome is not None


def day_is_done(state: State) -> bool:
    """The day's vote has its result, be it by a removal (ukraine 5.2.2)."""
    return state.vote_settled


def avenger_was_killed(state: State) -> bool:
    """The avenger is among those who leave by this night."""
    return city.avenger_falls_tonight(state)


def choice_was_in_the_evening(state: State) -> bool:
    """The avenger was voted out."""
    return isinstance(state.phase, Choosing) and state.phase.evening


def minutes_are_left(state: State) -> bool:
    """Somebody has not had the minute yet."""
    return speeches.next_speaker(state) is not None


def candidates_speak(state: State) -> bool:
    """Another candidate of this ballot has the word before it."""
    return speeches.next_in_ballot(state) is not None


def ballot_waits(state: State) -> bool:
    """All its candidates have spoken."""
    return state.ballot is not None


def vote_is_off(state: State) -> bool:
    """A removal has cancelled today's vote."""
    return voting.vote_is_cancelled(state)


def nobody_stands(state: State) -> bool:
    """Nobody in play is nominated."""
    return not state.candidates


def _sole(state: State, rule: SoleCandidate) -> bool:
    return len(state.candidates) == 1 and voting.sole_candidate_rule(state) is rule


def one_stands_and_is_not_voted(state: State) -> bool:
    """One player is nominated, on a day when that is no vote."""
    return _sole(state, SoleCandidate.NO_VOTE)


def one_stands_and_leaves(state: State) -> bool:
    """One player is nominated, on a day when that is as good as a vote."""
    return _sole(state, SoleCandidate.LEAVES)


def candidates_defend_themselves(state: State) -> bool:
    """The rules give every candidate a speech before the vote."""
    return state.rules.defence > 0


def _verdict(state: State, after: After) -> bool:
    return voting.verdict(state).after is after


def somebody_leaves(state: State) -> bool:
    """The ballot sends somebody out."""
    return _verdict(state, After.LEAVE)


def tie_is_voted_again(state: State) -> bool:
    """There is a tie among new candidates."""
    return _verdict(state, After.REVOTE)


def word_alone_is_won(state: State) -> bool:
    """One stood alone on a day when the vote takes nobody out and gives the word."""
    return _verdict(state, After.WORD)


def all_may_leave(state: State) -> bool:
    """The same set has tied again, and the question is put."""
    return _verdict(state, After.RAISE)


def draw_is_due(state: State) -> bool:
    """Nobody has left for three circles."""
    return night.quiet_circles(state)


# --- what a move does


def _enter(phase: Phase) -> Callable[[Draft], None]:
    def go(draft: Draft) -> None:
        draft.emit(PhaseBegan(phase, draft.state.at))

    return go


def _next_minute(draft: Draft) -> None:
    speaker = speeches.next_speaker(draft.state)
    assert speaker is not None
    speeches.begin_minute(draft, speaker)


def _next_candidate_speaks(draft: Draft) -> None:
    phase, seat = draft.state.phase, speeches.next_in_ballot(draft.state)
    assert isinstance(phase, Speech)
    assert seat is not None
    speeches.begin_ballot_speech(draft, seat, phase.kind)


def _ballot_with_defence(draft: Draft) -> None:
    voting.open_ballot(draft, BallotKind.BALLOT, draft.state.candidates)
    speeches.begin_ballot_speech(draft, draft.state.candidates[0], SpeechKind.DEFENCE)


def _ballot(draft: Draft) -> None:
    voting.open_ballot(draft, BallotKind.BALLOT, draft.state.candidates)
    draft.emit(PhaseBegan(Voting(), draft.state.at))


def _after_leaving(draft: Draft) -> None:
    if isinstance(draft.state.phase, Over):
        return
    if city.avenger_chooses(draft.state):
        city.begin_choice(draft, evening=True)
    elif draft.state.last_words:
        speeches.begin_last_word(draft, evening=True)
    else:
        draft.emit(PhaseBegan(Dusk(), draft.state.at))


def _leave_by_ballot(draft: Draft) -> None:
    voting.decide_ballot(draft)
    _after_leaving(draft)


def _leave_without_ballot(draft: Draft) -> None:
    voting.leave_without_vote(draft)
    _after_leaving(draft)


def _open_revote(draft: Draft) -> None:
    tied = voting.decide_ballot(draft).seats
    nominated = [nomination.seat for nomination in draft.state.nominations]
    order = tuple(sorted(tied, key=nominated.index, reverse=True)) if draft.state.rules.revote_reversed else tied
    voting.open_ballot(draft, BallotKind.REVOTE, order)


def _revote(draft: Draft) -> None:
    _open_revote(draft)
    _first_of_the_tied_speaks(draft)


def _first_of_the_tied_speaks(draft: Draft) -> None:
    ballot = draft.state.ballot
    assert ballot is not None
    first = next((seat for seat in ballot.candidates if draft.state.seat(seat).in_play), None)
    if first is not None:
        speeches.begin_ballot_speech(draft, first, SpeechKind.REVOTE)


def _ask_to_raise(draft: Draft) -> None:
    tied = voting.decide_ballot(draft).seats
    voting.open_ballot(draft, BallotKind.RAISE, tied)
    draft.emit(PhaseBegan(Voting(), draft.state.at))


def _word_alone(draft: Draft) -> None:
    _has_the_word(draft, voting.decide_ballot(draft).seats[0])


def _has_the_word(draft: Draft, seat: int) -> None:
    seconds = draft.state.rules.last_word_voted
    draft.emit(PhaseBegan(Speech(seat, SpeechKind.DEFENCE, seconds), draft.state.at))


def _all_stay(draft: Draft) -> None:
    voting.decide_ballot(draft)
    if not isinstance(draft.state.phase, Over):
        draft.emit(PhaseBegan(Dusk(), draft.state.at))


def _last_word(*, evening: bool) -> Callable[[Draft], None]:
    def go(draft: Draft) -> None:
        speeches.begin_last_word(draft, evening=evening)

    return go


def _next_last_word(draft: Draft) -> None:
    assert isinstance(draft.state.phase, LastWord)
    speeches.begin_last_word(draft, evening=draft.state.phase.evening)


def _draw(draft: Draft) -> None:
    conclude(draft, Outcome(Winner.DRAW, Reason.THREE_QUIET_CIRCLES, draft.state.at))


MOVES: tuple[Move, ...] = (
    Move(Dealing, always, Acquaintance, night.first_acquaintance, "fiim 4.1.2"),
    Move(Acquaintance, more_are_called, Acquaintance, night.call_next, "fiim 4.2"),
    Move(Acquaintance, always, Morning, night.end_night, "fiim 4.2.5"),
    Move(Morning, words_are_owed, LastWord, _last_word(evening=False), "fiim 4.5.4"),
    Move(Morning, game_is_decided, Over, _enter(Over()), "fiim 6.5"),
    Move(Morning, day_is_done, Dusk, _enter(Dusk()), "ukraine 5.2.2"),
    Move(Morning, always, Speech, speeches.open_discussion, "fiim 4.3.1"),
    Move(LastWord, words_are_owed, LastWord, _next_last_word, "fiim 4.4.14"),
    Move(LastWord, game_is_decided, Over, _enter(Over()), "fiim 7.12"),
    Move(LastWord, day_is_done, Dusk, _enter(Dusk()), "fiim 4.5.1"),
    Move(LastWord, always, Speech, speeches.open_discussion, "fiim 4.3.1"),
    Move(Speech, minutes_are_left, Speech, _next_minute, "fiim 4.3.2"),
    Move(Speech, candidates_speak, Speech, _next_candidate_speaks, "fiim 4.4.13"),
    Move(Speech, ballot_waits, Voting, _enter(Voting()), "fiim 4.4.13"),
    Move(Speech, day_is_done, Dusk, _enter(Dusk()), "a club's own"),
    Move(Speech, vote_is_off, Dusk, _enter(Dusk()), "fiim 7.1"),
    Move(Speech, nobody_stands, Dusk, _enter(Dusk()), "fiim 4.4.1"),
    Move(Speech, one_stands_and_is_not_voted, Dusk, _enter(Dusk()), "fiim 4.4.11"),
    Move(Speech, one_stands_and_leaves, LastWord, _leave_without_ballot, "ukraine 4.4.12"),
    Move(Speech, candidates_defend_themselves, Speech, _ballot_with_defence, "ukraine 4.4.5"),
    Move(Speech, always, Voting, _ballot, "fiim 4.4.1"),
    Move(Voting, somebody_leaves, LastWord, _leave_by_ballot, "fiim 4.4.12"),
    Move(Voting, tie_is_voted_again, Speech, _revote, "fiim 4.4.13"),
    Move(Voting, all_may_leave, Voting, _ask_to_raise, "fiim 4.4.13"),
    Move(Voting, word_alone_is_won, Speech, _word_alone, "a club's own"),
    Move(Voting, always, Dusk, _all_stay, "fiim 4.4.13"),
    Move(Choosing, choice_was_in_the_evening, LastWord, city.evening_after_choice, "city Мститель"),
    Move(Choosing, always, Morning, city.night_after_choice, "city Мститель"),
    Move(Dusk, draw_is_due, Over, _draw, "fiim 7.9"),
    Move(Dusk, always, Night, night.fall, "fiim 4.5.1"),
    Move(Night, more_are_called, Night, night.call_next, "fiim 4.5"),
    Move(Night, avenger_was_killed, Choosing, city.choice_at_night, "city Мститель"),
    Move(Night, always, Morning, night.end_night, "fiim 4.5.4"),
)


MOVES_FROM: Mapping[type[Phase], tuple[Move, ...]] = MappingProxyType(
    {source: tuple(move for move in MOVES if move.source is source) for source in {move.source for move in MOVES}}
)
"""The same table, asked by where a game is."""


def move_of(state: State) -> Move | None:
    """The move that the next step makes; None when the game is over. Preconditions are `check_next`'s."""
    for move in MOVES_FROM.get(type(state.phase), ()):
        if move.when(state):
            return move
    return None


def check_next(state: State) -> None:
    """Whether the next step can be made now; refused with what is missing."""
    match state.phase:
        case Dealing():
            deal.check_dealt(state)
        case Night():
            night.check_night_is_recorded(state)
        case Voting():
            voting.check_result(state)
        case Over():
            raise refuse("game_over")
        case _:
            pass


def step(draft: Draft) -> None:
    """Makes the next step."""
    move = move_of(draft.state)
    assert move is not None
    move.go(draft)


def say_result(draft: Draft, then: Callable[[Draft], None]) -> None:
    """The counted ballot's result, and after it `then`, which sends somebody off (fiim 7.2).

    Of a tie nobody speaks in between: the vote goes on only if the removal has left it standing. Nor does the one whom
    a vote gives nothing but the word, if it is he who is sent off.
    """
    after = voting.verdict(draft.state).after
    if after is After.WORD:
        seat = voting.decide_ballot(draft).seats[0]
        then(draft)
        if isinstance(draft.state.phase, Voting) and draft.state.seat(seat).in_play:
            _has_the_word(draft, seat)
        elif isinstance(draft.state.phase, Voting):
            draft.emit(PhaseBegan(Dusk(), draft.state.at))
        return
    if after is not After.REVOTE:
        step(draft)
        then(draft)
        return
    _open_revote(draft)
    then(draft)
    if draft.state.ballot is not None and isinstance(draft.state.phase, Voting):
        _first_of_the_tied_speaks(draft)
