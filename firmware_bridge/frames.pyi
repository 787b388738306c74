"""The types of frames.py, kept apart because MicroPython has no typing."""

from collections.abc import Iterable
from typing import Any, Final

PROTOCOL: Final[int]
HELLO: Final = 0x01
PING: Final = 0x02
ACK: Final = 0x03
LAMPS: Final = 0x04
IDENTITY: Final = 0x81
PONG: Final = 0x82
EDGE: Final = 0x83
SENT: Final = 0x84
STUCK: Final = 0x85
FAULT: Final = 0x86
MESSAGES: Final[tuple[tuple[int, str, str, tuple[tuple[str, str], ...]], ...]]
LAMP_OFF: Final = 0
LAMP_ON: Final = 1
LAMP_BLINK: Final = 2
MOST_INPUTS: Final[int]
MOST_EDGES: Final[int]
LONGEST: Final[int]

Message = tuple[int, int, int, list[Any]]
"""Type, number, boot id, and the values in the order of MESSAGES."""

def crc16(data: bytes) -> int: ...
def cobs_encode(data: bytes) -> bytes: ...
def cobs_decode(data: bytes) -> bytes | None: ...
def pack(
    kind: int, number: int, boot: int, *values: int | str | bytes | bytearray | Iterable[tuple[int, bool, int]]
) -> bytes: ...
def unpack(body: bytes) -> Message | None: ...

class Decoder:
    damaged: int
    _part: bytearray
    def feed(self, data: bytes) -> list[Message]: ...
