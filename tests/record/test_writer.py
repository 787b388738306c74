"""A game that was played at the table, written and read again, is the same game."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.game import RULESETS, History, begin, new_game
from controller.game import commands as cmd
from controller.game.ballot import Touch
from controller.game.commands import Command
from controller.game.moment import Moment
from controller.game.phases import Dealing
from controller.game.position import Position
from controller.game.roles import Role
from controller.game.rules import Rules
from controller.game.seat import How
from controller.record import Headers, Sitter, read, result
from controller.record.writer import CannotWrite, write
from controller.scoring import referee, scoring_table
from tests.record.any_record import played
from tests.record.games import FIIM
from tests.record.there_and_back import comes_back

VECTORS = Path(__file__).parent.parent / "vectors"
RULES = (("fiim", "fiim"), ("fiim", "club"), ("wma", "wma"), ("ukraine", "ukraine"), ("city", "city"))
GAMES = 5


@pytest.mark.parametrize(("ruleset", "scoring"), RULES)
def test_games_that_nobody_planned_come_back_as_they_were(ruleset: str, scoring: str) -> None:
    for seed in range(GAMES):
        comes_back(played(seed, ruleset, scoring), scoring)


@pytest.mark.parametrize(("ruleset", "scoring"), RULES)
def test_a_game_that_goes_on_comes_back_where_it_stood(ruleset: str, scoring: str) -> None:
    for seed in range(GAMES):
        game = played(seed, ruleset, scoring, Random(seed).randint(15, 250))
        if not isinstance(game.state.phase, Dealing):
            comes_back(game, scoring)


# --- what is said, and where

DEALT = [cmd.Deal(n, Role(card)) for n, card in enumerate(FIIM.split(), 1)]


def at_the_table(*commands: Command, rules: Rules = RULESETS["fiim"]) -> History:
    """A live game of these commands after the deal and the acquaintance."""
    game = begin(new_game(rules), referee(scoring_table("fiim")))
    for command in (*DEALT, *[cmd.Next()] * 4, *commands):
        after = game.play(command)
        assert isinstance(after, History), (command, after)
        game = after
    return game


def body(*commands: Command) -> list[str]:
    """The lines that a record has of these commands."""
    return comes_back(at_the_table(*commands), "fiim").partition("\n\n")[2].splitlines()


NEXT = cmd.Next()
TO_THE_VOTE = (NEXT, cmd.Nominate(1, 2), NEXT, cmd.Nominate(2, 5), *[NEXT] * 9)
COUNTED = (cmd.CountVote(2, (1, 3, 4, 5)), cmd.CountVote(5, (6, 7)))


def test_a_record_says_what_happened_and_not_every_button() -> None:
    lines = body(*TO_THE_VOTE, *COUNTED, NEXT, NEXT, NEXT, cmd.Shoot(everybody_at=4), NEXT, NEXT, NEXT, NEXT)
    assert lines == [
        *("night 0", "day 1", "1 nominates 2", "2 nominates 5", "vote 2: 1 3 4 5", "vote 5: 6 7"),
        *("night 1", "shot: 4", "day 2", "next"),
    ]


def test_a_best_move_stands_under_its_night() -> None:
    night = (*TO_THE_VOTE, *COUNTED, NEXT, NEXT, NEXT, cmd.Shoot(everybody_at=4), NEXT, NEXT, NEXT, NEXT)
    assert body(*night, cmd.BestMove(4, (2, 7)))[-3:] == ["night 1", "shot: 4", "best 4: 2 7"]


def test_after_a_position_the_record_goes_on_from_there() -> None:
    left = ((2, How.VOTED, Moment.day_of(1)),)
    position = Position(Moment.day_of(3), left, ((3, 2),), (), ((1, 4),), 5)
    lines = body(NEXT, cmd.Foul(6), cmd.SetPosition(position), NEXT, cmd.Nominate(6, 7), cmd.Foul(8))
    assert lines == [
        *("night 0", "day 1", "foul 6", "next", "position: day=3 left=2:voted:day1 fouls=3:2 nominated=1>4 speaker=5"),
        *("6 nominates 7", "foul 8"),
    ]


def test_a_foul_between_the_last_count_and_a_ruling_is_told_before_the_count() -> None:
    lines = body(*TO_THE_VOTE, *COUNTED, cmd.Foul(3), cmd.RuleHand(2, 8, True), NEXT)
    assert lines[-4:] == ["vote 2: 1 3 4 5", "foul 3", "vote 5: 6 7", "rule 2: 8 yes"]


def test_a_removal_after_the_last_count_keeps_its_place() -> None:
    assert body(*TO_THE_VOTE, *COUNTED, cmd.Remove(3))[-2:] == ["vote 5: 6 7", "remove 3"]


def test_a_third_foul_in_the_own_minute_is_told_in_that_minute() -> None:
    fouls = (cmd.Foul(2), cmd.Foul(2), cmd.Foul(2))
    lines = body(NEXT, *fouls[:2], NEXT, fouls[2], cmd.Nominate(2, 3))
    assert lines == ["night 0", "day 1", "foul 2", "foul 2", "next 2", "foul 2", "2 nominates 3"]


def test_what_the_sensors_saw_until_the_count_was_announced_is_one_line() -> None:
    seen = (Touch(1, 350_000), Touch(3, -200_000, 2_900_000))
    known = (Touch(1, 350_000, 3_100_000), Touch(3, -200_000, 2_900_000))
    hands = (cmd.OpenWindow(10**9), cmd.CountHands(2, seen), cmd.Announce(2, known, 3_500_000))
    lines = body(*TO_THE_VOTE, *hands, cmd.OpenWindow(5), cmd.VoidWindow(), cmd.CountVote(5, (4,)))
    assert lines[-2:] == ["hands 2 counted 3.5: 1@0.35..3.1 3@-0.2..2.9", "vote 5: 4"]


def test_a_window_that_was_counted_and_repeated_is_told_twice() -> None:
    lines = body(*TO_THE_VOTE, cmd.CountVote(2, (1,)), cmd.VoidWindow(), *COUNTED)
    assert lines[-4:] == ["vote 2: 1", "void 2", "vote 2: 1 3 4 5", "vote 5: 6 7"]


def test_what_the_table_played_by_itself_is_told_too() -> None:
    game = at_the_table(*TO_THE_VOTE).play(cmd.OpenWindow(0))
    assert isinstance(game, History)
    game = game.follow(cmd.CountHands(2, (Touch(1, 0),)))
    assert isinstance(game, History)
    game = game.play(cmd.CountVote(5, ()), ahead=(cmd.Announce(2, (Touch(1, 0, 2_500_000),), 3_000_000),))
    assert isinstance(game, History)
    assert comes_back(game, "fiim").splitlines()[-2:] == ["hands 2 counted 3: 1@0..2.5", "vote 5:"]


def test_shots_that_nobody_fired_are_told() -> None:
    night = (NEXT, *[NEXT] * 11)
    assert body(*night, cmd.Shoot(()))[-1] == "shot: 2>- 7>- 9>-"
    assert body(*night, cmd.Shoot(((2, (3, 4)),)))[-1] == "shot: 2>3+4"


def test_only_options_that_differ_are_written() -> None:
    rules = replace(RULESETS["fiim"], withdrawal=False, window=1_500_000, best_move_points="3:0.4")
    text = comes_back(at_the_table(rules=rules), "fiim")
    written = [line for line in text.splitlines() if line.startswith("option")]
    assert written == ["option: best_move_points=3:0.4", "option: withdrawal=no", "option: window=1.5"]
    assert "option" not in comes_back(at_the_table(), "fiim")


def test_what_cannot_stand_in_a_line_is_changed() -> None:
    game = at_the_table(cmd.Defeat(7), cmd.Protest(3, "hand\nof #5: late "))
    names = ("A # B", "Ли, младший", "X", "X", "", "", " two  words ", "8", "9", "10")
    seats = tuple(
        Sitter(n, name, Role(card)) for n, (name, card) in enumerate(zip(names, FIIM.split(), strict=True), 1)
    )
    again = read(write(Headers(ruleset="fiim", scoring="fiim", stage="#1", judge="a\nb", seats=seats), game))
    known = [seat.name for seat in again.headers.seats]
    assert known == ["A № B", "Ли, младший", "X", "X (4)", "", "", "two words", "8", "9", "10"]
    assert (again.headers.stage, again.headers.judge) == ("№1", "a b")
    assert again.game.state.protests[0].text == "hand of №5: late"


def test_a_game_without_cards_cannot_be_written() -> None:
    game = begin(new_game(RULESETS["fiim"]))
    with pytest.raises(CannotWrite):
        write(Headers(ruleset="fiim", scoring="fiim"), game)


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.mafia")), ids=lambda path: path.stem)
def test_a_record_that_was_read_can_be_written(path: Path) -> None:
    reading = read(path.read_text(encoding="utf-8"))
    again = read(write(reading.headers, reading.game))
    assert again.game.state == reading.game.state
    assert replace(again.headers, options=()) == replace(reading.headers, options=())
    assert result(again.headers, again.game.state, again.table) == result(
        reading.headers, reading.game.state, reading.table
    )
