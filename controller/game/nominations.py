"""Nominations and withdrawals (fiim 4.4.2 to 4.4.4; ukraine 4.4.2 to 4.4.4; city)."""

from controller.game.commands import Nominate, Withdraw
from controller.game.draft import Draft
from controller.game.events import Nominated, Withdrawn
from controller.game.refusal import refuse
from controller.game.speeches import may_nominate
from controller.game.state import State


def _living(state: State, number: int, clause: str) -> None:
    if not 1 <= number <= len(state.seats):
        raise refuse("no_such_seat", seat=number, seats=len(state.seats))
    if not state.seat(number).acts:
        raise refuse("not_living", seat=number, clause=clause)


def _own_minute(state: State, number: int) -> None:
    if state.minute_of != number:
        raise refuse("not_own_minute", seat=number, clause="4.4.2", not_now=True)


def check_nominate(state: State, command: Nominate) -> None:
    """In the own minute, one a day, a living player not nominated yet (fiim 4.4.2, 4.4.4)."""
    _living(state, command.by, "4.4.2")
    _own_minute(state, command.by)
    _living(state, command.seat, "4.4.2")
    if not may_nominate(state, command.by):
        raise refuse("may_not_nominate", seat=command.by, clause="6.4")
    own = [nomination for nomination in state.nominations if nomination.by == command.by]
    if own or state.renominated:
        raise refuse("nominated_already", by=command.by, clause="4.4.4")
    if any(nomination.seat == command.seat for nomination in state.nominations):
        raise refuse("is_nominated", seat=command.seat, clause="4.4.2")


def nominate(draft: Draft, command: Nominate) -> None:
    """«Принято»."""
    draft.emit(Nominated(command.by, command.seat))


def check_withdraw(state: State, command: Withdraw) -> None:
    """The own nomination, in the own minute, where the tournament allows it (fiim 4.4.3, geographic)."""
    _living(state, command.by, "4.4.3")
    if not state.rules.withdrawal:
        raise refuse("no_withdrawal", clause="4.4.3")
    _own_minute(state, command.by)
    if not any(nomination.by == command.by for nomination in state.nominations):
        raise refuse("nothing_to_withdraw", seat=command.by, clause="4.4.3")


def withdraw(draft: Draft, command: Withdraw) -> None:
    """«Отозвано». The speaker may nominate once more in this minute (rules page, reading 22)."""
    seat = next(nomination.seat for nomination in draft.state.nominations if nomination.by == command.by)
    draft.emit(Withdrawn(command.by, seat))
