"""The host's side of the link without its port: bytes and time in, edges, status and bytes out. No I/O, no clock.

It outlives connections: a device that comes back, under whatever port name, goes on where it was.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from firmware_bridge import frames
from firmware_bridge.clock import ClockFit, Placement
from hardware.signal import Signal
from hardware.wiring import TEN_SEATS_AND_BOARD, Wiring

if TYPE_CHECKING:
    from firmware_bridge.frames import Message

MILLISECOND: Final = 1_000_000
SILENCE_NS: Final = 1000 * MILLISECOND
HELLO_EVERY_NS: Final = 200 * MILLISECOND
PING_EVERY_AT_FIRST_NS: Final = 20 * MILLISECOND
PING_EVERY_NS: Final = 50 * MILLISECOND
FIRST_PINGS_NS: Final = 12_000 * MILLISECOND
LAMPS_EVERY_NS: Final = 1000 * MILLISECOND
ACK_EVERY_NS: Final = 200 * MILLISECOND
ROUND_TRIPS_BEFORE_EDGES: Final = 8
_PINGS_KEPT: Final = 256
_CLAIMS_KEPT: Final = 64
_GAPS_KEPT: Final = 16

_LAMP_STATES: Final = {"off": frames.LAMP_OFF, "on": frames.LAMP_ON, "blink": frames.LAMP_BLINK}


class Reason(StrEnum):
    """Why the link is down."""

    SEARCHING = "searching"  # nothing has answered yet
    SILENT = "silent"  # no frame for a second
    UNPLUGGED = "unplugged"  # the port is gone
    BUSY = "busy"  # another program holds the port
    PORT_FAILED = "port failed"  # the port cannot be opened or used; `detail` has the system's words
    OTHER_DEVICE = "other device"  # another device than the one named answered: `detail` has its id
    OTHER_PROTOCOL = "other protocol"  # the device's firmware is of another version: `detail` says which
    FAULTY = "faulty"  # the device says that it cannot serve: `detail` has its words
    STOPPED = "stopped"  # the table was shut down


class Stuck(StrEnum):
    """Why a contact is not to be believed."""

    CLOSED_AT_START = "closed at start"  # its press was never counted
    CLOSED_TOO_LONG = "closed too long"  # its press was counted, a minute ago or more
    CHATTERING = "chattering"


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Who answered: what it is, which firmware, which device, which of its lives, how many inputs."""

    id: str
    kind: str
    build: str
    boot: int
    inputs: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A settled transition as it is to be committed: acknowledge `seq` of `boot` once it is.

    `(signal.source, boot, seq)` names it for good; an edge that was committed but not yet acknowledged when the
    service stopped comes again under the same name. `error_ns` bounds how far `signal.at` can be off.
    """

    signal: Signal
    seq: int
    boot: int
    error_ns: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of the table's clock, in nanoseconds, of which edges may be missing for good."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The link as a technician sees it. A change of `device.boot` means that no key of it is known to be down."""

    up: bool = False
    reason: Reason | None = Reason.SEARCHING
    detail: str = ""
    port: str = ""
    device: DeviceInfo | None = None
    clock_ready: bool = False
    stuck: Mapping[str, Stuck] = field(default_factory=dict[str, Stuck])
    gaps: tuple[Gap, ...] = ()
    error_ns: int | None = None
    round_trip_ns: int | None = None
    damaged_frames: int = 0

    def same_news(self, other: "LinkStatus") -> bool:
        """Return whether the two differ in running figures alone."""
        return _without_figures(self) == _without_figures(other)


def _without_figures(status: LinkStatus) -> LinkStatus:
    return replace(status, error_ns=None, round_trip_ns=None, damaged_frames=0)


@dataclass(slots=True)
class _Life:
    """What is known of one boot of one device."""

    info: DeviceInfo
    clock: ClockFit
    expected: int
    heard_at: int
    acknowledged: int = 0
    skipped: set[int] = field(default_factory=set[int])
    waiting: list[tuple[int, int, bool, int]] = field(default_factory=list[tuple[int, int, bool, int]])
    claims: deque[tuple[int, int]] = field(default_factory=lambda: deque[tuple[int, int]](maxlen=_CLAIMS_KEPT))
    starts_at_tick: int | None = None
    lost_since: int | None = None


