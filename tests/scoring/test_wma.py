"""wma section 6: awards, penalties, the larger of two, finals."""

import pytest

from tests.scoring.games import DRAW, black_wins, game, points, red_wins, refused, total

VALUES = ("option: best_move_points=3:0.4,2:0.25",)
FINAL = ("stage: Final",)


def test_wma_6_2_a_win_is_one_point_and_a_loss_or_a_draw_nothing() -> None:
    assert points(red_wins(ruleset="wma"), 3) == {"main": "1", "total": "1"}
    assert points(red_wins(ruleset="wma"), 9) == {}
    assert points(game(DRAW, ruleset="wma"), 3) == {}


@pytest.mark.parametrize("award", ["0.3", "0.4", "0.5", "0.6", "0.7", "0.8"])
def test_wma_6_3_1_a_winner_has_03_to_08(award: str) -> None:
    assert points(red_wins(f"award 3 {award}", ruleset="wma"), 3)["award"] == award


@pytest.mark.parametrize(
    ("award", "code"),
    [
        ("0.2", "award_too_small"),
        ("0.35", "award_step"),
        ("0.9", "award_unapproved"),
        ("1", "award_unapproved"),
        ("1.1 approved", "award_too_large"),
    ],
)
def test_wma_6_3_1_and_nothing_else(award: str, code: str) -> None:
    found = refused(lambda: red_wins(f"award 3 {award}", ruleset="wma"))
    assert (found.code, found.clause) == (code, "6.3.1")


def test_wma_6_3_1_more_with_the_chief_judge() -> None:
    assert points(red_wins("award 3 1 approved", ruleset="wma"), 3)["award"] == "1"


def test_wma_6_3_2_a_loser_has_02_to_06() -> None:
    assert points(red_wins("award 9 0.2", ruleset="wma"), 9)["award"] == "0.2"
    assert points(red_wins("award 9 0.6", ruleset="wma"), 9)["award"] == "0.6"
    assert refused(lambda: red_wins("award 9 0.7 approved", ruleset="wma")).clause == "6.3.2"
    assert refused(lambda: red_wins("award 9 0.1", ruleset="wma")).code == "award_too_small"


def test_wma_6_3_3_two_points_together_and_24_with_the_chief_judge() -> None:
    two = ("award 3 0.8", "award 4 0.8", "award 5 0.4")
    red_wins(*two, ruleset="wma")
    assert refused(lambda: red_wins(*two, "award 6 0.3", ruleset="wma")).code == "award_unapproved_total"
    red_wins(*two, "award 6 0.4 approved", ruleset="wma")
    found = refused(lambda: red_wins(*two, "award 6 0.5 approved", ruleset="wma"))
    assert (found.code, found.clause) == ("award_total", "6.3.3")


def test_wma_6_3_5_five_players_and_six_with_the_chief_judge() -> None:
    five = tuple(f"award {seat} 0.3" for seat in (1, 3, 4, 5, 6))
    red_wins(*five, ruleset="wma")
    assert refused(lambda: red_wins(*five, "award 8 0.3", ruleset="wma")).code == "award_unapproved_player"
    six = (*five, "award 8 0.3 approved")
    red_wins(*six, ruleset="wma")
    found = refused(lambda: red_wins(*six, "award 10 0.3 approved", ruleset="wma"))
    assert (found.code, found.clause) == ("award_players", "6.3.5")


@pytest.mark.parametrize(
    ("award", "expected"),
    [
        ("0.3", {"main": "1", "best_move": "0.4", "total": "1.4"}),
        ("0.4", {"main": "1", "best_move": "0.4", "total": "1.4"}),
        ("0.5", {"main": "1", "award": "0.5", "total": "1.5"}),
    ],
)
def test_wma_6_3_7_only_the_larger_of_award_and_best_move_counts(award: str, expected: dict[str, str]) -> None:
    assert points(red_wins(f"award 1 {award}", best="best 1: 2 7 9", ruleset="wma", more=VALUES), 1) == expected


def test_wma_6_3_7_an_award_that_does_not_count_is_not_in_the_sum() -> None:
    rest = ("award 3 0.8", "award 4 0.8", "award 5 0.4")
    red_wins("award 1 0.4", *rest, best="best 1: 2 7 9", ruleset="wma", more=VALUES)
    found = refused(lambda: red_wins("award 1 0.5", *rest, best="best 1: 2 7 9", ruleset="wma", more=VALUES))
    assert found.code == "award_unapproved_total"


