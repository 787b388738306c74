"""The club's formula, sentence by sentence; rules page, readings 14, 15 and 23. 2 and 7 are mafia, 9 is the don."""

import pytest

from controller.record import Reading
from tests.scoring.games import black_wins, game, points, red_wins, refused, total


def club(play: str, *after: str) -> Reading:
    return game(play, *after, scoring="club")


# --- the game


def test_a_win_of_either_side_is_worth_three() -> None:
    assert total(red_wins(scoring="club"), 3) == "3"
    assert total(red_wins(scoring="club"), 9) == "0"
    assert total(black_wins(scoring="club"), 9) == "3"


def test_the_first_killed_has_one_point_where_the_mafia_wins() -> None:
    assert points(black_wins(scoring="club"), 1) == {"compensation": "1", "total": "1"}
    assert points(red_wins(scoring="club"), 1) == {"main": "3", "total": "3"}


@pytest.mark.parametrize(
    ("numbers", "black_won", "red_won"),
    [("2 7 9", "2", "3.8"), ("2 7 4", "1.4", "3.3"), ("2 3 4", "1", "3"), ("3 4 5", "0", "2"), ("3 4", "1", "3")],
)
def test_the_best_move_with_the_sums_that_the_text_gives(numbers: str, black_won: str, red_won: str) -> None:
    assert total(black_wins(best=f"best 1: {numbers}", scoring="club"), 1) == black_won
    assert total(red_wins(best=f"best 1: {numbers}", scoring="club"), 1) == red_won


def test_in_an_annulled_game_everybody_has_two_and_nothing_else() -> None:
    reading = black_wins("award 9 0.5", "penalty 2 -1", "annul", best="best 1: 2 7 9", scoring="club")
    assert all(points(reading, seat) == {"main": "2", "total": "2"} for seat in range(1, 11))


def test_the_removal_of_a_red_player_costs_one_and_that_of_a_black_one_nothing() -> None:
    assert points(red_wins("remove 10", scoring="club"), 10) == {"main": "3", "penalty": "-1", "total": "2"}
    assert points(red_wins("remove 7", scoring="club"), 7) == {}


def test_unsporting_conduct_costs_one() -> None:
    assert total(red_wins("penalty 9 -1", scoring="club"), 9) == "-1"
    assert refused(lambda: red_wins("penalty 9 -0.5", scoring="club")).code == "penalty_amount"


# --- the best players


def test_nobody_has_more_than_08_and_the_step_is_01() -> None:
    assert total(red_wins("award 3 0.8", scoring="club"), 3) == "3.8"
    assert refused(lambda: red_wins("award 3 0.9 approved", scoring="club")).code == "award_too_large"
    assert refused(lambda: red_wins("award 3 0.25", scoring="club")).code == "award_step"


@pytest.mark.parametrize(
    ("red", "enough", "too_much"),
    [
        (True, ("award 3 0.8", "award 4 0.6"), "award 5 0.1"),
        (True, ("award 9 0.6",), "award 2 0.1"),
        (False, ("award 3 0.8", "award 4 0.2"), "award 5 0.1"),
        (False, ("award 9 0.8", "award 7 0.2"), "award 2 0.1"),
    ],
)
def test_each_team_has_its_own_sum(red: bool, enough: tuple[str, ...], too_much: str) -> None:
    wins = red_wins if red else black_wins
    wins(*enough, scoring="club")
    assert refused(lambda: wins(*enough, too_much, scoring="club")).code == "award_team_total"


def test_the_sum_of_one_team_is_not_that_of_the_other() -> None:
    assert total(red_wins("award 3 0.8", "award 4 0.6", "award 9 0.6", scoring="club"), 9) == "0.6"


# --- wills

CRITICAL = """
night 0
day 1
1 nominates 3
2 nominates 9
vote 3: 1 2 4 5 7 8 9
vote 9: 3 6 10
night 1
shot: 1
day 2
night 2
shot: 5
{will}
day 3
"""
"""After night 2 four red and three black live: the vote of day 3 is critical."""
BLACK_IN_DAY_3 = "4 nominates 6\n6 nominates 9\nvote 6: 2 7 9 8\nvote 9: 4 6 10\n"
RED_IN_DAY_5 = """4 nominates 2
vote 2:
night 3
shot: miss
day 4
6 nominates 7
vote 7:
night 4
shot: miss
day 5
6 nominates 9
vote 9:
"""


