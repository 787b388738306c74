"""city by day: speeches, the vote, the hands, fouls, removals, ППК, and who wins; by the text's paragraphs."""

from typing import Any

import pytest

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.ballot import BallotKind, Offence
from controller.game.moment import Moment
from controller.game.position import Position
from controller.game.roles import Role
from controller.game.rules import Opener, Penalty
from controller.game.rulesets.city import _DEFEATS, _FOULS, _REMOVALS
from controller.game.seat import How
from tests.game.bench import Table
from tests.game.test_city_night import AVENGER, BOMBER, DOCTOR, DON, MAFIA, MANIAC, SHERIFF, city

RULES = RULESETS["city"]


def ten(**options: Any) -> Table:
    """1 is the don, 2 and 3 mafia; seats 4 to 10 are red, 7 the commissar."""
    table = Table("city", seats=10, **options)
    return table.seated(DON, MAFIA, MAFIA, Role.CIVILIAN, Role.CIVILIAN, Role.CIVILIAN, SHERIFF)


def two_nominated(**options: Any) -> Table:
    return ten(**options).nominates(1, 5).nominates(2, 8)


def tied(**options: Any) -> Table:
    return two_nominated(**options).vote({5: [1, 2, 3], 8: [4, 6, 7]})


# --- «Каждый игрок, начиная с первого»


def test_city_day_everybody_has_a_minute_from_the_lowest_living_seat():
    game = ten().dusk()
    assert game.speeches == [(seat, 60) for seat in range(1, 11)]
    game.night(1).kills(1).day(2)
    assert game.word == (1, 30)
    assert game.next().word == (2, 60)
    assert ten().day(2).word == (1, 60)


def test_city_day_the_opener_may_rotate_where_the_tournament_wants_it():
    game = ten(opener=Opener.AFTER_FIRST_SPEAKER)
    assert [game.day(day).word for day in (1, 2, 3)] == [(1, 60), (2, 60), (3, 60)]


def test_city_day_each_may_nominate_one_and_it_is_not_taken_back():
    game = ten().nominates(1, 5)
    assert game.refuses(cmd.Nominate(1, 6)).code == "nominated_already"
    assert game.refuses(cmd.Withdraw(1)).code == "no_withdrawal"
    assert game.minute(2).refuses(cmd.Nominate(2, 5)).code == "is_nominated"
    assert game.refuses(cmd.Nominate(3, 6)).code == "not_own_minute"


def test_city_day_no_speech_before_the_vote():
    assert two_nominated().minute(10).next().stands == "voting of day 1"


# --- the vote


def test_city_vote_candidates_are_called_in_the_order_of_nomination():
    game = ten().nominates(1, 7).nominates(2, 3).nominates(3, 10).ballot()
    assert game.candidates == (7, 3, 10)
    assert game.refuses(cmd.CountVote(3, ())).code == "out_of_order"


def test_city_vote_the_one_with_most_hands_leaves_with_sixty_seconds():
    game = two_nominated().vote({5: [1, 2], 8: [3]})
    assert game.left == ["5 voted day 1"]
    assert game.word == (5, 60)
    assert game.next().stands == "dusk of day 1"


def test_city_vote_a_hand_not_raised_abstains():
    game = two_nominated().hands(5, "1@0.5").hands(8)
    assert game.assigned == {}
    assert game.proposed == []
    assert game.next().leaves == [5]


def test_city_vote_or_falls_to_the_last_where_the_tournament_wants_it():
    game = two_nominated(unvoted_to_last=True).vote({5: [1, 2, 3]})
    assert game.assigned == {8: [4, 5, 6, 7, 8, 9, 10]}
    assert game.leaves == [8]


def test_city_vote_with_no_hand_at_all_nobody_leaves():
    game = two_nominated().vote({})
    assert game.stands == "dusk of day 1"
    assert (game.left, game.leaves) == ([], [])


