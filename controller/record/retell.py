"""A live game told anew in the order of a record: the decisions that a record has words for, each with what it did.

Three things differ from the table. Windows are opened by the reader, so opening one is not told. What the sensors saw
until the count was announced stands in one line with the window. And since a foul makes the result of a counted ballot
final in a record, one that was given between the last count and the result is told before that count: it has nothing
to do with the hands. Texts are made to fit a line.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.decide import says_result_first
from controller.game.history import History
from controller.game.phases import Dealing
from controller.game.refusal import Refusal, Refused
from controller.game.state import State
from controller.game.voting import every_hand_is_counted
from controller.record.play import in_window
from controller.record.saying import clean


@dataclass(frozen=True, slots=True)
class Told:
    """One decision with the state before and after it, as a record tells it."""

    command: Command
    before: State
    after: State


def retold(game: History, start: History) -> tuple[tuple[Told, ...], History]:
    """The decisions of `game` after the deal, told on `start`; and the game that comes of it. Raises Refused."""
    told: list[Told] = []
    for command in _in_order(_decided(game)):
        before = start.state
        counted = isinstance(command, cmd.CountHands | cmd.RuleHand)
        played = in_window(start, command) if counted else start.play(command)
        if isinstance(played, Refusal):
            raise Refused(played)
        start = played
        if not isinstance(command, cmd.Next):
            told.append(Told(command, before, start.state))
    return tuple(told), start


def _decided(game: History) -> Iterator[tuple[Command, State]]:
    """Each command after the deal with the state before it, those that the table played by itself among them."""
    for decision in game:
        state = decision.before
        for command in (*decision.ahead, decision.command, *decision.then):
            if not isinstance(state.phase, Dealing):
                yield command, state
            draft = game.unfold(state, command)
            if isinstance(draft, Refusal):
                raise Refused(draft)
            state = draft.state


def _in_order(decided: Iterator[tuple[Command, State]]) -> list[Command]:
    found: list[Command] = []
    for command, before in decided:
        match command:
            case cmd.OpenWindow():
                continue
            case cmd.VoidWindow() if not _anything_in_window(before):
                continue
            case cmd.Announce(candidate, touches, announced):
                place = _last(found, lambda one: isinstance(one, cmd.CountHands) and one.candidate == candidate)
                count = found[place]
                assert isinstance(count, cmd.CountHands)
                found[place] = replace(count, touches=touches, announced=announced)
            case cmd.Foul() | cmd.TechnicalFoul() if _leaves_result_open(before, command):
                found.insert(_last(found, lambda one: isinstance(one, cmd.CountHands | cmd.CountVote)), command)
            case cmd.Protest(seat, text):
                found.append(cmd.Protest(seat, clean(text)))
            case cmd.Penalise(seat, points, clause) if clause is not None:
                found.append(cmd.Penalise(seat, points, clean(clause)))
            case _:
                found.append(command)
    return found


def _last(commands: list[Command], meant: Callable[[Command], bool]) -> int:
    return max(index for index, command in enumerate(commands) if meant(command))


def _leaves_result_open(state: State, foul: Command) -> bool:
    """Whether `foul` was given between the last count and the result, and sends nobody off."""
    return every_hand_is_counted(state) and not says_result_first(state, foul)


def _anything_in_window(state: State) -> bool:
    """Whether voiding changes anything: an open window without a ruling leaves nothing behind."""
    ballot = state.ballot
    if ballot is None or not ballot.is_open:
        return True
    return any(ruling.candidate == ballot.due for ruling in ballot.rulings)
