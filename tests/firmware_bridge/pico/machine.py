"""A stand-in for a Pico's `machine`, for MicroPython's Unix port.

What happens to the pins comes on descriptor PICO_CONTROL in records of 16 bytes: kind, a, b, c, four spare, and a time
in microseconds of the machine's monotonic clock. Records come before their time; the edge then happens at it: the
handler runs at the first chance after that, with a counter that shows the edge's own time and the interrupt's latency,
and with the heap locked, as MicroPython has it in a hard interrupt. What the board does goes to PICO_TOLD as lines.

    E pin level     a contact's pin goes to a level
    K column row closed    a key of a matrix connects two pins
    Q pin level     the same, and no interrupt comes of it
    T               lockstep: this is the time now, and nothing will happen before it that has not been said

With PICO_LOCKSTEP the clock stands until T moves it, and every rest of the program's loop is told as D.
"""

import os
import select
import struct
import sys

import micropython
import utime

MODULUS = 1 << 30
LOCKSTEP = bool(os.getenv("PICO_LOCKSTEP"))
ZERO = int(os.getenv("PICO_ZERO") or 0)
DRIFT_PPM = int(os.getenv("PICO_DRIFT_PPM") or 0)
START = int(os.getenv("PICO_START") or 0)
LATENCY_US = int(os.getenv("PICO_LATENCY_US") or 0)  # the longest; the shortest is a tenth

WATCHDOG_BIT, RESET, ALLOCATED = 42, 43, 44  # exit codes

_control = open(int(os.getenv("PICO_CONTROL")), "rb")
_told = open(int(os.getenv("PICO_TOLD")), "wb")
_record = bytearray(16)
_readable = select.poll()
_readable.register(_control, select.POLLIN | select.POLLHUP)
_due = []  # (time, kind, a, b, c), soonest last
_now = ZERO
_in_handler = False
_interrupts = True
_raised = []
_keys = {}  # (column, row): whether the key closes
for _key in (os.getenv("PICO_KEYS") or "").split():
    _keys[tuple([int(pin) for pin in _key.split("=")])] = 1
_pins = {}
_watchdog = None
_latency = 0


def tell(line):
    _told.write(line + b"\n")


def _take_record():
    """Read one record. Return True if it was T."""
    global _now
    if _control.readinto(_record) != 16:
        sys.exit(0)
    kind, a, b, c, at = struct.unpack("<BBBBxxxxq", _record)
    if kind == ord("T"):
        _now = at
        return True
    place = len(_due)
    while place and _due[place - 1][0] <= at:
        place -= 1
    _due.insert(place, (at, kind, a, b, c))
    return False


def _monotonic():
    return _now if LOCKSTEP else utime.ticks_us()


def _tick_at(monotonic):
    elapsed = monotonic - ZERO
    return (START + elapsed + elapsed * DRIFT_PPM // 1000000) % MODULUS


def _happen():
    """Let everything happen that is due."""
    global _now
    if _in_handler:
        return
    if not LOCKSTEP:
        while _readable.poll(0):
            _take_record()
    now = _monotonic()
    while _due and _due[-1][0] <= now:
        at, kind, a, b, c = _due.pop()
        if kind == ord("E"):
            _pins[a]._drive(b, at)
        elif kind == ord("Q"):
            _pins[a]._level = b
        else:
            _keys[a, b] = c
            _pins[b]._drive(_row_level(b), at)
    if _watchdog and now - _watchdog.fed > _watchdog.timeout_us:
        tell(b"W")
        sys.exit(WATCHDOG_BIT)


def _row_level(row):
    for (column, other), closed in _keys.items():
        if other == row and closed and column in _pins and not _pins[column]._level:
            return 0
    return 1


_frozen = 0
_stamped = 0


def ticks_us():
    if _in_handler:
        return _frozen
    _happen()
    return _tick_at(_monotonic())


def sleep_us(duration):
    if duration < 100:
        return  # a settling time: nothing moves in it here
    _happen()
    if LOCKSTEP:
        tell(b"D")
        while not _take_record():
            pass
    else:
        utime.sleep_us(duration)


def disable_irq():
    global _interrupts
    before = _interrupts
    _interrupts = False
    return before


def enable_irq(before):
    global _interrupts
    _interrupts = before
    if before:
        while _raised:
            pin = _raised.pop(0)
            pin._interrupt(_monotonic())


def unique_id():
    return b"\xe6\x60" + (os.getenv("PICO_ID") or "test").encode()


def reset():
    tell(b"R")
    sys.exit(RESET)


class WDT:
    def __init__(self, timeout):
        global _watchdog
        self.timeout_us = timeout * 1000
        self.feed()
        _watchdog = self
        tell(b"G")

    def feed(self):
        self.fed = _monotonic()


class Pin:
    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __new__(cls, number, *_, **__):
        if number not in _pins:
            _pins[number] = object.__new__(cls)
            _pins[number]._level = None
        return _pins[number]

    def __init__(self, number, mode, pull=None, value=None):
        self._number = number
        self._mode = mode
        self._handler = None
        if mode == Pin.IN:
            if self._level is None:
                self._level = 1 if pull == Pin.PULL_UP else 0
            for level in (os.getenv("PICO_LEVELS") or "").split():
                pin, said = level.split("=")
                if int(pin) == number:
                    self._level = int(said)
            if number in [row for (column, row) in _keys]:
                self._level = _row_level(number)
        else:
            self._level = value
            for row in [row for (column, row) in _keys if column == number and row in _pins]:
                _pins[row]._level = _row_level(row)

    def irq(self, handler, trigger, hard):
        assert hard and trigger == Pin.IRQ_FALLING | Pin.IRQ_RISING
        self._handler = handler

    def value(self, level=None):
        # Read inside handlers: no comprehension here, its closure would be on the heap.
        if level is None:
            return self._level
        if level != self._level:
            self._write(level)

    def _write(self, level):
        self._level = level
        if self._mode == Pin.OUT:
            tell(b"P %d %d" % (self._number, level))
        else:
            for row in [row for (column, row) in _keys if column == self._number and row in _pins]:
                _pins[row]._drive(_row_level(row), _monotonic())

    def _drive(self, level, at):
        if level != self._level:
            self._level = level
            if self._handler:
                if _interrupts:
                    self._interrupt(at)
                elif self not in _raised:
                    _raised.append(self)

    def _interrupt(self, at):
        global _in_handler, _frozen, _latency, _stamped
        late = 0
        if LATENCY_US:
            _latency = (_latency * 1103515245 + 12345) & 0x7FFFFFFF
            late = LATENCY_US // 10 + (_latency >> 8) % (LATENCY_US * 9 // 10)
        _stamped = max(_stamped, at + late)  # one interrupt at a time
        _frozen = _tick_at(_stamped)
        _in_handler = True
        micropython.heap_lock()
        try:
            self._handler(self)
        except Exception as error:
            micropython.heap_unlock()
            sys.print_exception(error, sys.stderr)
            sys.exit(ALLOCATED)
        micropython.heap_unlock()
        _in_handler = False
