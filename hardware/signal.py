"""A signal: one press or release of one contact, dated on the table's clock. The standard library alone."""

from dataclasses import dataclass
from typing import Final

MOST_SEATS: Final = 20

HAND_KEYS: Final = tuple(f"seat {seat}" for seat in range(1, MOST_SEATS + 1))
"""The key of each seat's hand sensor, seat 1 first."""

_SEAT_OF: Final = {key: seat for seat, key in enumerate(HAND_KEYS, start=1)}


@dataclass(frozen=True, slots=True)
class Signal:
    """One settled transition of a contact.

    `source` is the device's id ("table-1", "gpio", "sim-1"). `key` is "seat 1" to "seat 20" for a hand,
    or a name from `hardware.board.BOARD_KEYS`. `down` is True for a press or a hand that rests.
    `at` is nanoseconds in the domain of the host's `time.monotonic_ns()`: when it happened, not when it arrived.
    """

    source: str
    key: str
    down: bool
    at: int


def seat_of(key: str) -> int | None:
    """Return the seat whose hand sensor `key` is, or None for any other key."""
    return _SEAT_OF.get(key)
