"""wma: the night clause by clause, fouls and their softening, the defeat, and that all the rest is fiim's."""

from dataclasses import fields

import pytest

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.ballot import Offence
from controller.game.roles import Role
from controller.game.rules import Penalty, Rules, Waking
from tests.game.bench import Table, four_left

WMA, FIIM = RULESETS["wma"], RULESETS["fiim"]
FOULS = tuple(f"5.6.{number}" for number in range(1, 13))
DEFEATS = tuple(f"5.8.{number}" for number in range(1, 7))
ITS_OWN = {
    "name",
    "proposals",
    "violations",
    "softened_fourth_foul",
    "void_fourth_foul_after_decision",
    "defeat_disqualifies",
    "clauses",
}


def wma() -> Table:
    return Table("wma").dealt()


def two_nominated() -> Table:
    return wma().nominates(1, 5).nominates(2, 8)


def penalty(clause: str) -> Penalty:
    rule = WMA.violation(clause)
    assert rule is not None, clause
    return rule.penalty


def test_wma_what_the_text_does_not_state_is_as_in_fiim():
    for field in fields(Rules):
        same = getattr(WMA, field.name) == getattr(FIIM, field.name)
        assert same is (field.name not in ITS_OWN), field.name


def test_wma_fiims_clauses_are_not_cited_there():
    for clause in ("6.6.4", "6.7.1", "6.8.1", "5.1.14", "5.6.13", "5.7.21", "5.8.7"):
        assert wma().day(1).refuses(cmd.Foul(3, clause)).code == "no_such_clause"


# --- 4.5, the night


def test_wma_4_5_1_night_falls_after_the_day():
    game = wma().dusk().next()
    assert game.stands == "night of night 1"


def test_wma_4_5_2_from_this_night_on_the_mafia_can_shoot():
    game = wma().next()
    while game.calls is not None:
        assert game.refuses(cmd.Shoot(everybody_at=1)).not_now
        game.next()
    for number in (1, 2):
        assert game.night(number).shoots(number).state.nights[-1].kill == number


def test_wma_4_5_3_the_shooting_is_called_first_and_the_living_black_shoot():
    game = wma().night(1)
    assert game.calls is Waking.SHOOTING
    assert game.refuses(cmd.Shoot(((1, (5,)),))).code == "cannot_shoot"
    assert game.shots({2: [5], 7: [5], 9: [5]}).state.nights[-1].kill == 5


def test_wma_4_5_4_one_whom_all_shot_leaves_at_the_end_of_the_night_with_a_last_minute():
    game = wma().night(1).shoots(5)
    assert 5 in game.living
    game.day(2)
    assert game.left == ["5 shot night 1"]
    assert game.word == (5, 60)


@pytest.mark.parametrize(
    "shots",
    [
        {2: [5], 7: [5], 9: [6]},
        {2: [5], 7: [5], 9: [5, 6]},
        {2: [5], 7: [5], 9: [5, 5]},
        {2: [5], 7: [5], 9: []},
        {2: [5], 7: [5]},
        {},
    ],
)
def test_wma_4_5_5_anything_else_is_a_miss(shots: dict[int, list[int]]):
    game = wma().night(1).shots(shots).day(2)
    assert game.left == []
    assert game.state.nights[-1].killed == ()


def test_wma_4_5_6_the_don_looks_for_the_sheriff():
    game = wma().night(1).shoots(5)
    assert game.don_checks(4)
    assert not wma().night(1).shoots(5).don_checks(2)
    assert game.refuses(cmd.Check(Role.DON, 1)).code == "check_recorded"


def test_wma_4_5_7_the_sheriff_looks_for_black():
    for seat, black in ((2, True), (9, True), (1, False), (4, False)):
        assert wma().night(1).shoots(5).sheriff_checks(seat) is black


def test_wma_4_5_7_after_the_don_and_then_it_is_morning():
    game = wma().night(1).misses()
    calls: list[Waking | None] = []
    while game.calls is not None:
        calls.append(game.calls)
        game.next()
    assert calls == [Waking.SHOOTING, Waking.DON, Waking.SHERIFF]
    assert game.stands == "morning of day 2"


# --- 5.6, fouls


