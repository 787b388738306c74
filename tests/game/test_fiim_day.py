"""fiim 4.1 to 4.4: the deal, the acquaintance, the day and the vote, clause by clause."""

import pytest

from controller.game import RULESETS, new_game
from controller.game import commands as cmd
from controller.game.ballot import BallotKind
from controller.game.night import waking
from controller.game.roles import Role, Team
from controller.game.rules import Waking
from tests.game.bench import Table, four_left


def test_fiim_4_1_1_ten_players_sit_down():
    assert len(Table().state.seats) == 10
    for players in (9, 11):
        with pytest.raises(ValueError, match="10 to 10"):
            new_game(RULESETS["fiim"], players)


def test_fiim_4_1_2_night_is_announced_once_every_seat_has_a_card():
    game = Table()
    assert game.refuses(cmd.Next()).code == "cards_left"
    game.dealt().next()
    assert game.stands == "acquaintance of night 0"


def test_fiim_4_1_3_cards_are_drawn_from_a_deck_of_seven_red_and_three_black():
    game = Table().dealt()
    teams = [seat.role.team for seat in game.state.seats if seat.role is not None]
    assert (teams.count(Team.RED), teams.count(Team.BLACK)) == (7, 3)
    for role, seat in ((Role.DON, 1), (Role.SHERIFF, 2), (Role.MAFIA, 3), (Role.CIVILIAN, 7), (Role.MANIAC, 1)):
        assert game.refuses(cmd.Deal(seat, role)).code == "no_such_card_left"


def test_fiim_4_1_3_a_card_may_be_noted_again_until_the_night_falls():
    game = Table().plays(cmd.Deal(1, Role.DON)).plays(cmd.Deal(1, Role.MAFIA)).plays(cmd.Deal(2, Role.DON))
    assert (game.seat(1).role, game.seat(2).role) == (Role.MAFIA, Role.DON)
    game = Table().dealt().next()
    assert game.refuses(cmd.Deal(1, Role.CIVILIAN)).code == "deal_is_over"


def test_fiim_4_1_3_a_seat_that_is_not_at_the_table_draws_no_card():
    for seat in (0, 11, -1):
        assert Table().refuses(cmd.Deal(seat, Role.CIVILIAN)).code == "no_such_seat"


def acquaintance() -> list[tuple[Waking, int]]:
    game, calls = Table().dealt().next(), list[tuple[Waking, int]]()
    while (call := waking(game.state)) is not None:
        calls.append((call.step, call.seconds))
        game.next()
    return calls


def test_fiim_4_2_1_the_don_wakes_first_for_ten_seconds():
    assert acquaintance()[0] == (Waking.DON, 10)


def test_fiim_4_2_2_the_mafia_wake_for_one_minute():
    assert acquaintance()[1] == (Waking.MAFIA, 60)


def test_fiim_4_2_2_nobody_shoots_or_checks_in_the_first_night():
    game = Table().dealt().next()
    while game.calls is not None:
        for command in (cmd.Shoot(everybody_at=1), cmd.Check(Role.DON, 1), cmd.Check(Role.SHERIFF, 1)):
            assert game.refuses(command).not_now
        game.next()


def test_fiim_4_2_3_the_mafia_fall_asleep_before_the_sheriff_wakes():
    assert [step for step, _ in acquaintance()] == [Waking.DON, Waking.MAFIA, Waking.SHERIFF]


def test_fiim_4_2_4_the_sheriff_looks_round_for_twenty_seconds():
    assert acquaintance()[2] == (Waking.SHERIFF, 20)


def test_fiim_4_2_5_then_it_is_day_one():
    assert Table().dealt().morning(1).stands == "morning of day 1"


def test_fiim_4_3_1_everybody_has_a_minute_each_day():
    game = Table().dealt().dusk()
    assert game.speeches == [(seat, 60) for seat in range(1, 11)]
    assert game.day(2).dusk().speeches == [(seat, 60) for seat in (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)]


def test_fiim_4_3_2_they_speak_in_the_order_of_the_seats_from_seat_1():
    game = Table().dealt().day(1)
    order: list[int] = []
    while game.word is not None:
        order.append(game.word[0])
        game.next()
    assert order == list(range(1, 11))


def test_fiim_4_3_2_the_next_day_opens_with_the_one_after_yesterdays_opener():
    game = Table().dealt()
    for day in (1, 2, 3):
        assert game.day(day).word == (day, 60)


