"""fiim 7: removals and the vote, special cases of speech and vote, draws, misses, the last word; clause by clause."""

import pytest

from controller.game import commands as cmd
from tests.game.bench import Table, five_left, four_left


def two_nominated() -> Table:
    return Table().dealt().nominates(1, 5).nominates(2, 8)


def test_fiim_7_1_a_removal_in_the_discussion_takes_the_days_vote():
    for send_off in (lambda game: game.foul(3, times=4), lambda game: game.remove(3)):
        game = two_nominated().minute(4)
        send_off(game)
        game.dusk()
        assert game.state.ballots == ()
        assert game.stands == "dusk of day 1"
        game.day(2).nominates(2, 5).vote({5: []})
        assert game.leaves == [5]


def test_fiim_7_1_a_removal_in_the_vote_ends_it():
    game = two_nominated().ballot().plays(cmd.CountVote(5, (1, 2, 3))).remove(3)
    assert game.stands == "dusk of day 1"
    assert game.state.ballot is None
    assert game.left == ["3 removed day 1"]
    assert game.refuses(cmd.CountVote(8, ())).not_now


def test_fiim_7_1_also_while_a_window_is_open():
    game = two_nominated().ballot().plays(cmd.OpenWindow()).foul(3, times=4)
    assert game.stands == "dusk of day 1"
    assert game.state.ballot is None


def test_fiim_7_1_also_in_the_speeches_before_a_revote():
    game = two_nominated().vote({5: [1, 2, 3, 4, 6], 8: []}).revote().remove(5)
    assert game.stands == "dusk of day 1"
    assert [row.leaves for row in game.state.ballots] == [()]


