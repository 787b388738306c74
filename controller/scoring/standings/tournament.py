"""What a scoring adds up over a tournament: compensation, the hard side, the order of ties. Data, with clauses."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType


class TieBreak(StrEnum):
    """By what players with the same sum are put in order; more stands higher unless said otherwise."""

    EXTRA = "extra"
    """The sum of additional points, penalties included (fiim 8.8.1)."""
    GAINED = "gained"
    """The sum of awards, best move and compensation, without penalties (wma 6.6.1.1)."""
    FEWER_GAMES_GAINED_IN = "fewer_games_gained_in"
    """In how few games they were gained (wma 6.6.1.2)."""
    WINS = "wins"
    WINS_AS_DON_OR_SHERIFF = "wins_as_don_or_sheriff"
    WINS_AS_CIVILIAN = "wins_as_civilian"
    FIRST_NIGHT_DEATHS = "first_night_deaths"
    BEST_PLAYER = "best_player"
    """How often the judge named the player best (ukraine 8.5.2)."""
    LARGEST_GAIN = "largest_gain"
    """The largest additional points of one game (wma 6.6.1.5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compensation:
    """Ci: points for being shot in the first night as a red player, in the games where it happened.

    i of those deaths over a distance of so many games give `full` times i over B, B being `share` of the games
    (rules page, reading 11), and never more than the cap.
    """

    full: Fraction
    share: Fraction = Fraction(2, 5)
    lost: Fraction = Fraction(1)
    """What part of it is paid where red has lost."""
    lost_cap: Fraction
    won: Fraction = Fraction(0)
    """What part of it is paid where red has won."""
    won_cap: Fraction = Fraction(0)
    final_counts: bool = True
    """Whether the final is part of the distance."""
    by_stage: bool = False
    """Each stage is a distance of its own where its players change (wma 6.7)."""
    by_team: bool = False
    """A tournament's own: the deaths and the games of the whole team are counted, not the player's alone."""
    needs_black_named: bool = False
    """A tournament's own: paid only where the best move named a black player."""
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """K: a win of the side that wins less often is worth more, with few players (fiim 8.7)."""

    most_players: int
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """How one scoring adds up."""

    scoring: str
    compensation: Compensation | None = None
    coefficient: Coefficient | None = None
    ties: tuple[tuple[TieBreak, str], ...] = ()
    """In the order of the text, each with its clause; what is left after them is for the lot."""
    lot_clause: str = ""


TOURNAMENTS: Mapping[str, Tournament] = MappingProxyType(
    {
        "fiim": Tournament(
            scoring="fiim",
            compensation=Compensation(full=Fraction(2, 5), lost_cap=Fraction(2, 5), final_counts=False, clause="8.6"),
            coefficient=Coefficient(most_players=20, clause="8.7"),
            ties=(
                (TieBreak.EXTRA, "8.8.1"),
                (TieBreak.WINS, "8.8.2"),
                (TieBreak.WINS_AS_DON_OR_SHERIFF, "8.8.3"),
                (TieBreak.FIRST_NIGHT_DEATHS, "8.8.4"),
            ),
            lot_clause="8.8.5",
        ),
        "wma": Tournament(
            scoring="wma",
            compensation=Compensation(
                full=Fraction(1, 2),
                lost_cap=Fraction(1, 2),
                won=Fraction(1, 2),
                won_cap=Fraction(2, 5),
                by_stage=True,
                clause="6.7",
            ),
            ties=(
                (TieBreak.GAINED, "6.6.1.1"),
                (TieBreak.FEWER_GAMES_GAINED_IN, "6.6.1.2"),
                (TieBreak.WINS, "6.6.1.3"),
                (TieBreak.FIRST_NIGHT_DEATHS, "6.6.1.4"),
                (TieBreak.LARGEST_GAIN, "6.6.1.5"),
            ),
            lot_clause="6.6.1.6",
        ),
        "ukraine": Tournament(
            scoring="ukraine",
            ties=(
                (TieBreak.WINS, "8.5.1"),
                (TieBreak.BEST_PLAYER, "8.5.2"),
                (TieBreak.WINS_AS_CIVILIAN, "8.5.3"),
            ),
            lot_clause="8.5.4",
        ),
        "city": Tournament(scoring="city"),
        "club": Tournament(scoring="club"),
    }
)
"""city and club name no order for ties: the lot alone decides."""


def tournament_of(scoring: str) -> Tournament:
    """How `scoring` adds up; raises KeyError for an unknown one."""
    return TOURNAMENTS[scoring]