def test_fiim_4_3_2_the_opener_follows_yesterdays_opener_not_the_number_of_the_day():
    """Day 2 was opened by 3, since 2 was dead: day 3 is opened by the next living seat after 3."""
    game = Table().dealt().nominates(1, 2).nominates(2, 5).vote({2: [1, 3, 4, 5, 6, 8]})
    assert game.day(2).word == (3, 60)
    game.night(2).shoots(4).last_word(4).next()
    assert game.word == (5, 60)


def test_fiim_4_3_2_the_dead_opener_still_counts():
    """1 opened day 1 and was shot in the night: 2 opens day 2."""
    game = Table().dealt().night(1).shoots(1).day(2)
    assert game.next().word == (2, 60)


def test_fiim_4_3_2_after_the_last_seat_comes_the_first():
    game = Table().dealt(mafia=(1, 2), don=3)
    game.nominates(1, 4).nominates(2, 5).vote({4: [1, 2, 3, 6, 7, 8, 9, 10]}).night(1).shoots(10).day(2)
    assert game.next().word == (2, 60)
    order = game.dusk().speeches
    assert [seat for seat, _ in order if seat != 10] == [2, 3, 5, 6, 7, 8, 9, 1]


def test_fiim_4_4_1_the_vote_follows_the_discussion_and_is_on_the_nominated_alone():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).ballot()
    assert game.speeches[-1] == (10, 60)
    assert game.candidates == (5, 8)
    assert game.refuses(cmd.CountVote(3, ())).code == "not_a_candidate"


def test_fiim_4_4_1_no_nominee_no_vote():
    game = Table().dealt().dusk()
    assert game.state.ballots == ()
    assert game.stands == "dusk of day 1"
    assert game.refuses(cmd.OpenWindow()).code == "no_ballot"
    assert game.refuses(cmd.CountVote(5, ())).code == "no_ballot"


def test_fiim_4_4_2_a_player_nominates_in_the_own_minute_alone():
    game = Table().dealt().minute(2)
    assert game.refuses(cmd.Nominate(1, 5)).code == "not_own_minute"
    assert game.refuses(cmd.Nominate(3, 5)).code == "not_own_minute"
    game.nominates(2, 5).nominates(3, 6).ballot()
    assert game.refuses(cmd.Nominate(10, 7)).code == "not_own_minute"


def test_fiim_4_4_2_any_player_may_be_nominated_also_oneself_but_not_twice():
    game = Table().dealt().nominates(1, 1).minute(2)
    assert game.refuses(cmd.Nominate(2, 1)).code == "is_nominated"
    assert game.legal.nominate == (2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_fiim_4_4_2_the_dead_neither_nominate_nor_are_nominated():
    game = Table().dealt().nominates(1, 2).nominates(2, 5).vote({2: [1, 3, 4, 5, 6, 8]})
    game.day(2).minute(3)
    assert game.refuses(cmd.Nominate(3, 2)).code == "not_living"
    assert game.refuses(cmd.Nominate(2, 3)).code == "not_living"
    assert game.refuses(cmd.Nominate(3, 11)).code == "no_such_seat"
    assert game.refuses(cmd.Nominate(3, 0)).code == "no_such_seat"


def test_fiim_4_4_2_one_sent_off_in_the_own_minute_nominates_nobody():
    game = Table().dealt().minute(3).remove(3)
    assert game.refuses(cmd.Nominate(3, 5)).code == "not_living"
    assert game.legal.nominate == ()
    assert game.next().word == (4, 60)


def test_fiim_4_4_3_the_speaker_takes_back_the_own_nomination():
    game = Table().dealt().nominates(1, 5)
    assert game.legal.withdraw
    game.withdraws(1)
    assert game.candidates == ()
    assert game.refuses(cmd.Withdraw(1)).code == "nothing_to_withdraw"


def test_fiim_4_4_3_not_in_the_minute_of_another():
    game = Table().dealt().nominates(1, 5).minute(2)
    assert game.refuses(cmd.Withdraw(1)).code == "not_own_minute"
    assert game.refuses(cmd.Withdraw(2)).code == "nothing_to_withdraw"


def test_fiim_4_4_3_a_withdrawn_player_may_be_nominated_by_another_and_stands_in_that_place():
    game = Table().dealt().nominates(1, 5).withdraws(1).nominates(2, 6).nominates(3, 5)
    assert game.candidates == (6, 5)


def test_fiim_4_4_3_a_tournament_may_forbid_it():
    game = Table(withdrawal=False).dealt().nominates(1, 5)
    assert game.refuses(cmd.Withdraw(1)).code == "no_withdrawal"
    assert not game.legal.withdraw


def test_fiim_4_4_4_one_nomination_a_day():
    game = Table().dealt().nominates(1, 5)
    refusal = game.refuses(cmd.Nominate(1, 6))
    assert (refusal.code, refusal.clause) == ("nominated_already", "4.4.4")
    assert game.legal.nominate == ()
    game.dusk().day(2).nominates(2, 5).nominates(1, 6)
    assert game.candidates == (5, 6)


def test_fiim_4_4_5_candidates_are_called_in_the_order_of_nomination():
    game = Table().dealt().nominates(1, 8).nominates(2, 5).nominates(3, 1).ballot()
    assert game.candidates == (8, 5, 1)
    assert game.refuses(cmd.CountVote(5, ())).code == "out_of_order"
    game.plays(cmd.CountVote(8, ()))
    assert game.refuses(cmd.CountVote(8, ())).code == "out_of_order"
    assert game.refuses(cmd.CountVote(1, ())).code == "out_of_order"


def test_fiim_4_4_5_every_candidate_is_called_however_certain_the_result_is():
    game = Table().dealt().nominates(1, 8).nominates(2, 5).ballot()
    game.plays(cmd.CountVote(8, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)))
    assert game.refuses(cmd.Next()).code == "not_counted"
    game.plays(cmd.CountVote(5, ())).next()
    assert game.leaves == [8]


