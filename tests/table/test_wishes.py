"""What is asked of the table: once and no more, by what the person was looking at, on disk before it is answered."""

import asyncio
import logging
import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.roles import Role
from controller.table import Accepted, Header
from controller.table.book import Book
from controller.table.state import Disk, What
from controller.table.wishes import NewGame, Redo, Replace, SetStopped, SetTimer, SetUp, Start, Undo, Wish
from tests.table.bench import TableBench


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    yield bench
    await bench.table.close()


# --- the same id twice


async def test_the_same_id_twice_is_one_command(table: TableBench):
    first = await table.does(cmd.Foul(4), id="one")
    again = await table.does(cmd.Foul(4), id="one")
    assert (again.revision, again.repeated) == (first.revision, True)
    assert len(table.state.seat(4).fouls) == 1


async def test_the_same_id_at_the_same_time_is_one_command(table: TableBench):
    answers = await asyncio.gather(*(table.submit(cmd.Foul(4), id="one") for _ in range(5)))
    assert [isinstance(answer, Accepted) for answer in answers] == [True] * 5
    assert len(table.state.seat(4).fouls) == 1


async def test_the_same_id_is_one_command_across_a_restart(table: TableBench):
    await table.does(cmd.Foul(4), id="one")
    again = await table.restart()
    assert (await again.does(cmd.Foul(4), id="one")).repeated
    assert len(again.state.seat(4).fouls) == 1
    await again.table.close()


async def test_what_was_refused_stays_refused_under_its_id(table: TableBench):
    assert await table.refuses(cmd.Nominate(2, 5), id="two") == "not_own_minute"
    await table.next()
    assert table.state.minute_of == 2
    assert await table.refuses(cmd.Nominate(2, 5), id="two") == "not_own_minute"
    await table.does(cmd.Nominate(2, 5), id="three")


# --- stale revisions


async def test_of_two_taps_on_the_same_next_one_is_taken(table: TableBench):
    seen = table.now.revision
    await table.does(cmd.Next(), revision=seen)
    assert await table.refuses(cmd.Next(), revision=seen) == "stale"
    assert table.state.minute_of == 2


async def test_of_two_judges_fouls_for_the_same_thing_one_is_taken(table: TableBench):
    seen = table.now.revision
    await table.does(cmd.Foul(4), revision=seen)
    assert await table.refuses(cmd.Foul(4), revision=seen, origin="side judge") == "stale"


async def test_a_foul_does_not_depend_on_what_else_has_happened(table: TableBench):
    seen = table.now.revision
    await table.does(cmd.Foul(7))
    await table.next()
    await table.does(cmd.Foul(4), revision=seen)


async def test_edges_and_timers_make_nothing_stale(table: TableBench):
    seen = table.now.revision
    table.hand(4, down=True, at=0.1)
    await table.advance(30)
    await table.does(SetTimer(running=False))
    await table.does(SetTimer(running=True))
    await table.does(cmd.Next(), revision=seen)


