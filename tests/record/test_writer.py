"""A game that was played at the table, written and read again, is the same game."""

from dataclasses import replace
from random import Random

import pytest

from controller.game import History, State
from controller.game.phases import Dealing
from controller.record import Headers, Sitter, read, result
from controller.record.play import finished
from controller.record.writer import write
from tests.record.any_record import played

RULES = (("fiim", "fiim"), ("fiim", "club"), ("wma", "wma"), ("ukraine", "ukraine"), ("city", "city"))
GAMES = 12


def headers_of(state: State, scoring: str) -> Headers:
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


def check(game: History, scoring: str) -> str:
    headers = headers_of(game.state, scoring)
    text = write(headers, game)
    again = read(text)
    end = finished(game)
    assert as_written(again.game.state) == as_written(end.state), text
    assert result(again.headers, again.game.state, again.table) == result(headers, end.state, again.table)
    assert write(again.headers, again.game) == text
    return text


@pytest.mark.parametrize(("ruleset", "scoring"), RULES)
def test_games_that_nobody_planned_come_back_as_they_were(ruleset: str, scoring: str) -> None:
    for seed in range(GAMES):
        check(played(seed, ruleset, scoring), scoring)


@pytest.mark.parametrize(("ruleset", "scoring"), RULES)
def test_a_game_that_goes_on_comes_back_where_it_stood(ruleset: str, scoring: str) -> None:
    for seed in range(GAMES):
        game = played(seed, ruleset, scoring, Random(seed).randint(15, 250))
        if not isinstance(game.state.phase, Dealing):
            check(game, scoring)
