"""fiim section 8, clause by clause: the points of one game. Ci (8.6) and K (8.7) belong to the standings."""

import pytest

from controller.game import RULESETS, new_game
from controller.scoring import points_of_game, scoring_table
from tests.scoring.games import DRAW, RED_WINS, black_wins, game, points, red_wins, refused, total

OUT_BY_FOULS = ("foul 6", "foul 6", "foul 6", "foul 6")


def test_fiim_8_2_1_each_red_player_has_one_point_for_a_win() -> None:
    reading = red_wins()
    for seat in (1, 3, 4, 5, 6, 8, 10):
        assert points(reading, seat) == {"main": "1", "total": "1"}


def test_fiim_8_2_2_each_black_player_has_one_point_for_a_win() -> None:
    reading = black_wins()
    for seat in (2, 7, 9):
        assert points(reading, seat) == {"main": "1", "total": "1"}


def test_fiim_8_2_3_a_loss_and_a_draw_bring_nothing() -> None:
    assert points(red_wins(), 9) == {}
    assert points(black_wins(), 4) == {}
    assert all(points(game(DRAW), seat) == {} for seat in range(1, 11))


def test_fiim_8_2_4_a_removal_costs_half_a_point_of_the_additional_ones() -> None:
    reading = red_wins("remove 10 6.7.7")
    assert points(reading, 10) == {"main": "1", "penalty": "-0.5", "total": "0.5"}


def test_fiim_8_2_4_so_does_a_fourth_foul() -> None:
    assert points(red_wins(*OUT_BY_FOULS), 6) == {"main": "1", "penalty": "-0.5", "total": "0.5"}


def test_fiim_8_2_4_one_who_is_removed_in_the_last_word_is_fined_though_he_was_shot() -> None:
    reading = red_wins(best="best 1: -\nremove 1 6.7.4")
    assert [row.how for row in reading.game.state.departures if row.seat == 1] == ["shot"]
    assert points(reading, 1) == {"main": "1", "penalty": "-0.5", "total": "0.5"}


@pytest.mark.parametrize(
    ("numbers", "worth"),
    [("2 7 9", "0.4"), ("2 7 1", "0.25"), ("2 9", "0.25"), ("2 1 3", None), ("1 3 5", None), ("-", None)],
)
def test_fiim_8_3_4_three_black_ones_are_worth_04_and_two_025(numbers: str, worth: str | None) -> None:
    assert points(red_wins(best=f"best 1: {numbers}"), 1).get("best_move") == worth
    assert points(black_wins(best=f"best 1: {numbers}"), 1).get("best_move") == worth


def test_fiim_8_3_4_the_sheriff_has_them_too() -> None:
    assert points(red_wins(first=4, best="best 4: 2 7 9"), 4)["best_move"] == "0.4"


def test_fiim_8_3_4_a_black_player_has_nothing_for_naming_the_black_ones() -> None:
    reading = game(
        RED_WINS.replace("2 nominates", "8 nominates").format(first=9, best="best 9: 2 7 9").partition("day 2")[0]
    )
    assert reading.game.state.best_move is not None
    assert points(reading, 9) == {}


def test_fiim_8_4_1_no_more_than_three_players_are_given_points() -> None:
    found = refused(lambda: red_wins("award 1 0.1", "award 3 0.1", "award 9 0.1", "award 4 0.1"))
    assert (found.code, found.clause, found.params["players"]) == ("award_players", "8.4.1", "3")


def test_fiim_8_4_2_no_more_than_one_point_is_given_together() -> None:
    assert total(red_wins("award 1 0.5", "award 3 0.1", "award 9 0.4"), 1) == "1.5"
    found = refused(lambda: red_wins("award 1 0.5", "award 3 0.11", "award 9 0.4"))
    assert (found.code, found.clause, found.params["total"]) == ("award_total", "8.4.2", "1")


def test_fiim_8_4_3_a_winner_has_07_at_most() -> None:
    assert points(red_wins("award 1 0.7 approved"), 1) == {"main": "1", "award": "0.7", "total": "1.7"}
    found = refused(lambda: red_wins("award 1 0.71 approved"))
    assert (found.code, found.clause, found.params["most"]) == ("award_too_large", "8.4.3", "0.7")


@pytest.mark.parametrize("award", ["0.6", "0.65", "0.7"])
def test_fiim_8_4_3_from_06_on_the_chief_judge_approves(award: str) -> None:
    found = refused(lambda: red_wins(f"award 1 {award}"))
    assert (found.code, found.clause) == ("award_unapproved", "8.4.3")
    assert points(red_wins(f"award 1 {award} approved"), 1)["award"] == award


