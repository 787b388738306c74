"""The rule sets, each a short module: its parameters with their clauses, and the strategies in which it differs."""

from controller.game.rules import Rules
from controller.game.rulesets.fiim import FIIM

RULESETS: dict[str, Rules] = {rules.name: rules for rules in (FIIM,)}
