"""ukraine 1 and 4 to 7: the deal, the day, the vote, the night, violations, removals; clause by clause."""

import pytest

from controller.game import RULESETS, new_game
from controller.game import commands as cmd
from controller.game.ballot import BallotKind, Offence
from controller.game.night import waking
from controller.game.roles import Role, Team
from controller.game.rules import Penalty, Waking
from tests.game.bench import Table, five_left, four_left

RULES = RULESETS["ukraine"]
WARNINGS = tuple(f"5.1.{number}" for number in range(1, 12))
AS_VOTED = ("5.1.12", "5.1.13", "5.1.14")


def ukraine() -> Table:
    return Table("ukraine").dealt()


def two_nominated() -> Table:
    return ukraine().nominates(1, 5).nominates(2, 8)


def tied() -> Table:
    """8, 5 and 1 stand; 8 and 5 are level."""
    game = ukraine().nominates(1, 8).nominates(2, 5).nominates(3, 1)
    return game.vote({8: [1, 2, 3, 4], 5: [5, 6, 7, 9], 1: [8, 10]})


def penalty(clause: str) -> Penalty:
    rule = RULES.violation(clause)
    assert rule is not None, clause
    return rule.penalty


# --- 1 and 4.1 to 4.2: the deal and the first night


def test_ukraine_1_1_ten_players_seven_red_and_three_black_with_one_sheriff_and_one_don():
    game = ukraine()
    cards = [seat.role for seat in game.state.seats]
    assert [cards.count(role) for role in (Role.CIVILIAN, Role.SHERIFF, Role.MAFIA, Role.DON)] == [6, 1, 2, 1]
    assert sum(1 for role in cards if role is not None and role.team is Team.RED) == 7
    for players in (9, 11):
        with pytest.raises(ValueError, match="10 to 10"):
            new_game(RULES, players)


def test_ukraine_1_3_night_and_day_take_turns():
    game, seen = ukraine().next(), list[str]()
    for number in (1, 2):
        game.day(number)
        seen.append(str(game.state.at))
        game.night(number)
        seen.append(str(game.state.at))
    assert seen == ["day 1", "night 1", "day 2", "night 2"]


def test_ukraine_1_4_red_wins_when_no_black_lives():
    game = ukraine().day(1)
    for seat in (2, 7, 9):
        assert game.outcome is None
        game.remove(seat, "5.1.15")
    assert game.outcome == "red no_black_left day 1"


def test_ukraine_1_4_black_wins_when_as_many_of_both_are_left():
    game = ukraine().day(1)
    for seat in (1, 3, 4):
        game.remove(seat, "5.1.15")
    assert game.outcome is None
    assert game.remove(5, "5.1.15").outcome == "black parity day 1"


def test_ukraine_4_1_1_ten_are_invited():
    assert len(Table("ukraine").state.seats) == 10


def test_ukraine_4_1_2_night_falls_once_every_seat_has_a_card():
    game = Table("ukraine")
    assert game.refuses(cmd.Next()).code == "cards_left"
    assert game.dealt().next().stands == "acquaintance of night 0"


def test_ukraine_4_1_3_cards_are_drawn_in_turn():
    game = ukraine()
    assert game.refuses(cmd.Deal(1, Role.DON)).code == "no_such_card_left"
    assert game.next().refuses(cmd.Deal(1, Role.CIVILIAN)).code == "deal_is_over"


def acquaintance() -> list[tuple[Waking, int]]:
    game, calls = ukraine().next(), list[tuple[Waking, int]]()
    while (call := waking(game.state)) is not None:
        calls.append((call.step, call.seconds))
        game.next()
    return calls


def test_ukraine_4_2_1_the_mafia_wake_first_for_exactly_a_minute():
    assert acquaintance()[0] == (Waking.MAFIA, 60)


def test_ukraine_4_2_2_then_they_sleep_and_wake_together_no_more():
    game = ukraine().night(1)
    assert game.calls is Waking.SHOOTING
    assert [step for step, _ in acquaintance()].count(Waking.MAFIA) == 1


