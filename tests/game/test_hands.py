"""The hand on the table, millisecond by millisecond: every row of the rules page's table, with both ends, for fiim."""

import pytest

from controller.game import commands as cmd
from controller.game.ballot import Touch
from controller.game.commands import Announce, CountHands, CountVote, OpenWindow, RuleHand, VoidWindow
from tests.game.bench import Table, touches

COUNTS, NO_VOTE, LATE = "counts", "no vote", "late"

# What one hand did in a window of 2 s whose count was announced at 3 s: what it is, and what is proposed.
ROWS = {
    "down inside and still down": ("1@0.5", COUNTS, None),
    "down as the judge opens": ("1@0", COUNTS, None),
    "down within the tolerance, still down": ("1@-0.2", COUNTS, None),
    "the tolerance's own end is inside": ("1@-0.3", COUNTS, None),
    "a microsecond before the tolerance": ("1@-0.300001", COUNTS, "early_hand"),
    "long before, still down at the opening": ("1@-5", COUNTS, "early_hand"),
    "long before, up with the opening": ("1@-5..0", COUNTS, "early_hand"),
    "long before, up a microsecond before the opening": ("1@-5..-0.000001", NO_VOTE, "early_hand"),
    "the close itself is inside": ("1@2.0", COUNTS, None),
    "a microsecond after the close": ("1@2.000001", LATE, None),
    "after the close and up again": ("1@2.2..2.4", LATE, None),
    "down inside, up before the close": ("1@0.5..1.999999", COUNTS, "hand_pulled"),
    "up with the close is not before it": ("1@0.5..2.0", COUNTS, None),
    "up after the close, before the count is announced": ("1@0.5..2.5", COUNTS, None),
    "up after the count is announced": ("1@0.5..3.5", COUNTS, None),
    "down within the tolerance and up before the opening": ("1@-0.2..-0.1", NO_VOTE, None),
    "down within the tolerance and up inside": ("1@-0.2..0.5", COUNTS, "hand_pulled"),
    "down within the tolerance and up with the opening": ("1@-0.2..0", COUNTS, "hand_pulled"),
    "down, up, down again": ("1@0.5..0.8 1@1.0", COUNTS, "hand_pulled"),
    "down, up, down, up": ("1@0.5..0.8 1@1.0..1.2", COUNTS, "hand_pulled"),
    "down, up, and down again too late": ("1@0.5..0.8 1@2.5", COUNTS, "hand_pulled"),
    "early and pulled is one proposal, early": ("1@-0.9..0.8", COUNTS, "early_hand"),
    "early, up, and down again inside": ("1@-0.9..-0.4 1@0.5", COUNTS, "early_hand"),
    "early, up, and down again too late": ("1@-0.9..-0.4 1@2.5", LATE, "early_hand"),
    "a tap within the tolerance, then inside": ("1@-0.2..-0.1 1@0.5", COUNTS, None),
    "touches in any order": ("1@1.0 1@0.5..0.8", COUNTS, "hand_pulled"),
}


def opened() -> Table:
    return Table().dealt().nominates(1, 5).nominates(2, 8).ballot()


@pytest.mark.parametrize("row", ROWS)
def test_a_hand_on_the_table(row: str):
    seen, what, proposal = ROWS[row]
    game = opened().hands(5, seen, announced=3.0)
    assert game.votes == {5: [1] if what is COUNTS else []}
    assert game.late == ({5: [1]} if what is LATE else {})
    assert game.proposed == ([] if proposal is None else [f"1 {proposal} 6.6.4"])


def test_hands_stand_in_the_order_they_came_down():
    game = opened().hands(5, "7@1.0 3@-0.2 1@0.5..0.7 2@-0.9 9@2.0 1@0.1..0.2")
    assert game.votes == {5: [2, 3, 1, 7, 9]}


def test_a_hand_that_was_put_down_before_and_again_stands_where_it_came_down_as_a_vote():
    game = opened().hands(5, "1@-0.9..-0.4 1@1.0 2@0.5")
    assert game.votes == {5: [2, 1]}


