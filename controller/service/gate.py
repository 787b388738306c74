"""The gate before HTTP and Socket.IO: how many connections there may be, of one address and in all, how quickly
requests may come, and how long a client may take. Whoever is let in as a screen stays; of the others the oldest gives
way."""

import asyncio
import resource
import socket
import ssl
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from aiohttp import web

from controller.service.answers import Answering
from controller.service.log import web_log

MOST_CONNECTIONS: Final = 4000
MOST_OF_ONE_ADDRESS: Final = 300
REQUESTS_A_SECOND: Final = 100.0
REQUESTS_AT_ONCE: Final = 1000.0
"""A page is some forty requests: so many of one address in a burst, and then as many a second."""
REQUEST_WITHIN_S: Final = 10.0
"""A request's body must have come by then, and its answer be made."""
TAKES_WITHIN_S: Final = 30.0
"""An answer must have been taken by then."""
TLS_WITHIN_S: Final = 5.0
IDLE_S: Final = 15.0
"""So long a connection may stand without a whole request."""
CLOSES_WITHIN_S: Final = 0.5
"""So long an answer that is being made has at the service's end."""
LINGERS_S: Final = 2.0
"""So long the rest of a body that nobody asked for is read."""
_LOOKS_EVERY_S: Final = 1.0
_ADDRESSES_KEPT: Final = 4096
_THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1"})

Clock = Callable[[], float]


def neighbourhood(address: str) -> str:
    """The address, or the network of one that has as many of its own as it likes."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(IPv6Address(int(known) >> 64 << 64)) if isinstance(known, IPv6Address) else str(known)


class Passing(asyncio.Protocol):
    """One connection on its way through the gate to the server behind it."""

    def __init__(self, gate: "Gate", inner: asyncio.Protocol) -> None:
        self._gate = gate
        self._inner = inner
        self.transport: asyncio.Transport | None = None
        self.address = ""
        self.settled = False
        """It is a screen that was let in: it has time-outs of its own."""
        self.full_since: float | None = None
        """Since when it has not taken all that it was sent."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It comes: it may be sent away before the server hears of it."""
        assert isinstance(transport, asyncio.Transport)
        peer: Any = transport.get_extra_info("peername")
        self.address = neighbourhood(str(peer[0])) if peer else ""
        if not self._gate.enter(self):
            transport.abort()
            return
        self.transport = transport
        self._inner.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        if self.transport is not None:
            self.transport = None
            self._gate.leave(self)
            self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """It says something."""
        if self.transport is not None:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """It says nothing more."""
        return self._inner.eof_received() if self.transport is not None else None

    def pause_writing(self) -> None:
        """It takes no more for now."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """It takes more."""
        self._inner.resume_writing()


class Gate:
    """The connections of one server."""

    def __init__(
        self,
        *,
        most: int = MOST_CONNECTIONS,
        of_one: int | None = MOST_OF_ONE_ADDRESS,
        requests: float | None = REQUESTS_A_SECOND,
        clock: Clock = time.monotonic,
    ) -> None:
        """`of_one` and `requests` (a second) are the limits of one address; None, where all come from a balancer's.
        This machine itself has none."""
        self._most = most
        self._of_one = of_one
        self._requests = requests
        self._clock = clock
        self._here: dict[Passing, None] = {}
        self._of: Counter[str] = Counter()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._here)

    def enter(self, one: Passing) -> bool:
        """Whether one more connection may come in. Where all places are taken, the oldest that is no screen gives way:
        nobody can keep the judge out by taking them."""
        address = one.address
        limited = self._of_one is not None and address not in _THIS_MACHINE
        if limited and self._of[address] >= (self._of_one or 0):
            return False
        if len(self._here) >= self._most:
            oldest = next((other for other in self._here if not other.settled), None)
            if oldest is None:
                return False
            if oldest.transport is not None:
                oldest.transport.abort()
            self.leave(oldest)
        self._here[one] = None
        self._of[address] += 1
        return True

    def leave(self, one: Passing) -> None:
        """A connection is gone."""
        if one in self._here:
            del self._here[one]
            self._of[one.address] -= 1
            if self._of[one.address] <= 0:
                del self._of[one.address]

    def settle(self, transport: asyncio.Transport | None) -> None:
        """The client of `transport` was let in."""
        for one in self._here:
            if one.transport is transport:
                one.settled = True
                return

    def may_ask(self, address: str) -> bool:
        """Whether one more request may come from `address` now."""
        address = neighbourhood(address)
        if self._requests is None or address in _THIS_MACHINE:
            return True
        now = self._clock()
        left, at = self._left.pop(address, (REQUESTS_AT_ONCE, now))
        left = min(REQUESTS_AT_ONCE, left + (now - at) * self._requests)
        self._left[address] = (max(0.0, left - 1), now)
        while len(self._left) > _ADDRESSES_KEPT:
            self._left.popitem(last=False)
        return left >= 1

    def look(self) -> None:
        """Cuts off those that do not take what they asked for. To be called about once a second."""
        now = self._clock()
        for one in list(self._here):
            transport = one.transport
            if transport is None or one.settled or transport.get_write_buffer_size() == 0:
                one.full_since = None
            elif one.full_since is None:
                one.full_since = now
            elif now - one.full_since > TAKES_WITHIN_S:
                transport.abort()

    async def run(self) -> None:
        """Looks until cancelled."""
        while True:
            await asyncio.sleep(_LOOKS_EVERY_S)
            self.look()

    async def open(self, runner: web.AppRunner, listening: socket.socket, tls: ssl.SSLContext | None) -> asyncio.Server:
        """Lets connections of `listening` in to what `runner` serves."""
        behind, loop = runner.server, asyncio.get_running_loop()
        assert behind is not None

        def answering() -> Answering:
            return Answering(
                behind,
                loop=loop,
                access_log=None,  # pyright: ignore[reportArgumentType] - the library's own runner says None too
                logger=web_log(),
                keepalive_timeout=IDLE_S,
                lingering_time=LINGERS_S,
                # Nothing here is sent compressed: four kilobytes are four, and not four megabytes.
                auto_decompress=False,
            )

        return await loop.create_server(
            lambda: Passing(self, answering()),
            sock=listening,
            ssl=tls,
            backlog=256,
            ssl_handshake_timeout=TLS_WITHIN_S if tls is not None else None,
        )


def behind_the_gate(app: web.Application) -> web.AppRunner:
    """What serves `app`."""
    return web.AppRunner(app, access_log=None, logger=web_log(), shutdown_timeout=CLOSES_WITHIN_S)


GATE: Final = web.AppKey("gate", Gate)


def allow_files() -> None:
    """As many connections as the system allows: it usually begins with 1,024."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(65_536, hard)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
