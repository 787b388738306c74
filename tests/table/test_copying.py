"""A second place: the copy follows row by row, a stick may go and come, and one command brings everything back."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.table import InUse, looking
from controller.table.copying import Copy, NoCopy, is_there, restore, whole_copy
from controller.table.journal_file import JOURNAL
from controller.table.wishes import NewGame
from tests.service.waiting import comes_true
from tests.table.bench import TableBench
from tests.table.season import season


class Copied:
    """A table and its copy."""

    def __init__(self, table: TableBench, stick: Path) -> None:
        self.table = table
        self.stick = stick
        self.copy = Copy(stick / "table", table.folder)
        table.table.follow(self.copy.follow)

    async def looks(self) -> str:
        """The copy looks for its place; how it does after that."""
        await self.settles()
        self.copy.look()
        await self.settles()
        return self.copy.state.code

    async def settles(self) -> None:
        """Until the copy's thread has done all that it was told."""
        await asyncio.get_running_loop().run_in_executor(self.copy._thread, lambda: None)
        for _ in range(3):
            await asyncio.sleep(0)

    async def ends(self) -> None:
        await self.copy.close()
        await self.table.table.close()


def rows(folder: Path) -> list[tuple[object, ...]]:
    db = sqlite3.connect(folder / JOURNAL)
    try:
        return db.execute("SELECT * FROM decisions ORDER BY seq").fetchall()
    finally:
        db.close()


@pytest.fixture
async def copied(tmp_path: Path) -> Copied:
    table = await (await TableBench.open(tmp_path / "data")).first_day()
    (tmp_path / "data" / "links.json").write_text('{"a": 1}')
    return Copied(table, tmp_path / "stick")


async def test_a_copy_has_every_decision_and_hand_as_soon_as_the_journal_has(copied: Copied):
    assert await copied.looks() == "ok"
    for number in range(3):
        copied.table.hand(4, down=number % 2 == 0, at=0.1 + number)
        await copied.table.does(cmd.Warn(4))
    await copied.table.table.idle()
    await copied.settles()
    assert copied.copy.state.rows == copied.table.now.revision
    shutil.copytree(copied.stick, copied.stick.with_name("pulled"))  # the stick is pulled out
    assert rows(copied.stick.with_name("pulled") / "table") == rows(copied.table.folder)
    await copied.ends()
    spare = await TableBench.open(copied.stick.with_name("pulled") / "table")
    assert spare.now.damage is None
    assert spare.state == copied.table.state
    await spare.table.close()


async def test_a_stick_that_goes_holds_nobody_up_and_is_brought_up_to_date_when_it_comes_back(copied: Copied):
    assert await copied.looks() == "ok"

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    assert copied.copy._file is not None
    copied.copy._file.write = fails  # pyright: ignore[reportAttributeAccessIssue]
    await copied.table.does(cmd.Foul(4))
    await copied.settles()
    assert copied.copy.state.code == "failing"
    await copied.table.does(cmd.Foul(5))
    assert await copied.looks() == "ok"
    await copied.settles()
    await copied.ends()
    assert rows(copied.stick / "table") == rows(copied.table.folder)


async def test_what_was_decided_unsaved_is_in_the_copy(copied: Copied):
    assert await copied.looks() == "ok"

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(copied.table.table._journal._file, "write", fails)
        patched.setattr(copied.table.table._journal._file, "probe", fails)
        await copied.table.refuses(cmd.Foul(4))
        await copied.table.advance(2.1)
        copied.table.table.go_on_unsaved()
        await copied.table.does(cmd.Foul(4))
        await copied.settles()
        shutil.copytree(copied.stick, copied.stick.with_name("pulled"))
        await copied.copy.close()
        await copied.table.table.close()  # and the power goes: the card never took it
    assert len(rows(copied.stick.with_name("pulled") / "table")) == len(rows(copied.table.folder)) + 1
    # The table comes up again without that decision, and finds that the copy knows more.
    again = Copied(await TableBench.open(copied.table.folder), copied.stick.with_name("pulled"))
    assert await again.looks() == "ok"
    assert again.copy.state.more == 1
    assert len(list((again.stick / "table").glob("before-*"))) == 1
    await again.ends()


