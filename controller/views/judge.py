"""What is on the judge's tablet: everything, in the judge's language, with what may be done now and what it would do.

The page covers the roles by itself; sentences that stand uncovered - history, steps, refusals - tell none.
"""

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from controller.catalogue import has, sentence
from controller.game.ballot import Ballot
from controller.game.hints import recorded
from controller.game.history import History
from controller.game.legal import legal
from controller.game.night import calls_of, waking
from controller.game.phases import Dealing, Over
from controller.game.phrases import consequence_of_foul, consequence_of_proposal, hints, phrase
from controller.game.state import BallotRow, State
from controller.table.state import Contact, Disk, Snapshot, Stage, Unsaved
from controller.views import public, tablet
from controller.views.aftermath import aftermath_of
from controller.views.air import best_move_of, days_of, hand_of, nights_of, vote_of
from controller.views.evidence import present_window, windows_of
from controller.views.facts import Surroundings
from controller.views.lines import covered_line, history_line, redo_line, undo_line
from controller.views.messages import HistoryPage, Line
from controller.views.readiness import checklist, link_of
from controller.views.selftest import walk_of
from controller.views.set_up import set_up_of
from controller.views.sounding import sound_of
from controller.views.steps import refusal_sentence, said, step_of
from controller.views.tablet import (
    Evidence,
    HistoryLine,
    JudgeSeat,
    JudgeView,
    Legal,
    Proposal,
    Suggestion,
    Violation,
)

HISTORY_SHOWN = 30
_MICROSECONDS = 1000


@dataclass(frozen=True, slots=True)
class _Told:
    """What depends on the game's decisions alone, and not on hands, clocks and cables."""

    history: History
    previous: str | None
    phrase: str
    hints: tuple[str, ...]
    calls: tuple[str, ...]
    recorded: bool
    tonight: tuple[str, ...]
    next_foul: tuple[str | None, ...]
    legal: Legal
    proposals: tuple[Proposal, ...]
    lines: tuple[HistoryLine, ...]
    violations: tuple[Violation, ...]


class JudgeViews:
    """Makes the judge's views. What depends on the decisions alone is made once for each: every hand makes a view."""

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}

    def view(self, snapshot: Snapshot, around: Surroundings, language: str) -> JudgeView:
        """The judge's view of the table, with its sentences in `language`."""
        told = self._told.get(language)
        if told is None or told.history is not snapshot.history or told.previous != snapshot.previous:
            told = self._told[language] = _tell(snapshot, language)
        return _view(snapshot, around, language, told)


def _tell(snapshot: Snapshot, language: str) -> _Told:
    state = snapshot.state
    rules, words = state.rules.name, phrase(state)
    return _Told(
        history=snapshot.history,
        previous=snapshot.previous,
        phrase=said(words.code, language, rules, words.params),
        hints=tuple(said(hint.code, language, rules, hint.params) for hint in hints(state)),
        calls=tuple(call.step.value for call in calls_of(state)),
        recorded=_is_recorded(state),
        tonight=_tonight(snapshot, language),
        next_foul=tuple(_next_foul(state, seat.number, language) for seat in state.seats),
        legal=_legal(snapshot, language),
        proposals=_proposals(state),
        lines=_history(snapshot, language),
        violations=_violations(state, language),
    )


