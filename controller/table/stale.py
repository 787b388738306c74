"""What each command depends on. A person who looked at an older revision is refused only if that has changed since,
also if it has changed back; edges, counts that fell due and the running of timers change nothing of it."""

from collections.abc import Hashable, Iterable
from typing import Any, assert_never

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.decide import decide
from controller.game.night import waking
from controller.game.state import State
from controller.table import wishes
from controller.table.book import Book
from controller.table.wishes import TableCommand

Grounds = tuple[Any, ...]


def is_stale(then: Book, since: Iterable[Book], command: Command | TableCommand) -> bool:
    """Whether what `command` depends on has been another than it was `then` in any book `since`, the last one is now:
    who looked before a step and its undo has not seen either."""
    looked = grounds(then, command)
    return any(book.game != then.game or grounds(book, command) != looked for book in since)


def grounds(book: Book, command: Command | TableCommand) -> Grounds:
    """What `command` rests on in `book`, as a value to compare."""
    if isinstance(command, Command):
        return _grounds_of_play(book.state, command)
    match command:
        case wishes.Undo():
            last = book.history.last
            return (None,) if last is None else (last.number, last.command)
        case wishes.Redo():
            return tuple(decision.command for decision in book.history.undone[-1:])
        case wishes.Replace(number):
            decisions = {decision.number: decision.command for decision in book.history}
            return (decisions.get(number),)
        case wishes.SetTimer():
            return (None if book.timer is None else book.timer.id,)
        case wishes.CloseWindow() | wishes.CountWindow():
            return _question(book.state)
        case wishes.AnnounceCount():
            ballot = book.state.ballot
            return (*_question(book.state), None if ballot is None else ballot.unsaid)
        case wishes.SetUp():
            return (book.header, book.names)
        case wishes.SetStopped():
            return (book.stopped,)
        case wishes.Answer(number):
            return tuple(one for one in book.suggestions if one.number == number)
        case wishes.Sign():
            return (book.history.last and book.history.last.number, book.state.outcome)
        case wishes.NewGame() | wishes.Suggest() | wishes.SetSide() | wishes.Start():
            return ()
        case _:
            assert_never(command)


def _question(state: State) -> Grounds:
    """Which question the vote is at: the one that is open, or was counted last."""
    ballot = state.ballot
    if ballot is None:
        return (state.at,)
    at = ballot.due if ballot.is_open or not ballot.counts else ballot.counts[-1].candidate
    return (state.at, ballot.number, at)


def _seat(state: State, number: int) -> Hashable:
    return state.seats[number - 1] if 1 <= number <= len(state.seats) else None


def _grounds_of_play(state: State, command: Command) -> Grounds:
    match command:
        case cmd.Next():
            return (state.phase, state.at, decide(state, command))
        case cmd.Deal(seat):
            return (_seat(state, seat),)
        case cmd.Nominate() | cmd.Withdraw():
            return (state.at, state.phase, state.nominations)
        case cmd.Foul(seat) | cmd.TechnicalFoul(seat) | cmd.Warn(seat) | cmd.Remove(seat) | cmd.Defeat(seat):
            return (_seat(state, seat), state.outcome)
        case cmd.OpenWindow():
            ballot = state.ballot
            return (state.at,) if ballot is None else (state.at, ballot.number, ballot.due, ballot.is_open)
        case cmd.CountHands() | cmd.CountVote():
            ballot = state.ballot
            return (state.at,) if ballot is None else (state.at, ballot.number, ballot.due)
        case cmd.VoidWindow() | cmd.Announce():
            return _question(state)
        case cmd.RuleHand(_, seat):
            ballot = state.ballot
            if ballot is None:
                return (state.at,)
            return (ballot.number, tuple(ruling for ruling in ballot.rulings if ruling.seat == seat))
        case cmd.Give(proposal) | cmd.Waive(proposal):
            return tuple(p.given for p in state.proposals if p.id == proposal)
        case cmd.Shoot() | cmd.Check() | cmd.Kill() | cmd.Act():
            return (state.at, waking(state), state.tonight, state.phase)
        case cmd.BestMove() | cmd.Will():
            return (state.phase, state.best_move, state.wills)
        case cmd.Award(seat) | cmd.Penalise(seat):
            return tuple(row for row in (*state.awards, *state.penalties) if row.seat == seat)
        case cmd.Protest():
            return (state.protests,)
        case cmd.Annul():
            return (state.outcome,)
        case cmd.SetPosition():
            return (state.at, state.phase, state.departures)
        case _:
            assert_never(command)
