"""The best move of the one shot in the first night, and the club's wills (fiim 8.3, 9.6; club)."""

from controller.game.commands import BestMove, Will
from controller.game.draft import Draft
from controller.game.events import BestMoveNamed, WillLeft
from controller.game.phases import LastWord, Over
from controller.game.refusal import refuse
from controller.game.seat import How
from controller.game.state import State


def best_move_of(state: State) -> int | None:
    """Whose best move it is: the one shot in night 1; None after a miss (fiim 8.3, 9.6)."""
    rules = state.rules
    if not rules.best_move:
        return None
    day_one = [row for row in state.departures if row.at.day and row.at.number == 1]
    if rules.best_move_void_after and len(day_one) >= rules.best_move_void_after:
        return None
    if rules.best_move_voted_day_one and len(day_one) == 1 and day_one[0].how is How.VOTED:
        return day_one[0].seat
    for row in state.departures:
        if row.how is How.SHOT and not row.at.day and row.at.number == 1:
            return row.seat
    return None


def _has_the_word(state: State, seat: int) -> bool:
    match state.phase:
        case LastWord(speaker, _, _):
            return speaker == seat
        case Over():
            return True
        case _:
            return False


def check_best_move(state: State, command: BestMove) -> None:
    """In the last minute of the one shot first: 0 to 3 numbers, distinct, once (fiim 8.3.1 to 8.3.3)."""
    owner = best_move_of(state)
    if owner is None or owner != command.seat:
        raise refuse("no_best_move", seat=command.seat, clause="8.3", not_now=owner is None)
    if state.best_move is not None:
        raise refuse("best_move_named", seat=owner, clause="8.3.3")
    seat = state.seat(command.seat)
    if seat.disqualified is not None:
        raise refuse("already_removed", seat=command.seat, clause="6.5")
    if not _has_the_word(state, command.seat):
        raise refuse("not_last_word", seat=command.seat, clause="8.3", not_now=command.seat in state.may_name)
    if command.seat not in state.may_name:
        raise refuse("not_last_word", seat=command.seat, clause="8.3")
    if len(command.numbers) > 3:
        raise refuse("too_many_numbers", count=len(command.numbers), clause="8.3")
    for index, number in enumerate(command.numbers):
        if not 1 <= number <= len(state.seats):
            raise refuse("no_such_seat", seat=number, seats=len(state.seats))
        if number in command.numbers[:index]:
            raise refuse("number_twice", seat=number, clause="8.3")


def name_best_move(draft: Draft, command: BestMove) -> None:
    """«Принято». It is never changed (fiim 8.3.3)."""
    draft.emit(BestMoveNamed(command.seat, command.numbers))


def check_will(state: State, command: Will) -> None:
    """Club: whoever is shot from the second night on leaves one player in the will, in the last word."""
    if not state.rules.wills:
        raise refuse("no_wills")
    if not 1 <= command.seat <= len(state.seats):
        raise refuse("no_such_seat", seat=command.seat, seats=len(state.seats))
    left = state.seat(command.seat).left
    if left is None or left.how is not How.SHOT or left.at.number < 2:
        raise refuse("no_will", seat=command.seat, not_now=left is None)
    if any(will.seat == command.seat for will in state.wills):
        raise refuse("will_left", seat=command.seat)
    if not _has_the_word(state, command.seat):
        raise refuse("not_last_word", seat=command.seat, not_now=command.seat in state.may_name)
    if command.seat not in state.may_name:
        raise refuse("not_last_word", seat=command.seat)
    if command.named is not None and not 1 <= command.named <= len(state.seats):
        raise refuse("no_such_seat", seat=command.named, seats=len(state.seats))


def leave_will(draft: Draft, command: Will) -> None:
    """The will is noted."""
    draft.emit(WillLeft(command.seat, command.named, command.forgotten))
