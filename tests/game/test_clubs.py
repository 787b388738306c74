"""What clubs play differently: each parameter is off in all four texts, and does what it says where it is on."""

from typing import Any

import pytest

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.rules import Opener, RaiseOfThree, SoleCandidate, ThirdFoul
from tests.game.bench import Table, four_left


def fiim(**options: Any) -> Table:
    return Table(**options).dealt()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_clubs_parameters_are_off_in_every_text(ruleset: str):
    rules = RULESETS[ruleset]
    assert rules.opener is not Opener.AFTER_LAST_SPEAKER
    assert not rules.revote_reversed
    assert rules.raise_of_three_at_nine is RaiseOfThree.ALLOWED
    assert not rules.no_elimination_over_half_tied
    assert rules.third_foul in (ThirdFoul.NEAREST_MINUTE, ThirdFoul.ALL_MINUTES)
    assert (rules.best_move_void_after, rules.best_move_voted_day_one) == (0, False)
    assert not rules.draw_after_night
    assert not rules.wills
    assert rules.technical_fouls_out == 0


# --- who opens the day


def test_clubs_opener_after_yesterdays_last_speaker():
    """Day 1 ends with 10: 1 opens day 2 again; 2 is out by then, so 1 speaks last on day 2's circle of 3 to 1."""
    game = fiim(opener=Opener.AFTER_LAST_SPEAKER)
    assert game.day(1).word == (1, 60)
    assert game.night(1).shoots(1).day(2).next().word == (2, 60)
    game = fiim(opener=Opener.AFTER_LAST_SPEAKER).night(1).shoots(10).last_word(10).next()
    assert game.word == (1, 60)
    assert game.dusk().speeches[-1] == (9, 60)
    assert game.day(3).word == (1, 60)


def test_clubs_opener_where_the_last_speaker_was_not_the_highest_seat():
    """10 was sent off before his minute: 9 spoke last, and the circle goes on behind him."""
    game = fiim(opener=Opener.AFTER_LAST_SPEAKER).minute(9).remove(10).remove(1)
    assert game.day(2).word == (2, 60)


# --- the revote


def test_clubs_revote_reversed_speaks_and_is_called_against_the_order_of_nomination():
    game = fiim(revote_reversed=True).night(1).shoots(10).day(2).nominates(2, 8).nominates(3, 5).nominates(4, 1)
    game.vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]})
    assert [game.word, game.next().word, game.next().word] == [(1, 30), (5, 30), (8, 30)]
    assert game.next().candidates == (1, 5, 8)


def test_clubs_revote_reversed_of_a_revote_too():
    """Nine live: three are tied, then two of them."""
    game = fiim(revote_reversed=True).night(1).shoots(10).day(2).nominates(2, 8).nominates(3, 5).nominates(4, 1)
    game.vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]})
    assert game.vote({1: [9], 5: [1, 2, 3, 4], 8: [5, 6, 7, 8]}).ballot().candidates == (5, 8)


def test_clubs_revote_reversed_the_hands_not_raised_fall_to_the_first_nominated():
    game = fiim(revote_reversed=True).nominates(1, 8).nominates(2, 5).vote({8: [1, 2, 3, 4, 6]})
    assert game.ballot().candidates == (5, 8)
    assert game.vote({5: [1], 8: []}).left == ["8 voted day 1"]


# --- three at nine


def nine_tied(rule: RaiseOfThree, *, miss: bool) -> Table:
    game = fiim(raise_of_three_at_nine=rule)
    if miss:
        game.nominates(1, 10).nominates(2, 3).vote({10: range(1, 11)}).night(1).misses()
    else:
        game.night(1).shoots(10)
    game.day(2).nominates(2, 8).nominates(3, 5).nominates(4, 1)
    for _ in range(2):
        game.vote({8: [1, 2, 3], 5: [4, 5, 6], 1: [7, 8, 9]})
    return game


def test_clubs_raise_of_three_at_nine_allowed():
    assert nine_tied(RaiseOfThree.ALLOWED, miss=False).asked_to_raise
    assert nine_tied(RaiseOfThree.ALLOWED, miss=True).asked_to_raise


def test_clubs_raise_of_three_at_nine_never():
    for miss in (False, True):
        game = nine_tied(RaiseOfThree.NEVER, miss=miss)
        assert game.stands == "dusk of day 2"
        assert len(game.living) == 9


def test_clubs_raise_of_three_at_nine_after_a_miss_alone():
    assert nine_tied(RaiseOfThree.AFTER_A_MISS, miss=True).asked_to_raise
    assert nine_tied(RaiseOfThree.AFTER_A_MISS, miss=False).stands == "dusk of day 2"


def test_clubs_raise_of_three_at_nine_two_are_asked_about():
    game = fiim(raise_of_three_at_nine=RaiseOfThree.NEVER).night(1).shoots(10).day(2)
    game.nominates(2, 8).nominates(3, 5).nominates(4, 1).vote({8: [1, 2, 3, 4], 5: [5, 6, 7, 8], 1: [9]})
    assert game.count({8: [1, 2, 3, 4], 5: [5, 6, 7, 8, 9]}).rule(5, 9, counts=False).next().row.leaves == (5,)


