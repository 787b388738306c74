"""A journal that is damaged anywhere: the table opens, keeps what is whole, says so, and goes on writing."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.table import NewerVersion, codec
from controller.table.journal_file import JOURNAL, MARK, EdgeRow, JournalFile
from controller.table.salvage import PAGE
from controller.table.wishes import NewGame, SetStopped, SetUp
from tests.table.bench import TableBench

FLIPS = 150
LOG = JOURNAL + "-wal"


class Played:
    """The files of a table that was killed, and what they hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data, self.log = (folder / JOURNAL).read_bytes(), (folder / LOG).read_bytes()
        copy = folder.with_name("read")
        shutil.copytree(folder, copy)
        with closing(sqlite3.connect(copy / JOURNAL)) as db:
            self.rows = db.execute("SELECT * FROM decisions ORDER BY seq").fetchall()
            self.edges = db.execute("SELECT * FROM edges").fetchall()

    def damaged(self, to: Path, data: bytes | None, log: bytes | None = b"") -> Path:
        """A folder of its own with these files in place of the whole ones."""
        shutil.copytree(self.folder, to)
        for name, content in ((JOURNAL, data), (LOG, log)):
            (to / name).unlink(missing_ok=True)
            if content is not None:
                (to / name).write_bytes(content)
        (to / (JOURNAL + "-shm")).unlink(missing_ok=True)
        return to

    def whole_before(self, begins: int, ends: int) -> int:
        """How many rows, from the first on, lie outside these bytes of the database."""
        for count, row in enumerate(self.rows):
            at = self.data.find((row[-2] + row[-1]).encode())
            assert at >= 0
            if at + 128 > begins and at - 2 * PAGE < ends and at // PAGE * PAGE < ends:
                return count
        return len(self.rows)


