"""The one big step as a verb and what it will do. It stands uncovered: a result that nobody has announced, or who was
shot, cannot be read from it, since the table's own codes for it tell neither."""

from collections.abc import Mapping
from typing import TypeAlias

from controller.catalogue import sentence
from controller.game.refusal import Refusal
from controller.table.state import Snapshot, Stage
from controller.views.tablet import Step, StepKind

Param: TypeAlias = str | int


def step_of(snapshot: Snapshot, language: str) -> Step:
    """The big step of this moment, in `language`."""
    step, rules = snapshot.step, snapshot.state.rules.name
    kind: StepKind
    match step.do:
        case "next" | "open_window" | "announce" | "shoot" | "kill":
            kind = step.do
        case "confirm":
            # What the sensors saw of a window that came back undecided is taken by closing it once more.
            kind = "close_window"
        case "wait":
            is_open = snapshot.window is not None and snapshot.window.stage is Stage.OPEN
            kind = "close_window" if is_open else "wait"
        case _:
            kind = "none"
    detail = said(f"step.{step.code}.detail", language, rules, step.params)
    blocked = None if step.blocked is None else refusal_sentence(step.blocked, language, rules)
    if kind in ("none", "wait"):
        blocked = detail
    return Step(
        do=kind,
        label=said(f"step.{step.code}.label", language, rules, step.params),
        detail=detail,
        blocked=blocked,
    )


def refusal_sentence(refusal: Refusal, language: str, ruleset: str) -> str:
    """The refusal as a sentence."""
    return said(f"refusal.{refusal.code}", language, ruleset, refusal.params)


def said(code: str, language: str, ruleset: str, params: Mapping[str, Param]) -> str:
    """The sentence for `code` in the words of `ruleset`."""
    own: dict[str, Param] = {"ruleset": ruleset, **params}
    return sentence(code, language, **own)
