"""The vote window from the first edge to the count and its announcement."""

from pathlib import Path

import pytest

from controller.game.commands import Announce, CountVote, Foul, Next, Nominate, RuleHand, Shoot, VoidWindow
from controller.table.clock import SECOND
from controller.table.state import Contact, Stage, What
from controller.table.wishes import Accepted, AnnounceCount, CloseWindow, CountWindow, Redo, Undo
from firmware_bridge.core import DeviceInfo, Gap, LinkStatus
from tests.table.bench import TableBench


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.second_day(5, 6)
    yield bench
    await bench.table.close()


async def test_hands_in_a_window_are_counted_by_themselves_when_it_closes(table: TableBench):
    await table.opens()
    await table.advance(0.4)
    table.hand(4, down=True, at=0.35)
    table.hand(7, down=True, at=0.2)
    assert table.window.hands == (7, 4)
    assert table.stage is Stage.OPEN
    await table.advance(2.0)
    assert table.stage is None
    assert table.hands == {5: [7, 4]}
    await table.opens()
    await table.advance(2.1)
    await table.does(Next())
    assert table.leaves == [6]


async def test_a_hand_is_shown_at_once_and_is_no_command(table: TableBench):
    await table.opens()
    before = table.now.revision
    table.hand(4, down=True, at=0.0)
    assert table.heard(What.HANDS)[-1].command is None
    assert table.window.hands == (4,)
    assert table.now.contacts[4] is Contact.DOWN
    assert table.now.contacts[5] is Contact.UP
    await table.settle()
    assert table.now.revision == before


async def test_what_counts_is_when_the_hand_came_down_and_not_when_it_was_heard_of(table: TableBench):
    await table.opens()
    await table.advance(1.9)
    table.cuts()
    table.hand(4, down=True, at=1.999)
    table.hand(8, down=True, at=2.001)
    await table.advance(1.5)
    assert table.stage is Stage.WAITING
    assert 4 in table.window.waiting_for
    table.mends()
    await table.advance(0.1)
    assert table.hands == {5: [4]}
    assert table.state.ballot is not None
    assert table.state.ballot.votes[0].late == (8,)


async def test_a_link_cut_of_two_seconds_in_the_middle_loses_no_vote_and_invents_none(table: TableBench):
    await table.opens()
    table.hand(1, down=True, at=0.1)
    await table.advance(0.5)
    table.cuts()
    table.hand(2, down=True, at=0.7)
    table.hand(1, down=False, at=1.0)
    table.hand(3, down=True, at=1.5)
    table.hand(3, down=False, at=2.2)
    await table.advance(2.0)
    assert table.stage is Stage.WAITING
    assert table.window.hands == (1,)
    table.mends()
    await table.advance(0.1)
    assert table.hands == {5: [1, 2, 3]}
    assert [(p.seat, p.what.value) for p in table.state.proposals] == [(1, "hand_pulled")]


async def test_while_seats_are_waited_for_the_judge_counts_what_there_is(table: TableBench):
    await table.opens()
    table.hand(2, down=True, at=0.3)
    await table.advance(1.0)
    table.cuts()
    table.hand(9, down=True, at=1.2)
    await table.advance(3.0)
    assert table.stage is Stage.WAITING
    await table.does(CountWindow())
    assert table.hands == {5: [2]}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged
    table.mends()
    await table.opens()  # the late news changes nothing of a count that was shown
    await table.advance(2.1)
    assert table.hands[5] == [2]


async def test_while_seats_are_waited_for_the_judge_may_count_by_eye_or_repeat(table: TableBench):
    await table.opens()
    table.cuts()
    await table.advance(3.0)
    await table.does(CountVote(5, (2, 3)))
    assert table.hands == {5: [2, 3]}
    assert table.stage is None
    await table.does(Undo())
    assert table.stage is Stage.UNDECIDED
    await table.does(VoidWindow())
    table.mends()
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: []}


async def test_a_window_cannot_be_counted_before_it_closes(table: TableBench):
    await table.opens()
    await table.advance(1.0)
    assert await table.refuses(CountWindow()) == "window_open"


