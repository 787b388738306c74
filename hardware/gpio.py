"""Seats and keys straight on a Raspberry Pi's pins: the same signals as the link to a microcontroller gives, with the
same face. Edges come in threads, with the kernel's own time; everything else happens on the event loop."""

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from hardware.debounce import CHATTERING, CLOSED_AT_START, CLOSED_TOO_LONG, Contact
from hardware.gpio_pins import Pin, PinChanged, PinFactory, pins_of_this_machine
from hardware.signal import Signal
from hardware.wiring import INPUT_OF, WiringMap

MILLISECOND: Final = 1_000_000
QUIET_NS: Final = 10 * MILLISECOND
CHATTER_NS: Final = 50 * MILLISECOND
LONGEST_NS: Final = 60_000 * MILLISECOND
LATE_NS: Final = 15 * MILLISECOND
"""How late the thread that brings an edge may be. What comes later still is given, and noted as a gap."""
STAMPED_ERROR_NS: Final = MILLISECOND // 10
BELIEVED_NS: Final = 10_000 * MILLISECOND
"""A tick farther than this from now is of no clock that we know."""
MISSED_NS: Final = 100 * MILLISECOND
BLINK_NS: Final = 250 * MILLISECOND
BEAT_S: Final = 0.004
AGAIN_S: Final = 5.0
SOURCE: Final = "gpio"
BUILD: Final = "gpio 1"
_MOST_RAW: Final = 4096
_GAPS_KEPT: Final = 16
_LAMP_STATES: Final = ("off", "on", "blink")
_STUCK: Final = {
    CLOSED_AT_START: "closed at start",
    CLOSED_TOO_LONG: "closed too long",
    CHATTERING: "chattering",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GpioEdge:
    """A settled transition as it is to be committed, as the link's edges are. `error_ns` bounds how far its time can
    be off."""

    signal: Signal
    seq: int
    boot: int
    error_ns: int


@dataclass(frozen=True, slots=True)
class GpioDevice:
    """The machine itself as a device; a new `boot` at every start of `run`."""

    id: str
    kind: str
    build: str
    boot: int
    inputs: int


@dataclass(frozen=True, slots=True)
class GpioGap:
    """A stretch of the table's clock, in nanoseconds, of which edges may be missing."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class GpioStatus:
    """The pins as a technician sees them, in the words of the link's status."""

    up: bool = False
    reason: str | None = "searching"
    detail: str = ""
    port: str = SOURCE
    device: GpioDevice | None = None
    clock_ready: bool = False
    stuck: Mapping[str, str] = field(default_factory=dict[str, str])
    gaps: tuple[GpioGap, ...] = ()
    error_ns: int | None = None
    round_trip_ns: int | None = None
    damaged_frames: int = 0


class _Watch:
    """One contact: its pin, its debounce, and what its thread brings."""

    def __init__(self, key: str, pin: Pin, closed_level: int, raw: Callable[["_Watch", bool, float], None]) -> None:
        self.key = key
        self.pin = pin
        self.doubted_at: int | None = None
        self._closed_level = closed_level
        self._raw = raw
        pin.input_with_pull("down" if closed_level else "up")
        # gpiozero's own debounce swallows a press after a glitch; ours does not, and the two must not meet.
        pin.bounce = None
        pin.edges = "both"
        self.closed = self.level()
        self.contact = Contact(self.closed, QUIET_NS, CHATTER_NS, LONGEST_NS)
        self._callback: PinChanged = self._changed
        pin.when_changed = self._callback

    def level(self) -> bool:
        """Return whether the contact is closed now."""
        return bool(self.pin.state) == bool(self._closed_level)

    def _changed(self, ticks: float, state: int) -> None:
        if state in (0, 1):  # a driver's watchdog calls with another
            self._raw(self, bool(state) == bool(self._closed_level), ticks)


class GpioSeats:
    """The seats and keys on this machine's pins; to the table it looks as `firmware_bridge.link.SeatLink` does.

    `on_signal` is called with every edge, once, in the order in which they settle; `on_status` whenever something has
    changed that a person should see. Both are called on the event loop and must not block; what they raise is logged.
    `clock` gives nanoseconds in the domain of `time.monotonic_ns()`.
    """

    def __init__(
        self,
        wiring: WiringMap,
        on_signal: Callable[[GpioEdge], None],
        on_status: Callable[[GpioStatus], None],
        clock: Callable[[], int] = time.monotonic_ns,
        *,
        pins: Callable[[], PinFactory] = pins_of_this_machine,
        wall: Callable[[], int] = time.time_ns,
    ) -> None:
        """`pins` is asked when `run` begins, and again while it fails."""
        self._wiring = wiring
        self._on_signal = on_signal
        self._on_status = on_status
        self._clock = clock
        self._wall = wall
        self._open_pins = pins
        self._status = GpioStatus()
        self._published: GpioStatus | None = None
        self._factory: PinFactory | None = None
        self._watches: list[_Watch] = []
        self._lamp_pins: dict[str, Pin] = {}
        self._lamps: Mapping[str, str] = {}
        self._lit: dict[str, bool] = {}
        self._raw: deque[tuple[_Watch, bool, int, int]] = deque()
        self._dropped = False
        self._seq = 0
        self._covered_since: int | None = None
        self._heard_until: int | None = None
        self._errors: dict[str, int] = {}
        self._looked_at = 0

    @property
    def status(self) -> GpioStatus:
        """The pins' state now."""
        return self._status

    async def run(self) -> None:
        """Watch the pins until cancelled. Never returns and never raises but for the cancellation."""
        try:
            while not self._take_pins():  # noqa: ASYNC110 - pins announce themselves to nobody
                await asyncio.sleep(AGAIN_S)
            while True:
                self.beat()
                await asyncio.sleep(BEAT_S)
        finally:
            self._give_back()
            self._status = replace(self._status, up=False, reason="stopped", clock_ready=False, stuck={})
            self._publish()

    def beat(self) -> None:
        """Let time pass until now: `run` does this all the time."""
        now = self._clock()
        self._drain()
        self._look_for_missed(now)
        told_until = now - LATE_NS
        for watch in self._watches:
            if watch.contact.closed or watch.contact.unsettled():
                self._settled(watch, watch.contact.advance(told_until))
        until = min(
            (watch.contact.settled_before() - 1 for watch in self._watches if watch.contact.unsettled()),
            default=told_until,
        )
        until = min(until, told_until)
        if self._heard_until is None or until > self._heard_until:
            self._heard_until = until
        stuck = {watch.key: _STUCK[fault] for watch in self._watches if (fault := watch.contact.fault())}
        if stuck != self._status.stuck:
            self._status = replace(self._status, stuck=stuck)
        self._light(now)
        self._publish()

    def acknowledge(self, up_to_seq: int, boot: int) -> None:
        """Nothing is kept to be sent again: what this process has not committed dies with it."""

    def lamps(self, states: Mapping[str, str]) -> None:
        """Set every lamp: key -> "off", "on" or "blink". A key that is not named is off; one without a lamp stays dark.

        Raises ValueError for a key that is not wired or for another state.
        """
        for key, state in states.items():
            if (key not in self._wiring.keys and key not in self._wiring.lamps) or state not in _LAMP_STATES:
                raise ValueError(f"no lamp {key!r} that can be {state!r}")
        self._lamps = dict(states)
        self._light(self._clock())

    def heard_until(self) -> int | None:
        """Return the time up to which every edge has been given; None before the first. It only rises."""
        return self._heard_until

    def covered(self, since: int, until: int) -> bool:
        """Return whether every edge from `since` to `until` has been given, with no gap in it."""
        return (
            self._covered_since is not None
            and self._heard_until is not None
            and self._covered_since <= since
            and until <= self._heard_until
            and not any(gap.since < until and since < gap.until for gap in self._status.gaps)
        )

    def _take_pins(self) -> bool:
        try:
            self._factory = self._open_pins()
            for key, pin in self._wiring.lamps.items():
                self._lamp_pins[key] = self._factory.pin(pin)
                self._lamp_pins[key].output_with_state(False)
                self._lit[key] = False
            for key in self._wiring.keys:
                pin = self._factory.pin(self._wiring.pins[key])
                self._watches.append(_Watch(key, pin, self._wiring.closed_level(key), self._edge_in_a_thread))
        except Exception as error:  # gpiozero, lgpio and the system have each their own
            log.warning("the pins cannot be had: %r", error)
            self._give_back()
            self._status = replace(self._status, up=False, reason="pins failed", detail=f"{error!r}")
            self._publish()
            return False
        if self._heard_until is not None:
            self._note_gap(self._heard_until, self._clock())
        self._covered_since = self._covered_since or self._clock()
        self._seq = 0
        boot = random.SystemRandom().randrange(1, 1 << 32)
        inputs = 1 + max(INPUT_OF[key] for key in self._wiring.keys)
        device = GpioDevice(SOURCE, "table", BUILD, boot, inputs)
        self._status = replace(
            self._status, up=True, reason=None, detail="", device=device, clock_ready=True, error_ns=STAMPED_ERROR_NS
        )
        self._publish()
        return True

    def _give_back(self) -> None:
        for pin in [*(watch.pin for watch in self._watches), *self._lamp_pins.values()]:
            with suppress(Exception):
                pin.close()
        self._watches.clear()
        self._lamp_pins.clear()
        self._raw.clear()
        if self._factory is not None:
            with suppress(Exception):
                self._factory.close()
            self._factory = None

    def _edge_in_a_thread(self, watch: _Watch, closed: bool, ticks: float) -> None:
        """Keep a raw edge for the next beat, in whatever thread brings it. A deque's ends are safe for that, and one
        thread brings all edges, so that they stay in order."""
        at, error = self._when(ticks)
        if len(self._raw) >= _MOST_RAW:
            self._dropped = True
            return
        self._raw.append((watch, closed, at, error))

    def _when(self, ticks: float) -> tuple[int, int]:
        """Return the time of an edge on the table's clock, and how far off it can be.

        Kernels from 5.7 on stamp with the monotonic clock, older ones with the wall clock; a factory without stamps
        of its own gives something else.
        """
        now = self._clock()
        stamp = round(ticks * 1e9)
        if now - BELIEVED_NS <= stamp <= now + MILLISECOND:
            return min(stamp, now), STAMPED_ERROR_NS
        age = self._wall() - stamp
        if -MILLISECOND <= age <= BELIEVED_NS:
            return now - max(age, 0), STAMPED_ERROR_NS
        return now, LATE_NS

    def _drain(self) -> None:
        while self._raw:
            watch, closed, at, error = self._raw.popleft()
            watch.closed = closed
            watch.doubted_at = None
            if self._heard_until is not None and at <= self._heard_until:
                log.warning("an edge of %s came %.1f ms late", watch.key, (self._clock() - at) / MILLISECOND)
                self._note_gap(at - 1, self._heard_until + 1)
            if not watch.contact.unsettled():
                self._errors[watch.key] = error
            self._settled(watch, watch.contact.edge(closed, at))
        if self._dropped:
            self._dropped = False
            now = self._clock()
            for watch in self._watches:
                self._correct(watch, now)

    def _look_for_missed(self, now: int) -> None:
        """Compare one pin a beat with what its edges said. A difference that stays is an edge that nobody told of."""
        if not self._watches:
            return
        self._looked_at = (self._looked_at + 1) % len(self._watches)
        watch = self._watches[self._looked_at]
        if watch.level() == watch.closed:
            watch.doubted_at = None
        elif watch.doubted_at is None:
            watch.doubted_at = now
        elif now - watch.doubted_at >= MISSED_NS:
            log.warning("an edge of %s was missed", watch.key)
            self._note_gap(watch.doubted_at - MISSED_NS, now)
            self._correct(watch, now)

    def _correct(self, watch: _Watch, now: int) -> None:
        level = watch.level()
        if level != watch.closed:
            watch.closed = level
            watch.doubted_at = None
            self._errors[watch.key] = LATE_NS
            self._settled(watch, watch.contact.edge(level, now))

    def _settled(self, watch: _Watch, change: tuple[bool, int] | None) -> None:
        device = self._status.device
        if change is None or device is None:
            return
        down, at = change
        self._seq += 1
        error = self._errors.get(watch.key, STAMPED_ERROR_NS)
        edge = GpioEdge(Signal(SOURCE, watch.key, down, at), self._seq, device.boot, error)
        try:
            self._on_signal(edge)
        except Exception:
            log.exception("the table did not take %s", edge)

    def _note_gap(self, since: int, until: int) -> None:
        self._status = replace(self._status, gaps=(*self._status.gaps, GpioGap(since, until))[-_GAPS_KEPT:])

    def _light(self, now: int) -> None:
        phase = now // BLINK_NS & 1 == 1
        for key, pin in self._lamp_pins.items():
            state = self._lamps.get(key, "off")
            lit = state == "on" or (state == "blink" and phase)
            if lit != self._lit[key]:
                self._lit[key] = lit
                pin.state = lit

    def _publish(self) -> None:
        if self._status == self._published:
            return
        self._published = self._status
        try:
            self._on_status(self._status)
        except Exception:
            log.exception("the table did not take the pins' status")