def test_fiim_8_4_3_below_06_nobody_is_asked() -> None:
    assert points(red_wins("award 1 0.59"), 1)["award"] == "0.59"


def test_fiim_8_4_4_a_loser_has_04_at_most() -> None:
    assert points(red_wins("award 9 0.4"), 9) == {"award": "0.4", "total": "0.4"}
    found = refused(lambda: red_wins("award 9 0.41 approved"))
    assert (found.code, found.clause, found.params["most"]) == ("award_too_large", "8.4.4", "0.4")


def test_fiim_8_4_6_in_a_draw_the_judge_gives_nothing() -> None:
    found = refused(lambda: game(DRAW, "award 1 0.1"))
    assert (found.code, found.clause) == ("award_in_draw", "8.4.6")


def test_fiim_8_4_nobody_is_given_points_while_the_game_goes_on() -> None:
    assert refused(lambda: game("\nday 1\n", "award 1 0.1")).code == "not_over"


@pytest.mark.parametrize("points_given", ["-0.3", "-0.5", "-0.8", "-0.41"])
def test_fiim_8_5_a_penalty_is_04(points_given: str) -> None:
    assert points(red_wins("penalty 9 -0.4"), 9) == {"penalty": "-0.4", "total": "-0.4"}
    found = refused(lambda: red_wins(f"penalty 9 {points_given}"))
    assert (found.code, found.clause) == ("penalty_amount", "8.5")


def test_fiim_8_5_a_penalty_adds_to_the_one_for_removal() -> None:
    reading = red_wins("remove 10 6.7.7", "penalty 10 -0.4 8.5.2")
    assert points(reading, 10) == {"main": "1", "penalty": "-0.9", "total": "0.1"}


def test_fiim_8_5_1_is_for_red_players_who_have_lost() -> None:
    assert points(black_wins("penalty 4 -0.4 8.5.1"), 4)["penalty"] == "-0.4"
    assert refused(lambda: red_wins("penalty 4 -0.4 8.5.1")).code == "penalty_not_lost"
    assert refused(lambda: game(DRAW, "penalty 4 -0.4 8.5.1")).code == "penalty_not_lost"
    assert refused(lambda: black_wins("penalty 9 -0.4 8.5.1")).code == "penalty_role"


def test_fiim_8_5_2_is_for_a_civilian() -> None:
    assert points(red_wins("penalty 3 -0.4 8.5.2"), 3)["penalty"] == "-0.4"
    assert refused(lambda: red_wins("penalty 4 -0.4 8.5.2")).code == "penalty_role"


def test_fiim_8_5_3_is_for_red_players_who_have_lost() -> None:
    assert points(black_wins("penalty 3 -0.4 8.5.3"), 3)["penalty"] == "-0.4"
    assert refused(lambda: red_wins("penalty 3 -0.4 8.5.3")).code == "penalty_not_lost"
    assert refused(lambda: black_wins("penalty 2 -0.4 8.5.3")).code == "penalty_role"


def test_fiim_8_5_4_is_for_black_players_who_have_lost() -> None:
    assert points(red_wins("penalty 9 -0.4 8.5.4"), 9)["penalty"] == "-0.4"
    assert refused(lambda: black_wins("penalty 9 -0.4 8.5.4")).code == "penalty_not_lost"
    assert refused(lambda: red_wins("penalty 1 -0.4 8.5.4")).code == "penalty_role"


def test_fiim_8_5_there_is_no_penalty_under_another_clause() -> None:
    assert refused(lambda: red_wins("penalty 1 -0.4 6.6.1")).code == "no_such_penalty"


def test_an_annulled_game_brings_nothing_and_takes_no_points_of_the_judge() -> None:
    reading = red_wins("award 1 0.5", "remove 10", "penalty 9 -0.4", "annul")
    assert all(points(reading, seat) == {} for seat in range(1, 11))
    assert refused(lambda: red_wins("annul", "award 1 0.5")).code == "game_annulled"
    assert refused(lambda: red_wins("annul", "penalty 1 -0.4")).code == "game_annulled"


def test_a_game_that_goes_on_has_only_what_stands_already() -> None:
    assert points(game("\nday 1\n", "remove 10"), 10) == {"penalty": "-0.5", "total": "-0.5"}
    assert all(not row.total for row in points_of_game(new_game(RULESETS["fiim"]), scoring_table("fiim")).values())


def test_points_have_two_decimals_at_most() -> None:
    assert refused(lambda: red_wins("award 1 0.333")).code == "points_too_fine"