def test_fiim_7_1_also_in_the_raise_question():
    game = two_nominated()
    for _ in range(2):
        game.vote({5: [1, 2, 3, 4, 6]})
    assert game.asked_to_raise
    assert game.remove(1).stands == "dusk of day 1"
    assert game.living == (2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_fiim_7_1_a_removal_at_night_takes_the_next_days_vote():
    for night in (0, 1):
        game = Table().dealt().night(night)
        if night:
            game.misses()
        game.remove(3)
        assert game.left == [f"3 removed night {night}"]
        game.day(night + 1).nominates(4, 5).nominates(6, 8).dusk()
        assert game.state.ballots == ()


def test_fiim_7_1_a_removal_in_the_morning_takes_the_days_vote():
    game = Table().dealt().night(1).shoots(1).morning(2).remove(3).nominates(4, 5).dusk()
    assert game.state.ballots == ()


def test_fiim_7_1_a_removal_in_anothers_last_word_in_the_morning_takes_the_days_vote():
    game = Table().dealt().night(1).shoots(1).last_word(1).remove(3).nominates(4, 5).dusk()
    assert game.state.ballots == ()


def test_fiim_7_1_except_one_shot_in_that_night():
    at_night = Table().dealt().night(1).shoots(1).remove(1)
    in_the_morning = Table().dealt().night(1).shoots(1).morning(2).foul(1, times=4)
    in_the_last_word = Table().dealt().night(1).shoots(1).last_word(1).remove(1)
    for game in (at_night, in_the_morning, in_the_last_word):
        game.nominates(4, 5).vote({5: []})
        assert game.left == ["1 shot night 1", "5 voted day 2"]
        assert game.seat(1).disqualified is not None


def test_fiim_7_1_one_sent_off_before_being_shot_at_was_not_shot():
    """The removal comes first: it takes the vote, and the shots at the empty seat are a miss."""
    game = Table().dealt().night(1).remove(1).shoots(1).day(2).nominates(4, 5).dusk()
    assert game.left == ["1 removed night 1"]
    assert game.state.ballots == ()


def test_fiim_7_1_except_one_who_is_leaving_by_the_vote():
    game = two_nominated().vote({5: range(1, 11)}).remove(5).day(2).nominates(2, 8).vote({8: []})
    assert game.left == ["5 voted day 1", "8 voted day 2"]


def test_fiim_7_1_the_one_sent_off_when_all_is_counted_was_voted_out_first():
    """Judge apps lost this: the removal came in the vote, and the other was voted out all the same."""
    game = two_nominated().count({5: range(1, 11)}).remove(5)
    assert game.left == ["5 voted day 1"]
    assert game.seat(5).disqualified == "removed"
    game.day(2).nominates(2, 8).vote({8: []})
    assert game.leaves == [8]


def test_fiim_7_2_a_removal_after_the_result_takes_the_next_vote():
    game = two_nominated().vote({5: range(1, 11)}).remove(3)
    assert game.left == ["5 voted day 1", "3 removed day 1"]
    assert game.word == (5, 60)
    game.day(2).nominates(2, 8).dusk()
    assert len(game.state.ballots) == 1
    game.day(3).nominates(4, 8).vote({8: []})
    assert game.leaves == [8]


def test_fiim_7_2_the_result_is_determined_once_every_hand_is_counted():
    game = two_nominated().count({5: range(1, 11)}).foul(3, times=4)
    assert game.left == ["5 voted day 1", "3 fouled day 1"]
    assert game.leaves == [5]
    assert game.day(2).nominates(2, 8).dusk().state.ballots[1:] == ()


def test_fiim_7_2_a_tie_is_no_result_yet():
    """All is counted and 5 and 8 are tied: the vote goes on, so it is the current one that is not held."""
    game = two_nominated().count({5: [1, 2, 3, 4, 6]}).remove(3)
    assert game.stands == "dusk of day 1"
    assert game.left == ["3 removed day 1"]
    assert game.day(2).nominates(2, 8).vote({8: []}).leaves == [8]


def test_fiim_7_2_nobody_leaving_is_a_result_too():
    game = two_nominated()
    for _ in range(2):
        game.vote({5: [1, 2, 3, 4, 6]})
    game.raises().remove(3)
    assert game.left == ["3 removed day 1"]
    game.day(2).nominates(2, 8).dusk()
    assert len(game.state.ballots) == 3


def test_fiim_7_5_with_three_fouls_one_speaks_before_a_revote():
    game = two_nominated().ballot().foul(5, times=3).vote({5: [1, 2, 3, 4, 6]})
    assert game.word == (5, 30)
    assert game.vote({5: [], 8: []}).day(2).minute(5).word == (5, 0)


@pytest.mark.parametrize("option", [True, False])
def test_fiim_7_6_two_of_four_tied_twice_are_not_asked_about(option: bool):
    game = four_left(no_raise_at_four=option).nominates(6, 9).nominates(9, 10)
    for _ in range(2):
        game.vote({9: [4, 6], 10: [9, 10]})
    if option:
        assert game.stands == "dusk of day 4"
        assert game.living == (4, 6, 9, 10)
    else:
        assert game.asked_to_raise
        assert game.raises(4, 6, 10).outcome == "red no_black_left day 4"
        assert game.left[-2:] == ["9 raised day 4", "10 raised day 4"]


def test_fiim_7_6_with_six_the_question_is_put():
    game = Table().dealt().night(1).shoots(1).day(2).nominates(2, 3).vote({3: []})
    game.night(2).shoots(2).day(3).nominates(4, 8).vote({8: []}).night(3).misses().day(4)
    assert game.living == (4, 5, 6, 7, 9, 10)
    game.nominates(5, 9).nominates(6, 10)
    for _ in range(2):
        game.vote({9: [4, 5, 6], 10: [7, 9, 10]})
    assert game.asked_to_raise


def test_fiim_7_7_with_three_or_four_at_the_table_it_is_thirty_seconds():
    game = four_left().foul(10, times=3).minute(10)
    assert game.word == (10, 30)
    assert game.day(5).minute(10).word == (10, 60)


def test_fiim_7_7_what_counts_is_how_many_live_when_the_minute_comes():
    """Third foul with five at the table; at the next minute there are four."""
    game = five_left().foul(10, times=3)
    assert game.night(3).shoots(5).minute(10).word == (10, 30)


def test_fiim_7_7_with_five_it_is_silence():
    assert five_left().foul(10, times=3).night(3).misses().minute(10).word == (10, 0)


def test_fiim_7_8_three_misses_in_a_row_with_four_left_are_a_red_win():
    game = four_left()
    for night in (4, 5, 6):
        assert game.outcome is None
        game.night(night).misses()
    assert game.until(lambda state: state.outcome is not None).outcome == "red three_misses night 6"
    assert game.stands == "over of night 6"


def test_fiim_7_8_not_with_more_than_four():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)})
    for night in (1, 2, 3):
        game.night(night).misses()
    assert game.morning(4).outcome is None


def test_fiim_7_8_not_when_they_became_four_meanwhile():
    """A miss with five, then two with four: the third miss with four is a night later."""
    game = five_left().night(3).misses().day(4).nominates(6, 5).vote({5: []})
    for night in (4, 5):
        game.night(night).misses()
    assert game.day(6).outcome is None
    game.night(6).misses()
    assert game.over().outcome == "red three_misses night 6"


def test_fiim_7_8_not_when_they_became_four_in_the_first_of_the_three_nights():
    game = five_left().night(3).misses().remove(5)
    for night in (4, 5):
        game.night(night).misses()
    assert game.day(6).outcome is None


def test_fiim_7_8_with_three_it_is_a_draw_by_7_9():
    game = five_left().remove(4).remove(5)
    assert game.living == (6, 9, 10)
    assert game.over().outcome == "draw three_quiet_circles day 6"


