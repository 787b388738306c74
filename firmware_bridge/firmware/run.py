"""The loop: the tick first, then raw edges, the host's bytes, what is due, the lamps. It always answers a HELLO, and
if only to say what is wrong."""

import binascii
import gc
import os
import sys
from time import sleep_us, ticks_us

import machine
import micropython

from firmware_bridge import frames
from firmware_bridge.device import Device
from firmware_bridge.firmware.build import PINS, build_of
from firmware_bridge.firmware.contacts import Contacts
from firmware_bridge.firmware.lamps import Lamps
from firmware_bridge.firmware.pins import PinsError, read_pins
from firmware_bridge.firmware.port import Leave, Port
from hardware.debounce import since

TICK_BITS = 30
WATCHDOG_MS = 2000  # a write that nobody reads may take half a second
REST_US = 300  # between two turns
BROKEN_FOR_US = 3000000  # how long a program that broke off says so before it starts anew
LONGEST_TEXT = 150


class Table:
    """The device as a whole."""

    def __init__(self, port: Port, build: str, name: str) -> None:
        """Raise PinsError if the pins are not as they should be."""
        pins = read_pins(PINS)
        self._port = port
        self._contacts = Contacts(pins)
        self._lamps = Lamps(pins)
        boot = int.from_bytes(os.urandom(4), "little") or 1
        self._device = Device("table", build, name, boot, self._contacts.closed, ticks_us(), TICK_BITS)
        self._watchdog = None

    def turn(self) -> None:
        """Go once through the loop."""
        device = self._device
        now = ticks_us()
        self._contacts.feed(device, now)
        data = self._port.read(now, device.linked())
        if data:
            device.receive(data, ticks_us())
        device.advance(now)
        self._port.write(device.take())
        self._lamps.show(device.lamps, now)
        if self._watchdog:
            self._watchdog.feed()
        elif device.linked():
            # From the first table on, for it cannot be stopped again: before that, files may be copied in peace.
            self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def leave(self) -> None:
        """Give up the cable for the prompt."""
        if self._watchdog:
            machine.reset()


def complain(port: Port, build: str, name: str, text: str, longest_us: int) -> None:
    """Answer every HELLO with what is wrong, for `longest_us`, or for ever if that is 0."""
    decoder = frames.Decoder()
    text = text[:LONGEST_TEXT]
    number = 0
    began = ticks_us()
    while not longest_us or since(ticks_us(), began, 1 << TICK_BITS) < longest_us:
        for kind, _, _, _ in decoder.feed(port.read(ticks_us(), False)):
            if kind == frames.HELLO:
                port.write(frames.pack(frames.FAULT, number, 0, build, name, text))
                number += 1
        sleep_us(REST_US)


def main() -> None:
    """Serve the table until the power goes, or until somebody asks for the prompt."""
    if hasattr(micropython, "alloc_emergency_exception_buf"):
        micropython.alloc_emergency_exception_buf(100)
    port = Port()
    name = "pico-" + binascii.hexlify(machine.unique_id()).decode()
    build = build_of(lambda path: open(path, "rb"))
    table = None
    try:
        table = Table(port, build, name)
        gc.collect()
        while True:
            table.turn()
            sleep_us(REST_US)
    except Leave:
        if table:
            table.leave()
    except PinsError as error:
        try:
            complain(port, build, name, str(error), 0)
        except Leave:
            pass
    except Exception as error:
        try:
            complain(port, build, name, "the program broke off: %r" % (error,), BROKEN_FOR_US)
        except Leave:
            port.close()
            sys.exit()
        machine.reset()
    port.close()