def test_two_hands_at_the_same_microsecond_stand_by_seat():
    assert opened().hands(5, "7@0.5 3@0.5").votes == {5: [3, 7]}


def test_proposals_stand_in_the_order_of_the_hands():
    game = opened().hands(5, "5@0.6..1.4 4@-0.8..2.9 1@0.35..2.9 7@0.1..0.2")
    game.hands(8, "1@0.9..3 6@-0.9..-0.4 2@0.5 3@0.5 5@0.3 7@0.2 9@0.1")
    assert game.proposed == [
        "4 early_hand 6.6.4",
        "7 hand_pulled 6.6.4",
        "5 hand_pulled 6.6.4",
        "6 early_hand 6.6.4",
        "7 several_candidates 6.6.7",
        "5 several_candidates 6.6.7",
        "1 several_candidates 6.6.7",
        "6 not_raised 6.6.7",
        "8 not_raised 6.6.7",
        "10 not_raised 6.6.7",
    ]


def test_a_hand_that_still_rests_from_its_candidate_is_not_a_new_hand():
    for again in ("", "1@-1.5", "1@-1.5..0.5", "1@-1.5..-0.5"):
        game = opened().hands(5, "1@0.5").hands(8, again)
        assert game.votes == {5: [1], 8: []}, again
        assert "1" not in [line.split()[0] for line in game.proposed], again


def test_the_same_hand_rests_through_three_candidates():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).nominates(3, 1).ballot()
    game.hands(5, "1@0.5").hands(8, "1@-3").hands(1, "1@-6..1.0")
    assert game.votes == {5: [1], 8: [], 1: []}
    assert not [line for line in game.proposed if line.startswith("1 ")]


def test_a_hand_that_was_lifted_and_comes_down_again_is_a_second_one():
    for again in ("1@0.5", "1@-0.2", "1@-1.5..0.2 1@0.5", "1@-1.5..-1.0 1@0.5", "1@-5", "1@1.0..1.2"):
        first = "1@0.5" if again.startswith("1@-1.5") else "1@0.5..2.5"
        game = opened().hands(5, first).hands(8, again)
        assert game.votes == {5: [1], 8: []}, again
        assert [line for line in game.proposed if line.startswith("1 ")] == ["1 several_candidates 6.6.7"], again


def test_a_second_hand_that_gives_no_vote_is_not_several_candidates():
    for again, proposed in (("1@2.5", []), ("1@-0.2..-0.1", []), ("1@-0.9..-0.5", ["1 early_hand 6.6.4"])):
        game = opened().hands(5, "1@0.5..2.5").hands(8, again)
        assert game.votes == {5: [1], 8: []}, again
        assert [line for line in game.proposed if line.startswith("1 ")] == proposed, again


def test_a_late_hand_falls_to_the_last_candidate():
    game = opened().hands(5, "1@2.5..2.9").hands(8, "2@0.5")
    assert game.votes == {5: [], 8: [2]}
    assert 1 in game.assigned[8]
    assert "1 not_raised 6.6.7" in game.proposed


def test_a_late_hand_still_resting_at_the_next_opening_is_an_early_hand_there():
    for again in ("", "1@-1.0", "1@-1.0..1.0"):
        game = opened().hands(5, "1@2.5").hands(8, again)
        assert game.votes == {5: [], 8: [1]}, again
        assert game.late == {5: [1]}
        assert game.proposed[0] == "1 early_hand 6.6.4", again
        assert not [line for line in game.proposed[1:] if line.startswith("1 ")], again
    game = opened().hands(5, "1@2.5").hands(8, "2@0.1..0.2")
    assert game.proposed[:2] == ["1 early_hand 6.6.4", "2 hand_pulled 6.6.4"]


def test_a_hand_that_left_since_is_a_new_one_at_the_third_candidate():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).nominates(3, 1).ballot()
    game.hands(5, "1@0.5").hands(8, "1@-3.0..1.0").hands(1, "1@-0.9")
    assert game.proposed[0] == "1 several_candidates 6.6.7"