def _view(snapshot: Snapshot, around: Surroundings, language: str, told: _Told) -> JudgeView:
    state, window, refused = snapshot.state, snapshot.window, around.board_refused
    may = told.legal
    if may.close_window and (window is None or window.stage not in (Stage.OPEN, Stage.UNDECIDED)):
        may = replace(may, close_window=False)
    return JudgeView(
        header=public.header_of(snapshot),
        phase=public.phase_of(state),
        timer=public.timer_of(snapshot),
        stopped=snapshot.stopped,
        nominations=public.nominations_of(state),
        result=public.result_of(state),
        seats=tuple(_seat(snapshot, around, seat.number, told) for seat in state.seats),
        vote=vote_of(snapshot),
        nights=nights_of(state),
        days=days_of(state),
        calling=around.calling,
        best_move=best_move_of(state),
        simulated=around.simulated,
        phrase=told.phrase,
        # Why the board's last press did nothing comes before a reminder.
        hints=told.hints if refused is None else (refusal_sentence(refused, language, state.rules.name), *told.hints),
        calls=told.calls,
        recorded=told.recorded,
        tonight=told.tonight,
        step=step_of(snapshot, language),
        legal=may,
        proposals=told.proposals,
        evidence=_evidence(snapshot),
        waiting_for=() if window is None else window.waiting_for,
        history=told.lines,
        violations=told.violations,
        links=tuple(link_of(link, language) for link in snapshot.links),
        readiness=checklist(snapshot, around, language),
        disk=_DISK[snapshot.disk],
        unsaved=_unsaved(snapshot.unsaved),
        walk=walk_of(snapshot.walk, language),
        sound=sound_of(around.sound, language),
        armed=next((key for key, lamp in snapshot.lamps.items() if lamp == "blink" and key in _WAIT_FOR_A_SEAT), None),
        suggestions=tuple(
            Suggestion(number=one.number, seat=one.seat, what=_WHAT[one.what], clause=one.clause, text=one.text)
            for one in snapshot.suggestions
        ),
        side_gives=snapshot.side_gives,
        set_up=set_up_of(snapshot, around, language) if isinstance(state.phase, Dealing) else None,
        aftermath=aftermath_of(snapshot, around) if isinstance(state.phase, Over) else None,
    )


_WAIT_FOR_A_SEAT = frozenset({"foul", "nominate", "remove"})
_WHAT: dict[str, Literal["foul", "warn", "note"]] = {"foul": "foul", "warn": "warn", "note": "note"}


_DISK: dict[Disk, tablet.DiskState] = {Disk.OK: "ok", Disk.SLOW: "slow", Disk.FAILING: "failing"}
_CONTACT: dict[Contact, tablet.ContactState] = {
    Contact.UP: "up",
    Contact.DOWN: "down",
    Contact.STUCK: "stuck",
    Contact.CHATTERING: "chattering",
    Contact.LOST: "lost",
}


def _seat(snapshot: Snapshot, around: Surroundings, number: int, told: _Told) -> JudgeSeat:
    state = snapshot.state
    seat = state.seat(number)
    out = public.out_of(state, number)
    return JudgeSeat(
        seat=number,
        name=snapshot.names[number - 1],
        in_play=out is None,
        out=out,
        fouls=len(seat.fouls),
        silent=seat.owes_silence,
        nominated=public.nominated_of(state, number),
        speaking=public.speaker_of(state) == number,
        role=None if seat.role is None else seat.role.value,
        photo=around.photo(snapshot.names[number - 1]),
        points=around.points.get(number),
        hand=hand_of(snapshot, number),
        warnings=len(seat.warnings),
        technical=sum(1 for row in seat.technical if row.heavy),
        lamp=snapshot.lamps.get(f"seat {number}", "off"),
        contact=_CONTACT[snapshot.contacts.get(number, Contact.LOST)],
        next_foul=told.next_foul[number - 1],
    )


def _next_foul(state: State, number: int, language: str) -> str | None:
    brings = consequence_of_foul(state, number)
    return None if brings is None else said(f"consequence.{brings}", language, state.rules.name, {"seat": number})


# --- the night


def _is_recorded(state: State) -> bool:
    call, night = waking(state), state.tonight
    return call is not None and night is not None and recorded(night, call)


def _tonight(snapshot: Snapshot, language: str) -> tuple[str, ...]:
    """What was decided since this night fell, the last first."""
    found: list[str] = []
    decision, now = snapshot.history.last, snapshot.state.at
    while decision is not None and not now.day and decision.after.at == now:
        if (line := covered_line(decision, language)) is not None:
            found.append(line)
        decision = decision.previous
    return tuple(found)


# --- what may be done


