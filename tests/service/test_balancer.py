"""Relays as processes of their own behind a real Caddy with the file that ships: one is killed, and nobody is lost."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession

from controller.service.access import Scope
from controller.service.running import running
from controller.service.settings import Relays, Settings
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.redis_server import RedisServer, free_port
from tests.service.waiting import comes_true

READY_WITHIN_S = 30.0
SHIPPED = Path(__file__).parents[2] / "set-up" / "relays" / "Caddyfile"


@asynccontextmanager
async def process(*words: str, **environment: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A program that is killed in the end, if it still runs."""
    made = await asyncio.create_subprocess_exec(
        *words, env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        yield made
    finally:
        if made.returncode is None:
            made.kill()
        await made.wait()


async def health(port: int) -> dict[str, Any]:
    """What `/health` says there; nothing where nobody answers."""
    try:
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/health") as answer:
            return await answer.json() if answer.status == 200 else {}
    except ClientError:
        return {}


async def healthy(port: int, **wanted: Any) -> None:
    """Waits until `/health` says what is wanted."""
    async with asyncio.timeout(READY_WITHIN_S):
        while not wanted.items() <= (await health(port)).items():  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncGenerator[RedisServer]:
    """A real Redis."""
    async with RedisServer(tmp_path / "redis") as server:
        yield server


async def test_a_relay_that_is_killed_behind_caddy_loses_nobody(
    chosen: Settings, pages: Path, redis: RedisServer, tmp_path: Path
) -> None:
    ports, front = [free_port(), free_port()], free_port()
    caddyfile = tmp_path / "Caddyfile"
    shipped = SHIPPED.read_text()
    assert "relay-1:8666 relay-2:8666" in shipped
    caddyfile.write_text(
        "{\n\tadmin off\n}\n" + shipped.replace("relay-1:8666", f"127.0.0.1:{ports[0]}")
        .replace("relay-2:8666", f"127.0.0.1:{ports[1]}")
    )  # fmt: skip
    at_home = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    async with AsyncExitStack() as ends:
        table = await ends.enter_async_context(
            running(replace(chosen, relays=Relays(redis=redis.address)), pages=pages)
        )
        own = table.access.token(table.access.add_link(Scope.SPECTATOR, "public", delay=0))
        relays = {
            port: await ends.enter_async_context(
                process(
                    str(Path(sys.executable).with_name("mafia-table")), "relay", "--host", "127.0.0.1",
                    "--port", str(port), "--name", "watch.example.org",
                    MAFIA_TABLE_REDIS=redis.address, **at_home,
                )
            )
            for port in ports
        }  # fmt: skip
        await ends.enter_async_context(
            process(
                "caddy", "run", "--config", str(caddyfile), "--adapter", "caddyfile",
                SITE=f"http://127.0.0.1:{front}", **at_home,
            )
        )  # fmt: skip
        for port in (*ports, front):
            await healthy(port, fed=True)
        judge = Judge(await ends.enter_async_context(Page(table.address, token(table, Scope.JUDGE))))
        direct = await ends.enter_async_context(Page(table.address, own, page="spectator"))

        def watching() -> Page:
            return Page(f"http://127.0.0.1:{front}", own, page="spectator", waits=False)

        # The link has come to both: whoever is let in is let in everywhere.
        far = [await ends.enter_async_context(watching()) for _ in range(4)]
        await judge.does("deal", seat=1, role="don")
        for page in far:
            await page.sees(lambda view: view["seats"][0]["role"] == "don")
        at_each = {port: (await health(port))["spectators"] for port in ports}
        assert at_each == dict.fromkeys(ports, 2), "Caddy spreads them by the number of connections"
        killed, other = ports
        relays[killed].kill()
        await comes_true(lambda: sum(page.closed.is_set() for page in far) == 2)
        # They come back at once, all to the other one, and are shown what has happened meanwhile.
        await judge.does("deal", seat=2, role="mafia")
        again = [await ends.enter_async_context(watching()) for _ in range(4)]
        for page in again:
            assert page.refused is None
            await page.sees(lambda view: view["seats"][1]["role"] == "mafia")
            await comes_true(lambda page=page: page.view == direct.view)
        await healthy(other, spectators=6)
        assert await health(killed) == {}
