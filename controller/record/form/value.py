"""The form as a value: everything that stands on the paper, as text, in the order it stands there.

Whoever draws it decides nothing: no words, no sums, no order.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """A label and what is written beside it; empty: room for the pen."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One player's line."""

    number: int
    name: str
    role: str
    """The letter (fiim 9.4.1)."""
    fouls: tuple[str, ...]
    """When each was given: `Д2`."""
    warnings: str
    left: str
    points: str
    """Team and disqualification (fiim 9.8)."""
    extra: str
    """The judge's and the best move's (fiim 9.9)."""
    total: str


@dataclass(frozen=True, slots=True)
class BestMoveBox:
    """Who was shot in the first night, and his three; `dash`: there was a miss (fiim 9.6)."""

    seat: str
    numbers: tuple[str, ...]
    dash: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A nominee, and who nominated him."""

    seat: str
    by: str


@dataclass(frozen=True, slots=True)
class Tally:
    """The hands against one candidate: how many, and whose; in brackets those that fell to the last (fiim 4.4.9)."""

    count: str
    hands: str


@dataclass(frozen=True, slots=True)
class Round:
    """A ballot, a revote or the raise question: a tally under each of the day's candidates, None where he is not in it.

    The raise question has one tally alone.
    """

    label: str
    tallies: tuple[Tally | None, ...]
    whole: bool
    """Whether the one tally stands for all candidates."""


@dataclass(frozen=True, slots=True)
class DaySheet:
    """A day's nominations and votes, and what came of them."""

    title: str
    candidates: tuple[Candidate, ...]
    rounds: tuple[Round, ...]
    result: str


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night: one cell for each of the form's `night_columns`."""

    title: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolForm:
    """One game's form."""

    language: str
    title: str
    subtitle: str
    """Which rules, and which scoring."""
    blank: bool
    """Made for the pen: grids are drawn where nothing stands."""
    words: Mapping[str, str]
    """The form's own labels by name."""
    head: tuple[Field, ...]
    legend: str
    """What the letters mean."""
    seats: tuple[SeatRow, ...]
    with_warnings: bool
    best_move: BestMoveBox | None
    """None: the ruleset has none."""
    winner: Field
    reason: str
    days: tuple[DaySheet, ...]
    night_columns: tuple[str, ...]
    nights: tuple[NightLine, ...]
    remarks: tuple[str, ...]
    protests: tuple[Field, ...] | None
    """Who protests and why; None: the ruleset takes no protests (ukraine 8.6)."""
    protest_hint: str
    signatures: tuple[Field, ...]


def as_json(form: ProtocolForm) -> str:
    """The form for a browser page, and for the template of the PDF."""
    return json.dumps(asdict(form), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class PositionSeat:
    """One player's line on the sheet of a position; `out` is empty for one who plays."""

    number: int
    name: str
    role: str
    fouls: int
    out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSheet:
    """Where a game stands, for the judge who goes on with pen and paper."""

    language: str
    title: str
    warning: str
    """That the cards are on it."""
    now: str
    phrase: str
    """What the judge says now."""
    standing: tuple[str, ...]
    """The clock, the nominees, the votes of the ballot so far."""
    columns: tuple[str, ...]
    seats: tuple[PositionSeat, ...]
    last_title: str
    last: tuple[str, ...]
    """The last decisions."""