def test_a_hand_rests_through_the_judges_own_count():
    game = Table().dealt().nominates(1, 5).nominates(2, 8).nominates(3, 1).ballot()
    game.hands(5, "1@0.5").plays(CountVote(8, (2,))).hands(1, "1@-9.0")
    assert game.votes == {5: [1], 8: [2], 1: []}
    assert not [line for line in game.proposed if line.startswith("1 ")]


def test_a_hand_the_judge_counted_is_the_first_one():
    game = opened().plays(CountVote(5, (1, 2))).hands(8, "1@0.5 3@0.6")
    assert game.votes == {5: [1, 2], 8: [3]}
    assert game.proposed[0] == "1 several_candidates 6.6.7"


def test_a_late_hand_that_left_before_the_next_opening_gives_no_vote_there():
    game = opened().hands(5, "1@2.5").hands(8, "1@-1.0..-0.5")
    assert game.votes == {5: [], 8: []}
    assert game.proposed[0] == "1 early_hand 6.6.4"


def test_never_down_through_the_last_candidate_falls_to_it():
    game = opened().hands(5, "1@0.5 2@0.5 3@0.5").hands(8, "4@0.5 5@0.5 6@0.5 7@0.5 8@0.5 9@0.5")
    assert game.assigned == {8: [10]}
    assert game.proposed == ["10 not_raised 6.6.7"]


def test_nothing_is_proposed_for_hands_not_raised_before_the_last_candidate():
    assert opened().hands(5, "1@0.5").proposed == []


def test_what_the_judge_counted_himself_proposes_nothing():
    game = opened().count({5: [1], 8: [2]})
    assert game.proposed == []
    assert len(game.assigned[8]) == 8


def test_a_tournament_may_choose_another_tolerance():
    game = Table(early_tolerance=100_000).dealt().nominates(1, 5).nominates(2, 8)
    assert game.hands(5, "1@-0.1 2@-0.2").proposed == ["2 early_hand 6.6.4"]


# --- the judge over the sensors


def test_a_ruling_yes_counts_a_hand_that_no_sensor_saw():
    game = opened().hands(5, "1@0.5").rule(5, 2, counts=True)
    assert game.votes == {5: [1, 2]}
    assert game.hands(8, "3@0.5").votes == {5: [1, 2], 8: [3]}
    assert "2 not_raised 6.6.7" not in game.proposed


def test_a_ruling_yes_moves_the_hand_from_wherever_it_was_counted():
    game = opened().hands(5, "1@0.5..2.5 2@0.5..2.5").hands(8, "3@0.5").rule(8, 1, counts=True)
    assert game.votes == {5: [2], 8: [3, 1]}
    game.rule(5, 3, counts=True)
    assert game.votes == {5: [2, 3], 8: [1]}
    assert not [line for line in game.proposed if "several" in line]


def test_a_hand_that_was_moved_is_still_one_hand():
    """The sensor saw it once, for 8; the judge says that it was for 5."""
    game = opened().hands(5, "2@0.5..2.5").hands(8, "1@0.5").rule(5, 1, counts=True)
    assert game.votes == {5: [2, 1], 8: []}
    assert not [line for line in game.proposed if line.startswith("1 ")]


def test_two_hands_that_were_seen_stay_two_whichever_the_judge_rules_to_count():
    game = opened().hands(5, "1@0.5..2.5").hands(8, "1@0.5").rule(8, 1, counts=True)
    assert game.votes == {5: [], 8: [1]}
    assert game.proposed[0] == "1 several_candidates 6.6.7"


def test_a_ruling_no_frees_the_hand_and_it_falls_to_the_last_without_a_proposal():
    game = opened().hands(5, "1@0.5..2.5 2@0.5").rule(5, 1, counts=False).hands(8, "3@0.5")
    assert game.votes == {5: [2], 8: [3]}
    assert 1 in game.assigned[8]
    assert not [line for line in game.proposed if line.startswith("1 ")]


