"""What the one big step does now, for its label. It tells no secret: at night it says who is called next, never who
was shot, and while a last word is said it does not say that the game is over."""

from collections.abc import Mapping
from dataclasses import replace

from controller.game.commands import Next
from controller.game.decide import decide
from controller.game.events import PhaseBegan
from controller.game.legal import refusal
from controller.game.moves import move_of
from controller.game.night import wakes, waking
from controller.game.phases import (
    Acquaintance,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Phase,
    Speech,
    Voting,
)
from controller.game.refusal import Param, Refusal
from controller.game.rules import Waking
from controller.game.state import State
from controller.table.state import Stage, Step


def main_step(state: State, stage: Stage | None = None) -> Step:
    """What the big step does in `state`; `stage` is that of the window, if one is open or uncounted."""
    match state.phase:
        case Over():
            return Step("none", "game_over")
        case Voting():
            return _voting_step(state, stage)
        case Night():
            return _night_step(state)
        case _:
            blocked = refusal(state, Next())
            return Step("next", *_where_to(state), blocked=blocked)


def _voting_step(state: State, stage: Stage | None) -> Step:
    ballot = state.ballot
    assert ballot is not None
    if stage is None and (count := ballot.unsaid) is not None:
        said = {"candidate": count.candidate, "votes": ballot.votes[-1].total}
        return Step("announce", "announce", said)
    if ballot.due is None:
        return Step("next", "result")
    params: Mapping[str, Param] = {"candidate": ballot.due}
    match stage:
        case None:
            return Step("open_window", "open_window", params)
        case Stage.OPEN:
            return Step("wait", "window_is_open", params)
        case Stage.WAITING:
            return Step("wait", "waiting_for_seats", params)
        case Stage.TALLY:
            return Step("count", "count_hands", params)
        case Stage.UNDECIDED:
            return Step("confirm", "confirm_window", params)


def _night_step(state: State) -> Step:
    call = waking(state)
    if call is not None and call.step is Waking.SHOOTING and state.tonight is not None and state.tonight.shots is None:
        return Step("shoot", "shoot", {"night": state.at.number})
    if call is not None and call.step is Waking.KILL and state.tonight is not None and state.tonight.shots is None:
        return Step("kill", "kill", {"night": state.at.number})
    move = move_of(state)
    if move is not None and move.target is Night:
        return Step("next", *_where_to(state), blocked=refusal(state, Next()))
    # Whether the game ends with this night is nobody's business before the morning.
    return Step("next", "morning", {"day": state.at.following.number}, blocked=refusal(state, Next()))


def _where_to(state: State) -> tuple[str, Mapping[str, Param]]:
    """Where `Next` leads: a code and parameters."""
    silent = replace(state, outcome=None) if isinstance(state.phase, LastWord) else state
    if isinstance(state.phase, Morning) and state.outcome is not None:
        silent = replace(state, outcome=None)
    events = decide(silent, Next())
    if isinstance(events, Refusal):
        return "go_on", {}
    begun = [event for event in events if isinstance(event, PhaseBegan)]
    return _label(replace(silent, phase=begun[0].phase, at=begun[0].at)) if begun else ("go_on", {})


def _label(there: State) -> tuple[str, Mapping[str, Param]]:
    phase: Phase = there.phase
    match phase:
        case Acquaintance(step) | Night(step):
            return "call", {"who": wakes(there)[step].step.value, "night": there.at.number}
        case Morning():
            return "morning", {"day": there.at.number}
        case Speech(seat, kind, seconds):
            return kind.value, {"seat": seat, "seconds": seconds}
        case LastWord(seat, seconds):
            return "last_word", {"seat": seat, "seconds": seconds}
        case Voting():
            return "vote", {}
        case Dusk():
            return "dusk", {"day": there.at.number}
        case Over():
            return "game_over", {}
        case _:
            return "go_on", {}
