"""Lamps on pins of their own, or behind a chain of shift registers. A lamp has the number of its input."""

from machine import Pin

from firmware_bridge.frames import LAMP_BLINK, LAMP_OFF

BLINK_BIT = 18  # of the tick: on and off for 2^18 us, a quarter of a second


class Lamps:
    """All lamps of a device. They are driven only when something has changed."""

    def __init__(self, pins) -> None:
        self._pins = [(lamp, Pin(pin, Pin.OUT, value=0)) for lamp, pin in pins.lamp_pins]
        self._chained = pins.chained
        self._chain = [Pin(pin, Pin.OUT, value=0) for pin in pins.chain] if pins.chain else None
        self._shown = None
        self._phase = 0
        self._clear()

    def show(self, states, tick: int) -> None:
        """Drive every lamp to its state in `states`, by the lamp's number."""
        phase = (tick >> BLINK_BIT) & 1
        if states == self._shown and phase == self._phase:
            return
        self._shown = bytes(states)
        self._phase = phase
        for lamp, pin in self._pins:
            pin.value(self._lit(lamp))
        if self._chain:
            self._shift([self._lit(lamp) for lamp in self._chained])

    def _lit(self, lamp: int) -> int:
        state = self._shown[lamp]
        return self._phase if state == LAMP_BLINK else int(state != LAMP_OFF)

    def _clear(self) -> None:
        """A register wakes with anything in it."""
        if self._chain:
            self._shift([0] * len(self._chained))

    def _shift(self, bits) -> None:
        data, clock, latch = self._chain
        # The first lamp is the first output of the first register: it goes out last. Registers are full.
        for bit in reversed(bits + [0] * (-len(bits) % 8)):
            data.value(bit)
            clock.value(1)
            clock.value(0)
        latch.value(1)
        latch.value(0)
