"""The power goes, at any moment: nothing that was acknowledged is lost, nothing is half applied."""

import asyncio
import os
import random
import signal
import sys
from pathlib import Path

import pytest

from controller.table import SystemClock, Table, Wish
from controller.table.wishes import Undo

HOUSE = Path(__file__).parents[2]


async def play_and_kill(folder: Path, seed: int, seconds: float) -> tuple[dict[int, str], int]:
    """Let a table play in `folder` and kill it `seconds` after its first word. Return what it had acknowledged:
    revision -> id, and the last edge."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.table.play_until_killed",
        str(folder),
        str(seed),
        cwd=HOUSE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    said = await child.stdout.readline()
    await asyncio.sleep(seconds)
    os.kill(child.pid, signal.SIGKILL)
    said += await child.stdout.read()
    await child.wait()
    done: dict[int, str] = {}
    edge = 0
    for line in said.decode().split("\n")[:-1]:
        match line.split(" ", 2):
            case ["did", revision, name]:
                done[int(revision)] = name
            case ["edge", seq]:
                edge = int(seq)
            case _:
                raise AssertionError(line)
    return done, edge


@pytest.mark.parametrize("seed", range(4))
async def test_what_was_acknowledged_survives_three_kills_in_a_row(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    for life in range(3):
        name = seed * 10 + life + 1
        done, edge = await play_and_kill(tmp_path, name, chance.uniform(0.0, 0.4))
        table = await Table.open(tmp_path, SystemClock())
        try:
            assert table.snapshot.damage is None
            rows = {row.seq: row for game in await games(table) for row in await table._journal.rows(game)}
            assert {seq: rows[seq].id for seq in done} == done
            assert sorted(rows) == list(range(1, len(rows) + 1))
            ghosts = [row.id for row in rows.values() if row.id.startswith(f"wish {name} ") and row.seq not in done]
            assert len(ghosts) <= 1  # the one that was on disk and not answered yet
            assert (await table._journal.last_edges()).get(("child", name), 0) >= edge
            if done:
                answer = await table.submit(Wish(id=done[max(done)], command=Undo()))
                assert answer.revision == max(done)  # pyright: ignore[reportAttributeAccessIssue]
        finally:
            await table.close()


async def games(table: Table) -> list[str]:
    """Every game in the table's journal."""
    db = table._journal._file._db
    return [game for (game,) in db.execute("SELECT game FROM decisions GROUP BY game ORDER BY MIN(seq)")]