def test_ukraine_4_2_3_the_don_shows_himself_and_checks_nobody():
    assert acquaintance()[1] == (Waking.DON, 0)
    game = ukraine().next(2)
    assert game.refuses(cmd.Check(Role.DON, 4)).not_now


def test_ukraine_4_2_4_the_sheriff_shows_himself_and_checks_nobody():
    assert acquaintance()[2] == (Waking.SHERIFF, 0)
    game = ukraine().next(3)
    assert game.refuses(cmd.Check(Role.SHERIFF, 2)).not_now


def test_ukraine_4_2_5_then_it_is_day_one():
    assert ukraine().morning(1).stands == "morning of day 1"
    assert len(acquaintance()) == 3


# --- 4.3: the day


def test_ukraine_4_3_1_everybody_has_a_minute():
    assert ukraine().dusk().speeches == [(seat, 60) for seat in range(1, 11)]


def test_ukraine_4_3_2_seat_1_opens_day_1_and_the_next_number_every_next_day():
    game = ukraine()
    for day in (1, 2, 3):
        assert game.day(day).word == (day, 60)
    game = ukraine().nominates(1, 2).nominates(2, 5).vote({2: range(1, 11)})
    assert game.day(2).word == (3, 60)
    assert game.day(3).word == (4, 60)


# --- 4.4: the vote


def test_ukraine_4_4_1_the_vote_is_on_the_nominated_alone():
    game = two_nominated().ballot()
    assert game.candidates == (5, 8)
    assert ukraine().dusk().state.ballots == ()


def test_ukraine_4_4_2_a_player_nominates_in_the_own_minute():
    game = ukraine().minute(2)
    assert game.refuses(cmd.Nominate(1, 5)).code == "not_own_minute"
    assert game.nominates(2, 5).candidates == (5,)
    assert game.minute(3).refuses(cmd.Nominate(3, 5)).code == "is_nominated"


def test_ukraine_4_4_3_a_nomination_is_never_taken_back():
    game = ukraine().nominates(1, 5)
    refusal = game.refuses(cmd.Withdraw(1))
    assert (refusal.code, refusal.clause) == ("no_withdrawal", "4.4.3")
    assert not game.legal.withdraw


def test_ukraine_4_4_4_one_nomination_a_day():
    game = ukraine().nominates(1, 5)
    assert game.refuses(cmd.Nominate(1, 6)).code == "nominated_already"
    assert game.day(2).nominates(1, 6).candidates == (6,)


def test_ukraine_4_4_5_every_candidate_has_twenty_seconds_before_the_vote_in_order_of_nomination():
    game = ukraine().nominates(1, 8).nominates(2, 5).minute(10).next()
    assert game.word == (8, 20)
    assert game.next().word == (5, 20)
    assert game.next().stands == "voting of day 1"
    assert [row.kind for row in game.state.speeches[-2:]] == ["defence", "defence"]


def test_ukraine_4_4_5_nobody_is_nominated_in_those_seconds():
    game = ukraine().nominates(1, 8).nominates(2, 5).minute(10).next()
    assert game.refuses(cmd.Nominate(8, 1)).code == "not_own_minute"


def test_ukraine_4_4_6_candidates_are_called_in_the_order_of_nomination():
    game = ukraine().nominates(1, 8).nominates(2, 5).ballot()
    assert game.candidates == (8, 5)
    assert game.refuses(cmd.CountVote(5, ())).code == "out_of_order"


def test_ukraine_4_4_7_two_seconds_and_with_the_word_is_too_late():
    game = two_nominated().hands(5, "1@1.999999 2@2.0..2.4 3@2.1..2.5")
    assert game.votes == {5: [1]}
    assert game.late == {5: [2, 3]}
    game.hands(8, "4@0.5")
    assert game.assigned == {8: [2, 3, 5, 6, 7, 8, 9, 10]}


