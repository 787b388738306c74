"""Disks that really fail, and none that a test pretends: a full one, a read-only one, a file that may not grow."""

import asyncio
import os
import resource
import subprocess
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.refusal import Refusal
from controller.table.state import Disk, Unsaved
from tests.table.bench import TableBench

HOUSE = Path(__file__).parents[2]


@pytest.fixture
def small(tmp_path: Path) -> Generator[Path]:
    """A disk of two megabytes."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("no disk may be mounted here: the file that may not grow stands in for it")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


async def fails(table: TableBench) -> int:
    """Decisions until the disk takes no more; how many it took."""
    for number in range(5000):
        answer = await table.submit(cmd.Warn(4), id=f"warning {number}")
        if isinstance(answer, Refusal):
            assert answer.code == "disk_failing"
            return number
    raise AssertionError("the disk took everything")


async def test_a_disk_that_is_full_is_told_at_once_and_what_was_decided_without_it_is_written_when_there_is_room(
    small: Path,
):
    table = await (await TableBench.open(small / "data")).first_day()
    ballast = small / "ballast"
    held = os.open(ballast, os.O_WRONLY | os.O_CREAT)
    with suppress(OSError):
        while os.write(held, bytes(4096)):
            pass
    os.close(held)
    taken = await fails(table)
    assert table.now.disk is Disk.FAILING
    await table.advance(2.1)
    assert table.now.unsaved.offered
    table.table.go_on_unsaved()
    for seat in (5, 6, 7):
        await table.does(cmd.Foul(seat))
    await table.advance(3)
    assert table.now.unsaved.rows == 3
    ballast.unlink()
    await table.advance(1.1)
    assert table.now.unsaved == Unsaved()
    assert table.now.disk is Disk.OK
    state = table.state
    again = await table.restart()
    assert again.now.damage is None
    assert again.state == state
    print(f"a full disk: {taken} decisions taken before, 3 without it, 0 lost")
    await again.table.close()


async def test_a_table_on_a_read_only_disk_says_so_in_a_sentence_and_leaves_it_as_it_is(small: Path):
    table = await (await TableBench.open(small / "data")).deals()
    await table.table.close()
    before = {path.name: path.read_bytes() for path in (small / "data").iterdir()}
    remounted = await asyncio.create_subprocess_exec("mount", "-o", "remount,ro", str(small))
    assert await remounted.wait() == 0
    program = Path(sys.executable).with_name("mafia-table")
    child = await asyncio.create_subprocess_exec(
        program, "serve", "--data", str(small / "data"), "--port", "0", "--lang", "en",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, said = await child.communicate()
    assert child.returncode == 2
    assert str(small / "data") in said.decode().replace("\n", "")
    assert "Traceback" not in said.decode()
    assert {path.name: path.read_bytes() for path in (small / "data").iterdir()} == before


GROWS_NOT = """
import asyncio, resource, signal, sys
from pathlib import Path
from controller.game import commands as cmd
from controller.table import Accepted, SystemClock, Table, Wish

async def main(folder):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    table = await Table.open(folder, SystemClock())
    await table.submit(Wish(id="a card", command=cmd.Deal(1, cmd.Role.DON)))
    log = folder / "journal.sqlite-wal"
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, hard))
    refused = None
    for number in range(500):
        answer = await table.submit(Wish(id=f"{number}", command=cmd.Deal(2 + number % 9, cmd.Role.CIVILIAN)))
        if not isinstance(answer, Accepted):
            refused = answer.code
            break
    print(refused, table.snapshot.disk.value)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    answer = await table.submit(Wish(id="again", command=cmd.Deal(10, cmd.Role.SHERIFF)))
    print(isinstance(answer, Accepted), table.snapshot.disk.value)
    await table.close()

asyncio.run(main(Path(sys.argv[1])))
"""


def test_a_file_that_may_not_grow_is_a_full_disk(tmp_path: Path):
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    said = subprocess.run(
        [sys.executable, "-c", GROWS_NOT, str(tmp_path)], cwd=HOUSE, capture_output=True, text=True, check=False
    )
    assert said.stdout.split() == ["disk_failing", "failing", "True", "ok"], said.stderr
