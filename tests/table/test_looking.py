"""A season's journal: a start looks through the game on the table, and the rest is looked through beside it."""

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.table import looking
from controller.table.journal_file import JOURNAL, JournalFile
from controller.table.looking import AT_ONCE, Stopped, look_through
from controller.table.wishes import NewGame
from tests.table.bench import TableBench
from tests.table.season import season

SEASON = 120_000
"""Eight hundred games."""
MOST_READY_S = 2.0


@pytest.fixture
async def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a journal of eight games, for a table that looks through twenty rows at once."""
    monkeypatch.setattr(looking, "AT_ONCE", 20)
    assert await season(tmp_path / "data", 360) > 360
    return tmp_path / "data"


def tamper(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / JOURNAL, isolation_level=None)) as db:
        db.executescript(statement)


async def test_a_start_looks_through_the_last_game_and_the_rest_is_looked_through_beside_it(
    long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    sound = looking.salvage.is_sound

    def noted(line: tuple[object, ...]) -> bool:
        seen.append(line[0])  # pyright: ignore[reportArgumentType]
        return sound(line)

    monkeypatch.setattr(looking.salvage, "is_sound", noted)
    table = await TableBench.open(long)
    rows = table.now.revision - 1
    game = len(table.table._journal._file.rows(table.now.game)) - 1
    assert sorted(set(seen))[1:] == list(range(rows - game + 1, rows + 1))  # the one before carries the last batch
    seen.clear()
    await table.table.look_through()
    assert set(seen) >= set(range(1, rows + 1))
    assert table.now.damage is None
    assert len(table.table._journal.ids) == rows + 1
    await table.table.close()


@pytest.mark.parametrize(
    ("change", "kind", "row"),
    [
        ("UPDATE decisions SET events = '[]' WHERE seq = 50", "edited", 50),
        ("UPDATE decisions SET table_events = 'no JSON' WHERE seq = 50", "edited", 50),
        ("DELETE FROM decisions WHERE seq = 50", "edited", 51),
        ("UPDATE edges SET at = at + 1 WHERE device_boot = 2", "edges", None),
        ("DELETE FROM edges WHERE device_boot = 2", "edges", None),
        ("INSERT INTO edges SELECT source, 99, seq, key, down, at, error, boot FROM edges LIMIT 1", "edges", None),
    ],
)
async def test_an_edit_in_an_earlier_game_is_told_once_it_is_found_and_the_game_goes_on(
    long: Path, change: str, kind: str, row: int | None
) -> None:
    tamper(long, change)
    table = await TableBench.open(long)
    assert table.now.damage is None
    await table.table.look_through()
    damage = table.now.damage
    assert damage is not None
    assert (damage.kind, damage.aside) == (kind, None)
    assert row is None or damage.row == row
    await table.does(NewGame())
    await table.deals()
    await table.table.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE decisions SET events = '[]' WHERE seq = {rows}",
        "UPDATE edges SET at = at + 1 WHERE device_boot = {last}",
    ],
)
async def test_an_edit_in_the_game_on_the_table_is_told_before_anybody_plays(long: Path, change: str) -> None:
    with closing(sqlite3.connect(long / JOURNAL)) as db:
        (rows,) = db.execute("SELECT MAX(seq) FROM decisions").fetchone()
        (last,) = db.execute("SELECT MAX(device_boot) FROM edges").fetchone()
    tamper(long, change.format(rows=rows, last=last))
    file = JournalFile(long, whole=False)
    assert file.damage is not None
    assert file.damage.kind == ("torn" if "events" in change else "edges")
    file.close()


def break_page_of(folder: Path, row: int) -> None:
    """Overwrite the page where that row's own hash lies, and so what SQLite finds its way by."""
    with closing(sqlite3.connect(folder / JOURNAL, isolation_level=None)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (own,) = db.execute("SELECT hash FROM decisions WHERE seq = ?", (row,)).fetchone()
    data = bytearray((folder / JOURNAL).read_bytes())
    at = data.find(own.encode()) // 4096 * 4096
    data[at : at + 4096] = b"\xa5" * 4096
    (folder / JOURNAL).write_bytes(data)


async def test_a_page_of_an_earlier_game_that_is_broken_is_told_and_mended_at_the_next_start(long: Path) -> None:
    break_page_of(long, 50)
    table = await TableBench.open(long)
    assert table.now.damage is None
    await table.table.look_through()
    assert table.now.damage is not None
    assert table.now.damage.kind == "broken"
    await table.does(NewGame())
    await table.deals()
    played = table.now.history.length
    again = await table.restart()
    damage = again.now.damage
    assert damage is not None
    assert damage.kind == "torn"
    assert damage.aside is not None
    assert (long / damage.aside).exists()
    assert again.now.history.length == played
    last = await again.restart()
    assert last.now.damage is None  # mended once
    await last.table.close()


async def test_an_index_that_has_lost_a_decision_of_the_last_game_is_not_believed(long: Path) -> None:
    with closing(sqlite3.connect(long / JOURNAL, isolation_level=None)) as db:
        (rows,) = db.execute("SELECT MAX(seq) FROM decisions").fetchone()
        db.executescript(
            "PRAGMA writable_schema = ON;"
            "UPDATE sqlite_master SET sql = sql || ' WHERE seq <> "
            f"{rows - 3}' WHERE name = 'decisions_game'; PRAGMA writable_schema = RESET;"
        )
    with closing(sqlite3.connect(long / JOURNAL, isolation_level=None)) as db:
        db.executescript(
            "REINDEX decisions_game; PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = "
            "'CREATE INDEX decisions_game ON decisions (game, seq)' WHERE name = 'decisions_game';"
            "PRAGMA writable_schema = RESET;"
        )
    table = await TableBench.open(long)
    assert table.now.damage is not None
    assert table.now.damage.kind == "mended"
    assert table.now.revision == rows + 1
    await table.table.close()


async def test_a_copy_is_looked_through_as_a_whole_when_it_is_put_back(long: Path) -> None:
    file = JournalFile(long)
    assert file.unseen == 0
    file.close()


async def test_the_look_ends_when_the_table_does(long: Path) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        look_through(long, stop)


async def test_a_season_is_looked_through_while_it_is_written_to(tmp_path: Path) -> None:
    """More rows than are looked at once, without a patch; the log is brought in although somebody reads."""
    rows = await season(tmp_path / "data", 3 * AT_ONCE)
    table = await TableBench.open(tmp_path / "data")
    file = table.table._journal._file
    assert rows - AT_ONCE - 100 < file.unseen <= rows - AT_ONCE
    with closing(sqlite3.connect(f"{(tmp_path / 'data' / JOURNAL).as_uri()}?mode=ro", uri=True)) as reader:
        reader.isolation_level = None
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM decisions").fetchone()
        began = time.process_time()
        await table.does(NewGame())
        await table.deals()
        await table.table.idle()
        assert file._log_is_due
        assert time.process_time() - began < 5
    await table.does(cmd.Next())
    await table.table.idle()
    assert not file._log_is_due
    await table.table.look_through()
    assert table.now.damage is None
    await table.table.close()


@pytest.mark.soak
async def test_a_table_with_a_season_behind_it_is_ready_within_two_seconds(tmp_path: Path) -> None:
    rows = await season(tmp_path / "data", SEASON)
    began, worked = time.perf_counter(), time.process_time()
    file = JournalFile(tmp_path / "data", whole=False)
    took, work = time.perf_counter() - began, time.process_time() - worked
    unseen = file.unseen
    file.close()
    began = time.perf_counter()
    assert look_through(tmp_path / "data", threading.Event()) is None
    later = time.perf_counter() - began
    began = time.perf_counter()
    JournalFile(tmp_path / "data").close()
    whole = time.perf_counter() - began
    print(
        f"{rows} decisions: open in {took:.2f} s ({work:.2f} s of work), {unseen} of them looked through beside the "
        f"table in {later:.1f} s; all at once is {whole:.1f} s"
    )
    assert work < MOST_READY_S / 2