# --- more than half of the table tied


def six_nominated(*pairs: tuple[int, int]) -> Table:
    """4, 5, 6, 8, 9 and 10 live."""
    game = fiim(no_elimination_over_half_tied=True).day(1)
    for seat in (1, 2, 3, 7):
        game.remove(seat)
    game.night(1).misses().day(2)
    for by, seat in pairs:
        game.nominates(by, seat)
    return game


def test_clubs_no_elimination_when_more_than_half_of_the_table_is_tied():
    game = six_nominated((4, 5), (5, 6), (6, 8), (8, 10)).vote({5: [4], 6: [5], 8: [6], 10: [8]})
    assert game.leaves == [10], "the rest fell to the last"
    game = six_nominated((4, 5), (5, 6), (6, 8), (8, 10), (9, 4), (10, 9))
    game.vote({5: [4], 6: [5], 8: [6], 10: [8], 4: [9], 9: [10]})
    assert game.stands == "dusk of day 2"
    assert (len(game.living), game.leaves) == (6, [])


def test_clubs_no_elimination_half_of_the_table_is_voted_on_again():
    game = six_nominated((4, 5), (5, 6), (6, 8)).vote({5: [4, 9], 6: [5, 10], 8: [6, 8]})
    assert game.word == (5, 30)


# --- one candidate on day 1


def sole(rule: SoleCandidate) -> Table:
    return fiim(sole_candidate_day_one=rule).nominates(1, 5)


def test_clubs_sole_candidate_no_vote():
    assert sole(SoleCandidate.NO_VOTE).dusk().state.ballots == ()


def test_clubs_sole_candidate_vote():
    assert sole(SoleCandidate.VOTE).vote({5: []}).left == ["5 voted day 1"]


def test_clubs_sole_candidate_leaves_without_a_vote():
    game = sole(SoleCandidate.LEAVES).last_word()
    assert (game.left, game.state.ballots) == (["5 voted day 1"], ())


def test_clubs_sole_candidate_word_only():
    game = sole(SoleCandidate.WORD_ONLY).vote({5: [1, 2]})
    assert game.word == (5, 60)
    assert (game.left, game.leaves) == ([], [])
    assert game.next().stands == "dusk of day 1"
    game = sole(SoleCandidate.WORD_ONLY).vote({5: [1]}).remove(3)
    assert game.next().stands == "dusk of day 1"
    assert game.day(2).nominates(2, 8).dusk().left == ["3 removed day 1"], "fiim 7.2: the next vote is not held"
    game = sole(SoleCandidate.WORD_ONLY).count({5: [1]}).remove(5)
    assert (game.stands, game.left) == ("dusk of day 1", ["5 removed day 1"]), "who is sent off has no word"


def test_clubs_sole_candidate_own_hand():
    assert sole(SoleCandidate.OWN_HAND).vote({5: [1, 2, 3, 4, 6, 7, 8, 9, 10]}).left == []
    assert sole(SoleCandidate.OWN_HAND).vote({5: [5]}).left == ["5 voted day 1"]


@pytest.mark.parametrize("rule", SoleCandidate)
def test_clubs_sole_candidate_of_day_1_says_nothing_of_later_days(rule: SoleCandidate):
    game = fiim(sole_candidate_day_one=rule).day(2).nominates(2, 5).vote({5: []})
    assert game.left == ["5 voted day 2"]


@pytest.mark.parametrize("rule", SoleCandidate)
def test_clubs_sole_candidate_two_candidates_are_voted_on(rule: SoleCandidate):
    game = fiim(sole_candidate_day_one=rule).nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)})
    assert game.left == ["5 voted day 1"]


# --- the third foul


def test_clubs_third_foul_takes_half_a_minute_or_nothing():
    for rule, seconds in (
        (ThirdFoul.NEAREST_MINUTE, 0),
        (ThirdFoul.HALF_MINUTE, 30),
        (ThirdFoul.NOTHING, 60),
        (ThirdFoul.ALL_MINUTES, 0),
    ):
        game = fiim(third_foul=rule).day(1).foul(3, times=3).minute(3)
        assert game.word == (3, seconds)
        assert game.day(2).minute(3).word == (3, 0 if rule is ThirdFoul.ALL_MINUTES else 60)
        assert game.foul(3).left == ["3 fouled day 2"]


def test_clubs_third_foul_of_half_a_minute_keeps_the_right_to_nominate():
    assert fiim(third_foul=ThirdFoul.HALF_MINUTE).day(1).foul(3, times=3).nominates(3, 5).candidates == (5,)


# --- the best move


def two_raised(**options: Any) -> Table:
    game = fiim(**options).nominates(1, 8).nominates(2, 5)
    for _ in range(2):
        game.vote({8: [1, 2, 3, 4, 6]})
    return game.raises(1, 2, 3, 4, 6, 7)


def test_clubs_best_move_void_when_two_left_on_day_1():
    game = two_raised(best_move_void_after=2).night(1).shoots(1).day(2)
    assert game.refuses(cmd.BestMove(1, (2,))).code == "no_best_move"
    assert game.legal.best_move is None
    assert two_raised().night(1).shoots(1).day(2).legal.best_move == 1