@pytest.mark.parametrize("clause", FOULS)
def test_wma_5_6_each_line_is_a_foul(clause: str):
    assert penalty(clause) is Penalty.FOUL
    assert [foul.clause for foul in wma().day(1).foul(3, clause).seat(3).fouls] == [clause]


def test_wma_5_6_the_third_takes_the_nearest_minute_and_the_fourth_sends_off():
    game = wma().day(1).foul(3, "5.6.1", times=3).minute(3)
    assert game.word == (3, 0)
    assert game.foul(3, "5.6.2").left == ["3 fouled day 1"]


def test_wma_5_6_5_a_hand_pulled_back_is_proposed_and_counts():
    game = two_nominated().hands(5, "1@0.5..1.0")
    assert game.votes == {5: [1]}
    assert game.proposed == ["1 hand_pulled 5.6.5"]


def four_left_of_wma() -> Table:
    return four_left(ruleset="wma")


def pulled(deciding: bool) -> Table:
    """4, 6 and 10 live with the don, 9; 10 has three fouls and pulls the hand."""
    game = four_left_of_wma().nominates(6, 9).nominates(9, 10).ballot().foul(10, times=3)
    game.hands(9, "4@0.5..2.5 6@0.5..2.5 10@0.6..1.0" if deciding else "10@0.6..1.0")
    return game.hands(10, "9@0.5" if deciding else "4@0.5 6@0.5 9@0.5")


def test_wma_5_6_5_the_fourth_is_not_given_where_this_ballot_has_decided_the_game():
    game = pulled(deciding=True)
    (proposal,) = game.state.proposals
    game.plays(cmd.Give(proposal.id))
    assert game.outcome == "red no_black_left day 4"
    assert len(game.seat(10).fouls) == 3
    assert game.seat(10).disqualified is None
    assert game.seat(10).warnings == ()
    assert game.state.proposals[0].given is True


def test_wma_5_6_5_nor_as_a_plain_foul_after_the_result():
    game = pulled(deciding=True).next()
    assert game.foul(10, "5.6.5").seat(10).disqualified is None
    assert len(game.seat(10).fouls) == 3
    game.over().foul(10, "5.6.5")
    assert game.seat(10).disqualified is None
    assert game.foul(10, "5.6.1").seat(10).disqualified == "fouled"


def test_wma_5_6_5_where_the_ballot_decides_nothing_it_is_given():
    game = two_nominated().ballot().foul(1, times=3).hands(5, "1@0.5..1.0").hands(8, "2@0.5")
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.leaves == [8]
    assert game.left == ["8 voted day 1", "1 fouled day 1"]


def test_wma_5_6_5_a_fourth_foul_before_all_is_counted_is_given():
    """Nobody knows yet what the ballot will decide: the current vote is not held (fiim 7.1)."""
    game = four_left_of_wma().nominates(6, 9).nominates(9, 10).ballot().foul(10, times=3)
    game.hands(9, "4@0.5 6@0.5 10@0.6..1.0").plays(cmd.Give(game.state.proposals[0].id))
    assert game.seat(10).disqualified == "fouled"
    assert game.state.ballot is None


def test_wma_5_6_5_one_to_three_fouls_are_given_after_the_decision_too():
    game = four_left_of_wma().nominates(6, 9).hands(9, "4@0.5 6@0.5 10@0.6..1.0").next()
    assert game.outcome == "red no_black_left day 4"
    assert len(game.plays(cmd.Give(game.state.proposals[0].id)).seat(10).fouls) == 1


def test_wma_5_6_5_a_night_that_decided_the_game_spares_nobody():
    """The hand was pulled in a vote that decided nothing; the shot did."""
    game = four_left_of_wma().nominates(6, 9).nominates(9, 10).ballot().foul(4, times=3)
    game.hands(9, "4@0.5..1.0").hands(10, "6@0.5 9@0.5 10@0.5").next()
    assert game.left[-1] == "10 voted day 4"
    assert game.night(4).shoots(6).over().outcome == "black parity night 4"
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.seat(4).disqualified == "fouled"


