"""A tournament day at speed: thirty games, twenty screens that come and go over a bad network, a side judge, a table
whose device dies now and then, a stick that is pulled out. Nothing is logged that was not injected, memory stays flat
and files stay small. `python -m pytest -m soak tests/service/test_day.py -s`."""

import asyncio
import gc
import logging
import os
import random
import shutil
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import ClientError

from controller.service.access import Scope
from controller.service.demo import Autoplay
from controller.service.metrics import memory_bytes
from controller.service.running import Running, running
from controller.service.settings import Copies, Settings
from controller.table.journal_file import JournalFile
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true

GAMES = int(os.environ.get("MAFIA_DAY_GAMES", "30"))
SCREENS = 20
SPEED = 200.0
PATIENCE_S = 1200.0
"""For one game; on a quiet machine it takes a minute at most."""
GROWS_MB = 12.0
LARGEST_DATA_MB = 60.0
HOURS_A_GAME = 0.75
"""What a game of people takes."""


class Day:
    """What happened."""

    def __init__(self, service: Running, seed: int) -> None:
        self.service = service
        self.chance = random.Random(seed)
        self.injected = {"screen cut": 0, "screen gone": 0, "device killed": 0, "stick pulled": 0, "foul": 0}

    async def screen(self, number: int) -> None:
        """One screen of the twenty, over and over: the hall's, the viewers' or a second tablet."""
        scope = (None, Scope.AIR, Scope.JUDGE)[number % 3]
        own = None if scope is None else token(self.service, scope)
        while True:
            with suppress(ClientError, TimeoutError, OSError):
                async with Page(self.service.address, own) as page:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self.chance.uniform(0.5, 6.0)):
                            await page.closed.wait()
                    if self.chance.random() < 0.5:
                        # The network is gone without a word.
                        self.injected["screen cut"] += 1
                        transport = page._socket._response.connection
                        if transport is not None and transport.transport is not None:
                            transport.transport.abort()
                    else:
                        self.injected["screen gone"] += 1
            await asyncio.sleep(self.chance.uniform(0.0, 1.0))

    async def side_judge(self) -> None:
        """Gives a foul now and then, and takes it back."""
        async with Page(self.service.address, token(self.service, Scope.JUDGE)) as page:
            judge = Judge(page)
            while not page.closed.is_set():
                await asyncio.sleep(self.chance.uniform(3.0, 8.0))
                answer = await judge.tries("foul", seat=self.chance.randint(1, 10))
                self.injected["foul"] += answer["ok"]
                if answer["ok"]:
                    await judge.tries("undo")
                # What the test remembers is not the service's memory.
                page.frames.clear()
                del page.views[:-1]

    async def device(self) -> None:
        """The table's device dies and comes back."""
        simulation = self.service.simulation
        assert simulation is not None
        while True:
            await asyncio.sleep(self.chance.uniform(15.0, 30.0))
            if simulation.process_id is not None:
                os.kill(simulation.process_id, signal.SIGKILL)
                self.injected["device killed"] += 1

    async def stick(self, folder: Path) -> None:
        """The stick is pulled out, and comes back empty."""
        while True:
            await asyncio.sleep(self.chance.uniform(20.0, 40.0))
            shutil.rmtree(folder, ignore_errors=True)
            self.injected["stick pulled"] += 1


@pytest.mark.soak
@pytest.mark.timeout(5400)
async def test_a_tournament_day(
    chosen: Settings, pages: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stick = tmp_path / "stick" / "table"
    settings = replace(chosen, copies=Copies((str(stick),)))
    began = time.monotonic()
    memory: list[float] = []
    with caplog.at_level(logging.WARNING):
        async with running(settings, simulated=True, pages=pages) as service:
            day = Day(service, 7)
            autoplay = Autoplay(service, SPEED)
            works: list[Callable[[], Awaitable[None]]] = [autoplay.run, day.side_judge, day.device]
            works += [lambda number=number: day.screen(number) for number in range(SCREENS)]
            works.append(lambda: day.stick(stick))
            tasks = [asyncio.ensure_future(work()) for work in works]
            for game in range(1, GAMES + 1):
                await comes_true(lambda game=game: autoplay.games >= game or tasks[0].done(), PATIENCE_S)
                assert not tasks[0].done(), tasks[0]
                gc.collect()
                memory.append(memory_bytes() / 1e6)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            faults = [fault for fault in ended if isinstance(fault, Exception)]
            rows = service.table.snapshot.revision
    settled = memory[len(memory) // 3 :]
    grown = max(settled[-3:]) - settled[0]
    size = sum(path.stat().st_size for path in settings.data.rglob("*") if path.is_file()) / 1e6
    took = time.monotonic() - began
    print(
        f"{GAMES} games ({GAMES * HOURS_A_GAME:.0f} hours simulated) in {took:.0f} s, {rows} decisions; injected: "
        + ", ".join(f"{count} x {what}" for what, count in day.injected.items())
        + f"; memory {memory[0]:.0f} to {memory[-1]:.0f} MB, {size:.1f} MB of files"
    )
    assert not faults
    # The copy says once that its stick is gone; the device's death is told by its link and is no log line.
    told = [record for record in caplog.records if record.levelno >= logging.WARNING]
    unexpected = [record.getMessage() for record in told if "the copy is not kept any more" not in record.getMessage()]
    assert not unexpected
    assert len(told) <= day.injected["stick pulled"]
    assert grown <= GROWS_MB
    assert size <= LARGEST_DATA_MB
    file = JournalFile(settings.data)
    assert file.damage is None
    assert len(file.ids) == rows
    file.close()