def test_fiim_7_8_a_kill_that_found_an_empty_seat_is_a_miss():
    game = four_left()
    for night in (4, 5, 6):
        game.night(night).shoots(1)
    assert game.over().outcome == "red three_misses night 6"


def test_fiim_7_9_three_nights_and_days_with_nobody_leaving_are_a_draw():
    game = Table().dealt().dusk()
    for day in (2, 3, 4):
        game.next().misses().dusk()
        assert game.stands == f"dusk of day {day}"
        assert game.outcome is None
    assert game.next().outcome == "draw three_quiet_circles day 4"


def test_fiim_7_9_it_begins_with_a_night():
    """1 left on day 1: nights 1 to 3 and days 2 to 4 are the circles all the same."""
    game = Table().dealt().nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)})
    assert game.over().outcome == "draw three_quiet_circles day 4"


def test_fiim_7_9_somebody_shot_begins_the_count_anew():
    game = Table().dealt().night(2).shoots(1)
    assert game.over().outcome == "draw three_quiet_circles day 6"


def test_fiim_7_9_so_does_a_removal():
    game = Table().dealt().day(3).remove(1)
    assert game.over().outcome == "draw three_quiet_circles day 6"


def test_fiim_7_9_also_at_the_last_dusk():
    game = Table().dealt().day(4).dusk().remove(1)
    assert game.next().stands == "night of night 4"


def test_fiim_7_10_all_at_the_table_are_not_asked_about():
    """Four live and all four are tied twice; with the geographic rule off the question is still not put."""
    game = four_left(no_raise_at_four=False)
    game.nominates(6, 9).nominates(9, 6).nominates(10, 4).nominates(4, 10)
    for _ in range(2):
        game.vote({9: [4], 6: [6], 4: [9], 10: [10]})
    assert game.stands == "dusk of day 4"
    assert game.living == (4, 6, 9, 10)


def test_fiim_7_11_geographic_rules_are_the_tournaments_own():
    game = four_left(withdrawal=False, no_raise_at_four=True).nominates(6, 9)
    assert game.refuses(cmd.Withdraw(6)).code == "no_withdrawal"
    game = four_left(withdrawal=True, no_raise_at_four=False).nominates(6, 9)
    assert game.legal.withdraw


def test_fiim_7_12_the_last_word_is_always_a_minute():
    game = Table().dealt().night(1).foul(1, times=3).shoots(1).day(2)
    assert game.word == (1, 60)


def test_fiim_7_12_a_removal_in_the_last_word_after_the_deciding_vote_changes_nothing():
    """Red have won by the vote; three red removed in the last word would have given black the game."""
    game = four_left().nominates(6, 9).nominates(9, 10).vote({9: [4, 6, 10]})
    assert game.word == (9, 60)
    for seat in (4, 6, 10):
        game.remove(seat)
    assert game.next().stands == "over of day 4"
    assert game.outcome == "red no_black_left day 4"
    assert game.living == (4, 6, 10)
    assert [game.seat(seat).disqualified for seat in (4, 6, 10)] == ["removed"] * 3


def test_fiim_7_12_a_removal_that_comes_when_all_is_counted_comes_after_the_result():
    game = four_left().nominates(6, 9).nominates(9, 10).count({9: [4, 6, 10]}).remove(4)
    assert game.outcome == "red no_black_left day 4"
    assert game.word == (9, 60)
    assert game.living == (4, 6, 10)


def test_fiim_7_12_a_removal_in_a_last_word_that_decided_nothing_may_decide():
    game = five_left()
    assert game.word == (8, 60)
    assert game.remove(4).remove(5).outcome is None
    assert game.remove(6).outcome == "black parity day 3"
    assert game.word == (8, 60)
    assert game.remove(9).next().stands == "over of day 3"
    assert game.outcome == "black parity day 3"


def test_fiim_7_12_the_game_is_over_in_the_morning_when_the_one_who_had_the_word_is_sent_off():
    """The shot has decided the game; the removal takes the last word, and no discussion follows."""
    game = five_left().remove(5).remove(6).night(3).shoots(10).morning(4)
    assert game.outcome == "black parity night 3"
    assert game.remove(10).next().stands == "over of day 4"


def test_fiim_7_1_of_a_tie_that_a_removal_cuts_off_nobody_speaks():
    for seat in (5, 3):
        game = two_nominated().count({5: [1, 2, 3, 4, 6]}).remove(seat)
        assert game.stands == "dusk of day 1"
        assert [row.kind for row in game.state.speeches if row.kind != "minute"] == []
        assert [row.leaves for row in game.state.ballots] == [()]
