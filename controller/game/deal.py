"""The deal: cards drawn seat by seat, and what makes a deal complete (fiim 4.1.3; ukraine 1.1; city)."""

from controller.game.commands import Deal
from controller.game.draft import Draft
from controller.game.events import RoleDealt
from controller.game.phases import Dealing
from controller.game.refusal import refuse
from controller.game.roles import Role
from controller.game.state import State

SINGLE = frozenset(set(Role) - {Role.CIVILIAN, Role.MAFIA})
"""Cards of which a deal has one at most."""


def check_deal(state: State, command: Deal) -> None:
    """A card may be noted, or noted again, while the deal goes on and the deck still has it."""
    if not isinstance(state.phase, Dealing):
        raise refuse("deal_is_over")
    if not 1 <= command.seat <= len(state.seats):
        raise refuse("no_such_seat", seat=command.seat, seats=len(state.seats))
    drawn = len([seat for seat in state.seats if seat.role is command.role and seat.number != command.seat])
    deck = state.rules.deck
    if deck is not None and drawn >= deck.get(command.role, 0):
        raise refuse("no_such_card_left", role=command.role, cards=deck.get(command.role, 0), clause="4.1.3")
    if deck is None and command.role in SINGLE and drawn:
        raise refuse("no_such_card_left", role=command.role, cards=1)


def deal(draft: Draft, command: Deal) -> None:
    """`command.seat` has this card."""
    draft.emit(RoleDealt(command.seat, command.role))


def check_dealt(state: State) -> None:
    """The night begins when every seat has a card and the deal can be played."""
    roles = [seat.role for seat in state.seats]
    if (without := sum(1 for role in roles if role is None)) > 0:
        raise refuse("cards_left", cards=without, clause="4.1.3")
    if Role.DON not in roles:
        raise refuse("no_don")
    if state.rules.winner(state) is not None:  # city: with a maniac at the table black may be level with the rest
        raise refuse("deal_is_won", black=sum(1 for role in roles if role is not None and role.black))


def unusual(state: State) -> tuple[Role, ...]:
    """Cards the text adds only for a larger table: a warning, not a refusal (city: avenger from 15, bomber from 16)."""
    needed = {Role.AVENGER: 15, Role.BOMBER: 16}
    return tuple(role for role, seats in needed.items() if len(state.seats) < seats and state.holder(role) is not None)