def test_ukraine_4_4_7_also_where_the_judge_thanks_earlier():
    game = two_nominated().hands(5, "1@1.4 2@1.5", closed=1.5)
    assert game.votes == {5: [1]}


def test_ukraine_4_4_7_the_same_hand_is_a_vote_in_fiim():
    assert Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "2@2.0").votes == {5: [2]}


def test_ukraine_4_4_8_a_hand_lifted_after_the_word_and_before_the_count_is_noted_alone():
    game = two_nominated().hands(5, "1@0.5..2.5", announced=3.0)
    assert game.votes == {5: [1]}
    assert game.proposed == []


def test_ukraine_4_4_9_one_candidate_alone():
    game = two_nominated().ballot().plays(cmd.CountVote(5, (1,)))
    assert game.refuses(cmd.CountVote(8, (1,))).code == "hand_given"
    game = two_nominated().hands(5, "1@0.5..2.5").hands(8, "1@0.5")
    assert game.votes == {5: [1], 8: []}
    assert game.proposed == []


def test_ukraine_4_4_10_a_hand_not_raised_falls_to_the_last():
    game = two_nominated().hands(5, "1@0.5").hands(8, "9@0.5")
    assert game.assigned == {8: [2, 3, 4, 5, 6, 7, 8, 10]}
    assert game.proposed == []
    assert game.next().leaves == [8]


def test_ukraine_4_4_11_a_hand_pulled_back_counts():
    game = two_nominated().hands(5, "1@0.5..1.0")
    assert game.votes == {5: [1]}
    assert game.proposed == ["1 hand_pulled 5.1.7"]


def test_ukraine_4_4_12_one_candidate_on_day_1_is_not_voted_on():
    game = ukraine().nominates(1, 5).dusk()
    assert game.stands == "dusk of day 1"
    assert (game.state.ballots, game.left) == ((), [])


def test_ukraine_4_4_12_one_candidate_later_leaves_as_by_a_unanimous_vote():
    game = ukraine().day(2).nominates(2, 5).minute(1).next()
    assert game.left == ["5 voted day 2"]
    assert game.word == (5, 60)
    assert game.state.ballots == ()
    assert game.next().stands == "dusk of day 2"


def test_ukraine_4_4_12_and_it_may_decide_the_game():
    game = four_left(ruleset="ukraine").nominates(6, 9).minute(4).next()
    assert game.outcome == "red no_black_left day 4"
    assert game.word == (9, 60)
    assert game.next().stands == "over of day 4"


def test_ukraine_4_4_13_the_one_with_most_votes_leaves():
    game = two_nominated().vote({5: range(1, 8)})
    assert game.left == ["5 voted day 1"]


def test_ukraine_4_4_14_the_tied_have_twenty_seconds_and_are_voted_on_again():
    game = tied()
    assert game.word == (8, 20)
    assert game.next().word == (5, 20)
    assert game.next().candidates == (8, 5)
    game.vote({8: [1, 2, 3, 4, 6, 7], 5: []})
    assert game.row.kind is BallotKind.REVOTE
    assert game.left == ["8 voted day 1"]


def test_ukraine_4_4_14_level_again_they_stay_and_nobody_is_asked():
    game = tied().vote({8: [1, 2, 3, 4, 10], 5: [5, 6, 7, 8, 9]})
    assert game.stands == "dusk of day 1"
    assert game.left == []
    assert [row.kind for row in game.state.ballots] == [BallotKind.BALLOT, BallotKind.REVOTE]


def test_ukraine_4_4_14_two_of_three_are_voted_again():
    game = ukraine().nominates(1, 8).nominates(2, 5).nominates(3, 1).remove(10, "5.1.15")
    game.vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]})
    game.vote({8: [1, 2, 3, 4], 5: [5, 6, 7, 8], 1: [9]})
    assert game.word == (8, 20)
    assert game.vote({8: [1, 2, 3, 4, 6], 5: []}).left[-1] == "8 voted day 1"


