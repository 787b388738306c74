"""The draw of seats for one game (fiim 4.1.1: by chance, immediately before the game; ukraine 4.1.1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.record.seating.chance import ALGORITHM, Chance


@dataclass(frozen=True, slots=True)
class Draw:
    """Who sits at seat 1, 2, ..., with the seed and the algorithm that anybody can repeat it with."""

    seats: tuple[str, ...]
    seed: str
    algorithm: str = ALGORITHM


def draw(names: Sequence[str], seed: str) -> Draw:
    """Seats for `names` as they come from `seed`; the order in which the names are given does not matter.

    Raises ValueError if a name stands there twice.
    """
    if len(set(names)) != len(names):
        raise ValueError("a name is there twice")
    return Draw(tuple(Chance(seed).shuffled(sorted(names))), seed)