def test_city_vote_a_sole_candidate_is_voted_on_also_on_day_1_and_leaves_on_any_hand():
    assert ten().nominates(1, 5).vote({5: [9]}).left == ["5 voted day 1"]
    assert ten().nominates(1, 5).vote({5: []}).left == []
    assert ten().day(2).nominates(1, 5).vote({5: [1]}).left == ["5 voted day 2"]


def test_city_vote_no_nominee_no_vote():
    game = ten().dusk()
    assert game.state.ballots == ()


def test_city_vote_the_tied_speak_thirty_seconds_and_are_voted_on_again():
    game = tied()
    assert [game.word, game.next().word] == [(5, 30), (8, 30)]
    assert game.next().candidates == (5, 8)
    assert game.vote({5: [1, 2], 8: [3]}).left == ["5 voted day 1"]


def test_city_vote_tied_again_the_question_is_whether_all_leave():
    game = tied().vote({5: [1, 2, 3], 8: [4, 6, 7]})
    assert game.asked_to_raise
    assert game.raises(1, 2, 3, 4, 5, 6).left == ["5 raised day 1", "8 raised day 1"]
    assert [game.word, game.next().word] == [(5, 60), (8, 60)]


def test_city_vote_half_of_the_living_is_not_enough():
    game = tied().vote({5: [1], 8: [4]}).raises(1, 2, 3, 4, 5)
    assert game.left == []
    assert game.stands == "dusk of day 1"


def test_city_vote_a_revote_without_hands_leaves_all_where_they_are():
    assert tied().vote({}).stands == "dusk of day 1"


def test_city_vote_three_tied_then_two_are_voted_again():
    game = ten().nominates(1, 5).nominates(2, 8).nominates(3, 9)
    game.vote({5: [1], 8: [2], 9: [3]}).vote({5: [1, 3], 8: [2, 4], 9: [5]})
    assert game.row.kind is BallotKind.REVOTE
    assert not game.ballot().asked_to_raise
    assert game.candidates == (5, 8)


def test_city_vote_with_three_or_four_at_the_table_and_for_all_of_them_the_question_is_put():
    game = Table("city", seats=8).seated(DON).day(1)
    for seat in (8, 7, 6, 5):
        game.remove(seat)
    game.nominates(1, 2).nominates(2, 3)
    for _ in range(2):
        game.vote({2: [1], 3: [4]})
    assert game.asked_to_raise
    game = Table("city", seats=8).seated(DON).day(1)
    for seat in (8, 7, 6, 5, 4):
        game.remove(seat)
    game.nominates(1, 2).nominates(2, 3).nominates(3, 1)
    for _ in range(2):
        game.vote({2: [1], 3: [2], 1: [3]})
    assert game.asked_to_raise
    assert game.raises(1, 2).outcome == "draw nobody_left day 1"


# --- the hand on the table


def hand(seen: str) -> tuple[bool, list[str]]:
    game = two_nominated().hands(5, seen, announced=3.0)
    return bool(game.votes[5]), game.proposed


def test_city_hand_pulled_back_counts_and_is_a_foul():
    assert hand("1@0.5..1.5") == (True, ["1 hand_pulled Одергивание"])
    assert hand("1@0.5..1.0 1@1.2") == (True, ["1 hand_pulled Одергивание"])


def test_city_hand_taken_away_before_the_count_counts_and_is_a_foul():
    assert hand("1@0.5..2.5") == (True, ["1 hand_pulled Убранная рука"])
    assert hand("1@0.5..2.0") == (True, ["1 hand_pulled Убранная рука"])
    assert hand("1@0.5..3.0") == (True, [])
    assert hand("1@0.5..3.5") == (True, [])
    assert hand("1@0.5") == (True, [])


def test_city_hand_both_are_one_proposal_the_pulled_one():
    assert hand("1@0.5..1.0 1@1.5..2.5") == (True, ["1 hand_pulled Одергивание"])


def test_city_hand_without_an_announcement_only_the_pulled_one_is_seen():
    assert two_nominated().hands(5, "1@0.5..2.5 2@0.5..1.0").proposed == ["2 hand_pulled Одергивание"]


