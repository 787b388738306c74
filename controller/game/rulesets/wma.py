"""The WMA association's regulations (January 2023); what they do not state is as in fiim (rules page)."""

from dataclasses import replace

from controller.game.ballot import Offence
from controller.game.rules import Penalty, Sanction, ViolationRule
from controller.game.rulesets.fiim import FIIM

# 5.7 lists the removals; the text at hand has it by number alone (5.8.5, 5.8.6 cite up to 5.7.20).
VIOLATIONS = (
    *(ViolationRule(f"5.6.{number}", Penalty.FOUL) for number in range(1, 13)),
    *(ViolationRule(f"5.7.{number}", Penalty.REMOVAL) for number in range(1, 21)),
    *(ViolationRule(f"5.8.{number}", Penalty.DEFEAT) for number in range(1, 7)),
)

WMA = replace(
    FIIM,
    name="wma",
    proposals={
        Offence.EARLY_HAND: Sanction("5.6.6"),
        Offence.HAND_PULLED: Sanction("5.6.5"),
        Offence.SEVERAL_CANDIDATES: Sanction("5.6.10"),
        Offence.NOT_RAISED: Sanction("5.6.7"),
    },
    violations=VIOLATIONS,
    softened_fourth_foul=frozenset({"5.6.6", "5.6.7"}),
    void_fourth_foul_after_decision=frozenset({"5.6.5"}),
    defeat_disqualifies=True,
    clauses=dict(FIIM.clauses)
    | {
        "softened_fourth_foul": "5.6.6, 5.6.7",
        "void_fourth_foul_after_decision": "5.6.5",
        "defeat_disqualifies": "5.8",
        "proposals": "5.6.5, 5.6.6, 5.6.7, 5.6.10",
        "night": "4.5.1 to 4.5.7",
    },
)