async def test_without_any_sensor_the_window_closes_and_the_judge_counts(tmp_path: Path):
    table = await TableBench.open(tmp_path, sensors=False)
    await table.second_day(5, 6)
    await table.opens()
    await table.advance(2.5)
    assert table.stage is Stage.TALLY
    assert table.window.waiting_for == ()
    assert table.now.step.do == "count"
    assert table.now.contacts[3] is Contact.LOST
    await table.does(CountVote(5, (1, 2, 3)))
    assert table.hands == {5: [1, 2, 3]}
    await table.table.close()


async def test_closed_by_hand_the_window_ends_there(table: TableBench):
    await table.opens()
    table.hand(1, down=True, at=0.5)
    await table.advance(1.0)
    table.hand(2, down=True, at=0.95)
    table.hand(3, down=True, at=0.99)
    await table.does(CloseWindow(), at=table.clock.now() - round(0.03 * SECOND))
    await table.advance(0.1)
    assert table.hands == {5: [1, 2]}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].closed == 970_000


async def test_a_close_that_comes_when_the_window_has_closed_itself_is_no_mistake(table: TableBench):
    await table.opens()
    seen = table.now.revision
    await table.advance(2.1)
    await table.does(CloseWindow(), revision=seen)
    assert table.hands == {5: []}


async def test_a_key_pressed_before_the_window_opened_does_not_close_it(table: TableBench):
    await table.advance(1.0)
    pressed = table.clock.now()
    await table.advance(0.5)
    await table.opens()
    table.signal("vote", down=True, at=pressed)
    await table.settle()
    assert [cause.refusal.code for cause in table.heard(What.REFUSED) if cause.refusal] == ["stale"]
    assert table.stage is Stage.OPEN
    table.hand(4, down=True, at=0.5)
    await table.advance(2.1)
    assert table.hands == {5: [4]}


async def test_a_close_from_before_the_opening_is_refused(table: TableBench):
    await table.opens()
    assert await table.refuses(CloseWindow(), at=table.opened - 1) == "before_opening"
    assert await table.refuses(CloseWindow(), at=table.opened - 1, origin="board") == "before_opening"
    assert table.stage is Stage.OPEN


async def test_a_key_that_closed_the_window_is_heard_of_when_it_has_closed_itself_and_opens_no_other(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(1.9)
    pressed = table.clock.now()
    await table.advance(1.0)
    assert table.hands == {5: [4]}
    table.signal("vote", down=True, at=pressed)
    await table.settle()
    assert table.stage is None


async def test_a_screens_tap_opens_the_window_at_its_own_time_for_the_last_quarter_of_a_second(table: TableBench):
    now = table.clock.now()
    await table.opens(at=now - round(0.1 * SECOND))
    assert table.opened == now - round(0.1 * SECOND)
    await table.does(Undo())
    await table.opens(at=now - 5 * SECOND)
    assert table.opened == now - round(0.25 * SECOND)
    await table.does(Undo())
    await table.opens(at=now + 5 * SECOND)
    assert table.opened == now


async def test_the_boards_key_opens_the_window_at_its_own_stamp(table: TableBench):
    await table.advance(1.0)
    pressed = table.clock.now() - round(0.6 * SECOND)
    table.signal("vote", down=True, at=pressed)
    await table.settle()
    assert table.state.ballot is not None
    assert table.state.ballot.opened == pressed


async def test_a_hand_that_came_down_before_the_tap_was_heard_of_is_in_the_window(table: TableBench):
    table.hand(2, down=True, at=-0.2)
    table.opened = table.clock.now()
    table.hand(2, down=True, at=0.0)
    await table.opens()
    assert table.window.hands == (2,)


async def test_a_hand_resting_since_long_before_the_opening_is_early_and_counts(table: TableBench):
    table.opened = table.clock.now()
    table.hand(2, down=True, at=0.0)
    await table.advance(1.0)
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: [2]}
    assert [(p.seat, p.what.value) for p in table.state.proposals] == [(2, "early_hand")]


async def test_a_hand_lifted_between_ballot_and_opening_is_evidence_of_an_early_hand(table: TableBench):
    table.opened = table.clock.now()
    table.hand(2, down=True, at=0.1)
    table.hand(2, down=False, at=0.2)
    await table.advance(1.0)
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: []}
    assert [(p.seat, p.what.value) for p in table.state.proposals] == [(2, "early_hand")]