def test_ukraine_4_4_14_the_revote_has_no_defence_before_it():
    game = tied().ballot()
    assert [row.kind for row in game.state.speeches if row.kind != "minute"] == ["defence"] * 3 + ["revote"] * 2


def test_ukraine_4_4_15_whoever_leaves_by_the_vote_has_a_last_minute():
    assert two_nominated().vote({5: range(1, 11)}).word == (5, 60)


# --- 4.5: the night


def test_ukraine_4_5_1_night_falls_after_the_day():
    assert ukraine().dusk().next().stands == "night of night 1"


def test_ukraine_4_5_2_from_then_on_the_mafia_can_shoot():
    game = ukraine().night(1).shoots(1).night(2).shoots(3).day(3)
    assert game.left == ["1 shot night 1", "3 shot night 2"]
    assert ukraine().next().refuses(cmd.Shoot(everybody_at=1)).not_now


def test_ukraine_4_5_3_black_players_shoot_and_nobody_else():
    game = ukraine().night(1)
    assert game.refuses(cmd.Shoot(((4, (5,)),))).code == "cannot_shoot"
    assert game.shots({2: [5], 7: [5], 9: [5]}).state.nights[-1].kill == 5


def test_ukraine_4_5_4_all_at_one_kill_and_there_is_a_last_minute():
    game = ukraine().night(1).shoots(5).day(2)
    assert game.left == ["5 shot night 1"]
    assert game.word == (5, 60)


@pytest.mark.parametrize("shots", [{2: [5], 7: [6], 9: [5]}, {2: [5, 5], 7: [5], 9: [5]}, {2: [5], 7: [5]}])
def test_ukraine_4_5_5_anything_else_is_a_miss(shots: dict[int, list[int]]):
    assert ukraine().night(1).shots(shots).day(2).left == []


def test_ukraine_4_5_6_the_don_looks_for_the_sheriff():
    assert ukraine().night(1).misses().don_checks(4)
    assert not ukraine().night(1).misses().don_checks(2)


def test_ukraine_4_5_7_the_sheriff_looks_for_black():
    assert ukraine().night(1).misses().sheriff_checks(9)
    assert not ukraine().night(1).misses().sheriff_checks(1)


def test_ukraine_4_5_8_one_check_each_a_night():
    game = ukraine().night(1).misses()
    game.don_checks(4)
    assert game.refuses(cmd.Check(Role.DON, 5)).code == "check_recorded"
    game.sheriff_checks(4)
    assert game.refuses(cmd.Check(Role.SHERIFF, 5)).code == "check_recorded"


def test_ukraine_4_6_1_days_and_nights_go_on_until_somebody_wins_and_there_is_no_draw():
    game = ukraine()
    for number in range(1, 9):
        game.night(number).misses()
    assert game.day(9).outcome is None


# --- 5 and 6: violations


@pytest.mark.parametrize("clause", WARNINGS)
def test_ukraine_5_1_and_5_2_1_each_line_is_a_warning(clause: str):
    assert penalty(clause) is Penalty.WARNING
    game = ukraine().day(1).plays(cmd.Warn(3, clause))
    assert [warning.clause for warning in game.seat(3).warnings] == [clause]
    assert game.seat(3).fouls == ()


def test_ukraine_5_1_7_the_proposal_of_a_pulled_hand_gives_a_warning():
    game = two_nominated().ballot().foul(1, times=3).hands(5, "1@0.5..1.0")
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert [warning.clause for warning in game.seat(1).warnings] == ["5.1.7"]
    assert (len(game.seat(1).fouls), game.stands) == (3, "voting of day 1")


def test_ukraine_5_1_7_an_early_hand_that_is_pulled_is_a_pulled_hand():
    """There is no clause for an early one that could stand before it."""
    game = two_nominated().hands(5, "1@-0.9..1.0 2@-0.9")
    assert game.votes == {5: [1, 2]}
    assert game.proposed == ["1 hand_pulled 5.1.7"]