def test_a_hand_that_was_freed_may_be_raised_for_another():
    game = opened().hands(5, "1@0.5..2.5").rule(5, 1, counts=False).hands(8, "1@0.5")
    assert game.votes == {5: [], 8: [1]}
    assert not [line for line in game.proposed if line.startswith("1 ")]


def test_a_hand_that_was_ruled_out_and_still_rests_is_not_counted_for_the_next():
    game = opened().hands(5, "1@0.5").rule(5, 1, counts=False).hands(8, "1@-2.0")
    assert game.votes == {5: [], 8: []}
    assert 1 in game.assigned[8]


def test_the_last_ruling_stands():
    game = opened().hands(5, "1@0.5..2.5").rule(5, 1, counts=False).rule(5, 1, counts=True)
    assert game.votes == {5: [1]}
    assert game.rule(5, 1, counts=False).votes == {5: []}


def test_a_hand_ruled_out_and_in_again_stands_where_it_stood():
    game = opened().hands(5, "1@0.5..2.5 2@0.6").rule(5, 1, counts=False).rule(5, 1, counts=True)
    assert game.votes == {5: [1, 2]}
    assert game.hands(8, "1@0.5").proposed[0] == "1 several_candidates 6.6.7"


def test_what_was_ruled_on_an_early_hand_leaves_the_proposal_to_the_judge():
    game = opened().hands(5, "1@-0.9").rule(5, 1, counts=False)
    assert game.votes == {5: []}
    assert game.proposed == ["1 early_hand 6.6.4"]


def test_hands_are_ruled_for_a_called_candidate_alone_while_open_and_until_the_result():
    game = opened()
    assert game.refuses(RuleHand(5, 1, counts=True)).code == "not_called_yet"
    game.plays(OpenWindow()).rule(5, 1, counts=True)
    assert game.refuses(RuleHand(8, 1, counts=True)).code == "not_called_yet"
    game.plays(CountHands(5, touches("2@0.5")))
    assert game.votes == {5: [2, 1]}
    assert game.refuses(RuleHand(3, 1, counts=True)).code == "not_a_candidate"
    assert game.refuses(RuleHand(5, 11, counts=True)).code == "not_living"
    game.hands(8).rule(5, 3, counts=True).next()
    assert game.refuses(RuleHand(5, 4, counts=True)).code == "no_ballot"
    assert [(ruling.candidate, ruling.seat) for ruling in game.row.rulings] == [(5, 1), (5, 3)]


def test_a_ruling_can_change_the_result_until_it_is_said():
    game = opened().hands(5, "1@0.5 2@0.5 3@0.5 4@0.5 6@0.5").hands(8, "7@0.5 8@0.5 9@0.5 10@0.5 5@0.5")
    game.rule(5, 7, counts=True).next()
    assert game.leaves == [5]


def test_a_ruling_holds_over_the_judges_own_count_too():
    game = opened().plays(CountVote(5, (1, 2))).rule(5, 2, counts=False).rule(5, 3, counts=True)
    assert game.votes == {5: [1, 3]}


# --- the window


def test_while_a_window_is_open_the_judge_rules_closes_voids_fouls_and_removes_and_nothing_else():
    game = opened().plays(OpenWindow(7))
    for command in (cmd.Next(), OpenWindow(), cmd.Warn(1), cmd.Defeat(1), cmd.Annul(), Announce(5, (), 1)):
        assert game.refuses(command).code == "window_open"
    now = game.legal
    assert (now.next, now.open_window, now.warn, now.defeat, now.annul) == (False, False, (), (), False)
    assert now.close_window
    assert now.void_window
    assert now.count
    assert now.rule == now.foul == now.remove == tuple(range(1, 11))
    game.foul(1).rule(5, 1, counts=True).plays(VoidWindow()).plays(OpenWindow()).plays(CountVote(5, (1,)))
    assert game.votes == {5: [1]}


