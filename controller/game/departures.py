"""How somebody leaves, and what a departure brings with it: last words, the avenger's choice, the end of the game."""

from controller.game.draft import Draft
from controller.game.events import BallotCut, GameDecided, LastWordsOwed, Left, PhaseBegan
from controller.game.outcome import Outcome, Reason, Winner
from controller.game.phases import LastWord, Over
from controller.game.roles import Team
from controller.game.rules import Rules
from controller.game.seat import How
from controller.game.state import State


def last_word_seconds(rules: Rules, how: How) -> int:
    """Seconds of the last word of one who leaves like this; 0: none (fiim 4.4.14, 4.5.4, 6.5)."""
    match how:
        case How.VOTED | How.RAISED:
            return rules.last_word_voted
        case How.SHOT | How.MANIAC | How.GUEST | How.AVENGED:
            return rules.last_word_shot
        case How.FOULED | How.REMOVED | How.BLAST:
            return 0


def leave(draft: Draft, batch: tuple[tuple[int, How], ...]) -> None:
    """All of `batch` leave together, with whom they take along; those who have one are owed a last word."""
    taken = draft.state.rules.taken_along(draft.state, batch)
    leaving = (*batch, *(row for row in taken if row[0] not in {seat for seat, _ in batch}))
    draft.emit(*(Left(seat, how) for seat, how in leaving))
    rules = draft.state.rules
    words = tuple(
        seat for seat, how in leaving if last_word_seconds(rules, how) and draft.state.seat(seat).disqualified is None
    )
    if words:
        draft.emit(LastWordsOwed(words))


def settle(draft: Draft) -> None:
    """Checks the win after a batch of departures (rules page, reading 3)."""
    if draft.state.outcome is None and (outcome := draft.state.rules.winner(draft.state)):
        conclude(draft, outcome)


def conclude(draft: Draft, outcome: Outcome, *, at_once: bool = False) -> None:
    """The result stands. Last words that are owed are still said (fiim 7.12), unless the game stops at once."""
    draft.emit(GameDecided(outcome))
    if draft.state.ballot is not None:  # ukraine: a fourth foul in the vote has decided the game
        draft.emit(BallotCut())
    pending = bool(draft.state.last_words) or isinstance(draft.state.phase, LastWord)
    if at_once or not pending:
        draft.emit(PhaseBegan(Over(), draft.state.at))


def red_or_black(state: State) -> Outcome | None:
    """Red wins when no black lives, black when it is level with red (fiim 4.6.1; ukraine 1.4)."""
    living = [seat for seat in state.seats if seat.in_play]
    black = sum(1 for seat in living if seat.role is not None and seat.role.team is Team.BLACK)
    if black == 0:
        return Outcome(Winner.RED, Reason.NO_BLACK_LEFT, state.at)
    if black >= len(living) - black:
        return Outcome(Winner.BLACK, Reason.PARITY, state.at)
    return None


def nobody_along(_state: State, _leaving: tuple[tuple[int, How], ...]) -> tuple[tuple[int, How], ...]:
    """In the sport rules nobody takes anybody along."""
    return ()
