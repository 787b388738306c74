"""Points are exact decimals with two places; here they are read from text and written back (rules page, reading 18)."""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

from controller.game.refusal import Refused, refuse

ZERO = Decimal(0)
NUMBER = re.compile(r"[+-]?[0-9]{1,6}(\.[0-9]+)?")
FORM = "3:0.4,2:0.25"


def points(word: str) -> Decimal:
    """Points with a sign, two decimals at most; raises Refused."""
    if not NUMBER.fullmatch(word):
        raise refuse("points_expected", word=word)
    value = Decimal(word)
    if value != value.quantize(Decimal("0.01")):
        raise refuse("points_too_fine", word=word)
    return value


def shortest(value: Decimal) -> str:
    """A decimal exactly and as short as it can be written: `1`, `0.7`, `-0.5`, `0`."""
    return format(value.normalize(), "f") if value else "0"


def best_move_values(text: str) -> Mapping[int, Decimal]:
    """A tournament's own points for so many black ones named, from `3:0.4,2:0.25`; empty text gives none (reading 10).

    Raises Refused if it has another form.
    """
    found: dict[int, Decimal] = {}
    for pair in text.split(",") if text else ():
        named, _, value = pair.strip().partition(":")
        try:
            worth = points(value.strip())
        except Refused:
            raise refuse("option_value", value=text, wanted=FORM) from None
        if named not in ("1", "2", "3") or int(named) in found or worth < 0:
            raise refuse("option_value", value=text, wanted=FORM)
        found[int(named)] = worth
    return MappingProxyType(found)
