"""PINs: kept as scrypt hashes, tried a few times, then not for a while.

Wrong tries are counted for whoever made them: one device, one invitation, one address. Nobody can lock out another.
"""

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

LEAST_DIGITS: Final = 6
MOST_DIGITS: Final = 12
TRIES: Final = 5
FIRST_WAIT_S: Final = 30.0
LONGEST_WAIT_S: Final = 900.0
_COUNTED: Final = 4096
# 16 MB and a twentieth of a second on a PC, a fifth on a Pi.
_N: Final = 2**14
_R: Final = 8
_P: Final = 1


def new_pin() -> str:
    """A PIN that nobody has chosen."""
    return f"{secrets.randbelow(10**LEAST_DIGITS):0{LEAST_DIGITS}}"


def is_pin(text: str) -> bool:
    """Whether `text` can be a PIN: six to twelve digits."""
    return text.isascii() and text.isdecimal() and LEAST_DIGITS <= len(text) <= MOST_DIGITS


def hashed(pin: str) -> str:
    """What is kept of `pin`: salt and scrypt hash. Takes a noticeable while, on purpose."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}:{_scrypt(pin, salt).hex()}"


def fits(pin: str, kept: str) -> bool:
    """Whether `kept` is of `pin`. Takes a noticeable while, on purpose."""
    salt, _, rest = kept.partition(":")
    try:
        return is_pin(pin) and compare_digest(_scrypt(pin, bytes.fromhex(salt)), bytes.fromhex(rest))
    except ValueError:
        return False


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_N, r=_R, p=_P, maxmem=64 * 1024 * 1024)


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    lockouts: int = 0
    free_at: float = 0.0


class Tries:
    """Who has tried how often. After five wrong ones in a row a wait, each twice as long as the one before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._counts: OrderedDict[str, _Count] = OrderedDict()

    def wait(self, who: str) -> float:
        """Seconds until `who` may try again; 0: now."""
        count = self._counts.get(who)
        return 0.0 if count is None else max(0.0, count.free_at - self._clock())

    def begin(self, who: str) -> None:
        """`who` tries: it counts as wrong until `right` is said, so that many tries at once are many tries."""
        count = self._counts.setdefault(who, _Count())
        self._counts.move_to_end(who)
        count.wrong += 1
        if count.wrong >= TRIES:
            count.free_at = self._clock() + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**count.lockouts)
            count.lockouts += 1
            count.wrong = 0
        while len(self._counts) > _COUNTED:
            self._counts.popitem(last=False)

    def right(self, who: str) -> None:
        """It was right."""
        self._counts.pop(who, None)
