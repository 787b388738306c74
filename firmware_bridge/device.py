# pyright: basic
"""The device's side of the link, in MicroPython's subset: raw edges, host bytes and ticks in, bytes out. No I/O.

The firmware and the simulated table run this same file. Call it like this, in a loop:

    now = the tick                     # taken first, so that no edge older than `now` is still on its way
    device.edge(input, closed, tick)   # for every raw edge since, in the order of their ticks
    device.receive(bytes, now)
    device.advance(now)
    send(device.take())                # what cannot be sent may be dropped: edges come again, the rest is repeated
"""

from array import array

from firmware_bridge import frames
from hardware.debounce import CHATTERING, CLOSED_AT_START, CLOSED_TOO_LONG, Contact, since

QUIET_MS = 10  # longer than the 8 ms that a bad contact bounces, short beside the 40 ms of the quickest tap
CHATTER_MS = 50
LONGEST_MS = 60000  # no ballot keeps a hand down for a minute
SENT_EVERY_MS = 50
STUCK_EVERY_MS = 1000
RESEND_MS = 200
SLOWEST_RESEND_MS = 1000
HOST_SILENT_MS = 1000
WINDOW = 64  # edges on their way at once


class Device:
    """One microcontroller: its contacts, its ring of unacknowledged edges, its lamps and its end of the link.

    `closed` holds the level of each input at the start. `boot` differs at every start (32 bits, never 0).
    `tick` runs from 0 to `2 ** tick_bits - 1` and wraps, `ticks_per_second` times a second.
    """

    def __init__(
        self,
        kind: str,
        build: str,
        name: str,
        boot: int,
        closed: list[bool],
        tick: int,
        tick_bits: int = 30,
        ticks_per_second: int = 1000000,
        ring: int = 1024,
    ) -> None:
        self.lamps = bytearray(len(closed))
        self._identity = (kind, build, name)
        self._boot = boot
        self._bits = tick_bits
        self._rate = ticks_per_second
        self._modulus = 1 << tick_bits
        # An edge older than this is forgotten: the host could no longer tell which turn of the counter it is from.
        self._keep = self._modulus >> 2
        self._contacts = [
            Contact(level, self._ms(QUIET_MS), self._ms(CHATTER_MS), self._ms(LONGEST_MS), self._modulus)
            for level in closed
        ]
        self._faults = (0, 0, 0)
        self._ring_input = array("B", bytearray(ring))
        self._ring_tick = array("L", [0] * ring)
        self._size = ring
        self._first = 1  # oldest edge kept
        self._next = 1  # number that the next edge gets
        self._unsent = 1  # next edge to send; those from _first up to it are on their way
        self._linked = False
        self._host_at = tick
        self._resend_at = tick
        self._resend = self._ms(RESEND_MS)
        self._sent_at = tick
        self._stuck_at = tick
        self._decoder = frames.Decoder()
        self._number = 0
        self._out = bytearray()
        self._look_for_faults()

    def edge(self, source: int, closed: bool, tick: int) -> None:
        """Take one raw edge of input `source` to level `closed`."""
        self._keep_edge(source, self._contacts[source].edge(closed, tick))

    def receive(self, data: bytes, tick: int) -> None:
        """Take bytes from the host that were read at `tick`."""
        for kind, _, boot, values in self._decoder.feed(data):
            if kind == frames.HELLO:
                self._greet(tick)
            elif boot != self._boot:
                # Meant for a life of this device that is over: the host has to hear of the new one.
                self._identify(tick)
            elif kind == frames.PING:
                self._heard(tick)
                self._say(frames.PONG, values[0], tick)
            elif kind == frames.ACK:
                self._heard(tick)
                self._acknowledged(values[0], tick)
            elif kind == frames.LAMPS:
                self._heard(tick)
                self._light(values[0])

    def advance(self, tick: int) -> None:
        """Let time pass until `tick`: settle contacts, send what is due, notice a host that has gone."""
        for source in range(len(self._contacts)):
            contact = self._contacts[source]
            if contact.closed or contact.unsettled():
                self._keep_edge(source, contact.advance(tick))
        while self._first != self._next and self._age(self._ring_tick[self._first % self._size], tick) > self._keep:
            self._forget_first()
        if self._linked and self._age(self._host_at, tick) > self._ms(HOST_SILENT_MS):
            self._linked = False
            self.lamps = bytearray(len(self._contacts))
        if not self._linked:
            return
        self._send_edges(tick)
        if self._age(self._sent_at, tick) >= self._ms(SENT_EVERY_MS):
            self._sent_at = tick
            if self._look_for_faults() or self._age(self._stuck_at, tick) >= self._ms(STUCK_EVERY_MS):
                self._stuck_at = tick
                self._say(frames.STUCK, *self._faults)
            self._say(frames.SENT, self._complete_until(tick), self._next - 1, self._first)

    def linked(self) -> bool:
        """Return whether a host is heard."""
        return self._linked

    def take(self) -> bytes:
        """Return the bytes to send now, and forget them."""
        out = bytes(self._out)
        self._out = bytearray()
        return out

    def _ms(self, milliseconds: int) -> int:
        return milliseconds * self._rate // 1000

    def _age(self, then: int, now: int) -> int:
        return since(now, then, self._modulus)

    def _keep_edge(self, source: int, change) -> None:
        if change is None:
            return
        closed, tick = change
        if self._next - self._first == self._size:
            self._forget_first()
        place = self._next % self._size
        self._ring_input[place] = source * 2 + (1 if closed else 0)
        self._ring_tick[place] = tick
        self._next += 1

    def _forget_first(self) -> None:
        self._first += 1
        self._unsent = max(self._unsent, self._first)

    def _complete_until(self, tick: int) -> int:
        """Return the tick up to which no edge is to come that the ring does not hold."""
        age = 1
        for contact in self._contacts:
            if contact.unsettled():
                age = max(age, self._age(contact.settled_before(), tick) + 1)
        return (tick - age) % self._modulus

    def _say(self, kind: int, *values) -> None:
        self._out.extend(frames.pack(kind, self._number, self._boot, *values))
        self._number = (self._number + 1) & 0xFF

    def _identify(self, tick: int) -> None:
        kind, build, name = self._identity
        inputs = len(self._contacts)
        protocol = frames.PROTOCOL
        self._say(frames.IDENTITY, protocol, self._bits, self._rate, tick, self._first, inputs, kind, build, name)

    def _greet(self, tick: int) -> None:
        self._identify(tick)
        self._linked = False
        self._heard(tick)

    def _heard(self, tick: int) -> None:
        self._host_at = tick
        if not self._linked:
            # Whatever was on its way when the link was lost goes again, oldest first.
            self._linked = True
            self._unsent = self._first
            self._resend = self._ms(RESEND_MS)
            self._stuck_at = (tick - self._ms(STUCK_EVERY_MS)) % self._modulus

    def _acknowledged(self, seq: int, tick: int) -> None:
        if self._first <= seq < self._next:
            self._first = seq + 1
            self._unsent = max(self._unsent, self._first)
            self._resend_at = tick
            self._resend = self._ms(RESEND_MS)

    def _light(self, states: bytes) -> None:
        for lamp in range(min(len(self.lamps), len(states) * 4)):
            self.lamps[lamp] = (states[lamp >> 2] >> (lamp & 3) * 2) & 3

    def _send_edges(self, tick: int) -> None:
        if self._unsent != self._first and self._age(self._resend_at, tick) >= self._resend:
            self._unsent = self._first
            # A host that is slow to commit is not helped by hearing the same edges ever faster.
            self._resend = min(self._resend * 2, self._ms(SLOWEST_RESEND_MS))
        if self._unsent == self._first:
            self._resend_at = tick
        end = min(self._next, self._first + WINDOW)
        while self._unsent < end:
            stop = min(end, self._unsent + frames.MOST_EDGES)
            edges = []
            for seq in range(self._unsent, stop):
                packed = self._ring_input[seq % self._size]
                edges.append((packed >> 1, bool(packed & 1), self._ring_tick[seq % self._size]))
            self._say(frames.EDGE, self._unsent, edges)
            self._unsent = stop

    def _look_for_faults(self) -> bool:
        masks = [0, 0, 0, 0]
        for source in range(len(self._contacts)):
            masks[self._contacts[source].fault()] |= 1 << source
        faults = (masks[CLOSED_AT_START], masks[CLOSED_TOO_LONG], masks[CHATTERING])
        changed = faults != self._faults
        self._faults = faults
        return changed
