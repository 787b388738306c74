"""Chance that can be checked: numbers from a seed by SHA-256, the same on every machine and in every Python.

The bytes are SHA-256 of `SEED/0`, `SEED/1`, ... (UTF-8), one after another. A number below k is the next four bytes
(big-endian); one that is not below the largest multiple of k is thrown away, so that every number is equally likely.
A shuffle is Fisher and Yates's, from the last place to the second.
"""

import secrets
from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import sha256
from typing import Any, TypeVar

ALGORITHM = "SHA-256(seed/0, seed/1, ...), 4 bytes big-endian, rejection; Fisher-Yates from the last place"
WORD = 4
RANGE = 1 << (8 * WORD)

T = TypeVar("T")


def fresh_seed() -> str:
    """A seed nobody could know beforehand. It is printed with what is drawn from it."""
    return secrets.token_hex(8)


def _words(seed: str) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(f"{seed}/{block}".encode()).digest()
        for start in range(0, len(digest), WORD):
            yield int.from_bytes(digest[start : start + WORD], "big")
        block += 1


class Chance:
    """A stream of numbers from one seed."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._words = _words(seed)

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1, each as likely as any other."""
        fair = RANGE - RANGE % count
        while True:
            word = next(self._words)
            if word < fair:
                return word % count

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Puts `items` into a random order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """`items` in a random order."""
        copy = list(items)
        self.shuffle(copy)
        return copy
