"""The sample final: it plays itself to the end over the cable, hands over to a person, and ends with Ctrl-C."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.service.access import Scope
from controller.service.demo import Autoplay
from controller.service.running import Running
from tests.service.judge import Judge, hears_no_role, token
from tests.service.page import Page
from tests.service.waiting import comes_true

SPEED = 40.0


@pytest.fixture
async def played(simulated: Running) -> AsyncIterator[Autoplay]:
    """The sample final, under way."""
    autoplay = Autoplay(simulated, SPEED)
    task = asyncio.create_task(autoplay.run())
    yield autoplay
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_it_plays_to_the_result_by_hands_on_the_cable_and_begins_anew(
    simulated: Running, played: Autoplay
) -> None:
    async with (
        Page(simulated.address, token(simulated, Scope.AIR)) as air,
        Page(simulated.address) as hall,
    ):
        over = await hall.sees(lambda view: view["phase"]["kind"] == "over", 100)
        assert over["result"] == {"winner": "red", "reason": "no_black_left", "at": "day 4"}
        await hall.sees(lambda view: view["phase"]["kind"] == "acquaintance", 60)
        assert played.games == 1
        kinds = {view["view"]["vote"]["kind"] for view in air.views if view["view"]["vote"]}
        assert kinds == {"ballot", "revote"}
        hands = [view["view"]["vote"]["candidates"] for view in air.views if view["view"]["vote"]]
        assert any(one["state"] == "open" and len(one["hands"]) > 1 for candidates in hands for one in candidates)
        fouls = {seat["seat"]: seat["fouls"] for seat in over["seats"] if seat["fouls"]}
        assert fouls == {8: 1, 9: 3}
        hears_no_role(hall)


async def test_a_person_takes_over_at_once_and_gives_back(simulated: Running, played: Autoplay) -> None:
    async with (
        Page(simulated.address, token(simulated, Scope.TABLE)) as pad,
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
    ):
        await tablet.sees(lambda view: view["phase"]["kind"] == "speech", 60)
        assert (await pad.ask("takeover", {"person": True}))["ok"]
        await pad.sees(lambda view: view["person"])
        judge = Judge(tablet)
        await comes_true(lambda: not any(seat["contact"] == "down" for seat in tablet.view["seats"]))
        # The autoplay may have had one key under its finger; from the next on everything is the person's.
        revision = simulated.table.snapshot.revision
        await judge.does("undo")
        await judge.does("redo")
        assert simulated.table.snapshot.revision - revision <= 3
        before = tablet.view["phase"]
        await _quiet(tablet)
        assert tablet.view["phase"] == before
        assert (await pad.ask("takeover", {"person": False}))["ok"]
        await tablet.sees(lambda view: view["phase"] != before)


async def _quiet(page: Page) -> None:
    """Two pings go by, and no view."""
    pings, views = page.frames.count("2"), len(page.views)
    await page.until(lambda: page.frames.count("2") >= pings + 2)
    assert len(page.views) == views


async def test_it_goes_on_where_a_person_has_led_the_game_elsewhere(simulated: Running) -> None:
    """Somebody else is out and the vote is off: the script does not fit, and the game ends all the same."""
    async with Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet:
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("morning")
        await judge.does("next")
        await judge.does("remove", seat=5)
        await judge.does("foul", seat=1)
        task = asyncio.create_task(Autoplay(simulated, SPEED).run())
        try:
            await tablet.sees(lambda view: view["phase"]["kind"] == "over", 100)
        finally:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def _start(folder: Path, *words: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("mafia-table")),
        *words,
        "--data",
        str(folder),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )


async def _lines(process: asyncio.subprocess.Process, last: str) -> list[str]:
    assert process.stdout is not None
    lines: list[str] = []
    async with asyncio.timeout(30):
        while not lines or last not in lines[-1]:
            line = await process.stdout.readline()
            assert line, (lines, await process.stderr.read() if process.stderr else b"")
            lines.append(line.decode().strip())
    return lines


def _children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


async def test_demo_prints_its_links_plays_within_seconds_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    process = await _start(tmp_path / "demo", "demo", "--port", "0", "--speed", "20")
    lines = await _lines(process, "Ctrl-C")
    links = [line for line in lines if line.startswith("http")]
    pages = [link.split("/")[3].partition("#")[0] for link in links]
    assert {"judge", "air", "producer", "hall", "break", "table"} <= set(pages)
    hall = links[pages.index("hall")].rpartition("/")[0]
    async with Page(hall) as page:
        await page.sees(lambda view: view["phase"]["kind"] != "dealing", 15)
    children = _children(process.pid)
    assert children
    began = asyncio.get_running_loop().time()
    os.killpg(process.pid, signal.SIGINT)
    await asyncio.wait_for(process.wait(), 10)
    took = asyncio.get_running_loop().time() - began
    assert process.returncode == 0
    assert took < 2.0
    await comes_true(lambda: not any(Path(f"/proc/{child}").exists() for child in children))
    assert process.stderr is not None
    assert b"Traceback" not in await process.stderr.read()


async def test_a_second_instance_exits_with_2_and_one_sentence(tmp_path: Path) -> None:
    first = await _start(tmp_path / "one", "serve", "--port", "0")
    try:
        lines = await _lines(first, "Ctrl-C")
        port = lines[1].split(":")[2].partition("/")[0]
        for folder, wanted in (("two", f"Порт {port} занят"), ("one", "уже запущен")):
            chosen = port if folder == "two" else "0"
            second = await _start(tmp_path / folder, "serve", "--port", chosen)
            out, err = await asyncio.wait_for(second.communicate(), 30)
            assert second.returncode == 2
            assert out == b""
            assert wanted in err.decode()
            assert len(err.decode().strip().splitlines()) == 1
    finally:
        first.send_signal(signal.SIGTERM)
        await asyncio.wait_for(first.wait(), 10)
    assert first.returncode == 0
