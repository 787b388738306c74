"""The notation's smallest parts: numbered lines, seats, times; and the fault that names a line.

What cannot be read is refused with a code, as in play: the sentence comes from the catalogue.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from controller.game.refusal import Refusal, refuse
from controller.scoring.decimals import NUMBER, shortest

MICROSECONDS = 1_000_000
SEAT = re.compile(r"[0-9]{1,3}")


class Line(NamedTuple):
    """One line of a record without its comment; `number` counts from 1."""

    number: int
    text: str


class RecordFault(Exception):
    """A record that cannot be read or played: the line (None: the file as a whole) and the refusal.

    `ruleset` is whose clause the refusal cites; empty where no rules are known yet.
    """

    def __init__(self, line: int | None, refusal: Refusal, ruleset: str = "") -> None:
        super().__init__(line, refusal)
        self.line = line
        self.refusal = refusal
        self.ruleset = ruleset

    @property
    def clause(self) -> str:
        """The clause as it is cited, `fiim 4.4.9`; empty where there is none."""
        clause = self.refusal.clause or ""
        return f"{self.ruleset} {clause}" if self.ruleset and clause[:1].isdigit() else clause


def lines_of(text: str) -> tuple[Line, ...]:
    """All lines of `text`, without comments and the white space around. A comment alone is an empty line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(Line(number, line.partition("#")[0].strip()) for number, line in enumerate(lines, 1))


def seat_number(word: str, seats: int) -> int:
    """A seat of a table of `seats`.

    Raises Refused if it is no number or no seat of this table: 0 stands for the raise question inside the engine and
    may never come in from outside.
    """
    if not SEAT.fullmatch(word):
        raise refuse("seat_expected", word=word)
    number = int(word)
    if not 1 <= number <= seats:
        raise refuse("no_such_seat", seat=number, seats=seats)
    return number


def seat_numbers(words: Iterable[str], seats: int) -> tuple[int, ...]:
    """Seats in the order given."""
    return tuple([seat_number(word, seats) for word in words])


def microseconds(word: str) -> int:
    """Seconds with up to six decimals as microseconds; raises Refused."""
    if not NUMBER.fullmatch(word):
        raise refuse("time_expected", word=word)
    time = Decimal(word) * MICROSECONDS
    if time != time.to_integral_value():
        raise refuse("time_too_fine", word=word)
    return int(time)


def seconds(time: int) -> str:
    """Microseconds as seconds, exact and shortest: 350000 is `0.35`."""
    return shortest(Decimal(time) / MICROSECONDS)