def test_city_hand_early_is_no_foul_but_an_early_hand_that_is_pulled_is():
    assert hand("1@-0.9") == (True, [])
    assert hand("1@-0.9..-0.5") == (False, [])
    assert hand("1@-0.9..1.0") == (True, ["1 hand_pulled Одергивание"])
    assert hand("1@-0.9..2.5") == (True, ["1 hand_pulled Убранная рука"])


def test_city_hand_late_is_no_vote_and_the_close_is_inside():
    assert hand("1@2.0") == (True, [])
    assert hand("1@2.1") == (False, [])


def test_city_hand_voting_again_is_a_foul_and_the_first_vote_stands():
    game = two_nominated().hands(5, "1@0.5..3.5", announced=3.0).hands(8, "1@0.5")
    assert game.votes == {5: [1], 8: []}
    assert game.proposed == ["1 several_candidates Повторное голосование"]


def test_city_hand_never_raised_is_no_foul():
    assert set(RULES.proposals) == {Offence.HAND_PULLED, Offence.SEVERAL_CANDIDATES}


@pytest.mark.parametrize("seen", ["1@0.5..1.5", "1@0.5..2.5"])
def test_city_hand_a_proposal_that_is_given_is_a_foul_by_its_line(seen: str):
    game = two_nominated().hands(5, seen, announced=3.0)
    game.plays(cmd.Give(game.state.proposals[0].id))
    (foul,) = game.seat(1).fouls
    assert foul.clause == game.state.proposals[0].clause


# --- «Можно набрать два фола без последствий»


def test_city_foul_two_are_without_consequence():
    assert ten().day(1).foul(4, times=2).minute(4).word == (4, 60)


def test_city_foul_the_third_takes_the_nearest_minute_and_leaves_nominating_and_the_vote():
    game = ten().day(1).foul(4, times=3).minute(4)
    assert game.word == (4, 0)
    game.nominates(4, 5).vote({5: [4]})
    assert game.left == ["5 voted day 1"]
    assert game.day(2).minute(4).word == (4, 60)


def test_city_foul_with_three_at_the_table_it_is_thirty_seconds():
    for living, seconds in ((3, 30), (4, 0)):
        game = Table("city", seats=8).seated(DON).day(1)
        for seat in (8, 7, 6, 5, 4)[: 8 - living]:
            game.remove(seat)
        game.foul(3, times=3).minute(3)
        assert game.word == (3, seconds)


def test_city_foul_before_a_revote_the_word_is_kept():
    game = two_nominated().ballot().foul(5, times=3).vote({5: [1], 8: [4]})
    assert game.word == (5, 30)


def test_city_foul_the_fourth_sends_off_without_a_last_word():
    game = ten().minute(2).foul(6, times=4)
    assert game.left == ["6 fouled day 1"]
    assert 6 not in [seat for seat, _ in game.dusk().speeches]


def line(words: str, penalty: Penalty) -> None:
    rule = RULES.violation(words)
    assert rule is not None, words
    assert (rule.penalty, rule.words) == (penalty, words)


@pytest.mark.parametrize("words", _FOULS)
def test_city_foul_each_line_is_a_foul(words: str):
    line(words, Penalty.FOUL)
    assert ten().day(1).foul(4, words).seat(4).fouls[0].clause == words


@pytest.mark.parametrize("words", _REMOVALS)
def test_city_removal_each_line_is_a_removal(words: str):
    line(words, Penalty.REMOVAL)
    assert ten().day(1).remove(4, words).left == ["4 removed day 1"]


def test_city_lines_are_cited_by_their_first_words_or_number_and_no_others():
    for clause in ("f4", "Убранная рука", "убранная рука"):
        rule = RULES.violation(clause)
        assert rule is not None
        assert rule.words == "Убранная рука при голосовании"
    for clause in ("6.6.4", "f11", "r15", "d8", "рука", ""):
        assert ten().day(1).refuses(cmd.Foul(4, clause)).code == "no_such_clause"


