"""Many clients that are shown the same: a view is put into one websocket frame, once, and written to each as it is.

A client that has not taken what it was sent last is passed over and gets the newest view when it has; one that takes
nothing for six seconds is hung up on. So a stalled one costs a frame, and slows nobody.
"""

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
        """A watcher has come. It is sent its greeting and the newest view at the next look: by then the library has
        told it that it is in."""
        self._watchers[sid] = watcher

    def leave(self, sid: str) -> bool:
        """A watcher has gone; whether it was one."""
        return self._watchers.pop(sid, None) is not None

    def show(self, delay: int, revision: int, frame: bytes, table: str = "") -> None:
        """Sends the newest view of `delay` to all who can take it."""
        newest = self._newest[table, delay] = Shown(revision, frame)
        for watcher in self._watchers.values():
            # One that was not looked at yet may not even know that it is in.
            if watcher.delay == delay and watcher.table == table and not watcher.greeting:
                self._push(watcher, newest)

    def look(self) -> None:
        """Sends what could not be taken before, and hangs up on those who take nothing. To be called a few times a
        second."""
        now = self._clock()
        for watcher in self._watchers.values():
            newest = self._newest.get((watcher.table, watcher.delay))
            if newest is not None and watcher.shown != newest.revision:
                self._push(watcher, newest)
            elif watcher.greeting and not watcher.wire.is_closing():
                watcher.wire.write(watcher.greeting)
                watcher.greeting = b""
            if watcher.waits_since is not None and now - watcher.waits_since > TAKES_WITHIN_S:
                watcher.wire.abort()

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

    def _push(self, watcher: Watcher, newest: Shown) -> None:
        wire = watcher.wire
        if wire.is_closing():
            return
        if wire.get_write_buffer_size() > 0:
            if watcher.waits_since is None:
                watcher.waits_since = self._clock()
            return
        wire.write(watcher.greeting + newest.frame if watcher.greeting else newest.frame)
        watcher.greeting = b""
        watcher.shown = newest.revision
        watcher.waits_since = None
