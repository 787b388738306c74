"""The USB cable, which MicroPython gives as standard input and output. Ctrl-C is a byte like any other here."""

import select
import sys

import micropython

from hardware.debounce import since

MOST_READ = 128  # bytes in one turn of the loop
PIECE = 64  # of what is written: one USB packet
LONG_AGO_US = 1000000
MODULUS = 1 << 30


class Leave(Exception):
    """Somebody wants the prompt: a tool that copies files asks for it with a carriage return and Ctrl-C."""


class Port:
    """Bytes in, bytes out, and neither ever waits for the other side."""

    def __init__(self) -> None:
        micropython.kbd_intr(-1)
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)
        self._tail = bytearray()
        self._heard_at = 0

    def read(self, tick: int, linked: bool) -> bytes:
        """Return what has arrived. Raise Leave if that asks for the prompt, which nobody may while `linked`."""
        data = bytearray()
        # Only the first byte of a standard input can be had without waiting for more.
        while len(data) < MOST_READ and self._readable.poll(0):
            if not self._in.readinto(self._byte):
                break
            data.extend(self._byte)
            if not linked:
                self._look_for_leave(tick)
        return bytes(data)

    def write(self, data: bytes) -> None:
        """Send `data`; what the cable does not take is dropped."""
        for start in range(0, len(data), PIECE):
            if not self._writable.poll(0):
                return
            self._out.write(data[start : start + PIECE])

    def close(self) -> None:
        """Make Ctrl-C what it is at a prompt."""
        micropython.kbd_intr(3)

    def _look_for_leave(self, tick: int) -> None:
        # After a pause or a frame's end: no frame of ours begins like this (an ACK of more than 16 million edges).
        if self._byte[0] == 0 or since(tick, self._heard_at, MODULUS) > LONG_AGO_US:
            self._tail = bytearray()
        self._heard_at = tick
        if self._byte[0] and len(self._tail) < 3:
            self._tail.extend(self._byte)
        if self._tail == b"\r\x03":
            raise Leave
