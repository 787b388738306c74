"""Decisions as sentences: the judge's history, and what an undo or a redo says beforehand.

The tablet lies open on the table, so no sentence here tells a card, a shot or a check.
"""

from typing import TypeAlias, assert_never

from controller.catalogue import has, listed, sentence
from controller.game import commands as cmd
from controller.game import events as ev
from controller.game.ballot import RAISE, BallotKind, Votes
from controller.game.fouls import FOULS_OUT
from controller.game.history import Decision
from controller.game.night import waking
from controller.game.phases import (
    Acquaintance,
    Choosing,
    Dealing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Speech,
    Voting,
)
from controller.game.roles import Role
from controller.game.state import State

Param: TypeAlias = str | int
Said: TypeAlias = tuple[str, dict[str, Param]]


def history_line(decision: Decision, language: str) -> str:
    """The decision as a line of the history."""
    return _sentence("history", decision, language)


def undo_line(decision: Decision, language: str) -> str:
    """What taking `decision` back will take back."""
    return _sentence("undo", decision, language)


def redo_line(decision: Decision, language: str) -> str:
    """What bringing `decision` back will bring back."""
    return _sentence("redo", decision, language)


def covered_line(decision: Decision, language: str) -> str | None:
    """What the night's decision was, for under the cover; None for what is no secret."""
    key, params = _covered(decision)
    return None if key is None else sentence(f"history.{key}", language, ruleset=_rules(decision), **params)


def _rules(decision: Decision) -> str:
    return decision.before.rules.name


def _covered(decision: Decision) -> tuple[str | None, dict[str, Param]]:
    match decision.command:
        case cmd.Shoot(shots, everybody_at, _):
            if everybody_at is not None:
                return "shoot_all_open", {"seat": everybody_at}
            if not shots:
                return "shoot_miss_open", {}
            return "shoot_open", {"shots": "; ".join(f"{own} → {listed(at) or '×'}" for own, at in shots)}
        case cmd.Kill(together, choices):
            if choices:
                return "shoot_open", {"shots": "; ".join(f"{own} → {at}" for own, at in choices)}
            return ("kill_none_open", {}) if together is None else ("kill_open", {"seat": together})
        case cmd.Check(by, seat):
            if seat is None:
                return "check_none_open", {"role": by.value}
            hit = any(isinstance(event, ev.Checked) and event.hit for event in decision.events)
            found = ("sheriff" if hit else "not_sheriff") if by is Role.DON else "black" if hit else "red"
            return "check_open", {"role": by.value, "seat": seat, "result": found}
        case cmd.Act(by, seats):
            if not seats:
                return "act_none_open", {"role": by.value}
            return "act_open", {"role": by.value, "seats": listed(seats)}
        case _:
            return None, {}


def _sentence(group: str, decision: Decision, language: str) -> str:
    key, params = described(decision)
    if "points" in params and language != "en":
        params = {**params, "points": str(params["points"]).replace(".", ",")}
    # The history tells some decisions apart that an undo takes back in the same words.
    while not has(f"{group}.{key}", language) and "_" in key:
        key = key.rpartition("_")[0]
    return sentence(f"{group}.{key}", language, ruleset=decision.before.rules.name, **params)


