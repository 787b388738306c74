"""The power goes, at any moment of any game: nothing that was acknowledged is lost, nothing is half applied, clocks
stand still with what was left, windows are undecided, and the table is ready again at once."""

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.game import commands as cmd
from controller.game.rulesets import RULESETS
from controller.table import SystemClock, Table, Wish
from controller.table.book import Book, fold
from controller.table.journal_file import JOURNAL, MARK, JournalFile
from controller.table.state import Stage
from controller.table.wishes import Undo
from tests.table.bench import TableBench
from tests.table.play_until_killed import told

HOUSE = Path(__file__).parents[2]
READY_WITHIN_S = 2.0
SLACK_NS = 50_000_000
"""Between the last beat of the service's heart and its end lies a second; between two prints, next to nothing."""
BEAT_NS = 1_000_000_000


@dataclass
class Life:
    """What a killed table had said."""

    said: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    """revision -> the wish's id, and what there was to see."""
    edge: int = 0
    killed: int = 0
    """When, monotonic ns."""


@dataclass
class Tally:
    """The figures of a run."""

    kills: int = 0
    in_a_window: int = 0
    with_a_clock: int = 0
    acknowledged: int = 0
    lost: int = 0
    slowest_ms: float = 0.0
    most_work_ms: float = 0.0
    """The same without what other programs of this machine took: what is judged here; `make bench` judges the rest."""

    def __str__(self) -> str:
        return (
            f"{self.kills} kills survived ({self.in_a_window} in an open window, {self.with_a_clock} with a running "
            f"clock), {self.acknowledged} decisions acknowledged, {self.lost} lost, "
            f"ready again in {self.slowest_ms:.0f} ms at most ({self.most_work_ms:.0f} ms of work)"
        )


async def play_and_kill(folder: Path, seed: int, ruleset: str, seconds: float) -> Life:
    """Let a table play in `folder` and kill it `seconds` after it was open."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.table.play_until_killed",
        str(folder),
        str(seed),
        ruleset,
        cwd=HOUSE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 26,
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"open\n"
    reading = asyncio.create_task(child.stdout.read())
    await asyncio.sleep(seconds)
    os.kill(child.pid, signal.SIGKILL)
    life = Life(killed=time.monotonic_ns())
    heard = await reading
    await child.wait()
    for line in heard.decode().split("\n")[:-1]:
        word, number, *rest = line.split(" ", 2)
        if word == "edge":
            life.edge = int(number)
        else:
            assert word == "did", line
            state, name = rest[0].rsplit("} ", 1)
            life.said[int(number)] = (name, json.loads(state + "}"))
    return life


async def survives(folder: Path, seed: int, ruleset: str, seconds: float, tally: Tally) -> None:
    """One kill, and all that must be true after it."""
    life = await play_and_kill(folder, seed, ruleset, seconds)
    began, worked = time.perf_counter(), time.process_time()
    table = await Table.open(folder, SystemClock())
    tally.slowest_ms = max(tally.slowest_ms, (time.perf_counter() - began) * 1000)
    tally.most_work_ms = max(tally.most_work_ms, (time.process_time() - worked) * 1000)
    try:
        assert table.snapshot.damage is None
        rows = {row.seq: row for game in await games(table) for row in await table._journal.rows(game)}
        done = {seq: name for seq, (name, _) in life.said.items()}
        lost = {seq: name for seq, name in done.items() if seq not in rows or rows[seq].id != name}
        tally.kills += 1
        tally.acknowledged += len(done)
        tally.lost += len(lost)
        assert not lost
        assert sorted(rows) == list(range(1, len(rows) + 1))
        ghosts = [seq for seq, row in rows.items() if row.id.startswith(f"wish {seed} ") and seq > max(done, default=0)]
        assert len(ghosts) <= 1  # the one that was on disk and not answered yet
        assert (await table._journal.last_edges()).get(("child", seed), 0) >= life.edge
        timer, window = table.snapshot.timer, table.snapshot.window
        assert timer is None or not timer.running
        assert window is None or window.stage is Stage.UNDECIDED
        if done:
            last = max(done)
            seen = life.said[last][1]
            book = folded(rows, last)
            assert book.history.length == seen["decisions"]
            assert repr(book.state.phase) == seen["phase"]
            if len(rows) == last + 1:  # the only row after it says that the service came up
                comes_back(table, seen, life, tally)
            answer = await table.submit(Wish(id=done[last], command=Undo()))
            assert answer.revision == last  # pyright: ignore[reportAttributeAccessIssue]
    finally:
        await table.close()


def comes_back(table: Table, seen: dict[str, Any], life: Life, tally: Tally) -> None:
    """What was seen last is seen again, but that clocks stand still and an open window is undecided."""
    now = told(table.snapshot)
    for name in ("game", "phase", "roles", "fouls", "living", "decisions", "window"):
        assert now[name] == seen[name], name
    tally.in_a_window += seen["window"] is not None
    timer = table.snapshot.timer
    assert (timer is None) == (seen["timer"] is None)
    if timer is not None:
        name, running, left, deadline = seen["timer"]
        assert timer.id == name
        if running:
            tally.with_a_clock += 1
            # Nobody loses time to a crash: what was left at the last beat of the heart, a second ago at most.
            assert max(0, deadline - life.killed) - SLACK_NS <= timer.left <= left
            assert timer.left <= max(0, deadline - life.killed) + 2 * BEAT_NS
        else:
            assert timer.left == left


def folded(rows: dict[int, Any], last: int) -> Book:
    """The book of the game that row `last` is of, after that row."""
    book: Book | None = None
    for seq in range(1, last + 1):
        if rows[seq].game == rows[last].game:
            book = fold(book, rows[seq], RULESETS)
    assert book is not None
    return book


async def kill_often(folder: Path, seeds: range, tally: Tally, lives: int) -> None:
    """Every seed is a table of its own that is killed `lives` times."""
    for seed in seeds:
        chance = random.Random(seed)
        ruleset = chance.choice(sorted(RULESETS))
        for life in range(lives):
            await survives(folder / str(seed), seed * 100 + life, ruleset, chance.uniform(0.0, 0.4), tally)


async def test_what_was_acknowledged_survives_20_kills(tmp_path: Path):
    tally = Tally()
    await asyncio.gather(*(kill_often(tmp_path, range(lane, 5, 2), tally, 4) for lane in range(2)))
    print(tally)
    assert (tally.kills, tally.lost) == (20, 0)
    assert tally.most_work_ms < READY_WITHIN_S * 1000


@pytest.mark.soak
@pytest.mark.timeout(5400)
async def test_what_was_acknowledged_survives_500_kills(tmp_path: Path):
    tally = Tally()
    await asyncio.gather(*(kill_often(tmp_path, range(100 + lane, 150, 2), tally, 10) for lane in range(2)))
    print(tally)
    assert (tally.kills, tally.lost) == (500, 0)
    assert tally.in_a_window > 0
    assert tally.with_a_clock > 0
    assert tally.most_work_ms < READY_WITHIN_S * 1000


LOG = JOURNAL + "-wal"


@dataclass
class LastWrite:
    """A journal's files before and after its last write, and the rows each of them gives."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    rows: int


