"""The settled readings of the rules page that concern fiim, by number."""

from decimal import Decimal

from controller.game import commands as cmd
from controller.game.roles import Role
from tests.game.bench import Table, five_left, four_left


def two_nominated() -> Table:
    return Table().dealt().nominates(1, 5).nominates(2, 8)


def three_tied() -> Table:
    game = Table().dealt().night(1).shoots(10).day(2)
    game.nominates(2, 8).nominates(3, 5).nominates(4, 1)
    return game.vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]})


def test_reading_1_three_tied_then_two_of_them_speak_and_are_voted_again_without_the_raise_question():
    game = three_tied()
    assert [game.word, game.next().word, game.next().word] == [(8, 30), (5, 30), (1, 30)]
    game.vote({8: [1, 2, 3, 4], 5: [5, 6, 7, 8], 1: [9]})
    assert [game.word, game.next().word] == [(8, 30), (5, 30)]
    assert game.next().candidates == (8, 5)
    game.vote({8: [1, 2, 3, 4], 5: []})
    assert game.leaves == [5]


def test_reading_1_only_the_same_set_tying_again_ends_it():
    game = three_tied().vote({8: [1, 2, 3, 4], 5: [5, 6, 7, 8], 1: [9]})
    assert not game.ballot().asked_to_raise
    game = three_tied().vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]})
    assert game.asked_to_raise
    assert game.raises(1, 2, 3, 4, 5).left[1:] == ["8 raised day 2", "5 raised day 2", "1 raised day 2"]


def test_reading_2_a_majority_is_more_than_half_of_the_living():
    for hands, leave in (((1, 2, 3, 4), []), ((1, 2, 3, 4, 5), [8, 5, 1])):  # of nine
        assert three_tied().vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]}).raises(*hands).leaves == leave


def test_reading_3_all_who_leave_by_one_vote_are_one_batch():
    """A black and a red of four leave together: 6 and 10 are left, and red has won."""
    game = four_left(no_raise_at_four=False).nominates(6, 4).nominates(9, 9)
    for _ in range(2):
        game.vote({4: [6, 9], 9: [4, 10]})
    game.raises(4, 6, 10)
    assert game.left[-2:] == ["4 raised day 4", "9 raised day 4"]
    assert game.outcome == "red no_black_left day 4"


def test_reading_3_each_removal_is_checked_at_once():
    game = Table().dealt().day(1)
    for seat in (2, 7):
        assert game.remove(seat).outcome is None
    assert game.remove(9).outcome == "red no_black_left day 1"
    assert game.stands == "over of day 1"
    game = Table().dealt().night(1)
    for seat in (1, 3, 4):
        assert game.remove(seat).outcome is None
    assert game.remove(5).outcome == "black parity night 1"
    assert game.stands == "over of night 1"


def test_reading_4_the_draw_counts_from_a_night_and_every_departure_resets_it():
    game = Table().dealt().night(1).shoots(1)
    assert game.over().outcome == "draw three_quiet_circles day 5"


def test_reading_4_three_misses_come_before_the_draw():
    """With four left, nights 4 to 6 are misses; the draw would have fallen due at the end of day 7."""
    assert four_left().over().outcome == "red three_misses night 6"


def test_reading_5_a_dead_don_and_sheriff_are_called_all_the_same_and_check_nothing():
    game = Table().dealt().nominates(1, 9).nominates(2, 5).vote({9: range(1, 11)}).night(1).shoots(4).next()
    assert game.legal.check is Role.DON
    refusal = game.refuses(cmd.Check(Role.DON, 4))
    assert (refusal.code, refusal.secret) == ("role_is_dead", True)
    assert not game.don_checks(None)
    assert game.state.nights[-1].checks == ()
    game.night(2).misses().next(2)
    assert game.legal.check is Role.SHERIFF
    assert game.refuses(cmd.Check(Role.SHERIFF, 2)).code == "role_is_dead"


def test_reading_5_a_sheriff_shot_tonight_still_checks_tonight():
    game = Table().dealt().night(1).shoots(4)
    assert game.sheriff_checks(7)
    game = Table().dealt().night(1).shoots(9)
    assert game.don_checks(4)


def test_reading_5_one_sent_off_tonight_checks_no_more():
    game = Table().dealt().night(1).shoots(4).remove(4).next(2)
    assert game.refuses(cmd.Check(Role.SHERIFF, 7)).code == "role_is_dead"


