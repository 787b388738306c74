"""The journal's file: the chain of hashes, what is damaged, what is kept of it."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.table import NewerVersion, Table
from controller.table.journal_file import JOURNAL, JournalFile
from controller.table.salvage import row_hash
from controller.table.wishes import NewGame
from tests.table.bench import FakeClock, TableBench


def tamper(folder: Path, statement: str) -> None:
    """Change the file behind the table's back."""
    with closing(sqlite3.connect(folder / JOURNAL, isolation_level=None)) as db:
        db.execute(statement)


async def a_game(folder: Path) -> int:
    """A short game with a foul to seat 4 in its last row but one. Return how many rows there are."""
    table = await TableBench.open(folder)
    await table.first_day()
    await table.does(cmd.Foul(4))
    await table.next()
    rows = table.now.revision
    await table.table.close()
    return rows


async def test_a_whole_journal_has_no_damage(tmp_path: Path):
    await a_game(tmp_path)
    file = JournalFile(tmp_path)
    assert file.damage is None
    file.close()


@pytest.mark.parametrize(
    "change",
    [
        "command = replace(command, '4', '5')",
        "events = '[]'",
        "wall = '1999-01-01'",
        "at = at + 1",
        "origin = 'nobody'",
        "hash = 'f00d'",
        "previous = 'f00d'",
    ],
)
async def test_a_row_that_was_edited_shows_and_the_game_stands_before_it(tmp_path: Path, change: str):
    rows = await a_game(tmp_path)
    tamper(tmp_path, f"UPDATE decisions SET {change} WHERE seq = {rows - 1}")
    table = await TableBench.open(tmp_path)
    damage = table.now.damage
    assert damage is not None
    assert (damage.kind, damage.row, damage.kept) == ("torn", rows - 1, rows - 2)
    assert damage.aside is not None
    assert (tmp_path / damage.aside).exists()
    assert len(table.state.seat(4).fouls) == 0
    assert table.state.minute_of == 1
    await table.does(cmd.Foul(4))
    again = await table.restart()
    assert again.now.damage is None
    assert len(again.state.seat(4).fouls) == 1
    await again.table.close()


async def test_a_row_that_was_taken_out_shows(tmp_path: Path):
    rows = await a_game(tmp_path)
    tamper(tmp_path, f"DELETE FROM decisions WHERE seq = {rows - 1}")
    file = JournalFile(tmp_path)
    assert file.damage is not None
    assert file.damage.kept == rows - 2
    file.close()


