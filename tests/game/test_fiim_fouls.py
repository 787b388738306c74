"""fiim 5 and 6: what is a violation and what it costs; warnings, fouls, removals, the defeat of a team."""

import pytest

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.phases import Over
from controller.game.rules import Penalty, Waking
from tests.game.bench import Table, four_left

FOULS = ("6.6.1", "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.6.6", "6.6.7", "6.6.9")
REMOVALS = tuple(f"6.7.{number}" for number in range(1, 13))
DEFEATS = ("6.8.1", "6.8.2", "6.8.3", "6.8.4")

# Each line of 5.1 with the line of section 6 that has the same words.
LISTED = {
    "5.1.1": "6.8.1",
    "5.1.2": "6.8.2",
    "5.1.3": "6.7.10",
    "5.1.4": "6.8.3",
    "5.1.5": "6.7.4",
    "5.1.6": "6.7.3",
    "5.1.7": "6.7.5",
    "5.1.8": "6.7.2",
    "5.1.9": "6.7.6",
    "5.1.10": "6.7.1",
    "5.1.11": "6.7.8",
    "5.1.12": "6.6.3",
    "5.1.13": "6.6.2",
    "5.1.14": "6.6.1",
    "5.1.15": "6.6.4",
    "5.1.16": "6.6.6",
    "5.1.17": "6.7.7",
    "5.1.18": "6.8.2",
    "5.1.19": "6.8.2",
    "5.1.20": "6.6.7",
    "5.1.21": "6.6.9",
    "5.1.22": "6.7.11",
    "5.1.23": "6.7.12",
}


def penalty(clause: str) -> Penalty:
    rule = RULESETS["fiim"].violation(clause)
    assert rule is not None, clause
    return rule.penalty


@pytest.mark.parametrize(("listed", "line"), LISTED.items())
def test_fiim_5_1_every_violation_is_known_and_costs_what_section_6_says(listed: str, line: str):
    assert penalty(listed) is penalty(line)


def test_fiim_6_1_the_judge_records_a_violation_with_its_clause_and_time():
    game = Table().dealt().day(1).foul(3, "6.6.1")
    (foul,) = game.seat(3).fouls
    assert (foul.clause, str(foul.at)) == ("6.6.1", "day 1")
    game.foul(3)
    assert game.seat(3).fouls[1].clause is None


def test_fiim_6_2_a_clause_that_the_text_does_not_have_is_refused():
    game = Table().dealt().day(1)
    for command in (cmd.Foul, cmd.Warn, cmd.Remove, cmd.Defeat):
        for clause in ("6.6.8", "6.6.10", "5.6.7", ""):
            assert game.refuses(command(3, clause)).code == "no_such_clause"


def test_fiim_6_2_nobody_is_punished_before_the_deal_or_at_no_seat():
    for command in (cmd.Foul, cmd.Warn, cmd.Remove, cmd.Defeat):
        assert Table().refuses(command(3)).code == "not_begun"
        for seat in (0, 11):
            assert Table().dealt().next().refuses(command(seat)).code == "no_such_seat"


def test_fiim_6_3_a_warning_a_foul_a_removal_or_a_defeat():
    game = Table().dealt().day(1)
    assert game.plays(cmd.Warn(3, "6.6.1")).seat(3).fouls == ()
    assert [warning.clause for warning in game.seat(3).warnings] == ["6.6.1"]
    for _ in range(9):
        game.plays(cmd.Warn(3))
    assert game.living == tuple(range(1, 11))
    assert game.foul(3).seat(3).fouls != ()
    assert game.remove(3, "6.7.1").left == ["3 removed day 1"]
    assert game.plays(cmd.Defeat(4, "6.8.1")).outcome == "black team_defeat day 1"


def test_fiim_6_4_the_third_foul_takes_the_nearest_minute():
    game = Table().dealt().day(1).foul(3, times=3).minute(3)
    assert game.word == (3, 0)
    assert game.day(2).minute(3).word == (3, 60)


def test_fiim_6_4_the_silent_one_may_nominate():
    game = Table().dealt().day(1).foul(3, times=3).nominates(3, 5)
    assert game.candidates == (5,)


def test_fiim_6_4_two_fouls_take_nothing():
    game = Table().dealt().day(1).foul(3, times=2).minute(3)
    assert game.word == (3, 60)


def test_fiim_6_4_a_third_foul_at_night_takes_the_next_day():
    game = Table().dealt().night(1).misses().foul(3, times=3).day(2).minute(3)
    assert game.word == (3, 0)


def test_fiim_6_4_a_third_foul_after_the_own_minute_takes_tomorrows():
    game = Table().dealt().minute(5).foul(3, times=3)
    assert game.day(2).minute(3).word == (3, 0)
    assert game.day(3).minute(3).word == (3, 60)


def test_fiim_6_5_the_fourth_foul_sends_off_at_once_without_a_last_word():
    game = Table().dealt().minute(2).foul(5, times=4)
    assert game.left == ["5 fouled day 1"]
    assert game.word == (2, 60)
    assert 5 not in [seat for seat, _ in game.dusk().speeches]
    assert game.refuses(cmd.Foul(5)).code == "has_left"


def test_fiim_6_5_so_does_a_disqualifying_foul():
    game = Table().dealt().minute(2).remove(5, "6.7.7")
    assert game.left == ["5 removed day 1"]
    assert game.word == (2, 60)
    assert 5 not in [seat for seat, _ in game.dusk().speeches]
    assert game.refuses(cmd.Remove(5)).code == "has_left"


