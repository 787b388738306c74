"""Two relays on a real Redis: `python -m tests.service.bench_relays [CLIENTS] [UPDATES A SECOND] [SECONDS]`.

A judge moves a table; half of the clients watch at each relay, with no delay. Printed: how long after the table's own
spectator the last client of each view had it (p99), and what the table, each relay and Redis use of a core.
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from rich.console import Console

from controller.service.access import Scope
from controller.service.relaying import relay
from controller.service.running import running
from controller.service.settings import Relays, Settings, Web
from tests.service.bench_crowd import Client, cpu, judge_at, line, p99, start
from tests.service.conftest import GAME
from tests.service.judge import device_at
from tests.service.redis_server import RedisServer, free_port

MOST_LAST_P99_MS: Final = 500.0
"""A whole update's time: every view is there before the next one."""
_PATH: Final = "/socket.io/?EIO=4&transport=websocket"


async def table(folder: str, redis: str) -> None:
    """The table: prints its port, a spectators' token and a judge's cookie."""
    settings = Settings(data=Path(folder), web=Web(port=0), game=GAME, relays=Relays(redis=redis))
    async with running(settings) as service:
        link = service.access.add_link(Scope.SPECTATOR, "bench", delay=0)
        print(service.address.rpartition(":")[2], service.access.token(link), device_at(service), flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def watch(port: int, count: int, hello: str, seconds: float) -> None:
    """So many clients: prints `in` once all have a view; at the end revision -> (how many had it, when the last)."""
    seen: dict[int, tuple[int, int]] = {}
    loop = asyncio.get_running_loop()
    made: list[Watching] = []
    for number in range(count):
        _, client = await loop.create_connection(lambda: Watching(_PATH, hello, seen), "127.0.0.1", port)
        made.append(client)
        if number % 20 == 19:
            await asyncio.sleep(0.02)
    while min(client.views for client in made) < 1:  # noqa: ASYNC110 - nobody announces it
        await asyncio.sleep(0.1)
    seen.clear()
    print("in", flush=True)
    await asyncio.sleep(seconds)
    print(json.dumps(seen), flush=True)


class Watching(Client):
    """A client that notes which revision came when."""

    def __init__(self, path: str, hello: str, seen: dict[int, tuple[int, int]]) -> None:
        super().__init__(path, hello, lambda *_: None)
        self._seen = seen

    def _hear(self, frame: bytes) -> None:
        super()._hear(frame)
        if (place := frame.find(b'"revision":')) >= 0:
            revision = int(frame[place + 11 : place + 30].split(b",")[0])
            many, latest = self._seen.get(revision, (0, 0))
            self._seen[revision] = (many + 1, max(latest, time.monotonic_ns()))


async def end(process: asyncio.subprocess.Process) -> None:
    """Ends a part."""
    if process.returncode is None:
        process.kill()
        await process.wait()


async def measure(count: int, rate: float, seconds: float) -> int:
    """Prints the figures; 1 where the promise is not kept."""
    me = (sys.executable, "-m", "tests.service.bench_relays")
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = await stack.enter_async_context(RedisServer(folder / "redis"))
        assert redis._process is not None

        async def part(*words: str) -> asyncio.subprocess.Process:
            process = await start(*me, *words)
            stack.push_async_callback(end, process)
            return process

        live = await part("table", str(folder / "data"), redis.address)
        port, token, cookie = (await asyncio.wait_for(line(live), 60)).split(" ", 2)
        ports = [free_port(), free_port()]
        relays = [await part("relay", redis.address, str(number)) for number in ports]
        for each in relays:
            await asyncio.wait_for(line(each), 60)
        times: list[float] = []
        judging = asyncio.create_task(judge_at(int(port), cookie, rate, times))
        await asyncio.sleep(3)
        hello = json.dumps({"token": token, "page": "spectator", "language": "ru"})
        crowds = [await part("watch", str(number), str(count // 2), hello, str(seconds)) for number in ports]
        direct = await part("watch", port, "1", hello, str(seconds))
        for each in (*crowds, direct):
            assert await asyncio.wait_for(line(each), 180) == "in"
        measured = {"table": live.pid, "relay": relays[0].pid, "other relay": relays[1].pid,
                    "redis": redis._process.pid, "clients": crowds[0].pid, "other clients": crowds[1].pid}  # fmt: skip
        before, began = {name: cpu(pid) for name, pid in measured.items()}, time.monotonic()
        times.clear()
        own, *far = [json.loads(await asyncio.wait_for(line(each), seconds + 60)) for each in (direct, *crowds)]
        over = time.monotonic() - began
        used = {name: (cpu(pid) - before[name]) / over for name, pid in measured.items()}
        judging.cancel()
    # What came in the middle of everybody's time, not at its ends.
    first, final = (max(min(map(int, seen)) for seen in far), min(max(map(int, seen)) for seen in far))
    inner = {revision: at for revision, (_, at) in own.items() if first < int(revision) < final}
    late: list[float] = []
    for revision, at in inner.items():
        theirs = [seen.get(revision, (0, 0)) for seen in far]
        if all(many == count // 2 for many, _ in theirs):
            late.append((max(last for _, last in theirs) - at) / 1e6)
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"{count} spectators at two relays, {rate:g} updates a second, {seconds:g} s; "
          f"{load:.1f} processes for each core:")  # fmt: skip
    last, half = p99(late or [float("inf")]), statistics.median(late or [float("inf")])
    print(f"  {len(late)} of {len(inner)} views came to all; after the table's own spectator the last one had it "
          f"p99 {last:.0f} ms, median {half:.0f} ms")  # fmt: skip
    print(f"  judge: median {statistics.median(times):.1f} ms, p99 {p99(times):.1f} ms")
    for name, share in used.items():
        print(f"  {name:<14} {share * 100:5.1f} % of a core")
    # Under load a relay passes over a view that a newer one has overtaken.
    whole = len(late) >= 0.9 * len(inner) and len(inner) >= 0.8 * rate * seconds
    return 0 if whole and p99(late) <= MOST_LAST_P99_MS else 1


def main() -> int:
    """Prints the figures; 1 if the promise is not kept."""
    match sys.argv[1:]:
        case ["table", folder, redis]:
            asyncio.run(table(folder, redis))
        case ["relay", redis, port]:
            settings = Settings(data=Path(), web=Web(port=int(port)), relays=Relays(redis=redis))
            asyncio.run(relay(settings, Console(), most=3000))
        case ["watch", port, count, hello, seconds]:
            asyncio.run(watch(int(port), int(count), hello, float(seconds)))
        case words:
            count, rate, seconds = (*words, *("2000", "2", "20")[len(words) :])
            return asyncio.run(measure(int(count), float(rate), float(seconds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
