"""The rule sets, each a short module: its parameters with their clauses, and the strategies in which it differs."""

from controller.game.rules import Rules
from controller.game.rulesets.city import CITY
from controller.game.rulesets.fiim import FIIM
from controller.game.rulesets.ukraine import UKRAINE
from controller.game.rulesets.wma import WMA

RULESETS: dict[str, Rules] = {rules.name: rules for rules in (FIIM, WMA, UKRAINE, CITY)}
