"""What a crowd of spectators costs: `python -m tests.service.bench_crowd [CLIENTS] [UPDATES A SECOND] [SECONDS]`.

One after another, on this machine, the same work: so many clients, each sent a whole view so many times a second. The
service itself, driven by a judge whose every command changes the view; a Node Socket.IO server; a plain aiohttp
websocket server that writes to each in turn; and one that writes one prebuilt frame. Printed: a server's CPU, and how
long after it was sent the last client of each view had it (p99). One more of the service's clients reads nothing.
"""

import asyncio
import base64
import json
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from itertools import cycle
from pathlib import Path
from typing import Final

from aiohttp import web

from controller.service.access import Scope
from controller.service.running import running
from controller.service.settings import Settings, Web
from tests.service.conftest import GAME
from tests.service.judge import Judge, device_at
from tests.service.page import Page

OVERLAY: Final = Path(__file__).resolve().parents[2] / "overlay"
MOST_LAST_P99_MS: Final = 250.0
MOST_OF_NODE: Final = 2.5
MOST_JUDGE: Final = 2.0
NODE = """
const { Server } = require('socket.io')
const [count, rate, text] = [Number(process.argv[1]), Number(process.argv[2]), process.argv[3]]
const io = new Server(0, { transports: ['websocket'], perMessageDeflate: false, pingInterval: 2000, pingTimeout: 4000 })
io.httpServer.once('listening', () => {})
const view = JSON.parse(text)
setTimeout(() => console.log(io.httpServer.address().port), 200)
setInterval(() => {
  if (io.engine.clientsCount < count) return
  view.now = Number(process.hrtime.bigint() / 1000n) / 1000
  io.emit('view', view)
}, 1000 / rate)
process.stdin.on('end', () => process.exit(0))
process.stdin.resume()
"""