async def play(folder: Path) -> Played:
    """Two games' worth of rows and hands, all in the database; the table is not closed but killed."""
    table = await TableBench.open(folder)
    await table.second_day(5, 6)
    await table.opens()
    for seat in (4, 7, 9):
        table.hand(seat, down=True, at=0.2 + seat / 10)
    await table.advance(2.1)
    await table.table.idle()
    kept = folder.with_name("killed")
    shutil.copytree(folder, kept)
    await table.table.close()
    # All that the log has goes into the database; then the log is there and empty.
    with closing(sqlite3.connect(kept / JOURNAL)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (kept / LOG).touch()
    return Played(kept)


async def opens_and_goes_on(folder: Path, played: Played, least: int, what: str) -> int:
    """Open a table in `folder`. Return how many of the rows that were `played` it has kept."""
    before = {part: (folder / part).read_bytes() for part in (JOURNAL, LOG) if (folder / part).exists()}
    table = await TableBench.open(folder)
    file = table.table._journal._file
    rows = file._db.execute("SELECT * FROM decisions ORDER BY seq").fetchall()[:-1]
    damage = table.now.damage
    assert len(rows) >= least, what
    if len(rows) < len(played.rows):
        assert damage is not None, what
        assert damage.missing == len(played.rows) - len(rows), what
    if damage is None or damage.missing == 0:
        assert rows == played.rows, what
    else:
        assert rows == played.rows[: damage.kept], what
    if damage is not None and damage.aside is not None:
        for part, content in before.items():
            if content:
                assert (folder / part.replace(JOURNAL, damage.aside)).read_bytes() == content, what
    await table.does(SetStopped(stopped=True) if table.now.window is None else cmd.VoidWindow())
    again = await table.restart()
    # Edges that are not what they were are told at every start, and nothing is set aside for them.
    told = again.now.damage
    assert told is None or (damage is not None and told.kind == damage.kind == "edges"), what
    await again.table.close()
    return len(rows)


@pytest.fixture
async def played(tmp_path: Path) -> Played:
    return await play(tmp_path / "table")


async def test_cut_at_every_512th_byte(played: Played, tmp_path: Path):
    kept: list[int] = []
    for end in range(0, len(played.data), 512):
        folder = played.damaged(tmp_path / f"cut {end}", played.data[:end])
        kept.append(await opens_and_goes_on(folder, played, played.whole_before(end, len(played.data)), f"cut {end}"))
    assert kept[0] == 0
    assert max(kept) > len(played.rows) // 2


@pytest.mark.parametrize("seed", range(3))
async def test_one_bit_flipped_anywhere(played: Played, tmp_path: Path, seed: int):
    chance = random.Random(seed)
    for number in range(FLIPS // 3):
        at, bit = chance.randrange(len(played.data)), chance.randrange(8)
        data = bytearray(played.data)
        data[at] ^= 1 << bit
        what = f"bit {bit} of byte {at}"
        folder = played.damaged(tmp_path / f"flip {number}", bytes(data))
        await opens_and_goes_on(folder, played, played.whole_before(at // PAGE * PAGE, at // PAGE * PAGE + PAGE), what)


@pytest.mark.parametrize("at", range(100))
def test_every_byte_of_the_head_may_be_anything(tmp_path: Path, at: int):
    file = JournalFile(tmp_path)
    file.write(None, [EdgeRow("seats", 1, n, "seat 4", down=True, at=n, error_ns=0, boot="b") for n in range(9)])
    file.close()
    path = tmp_path / JOURNAL
    for byte in (0x00, 0xFF):
        data = bytearray(path.read_bytes())
        data[at] = byte
        path.write_bytes(data)
        file = JournalFile(tmp_path)
        assert [edge.seq for edge in file.edges("b", 0)] == list(range(9))
        file.close()


async def test_a_log_with_one_bit_flipped_gives_back_every_row(tmp_path: Path):
    table = await TableBench.open(tmp_path / "table")
    await table.deals()
    await table.table.idle()
    killed = tmp_path / "killed"
    shutil.copytree(tmp_path / "table", killed)
    await table.table.close()
    played = Played(killed)
    assert len(played.log) > 30 * PAGE
    told = set[str]()
    for at in range(40, len(played.log), len(played.log) // 25):
        log = bytearray(played.log)
        log[at] ^= 4
        folder = played.damaged(tmp_path / f"flip {at}", played.data, bytes(log))
        table = await TableBench.open(folder)
        damage = table.now.damage
        if damage is not None:
            told.add(damage.kind)
        assert damage is None or damage.kept + damage.missing == len(played.rows)
        assert table.now.revision > (len(played.rows) if damage is None else damage.kept)
        assert damage is None or damage.kept >= len(played.rows) - 1
        await table.table.close()
    assert "mended" in told


@pytest.mark.parametrize("rest", [None, b""])
async def test_a_log_that_is_gone_is_missed(played: Played, tmp_path: Path, rest: bytes | None):
    table = await TableBench.open(played.damaged(tmp_path / "a", played.data))
    await table.does(cmd.OpenWindow())
    rows = table.now.revision
    await table.table.idle()
    shutil.copytree(tmp_path / "a", tmp_path / "later")
    await table.table.close()
    assert rows == len(played.rows) + 2
    killed = tmp_path / "later"
    (killed / LOG).unlink()
    if rest is not None:
        (killed / LOG).write_bytes(rest)
    table = await TableBench.open(killed)
    damage = table.now.damage
    assert damage is not None
    assert (damage.kind, damage.kept, damage.missing) == ("torn", len(played.rows), 2)
    await table.table.close()


@pytest.mark.parametrize("rest", [None, b""])
async def test_a_journal_that_is_gone_or_empty_is_missed(played: Played, tmp_path: Path, rest: bytes | None):
    folder = played.damaged(tmp_path / "a", rest, None)
    table = await TableBench.open(folder)
    damage = table.now.damage
    assert damage is not None
    assert (damage.kind, damage.kept, damage.missing, damage.aside) == ("missing", 0, len(played.rows), None)
    again = await (await table.deals()).restart()
    assert again.now.damage is None
    await again.table.close()


@pytest.mark.parametrize("rest", [None, b""])
async def test_a_log_without_its_database_gives_back_what_it_holds(tmp_path: Path, rest: bytes | None):
    table = await TableBench.open(tmp_path / "table")
    await table.deals()
    await table.table.idle()
    shutil.copytree(tmp_path / "table", tmp_path / "killed")
    await table.table.close()
    played = Played(tmp_path / "killed")
    table = await TableBench.open(played.damaged(tmp_path / "a", rest, played.log))
    damage = table.now.damage
    assert damage is not None
    assert (damage.kind, damage.kept, damage.missing) == ("mended", len(played.rows), 0)
    await table.table.close()


def test_tables_that_are_not_as_they_were_made_are_made_anew(played: Played, tmp_path: Path):
    folder = played.damaged(tmp_path / "a", played.data)
    with closing(sqlite3.connect(folder / JOURNAL)) as db:
        db.execute("DROP INDEX decisions_game")
        db.execute("CREATE INDEX decisions_game ON decisions (wall)")
    file = JournalFile(folder)
    assert file.damage is not None
    assert (file.damage.kind, file.damage.kept) == ("mended", len(played.rows))
    file.close()


async def test_an_older_copy_in_the_journals_place_is_told(played: Played, tmp_path: Path):
    table = await TableBench.open(played.damaged(tmp_path / "a", played.data))
    await table.does(cmd.OpenWindow())
    await table.table.close()
    (tmp_path / "a" / JOURNAL).write_bytes(played.data)
    table = await TableBench.open(tmp_path / "a")
    assert table.now.damage is not None
    assert table.now.damage.missing == 2
    await table.table.close()


@pytest.mark.parametrize("torn", [b"", b"\0" * 60, b"12 f00d 5", b"\xff" * 200])
async def test_a_torn_mark_is_no_mark(played: Played, tmp_path: Path, torn: bytes):
    folder = played.damaged(tmp_path / "a", played.data)
    said = (folder / MARK).read_bytes()
    (folder / MARK).write_bytes(torn or said[:40] + b"7" + said[41:])
    file = JournalFile(folder)
    assert file.damage is None
    file.close()
    assert (folder / MARK).read_bytes()[: len(said)] == said


async def test_the_game_on_the_table_outlives_damage_in_the_games_before(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.first_day()
    for _ in range(2):
        await table.does(cmd.Defeat(1))
        await table.does(NewGame())
        await table.deals()
        await table.next(5)
    there = table.now.revision
    state = table.state
    await table.table.close()
    path = tmp_path / JOURNAL
    data = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as db:
        fifth = db.execute("SELECT hash FROM decisions WHERE seq = 5").fetchone()[0].encode()
    at = data.find(b"boot-1", 0)
    assert at >= 0
    while (at := data.find(fifth, at)) >= 0:
        data[at + 3] = 0xFF  # no letter of any text: SQLite cannot read the row
        at += 1
    path.write_bytes(data)
    table = await TableBench.open(tmp_path)
    damage = table.now.damage
    assert damage is not None
    assert damage.row == 5
    assert table.state == state
    assert table.now.revision == there + 1
    assert damage.kept + damage.missing == there
    again = await table.restart()
    assert again.now.damage is not None
    assert again.now.damage.kind == "edited"
    assert again.state == state
    await again.table.close()


async def test_a_row_that_is_longer_than_a_page_is_read_too(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    names = tuple(f"{seat} " + "и" * 900 for seat in range(10))
    await table.does(SetUp(table.now.header, names))
    await table.does(SetUp(table.now.header, ("a",) * 10))
    await table.table.close()
    path = tmp_path / JOURNAL
    data = bytearray(path.read_bytes())
    data[0] ^= 1
    path.write_bytes(data)
    table = await TableBench.open(tmp_path)
    assert table.now.damage is not None
    assert (table.now.damage.kind, table.now.damage.kept) == ("mended", 3)
    await table.table.close()


async def test_what_a_newer_version_wrote_is_not_salvaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patched:
        patched.setattr(codec, "VERSION", 99)
        await (await TableBench.open(tmp_path)).table.close()
    path = tmp_path / JOURNAL
    path.write_bytes(b"\0" + path.read_bytes()[1:])
    before = path.read_bytes()
    with pytest.raises(NewerVersion):
        JournalFile(tmp_path)
    assert path.read_bytes() == before


async def test_a_new_game_brings_the_log_into_the_database(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.deals()
    await table.next(5)
    await table.does(cmd.Defeat(1))
    assert (tmp_path / LOG).stat().st_size > 0
    await table.does(NewGame())
    await table.table._journal.alive()  # stands behind the settling in the thread's queue
    assert (tmp_path / LOG).stat().st_size == 0
    await table.table.close()