@pytest.mark.parametrize(
    ("will", "black_won", "red_won"),
    [
        ("will 5: 9", "0.5", None),
        ("will 5: 8", "-0.5", "-1"),
        ("will 5: 5", "-0.5", "-1"),
        ("will 5: -", "-0.5", "-1"),
        ("", "-0.5", "-1"),
        ("will 5: forgotten", None, None),
    ],
)
def test_a_will_before_the_critical_circle(will: str, black_won: str | None, red_won: str | None) -> None:
    assert points(club(CRITICAL.format(will=will) + BLACK_IN_DAY_3), 5).get("will") == black_won
    assert points(club(CRITICAL.format(will=will) + RED_IN_DAY_5), 5).get("will") == red_won


NOT_CRITICAL = """
night 0
day 1
night 1
shot: 1
day 2
2 nominates 9
vote 9:
night 2
shot: 5
{first}
day 3
3 nominates 6
vote 6:
night 3
shot: 8
{second}
day 4
4 nominates 10
vote 10:
"""


def test_a_wrong_will_costs_nothing_where_the_next_circle_is_not_critical() -> None:
    reading = club(NOT_CRITICAL.format(first="will 5: 3", second="will 8: 3"))
    assert points(reading, 5).get("will") is None
    assert points(reading, 8).get("will") == "-0.5"


def test_a_black_one_named_is_worth_half_a_point_whatever_circle_comes() -> None:
    assert points(club(NOT_CRITICAL.format(first="will 5: 2", second="")), 5)["will"] == "0.5"


def test_the_first_killed_leaves_no_will() -> None:
    assert refused(lambda: black_wins(best="will 1: 9", scoring="club")).code == "no_will"
    assert points(club(CRITICAL.format(will="will 5: 9") + BLACK_IN_DAY_3), 1) == {"compensation": "1", "total": "1"}


def test_whoever_is_shot_in_the_night_that_decides_has_nothing_to_lose_by_the_will() -> None:
    reading = black_wins("will 6: 4", scoring="club")
    assert points(reading, 6).get("will") is None
    assert points(black_wins("will 6: 9", scoring="club"), 6)["will"] == "0.5"


def test_a_black_player_leaves_nothing_that_counts() -> None:
    shot_a_friend = CRITICAL.format(will="will 2: 9").replace("shot: 5", "shot: 2")
    reading = club(shot_a_friend + "4 nominates 5\nvote 5:\nnight 3\nshot: 8\nday 4\n4 nominates 6\nvote 6:\n")
    assert reading.game.state.outcome is not None
    assert points(reading, 2) == {"main": "3", "total": "3"}


# --- wrong votes

EIGHT_LIVE = """
night 0
day 1
1 nominates 3
2 nominates 9
vote 3: 1 2 4 5 7 8 9
vote 9: 3 6 10
night 1
shot: 1
day 2
"""
"""Five red and three black: one red player lost here and one tonight is parity."""
PARITY = "night 2\nshot: 10\n"


def wrong_votes(play: str) -> dict[int, str]:
    reading = club(play)
    assert reading.game.state.outcome is not None
    return {seat: row["wrong_vote"] for seat in range(1, 11) if "wrong_vote" in (row := points(reading, seat))}


def test_a_hand_after_the_decision_is_free_while_a_black_candidate_is_to_come() -> None:
    votes = "2 nominates 4\n4 nominates 6\n5 nominates 2\nvote 4: 2 7 9 5 8\nvote 6: 10\nvote 2: 4 6\n"
    assert wrong_votes(EIGHT_LIVE + votes + PARITY) == {5: "-1", 8: "-1"}


def test_so_is_a_hand_for_the_same_candidate() -> None:
    votes = "2 nominates 4\n4 nominates 2\nvote 4: 2 7 9 5 8 10\nvote 2: 4 6\n"
    assert wrong_votes(EIGHT_LIVE + votes + PARITY) == {5: "-1", 8: "-1"}


def test_it_is_not_free_where_the_black_candidate_was_before() -> None:
    votes = "2 nominates 9\n4 nominates 6\n5 nominates 4\nvote 9:\nvote 6: 2 7 9 5 8\nvote 4: 10 4 6\n"
    assert wrong_votes(EIGHT_LIVE + votes + PARITY) == {4: "-1", 5: "-1", 6: "-1", 8: "-1", 10: "-1"}


def test_a_leader_who_can_still_be_caught_has_not_decided_anything() -> None:
    votes = "2 nominates 4\n4 nominates 2\nvote 4: 2 7 9 5 8\nvote 2: 4 6 10\n"
    assert wrong_votes(EIGHT_LIVE + votes + PARITY) == {5: "-1", 8: "-1"}