# --- «Важно!»


def test_city_important_removed_at_night_that_days_vote_is_not_held():
    for night in (0, 1):
        game = ten().night(night)
        if night:
            game.kills()
        game.remove(4).day(night + 1).nominates(1, 5).nominates(2, 8).dusk()
        assert game.state.ballots == ()
        assert game.left == [f"4 removed night {night}"]
        assert game.day(night + 2).nominates(1, 5).vote({5: [1]}).leaves == [5]


def test_city_important_removed_by_day_this_days_vote_is_not_held():
    for game in (ten().morning(1), ten().nominates(1, 5).nominates(2, 8)):
        game.remove(4).dusk()
        assert game.state.ballots == ()
    game = ten().night(1).kills(9).last_word(9).foul(4, times=4).nominates(1, 5).dusk()
    assert game.state.ballots == ()


def test_city_important_two_removed_the_vote_is_held():
    game = two_nominated().minute(4).remove(4).foul(6, times=4)
    assert game.vote({5: [1, 2]}).left == ["4 removed day 1", "6 fouled day 1", "5 voted day 1"]
    game = ten().night(1).kills().remove(4).day(2).nominates(1, 5).remove(6)
    assert game.vote({5: [1, 2]}).left[-1] == "5 voted day 2"
    game = ten().night(1).kills().remove(4).remove(6).day(2).nominates(1, 5)
    assert game.vote({5: [1, 2]}).left[-1] == "5 voted day 2"


def test_city_important_a_third_removal_changes_nothing_more():
    game = two_nominated().minute(4).remove(4).remove(6).remove(9)
    assert game.vote({5: [1, 2]}).left[-1] == "5 voted day 1"


def test_city_important_one_a_day_is_one_each():
    game = ten().day(1).remove(4).dusk()
    game.day(2).nominates(1, 5).remove(6).dusk()
    assert game.state.ballots == ()


def test_city_important_removed_in_the_vote_both_count():
    game = two_nominated().ballot().plays(cmd.CountVote(5, (1, 4))).remove(4)
    assert game.stands == "voting of day 1"
    game.plays(cmd.CountVote(8, (6,))).next()
    assert game.votes == {5: [1, 4], 8: [6]}
    assert game.left == ["4 removed day 1", "5 voted day 1"]
    assert game.day(2).nominates(1, 8).vote({8: [1]}).leaves == [8]


def test_city_important_the_removed_hand_counts_where_it_was_given_and_nowhere_after():
    game = two_nominated().hands(5, "4@0.5..2.5 6@0.5").remove(4).remove(9).hands(8, "4@0.5 9@0.5 1@0.5")
    assert game.votes == {5: [4, 6], 8: [1]}
    game = two_nominated().ballot().remove(4)
    assert game.refuses(cmd.CountVote(5, (4,))).code == "not_living"


def test_city_important_in_the_speeches_before_a_revote_too():
    game = tied().remove(4)
    assert game.stands == "speech of day 1"
    assert game.vote({5: [1, 2], 8: [3]}).left == ["4 removed day 1", "5 voted day 1"]


def test_city_important_in_the_raise_question_the_majority_is_of_those_left():
    game = tied().vote({5: [1], 8: [4]}).remove(9)
    assert game.asked_to_raise
    assert game.raises(1, 2, 3, 4, 6).left == ["9 removed day 1", "5 raised day 1", "8 raised day 1"]


def test_city_important_a_candidate_removed_in_the_vote_leaves_once():
    game = two_nominated().ballot().plays(cmd.CountVote(5, (1, 2, 3))).remove(5).plays(cmd.CountVote(8, (4,))).next()
    assert game.left == ["5 removed day 1"]
    assert game.stands == "dusk of day 1"
    game = two_nominated().ballot().remove(5).vote({5: [1], 8: [2]})
    assert game.word == (8, 30)
    assert game.vote({8: [1, 2]}).left == ["5 removed day 1", "8 voted day 1"]


