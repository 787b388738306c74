"""The disk does not write, and the judge goes on: what was decided is shown as unsaved, and is on disk in its order as
soon as the disk takes it."""

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

import pytest

from controller.game import commands as cmd
from controller.table import Accepted
from controller.table import events as ev
from controller.table.clock import MILLISECOND
from controller.table.state import Disk, Unsaved
from controller.table.wishes import NewGame, Undo
from tests.table.bench import TableBench


@pytest.fixture
async def table(tmp_path: Path) -> TableBench:
    return await (await TableBench.open(tmp_path)).first_day()


@contextmanager
def failing(table: TableBench) -> Generator[None]:
    """The disk takes nothing."""

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table.table._journal._file, "write", fails)
        patched.setattr(table.table._journal._file, "probe", fails)
        yield


@contextmanager
def hanging(table: TableBench) -> Generator[Callable[[], None]]:
    """The disk takes everything and does not answer, until the answer of this is called."""
    file, let_go = table.table._journal._file, Event()
    write = file.write

    def hangs(*what: object) -> None:
        assert let_go.wait(60)
        write(*what)  # pyright: ignore[reportArgumentType]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(file, "write", hangs)
        try:
            yield let_go.set
        finally:
            let_go.set()


async def rings(table: TableBench, milliseconds: int) -> None:
    """So much time passes, without waiting for the disk."""
    table.clock.go(table.clock.now() + milliseconds * MILLISECOND)
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_full_disk_is_told_at_once_and_after_two_seconds_the_judge_may_go_on(table: TableBench):
    with failing(table):
        assert await table.refuses(cmd.Foul(4)) == "disk_failing"
        assert table.now.disk is Disk.FAILING
        assert table.now.unsaved == Unsaved()
        assert table.table.go_on_unsaved().code == "disk_writes"  # pyright: ignore[reportAttributeAccessIssue]
        await table.advance(1.9)
        assert not table.now.unsaved.offered
        await table.advance(0.2)
        assert table.now.unsaved == Unsaved(offered=True)
        # It is the judge's to say: until then nothing is taken.
        assert await table.refuses(cmd.Foul(4)) == "disk_failing"
        assert isinstance(table.table.go_on_unsaved(), Accepted)
        assert table.now.unsaved == Unsaved(on=True)
        done = table.now.history.length
        await table.does(cmd.Foul(4))
        await table.does(cmd.Nominate(1, 5))
        assert table.now.unsaved == Unsaved(on=True, rows=2, since=done + 1)
        await table.does(Undo())
        await table.does(cmd.Nominate(1, 6), id="the sixth")
        assert (await table.does(cmd.Nominate(1, 6), id="the sixth")).repeated
        await table.advance(5)
        assert table.now.unsaved.rows == 4
        assert table.now.disk is Disk.FAILING
    await table.advance(1.1)
    assert table.now.disk is Disk.OK
    assert table.now.unsaved == Unsaved()
    state = table.state
    again = await table.restart()
    assert again.state == state
    assert again.now.damage is None
    late = [row.seq for row in await again.table._journal.rows(again.now.game) if ev.Unsaved() in row.table]
    assert len(late) == 4
    await again.table.close()


async def test_the_table_goes_back_to_saving_and_a_later_decision_is_not_marked(table: TableBench):
    with failing(table):
        await table.refuses(cmd.Foul(4))
        await table.advance(2.1)
        table.table.go_on_unsaved()
        await table.does(cmd.Foul(4))
    await table.advance(1.1)
    await table.does(cmd.Foul(5))
    rows = await table.table._journal.rows(table.now.game)
    assert [ev.Unsaved() in row.table for row in rows[-2:]] == [True, False]
    assert table.now.unsaved == Unsaved()
    await table.table.close()


async def test_a_disk_that_hangs_holds_the_judge_up_for_two_seconds_and_no_longer(table: TableBench):
    with hanging(table) as let_go:
        asking = asyncio.create_task(table.submit(cmd.Foul(4)))
        await rings(table, 0)
        await rings(table, 600)
        assert table.now.disk is Disk.SLOW
        assert not table.now.unsaved.offered
        await rings(table, 1500)
        assert table.now.disk is Disk.FAILING
        assert table.now.unsaved.offered
        assert not asking.done()
        table.table.go_on_unsaved()
        assert isinstance(await asking, Accepted)
        await table.does(cmd.Nominate(1, 5))
        assert table.now.unsaved.rows == 2
        assert len(table.state.seat(4).fouls) == 1
        # What an undo would have to read from the disk is refused, not waited for.
        let_go()
        await table.settle()
    await table.advance(1.1)
    assert table.now.unsaved == Unsaved()
    state = table.state
    again = await table.restart()
    assert again.state == state
    await again.table.close()


async def test_what_hung_and_then_failed_is_written_all_the_same(table: TableBench):
    file, let_go = table.table._journal._file, Event()

    def hangs_and_fails(*_: object) -> None:
        assert let_go.wait(60)
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(file, "write", hangs_and_fails)
        asking = asyncio.create_task(table.submit(cmd.Foul(4)))
        await rings(table, 0)
        await rings(table, 2100)
        table.table.go_on_unsaved()
        assert isinstance(await asking, Accepted)
        let_go.set()
        await table.settle()
        assert table.now.unsaved.rows == 1
    await table.advance(1.1)
    assert table.now.unsaved.rows == 0
    again = await table.restart()
    assert len(again.state.seat(4).fouls) == 1
    await again.table.close()


async def test_a_new_game_begun_unsaved_can_be_undone_into_the_one_before(table: TableBench):
    await table.does(cmd.Defeat(1))
    game = table.now.game
    with failing(table):
        await table.refuses(NewGame())
        await table.advance(2.1)
        table.table.go_on_unsaved()
        await table.does(NewGame())
        await table.does(cmd.Deal(1, cmd.Role.DON))
        assert table.now.unsaved == Unsaved(on=True, rows=2, since=1)
        await table.does(Undo())
        await table.does(Undo())
        assert table.now.game == game
    await table.advance(1.1)
    assert table.now.unsaved == Unsaved()
    again = await table.restart()
    assert again.now.game == game
    await again.table.close()


async def test_hands_that_wait_for_the_disk_are_counted_and_acknowledged_after_it(table: TableBench):
    with failing(table):
        await table.refuses(cmd.Foul(4))
        await table.advance(2.1)
        table.table.go_on_unsaved()
        for _ in range(11):
            await table.next()
        table.hand(4, down=True, at=0.1)
        await table.settle()
        assert table.acknowledged == {}
    await table.advance(2.1)
    assert table.acknowledged == {("bench", 1): 1}
    await table.table.close()


async def test_a_table_that_is_closed_with_a_dead_disk_says_what_is_lost(
    table: TableBench, caplog: pytest.LogCaptureFixture
):
    with failing(table):
        await table.refuses(cmd.Foul(4))
        await table.advance(2.1)
        table.table.go_on_unsaved()
        await table.does(cmd.Foul(4))
        with suppress(sqlite3.Error):
            await table.table.close()
    assert "1 decisions could not be put on disk" in caplog.text
