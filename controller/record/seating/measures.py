"""How even a schedule is: how often each player has each seat and meets each opponent."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from controller.record.seating.plan import SEATS, Plan


@dataclass(frozen=True, slots=True)
class Spread:
    """How often something happens: `counts` says for each number of times how many there are with it."""

    counts: tuple[tuple[int, int], ...]

    @property
    def least(self) -> int:
        """The rarest."""
        return self.counts[0][0]

    @property
    def most(self) -> int:
        """The most frequent."""
        return self.counts[-1][0]

    @property
    def width(self) -> int:
        """How far apart they are; 0 or 1 cannot be bettered."""
        return self.most - self.least

    @property
    def mean(self) -> float:
        """How often on the average."""
        return sum(times * many for times, many in self.counts) / sum(many for _, many in self.counts)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        mean, total = self.mean, sum(many for _, many in self.counts)
        return (sum(many * (times - mean) ** 2 for times, many in self.counts) / total) ** 0.5


def _spread(values: Iterable[int]) -> Spread:
    return Spread(tuple(sorted(Counter(values).items())))


@dataclass(frozen=True, slots=True)
class Measures:
    """The spread of seats over players and of meetings over pairs."""

    seats: Spread
    meetings: Spread
    games: Spread


def measure(plan: Plan) -> Measures:
    """Counts every player with every seat, and every pair of players."""
    seats: Counter[tuple[int, int]] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    played: Counter[int] = Counter()
    for game in plan.games:
        seats.update((player, seat) for seat, player in enumerate(game.players))
        pairs.update(combinations(sorted(game.players), 2))
        played.update(game.players)
    players = range(len(plan.names))
    return Measures(
        _spread(seats[player, seat] for player in players for seat in range(SEATS)),
        _spread(pairs[pair] for pair in combinations(players, 2)),
        _spread(played[player] for player in players),
    )
