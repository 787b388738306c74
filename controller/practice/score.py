"""What there was, what the judge noticed, what was missed and what was called falsely, with clauses.

What the sensors propose is true by the ruling of the window, and noticed when it is given; what is spoken is true by
the script, and noticed when its player is punished before the next day or night is over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from controller.game import commands as cmd
from controller.game.ballot import Proposal
from controller.game.events import ProposalAnswered
from controller.game.history import Decision, History
from controller.game.moment import Moment
from controller.game.roles import Role
from controller.game.rules import Penalty
from controller.game.state import NightRow, State
from controller.practice.script import Measure, Spoken

Verdict: TypeAlias = Literal["noticed", "other_measure", "other_clause", "waived", "missed"]
FactKind: TypeAlias = Literal["card", "nomination", "shots", "check", "act", "best_move"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A mistake that was seen or heard at the table, after so many decisions."""

    what: Spoken
    seat: int
    at: Moment
    decisions: int
    measure: Measure


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a judge has to write down: who showed or said it, and what."""

    kind: FactKind
    seat: int
    at: Moment
    said: tuple[int, ...] = ()
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One mistake and what became of it."""

    at: str
    seat: int
    what: str
    clause: str
    penalty: Penalty
    verdict: Verdict

    @property
    def noticed(self) -> bool:
        """Whether the judge punished it at all."""
        return self.verdict in ("noticed", "other_measure", "other_clause")


@dataclass(frozen=True, slots=True)
class FalseCall:
    """A punishment for nothing that was there."""

    at: str
    seat: int
    penalty: Penalty
    clause: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to be written down, and whether it is what was said or shown."""

    told: Told
    right: bool


@dataclass(frozen=True, slots=True)
class Report:
    """One practice game, seen by a second pair of eyes."""

    rows: tuple[Row, ...]
    false: tuple[FalseCall, ...]
    facts: tuple[Fact, ...]
    unsaid: tuple[tuple[str, int, int], ...]
    """Nominations that were written down and that nobody made: when, by whom, whom."""

    @property
    def noticed(self) -> int:
        """How many mistakes were punished."""
        return sum(row.noticed for row in self.rows)


@dataclass(frozen=True, slots=True)
class _Punished:
    number: int
    seat: int
    penalty: Penalty
    clause: str | None
    at: Moment


def score(history: History, shown: Sequence[Shown], told: Sequence[Told]) -> Report:
    """The report of a game as far as it has come."""
    state = history.state
    free = list(_punishments(history))
    rows = [(_number(history, row), _of_sensors(state, row)) for row in state.proposals]
    for one in sorted(shown, key=lambda one: one.decisions):
        found = _answer(one, free)
        if found is not None:
            free.remove(found)
        rows.append((one.decisions, _row(one, found)))
    false = tuple(FalseCall(str(one.at), one.seat, one.penalty, one.clause) for one in free)
    nominated = _nominated(history)
    said = {(one.at, one.seat, one.said[0]) for one in told if one.kind == "nomination"}
    return Report(
        rows=tuple(row for _, row in sorted(rows, key=lambda pair: pair[0])),
        false=false,
        facts=tuple(Fact(one, _is_right(one, state, nominated)) for one in told),
        unsaid=tuple((str(at), by, seat) for at, by, seat in nominated if (at, by, seat) not in said),
    )


def _punishments(history: History) -> Iterable[_Punished]:
    """What the judge gave of his own; what a window proposed is answered apart."""
    for decision in history:
        at = decision.before.at
        match decision.command:
            case cmd.Foul(seat, clause):
                yield _Punished(decision.number, seat, Penalty.FOUL, clause, at)
            case cmd.Warn(seat, clause):
                yield _Punished(decision.number, seat, Penalty.WARNING, clause, at)
            case cmd.Remove(seat, clause):
                yield _Punished(decision.number, seat, Penalty.REMOVAL, clause, at)
            case cmd.Defeat(seat, clause):
                yield _Punished(decision.number, seat, Penalty.DEFEAT, clause, at)
            case _:
                pass


def _answer(one: Shown, given: Iterable[_Punished]) -> _Punished | None:
    """The first punishment of its player after it, in its own day or night or the one after."""
    return next(
        (
            mark
            for mark in given
            if mark.seat == one.seat and mark.number > one.decisions and mark.at in (one.at, one.at.following)
        ),
        None,
    )


def _row(one: Shown, found: _Punished | None) -> Row:
    verdict: Verdict
    if found is None:
        verdict = "missed"
    elif found.penalty is not one.measure.penalty:
        verdict = "other_measure"
    elif found.clause not in (None, one.measure.clause):
        verdict = "other_clause"
    else:
        verdict = "noticed"
    return Row(str(one.at), one.seat, one.what, one.measure.clause, one.measure.penalty, verdict)


def _of_sensors(state: State, row: Proposal) -> Row:
    verdict: Verdict = "missed" if row.given is None else "noticed" if row.given else "waived"
    sanction = state.rules.proposals.get(row.what)
    return Row(row.at, row.seat, row.what, row.clause, sanction.penalty if sanction else Penalty.FOUL, verdict)


def _number(history: History, row: Proposal) -> int:
    """After how many decisions `row` was answered, for its place among the others; unanswered ones come last."""
    return next((one.number for one in history if _answers(one, row.id)), history.length)


def _answers(decision: Decision, proposal: str) -> bool:
    return any(isinstance(event, ProposalAnswered) and event.proposal == proposal for event in decision.events)


def _nominated(history: History) -> tuple[tuple[Moment, int, int], ...]:
    return tuple(
        (decision.before.at, decision.command.by, decision.command.seat)
        for decision in history
        if isinstance(decision.command, cmd.Nominate)
    )


def _is_right(one: Told, state: State, nominated: Sequence[tuple[Moment, int, int]]) -> bool:
    nights: Mapping[int, int | None] = {row.night: row.kill for row in state.nights if row.shots is not None}
    match one.kind:
        case "card":
            return state.seat(one.seat).role is one.role
        case "nomination":
            return (one.at, one.seat, one.said[0]) in nominated
        case "shots":
            # None at all, or more than one target, is a miss; where the don's word stands, his alone is told.
            hit = one.said[0] if len(set(one.said)) == 1 else None
            return one.at.number in nights and nights[one.at.number] == hit
        case "check":
            rows = next((row.checks for row in state.nights if row.night == one.at.number), ())
            return any(row.by is one.role and row.seat == one.said[0] for row in rows)
        case "act":
            assert one.role is not None
            if one.role is Role.AVENGER:
                return set(state.avenger_choice or ()) == set(one.said)
            acts = next((row for row in state.nights if row.night == one.at.number), NightRow(one.at.number))
            return set(acts.act(one.role)) == set(one.said)
        case "best_move":
            row = state.best_move
            return row is not None and row.seat == one.seat and set(row.numbers) == set(one.said)