class LinkCore:
    """One link's protocol. `opened`, `receive`, `advance` and `closed` return the edges that have become known;
    `take` returns the bytes to write; `status` is always current."""

    def __init__(
        self,
        wiring: Wiring = TEN_SEATS_AND_BOARD,
        committed: tuple[str, int, int] | None = None,
        only_device: str | None = None,
    ) -> None:
        """`committed` is the (device id, boot id, seq) of the last edge that an earlier run of the service
        committed, if any: edges up to it are not given again. `only_device` refuses every other device id."""
        self._wiring = wiring
        self._committed = committed
        self._only_device = only_device
        self._life: _Life | None = None
        self._decoder = frames.Decoder()
        self._out = bytearray()
        self._number = 0
        self._token = 0
        self._pings: dict[int, int] = {}
        self._open = False
        self._heard_at = 0
        self._connected_at = 0
        self._hello_at = 0
        self._ping_at = 0
        self._ack_at = 0
        self._lamps_at = 0
        self._lamps: dict[str, int] = {}
        self._stranger: str | None = None
        self._covered_since: int | None = None
        self._heard_until: int | None = None
        self._gaps: tuple[Gap, ...] = ()
        self._status = LinkStatus()
        self._damaged_before = 0

    @property
    def status(self) -> LinkStatus:
        """The link's state now, running figures included."""
        return replace(
            self._status,
            gaps=self._gaps,
            damaged_frames=self._damaged_before + self._decoder.damaged,
        )

    @property
    def stranger(self) -> str | None:
        """The id of a device that answered at this port and is not the one to accept."""
        return self._stranger

    def opened(self, port: str, now: int) -> None:
        """Start talking over a port that has just been opened."""
        self._damaged_before += self._decoder.damaged
        self._decoder = frames.Decoder()
        self._out.clear()
        self._pings.clear()
        self._stranger = None
        self._open = True
        self._heard_at = now
        self._status = replace(self._status, port=port)
        self._say_hello(now)

    def closed(self, reason: Reason, detail: str = "") -> None:
        """Note that the port is gone or was given up."""
        self._open = False
        self._out.clear()
        self._status = replace(self._status, up=False, reason=reason, detail=detail, round_trip_ns=None, stuck={})

    def receive(self, data: bytes, now: int) -> list[Edge]:
        """Take bytes that were read from the port at `now`, in nanoseconds."""
        edges: list[Edge] = []
        for message in self._decoder.feed(data):
            edges += self._hear(message, now)
        return edges

    def advance(self, now: int) -> list[Edge]:
        """Let time pass until `now`: greet, ping, repeat what may have been lost, notice silence."""
        if not self._open:
            return []
        if now - self._heard_at >= SILENCE_NS and self._status.up:
            self.closed(Reason.SILENT)
            return []
        life = self._life
        if life is None or not self._status.up:
            if now - self._hello_at >= HELLO_EVERY_NS:
                self._say_hello(now)
            return []
        pace = PING_EVERY_AT_FIRST_NS if now - self._connected_at < FIRST_PINGS_NS else PING_EVERY_NS
        if now - self._ping_at >= pace:
            self._ping_at = now
            self._token = (self._token + 1) & 0xFFFFFFFF
            self._pings[self._token] = now
            while len(self._pings) > _PINGS_KEPT:
                del self._pings[next(iter(self._pings))]
            self._say(frames.PING, life, self._token)
        if now - self._lamps_at >= LAMPS_EVERY_NS:
            self._say_lamps(now)
        ready = life.clock.ready(now)
        if ready != self._status.clock_ready:
            self._status = replace(self._status, clock_ready=ready)
        return []

    def take(self) -> bytes:
        """Return the bytes to write to the port, and forget them."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def acknowledge(self, up_to_seq: int, boot: int) -> None:
        """Tell the device that every edge up to `up_to_seq` of its life `boot` is committed and may be forgotten.

        A `boot` that is over is ignored: its numbers mean other edges now.
        """
        life = self._life
        if life is None or boot != life.info.boot:
            return
        life.acknowledged = max(life.acknowledged, min(up_to_seq, life.expected - 1))
        self._pass_skipped(life)
        if self._status.up:
            self._say(frames.ACK, life, life.acknowledged)

    def lamps(self, states: Mapping[str, str], now: int) -> None:
        """Set every lamp: key -> "off", "on" or "blink". A key that is not named is off.

        Raises ValueError for a key that has no lamp in this wiring or for another state.
        """
        for key, state in states.items():
            if key not in self._wiring or state not in _LAMP_STATES:
                raise ValueError(f"no lamp {key!r} that can be {state!r}")
        self._lamps = {key: _LAMP_STATES[state] for key, state in states.items()}
        if self._status.up:
            self._say_lamps(now)

    def heard_until(self) -> int | None:
        """Return the time up to which every edge has been given, or None before the first. It only rises.

        Gaps lie before it all the same: ask `covered`.
        """
        return self._heard_until

    def covered(self, since: int, until: int) -> bool:
        """Return whether every edge from `since` to `until` has been given: heard throughout, and no gap in it."""
        return (
            self._covered_since is not None
            and self._heard_until is not None
            and self._covered_since <= since
            and until <= self._heard_until
            and not any(gap.since < until and since < gap.until for gap in self._gaps)
        )

    def _say(self, kind: int, life: _Life | None, *values: int | bytes) -> None:
        self._out += frames.pack(kind, self._number, life.info.boot if life else 0, *values)
        self._number = (self._number + 1) & 0xFF

    def _say_hello(self, now: int) -> None:
        self._hello_at = now
        self._say(frames.HELLO, None, frames.PROTOCOL)

    def _say_lamps(self, now: int) -> None:
        self._lamps_at = now
        states = bytearray((len(self._wiring) + 3) // 4)
        for lamp, key in enumerate(self._wiring):
            states[lamp >> 2] |= self._lamps.get(key or "", frames.LAMP_OFF) << (lamp & 3) * 2
        self._say(frames.LAMPS, self._life, bytes(states))

    def _hear(self, message: "Message", now: int) -> list[Edge]:
        kind, _, boot, values = message
        if kind == frames.IDENTITY:
            self._meet(boot, values, now)
            return []
        if kind == frames.FAULT:
            _, name, text = values
            if self._only_device in (None, name):
                self.closed(Reason.FAULTY, f"{name}: {text}")
            return []
        life = self._life
        if life is None or not self._status.up or boot != life.info.boot:
            # It lives another life than the one we know: ask who it is before believing anything it says.
            if kind in (frames.PONG, frames.EDGE, frames.SENT, frames.STUCK) and now - self._hello_at >= HELLO_EVERY_NS:
                self._say_hello(now)
            return []
        self._heard_at = life.heard_at = now
        match kind:
            case frames.PONG:
                sent = self._pings.pop(values[0], None)
                if sent is None or not life.clock.round_trip(sent, values[1], now):
                    return []
                self._status = replace(self._status, round_trip_ns=now - sent)
            case frames.EDGE:
                self._take_edges(life, values[0], values[1], now)
            case frames.SENT:
                self._take_claim(life, *values)
            case frames.STUCK:
                self._take_stuck(*values)
            case _:
                return []
        return self._settle(life, now)

    def _meet(self, boot: int, values: list[int | str], now: int) -> None:
        protocol, tick_bits, rate, tick, first, inputs, kind, build, name = values
        assert isinstance(tick_bits, int)
        assert isinstance(rate, int)
        assert isinstance(tick, int)
        assert isinstance(first, int)
        assert isinstance(inputs, int)
        if protocol != frames.PROTOCOL:
            detail = f"device {protocol}, table {frames.PROTOCOL}"
            self._status = replace(self._status, up=False, reason=Reason.OTHER_PROTOCOL, detail=detail)
            return
        if self._only_device and name != self._only_device:
            self._stranger = str(name)
            return
        if not (0 < tick_bits <= 32 and rate > 0):
            return
        info = DeviceInfo(str(name), str(kind), str(build), boot, inputs)
        life = self._life
        if life is None or (life.info.id, life.info.boot) != (info.id, boot):
            life = self._new_life(info, tick_bits, rate, tick, first)
            self._connected_at = now
        elif now - life.heard_at >= (1 << tick_bits) * 1_000_000_000 // rate // 4:
            # Away for so long that the counter may have turned: the same life, but its ticks are to be met anew.
            life.clock = ClockFit(tick_bits, rate)
        self._skip_lost(life, first)
        self._heard_at = life.heard_at = now
        if not self._status.up:
            self._connected_at = now
        self._status = replace(self._status, up=True, reason=None, detail="", device=info)
        if life.acknowledged:
            self._say(frames.ACK, life, life.acknowledged)
        self._say_lamps(now)

    def _new_life(self, info: DeviceInfo, tick_bits: int, rate: int, tick: int, first: int) -> _Life:
        life = _Life(
            info=info,
            clock=ClockFit(tick_bits, rate),
            expected=first,
            heard_at=0,
            starts_at_tick=tick,
        )
        if self._life is not None:
            life.lost_since = self._heard_until
        elif self._committed and self._committed[:2] == (info.id, info.boot):
            life.expected = max(first, self._committed[2] + 1)
            life.acknowledged = life.expected - 1
        life.acknowledged = max(life.acknowledged, first - 1)
        self._life = life
        self._status = replace(self._status, clock_ready=False, stuck={}, error_ns=None, round_trip_ns=None)
        return life

    def _skip_lost(self, life: _Life, first: int) -> None:
        """The device has forgotten the edges before `first`; those that never came are lost."""
        if first <= life.expected:
            return
        if life.lost_since is None:
            life.lost_since = self._heard_until
        life.expected = first
        life.acknowledged = max(life.acknowledged, first - 1)

    def _take_edges(self, life: _Life, seq: int, edges: list[tuple[int, bool, int]], now: int) -> None:
        for number, (source, closed, tick) in enumerate(edges, start=seq):
            if number != life.expected:
                continue  # heard before, or after one that was lost on the way: it comes again
            life.expected += 1
            if source < len(self._wiring) and self._wiring[source] is not None:
                life.waiting.append((number, source, closed, tick))
            else:
                life.skipped.add(number)
                self._pass_skipped(life)
        if seq < life.expected and life.acknowledged >= seq and now - self._ack_at >= ACK_EVERY_NS:
            # It sends what is committed already: the acknowledgement was lost.
            self._ack_at = now
            self._say(frames.ACK, life, life.acknowledged)

    def _pass_skipped(self, life: _Life) -> None:
        """An input that is no key has nobody to acknowledge it."""
        while life.acknowledged + 1 in life.skipped:
            life.acknowledged += 1
        life.skipped = {seq for seq in life.skipped if seq > life.acknowledged}

    def _take_claim(self, life: _Life, upto: int, last: int, first: int) -> None:
        self._skip_lost(life, first)
        life.claims.append((last, upto))

    def _take_stuck(self, at_start: int, too_long: int, chattering: int) -> None:
        stuck: dict[str, Stuck] = {}
        for source, key in enumerate(self._wiring):
            if key is None:
                continue
            for mask, why in (
                (at_start, Stuck.CLOSED_AT_START),
                (too_long, Stuck.CLOSED_TOO_LONG),
                (chattering, Stuck.CHATTERING),
            ):
                if mask >> source & 1:
                    stuck[key] = why
        if stuck != self._status.stuck:
            self._status = replace(self._status, stuck=stuck)

    def _settle(self, life: _Life, now: int) -> list[Edge]:
        """Place what waits for the clock, then believe the device's claims about silence; all of it was before now."""
        if life.clock.round_trips < ROUND_TRIPS_BEFORE_EDGES:
            return []
        edges: list[Edge] = []
        for seq, source, closed, tick in life.waiting:
            key, placed = self._wiring[source], _placed(life, tick, now)
            assert key is not None
            edges.append(Edge(Signal(life.info.id, key, closed, placed.ns), seq, life.info.boot, placed.error_ns))
        life.waiting.clear()
        if life.starts_at_tick is not None:
            placed = _placed(life, life.starts_at_tick, now)
            if self._covered_since is None:
                self._covered_since = placed.ns + placed.error_ns
            life.starts_at_tick = None
        while life.claims and life.claims[0][0] < life.expected:
            _, upto = life.claims.popleft()
            placed = _placed(life, upto, now)
            until = placed.ns - placed.error_ns
            if life.lost_since is not None:
                self._gaps = (*self._gaps, Gap(life.lost_since, placed.ns + placed.error_ns))[-_GAPS_KEPT:]
                life.lost_since = None
            if self._heard_until is None or until > self._heard_until:
                self._heard_until = until
            self._status = replace(self._status, error_ns=placed.error_ns)
        return edges


def _placed(life: _Life, tick: int, now: int) -> Placement:
    placed = life.clock.place(tick)
    assert placed is not None, "edges wait until round trips have been made"
    if placed.ns > now:
        # Nothing is heard before it has happened. This machine has slept: its clock stood still, the device's went on,
        # and until the fit has begun anew all that is known is that it was before now.
        return Placement(now, placed.error_ns + placed.ns - now)
    return placed