def test_wma_5_6_5_nor_does_the_vote_of_another_day():
    """The hand was pulled on day 4, where two stayed level; the vote of day 5 has decided the game."""
    game = four_left_of_wma().nominates(6, 9).nominates(9, 10).ballot().foul(10, times=3)
    game.hands(9, "4@0.5 6@0.5").hands(10, "9@0.5 10@0.5..1.0").next().vote({9: [4, 6], 10: [9, 10]})
    game.day(5).nominates(6, 9).vote({9: [4, 6, 10]})
    assert game.outcome == "red no_black_left day 5"
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.seat(10).disqualified == "fouled"


def test_wma_5_6_6_a_hand_put_down_before_the_vote_counts_for_that_candidate_and_is_proposed():
    game = two_nominated().hands(5, "1@-0.5 2@-0.9..-0.5")
    assert game.votes == {5: [1]}
    assert game.proposed == ["2 early_hand 5.6.6", "1 early_hand 5.6.6"]


SOFTENED = ("5.6.6", "5.6.7")


@pytest.mark.parametrize("clause", SOFTENED)
def test_wma_5_6_6_and_5_6_7_in_place_of_the_fourth_foul_there_is_a_warning(clause: str):
    game = wma().day(1).foul(3, times=3).foul(3, clause)
    assert game.left == []
    assert len(game.seat(3).fouls) == 3
    assert [warning.clause for warning in game.seat(3).warnings] == [clause]
    assert game.foul(3, clause).left == ["3 fouled day 1"]


@pytest.mark.parametrize("clause", SOFTENED)
def test_wma_5_6_6_and_5_6_7_each_is_softened_for_itself(clause: str):
    other = next(one for one in SOFTENED if one != clause)
    game = wma().day(1).foul(3, times=3).foul(3, clause).foul(3, other)
    assert game.left == []
    assert [warning.clause for warning in game.seat(3).warnings] == [clause, other]
    assert game.foul(3, clause).left == ["3 fouled day 1"]


@pytest.mark.parametrize("clause", SOFTENED)
def test_wma_5_6_6_and_5_6_7_the_first_three_fouls_are_fouls(clause: str):
    game = wma().day(1).foul(3, clause, times=3)
    assert len(game.seat(3).fouls) == 3
    assert game.seat(3).warnings == ()
    assert game.foul(3, clause).seat(3).in_play
    assert not game.foul(3, clause).seat(3).in_play


@pytest.mark.parametrize("clause", SOFTENED)
def test_wma_5_6_6_and_5_6_7_another_foul_is_the_fourth_after_the_warning(clause: str):
    game = wma().day(1).foul(3, times=3).foul(3, clause).foul(3, "5.6.1")
    assert game.left == ["3 fouled day 1"]


def test_wma_5_6_6_and_5_6_7_each_player_has_the_own_warning():
    game = wma().day(1).foul(3, times=3).foul(4, times=3).foul(3, "5.6.6").foul(4, "5.6.6")
    assert game.left == []


def test_wma_5_6_6_the_repetition_counts_on_a_later_day_too():
    game = wma().day(1).foul(3, times=3).foul(3, "5.6.6").day(3)
    assert game.foul(3, "5.6.6").left == ["3 fouled day 3"]


def test_wma_5_6_6_by_proposal_the_warning_leaves_the_vote_as_it_is():
    game = two_nominated().ballot().foul(1, times=3).hands(5, "1@-0.5")
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.stands == "voting of day 1"
    assert [warning.clause for warning in game.seat(1).warnings] == ["5.6.6"]
    game.hands(8, "2@0.5").next()
    assert game.leaves == [8]
    game.day(2).nominates(2, 5).nominates(3, 6).hands(5, "1@-0.5")
    game.plays(cmd.Give(next(row.id for row in game.state.proposals if (row.seat, row.given) == (1, None))))
    assert game.left[-1] == "1 fouled day 2"
    assert game.state.ballot is None


def test_wma_5_6_7_a_hand_not_raised_falls_to_the_last_and_is_proposed():
    game = two_nominated().hands(5, " ".join(f"{seat}@0.5..2.5" for seat in range(1, 10))).hands(8)
    assert game.assigned == {8: [10]}
    assert game.proposed == ["10 not_raised 5.6.7"]


def test_wma_5_6_7_by_proposal_when_all_is_counted_the_result_is_not_hurried():
    """A warning sends nobody off, so the judge says the result when he wants to."""
    game = two_nominated().ballot().foul(10, times=3)
    game.hands(5, " ".join(f"{seat}@0.5..2.5" for seat in range(1, 10))).hands(8)
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.stands == "voting of day 1"
    assert [warning.clause for warning in game.seat(10).warnings] == ["5.6.7"]
    assert game.next().leaves == [5]


