"""ukraine section 8, 6.3 and 6.6; rules page, reading 9."""

import pytest

from controller.record import Reading
from tests.scoring.games import game, points, refused, total

RED = """
night 0
day 1
1 nominates 2
3 nominates 5
vote 2: 1 3 4 5 6 8 10
vote 5: 2 7 9
night 1
shot: {first}
{best}
day 2
3 nominates 9
night 2
shot: miss
day 3
5 nominates 7
end
"""
BLACK = """
night 0
day 1
1 nominates 3
2 nominates 9
vote 3: 1 2 4 5 7 8 9
vote 9: 3 6 10
night 1
shot: 1
day 2
2 nominates 5
night 2
shot: 6
"""


def red(*after: str, first: int = 1, best: str = "") -> Reading:
    return game(RED.format(first=first, best=best), *after, ruleset="ukraine")


def black(*after: str) -> Reading:
    return game(BLACK, *after, ruleset="ukraine")


def test_ukraine_8_2_what_each_card_is_worth() -> None:
    reading = red()
    assert {seat: total(reading, seat) for seat in (3, 4, 2, 9)} == {3: "1", 4: "2", 2: "0", 9: "-1"}
    reading = black()
    assert {seat: total(reading, seat) for seat in (3, 4, 2, 9)} == {3: "0", 4: "-1", 2: "2", 9: "3"}


@pytest.mark.parametrize(("numbers", "worth"), [("2 7 9", "1"), ("2 7 4", "0.5"), ("2 3 4", None)])
def test_ukraine_8_3_1_the_best_move(numbers: str, worth: str | None) -> None:
    assert points(red(best=f"best 1: {numbers}"), 1).get("best_move") == worth


def test_ukraine_8_4_there_is_one_best_player() -> None:
    assert points(red("award 3 1"), 3) == {"main": "1", "award": "1", "total": "2"}
    assert points(red("award 9 0.5"), 9) == {"main": "-1", "award": "0.5", "total": "-0.5"}
    assert refused(lambda: red("award 3 1", "award 5 1")).clause == "8.4"


def test_ukraine_8_4_1_and_8_4_2_give_exactly_that() -> None:
    assert refused(lambda: red("award 3 0.5")).clause == "8.4.1"
    assert refused(lambda: red("award 3 1.5")).clause == "8.4.1"
    assert refused(lambda: red("award 9 1")).clause == "8.4.2"
    assert refused(lambda: red("award 9 0.25")).clause == "8.4.2"


def test_ukraine_6_6_a_removed_player_has_no_points_for_the_game() -> None:
    reading = red("remove 4 5.1.15")
    assert reading.game.state.outcome is not None
    assert points(reading, 4) == {}
    don_removed = RED.format(first=1, best="").replace("3 nominates 9", "remove 9 5.1.12")
    assert points(game(don_removed, ruleset="ukraine"), 9) == {}
    found = refused(lambda: red("remove 4", "award 4 1"))
    assert (found.code, found.clause) == ("award_to_removed", "6.6")


def test_ukraine_6_3_a_fine_is_one_point() -> None:
    assert points(red("penalty 3 -1 5.1.4"), 3) == {"main": "1", "penalty": "-1"}
    found = refused(lambda: red("penalty 3 -0.5"))
    assert (found.code, found.clause) == ("penalty_amount", "6.3")
