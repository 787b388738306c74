"""Slow screens, reconnects and revisions: the newest view, at once, and never a backlog."""

import asyncio
import gc
from contextlib import AsyncExitStack
from itertools import cycle
from typing import Any

import engineio
import pytest
from aiohttp import ClientError
from aiohttp.web import BaseRequest, WebSocketResponse

from controller.service import screens as screens_module
from controller.service.access import Holder, Scope
from controller.service.running import Running, running
from controller.service.screens import Screen, Screens
from controller.service.settings import Settings
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true


class Line:
    """A line that takes messages when it is told to."""

    def __init__(self) -> None:
        self.sent: list[object] = []
        self.free = asyncio.Event()
        self.hung_up = False
        self.queued = 0

    async def send(self, event: str, message: object) -> None:
        """Takes a message."""
        self.sent.append(message)

    async def taken(self) -> None:
        """Waits until the line is free."""
        await self.free.wait()

    def hang_up(self) -> None:
        """Notes it."""
        self.hung_up = True


async def test_a_slow_screen_gets_the_newest_view_and_none_of_those_it_missed() -> None:
    line = Line()
    screen = Screen(line, Holder(Scope.HALL), "ru")
    for number in range(10_000):
        screen.show("view", lambda number=number: number)
        assert screen.waiting == 1
        await asyncio.sleep(0)
    line.free.set()
    await comes_true(lambda: bool(line.sent))
    assert line.sent == [9_999]
    screen.leave()


async def test_a_screen_that_takes_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens_module, "TAKES_WITHIN_S", 0.05)
    line = Line()
    screen = Screen(line, Holder(Scope.HALL), "ru")
    screen.show("view", lambda: 1)
    await comes_true(lambda: line.hung_up)
    assert line.sent == []


async def test_one_that_never_reads_holds_up_nobody_and_is_gone_in_six_seconds(service: Running) -> None:
    async with (
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address, token(service, Scope.JUDGE), reads=False),
        Page(service.address) as hall,
    ):
        judge = Judge(tablet)
        await comes_true(lambda: len(service.broadcast.screens) == 3)
        began = asyncio.get_running_loop().time()
        cards = cycle(("don", "mafia"))
        while len(service.broadcast.screens) == 3:
            # As many views as the service lets one tablet make; it may say that these are too many at once.
            answer = await judge.tries("deal", seat=1, role=next(cards))
            if answer["ok"]:
                seen = answer["revision"]
                await tablet.until(lambda seen=seen: tablet.revision >= seen)
            else:
                assert answer["refusal"]["code"] == "too_many_commands"
            assert asyncio.get_running_loop().time() - began < 6
        assert not hall.closed.is_set()
        assert not tablet.closed.is_set()


async def test_whoever_falls_silent_is_gone_in_six_seconds(service: Running) -> None:
    """They take nothing and answer no ping, and what they are sent is too little to fill any buffer."""
    link = service.access.add_link(Scope.SPECTATOR, "public", delay=0)
    async with (
        Page(service.address, token(service, Scope.JUDGE), reads=False),
        Page(service.address, service.access.token(link), page="spectator", reads=False),
        Page(service.address) as hall,
    ):
        screens, crowd = service.broadcast.screens, service.spectators.crowd
        await comes_true(lambda: (len(screens), len(crowd)) == (2, 1))
        async with asyncio.timeout(6):
            await comes_true(lambda: (len(screens), len(crowd)) == (1, 0))
        assert not hall.closed.is_set()