def test_city_important_when_every_hand_is_counted_the_result_is_said_first():
    game = two_nominated().count({5: [1, 2]}).remove(4)
    assert game.left == ["5 voted day 1", "4 removed day 1"]
    assert game.word == (5, 60)


def test_city_important_after_the_vote_it_takes_nothing_from_the_next_day():
    game = two_nominated().vote({5: [1, 2]}).remove(4)
    assert game.day(2).nominates(1, 8).vote({8: [1]}).leaves == [8]


def level_in_the_vote(*hands: int) -> Table:
    """3 black and 4 red are left; a red one is removed when the hands for 2, a black one, are counted."""
    game = ten().day(1)
    for seat in (10, 9, 8):
        game.remove(seat)
    game.nominates(1, 2).nominates(2, 5).ballot().plays(cmd.CountVote(2, hands)).remove(4)
    assert game.outcome is None
    return game


def test_city_important_the_win_waits_for_the_vote_in_which_somebody_was_removed():
    game = level_in_the_vote(4, 5, 6, 7).plays(cmd.CountVote(5, (1, 2, 3))).next()
    assert game.left[-2:] == ["4 removed day 1", "2 voted day 1"]
    assert game.outcome is None
    game = level_in_the_vote().plays(cmd.CountVote(5, ())).next()
    assert game.left[-1] == "4 removed day 1"
    assert game.outcome == "black parity day 1"
    assert game.stands == "over of day 1"


def test_city_important_a_victim_removed_and_then_healed_was_removed_in_the_night():
    game = city().night(1).kills(10).remove(10).acts(DOCTOR, 10).day(2)
    assert game.left == ["10 removed night 1"]
    game.nominates(1, 5).nominates(2, 8).dusk()
    assert game.state.ballots == ()


def test_city_important_a_victim_removed_stays_shot_and_the_vote_is_held():
    game = city().night(1).kills(10).remove(10).day(2)
    assert game.left == ["10 shot night 1"]
    assert game.word == (1, 60)
    assert game.nominates(1, 5).vote({5: [1]}).leaves == [5]


# --- «ППК»


@pytest.mark.parametrize("words", _DEFEATS)
def test_city_defeat_each_line_gives_the_team_the_defeat(words: str):
    line(words, Penalty.DEFEAT)
    for seat, winner in ((1, "red"), (2, "red"), (4, "red"), (5, "black"), (10, "black")):
        game = city().day(1).plays(cmd.Defeat(seat, words))
        assert game.outcome == f"{winner} team_defeat day 1"
        assert game.state.outcome is not None
        assert game.state.outcome.offender == seat
        assert game.stands == "over of day 1"


def test_city_defeat_by_one_who_has_left_the_game():
    game = two_nominated().vote({5: [1]}).day(2).plays(cmd.Defeat(5, "Слово/реплика после покидания игры"))
    assert game.outcome == "black team_defeat day 2"


# --- «Нарушение после выхода из игры»


def test_city_after_leaving_a_violation_of_one_who_is_out_is_noted():
    words = "В случае, если игрок после выхода из игры"
    game = two_nominated().vote({5: [1]}).day(2)
    assert game.refuses(cmd.Remove(5)).code == "has_left"
    assert game.refuses(cmd.Remove(5, "Слезы за столом")).code == "has_left"
    game.remove(5, words)
    assert game.seat(5).disqualified == "removed"
    assert game.left == ["5 voted day 1"]
    assert game.refuses(cmd.Remove(5, words)).code == "already_removed"
    assert game.nominates(1, 8).vote({8: [1]}).leaves == [8]
    assert game.refuses(cmd.Remove(11, words)).code == "no_such_seat"


# --- «Условия победы»


def test_city_win_red_when_no_killer_lives_however_they_left():
    game = city(8, DON, MAFIA, MANIAC).night(1).kills(3).day(2)
    game.nominates(1, 2).vote({2: [4]})
    assert game.outcome is None
    assert game.day(3).remove(1).outcome == "red no_killer_left day 3"


