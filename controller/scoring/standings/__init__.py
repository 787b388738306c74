"""The standings of a tournament: sums over its games, compensation, the hard side's coefficient, ties and the lot.

standings(games, tournament_of("fiim"), seed="...") gives every player's row with each number's game and clause.
"""

from controller.scoring.standings.game import GameCard, Showing, game_card
from controller.scoring.standings.table import Entry, Row, Standings, standings
from controller.scoring.standings.teams import TeamRow, team_standings
from controller.scoring.standings.tournament import TOURNAMENTS, TieBreak, Tournament, tournament_of

__all__ = [
    "TOURNAMENTS",
    "Entry",
    "GameCard",
    "Row",
    "Showing",
    "Standings",
    "TeamRow",
    "TieBreak",
    "Tournament",
    "game_card",
    "standings",
    "team_standings",
    "tournament_of",
]