def test_clubs_best_move_one_who_left_on_day_1_does_not_make_it_void():
    game = fiim(best_move_void_after=2).nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)})
    assert game.night(1).shoots(1).day(2).legal.best_move == 1
    game = fiim(best_move_void_after=2).nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)}).remove(3)
    assert game.night(1).shoots(1).day(2).legal.best_move is None


def test_clubs_best_move_of_the_only_one_voted_out_on_day_1():
    game = fiim(best_move_voted_day_one=True).nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)})
    assert game.legal.best_move == 5
    game.best(5, 2, 7, 9)
    assert game.state.best_move is not None
    assert game.night(1).shoots(1).day(2).legal.best_move is None


def test_clubs_best_move_is_of_the_first_shot_where_nobody_or_two_left_on_day_1():
    assert fiim(best_move_voted_day_one=True).night(1).shoots(1).day(2).legal.best_move == 1
    game = two_raised(best_move_voted_day_one=True)
    assert game.legal.best_move is None
    assert game.night(1).shoots(1).day(2).legal.best_move == 1


# --- the draw


def test_clubs_draw_after_the_third_quiet_night():
    game = fiim(draw_after_night=True).over()
    assert game.outcome == "draw three_quiet_circles night 3"
    assert fiim().over().outcome == "draw three_quiet_circles day 4"


def test_clubs_draw_after_the_night_is_reset_by_a_departure():
    game = fiim(draw_after_night=True).day(3).remove(1)
    assert game.over().outcome == "draw three_quiet_circles night 5"


# --- technical fouls of two weights


def technical(**options: Any) -> Table:
    return fiim(technical_fouls_out=2, **options).nominates(1, 5).nominates(2, 8)


def light(seat: int) -> cmd.TechnicalFoul:
    return cmd.TechnicalFoul(seat, heavy=False)


def heavy(seat: int, clause: str | None = None) -> cmd.TechnicalFoul:
    return cmd.TechnicalFoul(seat, True, clause)


@pytest.mark.parametrize("ruleset", ["fiim", "wma", "ukraine"])
def test_clubs_technical_fouls_are_refused_where_the_tournament_has_none(ruleset: str):
    game = Table(ruleset).dealt().day(1)
    for command in (light(3), heavy(3)):
        assert game.refuses(command).code == "no_technical_fouls"
    assert game.legal.technical == ()


def test_clubs_technical_light_ones_are_only_noted():
    game = technical().minute(4)
    for _ in range(6):
        game.plays(light(3))
    assert [foul.heavy for foul in game.seat(3).technical] == [False] * 6
    assert game.seat(3).fouls == ()
    assert game.left == []


def test_clubs_technical_the_second_heavy_one_sends_off():
    game = technical().minute(4).plays(heavy(3, "6.6.2"))
    assert game.left == []
    game.plays(light(3)).plays(heavy(3))
    assert game.left == ["3 removed day 1"]
    assert game.seat(3).disqualified == "removed"
    assert [(foul.heavy, foul.clause) for foul in game.seat(3).technical] == [
        (True, "6.6.2"),
        (False, None),
        (True, None),
    ]
    assert game.refuses(light(3)).code == "has_left"


def test_clubs_technical_it_is_a_removal_for_the_vote():
    game = technical().minute(4).plays(heavy(3)).plays(heavy(3)).dusk()
    assert game.state.ballots == ()
    game = technical().ballot().plays(heavy(3)).plays(cmd.OpenWindow()).plays(heavy(3))
    assert game.stands == "dusk of day 1"
    game = technical().count({5: range(1, 11)}).plays(heavy(3)).plays(heavy(3))
    assert game.left == ["5 voted day 1", "3 removed day 1"]


def test_clubs_technical_they_are_counted_apart_from_the_fouls():
    game = technical().minute(4).foul(3, times=3).plays(heavy(3)).plays(light(3))
    assert game.left == []
    assert len(game.seat(3).fouls) == 3
    assert game.foul(3).left == ["3 fouled day 1"]


def test_clubs_technical_on_different_days_and_undone():
    game = fiim(technical_fouls_out=2).minute(4).plays(heavy(3)).day(2)
    before = game.state
    assert game.plays(heavy(3)).left == ["3 removed day 2"]
    assert game.undo().state == before
    assert game.legal.technical == game.legal.foul


def test_clubs_technical_before_the_deal_by_no_clause_and_after_the_result():
    assert Table(technical_fouls_out=2).refuses(heavy(3)).code == "not_begun"
    game = technical().minute(4)
    assert game.refuses(heavy(3, "5.6.1")).code == "no_such_clause"
    assert game.refuses(heavy(11)).code == "no_such_seat"
    game = four_left(technical_fouls_out=2).nominates(6, 9).vote({9: [4, 6, 10]}).over()
    game.plays(heavy(4)).plays(heavy(4))
    assert game.seat(4).disqualified == "removed"
    assert game.outcome == "red no_black_left day 4"
