"""The rules of play, pure: no clock, no I/O, no chance. One module a chapter, every decision with its clause.

`decide(state, command)` gives events or a refusal; `apply(state, event)` folds them; `legal(state)` says what may
be done now; `begin(new_game(rules))` is a game with undo.
"""

from controller.game.decide import decide
from controller.game.history import Decision, History, begin
from controller.game.legal import Legal, legal
from controller.game.refusal import Refusal
from controller.game.rulesets import RULESETS
from controller.game.state import State, apply, fold, new_game

__all__ = [
    "RULESETS",
    "Decision",
    "History",
    "Legal",
    "Refusal",
    "State",
    "apply",
    "begin",
    "decide",
    "fold",
    "legal",
    "new_game",
]