def test_wma_5_6_7_the_second_time_it_is_the_fourth_foul_after_the_result():
    game = two_nominated().ballot().foul(10, times=3).foul(10, "5.6.7")
    game.hands(5, " ".join(f"{seat}@0.5..2.5" for seat in range(1, 10))).hands(8)
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.left == ["5 voted day 1", "10 fouled day 1"]


def test_wma_5_6_10_several_candidates_are_proposed_and_not_softened():
    game = two_nominated().hands(5, "1@0.5..2.5").hands(8, "1@0.5")
    assert game.proposed[0] == "1 several_candidates 5.6.10"
    assert game.votes == {5: [1], 8: []}
    game = wma().day(1).foul(3, times=3).foul(3, "5.6.10")
    assert game.left == ["3 fouled day 1"]


def test_wma_5_6_every_offence_of_a_window_has_its_line():
    assert {what: one.clause for what, one in WMA.proposals.items()} == {
        Offence.EARLY_HAND: "5.6.6",
        Offence.HAND_PULLED: "5.6.5",
        Offence.SEVERAL_CANDIDATES: "5.6.10",
        Offence.NOT_RAISED: "5.6.7",
    }


# --- 5.7, of which the text at hand has the numbers alone


@pytest.mark.parametrize("number", range(1, 21))
def test_wma_5_7_each_number_is_a_removal(number: int):
    assert penalty(f"5.7.{number}") is Penalty.REMOVAL
    assert wma().day(1).remove(3, f"5.7.{number}").left == ["3 removed day 1"]


# --- 5.8, the defeat


@pytest.mark.parametrize("clause", DEFEATS)
def test_wma_5_8_each_line_gives_the_team_the_defeat_and_disqualifies_the_offender(clause: str):
    assert penalty(clause) is Penalty.DEFEAT
    for seat, winner in ((1, "black"), (4, "black"), (2, "red"), (9, "red")):
        game = wma().day(1).plays(cmd.Defeat(seat, clause))
        assert game.outcome == f"{winner} team_defeat day 1"
        assert game.stands == "over of day 1"
        assert game.seat(seat).disqualified == "removed"
        assert game.left == []
        assert [other.number for other in game.state.seats if other.disqualified] == [seat]


def test_wma_5_8_in_fiim_the_offender_is_not_disqualified():
    assert Table().dealt().day(1).plays(cmd.Defeat(3, "6.8.1")).seat(3).disqualified is None


def test_wma_5_8_one_who_was_sent_off_for_it_already_is_so_once():
    game = wma().day(1).foul(3, times=4).plays(cmd.Defeat(3, "5.8.1"))
    assert game.seat(3).disqualified == "fouled"


def test_wma_5_8_3_also_by_one_who_has_left_the_table():
    game = two_nominated().vote({5: range(1, 11)}).day(2).plays(cmd.Defeat(5, "5.8.3"))
    assert game.outcome == "black team_defeat day 2"
    assert game.seat(5).disqualified == "removed"
    assert game.left == ["5 voted day 1"]


def test_wma_5_8_5_in_the_last_minute_and_after_the_vote():
    game = two_nominated().vote({5: range(1, 11)})
    assert game.word == (5, 60)
    game.plays(cmd.Defeat(5, "5.8.5"))
    assert game.outcome == "black team_defeat day 1"
    assert game.left == ["5 voted day 1"]


def test_wma_5_8_while_every_hand_is_counted_the_result_comes_first():
    game = two_nominated().count({5: range(1, 11)}).plays(cmd.Defeat(5, "5.8.1"))
    assert game.left == ["5 voted day 1"]
    assert game.outcome == "black team_defeat day 1"


def test_wma_reading_20_after_the_deciding_result_there_is_no_defeat():
    game = pulled(deciding=True).next()
    assert game.refuses(cmd.Defeat(4, "5.8.1")).code == "game_decided"


def test_wma_reading_21_a_fourth_foul_is_noted_as_a_disqualification():
    assert wma().day(1).foul(3, times=4).seat(3).disqualified == "fouled"
