"""A disk that dies under the running service: its own system calls fail, or take half a second, as a card's do that
turns read-only, is full or wears out. Nothing of the service is replaced; strace answers for the kernel."""

import asyncio
import os
import shutil
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.service.sample_final import CARDS
from controller.table.journal_file import JournalFile
from tests.service.apart import Process, demo
from tests.service.judge import Judge
from tests.service.page import Page

SILENT = "[sound]\non = false\n"
AT_ONCE_S = 1.0
"""What a person takes for at once, under strace, on two busy cores; measured it is a fraction."""
SLOW_S = 0.5


@asynccontextmanager
async def injected(pid: int, call: str, what: str) -> AsyncGenerator[None]:
    """Every system call `call` of `pid` has this fault."""
    tracer = await asyncio.create_subprocess_exec(
        "strace", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{what}", "-p", str(pid),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert tracer.stderr is not None
    said = (await tracer.stderr.readline()).decode()
    if "attached" not in said:
        await tracer.wait()
        pytest.skip(f"no process may be traced here: {said.strip()}")
    try:
        yield
    finally:
        tracer.send_signal(signal.SIGINT)
        await tracer.wait()


@asynccontextmanager
async def table(place: Path) -> AsyncGenerator[tuple[Process, Page]]:
    """A table on which a person has begun the first day, and the judge's tablet. It is killed at the end."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed: make setup")
    async with demo(place, SILENT, ends=False) as process:
        address = f"http://127.0.0.1:{process.port}"
        async with Page(address, process.tokens["table"], page="table") as hands:
            assert (await hands.ask("takeover", {"person": True}))["ok"]
            async with Page(address, process.tokens["judge"]) as tablet:
                judge = Judge(tablet)
                for seat, role in enumerate(CARDS, 1):
                    await judge.tries("deal", seat=seat, role=role.value)  # some were dealt before the person came
                while tablet.view["phase"]["kind"] != "speech":
                    answer = await judge.tries("next")  # refused where it has not seen the last card yet
                    seen = answer["revision"] if answer["ok"] else answer["refusal"]["params"]["now"]
                    await tablet.until(lambda seen=seen: tablet.revision >= seen)
                yield process, tablet
        os.kill(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("fault", ["EROFS", "ENOSPC", "EIO"])
async def test_a_disk_that_dies_in_the_middle_of_play_is_told_at_once_and_the_judge_goes_on(
    tmp_path: Path, fault: str
) -> None:
    async with table(tmp_path) as (process, tablet):
        judge = Judge(tablet)
        await judge.does("warn", seat=4)
        assert tablet.view["disk"] == "ok"
        before = tablet.revision
        async with injected(process.pid, "pwrite64", f"error={fault}"):
            began = time.monotonic()
            answer = await judge.tries("foul", seat=4)
            told_in = time.monotonic() - began
            assert not answer["ok"]
            assert answer["refusal"]["code"] == "disk_failing"
            await tablet.sees(lambda view: view["disk"] == "failing")
            shown_in = time.monotonic() - began
            assert any(not line["ok"] for line in tablet.view["readiness"])
            assert not tablet.view["seats"][3]["fouls"]
            await tablet.sees(lambda view: view["unsaved"]["offered"])
            offered_in = time.monotonic() - began
            assert (await judge.tries("go_on_unsaved"))["ok"]
            for seat in (5, 6, 7):
                await judge.does("foul", seat=seat)
            await tablet.sees(lambda view: view["unsaved"]["rows"] == 3)
            assert tablet.revision > before
        await tablet.sees(lambda view: view["disk"] == "ok" and view["unsaved"]["rows"] == 0)
        await judge.does("foul", seat=8)
        fouled = [seat for seat, line in enumerate(tablet.view["seats"], 1) if line["fouls"]]
    assert fouled == [5, 6, 7, 8]
    file = JournalFile(tmp_path / "data")
    assert file.damage is None
    assert file.last is not None
    fouls = [row.command.seat for row in file.rows(file.last[1]) if type(row.command).__name__ == "Foul"]  # pyright: ignore[reportAttributeAccessIssue]
    file.close()
    assert fouls == [5, 6, 7, 8]
    print(
        f"{fault}: refused in {told_in * 1000:.0f} ms, on the screen in {shown_in * 1000:.0f} ms, unsaved play offered "
        f"after {offered_in:.1f} s, 3 decisions without a disk, 0 lost"
    )
    assert shown_in < AT_ONCE_S
    assert 1.9 < offered_in < 4


async def test_a_disk_that_takes_half_a_second_is_told_and_holds_up_nobody_but_who_waits_for_it(tmp_path: Path) -> None:
    async with table(tmp_path) as (process, tablet):
        judge = Judge(tablet)
        async with (
            injected(process.pid, "fdatasync", f"delay_enter={round(SLOW_S * 1e6)}"),
            Page(f"http://127.0.0.1:{process.port}") as hall,
        ):
            asked = asyncio.ensure_future(judge.tries("foul", seat=4))
            slowest = 0.0
            while not asked.done():
                began = time.monotonic()
                await hall.ask("clock", {"t0": 0})
                slowest = max(slowest, time.monotonic() - began)
                await asyncio.sleep(0.01)
            assert (await asked)["ok"]
            await tablet.sees(lambda view: view["disk"] == "slow")
            assert any(not line["ok"] for line in tablet.view["readiness"])
        await judge.does("foul", seat=5)
        await tablet.sees(lambda view: view["disk"] == "ok")
    print(f"fsync of {SLOW_S * 1000:.0f} ms: others were answered in {slowest * 1000:.0f} ms at most")
    assert slowest < SLOW_S
