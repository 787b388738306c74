"""What a client may cost before it is let in, with raw sockets: it is cut off in time, and stands in nobody's way."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from controller.service import gate, pages, transport
from controller.service.access import Scope
from controller.service.gate import Gate, Passing, neighbourhood
from controller.service.running import Running, running
from controller.service.settings import Settings
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true

STRANGER = "127.0.0.2"
"""Another address than this machine's usual one: it has limits."""
UPGRADE = (
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def frame(text: str) -> bytes:
    """A masked text frame; the mask is nought."""
    body = text.encode()
    head = bytes((0x81, 0x80 | len(body))) if len(body) < 126 else b"\x81\xfe" + len(body).to_bytes(2)
    return head + bytes(4) + body


class Raw:
    """A socket, and what it was sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer
        self.got = b""
        self.ended = False
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while data := await self._reader.read(65_536):
                self.got += data
        except ConnectionError:
            pass
        self.ended = True

    def say(self, data: bytes | str) -> None:
        """Sends it, or nothing where the connection is gone."""
        if not self.ended:
            self.writer.write(data.encode() if isinstance(data, str) else data)


def port_of(service: Running) -> int:
    """The port that it listens on."""
    return int(service.address.rpartition(":")[2])


@asynccontextmanager
async def raw(service: Running, *, of: str = STRANGER) -> AsyncGenerator[Raw]:
    """A connection from the address `of`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(service), local_addr=(of, 0))
    one = Raw(reader, writer)
    try:
        yield one
    finally:
        one.task.cancel()
        writer.close()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same limits, in tenths of a second."""
    monkeypatch.setattr(transport, "NAMED_WITHIN_S", 0.4)
    monkeypatch.setattr(transport, "KNOCKS_WITHIN_S", 0.6)
    monkeypatch.setattr(pages, "REQUEST_WITHIN_S", 0.4)
    monkeypatch.setattr(gate, "TAKES_WITHIN_S", 0.5)
    monkeypatch.setattr(gate, "_LOOKS_EVERY_S", 0.1)


@pytest.mark.usefixtures("hurried")
async def test_a_socket_that_never_says_as_what_it_comes_is_hung_up_on(service: Running) -> None:
    async with raw(service) as silent, raw(service) as ponging, Page(service.address) as hall:
        silent.say(UPGRADE)
        ponging.say(UPGRADE)
        await comes_true(lambda: b"0{" in ponging.got)
        async with asyncio.timeout(10):
            while not (silent.ended and ponging.ended):
                ponging.say(frame("3"))
                await asyncio.sleep(0.02)
        # One that is in stays, although it says nothing either.
        await hall.until(lambda: hall.frames.count("2") >= 2)
        assert not hall.closed.is_set()


@pytest.mark.usefixtures("hurried")
async def test_one_that_was_not_let_in_and_does_not_try_again_is_hung_up_on(service: Running) -> None:
    async with raw(service) as wrong:
        wrong.say(UPGRADE)
        await comes_true(lambda: b"0{" in wrong.got)
        wrong.say(frame("40" + json.dumps({"token": "x", "page": "air"})))
        await comes_true(lambda: b"wrong_token" in wrong.got)
        await comes_true(lambda: wrong.ended)


async def test_headers_that_come_a_letter_at_a_time_are_not_waited_for(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "IDLE_S", 0.5)
    async with running(chosen, pages=pages) as service, raw(service) as slow, raw(service) as silent:
        async with asyncio.timeout(10):
            for letter in "GET /hall HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "y" * 10_000:
                slow.say(letter)
                await asyncio.sleep(0.02)
                if slow.ended and silent.ended:
                    break
        assert slow.ended
        assert silent.ended


@pytest.mark.usefixtures("hurried")
async def test_a_body_that_comes_a_letter_at_a_time_is_not_waited_for(service: Running) -> None:
    head = "POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{"
    async with raw(service) as slow:
        slow.say(head)
        async with asyncio.timeout(10):
            while not slow.ended:
                slow.say(" ")
                await asyncio.sleep(0.02)
        assert slow.got.startswith(b"HTTP/1.1 408")


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("word", ["Upgrade: websocket\r\n", "Upgrade: x\r\nConnection: Upgrade\r\n"])
async def test_the_word_upgrade_in_a_header_buys_a_body_no_time(service: Running, word: str) -> None:
    kind = "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    async with raw(service) as slow:
        slow.say(f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\n{word}{kind}")
        await comes_true(lambda: slow.ended)
        assert slow.got[:12] in (b"HTTP/1.1 408", b"HTTP/1.1 400")


JSON = "Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
NO_REQUESTS = {
    "no method": "GARBAGE <b>x</b>\r\n\r\n",
    "no version": "GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    "no header": "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n<b>bad</b>\r\n\r\n",
    "no length": f"POST /enter HTTP/1.1\r\n{JSON}Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
    "no gzip": f"POST /enter HTTP/1.1\r\n{JSON}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    "expects": "POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: tea\r\nContent-Length: 3\r\n\r\n",
    "no transport": "GET /socket.io/?EIO=4&transport=tea HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "no page of ours": UPGRADE.replace("Host: 127.0.0.1", "Host: 127.0.0.1\r\nOrigin: http://192.0.2.7"),
    "a socket": UPGRADE,
}


@pytest.mark.parametrize("said", NO_REQUESTS.values(), ids=NO_REQUESTS)
async def test_what_is_no_request_gets_a_plain_answer_with_all_headers_and_is_not_logged(
    service: Running, caplog: pytest.LogCaptureFixture, said: str
) -> None:
    async with raw(service) as one:
        one.say(said)
        await comes_true(lambda: b"\r\n\r\n" in one.got)
        head, _, body = one.got.partition(b"\r\n\r\n")
        assert b"\r\nServer: mafia-table" in head
        assert b"aiohttp" not in head
        assert b"\r\nContent-Security-Policy: default-src 'none'" in head
        assert b"\r\nX-Content-Type-Options: nosniff" in head
        assert not [part for part in (b"GARBAGE", b"<b>", b"ZZ", b"Traceback") if part in body]
    assert [row.getMessage() for row in caplog.records] == []


async def test_whoever_goes_before_all_is_said_leaves_nothing_in_the_log(
    service: Running, caplog: pytest.LogCaptureFixture
) -> None:
    watched = service.app[gate.GATE]
    async with raw(service) as one:
        one.say(f"POST /enter HTTP/1.1\r\n{JSON}Content-Length: 50\r\n\r\n{{")
        await comes_true(lambda: len(watched) == 1)
    async with raw(service) as other:
        other.say(UPGRADE)
        await comes_true(lambda: b"0{" in other.got)
        other.say(b"".join(frame("40{}") + frame("41") for _ in range(50)))
    await comes_true(lambda: len(watched) == 0)
    assert [row.getMessage() for row in caplog.records] == []


async def test_a_fault_of_the_service_is_in_the_log_and_its_answer_says_nothing_of_it(
    chosen: Settings, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_: web.Request) -> web.StreamResponse:
        raise KeyError("the don is seat 4")

    def also(app: web.Application) -> None:
        app.router.add_get("/broken", broken)

    async with running(chosen, pages=pages, also=also) as service, raw(service) as one:
        one.say("GET /broken HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/html\r\n\r\n")
        await comes_true(lambda: b"Internal Server Error" in one.got)
    assert one.got.startswith(b"HTTP/1.1 500")
    assert b"\r\nX-Content-Type-Options: nosniff" in one.got
    assert b"don" not in one.got
    assert [row.getMessage() for row in caplog.records] == ["a request could not be answered"]


async def test_a_body_or_a_header_that_is_too_long_is_not_read_and_nothing_of_it_is_logged(
    service: Running, caplog: pytest.LogCaptureFixture
) -> None:
    async with raw(service) as large, raw(service) as wide, raw(service) as many:
        large.say("POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                  "Content-Length: 5000\r\n\r\n" + "[" * 5000)  # fmt: skip
        wide.say("GET /hall HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "y" * 20_000 + "\r\n\r\n")
        many.say("GET /hall HTTP/1.1\r\nHost: 127.0.0.1\r\n" + "X: y\r\n" * 1_000 + "\r\n")
        await comes_true(lambda: large.got[:12] in (b"HTTP/1.1 413", b"HTTP/1.1 400"))
        # Where more comes than is read, the answer may be lost with the connection.
        await comes_true(lambda: wide.ended or wide.got[:12] == b"HTTP/1.1 400")
        await comes_true(lambda: many.ended or many.got[:12] == b"HTTP/1.1 400")
        assert not [one for one in (large, wide, many) if b"HTTP/1.1 200" in one.got]
    said = [f"{row.getMessage()} {row.exc_info}" for row in caplog.records]
    assert [text for text in said if STRANGER in text or "yyy" in text] == []


async def test_an_answer_that_is_not_taken_is_not_kept_for_ever(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "TAKES_WITHIN_S", 0.5)
    monkeypatch.setattr(gate, "_LOOKS_EVERY_S", 0.1)
    (pages / "assets" / "large-abc.js").write_bytes(os.urandom(30_000_000))
    async with running(chosen, pages=pages) as service:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(service), local_addr=(STRANGER, 0))
        writer.write(b"GET /assets/large-abc.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        watched = service.app[gate.GATE]
        await comes_true(lambda: len(watched) == 1)
        await comes_true(lambda: len(watched) == 0)
        writer.close()
        del reader


async def test_one_address_has_so_many_connections_and_no_more(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.service.running.Gate", lambda: Gate(of_one=5))
    async with running(chosen, pages=pages) as service:
        crowd = [raw(service) for _ in range(8)]
        opened = [await one.__aenter__() for one in crowd]
        try:
            await comes_true(lambda: sum(one.ended for one in opened) == 3)
            # Others get in: from another address, and from this machine.
            async with raw(service, of="127.0.0.3") as other, Page(service.address):
                other.say("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                await comes_true(lambda: b"200 OK" in other.got)
        finally:
            for one in crowd:
                await one.__aexit__(None, None, None)
        await comes_true(lambda: len(service.app[gate.GATE]) == 0)


async def test_when_all_places_are_taken_the_judge_gets_in_and_screens_stay(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.service.running.Gate", lambda: Gate(most=20, of_one=None))
    async with running(chosen, pages=pages) as service, Page(service.address) as hall:
        crowd = [raw(service) for _ in range(60)]
        opened = [await one.__aenter__() for one in crowd]
        try:
            await comes_true(lambda: sum(not one.ended for one in opened) <= 19)
            async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
                await Judge(tablet).does("deal", seat=1, role="don")
                assert not hall.closed.is_set()
                assert len(service.app[gate.GATE]) <= 20
        finally:
            for one in crowd:
                await one.__aexit__(None, None, None)


async def test_one_address_has_so_many_requests_a_second(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "REQUESTS_AT_ONCE", 20.0)
    monkeypatch.setattr("controller.service.running.Gate", lambda: Gate(requests=0.001))
    async with running(chosen, pages=pages) as service, raw(service) as eager, raw(service, of="127.0.0.1") as own:
        for one in (eager, own):
            for _ in range(30):
                one.say("GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await comes_true(lambda: eager.got.count(b"HTTP/1.1 429") == 10)
        assert eager.got.count(b"HTTP/1.1 200") == 20
        await comes_true(lambda: own.got.count(b"HTTP/1.1 200") == 30)


def test_the_allowance_of_an_address_comes_back_and_addresses_are_not_kept_for_ever() -> None:
    now = 0.0
    watched = Gate(requests=10.0, clock=lambda: now)
    asked = sum(watched.may_ask("10.0.0.1") for _ in range(2_000))
    assert asked == gate.REQUESTS_AT_ONCE
    now = 5.0
    assert sum(watched.may_ask("10.0.0.1") for _ in range(2_000)) == 50
    for number in range(20_000):
        assert watched.may_ask(f"10.1.{number // 250}.{number % 250}")
    assert len(watched._left) <= gate._ADDRESSES_KEPT
    # A network that has as many addresses as it likes is one.
    assert neighbourhood("2001:db8::1") == neighbourhood("2001:db8::ffff:1") != neighbourhood("2001:db9::1")


def test_counts_go_down_to_nothing() -> None:
    watched = Gate(most=10, of_one=3)
    ones = [Passing(watched, asyncio.Protocol()) for _ in range(20)]
    for number, one in enumerate(ones):
        one.address = f"10.0.0.{number % 4}"
    inside = [one for one in ones if watched.enter(one)]
    assert len(watched) <= 10
    for one in inside:
        watched.leave(one)
        watched.leave(one)
    assert len(watched) == 0
    assert not watched._of