def test_ukraine_5_1_7_is_the_only_line_for_a_hand():
    assert set(RULES.proposals) == {Offence.HAND_PULLED}
    game = two_nominated().hands(5, "1@-0.9..2.5 2@0.5..2.5").hands(8, "2@0.5")
    assert game.proposed == []


@pytest.mark.parametrize("clause", [*AS_VOTED, "5.1.15"])
def test_ukraine_5_1_each_of_the_last_lines_is_a_removal(clause: str):
    assert penalty(clause) is Penalty.REMOVAL
    game = ukraine().day(1).remove(3, clause)
    assert game.left == ["3 removed day 1"]


@pytest.mark.parametrize("clause", [*AS_VOTED, None])
def test_ukraine_5_2_2_a_removal_by_day_is_as_the_vote_and_night_falls(clause: str | None):
    game = two_nominated().minute(4).remove(3, clause)
    assert game.stands == "dusk of day 1"
    assert game.left == ["3 removed day 1"]
    assert game.next().stands == "night of night 1"
    assert game.state.ballots == ()
    game.misses().day(2).nominates(2, 5).minute(1).next()
    assert game.left[-1] == "5 voted day 2"


@pytest.mark.parametrize("clause", [*AS_VOTED, None])
def test_ukraine_5_2_2_in_the_vote_and_in_the_speeches_before_it(clause: str | None):
    speaking = two_nominated().minute(10).next()
    assert speaking.word == (5, 20)
    counting = two_nominated().ballot().plays(cmd.CountVote(5, (1, 2)))
    opened = two_nominated().ballot().plays(cmd.OpenWindow())
    revote = tied()
    for game in (speaking, counting, opened, revote):
        game.remove(3, clause)
        assert game.stands == "dusk of day 1"
        assert game.left == ["3 removed day 1"]
        assert game.state.ballot is None


def test_ukraine_5_2_2_in_the_morning_the_last_words_are_said_and_night_falls():
    for game in (ukraine().night(1).shoots(5).morning(2), ukraine().night(1).shoots(5).last_word(5)):
        game.remove(3, "5.1.12").last_word(5)
        assert game.word == (5, 60)
        assert game.next().stands == "dusk of day 2"
        assert game.left == ["5 shot night 1", "3 removed day 2"]


def test_ukraine_5_2_2_after_the_vote_it_takes_nothing_more():
    game = two_nominated().vote({5: range(1, 11)}).remove(3, "5.1.12")
    assert game.word == (5, 60)
    game.day(2).nominates(2, 8).minute(1).next()
    assert game.left == ["5 voted day 1", "3 removed day 1", "8 voted day 2"]


def test_ukraine_5_2_2_when_every_hand_is_counted_the_result_stands_and_the_removal_too():
    game = two_nominated().count({5: range(1, 11)}).remove(3, "5.1.12")
    assert game.left == ["5 voted day 1", "3 removed day 1"]
    assert game.word == (5, 60)


def test_ukraine_5_2_2_of_one_who_has_the_last_word_there_is_no_second_departure():
    game = ukraine().night(1).shoots(5).last_word(5).remove(5, "5.1.12")
    assert game.left == ["5 shot night 1"]
    assert game.next().word == (2, 60)


def test_ukraine_5_2_3_a_removal_for_looking_leaves_the_vote_as_it_is():
    game = two_nominated().minute(4).remove(3, "5.1.15")
    assert game.word == (4, 60)
    assert game.vote({5: range(4, 10)}).left == ["3 removed day 1", "5 voted day 1"]


def test_ukraine_5_2_3_in_the_vote_too():
    game = two_nominated().ballot().plays(cmd.CountVote(5, (1, 2, 3))).remove(3, "5.1.15")
    assert game.stands == "voting of day 1"
    game.plays(cmd.CountVote(8, (9,))).next()
    assert game.assigned == {8: [4, 5, 6, 7, 8, 10]}
    assert game.left == ["3 removed day 1", "8 voted day 1"]