def test_a_candidate_who_was_voted_on_before_catches_nobody_any_more() -> None:
    votes = "2 nominates 9\n4 nominates 4\n5 nominates 6\n6 nominates 2\n"
    hands = "vote 9: 6 10\nvote 4: 2 7 9 5\nvote 6: 8\nvote 2: 4\n"
    assert wrong_votes(EIGHT_LIVE + votes + hands + PARITY) == {5: "-1"}


def test_in_a_revote_among_red_players_one_who_was_against_a_black_one_before_is_free() -> None:
    votes = "2 nominates 4\n4 nominates 6\n5 nominates 2\nvote 4: 2 7 9\nvote 6: 4 5 8\nvote 2: 6 10\n"
    again = "vote 4: 2 7 9 6 10\nvote 6: 4 5 8\n"
    assert wrong_votes(EIGHT_LIVE + votes + again + PARITY) == {4: "-1", 5: "-1", 8: "-1"}


def test_in_a_revote_with_a_black_one_the_revote_alone_counts() -> None:
    votes = "2 nominates 4\n4 nominates 2\nvote 4: 2 7 9 5\nvote 2: 4 6 8 10\n"
    again = "vote 4: 2 7 9 8 10\nvote 2: 4 5 6\n"
    assert wrong_votes(EIGHT_LIVE + votes + again + PARITY) == {8: "-1", 10: "-1"}


def test_the_question_is_no_vote_against_anybody() -> None:
    votes = "2 nominates 4\n4 nominates 2\n" + "vote 4: 2 7 9 5\nvote 2: 4 6 8 10\n" * 2 + "raise: 6 8\n"
    later = "night 2\nshot: 10\nday 3\nnight 3\nshot: 8\n"
    assert wrong_votes(EIGHT_LIVE + votes + later) == {5: "-1"}


FOUR_LIVE = """
night 0
day 1
1 nominates 2
3 nominates 5
vote 2: 1 3 4 6 8 10
vote 5:
night 1
shot: 1
day 2
3 nominates 7
vote 7:
night 2
shot: 3
day 3
4 nominates 5
vote 5:
night 3
shot: 6
day 4
9 nominates 8
10 nominates 9
vote 8: 9 4 10
vote 9: 8
night 4
shot: 10
"""


def test_at_four_a_wrong_vote_costs_half() -> None:
    assert wrong_votes(FOUR_LIVE) == {4: "-0.5", 10: "-0.5"}


FIVE_LIVE = """
night 0
day 1
1 nominates 3
2 nominates 9
vote 3: 1 2 4 5 7 8 9
vote 9: 3 6 10
night 1
shot: 1
day 2
4 nominates 9
vote 9:
night 2
shot: 10
day 3
4 nominates 8
vote 8:
night 3
shot: miss
day 4
5 nominates 4
6 nominates 2
vote 4: 2 7 5
vote 2: 4 6
"""


def test_at_five_it_costs_one() -> None:
    assert wrong_votes(FIVE_LIVE) == {5: "-1"}


def test_only_the_last_vote_before_the_win_counts_and_only_where_the_mafia_wins() -> None:
    votes = "2 nominates 4\n4 nominates 2\nvote 4: 2 7 9 5 8\nvote 2: 4 6 10\n"
    later = "night 2\nshot: miss\nday 3\n5 nominates 9\n6 nominates 10\nvote 9: 5 6 8\nvote 10: 2 7 9 10\n"
    assert wrong_votes(EIGHT_LIVE + votes + later) == {10: "-1"}
    red_wins_instead = FOUR_LIVE.replace("vote 8: 9 4 10\nvote 9: 8", "vote 8: 9\nvote 9: 4 8 10")
    assert wrong_votes(red_wins_instead.partition("night 4")[0]) == {}


def test_a_vote_that_is_not_critical_costs_nothing() -> None:
    # Six red and two black vote on day 2; then nobody votes until black is level.
    reading = club(
        "\nnight 0\nday 1\n1 nominates 2\n3 nominates 5\nvote 2: 1 3 4 6 8 10\nvote 5:\nnight 1\nshot: 1\nday 2\n"
        "3 nominates 5\n4 nominates 7\nvote 5: 3 6 8 7 9\nvote 7: 4 5 10\nnight 2\nshot: 3\nday 3\nnight 3\nshot: 4\n"
        "day 4\nnight 4\nshot: 6\n"
    )
    assert reading.game.state.outcome is not None
    assert all("wrong_vote" not in points(reading, seat) for seat in range(1, 11))