def test_reading_6_the_best_move_is_of_the_one_shot_in_night_1():
    game = Table().dealt().night(1).shoots(1).day(2)
    assert game.legal.best_move == 1
    assert game.refuses(cmd.BestMove(4, (2,))).code == "no_best_move"
    game.best(1, 9, 2, 7)
    row = game.state.best_move
    assert row is not None
    assert (row.seat, row.numbers) == (1, (9, 2, 7))
    assert game.refuses(cmd.BestMove(1, (2,))).code == "best_move_named"
    assert game.legal.best_move is None


def test_reading_6_none_to_three_numbers_distinct_and_at_the_table():
    game = Table().dealt().night(1).shoots(1).day(2)
    assert game.refuses(cmd.BestMove(1, (2, 7, 9, 3))).code == "too_many_numbers"
    assert game.refuses(cmd.BestMove(1, (2, 7, 2))).code == "number_twice"
    assert game.refuses(cmd.BestMove(1, (11,))).code == "no_such_seat"
    for numbers in ((), (2,), (2, 7), (1, 2, 7)):
        game.best(1, *numbers).undo()


def test_reading_6_in_the_last_word_and_not_after_it():
    game = Table().dealt().night(1).shoots(1)
    assert game.refuses(cmd.BestMove(1, (2,))).code == "no_best_move"
    assert game.morning(2).refuses(cmd.BestMove(1, (2,))).code == "not_last_word"
    assert game.day(2).next().refuses(cmd.BestMove(1, (2,))).code == "not_last_word"
    assert game.plays(cmd.Defeat(2)).refuses(cmd.BestMove(1, (2,))).code == "not_last_word"


def test_reading_6_after_a_miss_in_night_1_there_is_none():
    game = Table().dealt().night(2).shoots(1).day(3)
    assert game.word == (1, 60)
    assert game.refuses(cmd.BestMove(1, (2,))).code == "no_best_move"
    assert game.legal.best_move is None


def test_reading_6_one_who_was_voted_out_has_none():
    game = two_nominated().vote({5: range(1, 11)})
    assert game.refuses(cmd.BestMove(5, (2,))).code == "no_best_move"


def test_reading_6_one_sent_off_has_lost_it():
    game = Table().dealt().night(1).shoots(1).last_word().remove(1)
    assert game.refuses(cmd.BestMove(1, (2,))).code == "already_removed"


def test_reading_7_a_third_foul_in_the_own_minute_takes_the_next_one():
    game = Table().dealt().minute(3).foul(3, times=3)
    assert game.word == (3, 60)
    assert game.day(2).minute(3).word == (3, 0)
    assert game.day(3).minute(3).word == (3, 60)


def test_reading_8_two_removals_before_one_vote_take_that_one():
    game = two_nominated().minute(4).remove(3).remove(6).dusk()
    assert game.state.ballots == ()
    assert game.day(2).nominates(2, 5).vote({5: []}).leaves == [5]


def test_reading_8_also_one_at_night_and_one_by_day():
    game = Table().dealt().night(1).misses().remove(3).minute(4).remove(6).nominates(5, 8).dusk()
    assert game.state.ballots == ()
    assert game.day(3).nominates(4, 5).vote({5: []}).leaves == [5]


def test_reading_19_the_removal_uses_up_a_vote_that_would_not_have_been_held():
    """Nobody or one is nominated on day 1; the removal takes that day's vote and not the next."""
    for game in (Table().dealt().minute(4), Table().dealt().nominates(1, 5).minute(4)):
        game.remove(3)
        assert game.day(2).nominates(2, 5).vote({5: []}).leaves == [5]


def test_reading_19_one_shot_or_voted_stays_so_and_the_penalty_counts():
    game = Table().dealt().night(1).shoots(1).last_word().foul(1, times=4)
    assert game.left == ["1 shot night 1"]
    assert game.seat(1).disqualified == "fouled"
    game = two_nominated().vote({5: range(1, 11)}).remove(5)
    assert game.left == ["5 voted day 1"]
    assert game.seat(5).disqualified == "removed"


def decided() -> Table:
    """The vote has decided the game, and 9 has the last word."""
    return four_left().nominates(6, 9).nominates(9, 10).vote({9: [4, 6, 10]})


