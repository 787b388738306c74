"""Every hand on the table as its sensor saw it: edges in, touches of a window out. It judges nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.game.ballot import Touch
from controller.table.clock import MICROSECOND, SECOND

KEPT_NS = 1800 * SECOND
"""Longer than any ballot: what is older cannot belong to a window any more."""


@dataclass(slots=True)
class _Rest:
    """One hand on the table, nanoseconds."""

    down: int
    up: int | None = None
    cut: int | None = None
    """When its device started anew: since then nobody knows whether it still rests."""


class Hands:
    """What the sensors of all seats have told, newest last."""

    def __init__(self) -> None:
        self._rests: dict[int, list[_Rest]] = {}

    def edge(self, seat: int, at: int, *, down: bool) -> None:
        """A hand of `seat` came down or left at `at`."""
        rests = self._rests.setdefault(seat, [])
        open_rest = rests[-1] if rests and rests[-1].up is None and rests[-1].cut is None else None
        if down:
            if open_rest is not None:
                open_rest.cut = at  # its leaving was lost; that it left is certain
            rests.append(_Rest(at))
            while rests[0].down < at - KEPT_NS:
                del rests[0]
        elif open_rest is not None:
            # A press that was never seen (closed at start) leaves nothing to end.
            open_rest.up = at

    def forget_levels(self, seats: Iterable[int], at: int) -> None:
        """The device of `seats` has started anew: none of them is known to be down any more."""
        for seat in seats:
            for rest in self._rests.get(seat, ())[-1:]:
                if rest.up is None and rest.cut is None:
                    rest.cut = at

    def is_down(self, seat: int) -> bool:
        """Whether a hand of `seat` rests now."""
        rests = self._rests.get(seat)
        return bool(rests) and rests[-1].up is None and rests[-1].cut is None

    def was_cut(self, seat: int, since: int) -> bool:
        """Whether a hand of `seat` rested, `since` or later, of which nobody knows when it left."""
        return any(rest.cut is not None and rest.up is None and rest.cut > since for rest in self._rests.get(seat, ()))

    def touches(self, seats: Iterable[int], since: int, opened: int) -> tuple[Touch, ...]:
        """All touches of `seats` that were on the table at `since` or after, in microseconds from `opened`."""
        found = [
            Touch(seat, _micro(rest.down - opened), None if rest.up is None else _micro(rest.up - opened))
            for seat in seats
            for rest in self._rests.get(seat, ())
            if (rest.up is None or rest.up >= since) and (rest.cut is None or rest.cut > opened)
        ]
        return tuple(sorted(found, key=lambda touch: (touch.down, touch.seat)))


def _micro(nanoseconds: int) -> int:
    return nanoseconds // MICROSECOND
