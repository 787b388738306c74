"""Setting the table by hand: what makes a position possible, and the step the game goes on with."""

from controller.game.commands import SetPosition
from controller.game.draft import Draft
from controller.game.events import PhaseBegan, PositionSet
from controller.game.night import fall_now
from controller.game.phases import Dealing, Morning
from controller.game.refusal import refuse
from controller.game.speeches import begin_minute
from controller.game.state import State, apply

MOST_FOULS = 4


def check_set(state: State, command: SetPosition) -> None:
    """A position can be set once the cards are dealt, if it can be and nobody has won in it."""
    position = command.position
    if isinstance(state.phase, Dealing) or any(seat.role is None for seat in state.seats):
        raise refuse("not_begun", not_now=True)
    if position.at.number < 1:
        raise refuse("position_before_play")
    out = [number for number, _, _ in position.left]
    named = [
        *out,
        *(seat for seat, _ in position.fouls),
        *position.silent,
        *(seat for pair in position.nominated for seat in pair if seat),
        *(seat for seat in (position.speaker, position.opener) if seat is not None),
    ]
    for number in named:
        if not 1 <= number <= len(state.seats):
            raise refuse("no_such_seat", seat=number, seats=len(state.seats))
    for number in out:
        if out.count(number) > 1:
            raise refuse("position_left_twice", seat=number)
    for number, fouls in position.fouls:
        if not 1 <= fouls <= MOST_FOULS:
            raise refuse("position_fouls", seat=number, fouls=fouls)
    nominees = [seat for _, seat in position.nominated]
    if nominees and (position.speaker is None or not position.at.day):
        raise refuse("position_nominees_without_speaker")
    for number in [*nominees, *(seat for seat in (position.speaker,) if seat is not None)]:
        if number in out:
            raise refuse("not_living", seat=number)
        if nominees.count(number) > 1:
            raise refuse("is_nominated", seat=number)
    for _, _, at in position.left:
        if at > position.at:
            raise refuse("position_later_departure")
    if state.rules.winner(apply(state, PositionSet(position))) is not None:
        raise refuse("position_is_won")


def set_table(draft: Draft, command: SetPosition) -> None:
    """The table is as it was set, and the game goes on from there."""
    position = command.position
    draft.emit(PositionSet(position))
    if not position.at.day:
        fall_now(draft)
    elif position.speaker is None:
        draft.emit(PhaseBegan(Morning(), position.at))
    else:
        begin_minute(draft, position.speaker)