def test_reading_20_after_the_result_punishments_are_taken_and_change_nothing():
    for game in (decided(), decided().next()):
        before = game.state
        game.foul(4).plays(cmd.Warn(6)).remove(10).remove(9).foul(4, times=3)
        after = game.state
        assert game.outcome == "red no_black_left day 4"
        assert (after.outcome, after.departures, after.living) == (before.outcome, before.departures, before.living)
        assert [game.seat(seat).disqualified for seat in (4, 10, 9)] == ["fouled", "removed", "removed"]
        assert game.refuses(cmd.Foul(4)).code == "already_removed"
        assert game.refuses(cmd.Foul(5)).code == "has_left"


def test_reading_20_what_a_ballot_proposed_is_answered_after_the_result_too():
    game = four_left().nominates(6, 9).hands(9, "4@-0.9 6@0.5..0.6 10@0.5").over()
    early, pulled, _ = game.state.proposals
    game.plays(cmd.Give(early.id)).plays(cmd.Waive(pulled.id))
    assert [len(game.seat(seat).fouls) for seat in (4, 6)] == [1, 0]


def test_reading_20_points_protests_and_annulment_are_taken_after_the_game_and_only_then():
    after = (
        cmd.Award(4, Decimal("0.3")),
        cmd.Penalise(6, Decimal("-0.4"), "8.5.1"),
        cmd.Protest(9, "Голос"),
    )
    for command in after:
        assert decided().refuses(command).code == "not_over"
    game = decided().next()
    before = game.state
    for command in after:
        game.plays(command)
    assert (game.state.outcome, game.living) == (before.outcome, before.living)
    for again in (cmd.Award(4, Decimal("0.1")), cmd.Award(6, Decimal(0)), cmd.Penalise(6, Decimal("0.4"))):
        assert game.refuses(again).clause in ("8.4", "8.5")
    assert game.plays(cmd.Annul()).outcome == "None annulled day 4"
    assert game.refuses(cmd.Annul()).code == "annulled_already"


def test_reading_20_a_forgotten_best_move_is_taken_after_the_result_of_that_night():
    game = Table().dealt()
    for seat in (3, 4, 5):
        game.day(1).remove(seat)
    game.night(1).shoots(1).last_word()
    assert game.outcome == "black parity night 1"
    game.next()
    assert game.stands == "over of day 2"
    assert game.best(1, 2, 7).state.best_move is not None


def test_reading_20_nothing_is_played_any_more():
    game = decided().next()
    for command in (cmd.Next(), cmd.Nominate(4, 6), cmd.OpenWindow(), cmd.Shoot(missed=True), cmd.Deal(1, Role.DON)):
        assert game.refuses(command).code == "game_over"


def test_reading_21_a_fourth_foul_is_noted_as_a_disqualification():
    game = Table().dealt().day(1).foul(3, times=4)
    assert game.seat(3).disqualified == "fouled"
    assert game.remove(5).seat(5).disqualified == "removed"


def test_reading_22_after_withdrawing_the_speaker_may_nominate_once_more_in_that_minute():
    game = Table().dealt().nominates(1, 5).withdraws(1).nominates(1, 6)
    assert game.candidates == (6,)
    assert game.refuses(cmd.Nominate(1, 7)).code == "nominated_already"
    game.withdraws(1)
    assert game.candidates == ()
    assert game.refuses(cmd.Nominate(1, 7)).code == "nominated_already"


def test_reading_22_the_same_one_too_but_not_on_a_later_turn():
    game = Table().dealt().nominates(1, 5).withdraws(1).nominates(1, 5)
    assert game.candidates == (5,)
    game = Table().dealt().nominates(1, 5).withdraws(1).minute(2)
    assert game.refuses(cmd.Nominate(1, 6)).code == "not_own_minute"


def test_reading_22_the_next_speaker_has_the_own_nomination_whole():
    game = Table().dealt().nominates(1, 5).withdraws(1).nominates(2, 6)
    assert game.refuses(cmd.Nominate(2, 7)).code == "nominated_already"
    assert game.withdraws(2).nominates(2, 7).candidates == (7,)


def test_the_last_black_shoots_alone_and_may_shoot_himself():
    game = five_left().night(3).shots({9: [5]}).day(4)
    assert game.left[-1] == "5 shot night 3"
    game = five_left().night(3).shots({9: [9]}).day(4)
    assert game.left[-1] == "9 shot night 3"
    assert game.outcome == "red no_black_left night 3"
