"""Who has the word, in which order and for how long (fiim 4.3, 6.4, 7.5, 7.7; ukraine 6.4; city)."""

from controller.game.departures import last_word_seconds
from controller.game.draft import Draft
from controller.game.events import DiscussionOpened, PhaseBegan
from controller.game.phases import LastWord, Speech, SpeechKind
from controller.game.rules import Opener, ThirdFoul
from controller.game.state import State


def _circle(state: State, start: int) -> list[int]:
    """All seats in order round the table from `start`."""
    count = len(state.seats)
    return [(start - 1 + step) % count + 1 for step in range(count)]


def opening_seat(state: State) -> int:
    """Who opens the day (fiim 4.3.2: the next living seat after yesterday's first speaker)."""
    living = state.living
    match state.rules.opener:
        case Opener.LOWEST:
            return living[0]
        case Opener.AFTER_FIRST_SPEAKER:
            after = state.opener
        case Opener.AFTER_LAST_SPEAKER:
            after = state.spoke_last
    if after is None:
        return living[0]
    return next(seat for seat in [*_circle(state, after)[1:], after] if seat in living)


def next_speaker(state: State) -> int | None:
    """Whose minute comes after the present one; None when the circle is closed."""
    seat, count = state.minute_of, len(state.seats)
    if seat is None or state.opener is None:
        return None
    while (seat := seat % count + 1) != state.opener:
        if state.seats[seat - 1].left is None:
            return seat
    return None


def next_in_ballot(state: State) -> int | None:
    """Which candidate of the ballot speaks after the present one; None when all have spoken."""
    ballot, phase = state.ballot, state.phase
    if ballot is None or not isinstance(phase, Speech) or phase.kind is SpeechKind.MINUTE:
        return None
    rest = ballot.candidates[ballot.candidates.index(phase.seat) + 1 :]
    return next((seat for seat in rest if state.seat(seat).in_play), None)


def minute_seconds(state: State, number: int) -> int:
    """How long the minute of `number` is; 0 where the third foul has taken it."""
    rules, seat = state.rules, state.seat(number)
    match rules.third_foul:
        case ThirdFoul.NEAREST_MINUTE if seat.owes_silence:
            # fiim 7.7: with 3 or 4 at the table he has 30 seconds; city: with 3.
            return rules.short_minute if len(state.living) in rules.short_minute_living else 0
        case ThirdFoul.HALF_MINUTE if seat.owes_silence:
            return rules.short_minute
        case ThirdFoul.ALL_MINUTES if len(seat.fouls) >= 3:
            return 0  # ukraine 6.4
        case _:
            return rules.minute


def may_nominate(state: State, number: int) -> bool:
    """Whether the speaker keeps the right to nominate (fiim 6.4; ukraine takes it with the minutes)."""
    return (
        state.rules.third_foul is not ThirdFoul.ALL_MINUTES
        or len(state.seat(number).fouls) < 3
        or (isinstance(state.phase, Speech) and state.phase.seconds > 0)
    )


def begin_minute(draft: Draft, number: int) -> None:
    """`number` has the minute."""
    seconds = minute_seconds(draft.state, number)
    draft.emit(PhaseBegan(Speech(number, SpeechKind.MINUTE, seconds), draft.state.at))


def begin_ballot_speech(draft: Draft, number: int, kind: SpeechKind) -> None:
    """A candidate speaks before the vote, or one of the tied before the revote (fiim 4.4.13, 7.5; ukraine 4.4.5)."""
    rules = draft.state.rules
    seconds = rules.defence if kind is SpeechKind.DEFENCE else rules.revote_speech
    if rules.third_foul is ThirdFoul.ALL_MINUTES and len(draft.state.seat(number).fouls) >= 3:
        seconds = 0  # ukraine 6.4
    draft.emit(PhaseBegan(Speech(number, kind, seconds), draft.state.at))


def open_discussion(draft: Draft) -> None:
    """The day's circle of minutes begins."""
    opener = opening_seat(draft.state)
    draft.emit(DiscussionOpened(opener))
    begin_minute(draft, opener)


def begin_last_word(draft: Draft, *, evening: bool) -> None:
    """The first of those who are owed a last word says it."""
    number = draft.state.last_words[0]
    left = draft.state.seat(number).left
    assert left is not None
    seconds = last_word_seconds(draft.state.rules, left.how)
    draft.emit(PhaseBegan(LastWord(number, seconds, evening), draft.state.at))