async def test_the_announcement_completes_the_evidence_in_the_same_decision(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(2.2)
    decisions = table.now.history.length
    table.hand(4, down=False, at=2.5)
    table.hand(9, down=True, at=2.6)
    await table.advance(0.8)
    await table.opens()
    ballot = table.state.ballot
    assert ballot is not None
    assert [(t.seat, t.down, t.up) for t in ballot.counts[0].touches] == [(4, 500_000, 2_500_000), (9, 2_600_000, None)]
    assert ballot.counts[0].announced == 3_000_000
    assert ballot.votes[0].hands == (4,)
    assert ballot.votes[0].late == (9,)
    assert table.now.history.length == decisions + 1
    await table.does(Undo())
    ballot = table.state.ballot
    assert ballot is not None
    assert not ballot.is_open
    assert ballot.counts[0].announced is None
    await table.does(Redo())
    ballot = table.state.ballot
    assert ballot is not None
    assert ballot.counts[0].announced == 3_000_000


async def test_the_judge_announces_the_count_and_hands_may_leave_from_then_on(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    table.hand(9, down=True, at=2.3)  # too late
    await table.advance(3.0)
    await table.does(AnnounceCount())
    ballot = table.state.ballot
    assert ballot is not None
    assert ballot.counts[0].announced == 3_000_000
    assert ballot.unsaid is None
    assert await table.refuses(AnnounceCount()) == "nothing_to_announce"
    table.hand(4, down=False, at=3.4)
    table.hand(9, down=False, at=3.6)
    table.hand(7, down=True, at=3.8)  # nobody is called yet
    await table.advance(1.0)
    table.hand(7, down=False, at=4.2)
    await table.advance(1.0)
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: [4], 6: []}
    assert [(one.seat, one.what.value) for one in table.state.proposals if one.seat in (4, 7, 9)][:1] == [
        (7, "early_hand")
    ]
    assert all(one.what.value == "not_raised" for one in table.state.proposals[1:])
    first = table.state.ballot
    assert first is not None
    assert [(t.seat, t.down, t.up) for t in first.counts[0].touches] == [
        (4, 500_000, 3_400_000),
        (9, 2_300_000, 3_600_000),
    ]
    assert first.counts[0].announced == 3_000_000
    assert [touch.seat for touch in first.counts[1].touches] == [7]


async def test_a_wish_for_what_is_so_already_has_the_same_answer_when_it_is_sent_again(table: TableBench):
    await table.opens()
    await table.advance(2.1)
    assert table.state.ballot is not None
    assert not table.state.ballot.is_open
    rows = table.now.revision
    await table.does(CloseWindow(), id="the finger was late")
    await table.does(VoidWindow())
    again = await table.submit(CloseWindow(), id="the finger was late")
    assert again == Accepted(rows, repeated=True)


async def test_two_who_announce_the_same_count_say_it_once(table: TableBench):
    await table.opens()
    await table.advance(2.1)
    looked = table.now.revision
    await table.does(AnnounceCount(), revision=looked)
    assert await table.refuses(AnnounceCount(), revision=looked) == "stale"
    assert table.now.undo == Announce(5, (), 2_100_000)
    await table.does(Undo())
    assert table.state.ballot is not None
    assert table.state.ballot.unsaid is not None


async def test_a_hand_still_resting_from_the_last_candidate_is_no_new_hand(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(3.0)
    await table.opens()
    assert table.window.hands == ()
    await table.advance(2.1)
    assert table.hands == {5: [4], 6: []}
    assert [p for p in table.state.proposals if p.seat == 4] == []


async def test_a_window_that_was_repeated_is_announced_with_its_own_times(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    table.hand(4, down=False, at=1.0)
    await table.advance(2.1)
    await table.does(VoidWindow())
    await table.advance(5.0)
    await table.opens()
    table.hand(8, down=True, at=1.0)
    await table.advance(2.5)
    await table.opens()
    ballot = table.state.ballot
    assert ballot is not None
    assert ballot.counts[0].announced == 2_500_000
    assert [(t.seat, t.down) for t in ballot.counts[0].touches] == [(8, 1_000_000)]
    assert table.hands == {5: [8]}
    assert [p for p in table.state.proposals if p.seat == 4] == []


async def test_a_window_that_an_undo_brings_back_is_announced_with_its_own_times(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    table.hand(4, down=False, at=2.05)
    await table.advance(2.1)
    await table.does(VoidWindow())
    await table.opens()
    await table.advance(2.9)
    await table.does(Undo())
    await table.does(Undo())
    assert table.hands == {5: [4]}
    await table.opens()
    ballot = table.state.ballot
    assert ballot is not None
    assert [(t.seat, t.down, t.up) for t in ballot.counts[0].touches] == [(4, 500_000, 2_050_000)]
    assert ballot.counts[0].announced == 5_000_000


async def test_the_judges_ruling_in_the_open_window_is_seen_and_stands(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.does(RuleHand(5, 4, counts=False))
    await table.does(RuleHand(5, 8, counts=True))
    assert table.window.hands == (8,)
    await table.advance(2.1)
    assert table.hands == {5: [8]}


async def test_a_foul_in_the_open_window_does_not_disturb_it(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.does(Foul(9))
    await table.does(Undo())
    assert table.stage is Stage.OPEN
    await table.does(Foul(10))
    await table.advance(2.1)
    assert table.hands == {5: [4]}
    assert len(table.state.seat(10).fouls) == 1


async def test_a_clock_that_is_not_fitted_yet_flags_the_window(table: TableBench):
    table.link(clock_ready=False)
    await table.opens()
    assert table.window.flagged
    await table.advance(2.1)
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged


async def test_a_stuck_contact_is_told_and_not_counted(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    table.link(stuck={"seat 4": "chattering"})
    assert table.now.contacts[4] is Contact.CHATTERING
    assert table.window.hands == ()
    await table.advance(2.1)
    assert table.hands == {5: []}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged


TOO_LONG = "closed too long"
AT_START = "closed at start"


async def test_hands_that_rested_through_a_long_cut_count_although_they_are_stuck_now(table: TableBench):
    await table.opens()
    table.hand(1, down=True, at=0.1)
    table.hand(2, down=True, at=0.2)
    await table.advance(0.5)
    table.cuts()
    table.hand(3, down=True, at=0.6)
    await table.advance(70)
    table.mends(stuck={"seat 1": TOO_LONG, "seat 2": TOO_LONG, "seat 3": TOO_LONG})
    await table.advance(0.1)
    assert table.hands == {5: [1, 2, 3]}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged


async def test_a_hand_that_lay_there_too_long_before_the_opening_is_no_hand(table: TableBench):
    table.opened = table.clock.now()
    table.hand(4, down=True, at=0.0)
    await table.advance(61)
    table.link(stuck={"seat 4": TOO_LONG})
    await table.opens()
    assert table.window.touches == ()
    await table.advance(2.1)
    assert table.hands == {5: []}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged


@pytest.mark.parametrize("stuck", [{"seat 4": AT_START, "seat 8": AT_START}, {}], ids=["resting", "lifted meanwhile"])
async def test_a_device_that_starts_anew_in_the_window_leaves_the_count_to_the_judge(
    table: TableBench, stuck: dict[str, str]
):
    await table.opens()
    table.hand(4, down=True, at=0.3)
    table.hand(8, down=True, at=0.4)
    await table.advance(0.7)
    table.reboots(stuck=stuck)
    await table.advance(0.3)
    table.hand(9, down=True, at=1.2)
    await table.advance(30)
    assert table.stage is Stage.WAITING
    assert {4, 8} <= set(table.window.waiting_for)
    assert table.window.flagged
    assert table.window.hands == (4, 8, 9)
    await table.does(CountWindow())
    assert table.hands == {5: [4, 8, 9]}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged
    await table.opens()
    await table.advance(2.1)
    assert table.stage is None  # the next window has nothing to wait for


@pytest.mark.parametrize("told", [True, False], ids=["cut", "silent"])
async def test_a_device_that_starts_anew_unheard_leaves_the_count_to_the_judge(table: TableBench, told: bool):
    await table.opens()
    table.hand(4, down=True, at=0.3)
    await table.advance(1.0)
    assert table.device is not None
    if told:
        table.cuts()
    else:
        table.device.heard = table.clock.now()
    await table.advance(3.0)
    table.reboots(stuck={"seat 4": AT_START})
    await table.advance(5.0)
    assert table.stage is Stage.WAITING
    assert 4 in table.window.waiting_for
    assert table.window.hands == (4,)


async def test_a_hand_that_rested_when_the_device_started_anew_before_the_opening_is_the_judges(table: TableBench):
    table.opened = table.clock.now()
    await table.advance(0.1)
    table.hand(4, down=True, at=0.1)
    await table.advance(0.5)
    table.reboots(stuck={"seat 7": AT_START})
    await table.advance(0.5)
    await table.opens()
    await table.advance(2.1)
    assert table.window.waiting_for == (4, 7)


async def test_a_contact_closed_since_long_before_waits_for_nobody(table: TableBench):
    table.link(stuck={"seat 4": AT_START})
    await table.advance(5)
    await table.opens()
    table.hand(3, down=True, at=0.5)
    await table.advance(2.1)
    assert table.hands == {5: [3]}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged


async def test_edges_lost_in_the_window_leave_the_count_to_the_judge(table: TableBench):
    await table.advance(5)
    await table.opens()
    lost = Gap(table.opened + round(0.5 * SECOND), table.opened + round(0.6 * SECOND))
    table.link(gaps=(lost,))
    await table.advance(2.1)
    assert table.stage is Stage.WAITING
    assert len(table.window.waiting_for) == 10
    await table.does(VoidWindow())
    await table.advance(1)
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: []}


async def test_a_device_first_heard_in_the_window_leaves_the_count_to_the_judge(table: TableBench):
    assert table.device is not None
    await table.advance(5)
    await table.opens()
    await table.advance(1)
    other = DeviceInfo("another", "table", "test", 1, 10)
    table.table.link_status("seats", LinkStatus(up=True, reason=None, device=other, clock_ready=True))
    await table.advance(5)
    assert table.stage is Stage.WAITING
    assert table.window.flagged


async def test_a_device_that_starts_anew_holds_no_hand_down_any_more(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(2.1)
    assert table.hands == {5: [4]}
    assert table.device is not None
    table.device.boot, table.device.seq = 2, 0
    table.link()
    assert table.now.contacts[4] is Contact.UP
    await table.advance(1.0)
    await table.opens()
    assert table.window.touches == ()


async def test_edges_are_acknowledged_when_they_are_on_disk(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    assert table.acknowledged == {}
    await table.settle()
    assert table.acknowledged == {("bench", 1): 1}


async def test_an_edge_that_comes_again_is_acknowledged_again_and_taken_once(table: TableBench):
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.settle()
    again = await table.restart(after=0.1)
    assert again.device is not None
    again.device.seq = 0
    again.opened = table.opened
    again.hand(4, down=True, at=0.5)
    assert again.acknowledged == {("bench", 1): 1}
    assert len(again.window.touches) == 1
    await again.table.close()


async def test_a_cable_that_is_pulled_in_any_phase_or_a_device_that_starts_anew_stops_nothing(tmp_path: Path):
    played: list[object] = []
    for turn, trouble in enumerate((None, "cuts", "reboots")):
        table = await TableBench.open(tmp_path / str(turn))

        async def troubles(table: TableBench = table, trouble: str | None = trouble) -> None:
            if trouble == "cuts":
                table.cuts()
                assert set(table.now.contacts.values()) == {Contact.LOST}
                await table.advance(1.5)
                table.mends()
            elif trouble == "reboots":
                table.reboots()
            else:
                await table.advance(1.5)

        await table.deals()
        phases: set[str] = set()
        nominees = [5, 6]
        while "Night" not in phases or table.state.minute_of is None:
            phases.add(type(table.state.phase).__name__)
            await troubles()
            ballot, step, speaker = table.state.ballot, table.now.step, table.state.minute_of
            if step.do == "shoot":
                await table.does(Shoot(everybody_at=9))
            elif ballot is not None and ballot.due is not None:
                await table.opens()
                await table.advance(0.5)
                await troubles()
                if table.now.window is not None:
                    await table.advance(3)
                if table.now.window is not None:
                    await table.does(CountWindow())
            else:
                if speaker is not None and nominees and "Night" not in phases:
                    await table.does(Nominate(speaker, nominees.pop(0)))
                await table.next()
        played.append([(type(table.state.phase), seat.number, seat.in_play) for seat in table.state.seats])
        assert {"Dealing", "Acquaintance", "Speech", "Voting", "Night", "Morning"} <= phases, phases
        await table.table.close()
    assert played[0] == played[1] == played[2]