def cpu(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client(asyncio.Protocol):
    """A websocket client that costs as little as can be: the servers are what is measured."""

    def __init__(
        self, path: str, hello: str | None, heard: Callable[[float, int], None], *, reads: bool = True
    ) -> None:
        self._path, self._hello, self._heard, self._reads = path, hello, heard, reads
        self._data = bytearray()
        self._open = False
        self.views = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Asks for a websocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def say(self, text: str) -> None:
        """A masked text frame; the mask is nought."""
        body = text.encode()
        head = bytes((0x81, 0x80 | len(body))) if len(body) < 126 else b"\x81\xfe" + len(body).to_bytes(2)
        self._transport.write(head + bytes(4) + body)

    def data_received(self, data: bytes) -> None:
        """Frames as they come."""
        self._data += data
        if not self._open:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            assert self._data.startswith(b"HTTP/1.1 101"), bytes(self._data[:200])
            del self._data[: end + 4]
            self._open = True
        while len(self._data) >= 2:
            size, head = self._data[1], 2
            if size == 126:
                size, head = int.from_bytes(self._data[2:4]), 4
            elif size == 127:
                size, head = int.from_bytes(self._data[2:10]), 10
            if len(self._data) < head + size:
                return
            frame = bytes(self._data[head : head + size])
            del self._data[: head + size]
            self._hear(frame)

    def _hear(self, frame: bytes) -> None:
        if frame == b"2":
            self.say("3")
        elif frame.startswith(b"0{") and self._hello is not None:
            self.say("40" + self._hello)
            if not self._reads:
                self._transport.pause_reading()
        elif (place := frame.find(b'"now":')) >= 0:
            sent = float(frame[place + 6 : place + 30].split(b",")[0])
            self.views += 1
            self._heard(sent, time.monotonic_ns())


async def clients(port: int, count: int, path: str, hello: str | None, seconds: float) -> None:
    """So many clients; prints, once all are in, `in`, and at the end what they saw."""
    last: dict[float, tuple[int, int]] = defaultdict(lambda: (0, 0))

    def heard(sent: float, at: int) -> None:
        seen, latest = last[sent]
        last[sent] = (seen + 1, max(latest, at))

    loop = asyncio.get_running_loop()
    made: list[Client] = []
    for number in range(count):
        _, client = await loop.create_connection(lambda: Client(path, hello, heard), "127.0.0.1", port)
        made.append(client)
        if number % 20 == 19:
            await asyncio.sleep(0.02)
    if hello is not None:
        # One more that reads nothing.
        await loop.create_connection(lambda: Client(path, hello, heard, reads=False), "127.0.0.1", port)
    while min(client.views for client in made) < 1:  # noqa: ASYNC110 - nobody announces it
        await asyncio.sleep(0.1)
    last.clear()
    print("in", flush=True)
    await asyncio.sleep(seconds)
    late = sorted(at / 1e6 - sent for sent, (seen, at) in last.items() if seen >= count)
    p99 = late[max(0, -(-len(late) * 99 // 100) - 1)] if late else float("inf")
    each = sum(client.views for client in made) / count - 1
    print(json.dumps({"views": len(late), "each": each, "p99": p99}), flush=True)


async def plain(count: int, rate: float, text: str, *, prebuilt: bool) -> None:
    """aiohttp's own websockets: each sent in turn, or all one prebuilt frame."""
    from controller.service.crowd import text_frame

    sockets: set[web.WebSocketResponse] = set()

    async def come(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        sockets.add(socket)
        async for _ in socket:
            pass
        return socket

    app = web.Application()
    app.router.add_get("/", come)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    view = json.loads(text)
    while True:
        await asyncio.sleep(1 / rate)
        if len(sockets) < count:
            continue
        view["now"] = time.monotonic_ns() / 1e6
        said = '42["view",' + json.dumps(view, ensure_ascii=False) + "]"
        if prebuilt:
            frame = text_frame(said.encode())
            for socket in sockets:
                transport = socket._req.transport if socket._req is not None else None
                if transport is not None:
                    transport.write(frame)
        else:
            for socket in sockets:
                with suppress(ConnectionError):  # the clients are leaving
                    await socket.send_str(said)


async def service(folder: str, rate: float) -> None:
    """The service, and a judge in another process is what moves it: prints its port, a token and a cookie."""
    settings = Settings(data=Path(folder), web=Web(port=0), game=GAME)
    async with running(settings) as table:
        link = table.access.add_link(Scope.SPECTATOR, "bench", delay=0)
        print(table.address.rpartition(":")[2], table.access.token(link), device_at(table), flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def judge_at(port: int, cookie: str, rate: float, times: list[float]) -> None:
    """Deals one card anew again and again; `times` are the round trips, ms."""
    async with Page(f"http://127.0.0.1:{port}", cookie) as tablet:
        judge = Judge(tablet)
        for role in cycle(("don", "mafia")):
            began = time.monotonic()
            await judge.does("deal", seat=1, role=role)
            times.append((time.monotonic() - began) * 1000)
            await asyncio.sleep(max(0.0, 1 / rate - (time.monotonic() - began)))


async def start(*words: str) -> asyncio.subprocess.Process:
    """One of this module's parts in a process of its own."""
    return await asyncio.create_subprocess_exec(
        *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=OVERLAY.parent
    )


async def line(process: asyncio.subprocess.Process) -> str:
    """The next line that a process prints."""
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


async def measure(
    stack: AsyncExitStack,
    server: asyncio.subprocess.Process,
    port: str,
    path: str,
    hello: str,
    count: int,
    seconds: float,
    took: list[float],
    over: Callable[[], object] | None = None,
) -> tuple[float, float]:
    """(CPU of the server for one view to all in ms, p99 of the last client in ms) while its clients are all there."""
    # Elsewhere it would be a thousand other machines: here it does not take the processor from the judge.
    crowd = await start(
        "nice",
        "-n",
        "15",
        sys.executable,
        "-m",
        "tests.service.bench_crowd",
        "clients",
        port,
        str(count),
        path,
        hello,
        str(seconds),
    )
    stack.callback(lambda: crowd.kill() if crowd.returncode is None else None)
    assert await asyncio.wait_for(line(crowd), 180) == "in"
    before, began = cpu(server.pid), time.monotonic()
    said = json.loads(await asyncio.wait_for(line(crowd), seconds + 60))
    used = cpu(server.pid) - before
    if over is not None:
        over()
    took.append(used / (time.monotonic() - began))
    await crowd.wait()
    # By view, not by second: on a busy machine none of them keeps its pace.
    return used * 1000 / max(said["each"], 1), said["p99"]


def p99(times: list[float]) -> float:
    """The 99th of a hundred."""
    return sorted(times)[max(0, -(-len(times) * 99 // 100) - 1)]


async def compare(count: int, rate: float, seconds: float) -> int:
    """All of them, one after another; 1 where a promise is not kept."""
    me = (sys.executable, "-m", "tests.service.bench_crowd")
    kept = True
    found: dict[str, tuple[float, float]] = {}
    shares: list[float] = []
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server = await start(*me, "service", folder, str(rate))
        stack.callback(lambda: server.kill() if server.returncode is None else None)
        port, token, cookie = (await asyncio.wait_for(line(server), 60)).split(" ", 2)
        alone: list[float] = []
        judging = asyncio.create_task(judge_at(int(port), cookie, rate, alone))
        await asyncio.sleep(seconds)
        judging.cancel()
        crowded: list[float] = []
        judging = asyncio.create_task(judge_at(int(port), cookie, rate, crowded))
        hello = json.dumps({"token": token, "page": "spectator", "language": "ru"})
        path = "/socket.io/?EIO=4&transport=websocket"
        # As long as without them: one decision of a few hundred takes ten times as long, with them or without (the
        # 142nd of a fresh journal here), and the worst of a hundred must not hang on that one.
        found["service"] = await measure(stack, server, port, path, hello, count, 2 * seconds, shares, judging.cancel)
        # Once more without them, as the machine's other work may have changed meanwhile.
        await asyncio.sleep(8)
        judging = asyncio.create_task(judge_at(int(port), cookie, rate, alone))
        await asyncio.sleep(seconds)
        judging.cancel()
        assert server.stdin is not None
        server.stdin.close()
        await asyncio.wait_for(server.wait(), 20)
    crowded = crowded[-int(rate * 2 * seconds * 0.95) :]  # while they were all there
    ratio, half = p99(crowded) / p99(alone), statistics.median(crowded) / statistics.median(alone)
    print(f"judge: p99 {p99(alone):.1f} ms alone, {p99(crowded):.1f} with the crowd, {ratio:.2f} times; "
          f"median {statistics.median(alone):.1f} and {statistics.median(crowded):.1f}, {half:.2f} times; "
          f"longest {max(alone):.1f} and {max(crowded):.1f}; {len(alone)} and {len(crowded)} decisions")  # fmt: skip
    kept = kept and ratio <= MOST_JUDGE
    text = await asyncio.to_thread(_a_view)
    servers: dict[str, tuple[tuple[str, ...], str, str]] = {
        "Node Socket.IO": (("node", "-e", NODE, "--", str(count), str(rate), text), path, "{}"),
        "aiohttp websocket": ((*me, "plain", str(count), str(rate), text), "/", ""),
        "aiohttp, one prebuilt frame": ((*me, "prebuilt", str(count), str(rate), text), "/", ""),
    }  # fmt: skip
    for name, (words, path, hello) in servers.items():
        async with AsyncExitStack() as stack:
            server = await asyncio.create_subprocess_exec(
                *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                cwd=OVERLAY if words[0] == "node" else OVERLAY.parent,
            )  # fmt: skip
            stack.callback(lambda server=server: server.kill() if server.returncode is None else None)
            port = await asyncio.wait_for(line(server), 30)
            found[name] = await measure(stack, server, port, path, hello, count, seconds, shares)
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"{count} clients, {rate:g} views a second of {len(text)} letters, {seconds:g} s; "
          f"{load:.1f} processes for each core:")  # fmt: skip
    ours, late = found["service"]
    for (name, (used, last)), share in zip(found.items(), shares, strict=True):
        print(f"  {name:<27} {share * 100:5.1f} % of a core, {used:5.1f} ms of CPU a view; "
              f"last one p99 {last:6.1f} ms; the service costs {ours / used:.2f} times as much")  # fmt: skip
    kept = kept and ours <= MOST_OF_NODE * found["Node Socket.IO"][0] and late <= MOST_LAST_P99_MS
    return 0 if kept else 1


def _a_view() -> str:
    """A view of a game at its fullest, as a spectator is sent it."""
    import msgspec

    from controller.views.facts import Surroundings
    from controller.views.spectator import spectator_view
    from tests.views.course import sample_game

    *_, last = sample_game()
    view = msgspec.json.encode(spectator_view(last, Surroundings())).decode()
    return '{"audience":"spectator","revision":1,"build":"","now":1.5,"view":' + view + "}"


def main() -> int:
    """Prints the figures; 1 if a promise is not kept."""
    match sys.argv[1:]:
        case ["clients", port, count, path, hello, seconds]:
            asyncio.run(clients(int(port), int(count), path, hello or None, float(seconds)))
        case ["service", folder, rate]:
            asyncio.run(service(folder, float(rate)))
        case [("plain" | "prebuilt") as which, count, rate, text]:
            asyncio.run(plain(int(count), float(rate), text, prebuilt=which == "prebuilt"))
        case words:
            count, rate, seconds = (*words, *("1000", "5", "20")[len(words) :])
            return asyncio.run(compare(int(count), float(rate), float(seconds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
