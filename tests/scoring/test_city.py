"""The city's points: "Победа за любую команду" and what follows it."""

from controller.record import Reading, read
from tests.scoring.games import head, points, refused, total

TEN = "civilian mafia beauty sheriff doctor civilian mafia maniac don civilian"


def city(play: str, *after: str) -> Reading:
    return read(head("city", seats=TEN) + "\n" + play + "\n" + "\n".join(after) + "\n")


MANIAC_LOSES = "night 0\nday 1\ndefeat 8 d1\n"
BLACK_LOSES = "night 0\nday 1\ndefeat 2 d1\n"
RED_LOSES = "night 0\nday 1\ndefeat 1 d1\n"


def test_a_win_is_worth_two_and_a_half_for_any_team() -> None:
    assert {seat: total(city(BLACK_LOSES), seat) for seat in (1, 3, 2, 8)} == {1: "2.5", 3: "2.5", 2: "0", 8: "0"}
    assert {seat: total(city(RED_LOSES), seat) for seat in (1, 3, 2, 8)} == {1: "0", 3: "0", 2: "2.5", 8: "0"}


def test_the_maniac_pays_three_for_his_own_defeat_alone() -> None:
    assert {seat: total(city(MANIAC_LOSES), seat) for seat in (1, 2, 8)} == {1: "2.5", 2: "0", 8: "-3"}


def test_a_removed_player_has_one_point_whatever_else() -> None:
    reading = city("night 0\nday 1\nremove 1\nremove 2\ndefeat 7 d1\n", "penalty 2 -0.5")
    assert points(reading, 1) == {"main": "1", "total": "1"}
    assert points(reading, 2) == {"main": "1", "penalty": "-0.5", "total": "0.5"}
    assert refused(lambda: city("night 0\nday 1\nremove 1\ndefeat 7 d1\n", "award 1 1")).code == "award_to_removed"


def test_a_removal_that_loses_the_game_leaves_half_a_point() -> None:
    # The maniac, 1, 3 and 4 are gone, then 5 and 6: three black and one red, the last removal makes them win.
    reading = city("night 0\nday 1\nremove 8\nremove 1\nremove 3\nremove 4\n")
    assert str(reading.game.state.outcome and reading.game.state.outcome.winner) == "black"
    assert points(reading, 4) == {"main": "0.5", "total": "0.5"}
    assert points(reading, 3) == {"main": "1", "total": "1"}


def test_the_first_shot_have_half_a_point_by_mafia_or_maniac_but_not_the_guest() -> None:
    play = "night 0\nday 1\nnight 1\nkill: 3\nmaniac: 1\nbeauty: 10\nday 2\ndefeat 2 d1\n"
    reading = city(play)
    assert points(reading, 3) == {"main": "2.5", "compensation": "0.5", "total": "3"}
    assert points(reading, 1) == {"main": "2.5", "compensation": "0.5", "total": "3"}
    assert points(reading, 10) == {"main": "2.5", "total": "2.5"}


def test_the_first_shot_are_those_of_the_first_night() -> None:
    play = "night 0\nday 1\nnight 1\nkill: -\nday 2\nnight 2\nkill: 1\nday 3\ndefeat 2 d1\n"
    assert points(city(play), 1) == {"main": "2.5", "total": "2.5"}


def test_additional_points_go_by_quarters_up_to_five_and_down() -> None:
    assert total(city(BLACK_LOSES, "award 2 5"), 2) == "5"
    assert total(city(BLACK_LOSES, "award 1 0.25", "award 2 4.75", "award 3 2.5", "award 4 1"), 1) == "2.75"
    assert refused(lambda: city(BLACK_LOSES, "award 2 5.25")).code == "award_too_large"
    assert refused(lambda: city(BLACK_LOSES, "award 2 0.3")).code == "award_step"
    assert total(city(BLACK_LOSES, "penalty 2 -1.75"), 2) == "-1.75"
    assert refused(lambda: city(BLACK_LOSES, "penalty 2 -0.3")).code == "penalty_amount"
    assert refused(lambda: city(BLACK_LOSES, "penalty 2 -5.25")).code == "penalty_amount"