def test_city_win_black_when_the_maniac_is_out_and_they_are_level_with_the_rest():
    game = city(8, DON, MAFIA, MAFIA, MANIAC).day(1)
    game.remove(8)
    assert game.outcome is None
    game.remove(7)
    assert game.outcome is None, "3 against the maniac and 2"
    assert game.remove(4).outcome == "black parity day 1"


def test_city_win_level_with_the_maniac_at_the_table_is_no_win():
    game = city(8, DON, MAFIA, MANIAC).day(1)
    for seat in (8, 7, 6, 5):
        assert game.remove(seat).outcome is None
    assert game.living == (1, 2, 3, 4)
    assert game.remove(4).outcome is None


def test_city_win_the_maniac_one_on_one_with_anybody():
    for other in (1, 4):
        game = city(8, DON, Role.CIVILIAN, MANIAC).day(1)
        for seat in {1, 2, 4, 5, 6, 7, 8} - {other}:
            game.remove(seat)
        assert game.outcome == "maniac one_on_one day 1"


def test_city_win_the_maniac_alone():
    """Three at the table: the mafia shoot the red one, and the maniac shoots the don."""
    game = city(8, DON, Role.CIVILIAN, MANIAC).day(1)
    for seat in (8, 7, 6, 5, 4):
        game.remove(seat)
    game.night(1).kills(2).acts(MANIAC, 1)
    assert game.day(2).outcome == "maniac one_on_one night 1"
    assert game.living == (3,)


def test_city_win_nobody_lives_is_a_draw():
    game = city(8, DON, Role.CIVILIAN, MANIAC).day(1)
    for seat in (8, 7, 6, 5, 4):
        game.remove(seat)
    game.nominates(1, 2).nominates(2, 3).nominates(3, 1)
    for _ in range(2):
        game.vote({2: [1], 3: [2], 1: [3]})
    assert game.raises(1, 2).outcome == "draw nobody_left day 1"


def test_city_win_there_is_neither_a_draw_of_quiet_circles_nor_a_win_by_misses():
    game = Table("city", seats=8).seated(DON).day(1)
    for seat in (8, 7, 6, 5):
        game.remove(seat)
    assert game.day(9).outcome is None


def test_city_win_the_text_has_neither_best_move_nor_will():
    game = ten().night(1).kills(9).day(2)
    assert game.refuses(cmd.BestMove(9, (1,))).code == "no_best_move"
    assert game.refuses(cmd.Will(9, 1)).code == "no_wills"
    assert (game.legal.best_move, game.legal.will) == (None, None)


def test_city_last_word_those_killed_at_night_have_thirty_seconds_and_the_removed_none():
    game = city().night(1).kills(10).acts(MANIAC, 11).day(2)
    assert [game.word, game.next().word, game.next().word] == [(10, 30), (11, 30), (1, 60)]
    game = city().night(1).kills(5).acts(Role.BEAUTY, 12).day(2)
    assert [game.word, game.next().word] == [(5, 30), (12, 30)]
    assert ten().day(2).remove(1).next().word == (2, 60)


# --- positions set by hand


def test_city_position_an_avenger_who_is_out_is_not_asked_again():
    game = city().day(1)
    out = ((9, How.VOTED, Moment.day_of(1)),)
    game.plays(cmd.SetPosition(Position(Moment.day_of(2), left=out, speaker=1)))
    game.nominates(1, 10).vote({10: [1]})
    assert game.word == (10, 60)
    game = city().night(1).kills(9).acts(AVENGER, 10).day(2)
    game.plays(cmd.SetPosition(Position(Moment.day_of(2), speaker=1))).nominates(1, 9).vote({9: [1]})
    assert game.stands == "choosing of day 2"
    game.acts(AVENGER, 1)


def test_city_reading_16_and_24_at_a_table_without_these_cards_nobody_is_taken_along():
    game = ten().nominates(1, 8).vote({8: [1]})
    assert game.left == ["8 voted day 1"]
    assert game.state.holder(BOMBER) is None
