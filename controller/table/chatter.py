"""More edges than a hand can make: what a loose wire sends. It judges by the edges' own times and reads no clock."""

from collections import deque
from typing import Final

from controller.table.clock import SECOND

MOST_EDGES: Final = 24
"""Twelve touches a second: faster than anybody drums on a table."""
SPAN_NS: Final = 1 * SECOND


class Chatter:
    """The rate of edges, contact by contact."""

    def __init__(self) -> None:
        self._times: dict[str, deque[int]] = {}

    def edge(self, key: str, at: int) -> bool:
        """Take an edge of `key` at `at`, nanoseconds. Return whether the last second held more than a hand makes."""
        times = self._times.setdefault(key, deque(maxlen=MOST_EDGES + 1))
        times.append(at)
        return len(times) > MOST_EDGES and times[-1] - times[0] < SPAN_NS