def test_fiim_4_4_6_the_window_is_two_seconds():
    assert RULESETS["fiim"].window == 2_000_000
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@0.1 2@2.0 3@2.000001")
    assert game.votes == {5: [1, 2]}
    assert game.late == {5: [3]}


def test_fiim_4_4_6_the_judge_may_say_stop_earlier_or_later():
    game = Table().dealt().nominates(1, 5).nominates(2, 8)
    game.hands(5, "1@1.5 2@1.7..2.0", closed=1.6).hands(8, "3@2.4", closed=2.5)
    assert game.votes == {5: [1], 8: [3]}


def test_fiim_4_4_7_a_hand_lifted_before_the_count_is_announced_is_no_foul():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@0.5..2.1", announced=3.0)
    assert game.votes == {5: [1]}
    assert game.proposed == []


def test_fiim_4_4_8_one_hand_in_one_vote():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).ballot().plays(cmd.CountVote(5, (1, 2)))
    refusal = game.refuses(cmd.CountVote(8, (3, 1)))
    assert (refusal.code, refusal.params["seat"], refusal.clause) == ("hand_given", 1, "4.4.8")
    assert game.refuses(cmd.CountVote(8, (3, 3))).code == "hand_twice"


def test_fiim_4_4_8_a_second_hand_that_a_sensor_saw_leaves_the_first_vote_as_it_is():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@0.5..2.5").hands(8, "1@0.5")
    assert game.votes == {5: [1], 8: []}
    assert game.proposed[0] == "1 several_candidates 6.6.7"


def test_fiim_4_4_9_a_hand_not_raised_falls_to_the_last_candidate():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).vote({5: [1, 2, 3], 8: [9]})
    assert game.assigned == {8: [4, 5, 6, 7, 8, 10]}
    assert game.leaves == [8]


def test_fiim_4_4_9_only_the_living_have_a_hand():
    game = Table().dealt().nominates(1, 2).nominates(2, 5).vote({2: [1, 3, 4, 5, 6, 8]})
    game.day(2).nominates(3, 5).nominates(4, 8).ballot()
    assert game.refuses(cmd.CountVote(5, (2,))).code == "not_living"
    assert game.refuses(cmd.CountVote(5, (11,))).code == "not_living"
    game.vote({5: [3]})
    assert game.assigned == {8: [1, 4, 5, 6, 7, 8, 9, 10]}


def test_fiim_4_4_10_a_hand_pulled_back_counts():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@0.5..1.0")
    assert game.votes == {5: [1]}
    assert game.proposed == ["1 hand_pulled 6.6.4"]