async def test_one_that_hangs_up_before_it_is_greeted_is_no_error_and_leaves_nothing(
    service: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    prepare = WebSocketResponse.prepare

    async def too_late(self: WebSocketResponse, request: BaseRequest) -> object:
        assert request.transport is not None
        request.transport.abort()
        return await prepare(self, request)

    closed: list[str] = []
    client: Any = vars(engineio.async_socket)["AsyncSocket"]
    close = client.close

    async def noted(self: Any, *arguments: Any, **named: Any) -> None:
        await close(self, *arguments, **named)
        closed.append(self.sid)

    monkeypatch.setattr(WebSocketResponse, "prepare", too_late)
    monkeypatch.setattr(client, "close", noted)
    for _ in range(3):
        with pytest.raises(ClientError):
            async with Page(service.address):
                pass
    await comes_true(lambda: len(closed) >= 3)
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


async def test_first_connect_and_reconnect_are_one_path(service: Running) -> None:
    own = token(service, Scope.AIR)
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        async with Page(service.address, own) as air:
            before = air.revision
        await judge.deals()
        async with Page(service.address, own) as air:
            assert air.views[0]["view"]["seats"][6]["role"] == "don"
            assert air.revision > before
            assert len(air.views) == 1
        async with Page(service.address, own) as again:
            assert again.views[0]["view"] == air.views[0]["view"]
            assert again.revision == air.revision


async def test_revisions_rise_over_a_restart_and_the_game_goes_on(chosen: Settings, pages: Any) -> None:
    revisions: dict[Scope, list[int]] = {scope: [] for scope in (Scope.JUDGE, Scope.AIR, Scope.HALL)}
    seat = 0
    for _ in range(3):
        async with running(chosen, pages=pages) as service:
            for scope, seen in revisions.items():
                own = None if scope is Scope.HALL else token(service, scope)
                async with Page(service.address, own) as page:
                    if scope is Scope.JUDGE:
                        assert sum(1 for one in page.view["seats"] if one["role"]) == seat
                        seat += 1
                        await Judge(page).does("deal", seat=seat, role="civilian")
                    seen.append(page.revision)
    for seen in revisions.values():
        assert seen == sorted(set(seen))


async def test_the_hall_is_not_told_that_anything_happens_in_the_night(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet, Page(service.address) as hall:
        judge = Judge(tablet)
        await judge.deals()
        while tablet.view["phase"]["kind"] != "night":
            await judge.does("next")
        before = (await hall.sees(lambda view: view["phase"]["kind"] == "night"), hall.revision, len(hall.frames))
        await judge.does("shoot", shots={}, at=2)
        await judge.does("undo")
        await judge.does("shoot", shots={}, miss=True)
        assert (hall.view, hall.revision, len(hall.frames)) == before
        await judge.does("next")
        await hall.sees(lambda view: view["phase"]["step"] == "don")
        assert hall.revision == before[1] + 1


async def test_the_service_says_how_many_screens_there_are(service: Running) -> None:
    async with Page(service.address, token(service, Scope.JUDGE)) as tablet:

        def said(part: str) -> bool:
            return any(part in row["sentence"] for row in tablet.view["readiness"])

        assert said("зал 0")
        async with Page(service.address):
            await tablet.until(lambda: said("зал 1"))
        await tablet.until(lambda: said("зал 0"))


async def test_a_clock_that_jumps_drops_nobody(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi starts with an old clock; engine.io alone would take every client for dead when it jumps."""
    import time

    async with Page(service.address) as hall:
        await hall.until(lambda: "2" in hall.frames)
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + 3600)
        pings = hall.frames.count("2")
        await hall.until(lambda: hall.frames.count("2") >= pings + 2)
        assert not hall.closed.is_set()


async def test_the_hall_never_takes_the_room_of_those_with_a_token(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens_module, "MOST_IN_HALL", 3)
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(Page(service.address, language="en")) for _ in range(5)]
        assert [page.refused is None for page in pages] == [True] * 3 + [False] * 2
        assert pages[-1].refused is not None
        assert pages[-1].refused["data"]["code"] == "too_many_screens"
        tablet = await stack.enter_async_context(Page(service.address, token(service, Scope.JUDGE)))
        await Judge(tablet).does("deal", seat=1, role="don")


async def test_one_address_does_not_fill_the_hall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens_module, "MOST_OF_ONE_ADDRESS", 2)
    screens = Screens()
    for number in range(2):
        screens.add(f"{number}", Screen(Line(), Holder(Scope.HALL), "ru", "10.0.0.1"))
    assert not screens.has_room(Scope.HALL, "10.0.0.1")
    assert screens.has_room(Scope.HALL, "10.0.0.2")
    assert screens.has_room(Scope.JUDGE, "10.0.0.1")
    # One machine has as many addresses of its IPv6 network as it likes.
    for number in range(2):
        screens.add(f"six {number}", Screen(Line(), Holder(Scope.HALL), "ru", f"2001:db8::{number + 1}"))
    assert not screens.has_room(Scope.HALL, "2001:db8::77")
    assert screens.has_room(Scope.HALL, "2001:db8:0:1::77")
    screens.close()


async def test_screens_that_come_and_go_at_once_leave_nothing_behind(
    service: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async def come_and_go() -> None:
        async with Page(service.address):
            pass

    for _ in range(4):
        await asyncio.gather(*(come_and_go() for _ in range(40)))
    await comes_true(lambda: len(service.broadcast.screens) == 0)
    gc.collect()
    await asyncio.sleep(0.1)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
