"""Undo, redo and replace at the table: across phases, with timers, across restarts."""

from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.phases import Dusk, Voting
from controller.table.state import Stage, What
from controller.table.wishes import Redo, Replace, SetTimer, Undo
from tests.table.bench import TableBench


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    yield bench
    await bench.table.close()


async def test_undo_brings_back_the_speech_with_its_clock_standing_at_what_it_had(table: TableBench):
    await table.advance(22)
    await table.next()
    assert table.left_on_timer == 60
    await table.advance(5)
    await table.does(Undo())
    assert table.state.minute_of == 1
    assert table.left_on_timer == 38
    assert table.now.timer is not None
    assert not table.now.timer.running
    await table.advance(100)
    assert table.left_on_timer == 38
    await table.does(SetTimer(running=True))
    await table.advance(8)
    assert table.left_on_timer == 30


async def test_undo_of_a_foul_leaves_the_running_clock_alone(table: TableBench):
    await table.advance(10)
    await table.does(cmd.Foul(4))
    await table.advance(10)
    await table.does(Undo())
    assert table.left_on_timer == 40
    assert table.now.timer is not None
    assert table.now.timer.running


async def test_redo_brings_back_the_later_clock_standing(table: TableBench):
    await table.next()
    await table.advance(20)
    await table.does(Undo())
    await table.advance(60)
    await table.does(Redo())
    assert table.state.minute_of == 2
    assert table.left_on_timer == 40
    assert table.now.timer is not None
    assert not table.now.timer.running


async def test_undo_goes_back_over_every_boundary_and_redo_forward_again(table: TableBench):
    await table.next(10)
    assert isinstance(table.state.phase, Dusk)
    await table.next()
    await table.does(cmd.Shoot(everybody_at=5))
    await table.next(3)
    there = table.state
    count = table.now.history.length
    for _ in range(count):
        await table.does(Undo())
    assert await table.refuses(Undo()) == "nothing_to_undo"
    for _ in range(count):
        await table.does(Redo())
    assert table.state == there
    assert await table.refuses(Redo()) == "nothing_to_redo"


async def test_undo_and_redo_work_across_restarts_and_the_record_keeps_what_was_undone(table: TableBench):
    await table.does(cmd.Nominate(1, 5))
    await table.next()
    await table.does(cmd.Foul(4))
    await table.does(Undo())
    again = await table.restart()
    assert again.now.redo == cmd.Foul(4)
    await again.does(Redo())
    assert len(again.state.seat(4).fouls) == 1
    for _ in range(3):
        await again.does(Undo())
    assert again.state.minute_of == 1
    assert again.state.nominations == ()
    rows = await again.table._journal.rows(again.now.game)
    assert [row.command for row in rows if row.command == cmd.Foul(4)] == [cmd.Foul(4)]
    assert [type(row.command) for row in rows].count(Undo) == 4
    third = await again.restart()
    assert third.state == again.state
    await third.table.close()


async def test_undo_while_a_window_is_open_takes_the_opening_back(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.2)
    table.hand(4, down=False, at=0.6)
    await table.advance(1)
    await table.does(Undo())
    assert table.now.window is None
    assert isinstance(table.state.phase, Voting)
    await table.advance(5)
    assert table.hands == {}
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: []}
    assert table.state.proposals == ()
    await table.table.close()


async def test_undo_after_the_count_takes_window_and_count_together(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.2)
    await table.advance(2.1)
    assert table.now.undo == cmd.OpenWindow(table.opened)
    await table.does(Undo())
    assert table.now.window is None
    assert table.hands == {}
    await table.does(Redo())
    assert table.hands == {5: [4]}
    await table.table.close()


async def test_a_count_that_an_undo_takes_back_alone_leaves_its_evidence(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.2)
    await table.does(cmd.Foul(9))
    await table.advance(2.1)
    await table.does(Undo())
    assert table.stage is Stage.UNDECIDED
    assert table.window.hands == (4,)
    await table.advance(60)
    assert table.stage is Stage.UNDECIDED
    await table.does(Redo())
    assert table.hands == {5: [4]}
    await table.table.close()


async def test_undo_of_a_result_brings_the_counted_ballot_back(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    for _ in range(2):
        await table.opens()
        table.hand(4, down=True, at=0.2)
        await table.advance(2.1)
        table.hand(4, down=False, at=2.1)
    await table.does(cmd.Next())
    assert table.leaves == [6]
    await table.does(Undo())
    assert table.state.ballot is not None
    assert table.state.ballot.counts[-1].announced is None
    await table.does(cmd.RuleHand(5, 4, counts=False))
    await table.does(cmd.Next())
    assert table.leaves == [6]
    await table.table.close()


async def test_that_foul_was_seat_fours(table: TableBench):
    await table.does(cmd.Foul(3))
    number = table.now.history.length
    await table.next()
    await table.does(cmd.Nominate(2, 7))
    timer = table.now.timer
    await table.does(Replace(number, cmd.Foul(4)))
    assert [len(table.state.seat(seat).fouls) for seat in (3, 4)] == [0, 1]
    assert [n.seat for n in table.state.nominations] == [7]
    assert table.now.timer == timer
    again = await table.restart()
    assert again.state == table.state
    await again.table.close()


async def test_a_replacement_that_does_not_fit_changes_nothing(table: TableBench):
    await table.does(cmd.Nominate(1, 5))
    number = table.now.history.length
    await table.next()
    await table.does(cmd.Nominate(2, 6))
    before = table.now
    assert await table.refuses(Replace(number, cmd.Nominate(1, 6))) == "is_nominated"
    assert table.now.history is before.history


async def test_no_past_cue_plays_again(table: TableBench):
    await table.next()
    table.causes.clear()
    await table.does(Undo())
    await table.does(Redo())
    assert [cause.events for cause in table.heard(What.DECISION)] == [(), ()]
