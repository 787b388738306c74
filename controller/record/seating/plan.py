"""A schedule as a value: which game is played when and where, and who sits at which seat."""

from collections.abc import Mapping
from dataclasses import dataclass

SEATS = 10


class PlanFault(Exception):
    """A schedule that cannot be made as it was asked for; the sentence is the catalogue's `exchange.CODE`."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Mapping[str, str | int] = params


@dataclass(frozen=True, slots=True)
class TableGame:
    """One game: `players` are indices into the plan's names, seat 1 first."""

    round: int
    table: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament's schedule, with the seed and the algorithm it was made with."""

    names: tuple[str, ...]
    games: tuple[TableGame, ...]
    per_player: int
    tables: int
    seed: str
    algorithm: str

    def seated(self, game: TableGame) -> tuple[str, ...]:
        """The names at `game`, seat 1 first."""
        return tuple(self.names[player] for player in game.players)