def test_ukraine_6_1_and_6_2_the_judge_records_it_with_clause_and_time():
    game = ukraine().day(1).plays(cmd.Warn(3, "5.1.6")).foul(3, "5.1.6")
    assert [(row.clause, str(row.at)) for row in game.seat(3).warnings] == [("5.1.6", "day 1")]
    assert game.refuses(cmd.Foul(3, "6.6.1")).code == "no_such_clause"


def test_ukraine_6_3_a_warning_a_foul_or_a_removal():
    game = ukraine().day(1)
    for _ in range(6):
        game.plays(cmd.Warn(3))
    assert game.seat(3).fouls == ()
    assert len(game.foul(3).seat(3).fouls) == 1
    assert game.remove(3, "5.1.15").left == ["3 removed day 1"]


def test_ukraine_6_4_three_fouls_take_the_word_for_the_rest_of_the_game():
    game = ukraine().day(1).foul(3, times=3)
    for day in (1, 2, 3):
        assert game.day(day).minute(3).word == (3, 0)


def test_ukraine_6_4_with_three_or_four_at_the_table_too():
    game = four_left(ruleset="ukraine").foul(10, times=3).minute(10)
    assert game.word == (10, 0)


def test_ukraine_6_4_and_with_it_nominating():
    game = ukraine().day(1).foul(3, times=3).minute(3)
    refusal = game.refuses(cmd.Nominate(3, 5))
    assert (refusal.code, refusal.clause) == ("may_not_nominate", "6.4")
    assert game.legal.nominate == ()


def test_ukraine_6_4_in_the_minute_in_which_it_came_the_word_is_kept():
    game = ukraine().minute(3).foul(3, times=3)
    assert game.word == (3, 60)
    assert game.nominates(3, 5).candidates == (5,)
    assert game.day(2).minute(3).word == (3, 0)


def test_ukraine_6_4_and_the_twenty_seconds_before_the_vote_and_the_revote():
    game = two_nominated().foul(5, times=3).minute(10).next()
    assert game.word == (5, 0)
    assert game.next().word == (8, 20)
    game.vote({5: [1, 2, 3, 4, 6], 8: []})
    assert game.word == (5, 0)


def test_ukraine_6_4_the_silent_one_votes_and_has_the_last_minute():
    game = two_nominated().foul(5, times=3).vote({5: range(1, 11)})
    assert game.votes[5] == list(range(1, 11))
    assert game.word == (5, 60)


def test_ukraine_6_5_the_fourth_foul_sends_off_without_a_last_word():
    game = ukraine().minute(2).foul(6, times=4)
    assert game.left == ["6 fouled day 1"]
    assert game.word == (2, 60)
    assert 6 not in [seat for seat, _ in game.dusk().speeches]


# --- 7


def test_ukraine_7_1_a_nominated_player_sent_off_before_the_vote_was_voted_out():
    for send_off in (
        lambda game: game.foul(5, times=4),
        lambda game: game.remove(5),
        lambda game: game.remove(5, "5.1.15"),
    ):
        game = two_nominated().minute(4)
        send_off(game)
        assert game.stands == "dusk of day 1"
        assert [row.split()[0] for row in game.left] == ["5"]
        assert game.day(2).word == (2, 60)


def test_ukraine_7_1_and_in_the_vote():
    for game in (
        two_nominated().minute(10).next(),
        two_nominated().ballot(),
        two_nominated().ballot().plays(cmd.OpenWindow()),
        two_nominated().ballot().plays(cmd.CountVote(5, (1,))),
        two_nominated().vote({5: [1, 2, 3, 4, 6], 8: []}),
    ):
        game.foul(8, times=4)
        assert game.stands == "dusk of day 1"
        assert game.left == ["8 fouled day 1"]
        assert game.state.ballot is None


def test_ukraine_7_1_also_the_only_one_nominated_on_day_1():
    game = ukraine().nominates(1, 5).minute(3).foul(5, times=4)
    assert game.stands == "dusk of day 1"