def test_fiim_4_4_11_one_candidate_on_the_first_day_is_not_voted_on():
    game = Table().dealt().nominates(1, 5).dusk()
    assert game.state.ballots == ()
    assert game.living == tuple(range(1, 11))


def test_fiim_4_4_11_two_of_whom_one_was_withdrawn_are_one():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).withdraws(2).dusk()
    assert game.state.ballots == ()


def test_fiim_4_4_11_one_candidate_on_a_later_day_is_voted_on_and_leaves():
    game = Table().dealt().day(2).nominates(2, 5).vote({5: []})
    assert game.assigned == {5: list(range(1, 11))}
    assert game.leaves == [5]


def test_fiim_4_4_12_the_one_with_most_votes_leaves():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).nominates(3, 10)
    game.vote({5: [1, 2, 3], 8: [4, 5, 6, 7], 10: [8, 9, 10]})
    assert game.leaves == [8]
    assert game.left == ["8 voted day 1"]
    assert game.word == (8, 60)


def tied() -> Table:
    game = Table().dealt().nominates(1, 8).nominates(2, 5).nominates(3, 1)
    return game.vote({8: [1, 2, 3, 4], 5: [5, 6, 7, 9], 1: [8, 10]})


def test_fiim_4_4_13_the_tied_speak_thirty_seconds_in_the_order_of_nomination():
    game = tied()
    assert game.leaves == []
    assert game.word == (8, 30)
    assert game.next().word == (5, 30)
    assert game.next().state.ballot is not None
    assert game.candidates == (8, 5)


def test_fiim_4_4_13_the_revote_is_among_the_tied_and_its_winner_leaves():
    game = tied().ballot()
    assert game.refuses(cmd.CountVote(1, ())).code == "not_a_candidate"
    game.vote({8: [1, 2, 3], 5: [4]})
    assert game.assigned == {5: [5, 6, 7, 8, 9, 10]}
    assert game.row.kind is BallotKind.REVOTE
    assert game.leaves == [5]


def test_fiim_4_4_13_the_same_tie_again_puts_the_raise_question():
    game = tied().vote({8: [1, 2, 3, 4, 10], 5: [5, 6, 7, 8, 9]})
    assert game.asked_to_raise
    assert game.candidates == (0,)
    game.raises(1, 2, 3, 4, 10, 9)
    assert game.leaves == [8, 5]
    assert game.left == ["8 raised day 1", "5 raised day 1"]
    assert game.word == (8, 60)
    assert game.next().word == (5, 60)
    assert game.next().stands == "dusk of day 1"


def test_fiim_4_4_13_half_of_the_table_is_no_majority_and_they_stay():
    game = tied().vote({8: [1, 2, 3, 4, 10], 5: [5, 6, 7, 8, 9]}).raises(1, 2, 3, 4, 10)
    assert game.leaves == []
    assert game.living == tuple(range(1, 11))
    assert game.stands == "dusk of day 1"


def test_fiim_4_4_13_a_hand_not_raised_in_the_raise_question_is_against():
    game = tied().vote({8: [1, 2, 3, 4, 10], 5: [5, 6, 7, 8, 9]}).hands(0, "1@0.5 2@0.5 3@0.4")
    assert game.votes == {0: [3, 1, 2]}
    assert game.assigned == {}
    assert game.proposed == []
    assert game.next().leaves == []


def test_fiim_4_4_13_no_candidate_is_voted_on_in_the_raise_question():
    game = tied().vote({8: [1, 2, 3, 4, 10], 5: [5, 6, 7, 8, 9]})
    assert game.refuses(cmd.CountVote(8, ())).code == "other_question"
    game = Table().dealt().nominates(1, 8).nominates(2, 5).ballot()
    assert game.refuses(cmd.CountVote(0, ())).code == "other_question"


def test_fiim_4_4_14_whoever_leaves_by_the_vote_has_a_last_minute():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)})
    assert game.word == (5, 60)
    assert game.next().stands == "dusk of day 1"


def test_fiim_4_4_14_also_with_three_fouls():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).ballot().foul(5, times=3).vote({5: range(1, 11)})
    assert game.word == (5, 60)


def test_fiim_4_4_14_the_dead_have_no_minute_in_the_discussion():
    game = four_left().dusk()
    assert game.speeches == [(5, 60), (6, 60), (9, 60), (10, 60), (4, 60)]