async def last_write(folder: Path) -> LastWrite:
    """A game in which a nomination is the last that was written. The log grows by it; the database is as it was."""
    table = await TableBench.open(folder)
    await table.first_day()
    table.hand(3, down=True, at=0.1)
    await table.table.idle()
    table.table._journal._file._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    await table.does(cmd.Foul(4))
    before = {name: (folder / name).read_bytes() for name in (JOURNAL, LOG, MARK)}
    rows = table.now.revision
    table.hand(3, down=False, at=0.3)
    await table.does(cmd.Nominate(1, 5))
    await table.table.idle()
    after = {name: (folder / name).read_bytes() for name in (JOURNAL, LOG, MARK)}
    await table.table.close()
    assert before[JOURNAL] == after[JOURNAL]
    assert after[LOG].startswith(before[LOG])
    return LastWrite(before, after, rows)


def opened_with(folder: Path, files: dict[str, bytes]) -> tuple[int, str | None, float]:
    """How many rows the journal gives that consists of these files, what it says of its health, and in what time."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    began = time.perf_counter()
    file = JournalFile(folder)
    took = time.perf_counter() - began
    found = len(file.ids), None if file.damage is None else file.damage.kind
    file.close()
    shutil.rmtree(folder)
    return *found, took


async def cut_at_every(step: int, folder: Path) -> tuple[int, float]:
    """The last write ends at every `step`th byte of it, what follows is missing or garbage: how many cuts, slowest."""
    write = await last_write(folder / "table")
    begins, ends = len(write.before[LOG]), len(write.after[LOG])
    rest = random.Random(1).randbytes(ends - begins)
    cuts, slowest = 0, 0.0
    for end in (*range(begins, ends, step), ends - 1):
        for tail in (b"", rest[end - begins :]):
            # Its mark is written after it: a write that was cut has none.
            files = {**write.before, LOG: write.after[LOG][:end] + tail}
            rows, damage, took = opened_with(folder / "cut", files)
            assert (rows, damage) == (write.rows, None), f"cut at byte {end} of {begins} to {ends}"
            cuts, slowest = cuts + 1, max(slowest, took)
    assert opened_with(folder / "whole", write.after)[:2] == (write.rows + 1, None)
    # And the mark itself, cut at every byte of it.
    for end in range(len(write.after[MARK])):
        files = {**write.after, MARK: write.after[MARK][:end] + write.before[MARK][end:]}
        rows, _, took = opened_with(folder / "mark", files)
        assert rows == write.rows + 1
        cuts, slowest = cuts + 1, max(slowest, took)
    return cuts, slowest


async def test_a_last_write_that_was_cut_is_wholly_there_or_not_at_all(tmp_path: Path):
    cuts, slowest = await cut_at_every(97, tmp_path)
    print(f"the last write cut {cuts} times, 0 decisions lost, 0 half there, opened in {slowest * 1000:.0f} ms at most")


@pytest.mark.soak
@pytest.mark.timeout(5400)
async def test_a_last_write_that_was_cut_at_any_byte_is_wholly_there_or_not_at_all(tmp_path: Path):
    cuts, slowest = await cut_at_every(1, tmp_path)
    print(f"the last write cut {cuts} times, 0 decisions lost, 0 half there, opened in {slowest * 1000:.0f} ms at most")


async def games(table: Table) -> list[str]:
    """Every game in the table's journal."""
    db = table._journal._file._db
    return [game for (game,) in db.execute("SELECT game FROM decisions GROUP BY game ORDER BY MIN(seq)")]