async def test_an_edit_in_an_earlier_game_is_told_and_costs_the_present_game_nothing(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.first_day()
    await table.does(cmd.Defeat(1))
    await table.does(NewGame())
    await table.deals()
    await table.table.close()
    tamper(tmp_path, "UPDATE decisions SET events = '[]' WHERE seq = 5")
    table = await TableBench.open(tmp_path)
    damage = table.now.damage
    assert damage is not None
    assert (damage.kind, damage.row) == ("edited", 5)
    assert table.now.history.length == 10
    await table.table.close()


async def test_a_file_whose_end_is_garbage_gives_back_what_is_whole(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.table.close()
    tamper(tmp_path, "PRAGMA wal_checkpoint(TRUNCATE)")
    path = tmp_path / JOURNAL
    data = bytearray(path.read_bytes())
    data[-3 * 4096 :] = b"\xa5" * (3 * 4096)
    path.write_bytes(data)
    table = await TableBench.open(tmp_path)
    assert table.now.damage is not None
    assert table.now.damage.aside is not None
    assert (tmp_path / table.now.damage.aside).read_bytes() == data
    await table.submit(cmd.Foul(4))
    await table.table.close()


async def test_a_file_that_is_no_journal_is_set_aside_and_never_overwritten(tmp_path: Path):
    (tmp_path / JOURNAL).write_bytes(b"a photograph" * 1000)
    table = await TableBench.open(tmp_path)
    assert table.now.damage is not None
    assert table.now.damage.kept == 0
    assert table.now.damage.aside is not None
    assert (tmp_path / table.now.damage.aside).read_bytes().startswith(b"a photograph")
    await table.deals()
    await table.table.close()


async def test_a_journal_of_a_newer_version_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patched:
        patched.setattr("controller.table.codec.VERSION", 99)
        await a_game(tmp_path)
    before = (tmp_path / JOURNAL).read_bytes()
    with pytest.raises(NewerVersion, match="newer version"):
        await Table.open(tmp_path, FakeClock())
    assert (tmp_path / JOURNAL).read_bytes() == before


async def test_the_disk_is_asked_for_certainty(tmp_path: Path):
    file = JournalFile(tmp_path)
    assert file._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert file._db.execute("PRAGMA synchronous").fetchone() == (2,)
    file.close()


async def test_rows_carry_wall_time_as_a_note_and_the_boot_their_time_belongs_to(tmp_path: Path):
    await a_game(tmp_path)
    with closing(sqlite3.connect(tmp_path / JOURNAL)) as db:
        rows = db.execute("SELECT wall, boot, at FROM decisions").fetchall()
    assert all(re.fullmatch(r"2026-11-29T.*", wall) for wall, _, _ in rows)
    assert {boot for _, boot, _ in rows} == {"boot-1"}
    assert [at for _, _, at in rows] == sorted(at for _, _, at in rows)


# --- the edges' own hashes


async def _with_edges(folder: Path) -> None:
    """A journal of a vote: edges before, with and after decisions."""
    table = await TableBench.open(folder)
    await table.second_day(5, 6)
    await table.opens()
    for seat in (1, 2, 3):
        table.hand(seat, down=True, at=0.1 * seat)
        await table.settle()
    await table.advance(2.1)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(2.1)
    await table.does(cmd.Next())
    await table.table.close()


EDITS = {
    "a hand is moved": "UPDATE edges SET at = at + 1000000 WHERE key = 'seat 2'",
    "a hand is another's": "UPDATE edges SET key = 'seat 9' WHERE key = 'seat 3'",
    "a hand is taken out": "DELETE FROM edges WHERE key = 'seat 1'",
    "a hand is put in": "INSERT INTO edges SELECT source, device_boot, 99, 'seat 8', down, at, error, boot "
    "FROM edges WHERE key = 'seat 4'",
    "the last hand and its batch are taken out": "DELETE FROM edges WHERE key = 'seat 4';"
    "DELETE FROM batches WHERE number = (SELECT MAX(number) FROM batches)",
}


@pytest.mark.parametrize("what", EDITS)
async def test_an_edge_that_was_edited_afterwards_shows(tmp_path: Path, what: str):
    await _with_edges(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as db:
        db.executescript(EDITS[what])
    file = JournalFile(tmp_path)
    damage = file.damage
    file.close()
    assert damage is not None
    assert damage.kind == "edges"
    table = await TableBench.open(tmp_path)
    assert table.now.damage == damage  # it is told again, and stops nothing
    await table.table.close()


async def test_edges_that_nobody_touched_show_nothing(tmp_path: Path):
    await _with_edges(tmp_path)
    for _ in range(2):
        file = JournalFile(tmp_path)
        assert file.damage is None
        file.close()


async def test_a_journal_from_before_the_edges_had_batches_is_taken_as_it_is(tmp_path: Path):
    await _with_edges(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as db:
        lines = db.execute("SELECT * FROM decisions ORDER BY seq").fetchall()
        previous = ""
        for line in lines:
            said = re.sub(r',?\{"type":"EdgesKept"[^}]*\}', "", line[7])
            content = (*line[:7], said, *line[8:11])
            own = row_hash(content, previous)
            db.execute(
                "UPDATE decisions SET table_events = ?, previous = ?, hash = ? WHERE seq = ?",
                (said, previous, own, line[0]),
            )
            previous = own
        db.executescript("DROP TABLE batches")
    (tmp_path / "last").unlink()
    for _ in range(2):
        file = JournalFile(tmp_path)
        assert file.damage is None
        assert len(file.edges("boot-1", 0)) > 3
        file.close()
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as db:
        db.execute(EDITS["a hand is moved"])
        db.commit()
    file = JournalFile(tmp_path)
    assert file.damage is not None
    assert file.damage.kind == "edges"
    file.close()


def read_by_others(folder: Path) -> list[str]:
    """The journal's files that not their owner alone may read."""
    files = [path for path in folder.iterdir() if path.name.startswith(JOURNAL)]
    assert files
    return [path.name for path in files if path.stat().st_mode & 0o077]


def test_nobody_but_its_owner_may_read_it(tmp_path: Path):
    tmp_path.chmod(0o755)
    JournalFile(tmp_path).close()
    assert read_by_others(tmp_path) == []
    (tmp_path / JOURNAL).chmod(0o644)  # as an earlier version has left it
    file = JournalFile(tmp_path)
    try:
        assert read_by_others(tmp_path) == []
    finally:
        file.close()
