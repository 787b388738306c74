"""Many clients that are shown the same: a view is put into one websocket frame, once, and written to each as it is.

A client that has not taken what it was sent last is passed over and gets the newest view when it has; one that takes
nothing for five seconds is hung up on. So a stalled one costs a frame, and slows nobody.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import msgspec

from controller.service.access import LONGEST_DELAY_S, Holder, Scope
from controller.service.screens import TAKES_WITHIN_S, Allowance
from controller.views.messages import Language

MOST_WATCHERS: Final = 1500
"""So many are let in by one process; more is what relays are for."""
AT_A_TIME: Final = 16
"""So many are written to before the table's own work gets its turn: a thousand at once held a judge's command up by
25 ms (`make bench`)."""
_SHORT: Final = 126
_LONG: Final = 1 << 16


class Wire(Protocol):
    """What of a transport is used here."""

    def get_write_buffer_size(self) -> int:
        """Bytes that the client's connection has not taken yet."""
        ...

    def write(self, data: bytes) -> None:
        """Sends bytes, or keeps them where the connection takes none."""
        ...

    def abort(self) -> None:
        """Cuts the connection."""
        ...

    def is_closing(self) -> bool:
        """Whether it is closed or about to be."""
        ...


@dataclass(slots=True)
class Watcher:
    """One client of the crowd."""

    wire: Wire
    holder: Holder
    language: Language
    allowance: Allowance = field(default_factory=Allowance)
    side: bool = False
    """No spectator is a side judge."""
    table: str = ""
    """Which table it watches, where there are several."""
    usual_delay: int = LONGEST_DELAY_S
    """The delay of links that have none of their own, seconds."""
    greeting: bytes = b""
    """A frame that it is sent first."""
    shown: int = -1
    """The revision that it was sent last."""
    waits_since: float | None = None
    """Since when it has taken nothing, seconds."""

    @property
    def scope(self) -> Scope:
        """As what it was let in."""
        return self.holder.scope

    @property
    def delay(self) -> int:
        """How many seconds later it is shown the game."""
        link = self.holder.link
        return self.usual_delay if link is None else link.delay_after(self.usual_delay)


@dataclass(frozen=True, slots=True)
class Shown:
    """The newest view of one delay, as it goes over the wire."""

    revision: int
    frame: bytes


def text_frame(payload: bytes) -> bytes:
    """A websocket's text frame with `payload`, as a server sends it (RFC 6455, 5.2)."""
    size = len(payload)
    if size < _SHORT:
        return bytes((0x81, size)) + payload
    if size < _LONG:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


def event_frame(event: str, message: object) -> bytes:
    """A Socket.IO event with one argument as one websocket frame."""
    return text_frame(b"42[" + msgspec.json.encode(event) + b"," + msgspec.json.encode(message) + b"]")


class Crowd:
    """The watchers of one process, by the id of their connection."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._watchers: dict[str, Watcher] = {}
        self._newest: dict[tuple[str, int], Shown] = {}
        self.news = asyncio.Event()
        """Set while there is a view that `send` has not begun to send."""

    def __len__(self) -> int:
        return len(self._watchers)

    @property
    def delays(self) -> set[int]:
        """The delays that somebody watches with, seconds."""
        return {watcher.delay for watcher in self._watchers.values()}

    def get(self, sid: str) -> Watcher | None:
        """The watcher of connection `sid`."""
        return self._watchers.get(sid)

    def join(self, sid: str, watcher: Watcher) -> None:
        """A watcher has come. `send` sends it its greeting and the newest view: by then the library has
        told it that it is in."""
        self._watchers[sid] = watcher

    def leave(self, sid: str) -> bool:
        """A watcher has gone; whether it was one."""
        return self._watchers.pop(sid, None) is not None

    def show(self, delay: int, revision: int, frame: bytes, table: str = "") -> None:
        """The newest view of `delay` is this one; `send` sends it."""
        self._newest[table, delay] = Shown(revision, frame)
        self.news.set()

    async def send(self) -> None:
        """Sends everybody the newest that they were not sent and can take, and hangs up on those who take nothing. A
        few at a time: whatever else is ready goes on in between. To be called a few times a second, by one task."""
        self.news.clear()
        for place, watcher in enumerate(tuple(self._watchers.values()), 1):
            self._look_at(watcher)
            if place % AT_A_TIME == 0:
                await asyncio.sleep(0)

    def hang_up_unless(self, welcome: Callable[[Holder], bool]) -> None:
        """Hangs up on those who are not welcome any more."""
        for watcher in self._watchers.values():
            if not welcome(watcher.holder):
                watcher.wire.abort()

    def close(self) -> None:
        """Hangs up on everybody."""
        for watcher in self._watchers.values():
            watcher.wire.abort()
        self._watchers.clear()

    def _look_at(self, watcher: Watcher) -> None:
        # The newest of all: another one may have come since the sending began.
        newest = self._newest.get((watcher.table, watcher.delay))
        if watcher.wire.is_closing():
            return
        if newest is not None and watcher.shown != newest.revision:
            self._push(watcher, newest)
        elif watcher.greeting:
            watcher.wire.write(watcher.greeting)
            watcher.greeting = b""
        if watcher.waits_since is not None and self._clock() - watcher.waits_since > TAKES_WITHIN_S:
            watcher.wire.abort()

    def _push(self, watcher: Watcher, newest: Shown) -> None:
        wire = watcher.wire
        if wire.get_write_buffer_size() > 0:
            if watcher.waits_since is None:
                watcher.waits_since = self._clock()
            return
        wire.write(watcher.greeting + newest.frame if watcher.greeting else newest.frame)
        watcher.greeting = b""
        watcher.shown = newest.revision
        watcher.waits_since = None
