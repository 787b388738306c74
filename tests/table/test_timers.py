"""Clocks of speeches and of the night's calls."""

from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.phases import Acquaintance
from controller.table.clock import SECOND
from controller.table.state import What
from controller.table.wishes import SetStopped, SetTimer
from tests.table.bench import TableBench


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    yield bench
    await bench.table.close()


async def test_a_minute_runs_from_its_beginning_and_its_end_is_only_shown(table: TableBench):
    timer = table.now.timer
    assert timer is not None
    assert (timer.kind, timer.seat, timer.running) == ("minute", 1, True)
    assert timer.deadline == table.clock.now() + 60 * SECOND
    await table.advance(59.9)
    assert table.heard(What.TIMER) == []
    await table.advance(0.1)
    assert len(table.heard(What.TIMER)) == 1
    await table.advance(300)
    assert table.state.minute_of == 1
    assert table.left_on_timer == 0


async def test_the_judge_pauses_and_resumes(table: TableBench):
    await table.advance(10)
    await table.does(SetTimer(running=False))
    await table.advance(100)
    assert table.left_on_timer == 50
    assert table.heard(What.TIMER) == []
    await table.does(SetTimer(running=True))
    await table.advance(50)
    assert len(table.heard(What.TIMER)) == 1


async def test_a_clock_that_ran_out_is_not_started_again(table: TableBench):
    await table.advance(70)
    await table.does(SetTimer(running=False))
    assert await table.refuses(SetTimer(running=True)) == "timer_is_over"


async def test_starting_what_runs_changes_nothing(table: TableBench):
    before = table.now.revision
    await table.does(SetTimer(running=True))
    assert table.now.revision == before


async def test_the_nights_calls_are_timed_and_the_shooting_is_not(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.deals()
    assert await table.refuses(SetTimer(running=True)) == "no_timer"
    seconds: list[float] = []
    await table.next()
    while isinstance(table.state.phase, Acquaintance):
        seconds.append(table.left_on_timer)
        await table.next()
    assert seconds == [10, 60, 20]
    assert table.now.timer is None
    await table.next(11)
    await table.next()
    assert table.now.timer is None
    await table.does(cmd.Shoot(missed=True))
    await table.next()
    assert table.left_on_timer == 10
    await table.table.close()


async def test_a_technical_stop_freezes_the_clock_and_its_end_resumes_it(table: TableBench):
    await table.advance(20)
    await table.does(SetStopped(stopped=True))
    assert table.now.stopped
    await table.advance(1000)
    assert table.left_on_timer == 40
    assert await table.refuses(SetTimer(running=True)) == "stopped"
    await table.does(SetStopped(stopped=False))
    await table.advance(10)
    assert table.left_on_timer == 30


async def test_a_clock_that_was_paused_stays_paused_after_a_technical_stop(table: TableBench):
    await table.does(SetTimer(running=False))
    await table.does(SetStopped(stopped=True))
    await table.does(SetStopped(stopped=False))
    await table.advance(10)
    assert table.left_on_timer == 60


async def test_a_speech_that_begins_in_a_technical_stop_waits_for_its_end(table: TableBench):
    await table.does(SetStopped(stopped=True))
    await table.next()
    await table.advance(10)
    assert table.left_on_timer == 60
    await table.does(SetStopped(stopped=False))
    await table.advance(10)
    assert table.left_on_timer == 50


async def test_in_a_technical_stop_no_window_opens_and_in_a_window_there_is_no_stop(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.does(SetStopped(stopped=True))
    assert await table.refuses(cmd.OpenWindow()) == "stopped"
    await table.does(SetStopped(stopped=False))
    await table.opens()
    assert await table.refuses(SetStopped(stopped=True)) == "window_open"
    await table.table.close()


async def test_a_wall_clock_that_jumps_changes_nothing(table: TableBench):
    await table.advance(10)
    table.clock.wall_time = "1999-01-01T00:00:00+00:00"
    await table.does(cmd.Foul(4))
    assert table.left_on_timer == 50
    again = await table.restart()
    assert again.state == table.state
    await again.table.close()


async def test_a_silent_minute_has_no_clock(table: TableBench):
    for _ in range(3):
        await table.does(cmd.Foul(2))
    await table.next()
    assert table.state.minute_of == 2
    assert table.now.timer is None
