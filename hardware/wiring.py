"""Which input of a device is which key. A wiring is data: the index is the input's number on the device."""

from typing import Final

from hardware.board import BOARD_KEYS
from hardware.signal import HAND_KEYS

Wiring = tuple[str | None, ...]
"""The key of each input, or None for an input with nothing on it."""

TEN_SEATS_AND_BOARD: Final[Wiring] = (*HAND_KEYS[:10], *BOARD_KEYS)
"""Inputs 0 to 9 are the hands of seats 1 to 10, inputs 10 to 28 the board's keys in the order of `BOARD_KEYS`.
A lamp has the number of the input that it belongs to."""