async def test_a_count_that_fell_due_makes_no_ruling_stale(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    seen = table.now.revision
    await table.advance(2.1)
    await table.does(cmd.RuleHand(5, 4, counts=True), revision=seen)
    await table.does(cmd.VoidWindow(), revision=seen)
    await table.table.close()


async def test_an_undo_takes_back_what_was_seen_or_nothing(table: TableBench):
    await table.does(cmd.Foul(4))
    seen = table.now.revision
    await table.does(cmd.Foul(5))
    assert await table.refuses(Undo(), revision=seen) == "stale"
    assert len(table.state.seat(5).fouls) == 1


async def test_a_revision_of_which_nothing_is_known_is_stale(table: TableBench):
    assert await table.refuses(cmd.Next(), revision=table.now.revision + 5) == "stale"


async def test_what_was_left_and_come_back_to_is_not_what_was_looked_at(table: TableBench):
    seen = table.now.revision
    await table.next()
    await table.does(Undo())
    assert await table.refuses(cmd.Next(), revision=seen) == "stale"
    assert await table.refuses(Undo(), revision=seen) == "stale"
    await table.does(cmd.Foul(4), revision=seen)  # nothing has been with the seat
    await table.does(SetStopped(stopped=True))
    await table.does(SetStopped(stopped=False))
    assert await table.refuses(SetStopped(stopped=True), revision=seen) == "stale"


async def test_the_window_of_a_vote_that_was_left_and_come_back_to_is_not_opened(tmp_path: Path):
    bench = await (await TableBench.open(tmp_path)).second_day(3, 4)
    seen = bench.now.revision
    await bench.opens()
    await bench.does(Undo())
    assert await bench.refuses(cmd.OpenWindow(), revision=seen) == "stale"
    await bench.does(cmd.OpenWindow(), revision=bench.now.revision)
    await bench.table.close()


async def test_what_was_meant_for_the_last_game_is_not_done_in_the_next(table: TableBench):
    seen = table.now.revision
    await table.does(cmd.Defeat(1))
    await table.does(NewGame())
    assert await table.refuses(SetStopped(stopped=True), revision=seen) == "stale"


# --- faults


async def test_a_fault_inside_is_a_refusal_and_the_table_goes_on(
    table: TableBench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken(*_: object) -> Book:
        raise ZeroDivisionError

    before = table.now.history.length
    with monkeypatch.context() as patched, caplog.at_level(logging.CRITICAL):
        patched.setattr("controller.table.table.fold", broken)
        assert await table.refuses(cmd.Foul(4), id="four") == "fault"
    assert table.now.history.length == before
    await table.does(cmd.Foul(4), id="four")


async def test_a_listener_that_fails_harms_nobody(table: TableBench, caplog: pytest.LogCaptureFixture):
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    stop = table.table.subscribe(broken)
    with caplog.at_level(logging.CRITICAL):
        await table.does(cmd.Foul(4))
    stop()
    assert table.heard(What.DECISION)[-1].command == cmd.Foul(4)


# --- the disk


async def test_a_full_disk_refuses_within_one_command_and_nothing_has_happened(table: TableBench):
    db = table.table._journal._file._db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    before = table.now.history.length
    table.causes.clear()
    refused = False
    for number in range(40):  # what is left of the last page is used up first
        answer = await table.submit(cmd.Warn(4), id=f"warning {number}")
        if not isinstance(answer, Accepted):
            assert answer.code == "disk_failing"
            refused = True
            break
        before += 1
    assert refused
    assert table.now.disk is Disk.FAILING
    assert table.heard(What.STATUS)
    assert table.now.history.length == before
    db.execute("PRAGMA max_page_count = 1000000")
    await table.does(cmd.Foul(4), id="after")
    assert table.now.disk is Disk.OK
    again = await table.restart()
    assert again.now.history.length == before + 1
    await again.table.close()


async def test_edges_wait_for_a_failing_disk_and_are_acknowledged_after_it(
    table: TableBench, monkeypatch: pytest.MonkeyPatch
):
    def failing(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(table.table._journal._file, "write", failing)
        table.hand(4, down=True, at=0.1)
        await table.settle()
        assert table.now.disk is Disk.FAILING
        assert table.acknowledged == {}
    await table.advance(1.1)
    assert table.now.disk is Disk.OK
    assert table.acknowledged == {("bench", 1): 1}


async def test_a_disk_that_takes_its_time_is_told_while_it_does(table: TableBench, monkeypatch: pytest.MonkeyPatch):
    file = table.table._journal._file
    write = file.write
    go_on = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(*what: object) -> None:
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()
        write(*what)  # pyright: ignore[reportArgumentType]

    with monkeypatch.context() as patched:
        patched.setattr(file, "write", slow)
        asking = asyncio.create_task(table.submit(cmd.Foul(4)))
        try:
            await asyncio.sleep(0.01)
            assert table.now.disk is Disk.OK
            table.clock.go(table.clock.now() + 600_000_000)
            assert table.now.disk is Disk.SLOW
            assert len(table.state.seat(4).fouls) == 0
        finally:
            go_on.set()
        assert isinstance(await asking, Accepted)
    assert table.now.disk is Disk.SLOW
    await table.does(cmd.Foul(4))
    assert table.now.disk is Disk.OK


# --- the table's own commands


async def test_the_table_is_set_before_the_game(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    names = tuple(f"Player {seat}" for seat in range(1, 11))
    await table.does(SetUp(Header(event="Cup", stage="Final", game=3), names))
    assert (table.now.header.event, table.now.names[3]) == ("Cup", "Player 4")
    assert await table.refuses(SetUp(Header(), names[:9])) == "wrong_number_of_names"
    assert await table.refuses(SetUp(Header(ruleset="whist"), names)) == "no_such_ruleset"
    await table.does(SetUp(Header(ruleset="wma"), names))
    assert table.state.rules.name == "wma"
    await table.does(cmd.Deal(1, Role.DON))
    assert await table.refuses(SetUp(Header(ruleset="fiim"), names)) == "cards_are_dealt"
    again = await table.restart()
    assert again.now.names == names
    assert again.state.rules.name == "wma"
    await again.table.close()


async def test_a_slip_in_a_name_is_put_right_in_the_middle_of_a_game_and_after_it(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    names = tuple(f"Player {seat}" for seat in range(1, 11))
    await table.does(SetUp(Header(event="Cop"), names))
    await table.first_day()
    await table.does(cmd.Foul(4))
    length, state = table.now.history.length, table.state
    right = (*names[:3], "Вера", *names[4:])
    await table.does(SetUp(Header(event="Cup"), right))
    assert (table.now.header.event, table.now.names[3]) == ("Cup", "Вера")
    assert (table.now.history.length, table.state) == (length, state)
    assert await table.refuses(SetUp(Header(ruleset="wma"), right)) == "cards_are_dealt"
    assert await table.refuses(SetUp(Header(), right[:9])) == "wrong_number_of_names"
    await table.does(Undo())
    assert not table.state.seat(4).fouls
    assert table.now.names == right
    await table.does(cmd.Defeat(1))
    await table.does(SetUp(Header(event="Cup"), names))
    again = await table.restart()
    assert again.now.names == names
    assert again.now.header.event == "Cup"
    await again.table.close()


async def test_the_points_limits_are_those_of_the_rules_that_were_chosen(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.does(SetUp(Header(ruleset="ukraine"), tuple(f"Player {seat}" for seat in range(1, 11))))
    await table.deals()
    await table.next()
    await table.does(cmd.Annul())
    assert await table.refuses(cmd.Award(1, Decimal("0.3"))) == "game_annulled"
    await table.table.close()


async def test_a_new_game_comes_after_the_old_one_with_the_same_names(table: TableBench):
    assert await table.refuses(NewGame()) == "game_not_over"
    await table.does(cmd.Defeat(1))
    old = table.now.game
    await table.does(NewGame())
    assert table.now.game != old
    assert table.now.header.game == 2
    assert table.now.history.length == 0
    assert table.now.undo == NewGame()
    again = await table.restart()
    assert again.now.header.game == 2
    await again.table.close()


async def test_a_new_game_that_was_a_slip_is_undone(table: TableBench):
    await table.does(cmd.Defeat(1))
    old = table.now.game
    await table.does(NewGame())
    await table.does(Undo())
    assert table.now.game == old
    await table.does(Undo())
    assert table.state.outcome is None
    again = await table.restart()
    assert again.now.game == old
    assert again.state.minute_of == 1
    await again.does(cmd.Next())
    await again.table.close()


async def test_nobody_can_say_that_the_service_has_started(table: TableBench):
    assert await table.refuses(Start()) == "not_for_a_person"


async def test_nothing_to_redo_and_no_such_decision_are_refused(table: TableBench):
    assert await table.refuses(Redo()) == "nothing_to_redo"
    assert await table.refuses(Replace(99, cmd.Foul(3))) == "no_such_decision"


async def test_after_the_end_the_table_takes_nothing(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.table.close()
    answer = await table.table.submit(Wish(id="late", command=cmd.Next()))
    assert not isinstance(answer, Accepted)
    assert answer.code == "closing"
