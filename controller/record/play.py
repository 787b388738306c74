"""How a statement is played: where the engine moves by itself, and when a ballot's result becomes final.

- A statement that belongs to a later step of the same night or day is looked for by pressing Next on a copy; if no step
  takes it, the refusal of the last one is the answer. A refusal that says more than "not now" ends the search at once.
- The victims of a night have their last words in the morning, so `best` and `will` stand under the night in a record.
- The result of a counted ballot becomes final with the next statement other than `rule`, `give`, `waive`, `warn`
  (and `void` and `next`, which are about the ballot themselves, and `position`, which stands in its place), and at the
  end of the record.
- At the end of the record, and before `award`, `penalty` and `protest`, a night with its shooting recorded is played
  out, so is an avenger's choice that is recorded, and a decided game is brought to its end. `annul` ends a game where
  it is.
- `end` plays a day up to its dusk and a night up to the morning; a day whose end is the end of the game is over.
"""

from typing import assert_never

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.decide import says_result_first
from controller.game.history import History
from controller.game.phases import Choosing, LastWord, Morning, Night, Over, Voting
from controller.game.refusal import Refusal, Refused, refuse
from controller.game.state import State
from controller.game.voting import every_hand_is_counted
from controller.record.statements import Answer, End, Play, Reach, Statement, Steps, Undo, Void, Where

IN_A_WINDOW = (cmd.CountHands, cmd.RuleHand)
LEAVES_THE_RESULT_OPEN = (cmd.RuleHand, cmd.Warn, cmd.SetPosition)


def play(game: History, statement: Statement) -> History:
    """The game after `statement`. Raises Refused; `undo` is the reader's, which knows what stood before."""
    match statement:
        case Play(command, where):
            waits = every_hand_is_counted(game.state) and not isinstance(command, LEAVES_THE_RESULT_OPEN)
            if waits and not says_result_first(game.state, command):
                game = _taken(game.play(cmd.Next()))
            return _play(game, command, where)
        case Answer():
            return _answer(game, statement)
        case Void(candidate):
            return _void(game, candidate)
        case Steps(count):
            for _ in range(count):
                game = _taken(game.play(cmd.Next()))
            return game
        case Reach():
            return _reach(result_said(game), statement)
        case End():
            return _end(result_said(game))
        case Undo():
            raise refuse("nothing_to_undo")
        case _:
            assert_never(statement)


def _taken(game: History | Refusal) -> History:
    if isinstance(game, Refusal):
        raise Refused(game)
    return game


def result_said(game: History) -> History:
    """The game with the result of a counted ballot said."""
    return _taken(game.play(cmd.Next())) if every_hand_is_counted(game.state) else game


def _play(game: History, command: Command, where: Where) -> History:
    match where:
        case Where.HERE:
            return _taken(game.play(command))
        case Where.AFTERWARDS:
            return _taken(finished(game).play(command))
        case Where.ONWARD | Where.PAST_DAWN:
            return _search(game, command, past_dawn=where is Where.PAST_DAWN)
        case _:
            assert_never(where)


def _search(game: History, command: Command, *, past_dawn: bool) -> History:
    start = game.state
    while True:
        played = in_window(game, command)
        if not isinstance(played, Refusal):
            return played
        if not played.not_now:
            raise Refused(played)
        onward = game.play(cmd.Next())
        if isinstance(onward, Refusal):
            # At night it says which call has nothing recorded yet; by day the statement is simply out of place.
            raise Refused(onward if isinstance(game.state.phase, Night) else played)
        if onward.state.at != start.at and not (past_dawn and isinstance(onward.state.phase, Morning | LastWord)):
            raise Refused(played)
        game = onward


def in_window(game: History, command: Command) -> History | Refusal:
    """Hands are counted in a window, and a hand may be ruled before it is: a record does not say "opened"."""
    if isinstance(command, IN_A_WINDOW) and _opens(game.state, command.candidate):
        opened = game.play(cmd.OpenWindow())
        if isinstance(opened, Refusal):
            return opened
        game = opened
    return game.play(command)


def _opens(state: State, candidate: int) -> bool:
    """Whether the window for `candidate` has to be opened first; where no vote is held, opening it says so."""
    ballot = state.ballot
    if not isinstance(state.phase, Voting) or ballot is None:
        return True
    return not ballot.is_open and ballot.due == candidate


def _answer(game: History, statement: Answer) -> History:
    for proposal in game.state.proposals:
        if proposal.given is not None or (proposal.seat, proposal.what) != (statement.seat, statement.what):
            continue
        if statement.where in (None, ".".join(proposal.id.split(".")[:2])):
            return _taken(game.play(cmd.Give(proposal.id) if statement.given else cmd.Waive(proposal.id)))
    raise refuse("no_such_proposal")


def _void(game: History, candidate: int) -> History:
    ballot = game.state.ballot
    if isinstance(game.state.phase, Voting) and ballot is not None:
        last = ballot.due if ballot.is_open else ballot.counts[-1].candidate if ballot.counts else None
        if last != candidate:
            raise refuse("no_window")
    return _taken(game.play(cmd.VoidWindow()))


def _reach(game: History, statement: Reach) -> History:
    while game.state.at != statement.at:
        if game.state.at > statement.at:
            raise refuse("moment_passed", moment=str(statement.at), now=str(game.state.at))
        game = _taken(game.play(cmd.Next()))
    if isinstance(game.state.phase, Over):
        raise refuse("game_over")
    return game


def _end(game: History) -> History:
    at = game.state.at
    while not isinstance(game.state.phase, Over):
        onward = _taken(game.play(cmd.Next()))
        if onward.state.at != at:
            return game if at.day else onward
        game = onward
    return game


def finished(game: History) -> History:
    """The game as the end of a record leaves it: played out as far as nothing more has to be recorded for it."""
    game = result_said(game)
    while _night_is_recorded(game.state) or (game.state.outcome is not None and not isinstance(game.state.phase, Over)):
        game = _taken(game.play(cmd.Next()))
    return game


def _night_is_recorded(state: State) -> bool:
    night = state.tonight
    match state.phase:
        case Night():
            return night is not None and (night.shots is not None or bool(night.acted))
        case Choosing(_, evening):
            return not evening or state.avenger_choice is not None
        case _:
            return False
