"""On-air views of the sample final, and small changes of one."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from controller.table.state import Snapshot
from controller.views.air import air_view
from controller.views.facts import Surroundings
from controller.views.messages import AirView
from tests.views.course import Course, sample_game


def air(snapshot: Snapshot) -> AirView:
    """The on-air view, with nothing around it."""
    return air_view(snapshot, Surroundings())


def dealt() -> AirView:
    """After the deal."""
    return air(list(Course().deal())[-1])


def during(kind: str, view: AirView | None = None, **phase: Any) -> AirView:
    """The same table in another phase."""
    view = view or dealt()
    fields: dict[str, Any] = {"round": 1, "day": kind != "night", "step": None, "seat": None, "speech": None}
    return replace(view, phase=replace(view.phase, kind=kind, **{**fields, **phase}))


def speaking(seat: int, view: AirView | None = None, speech: str = "minute") -> AirView:
    """`seat` has the word."""
    return during("speech", view, seat=seat, speech=speech)


def with_seat(view: AirView, number: int, **fields: Any) -> AirView:
    """The same with one seat changed."""
    seats = tuple(replace(one, **fields) if one.seat == number else one for one in view.seats)
    return replace(view, seats=seats)


def whole_game() -> Iterator[tuple[Snapshot, AirView]]:
    """The sample final."""
    for snapshot in sample_game():
        yield snapshot, air(snapshot)
