"""Points of a game and standings of a tournament. Scoring tables are data."""

from controller.scoring.points import Points, points_of_game
from controller.scoring.referee import referee
from controller.scoring.table import Table
from controller.scoring.tables import SCORINGS, rules_for, scoring_table

__all__ = ["SCORINGS", "Points", "Table", "points_of_game", "referee", "rules_for", "scoring_table"]
