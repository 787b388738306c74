"""After the game: awards, penalties, protests, annulment. How much may be given is the scoring's business."""

from controller.game.commands import Annul, Award, Penalise, Protest
from controller.game.departures import conclude
from controller.game.draft import Draft
from controller.game.events import Awarded, GameDecided, Penalised, Protested
from controller.game.outcome import Outcome, Reason
from controller.game.phases import Dealing, Over
from controller.game.refusal import refuse
from controller.game.state import State


def _after_the_game(state: State, number: int) -> None:
    if not isinstance(state.phase, Over):
        raise refuse("not_over", not_now=True, clause="8.4")
    if not 1 <= number <= len(state.seats):
        raise refuse("no_such_seat", seat=number, seats=len(state.seats))


def check_award(state: State, command: Award) -> None:
    """After the game, once a player, more than nothing (fiim 8.4)."""
    _after_the_game(state, command.seat)
    if command.points <= 0:
        raise refuse("award_not_positive", points=str(command.points), clause="8.4")
    if any(row.seat == command.seat for row in state.awards):
        raise refuse("award_given", seat=command.seat, clause="8.4")


def award(draft: Draft, command: Award) -> None:
    """The judge's points."""
    draft.emit(Awarded(command.seat, command.points, command.approved))


def check_penalise(state: State, command: Penalise) -> None:
    """After the game, written negative (fiim 8.5)."""
    _after_the_game(state, command.seat)
    if command.points >= 0:
        raise refuse("penalty_not_negative", points=str(command.points), clause="8.5")


def penalise(draft: Draft, command: Penalise) -> None:
    """The judge's penalty."""
    draft.emit(Penalised(command.seat, command.points, command.clause))


def check_protest(state: State, command: Protest) -> None:
    """After the game, where the text knows protests (fiim 8.9; not ukraine 8.6)."""
    if not state.rules.protests:
        raise refuse("no_protests", clause="8.6")
    _after_the_game(state, command.seat)
    if not command.text.strip():
        raise refuse("protest_is_empty", seat=command.seat)


def protest(draft: Draft, command: Protest) -> None:
    """A note in the protocol."""
    draft.emit(Protested(command.seat, command.text))


def check_annul(state: State, _: Annul) -> None:
    """A game may be annulled once, from the deal's end on."""
    if isinstance(state.phase, Dealing):
        raise refuse("not_begun", not_now=True)
    if state.outcome is not None and state.outcome.reason is Reason.ANNULLED:
        raise refuse("annulled_already")


def annul(draft: Draft, _: Annul) -> None:
    """The game does not count: nobody has won."""
    outcome = Outcome(None, Reason.ANNULLED, draft.state.at)
    if isinstance(draft.state.phase, Over):
        draft.emit(GameDecided(outcome))
    else:
        conclude(draft, outcome, at_once=True)