def test_wma_6_3_8_a_final_multiplies_win_award_best_move_and_penalties() -> None:
    reading = red_wins(
        "award 3 0.5", "remove 10 5.7.1", "penalty 10 -0.6", best="best 1: 2 7 9", ruleset="wma", more=VALUES + FINAL
    )
    assert points(reading, 1) == {"main": "1.3", "best_move": "0.52", "total": "1.82"}
    assert points(reading, 3) == {"main": "1.3", "award": "0.65", "total": "1.95"}
    assert points(reading, 10) == {"main": "1.3", "penalty": "-1.69", "total": "-0.39"}


@pytest.mark.parametrize("stage", ["semifinal", "полуфинал", "final 2", ""])
def test_wma_6_3_8_another_stage_does_not(stage: str) -> None:
    more = (f"stage: {stage}",) if stage else ()
    assert total(red_wins(ruleset="wma", more=more), 3) == "1"


def test_wma_6_4_1_a_removal_costs_07_and_so_does_a_fourth_foul() -> None:
    assert points(red_wins("remove 10", ruleset="wma"), 10)["penalty"] == "-0.7"
    assert points(red_wins(*["foul 10"] * 4, ruleset="wma"), 10)["penalty"] == "-0.7"


def test_wma_6_4_3_penalties_are_06_each_and_add_up() -> None:
    reading = black_wins("penalty 4 -0.6 6.4.3.5", "penalty 4 -0.6 6.4.3.6.2", ruleset="wma")
    assert points(reading, 4) == {"penalty": "-1.2", "total": "-1.2"}
    assert refused(lambda: black_wins("penalty 4 -0.4", ruleset="wma")).clause == "6.4.2"
    assert refused(lambda: black_wins("penalty 3 -0.6 6.4.3.5", ruleset="wma")).code == "penalty_role"
    assert refused(lambda: red_wins("penalty 4 -0.6 6.4.3.5", ruleset="wma")).code == "penalty_not_lost"


@pytest.mark.parametrize(
    ("clause", "seat", "other", "red_won"),
    [  # who is fined by this line, and who cannot be
        ("6.4.3.1", 1, 2, False),
        ("6.4.3.2", 2, 1, True),
        ("6.4.3.3", 1, 2, False),
        ("6.4.3.4", 1, 2, False),
        *((f"6.4.3.{line}", 4, 1, False) for line in ("5", "6", "6.1", "6.2", "6.3", "6.4", "7.2", "7.3")),
        *((f"6.4.3.7.{line}", 2, 4, True) for line in (1, 4, 5)),
    ],
)
def test_wma_6_4_3_each_line_is_for_those_it_names(clause: str, seat: int, other: int, red_won: bool) -> None:
    played = red_wins if red_won else black_wins
    assert points(played(f"penalty {seat} -0.6 {clause}", ruleset="wma"), seat)["penalty"] == "-0.6"
    assert refused(lambda: played(f"penalty {other} -0.6 {clause}", ruleset="wma")).code == "penalty_role"


def test_wma_6_4_3_6_5_a_check_left_among_several_is_no_penalty() -> None:
    assert refused(lambda: black_wins("penalty 4 -0.6 6.4.3.6.5", ruleset="wma")).code == "no_such_penalty"


def test_wma_6_4_4_and_6_4_5_a_missed_round_and_every_eleven_minutes() -> None:
    assert total(red_wins("penalty 9 -1 6.4.4", ruleset="wma"), 9) == "-1"
    assert total(red_wins("penalty 9 -1.2 6.4.5", ruleset="wma"), 9) == "-1.2"
    assert refused(lambda: red_wins("penalty 9 -1 6.4.5", ruleset="wma")).code == "penalty_amount"


def test_the_values_of_the_best_move_are_the_tournaments_and_have_no_default() -> None:
    assert "best_move" not in points(red_wins(best="best 1: 2 7 9", ruleset="wma"), 1)
    own = ("option: best_move_points=3:0.7,2:0.3,1:0.1",)
    assert points(red_wins(best="best 1: 2 3 4", ruleset="wma", more=own), 1)["best_move"] == "0.1"


def test_wma_5_8_whoever_lost_the_game_for_the_team_is_fined_too() -> None:
    reading = game("\nday 1\ndefeat 3 5.8.1\n", ruleset="wma")
    assert points(reading, 3) == {"penalty": "-0.7", "total": "-0.7"}
    assert total(reading, 9) == "1"