def test_ukraine_7_1_also_one_who_is_out_of_the_revote():
    game = tied().foul(1, times=4)
    assert game.stands == "dusk of day 1"


def test_ukraine_7_1_a_fourth_foul_of_one_who_is_not_nominated_leaves_the_vote():
    game = two_nominated().minute(4).foul(3, times=4)
    assert game.word == (4, 60)
    assert game.vote({5: range(4, 10)}).left == ["3 fouled day 1", "5 voted day 1"]


def test_ukraine_7_1_in_the_vote_the_hand_that_was_given_counts_and_no_other():
    game = two_nominated().ballot().plays(cmd.CountVote(5, (3,))).foul(3, times=4).foul(4, times=4)
    assert game.stands == "voting of day 1"
    assert game.refuses(cmd.CountVote(8, (4,))).code == "not_living"
    game.plays(cmd.CountVote(8, ()))
    assert game.votes == {5: [3], 8: []}
    assert game.assigned == {8: [1, 2, 5, 6, 7, 8, 9, 10]}


def test_ukraine_7_1_nominated_later_that_day_is_too_late():
    """3 was sent off before anybody could nominate: the day goes on as it is."""
    game = ukraine().minute(4).foul(3, times=4)
    assert game.refuses(cmd.Nominate(4, 3)).code == "not_living"
    assert game.nominates(4, 5).nominates(6, 8).ballot().candidates == (5, 8)


def test_ukraine_7_1_a_fourth_foul_in_the_vote_may_decide_the_game():
    """Of five with one black two red ones go: the ballot is not held to its end."""
    game = five_left(ruleset="ukraine").night(3).shoots(5).day(4).nominates(6, 9).nominates(9, 10).ballot()
    game.remove(4, "5.1.15")
    assert game.outcome is None
    game = four_left(ruleset="ukraine").nominates(6, 9).nominates(9, 10).remove(6, "5.1.15").ballot().foul(4, times=4)
    assert game.outcome == "black parity day 4"
    assert game.stands == "over of day 4"
    assert game.state.ballot is None


def test_ukraine_7_2_three_misses_in_a_row_with_four_left_are_a_red_win():
    game = four_left(ruleset="ukraine")
    for night in (4, 5, 6):
        game.night(night).misses()
    assert game.over().outcome == "red three_misses night 6"


# --- the rules page


def test_ukraine_reading_25_a_removal_at_night_leaves_the_days_vote():
    for clause in (*AS_VOTED, None):
        game = ukraine().night(1).misses().remove(3, clause).day(2).nominates(4, 5).nominates(6, 8)
        assert game.vote({5: range(4, 10)}).left == ["3 removed night 1", "5 voted day 2"]


def test_ukraine_reading_25_no_protests_and_no_team_defeat():
    game = ukraine().day(1)
    for seat in range(1, 11):
        assert game.refuses(cmd.Defeat(seat, "5.1.1")).code == "no_team_defeat"
    assert game.legal.defeat == ()
    for seat in (2, 7, 9):
        game.remove(seat, "5.1.15")
    refusal = game.refuses(cmd.Protest(4, "Протест"))
    assert (refusal.code, refusal.clause) == ("no_protests", "8.6")
    assert not game.legal.protest


def test_ukraine_reading_5_a_dead_sheriff_is_called_and_checks_nobody():
    game = ukraine().night(1).shoots(4).night(2).misses().next(2)
    assert game.calls is Waking.SHERIFF
    assert game.refuses(cmd.Check(Role.SHERIFF, 2)).code == "role_is_dead"
    game.plays(cmd.Check(Role.SHERIFF, None))


def test_ukraine_8_3_the_one_shot_in_the_first_night_has_the_best_move():
    game = ukraine().night(1).shoots(5).day(2).best(5, 2, 7, 9)
    assert game.state.best_move is not None
    assert game.state.best_move.numbers == (2, 7, 9)


def test_ukraine_8_6_protests_are_not_taken():
    assert not RULES.protests
