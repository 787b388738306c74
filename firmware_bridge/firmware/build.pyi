"""The types of build.py, kept apart because MicroPython has no typing."""

from collections.abc import Callable
from typing import BinaryIO, Final

FILES: Final[tuple[str, ...]]
PINS: Final[str]
NOTHING: Final[str]

def build_of(open_file: Callable[[str], BinaryIO]) -> str: ...
