"""A game that was played, written as a record and read again: it must be the same game."""

from dataclasses import replace

from controller.game import History, State
from controller.record import Headers, Sitter, read, result
from controller.record.play import finished
from controller.record.writer import write


def headers_of(state: State, scoring: str) -> Headers:
    """A head for the game, with a player at every seat."""
    seats = tuple(Sitter(seat.number, f"Игрок {seat.number}", seat.role) for seat in state.seats if seat.role)
    return Headers(ruleset=state.rules.name, scoring=scoring, event="Кубок", seats=seats)


def as_written(state: State) -> State:
    """What a record keeps of a state: all but two things.

    A foul between the last count and the result is written before the count: it may change places with another. That a
    window is open is not written, its opening is repeated.
    """
    seats = tuple(replace(seat, fouls=tuple(sorted(seat.fouls, key=str))) for seat in state.seats)
    ballot = replace(state.ballot, opened=None) if state.ballot is not None else None
    return replace(state, seats=seats, ballot=ballot)


def comes_back(game: History, scoring: str) -> str:
    """The record of `game`, once it is known to be read as the same game and to be written as the same record."""
    headers = headers_of(game.state, scoring)
    text = write(headers, game)
    again = read(text)
    end = finished(game)
    assert as_written(again.game.state) == as_written(end.state), text
    assert result(again.headers, again.game.state, again.table) == result(headers, end.state, again.table)
    assert write(again.headers, again.game) == text
    return text
