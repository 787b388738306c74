"""The judge's board: the one table of its keys. What a key does in a given phase is the table's business."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SEAT_KEYS_ON_BOARD: Final = 10

BOARD_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "next": "The next step that the game offers now.",
        "back": "Undo: takes back the last decision with all that followed from it.",
        "timer": "Starts, pauses or resumes the running timer.",
        "vote": "Opens the vote window of the present candidate; pressed again, closes it.",
        "foul": "Begins a foul; the seat key that follows says whose.",
        "nominate": "Begins a nomination; the seat key that follows says who.",
        "remove": "Begins a removal; the seat key that follows says who, and a second touch confirms.",
        "night sound": "Night music on or off.",
        "undo": "The same as back: boards are labelled either way.",
    }
    | {
        f"board {seat}": f"Seat {seat}, as the object of the key pressed before."
        for seat in range(1, SEAT_KEYS_ON_BOARD + 1)
    }
)
"""Every key of the board and its meaning, in the order of the default wiring."""

_SEAT_OF: Final = {f"board {seat}": seat for seat in range(1, SEAT_KEYS_ON_BOARD + 1)}


def board_seat_of(key: str) -> int | None:
    """Return the seat that the board's key `key` names, or None for any other key."""
    return _SEAT_OF.get(key)
