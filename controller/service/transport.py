"""Socket.IO as this house runs it: websockets alone, no compression, small frames, in order, on a clock that no
time server can move. A frame that says nothing is the end of its connection and never a traceback."""

import asyncio
import re
import time
from collections.abc import Mapping
from typing import Any, Final

import engineio
import msgspec
import socketio
from aiohttp.web import Response, StreamResponse, WebSocketResponse
from engineio.async_drivers import aiohttp as driver

from controller.service.addresses import same_site
from controller.service.log import sockets_log

LARGEST_FRAME: Final = 16_384
PING_INTERVAL_S: Final = 2
PING_TIMEOUT_S: Final = 4
CLOSE_TIMEOUT_S: Final = 1.0
SILENT_FOR_S: Final = 5.5
"""A client answers a ping every other second; one that was not heard for so long is dead or stalled, and is cut off.
The library goes round them in four seconds, and might take ten."""

NAMED_WITHIN_S: Final = 5.0
"""So long a connection may stand without saying as what it comes."""
KNOCKS_WITHIN_S: Final = 15.0
"""So long one that was not let in may stand before it tries again: pages do after 5 s."""
LET_IN: Final = "table.let_in"
"""In the environment of a connection that was let in."""

UNKNOWN_EVENT: Final = "unknown event"
"""Stands in for event names that python-socketio keeps for itself, so that a client cannot call its handlers."""
_RESERVED: Final = frozenset({"connect", "connect_error", "disconnect", "*"})

_CONNECT: Final = re.compile(r"40(?:/,)?(\{.*\})?", re.DOTALL)
_EVENT: Final = re.compile(r"42(?:/,)?(\d{0,15})(\[.*\])", re.DOTALL)
_BARE: Final = frozenset({"1", "3", "41", "6"})


class Json:
    """JSON for python-socketio: fast, and Cyrillic stays Cyrillic."""

    @staticmethod
    def dumps(value: object, **_: object) -> str:
        """`value` as JSON text."""
        return msgspec.json.encode(value).decode()

    @staticmethod
    def loads(text: str | bytes, **_: object) -> Any:
        """The value of JSON text."""
        return msgspec.json.decode(text)


def admit(frame: object) -> str | None:
    """The frame as it may go on into the library, or None where it is no message of ours."""
    if not isinstance(frame, str):
        return None
    if frame in _BARE:
        return frame
    try:
        if (connect := _CONNECT.fullmatch(frame)) is not None:
            if connect[1]:
                msgspec.json.decode(connect[1], type=dict[str, Any])
            return frame
        if (event := _EVENT.fullmatch(frame)) is not None:
            said = msgspec.json.decode(event[2], type=list[Any])
            if not said or not isinstance(said[0], str):
                return None
            if said[0] in _RESERVED:
                return f"42{event[1]}{Json.dumps([UNKNOWN_EVENT])}"
            return frame
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    return None


class Frames(driver.WebSocket):
    """A websocket without compression that lets only well-formed frames in, and hangs up on one that has not said in
    time as what it comes."""

    async def __call__(self, environ: dict[str, Any]) -> StreamResponse:
        """Serve the connection until it ends."""
        self._sock = WebSocketResponse(
            max_msg_size=LARGEST_FRAME,
            compress=False,
            timeout=CLOSE_TIMEOUT_S,
        )
        try:
            await self._sock.prepare(environ["aiohttp.request"])
        except ConnectionError:
            # It has hung up before it was greeted, which is no fault; the library lets it go as it does all who answer
            # no ping.
            return Response()
        self.environ = environ
        self._ended: OSError | None = None
        """What the last wait has ended with."""
        self._until = asyncio.get_running_loop().time() + NAMED_WITHIN_S
        try:
            await self.handler(self)
        finally:
            _let_go(self._sock.exception())
            _let_go(self._ended)
        return self._sock

    async def wait(self) -> str:
        """The next frame. Raises OSError, which the library takes for a closed connection."""
        try:
            return await self._next()
        except OSError as wrong:
            self._ended = wrong
            raise

    async def _next(self) -> str:
        silent = asyncio.get_running_loop().time() + SILENT_FOR_S
        until = silent if LET_IN in self.environ else min(silent, self._until)
        try:
            async with asyncio.timeout_at(until):
                frame = admit(await super().wait())
        except TimeoutError:
            transport = self.environ["aiohttp.request"].transport
            if until == silent and transport is not None:
                # It would not take a farewell either.
                transport.abort()
            raise OSError("nothing was heard of it") from None
        if frame is None:
            raise OSError("not a frame of ours")
        if frame.startswith("40"):
            self._until = asyncio.get_running_loop().time() + KNOCKS_WITHIN_S
        return frame


def _let_go(wrong: BaseException | None) -> None:
    """What a connection has ended with keeps all that the connection was, and is kept by it, until the collector runs:
    where it went wrong, which nobody asks any more, is forgotten."""
    while wrong is not None:
        wrong.__traceback__, wrong = None, wrong.__context__


class _Monotonic:
    """What engine.io needs of the time module, without the wall's clock.

    A Pi starts with an old clock; when it jumps, every client with a ping outstanding would be taken for dead.
    """

    time = staticmethod(time.monotonic)


def _from_here(origin: str | None, environ: Mapping[str, Any]) -> bool:
    """Whether the page that asks for a socket is one of this service."""
    return same_site(origin, environ.get("HTTP_HOST", ""))


def socket_server() -> socketio.AsyncServer:
    """The Socket.IO server. Another site's pages are not let in."""
    engineio.async_socket.time = _Monotonic
    engineio.base_socket.time = _Monotonic
    server = socketio.AsyncServer(
        async_mode="aiohttp",
        json=Json,
        # One after another: presses that are handled side by side come out of order.
        async_handlers=False,
        namespaces=["/"],
        transports=["websocket"],
        allow_upgrades=False,
        http_compression=False,
        max_http_buffer_size=LARGEST_FRAME,
        ping_interval=PING_INTERVAL_S,
        ping_timeout=PING_TIMEOUT_S,
        cors_allowed_origins=_from_here,
        cors_credentials=False,
        logger=sockets_log(),  # pyright: ignore[reportArgumentType] - its text says a logger may stand here
        engineio_logger=sockets_log(),  # pyright: ignore[reportArgumentType]
    )
    quiet: Mapping[str, Any] = {**server.eio._async, "websocket": Frames}  # pyright: ignore[reportPrivateUsage]
    server.eio._async = dict(quiet)  # pyright: ignore[reportPrivateUsage]
    return server