def _legal(snapshot: Snapshot, language: str) -> Legal:
    may, history = legal(snapshot.state), snapshot.history
    return Legal(
        next=may.next,
        nominate=may.nominate,
        withdraw=may.withdraw,
        foul=may.foul,
        warn=may.warn,
        remove=may.remove,
        defeat=may.defeat,
        open_window=may.open_window,
        close_window=may.close_window,
        void_window=may.void_window,
        rule=may.rule,
        count=may.count,
        shoot=may.shoot,
        kill=may.kill,
        check=None if may.check is None else may.check.value,
        act=None if may.act is None else may.act.value,
        best_move=may.best_move,
        will=may.will,
        technical=may.technical,
        award=may.award,
        penalty=may.award,
        protest=may.protest,
        annul=may.annul,
        deal=may.deal,
        undo=_undo(snapshot, language),
        redo=redo_line(history.undone[-1], language) if history.undone else None,
    )


def _undo(snapshot: Snapshot, language: str) -> str | None:
    """What an undo would take back, which may be the beginning of this game."""
    last = snapshot.history.last
    if last is not None:
        return undo_line(last, language)
    return None if snapshot.previous is None else sentence("service.undo_new_game", language)


# --- the judge's queue and its evidence


def _proposals(state: State) -> tuple[Proposal, ...]:
    """What waits for an answer, and what the present ballot has had answered."""
    present = _ballots_shown(state)
    return tuple(
        Proposal(
            id=row.id,
            seat=row.seat,
            what=row.what.value,
            clause=row.clause,
            at=row.at,
            answer=None if row.given is None else "given" if row.given else "waived",
            consequence=consequence_of_proposal(state, row),
        )
        for row in state.proposals
        if row.given is None or _ballot_number(row.id) in present
    )


def _ballot_number(proposal: str) -> int:
    return int(proposal.partition(".")[0])


def _ballots_shown(state: State) -> set[int]:
    if state.ballot is not None:
        return {state.ballot.number}
    row = public.decided_ballot(state)
    return set() if row is None else {row.number}


def _evidence(snapshot: Snapshot) -> tuple[Evidence, ...]:
    """The present ballot's windows, and those of earlier ones whose proposals wait for an answer."""
    state = snapshot.state
    shown = _ballots_shown(state) | {_ballot_number(row.id) for row in state.proposals if row.given is None}
    held: list[BallotRow | Ballot] = [row for row in state.ballots if row.number in shown]
    if state.ballot is not None:
        held.append(state.ballot)
    found: list[Evidence] = []
    for ballot in held:
        found += windows_of(ballot)
    if (present := present_window(snapshot)) is not None:
        found.append(present)
    return tuple(found)


# --- what was done, and what the text says


def _history(snapshot: Snapshot, language: str) -> tuple[HistoryLine, ...]:
    """The last decisions, those taken back behind them as a redo would bring them."""
    history = snapshot.history
    lines: list[HistoryLine] = []
    decision = history.last
    while decision is not None and len(lines) < HISTORY_SHOWN - min(len(history.undone), HISTORY_SHOWN // 2):
        lines.append(HistoryLine(decision=decision.number, sentence=history_line(decision, language), undone=False))
        decision = decision.previous
    lines.reverse()
    undone = tuple(
        HistoryLine(decision=taken.number, sentence=history_line(taken, language), undone=True)
        for taken in reversed(history.undone[-(HISTORY_SHOWN // 2) :])
    )
    return (*lines, *undone)


def told_history(snapshot: Snapshot, language: str) -> HistoryPage:
    """Every decision of the game, for reading."""
    undone = reversed(snapshot.history.undone)
    return HistoryPage(
        lines=tuple(
            Line(
                decision=decision.number,
                at=str(decision.before.at),
                sentence=history_line(decision, language),
                undone=taken_back,
            )
            for decisions, taken_back in ((snapshot.history, False), (undone, True))
            for decision in decisions
        )
    )


def _violations(state: State, language: str) -> tuple[Violation, ...]:
    rules = state.rules
    return tuple(
        Violation(clause=row.clause, penalty=row.penalty.value, name=sentence(code, language, ruleset=rules.name))
        for row in rules.violations
        if has(code := f"violation.{row.clause}", language, ruleset=rules.name)
    )


def _unsaved(unsaved: Unsaved) -> tablet.Unsaved:
    return tablet.Unsaved(offered=unsaved.offered, on=unsaved.on, rows=unsaved.rows, since=unsaved.since)
