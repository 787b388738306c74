"""A link on the bench: the real device side and the real host side, joined by two wires in fake time."""

import heapq
import itertools
import random
from collections.abc import Callable

from firmware_bridge.core import Edge, LinkCore
from firmware_bridge.device import Device
from hardware.wiring import TEN_SEATS_AND_BOARD

MS = 1_000_000
SECOND = 1000 * MS
START = 7_000 * SECOND

Delay = Callable[[], float]
Fate = Callable[[bytes], list[bytes]]


def whole(data: bytes) -> list[bytes]:
    """The fate of bytes on a good wire."""
    return [data]


class Bench:
    """`delay` gives nanoseconds one way; `fate` says what arrives of a piece of bytes: nothing, it, something else."""

    def __init__(
        self,
        *,
        seed: int = 1,
        delay: Delay = lambda: 0.2 * MS,
        fate: Fate = whole,
        drift_ppm: float = 0.0,
        core: LinkCore | None = None,
        in_order: bool = True,
        ring: int = 1024,
    ) -> None:
        self.chance = random.Random(seed)
        self.delay = delay
        self.fate = fate
        self.cut = False
        self.commits = True
        self.now = START
        self.edges: list[Edge] = []
        self._heard_until: int | None = None
        self.bytes_carried = 0
        self.core = core or LinkCore()
        self._rate = 1 + drift_ppm * 1e-6
        self._in_order = in_order
        self._ring = ring
        self._number = itertools.count()
        self._flights: list[tuple[int, int, bool, bytes]] = []
        self._last = {True: 0, False: 0}
        self.levels = [False] * len(TEN_SEATS_AND_BOARD)
        self.boot()
        self.core.opened("bench", self.now)

    def boot(self) -> None:
        """Power the device off and on."""
        self._tick_start = self.chance.randrange(1 << 30)
        self._booted = self.now
        self.device = Device(
            "table",
            "bench",
            "bench-1",
            self.chance.randrange(1, 1 << 32),
            list(self.levels),
            self.tick(),
            ring=self._ring,
        )

    def tick(self, at: int | None = None) -> int:
        """Return the device's counter at `at`, or now."""
        elapsed = (self.now if at is None else at) - self._booted
        return (self._tick_start + int(elapsed * self._rate / 1000)) % (1 << 30)

    def put(self, key: str, down: bool) -> None:
        """Move a contact, cleanly."""
        source = TEN_SEATS_AND_BOARD.index(key)
        self.levels[source] = down
        self.device.edge(source, down, self.tick())

    def advance(self, seconds: float, step: int = MS) -> None:
        """Let both ends live for a while."""
        end = self.now + round(seconds * SECOND)
        while self.now < end:
            self.now += step
            while self._flights and self._flights[0][0] <= self.now:
                arrival, _, to_host, data = heapq.heappop(self._flights)
                if to_host:
                    self._hear(self.core.receive(data, arrival))
                else:
                    self.device.receive(data, self.tick(arrival))
                    self._send(True, self.device.take(), arrival)
            self.device.advance(self.tick())
            self._send(True, self.device.take(), self.now)
            self._hear(self.core.advance(self.now))
            self._send(False, self.core.take(), self.now)
            if not self.core.status.up and self.core.status.reason == "silent":
                self.core.opened("bench", self.now)

    def signals(self) -> list[tuple[str, bool]]:
        """Return what the host was told, as (key, down)."""
        return [(edge.signal.key, edge.signal.down) for edge in self.edges]

    def _hear(self, edges: list[Edge]) -> None:
        for edge in edges:
            # What was said to be heard is never added to afterwards.
            assert self._heard_until is None or edge.signal.at + edge.error_ns > self._heard_until
            self.edges.append(edge)
            if self.commits:
                self.core.acknowledge(edge.seq, edge.boot)
        self._heard_until = self.core.heard_until()

    def _send(self, to_host: bool, data: bytes, at: int) -> None:
        if not data or self.cut:
            return
        self.bytes_carried += len(data)
        for piece in self.fate(data):
            arrival = at + int(self.delay())
            if self._in_order:
                arrival = self._last[to_host] = max(arrival, self._last[to_host])
            heapq.heappush(self._flights, (arrival, next(self._number), to_host, piece))
