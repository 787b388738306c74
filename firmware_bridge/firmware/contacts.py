"""Contacts on pins: every raw edge is caught by a hard interrupt, stamped before anything else, and kept in a ring.

Inside a handler MicroPython locks the heap: whatever allocates there raises, and the pin is deaf from then on. So
everything a handler touches is made beforehand, and a handler never raises.
"""

from array import array
from time import sleep_us, ticks_us

from machine import Pin, disable_irq, enable_irq

from hardware.debounce import since

RING = 512  # raw edges between two turns of the loop; a power of two
HELD_US = 4000  # between two scans while a key is held, for a second key of its row makes no interrupt
MODULUS = 1 << 30
SETTLE_US = 20  # a row of the matrix through its pull-up and a long cable


class RawEdges:
    """The ring between the handlers, which put, and the loop, which takes. Full, it counts what it has to drop."""

    def __init__(self) -> None:
        self.dropped = 0
        self._codes = array("B", bytearray(RING))
        self._ticks = array("L", [0] * RING)
        self._put = 0
        self._get = 0

    def put(self, code: int, tick: int) -> None:
        """Keep an edge: `code` is twice the input, and one more if it closed. For handlers: allocates nothing."""
        put = self._put
        after = (put + 1) & (RING - 1)
        if after == self._get:
            self.dropped += 1
            return
        self._codes[put] = code
        self._ticks[put] = tick
        self._put = after

    def empty(self) -> bool:
        """Return whether all has been taken."""
        return self._get == self._put

    def take(self):
        """Return the oldest edge as (code, tick) and forget it. Only when not empty."""
        get = self._get
        edge = (self._codes[get], self._ticks[get])
        self._get = (get + 1) & (RING - 1)
        return edge


class Input:
    """One contact on a pin of its own."""

    def __init__(self, edges: RawEdges, source: int, pin: int, closed_level: int) -> None:
        self.source = source
        self._edges = edges
        self._code = source * 2
        self._flip = 1 - closed_level
        self._pin = Pin(pin, Pin.IN, Pin.PULL_DOWN if closed_level else Pin.PULL_UP)
        self.closed = self.level()
        self._handler = self._on_edge  # a bound method is an object: made once, here
        self._pin.irq(handler=self._handler, trigger=Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def level(self) -> int:
        """Return 1 if the contact is closed now."""
        return self._pin.value() ^ self._flip

    def _on_edge(self, pin) -> None:
        tick = ticks_us()
        self._edges.put(self._code | (pin.value() ^ self._flip), tick)


class Row:
    """One row of the matrix: it wakes by itself when a key of it moves while the matrix rests."""

    def __init__(self, matrix, pin: int) -> None:
        self.moved = False
        self.tick = 0
        self._matrix = matrix
        self._pin = Pin(pin, Pin.IN, Pin.PULL_UP)
        self._handler = self._on_edge
        self._pin.irq(handler=self._handler, trigger=Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def low(self) -> bool:
        """Return whether a key connects this row with a column that is driven."""
        return not self._pin.value()

    def _on_edge(self, _) -> None:
        tick = ticks_us()
        if not self._matrix.scanning and not self.moved:
            self.moved = True
            self.tick = tick


class Matrix:
    """Keys at the crossings of columns and rows, a diode each. At rest every column is driven, so that any key's
    move is an interrupt of its row, which dates it; a scan then says which key it was. A key that moves while
    another of its row is held is dated by the turn of the loop that finds it."""

    def __init__(self, columns, rows, inputs) -> None:
        """`inputs[column][row]` is the input of a key, or None."""
        self.scanning = False
        self._columns = [Pin(pin, Pin.OPEN_DRAIN, value=0) for pin in columns]
        self._inputs = inputs
        self._closed = [[False] * len(rows) for _ in columns]
        self._rows = [Row(self, pin) for pin in rows]
        self._held = [0] * len(rows)
        self._scanned_at = 0

    def scan(self, changed, now: int) -> None:
        """Call `changed(input, closed, tick)` for every key that has moved. `now` was taken before."""
        if not self._has_to_scan(now):
            return
        self._scanned_at = now
        self.scanning = True
        ticks = [row.tick if row.moved else now for row in self._rows]
        for row in self._rows:
            row.moved = False
        for column in self._columns:
            column.value(1)
        for place in range(len(self._columns)):
            self._columns[place].value(0)
            sleep_us(SETTLE_US)
            closed = self._closed[place]
            for at in range(len(self._rows)):
                down = self._rows[at].low()
                if down != closed[at]:
                    closed[at] = down
                    self._held[at] += 1 if down else -1
                    if self._inputs[place][at] is not None:
                        changed(self._inputs[place][at], down, ticks[at])
            self._columns[place].value(1)
        for column in self._columns:
            column.value(0)
        sleep_us(SETTLE_US)
        self.scanning = False

    def _has_to_scan(self, now: int) -> bool:
        held = False
        for at in range(len(self._rows)):
            row = self._rows[at]
            # A key that moves during a scan makes no interrupt of its own: its row is not as the scan left it.
            if row.moved or row.low() != (self._held[at] > 0):
                return True
            held = held or self._held[at] > 0
        return held and since(now, self._scanned_at, MODULUS) >= HELD_US


class Contacts:
    """All contacts of a device: what the interrupts have caught, and what they cannot have caught."""

    def __init__(self, pins) -> None:
        self.closed = [False] * pins.inputs
        self._edges = RawEdges()
        self._inputs = [Input(self._edges, source, pin, level) for source, pin, level in pins.pins]
        self._of = {each.source: each for each in self._inputs}
        for each in self._inputs:
            self.closed[each.source] = bool(each.closed)
        self._matrix = Matrix(pins.columns, pins.rows, pins.matrix) if pins.columns else None
        if self._matrix:
            self._matrix.scan(self._at_start, 0)
        self._looked_at = 0
        self._dropped = 0

    def feed(self, device, now: int) -> None:
        """Give `device` every raw edge since the last call. `now` was taken before, and no edge before it is missing
        afterwards."""
        edges = self._edges
        while not edges.empty():
            code, tick = edges.take()
            self._of[code >> 1].closed = code & 1
            device.edge(code >> 1, bool(code & 1), tick)
        if self._matrix:
            self._matrix.scan(device.edge, now)
        if self._dropped != edges.dropped:
            self._dropped = edges.dropped
            for each in self._inputs:
                self._compare(each, device, now)
        elif self._inputs:
            # An edge that no interrupt told of, whatever the reason, is found within a few turns of the loop.
            self._looked_at = (self._looked_at + 1) % len(self._inputs)
            self._compare(self._inputs[self._looked_at], device, now)

    def _compare(self, each: Input, device, now: int) -> None:
        before = disable_irq()
        level = each.level()
        missed = level != each.closed and self._edges.empty()
        enable_irq(before)
        if missed:
            each.closed = level
            device.edge(each.source, bool(level), now)

    def _at_start(self, source: int, closed: bool, _) -> None:
        self.closed[source] = closed
