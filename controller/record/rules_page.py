"""The page on the rules, drawn from the tables that the code runs on: the phases, the moves, every parameter.

`docs/rules.md` is this page; a test holds the two together.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, cast

from controller.game import RULESETS
from controller.game import phases as phases_module
from controller.game.moves import MOVES, always
from controller.game.rules import Rules, Sanction, ViolationRule, Wake

STRATEGIES = frozenset({"removed", "victims", "winner", "taken_along"})
NOT_SHOWN = frozenset({"name", "clauses"})


def rules_page() -> str:
    """The whole page as Markdown."""
    return "\n".join([*_head(), *_phases(), *_moves(), *_parameters(), *_nights(), *_violations()]) + "\n"


def _head() -> list[str]:
    return [
        "# The rules in the code",
        "",
        "Drawn from `controller/game` by `mafia-table rules`; not written by hand. What each rule means stands in the",
        "texts; this page says which parameter carries it and in which clause it stands. Where a text is silent, the",
        'reading is cited instead: "rules page, reading 3" is number 3 of [readings.md](readings.md).',
        "",
    ]


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").split("\n", 1)[0]


def _phases() -> list[str]:
    kinds = dict.fromkeys(kind for move in MOVES for kind in (move.source, move.target))
    lines = ["## Phases", "", "| phase | what it is |", "| --- | --- |"]
    lines += [f"| {kind.__name__} | {_first_line(getattr(phases_module, kind.__name__))} |" for kind in kinds]
    return [*lines, ""]


def _words(condition: Callable[..., bool]) -> str:
    return "else" if condition is always else condition.__name__.replace("_", " ")


def _moves() -> list[str]:
    lines = [
        "## Moves",
        "",
        "`Next` makes the first move, from top to bottom, whose condition holds. A win ends the game from any phase.",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> Dealing",
    ]
    lines += [f"    {m.source.__name__} --> {m.target.__name__}: {_words(m.when)}" for m in MOVES]
    lines += ["    Over --> [*]", "```", "", "| from | when | to | clause |", "| --- | --- | --- | --- |"]
    for move in MOVES:
        condition = _words(move.when)
        if move.when is not always:
            condition += f": {_first_line(move.when)}"
        lines.append(f"| {move.source.__name__} | {condition} | {move.target.__name__} | {move.clause} |")
    return [*lines, ""]


def _value(name: str, value: Any) -> str:
    if name in STRATEGIES:
        return f"`{value.__name__}`"
    if name in ("window", "early_tolerance"):
        return f"{value / 1_000_000:g} s"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value or "not set"
    if isinstance(value, Sanction):
        return value.clause
    if isinstance(value, frozenset):
        items = cast(frozenset[object], value)
        return ", ".join(sorted(str(item) for item in items)) or "none"
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value)
        return ", ".join(f"{key} {getattr(item, 'clause', item)}" for key, item in pairs.items())
    return "any" if value is None else str(value)


def _parameters() -> list[str]:
    sets = list(RULESETS.values())
    heads = " | ".join(rules.name for rules in sets)
    lines = ["## Parameters", "", f"| parameter | {heads} |", "| --- |" + " --- |" * len(sets)]
    for parameter in fields(Rules):
        if parameter.name in NOT_SHOWN or parameter.name in ("acquaintance", "night", "violations"):
            continue
        cells: list[str] = []
        for rules in sets:
            clause = rules.clauses.get(parameter.name)
            value = _value(parameter.name, getattr(rules, parameter.name))
            cells.append(f"{value} ({clause})" if clause else value)
        lines.append(f"| `{parameter.name}` | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _call(wake: Wake) -> str:
    limit = f" {wake.seconds} s" if wake.seconds else ""
    few = f", with {wake.least_living} or more living" if wake.least_living else ""
    return f"{wake.step}{limit}{few}"


def _nights() -> list[str]:
    lines = ["## Nights", "", "| ruleset | night 0 | every other night |", "| --- | --- | --- |"]
    for rules in RULESETS.values():
        calls = ("; ".join(_call(wake) for wake in night) for night in (rules.acquaintance, rules.night))
        lines.append(f"| {rules.name} | " + " | ".join(calls) + " |")
    return [*lines, ""]


def _violations() -> list[str]:
    lines = ["## Violations", ""]
    for rules in RULESETS.values():
        by_penalty: dict[str, list[ViolationRule]] = {}
        for violation in rules.violations:
            by_penalty.setdefault(violation.penalty.value, []).append(violation)
        lines.append(f"### {rules.name}")
        lines.append("")
        lines += [f"- {penalty}: {', '.join(v.clause for v in found)}" for penalty, found in by_penalty.items()]
        lines.append("")
    return lines[:-1]