async def test_another_tables_copy_is_set_aside_and_never_overwritten(copied: Copied, tmp_path: Path):
    other = await (await TableBench.open(tmp_path / "stick" / "table")).deals()
    await other.table.close()
    theirs = rows(tmp_path / "stick" / "table")
    assert await copied.looks() == "ok"
    assert rows(tmp_path / "stick" / "table" / "before-1") == theirs
    await copied.ends()


async def test_a_restored_table_is_the_same_and_what_was_there_is_kept(copied: Copied, tmp_path: Path):
    assert await copied.looks() == "ok"
    await copied.table.does(cmd.Foul(4))
    await copied.settles()
    await copied.ends()
    other = await (await TableBench.open(tmp_path / "other")).deals()
    with pytest.raises(InUse):
        restore(copied.stick / "table", tmp_path / "other")
    await other.table.close()
    (tmp_path / "other" / "links.json").write_text('{"b": 2}')
    theirs = rows(tmp_path / "other")
    restored = restore(copied.stick / "table", tmp_path / "other")
    assert restored.rows == copied.table.now.revision
    assert restored.damage is None
    assert restored.aside == "before-1"
    assert rows(tmp_path / "other" / "before-1") == theirs
    assert (tmp_path / "other" / "links.json").read_text() == '{"a": 1}'
    again = await TableBench.open(tmp_path / "other")
    assert again.now.damage is None
    assert again.state == copied.table.state
    await again.table.close()
    # And the copy itself is as it was, for the next time.
    assert restore(copied.stick / "table", tmp_path / "third").rows == restored.rows


async def test_a_damaged_copy_gives_back_what_is_whole_and_says_so(copied: Copied, tmp_path: Path):
    assert await copied.looks() == "ok"
    await copied.ends()
    path = copied.stick / "table" / JOURNAL
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    data[0] ^= 1
    path.write_bytes(data)
    restored = restore(copied.stick / "table", tmp_path / "new")
    assert restored.damage is not None
    assert restored.rows > 0


def test_a_folder_without_a_copy_is_refused_and_nothing_is_touched(tmp_path: Path):
    with pytest.raises(NoCopy):
        restore(tmp_path / "nothing", tmp_path / "data")
    assert not (tmp_path / "data").exists()


async def test_a_copy_of_a_season_is_looked_through_beside_the_table_and_made_anew_if_it_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(looking, "AT_ONCE", 20)
    await season(tmp_path / "data", 200)
    copied = Copied(await TableBench.open(tmp_path / "data"), tmp_path / "stick")
    copy = tmp_path / "stick" / "table"
    whole_copy(tmp_path / "data", copy)
    with closing(sqlite3.connect(copy / JOURNAL, isolation_level=None)) as db:
        db.execute("UPDATE decisions SET events = '[]' WHERE seq = 50")
    assert await copied.looks() == "ok"  # by its end
    assert rows(copy) != rows(tmp_path / "data")
    copied.copy.look()
    await comes_true(lambda: rows(copy) == rows(tmp_path / "data"))
    await copied.table.does(NewGame())
    await copied.settles()
    assert copied.copy.state.rows == copied.table.now.revision
    await copied.ends()
    assert rows(copy) == rows(tmp_path / "data")


async def test_a_copy_in_which_nothing_can_be_read_does_not_take_the_tables_place(tmp_path: Path):
    await (await (await TableBench.open(tmp_path / "data")).deals()).table.close()
    (tmp_path / "stick").mkdir()
    theirs = rows(tmp_path / "data")
    for content in (b"a photograph" * 1000, b""):
        (tmp_path / "stick" / JOURNAL).write_bytes(content)
        with pytest.raises(NoCopy):
            restore(tmp_path / "stick", tmp_path / "data")
        assert rows(tmp_path / "data") == theirs
        assert not list((tmp_path / "data").glob("before-*"))
        assert (tmp_path / "stick" / JOURNAL).read_bytes() == content
    with pytest.raises(NoCopy):
        restore(tmp_path / "data", tmp_path / "data")


def test_below_the_places_for_sticks_only_what_is_mounted_is_there(tmp_path: Path):
    assert is_there(tmp_path / "a" / "b")
    assert not is_there(Path("/media/nobody/has/this"))
    assert not is_there(Path("/mnt"))