def test_a_window_is_closed_for_the_candidate_it_was_opened_for():
    game = opened()
    assert game.refuses(CountHands(5)).code == "no_window"
    game.plays(OpenWindow())
    assert game.refuses(CountHands(8)).code == "out_of_order"
    assert game.refuses(CountHands(3)).code == "not_a_candidate"
    assert game.refuses(CountHands(5, (Touch(1, 5, 4),))).code == "hand_up_before_down"
    assert game.refuses(CountHands(5, (Touch(11, 5),))).code == "not_living"


def test_a_voided_window_is_repeated_and_its_rulings_go_with_it():
    game = opened().hands(5, "1@0.5 2@-0.9").rule(5, 3, counts=True).plays(VoidWindow())
    assert (game.votes, game.proposed) == ({}, [])
    game.hands(5, "4@0.5")
    assert game.votes == {5: [4]}
    game.plays(OpenWindow()).plays(VoidWindow())
    assert game.votes == {5: [4]}
    assert opened().refuses(VoidWindow()).code == "no_window"


def test_voiding_the_last_window_takes_back_what_fell_to_it():
    game = opened().hands(5, "1@0.5").hands(8, "2@0.5").plays(VoidWindow())
    assert (game.votes, game.assigned, game.proposed) == ({5: [1]}, {}, [])
    assert game.refuses(cmd.Next()).code == "not_counted"
    assert game.hands(8, "3@0.5").votes == {5: [1], 8: [3]}


def test_a_hand_that_was_moved_to_a_voided_window_is_back_where_it_was_counted():
    game = opened().hands(5, "1@0.5..2.5").hands(8, "2@0.5").rule(8, 1, counts=True)
    assert game.votes == {5: [], 8: [2, 1]}
    assert game.plays(VoidWindow()).votes == {5: [1]}


def test_an_answered_proposal_outlives_the_window():
    game = opened().hands(5, "1@-0.9 2@-0.9")
    game.plays(cmd.Give(game.state.proposals[0].id)).plays(VoidWindow())
    assert [(row.seat, row.given) for row in game.state.proposals] == [(1, True)]
    game.hands(5, "2@-1.0 1@-0.9")
    assert [(row.seat, row.given) for row in game.state.proposals] == [(2, None), (1, True)]


def test_the_evidence_is_completed_until_the_next_window():
    game = opened().hands(5, "1@0.5").plays(Announce(5, touches("1@0.5..2.5"), 3_000_000))
    count = game.state.ballot.counts[0] if game.state.ballot else None
    assert count is not None
    assert (count.announced, count.touches) == (3_000_000, touches("1@0.5..2.5"))
    game.hands(8, "1@0.4")
    assert game.proposed[0] == "1 several_candidates 6.6.7"
    assert game.refuses(Announce(5, (), 1)).code == "no_window"
    assert opened().refuses(Announce(5, (), 1)).code == "no_window"
    assert opened().plays(CountVote(5, ())).refuses(Announce(5, (), 1)).code == "no_window"
    assert opened().hands(5).refuses(Announce(5, (Touch(11, 1),), 1)).code == "not_living"


def test_a_hand_in_a_revote_is_a_new_hand():
    game = opened().hands(5, "1@0.5 2@0.5 3@0.5 4@0.5 6@0.5").hands(8).next()
    assert game.word == (5, 30)
    game.hands(5, "7@0.5").hands(8, "1@0.5")
    assert game.votes == {5: [7], 8: [1]}
    assert not [row for row in game.state.proposals if row.seat == 1 and row.id.startswith("2.")]


def test_the_record_keeps_what_the_sensors_saw_and_what_the_judge_ruled():
    game = opened().hands(5, "1@0.5 2@0.5").rule(5, 2, counts=False).hands(8, "3@0.5").next()
    assert game.row.counts[0].touches == touches("1@0.5 2@0.5")
    assert [(ruling.candidate, ruling.seat, ruling.counts) for ruling in game.row.rulings] == [(5, 2, False)]
