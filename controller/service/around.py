"""What the service knows beside the table, gathered for the views: screens, the board's last refusal, points, who
plays at the simulated table."""

import asyncio
from collections.abc import Callable, Mapping
from decimal import Decimal

from controller.game.history import History
from controller.game.phases import Over
from controller.game.refusal import Refusal
from controller.scoring import SCORINGS, points_of_game, scoring_table
from controller.table.state import Cause, Snapshot, What
from controller.views.facts import Note, Surroundings


class Takeover:
    """Who moves the simulated table: the autoplay, or a person who has taken over."""

    def __init__(self) -> None:
        self.person = False
        self.changed = asyncio.Event()
        """Set at every change; whoever waits for it clears it."""

    def give(self, *, person: bool) -> None:
        """Hands the simulated table to a person, or back."""
        self.person = person
        self.changed.set()


class Around:
    """Everything around one table."""

    def __init__(
        self,
        takeover: Takeover,
        *,
        simulated: bool,
        keys: tuple[str, ...] = (),
        notes: Callable[[], tuple[Note, ...]] = tuple,
    ) -> None:
        """`notes` gives what the checklist has to say of settings and devices."""
        self._notes = notes
        self._takeover = takeover
        self._simulated = simulated
        self._keys = keys
        self._board_refused: Refusal | None = None
        self._points: tuple[History, Mapping[int, str]] | None = None

    def hear(self, _: Snapshot, cause: Cause) -> None:
        """Something has happened at the table: a press of the board that did nothing is kept till something is done."""
        match cause.what:
            case What.REFUSED:
                self._board_refused = cause.refusal
            case What.DECISION:
                self._board_refused = None
            case _:
                pass

    def now(self, snapshot: Snapshot, screens: Mapping[str, int]) -> Surroundings:
        """What there is to know beside `snapshot`; `screens` counts those of each audience."""
        return Surroundings(
            simulated=self._simulated,
            person=self._takeover.person,
            keys=self._keys,
            board_refused=self._board_refused,
            points=self._points_of(snapshot),
            notes=self._notes(),
            screens=dict(screens),
        )

    def _points_of(self, snapshot: Snapshot) -> Mapping[int, str]:
        """Points as decimals in shortest form, once the game is over and if its ruleset has a scoring of its own."""
        state = snapshot.state
        if not isinstance(state.phase, Over) or state.rules.name not in SCORINGS:
            return {}
        if self._points is None or self._points[0] is not snapshot.history:
            rows = points_of_game(state, scoring_table(state.rules.name, snapshot.header.stage))
            self._points = (snapshot.history, {seat: _shortest(row.total) for seat, row in rows.items()})
        return self._points[1]


def _shortest(points: Decimal) -> str:
    return format(points.normalize(), "f") if points else "0"
