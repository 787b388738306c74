"""Who sits where: a random draw for one game, and an even schedule for a tournament.

    draw(names, seed="final 3").seats
    schedule(names, games=10, tables=4, seed="cup").measures

Both are made from a seed that is kept and printed, so that anybody can make them again.
"""

from controller.record.seating.chance import ALGORITHM, Chance, fresh_seed
from controller.record.seating.draw import Draw, draw
from controller.record.seating.measures import Measures, Spread, measure
from controller.record.seating.plan import Plan, PlanFault, TableGame
from controller.record.seating.timetable import random_schedule, schedule

__all__ = [
    "ALGORITHM",
    "Chance",
    "Draw",
    "Measures",
    "Plan",
    "PlanFault",
    "Spread",
    "TableGame",
    "draw",
    "fresh_seed",
    "measure",
    "random_schedule",
    "schedule",
]
