"""Ci over a distance, and K for the hard side (fiim 8.6, 8.7; wma 6.7; rules page, readings 11, 12, 18).

Fractions throughout: a third of a point stays a third in every sum, and is rounded only where it is shown.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from math import floor

from controller.game.outcome import Winner
from controller.scoring.standings.game import GameCard, Showing
from controller.scoring.standings.tournament import Coefficient, Compensation


def distances(games: Sequence[GameCard], rule: Compensation) -> list[list[GameCard]]:
    """The games over which deaths are counted together.

    fiim 8.6: everything before the final. wma 6.7: each run of stages with the same players is one distance.
    """
    counted = [game for game in games if rule.final_counts or not game.final]
    if not rule.by_stage:
        return [counted]
    stages: dict[str, list[GameCard]] = {}
    for game in counted:
        stages.setdefault(game.stage.strip().casefold(), []).append(game)
    found: list[tuple[frozenset[str], list[GameCard]]] = []
    for stage in stages.values():
        players = frozenset(showing.name for game in stage for showing in game.showings)
        if found and found[-1][0] == players:
            found[-1][1].extend(stage)
        else:
            found.append((players, list(stage)))
    return [stage for _, stage in found]


def base(games: int, share: Fraction) -> int:
    """B: the share of the games, rounded half up, never below 1."""
    return max(1, floor(games * share + Fraction(1, 2)))


def ci(deaths: int, games: int, rule: Compensation) -> tuple[Fraction, Fraction]:
    """What is paid in a lost and in a won game, for so many deaths over so many games."""
    whole = rule.full * deaths / base(games, rule.share)
    return min(whole * rule.lost, rule.lost_cap), min(whole * rule.won, rule.won_cap)


def compensations(
    games: Sequence[GameCard], name: str, rule: Compensation, mates: Collection[str] = ()
) -> list[tuple[GameCard, Fraction, int, int]]:
    """Each game that pays `name` compensation: how much, with the deaths and the games it was counted from.

    `mates` are the others of the team, whose deaths and games are counted with the player's own.
    """
    paid: list[tuple[GameCard, Fraction, int, int]] = []
    for distance in distances(games, rule):
        counted = [
            (game, showing)
            for game in distance
            for showing in game.showings
            if showing.name == name or showing.name in mates
        ]
        played = len({id(game) for game, _ in counted})
        shot = [(game, showing) for game, showing in counted if _counts(showing)]
        lost, won = ci(len(shot), played, rule)
        for game, showing in shot:
            amount = lost if showing.lost else won if showing.won else Fraction(0)
            if showing.name == name and amount and (showing.black_named or not rule.needs_black_named):
                paid.append((game, amount, len(shot), played))
    return paid


def _counts(showing: Showing) -> bool:
    return showing.first_night and showing.red


def hard_side(games: Iterable[GameCard], players: int, rule: Coefficient) -> tuple[Winner | None, Fraction]:
    """The side that won less often, and what its wins are worth; None where both won as often, or too many play."""
    played = [game for game in games if not game.annulled and game.winner is not None]
    won = {side: sum(1 for game in played if game.winner is side) for side in (Winner.RED, Winner.BLACK)}
    if players > rule.most_players or won[Winner.RED] == won[Winner.BLACK]:
        return None, Fraction(1)
    side = min(won, key=lambda side: won[side])
    half = Fraction(len(played), 2)
    return side, 1 + (half - won[side]) / half
