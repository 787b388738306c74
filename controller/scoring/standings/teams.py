"""Teams: the same numbers, added up by team."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from controller.scoring.standings.table import Row, Standings, lot


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """One team's place, with its players' rows, the best first."""

    place: int
    team: str
    total: Fraction
    wins: int
    members: tuple[Row, ...]


def team_standings(table: Standings, teams: Mapping[str, str], *, counted: int = 0) -> tuple[TeamRow, ...]:
    """The teams in order of their sums, then of wins, then by the lot.

    `teams` gives each player's team; a player without one is in none. `counted`: only so many of a team's best count;
    0: all.
    """
    members: dict[str, list[Row]] = {}
    for row in table.rows:
        if row.name in teams:
            members.setdefault(teams[row.name], []).append(row)
    sums: list[tuple[Fraction, int, str, tuple[Row, ...]]] = []
    for team, rows in members.items():
        counting = rows[:counted] if counted else rows
        sums.append(
            (sum((row.total for row in counting), Fraction(0)), sum(row.wins for row in rows), team, tuple(rows))
        )
    sums.sort(key=lambda item: (-item[0], -item[1], lot(table.seed, item[2])))
    return tuple(
        TeamRow(place=place, team=team, total=total, wins=wins, members=rows)
        for place, (total, wins, team, rows) in enumerate(sums, 1)
    )