def described(decision: Decision) -> Said:
    """The key of `decision` in the catalogue's groups history, undo and redo, with its parameters."""
    before, after = decision.before, decision.after
    match decision.command:
        case cmd.Next():
            return _next(decision)
        case cmd.Deal(seat):
            return "deal", {"seat": seat}
        case cmd.Nominate(by, seat):
            return "nominate", {"by": by, "seat": seat}
        case cmd.Withdraw(by):
            taken = next((e.seat for e in decision.events if isinstance(e, ev.Withdrawn)), 0)
            return "withdraw", {"by": by, "seat": taken}
        case cmd.Foul(seat, clause):
            return f"foul{_weight(decision, seat)}", {"seat": seat, "clause": clause or ""}
        case cmd.TechnicalFoul(seat, heavy, clause):
            sent_off = before.seat(seat).disqualified is None and after.seat(seat).disqualified is not None
            key = "technical_out" if sent_off else "technical_heavy" if heavy else "technical_light"
            return key, {"seat": seat, "clause": clause or ""}
        case cmd.Warn(seat, clause):
            return "warn", {"seat": seat, "clause": clause or ""}
        case cmd.Remove(seat, clause):
            return "remove", {"seat": seat, "clause": clause or ""}
        case cmd.Defeat(seat, clause):
            return "defeat", {"seat": seat, "clause": clause or ""}
        case cmd.OpenWindow():
            counted = _counted(decision)
            if counted is not None:
                return counted
            opened = next((e.candidate for e in decision.events if isinstance(e, ev.WindowOpened)), RAISE)
            return _against("open", opened)
        case cmd.VoidWindow():
            void = next((e.candidate for e in decision.events if isinstance(e, ev.WindowVoided)), RAISE)
            return _against("void", void)
        case cmd.CountHands(candidate) | cmd.CountVote(candidate):
            return _counted(decision) or _against("count", candidate)
        case cmd.Announce():
            return "announce", {}
        case cmd.RuleHand(candidate, seat, counts):
            key, params = _against("hand_counts" if counts else "hand_does_not_count", candidate)
            return key, {**params, "seat": seat}
        case cmd.Give(proposal) | cmd.Waive(proposal):
            row = next(row for row in after.proposals if row.id == proposal)
            if isinstance(decision.command, cmd.Waive):
                return "waive", {"seat": row.seat}
            return f"give{_weight(decision, row.seat)}", {"seat": row.seat, "clause": row.clause}
        case cmd.Shoot():
            return "shoot", {}
        case cmd.Kill():
            return "kill", {}
        case cmd.Check(by):
            return "check", {"role": by.value}
        case cmd.Act(by):
            return "act", {"role": by.value}
        case cmd.BestMove(seat, numbers):
            return ("best_move" if numbers else "best_move_none"), {"seat": seat, "seats": listed(numbers)}
        case cmd.Will(seat, named, forgotten):
            key = "will_forgotten" if forgotten else "will_none" if named is None else "will"
            return key, {"seat": seat, "named": named or 0}
        case cmd.Award(seat, points):
            return "award", {"seat": seat, "points": str(points)}
        case cmd.Penalise(seat, points, clause):
            return "penalise", {"seat": seat, "points": str(points), "clause": clause or ""}
        case cmd.Protest(seat):
            return "protest", {"seat": seat}
        case cmd.Annul():
            return "annul", {}
        case cmd.SetPosition():
            return "set_position", {"number": before.at.number}
        case _:
            assert_never(decision.command)


def _against(key: str, candidate: int) -> Said:
    return (f"{key}_raise", {}) if candidate == RAISE else (key, {"candidate": candidate})


def _weight(decision: Decision, seat: int) -> str:
    """What a foul has led to."""
    given = [event for event in decision.events if isinstance(event, ev.FoulGiven) and event.seat == seat]
    warned = any(isinstance(event, ev.WarningGiven) and event.seat == seat for event in decision.events)
    if not given:
        return "_warning" if warned else "_nothing" if isinstance(decision.command, cmd.Give) else ""
    fouls = len(decision.after.seat(seat).fouls)
    return "_out" if fouls >= FOULS_OUT else "_third" if fouls == FOULS_OUT - 1 else ""


def _counted(decision: Decision) -> Said | None:
    """What a count has brought, be it decided itself or a consequence of the opening."""
    last = next((event for event in reversed(decision.events) if isinstance(event, ev.HandsCounted)), None)
    if last is None:
        return None
    candidate = last.count.candidate
    votes = next((row for row in last.votes if row.candidate == candidate), Votes(candidate))
    if candidate == RAISE:
        return ("count_raise" if votes.hands else "count_raise_none"), {"seats": listed(votes.hands)}
    key = "count" if votes.hands else "count_none"
    params: dict[str, Param] = {"candidate": candidate, "seats": listed(votes.hands), "rest": listed(votes.assigned)}
    return (f"{key}_rest" if votes.assigned else key), params


def _next(decision: Decision) -> Said:
    after = decision.after
    decided = next((e for e in decision.events if isinstance(e, ev.BallotDecided)), None)
    if decided is not None and decided.leaves:
        return "next_leave", {"seats": listed(decided.leaves), "count": len(decided.leaves)}
    opened = next((e for e in decision.events if isinstance(e, ev.BallotOpened)), None)
    if opened is not None and opened.kind is not BallotKind.BALLOT:
        key = "next_raise" if opened.kind is BallotKind.RAISE else "next_revote"
        return key, {"seats": listed(opened.candidates)}
    return _entered(after)


def _entered(state: State) -> Said:
    match state.phase:
        case Dealing():
            return "next", {}
        case Acquaintance():
            return "next_acquaintance", _call(state)
        case Night():
            return "next_night", {**_call(state), "number": state.at.number}
        case Morning():
            return "next_morning", {"number": state.at.number}
        case Speech(seat, _, seconds):
            return ("next_speech" if seconds else "next_speech_silent"), {"seat": seat}
        case LastWord(seat):
            return "next_last_word", {"seat": seat}
        case Voting():
            return "next_voting", {"seats": listed(state.ballot.candidates if state.ballot else ())}
        case Choosing():
            return "next_choosing", {}
        case Dusk():
            return "next_dusk", {"number": state.at.number}
        case Over():
            return "next_over", {}


def _call(state: State) -> dict[str, Param]:
    call = waking(state)
    return {} if call is None else {"waking": call.step.value}
