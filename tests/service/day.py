"""A tournament day around a table that runs in a process of its own: people and screens on a bad network, an OBS that
is started anew, and whatever else is pulled, killed or frozen. What is injected is counted, and so is every command
until it is answered."""

import asyncio
import os
import random
import shutil
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import ClientError, WSMessageTypeError

from controller.table.journal_file import JOURNAL
from tests.service.page import Page

GONE = (ClientError, WSMessageTypeError, TimeoutError, OSError, RuntimeError)
"""What a client on a bad network meets; the second where a hello is cut off, the last where one writes meanwhile."""
LASTS_S = 20.0
"""A connection, on average."""
GIVES_UP_WITHIN_S = 20.0
"""A dead screen is gone in six seconds; this one shares its cores with the whole day."""
LEAVE_NO_ROW = ("timer", "stop")
"""Where it is so already, nothing is done, and the answer is yes."""
MOVES = ("foul", "foul", "warn", "warn", "timer", "undo", "redo", "stop")


class Wifi:
    """The hall's network between the screens and the table: late, in bursts, now and then gone without a word."""

    def __init__(self, port: int, chance: random.Random, injected: Counter[str]) -> None:
        self._port = port
        self._chance = chance
        self._injected = injected
        self._carrying: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.address = ""

    async def open(self) -> None:
        """Carry from now on; `address` is the table as it is seen through this network."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Carry nothing any more."""
        assert self._server is not None
        self._server.close()
        while self._carrying:
            for task in self._carrying:
                task.cancel()
            await asyncio.wait(self._carrying)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._connection(reader, writer))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection through the air, for as long as it lasts."""
        ends, ways = [writer], list[asyncio.Future[None]]()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
            ends.append(far_writer)
            ways += map(asyncio.ensure_future, (self._carry(reader, far_writer), self._carry(far_reader, writer)))
            await asyncio.wait(ways, timeout=self._chance.expovariate(1 / LASTS_S), return_when=asyncio.FIRST_COMPLETED)
            if not any(way.done() for way in ways):
                self._injected["network cut"] += 1
                if self._chance.random() < 0.5:
                    self._injected["of these without a word"] += 1
                    await self._fall_silent(ways, far_reader)
        except OSError:
            pass  # the table is gone
        finally:
            for end in ends:
                end.transport.abort()
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _fall_silent(self, ways: list[asyncio.Future[None]], table: asyncio.StreamReader) -> None:
        """Neither side is told, until the table has given the screen up."""
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(GIVES_UP_WITHIN_S):
                while await table.read(65536):
                    pass
                return
        self._injected["never given up"] += 1

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if self._chance.random() < 0.01:
                    self._injected["network stalled"] += 1
                    await asyncio.sleep(self._chance.uniform(0.5, 2.0))
                else:
                    await asyncio.sleep(self._chance.uniform(0.0, 0.03))
                writer.write(data)
                await writer.drain()


@dataclass
class Desk:
    """Somebody who gives commands over that network: each is asked again under its id until it is answered."""

    name: str
    ids: "count[int]" = field(default_factory=lambda: count(1))
    waits: dict[str, Any] | None = None
    """What was asked and not answered yet."""
    asked: int = 0
    taken: list[str] = field(default_factory=list[str])
    refused: int = 0
    idle: int = 0
    """Taken, and perhaps without a row."""
    again: int = 0
    """How often something was asked once more after the network had swallowed it or its answer."""

    async def ask(self, page: Page, event: str, wanted: Callable[[], dict[str, Any]]) -> bool:
        """Ask what waits, or something new; whether there was an answer on this connection."""
        if self.waits is None:
            self.waits = {"id": f"{self.name} {next(self.ids)}", **wanted()}
            self.asked += 1
        else:
            self.again += 1
        asking = asyncio.ensure_future(page.ask(event, self.waits))
        gone = asyncio.ensure_future(page.closed.wait())
        try:
            await asyncio.wait((asking, gone), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return False
            answer = asking.result()
        finally:
            for task in (asking, gone):
                task.cancel()
            await asyncio.gather(asking, gone, return_exceptions=True)
        wish, self.waits = self.waits, None
        if answer["ok"] and wish["do"] in LEAVE_NO_ROW:
            self.idle += 1
        elif answer["ok"]:
            self.taken.append(str(wish["id"]))
        else:
            self.refused += 1
        return True


class Day:
    """All that happens around the table in one day. `run` goes on until it is cancelled."""

    def __init__(
        self, pid: int, port: int, tokens: dict[str, str], data: Path, stick: Path, *, screens: int, seed: int
    ) -> None:
        self._pid = pid
        self._tokens = tokens
        self._data = data
        self._stick = stick
        self._screens = screens
        self._direct = f"http://127.0.0.1:{port}"
        self.chance = random.Random(seed)
        self.injected: Counter[str] = Counter()
        self.wifi = Wifi(port, self.chance, self.injected)
        self.judge, self.side, self.producer = Desk("tablet"), Desk("side"), Desk("producer")
        self.restart_obs: Callable[[], Coroutine[Any, Any, None]] | None = None

    async def run(self) -> None:
        """Everything at once. Raises what any part of it raises."""
        await self.wifi.open()
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(self._screens):
                    group.create_task(self._screen(number))
                for desk, scope, event, wanted in (
                    (self.judge, "judge", "command", self._judges_wish),
                    (self.side, "judge", "command", self._sides_wish),
                    (self.producer, "producer", "produce", self._producers_wish),
                ):
                    group.create_task(self._at_desk(desk, scope, event, wanted))
                group.create_task(self._device())
                group.create_task(self._mpv())
                group.create_task(self._pulls_the_stick())
                if self.restart_obs is not None:
                    group.create_task(self._restarts(self.restart_obs))
        finally:
            await self.wifi.close()

    async def settle(self) -> None:
        """The network is good again: what still waits for its answer gets it."""
        for desk, scope, event in ((self.judge, "judge", "command"), (self.side, "judge", "command"),
                                   (self.producer, "producer", "produce")):  # fmt: skip
            if desk.waits is not None:
                async with self._page(self._direct, scope, side=desk is self.side) as page:
                    assert await desk.ask(page, event, dict)

    # --- people

    def _page(self, address: str, scope: str, *, side: bool = False) -> Page:
        auth = {"token": self._tokens.get(scope), "page": scope, "language": "ru", "side": side}
        return Page(address, auth=auth)

    async def _screen(self, number: int) -> None:
        """One of the screens, over and over: the hall's, the viewers', a tablet that only looks on."""
        scope = ("hall", "air", "judge", "producer")[number % 4]
        while True:
            await asyncio.sleep(self.chance.uniform(0.0, 2.0))
            with suppress(*GONE):
                async with self._page(self.wifi.address, scope) as page:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self.chance.uniform(0.5, 15.0)):
                            await page.closed.wait()
                    self.injected["screen come and gone"] += 1

    async def _at_desk(self, desk: Desk, scope: str, event: str, wanted: Callable[[Page], dict[str, Any]]) -> None:
        while True:
            with suppress(*GONE):
                async with self._page(self.wifi.address, scope, side=desk is self.side) as page:
                    while page.views and await desk.ask(page, event, lambda page=page: wanted(page)):
                        page.frames.clear()
                        del page.views[:-1]
                        await asyncio.sleep(self.chance.uniform(0.2, 2.0))
            await asyncio.sleep(self.chance.uniform(0.0, 0.5))

    def _judges_wish(self, page: Page) -> dict[str, Any]:
        wish: dict[str, Any] = {"revision": page.revision, "do": self.chance.choice(MOVES)}
        suggested = page.view["suggestions"]
        if page.view.get("stopped"):
            return {**wish, "do": "stop", "stopped": False}
        if suggested and self.chance.random() < 0.7:
            return {**wish, "do": "answer", "suggestion": suggested[0]["number"], "taken": self.chance.random() < 0.3}
        match wish["do"]:
            case "foul" | "warn":
                wish["seat"] = self.chance.randint(1, 10)
            case "timer":
                wish["running"] = self.chance.random() < 0.5
            case "stop":
                wish["stopped"] = True
            case _:
                pass
        return wish

    def _sides_wish(self, page: Page) -> dict[str, Any]:
        return {"revision": page.revision, "do": "foul", "seat": self.chance.randint(1, 10)}

    def _producers_wish(self, page: Page) -> dict[str, Any]:
        return self.chance.choice((
            {"do": "hold"}, {"do": "release"}, {"do": "cover", "on": True}, {"do": "cover", "on": False},
            {"do": "overlay"}, {"do": "scores"}, {"do": "replay"}, {"do": "skip"}, {"do": "go"},
            {"do": "scene", "scene": self.chance.choice(("Table", "Night", "Vote", "no such scene"))},
            {"do": "lower_third", "title": "Финал турнира имени Константинопольского", "subtitle": "Стол 1"},
        ))  # fmt: skip

    # --- what is pulled, killed and frozen

    async def _device(self) -> None:
        """The table's device dies, or its cable is out for two seconds."""
        while True:
            await asyncio.sleep(self.chance.uniform(8.0, 20.0))
            for pid in children(self._pid, "firmware_bridge"):
                if self.chance.random() < 0.5:
                    os.kill(pid, signal.SIGKILL)
                    self.injected["device killed"] += 1
                else:
                    os.kill(pid, signal.SIGSTOP)
                    try:
                        await asyncio.sleep(2.0)
                    finally:
                        with suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGCONT)
                    self.injected["link cut for 2 s"] += 1

    async def _mpv(self) -> None:
        """A player dies."""
        while True:
            await asyncio.sleep(self.chance.uniform(4.0, 12.0))
            if players := children(self._pid, "mpv"):
                os.kill(self.chance.choice(players), signal.SIGKILL)
                self.injected["mpv killed"] += 1

    async def _pulls_the_stick(self) -> None:
        """The stick is pulled out, and comes back empty."""
        while True:
            await asyncio.sleep(self.chance.uniform(10.0, 30.0))
            shutil.rmtree(self._stick, ignore_errors=True)
            self.injected["stick pulled"] += 1

    async def _restarts(self, restart: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(4.0, 12.0))
            await restart()
            self.injected["OBS restarted"] += 1


def children(pid: int, word: str) -> list[int]:
    """The children of `pid` in whose command `word` stands."""
    found: list[int] = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == pid and word in (process / "cmdline").read_bytes().decode(errors="replace"):
                    found.append(int(process.name))
    return found


def games_over(data: Path) -> int:
    """How many games of the journal have come to their end: all but the one that is played."""
    with closing(sqlite3.connect(f"{(data / JOURNAL).as_uri()}?mode=ro", uri=True)) as journal:
        return int(journal.execute("SELECT COUNT(DISTINCT game) FROM decisions").fetchone()[0]) - 1