def test_fiim_6_5_one_shot_and_sent_off_in_the_morning_has_no_last_word():
    game = Table().dealt().night(1).shoots(5).morning(2).remove(5)
    assert game.next().word == (2, 60)
    assert game.left == ["5 shot night 1"]


def test_fiim_6_5_one_shot_and_sent_off_in_that_night_has_no_last_word():
    game = Table().dealt().night(1).shoots(5).remove(5).day(2)
    assert game.word == (2, 60)
    assert game.left == ["5 shot night 1"]


def test_fiim_6_5_one_voted_out_and_sent_off_in_the_last_word_stays_voted():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).vote({5: range(1, 11)}).foul(5, times=4)
    assert game.left == ["5 voted day 1"]
    assert game.seat(5).disqualified == "fouled"
    assert game.next().stands == "dusk of day 1"
    assert game.refuses(cmd.Foul(5)).code == "has_left"


def test_fiim_6_5_of_two_who_were_raised_the_second_loses_the_word():
    game = Table().dealt().nominates(1, 8).nominates(2, 5)
    for _ in range(2):
        game.vote({8: [1, 2, 3, 4, 6], 5: []})
    game.raises(1, 2, 3, 4, 6, 7)
    assert game.word == (8, 60)
    assert game.remove(5).next().stands == "dusk of day 1"
    assert game.left == ["8 raised day 1", "5 raised day 1"]


@pytest.mark.parametrize("clause", FOULS)
def test_fiim_6_6_each_line_is_a_foul(clause: str):
    assert penalty(clause) is Penalty.FOUL
    assert len(Table().dealt().day(1).foul(3, clause).seat(3).fouls) == 1


def test_fiim_6_6_4_a_hand_pulled_or_put_down_before_the_vote_is_proposed_as_a_foul():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@-0.5 2@0.5..1.5")
    assert game.proposed == ["1 early_hand 6.6.4", "2 hand_pulled 6.6.4"]
    assert (game.seat(1).fouls, game.seat(2).fouls) == ((), ())


def test_fiim_6_6_7_several_candidates_or_none_at_the_last_are_proposed_as_a_foul():
    game = Table().dealt().nominates(1, 5).nominates(2, 8)
    game.hands(5, " ".join(f"{seat}@0.5..2.5" for seat in range(1, 10))).hands(8, "1@0.5..2.5")
    assert game.proposed == ["1 several_candidates 6.6.7", "10 not_raised 6.6.7"]


def test_fiim_6_6_a_proposal_is_nothing_until_the_judge_gives_it():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@-0.5 2@0.5..1.5")
    early, pulled = game.state.proposals
    game.plays(cmd.Give(early.id))
    assert [foul.clause for foul in game.seat(1).fouls] == ["6.6.4"]
    game.plays(cmd.Waive(pulled.id))
    assert game.seat(2).fouls == ()
    for answer in (cmd.Give, cmd.Waive):
        assert game.refuses(answer(early.id)).code == "proposal_answered"
        assert game.refuses(answer(pulled.id)).code == "proposal_answered"
        assert game.refuses(answer("9.9.9.early_hand")).code == "no_such_proposal"


def test_fiim_6_6_a_proposal_that_was_given_is_not_proposed_again():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).hands(5, "1@-0.5")
    game.plays(cmd.Give(game.state.proposals[0].id)).hands(8, "2@0.5").rule(8, 3, counts=True)
    assert [row.given for row in game.state.proposals if row.seat == 1] == [True]
    assert len(game.seat(1).fouls) == 1


def test_fiim_6_6_a_given_proposal_may_be_the_fourth_foul():
    """The ballot was not counted to its end: the current vote is not held (7.1)."""
    game = Table().dealt().nominates(1, 5).nominates(2, 8).minute(10).foul(1, times=3).hands(5, "1@-0.5")
    game.plays(cmd.Give(game.state.proposals[0].id))
    assert game.left == ["1 fouled day 1"]
    assert game.stands == "dusk of day 1"
    assert game.state.ballots == ()


@pytest.mark.parametrize("clause", REMOVALS)
def test_fiim_6_7_each_line_is_a_removal(clause: str):
    assert penalty(clause) is Penalty.REMOVAL
    assert Table().dealt().day(1).remove(3, clause).left == ["3 removed day 1"]


@pytest.mark.parametrize("clause", DEFEATS)
def test_fiim_6_8_each_line_gives_the_team_the_defeat(clause: str):
    assert penalty(clause) is Penalty.DEFEAT
    for seat, winner in ((1, "black"), (4, "black"), (2, "red"), (9, "red")):
        game = Table().dealt().day(1).plays(cmd.Defeat(seat, clause))
        assert game.outcome == f"{winner} team_defeat day 1"
        assert game.stands == "over of day 1"


def test_fiim_6_8_a_defeat_ends_the_game_in_every_phase_and_leaves_no_ballot():
    game = four_left()
    while not isinstance(game.phase, Over):
        if game.calls is Waking.SHOOTING:
            game.misses()
        assert game.plays(cmd.Defeat(9)).outcome == f"red team_defeat {game.state.at}"
        assert game.stands.startswith("over")
        game.undo().next()
    game = Table().dealt().nominates(1, 5).nominates(2, 8).ballot().plays(cmd.Defeat(9))
    assert game.stands == "over of day 1"
    assert game.state.ballot is None


def test_fiim_6_8_not_after_the_result():
    game = four_left().nominates(6, 9).vote({9: [4, 6, 10]})
    assert game.refuses(cmd.Defeat(4)).code == "game_decided"
    assert game.next().refuses(cmd.Defeat(4)).code == "game_over"
