"""What everybody at the table has heard and seen: built for the hall, the air and the judge from one place.

Nothing here may depend on a card, a shot or a check before it is said aloud.
"""

from msgspec import UNSET, UnsetType

from controller.game import state as played
from controller.game.ballot import Ballot, BallotKind
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
    SpeechKind,
    Voting,
)
from controller.game.state import BallotRow, State
from controller.table import state as table
from controller.table.state import Snapshot
from controller.views import messages
from controller.views.messages import CandidateState, Header, Nomination, Out, Phase, Result, Timer

MILLISECOND = 1_000_000
NIGHT_CALL = "call"
"""The kind of every timer of the night's calls: it tells no more than that somebody is called."""
PROTESTS = "protests"
"""The kind of the timer of the ten minutes of protests: the judge's alone."""


def header_of(snapshot: Snapshot) -> Header:
    """What is played, where and under whom."""
    header = snapshot.header
    return Header(
        event=header.event,
        stage=header.stage,
        game=header.game,
        table=header.table,
        judge=header.judge,
        ruleset=header.ruleset,
    )


def timer_of(snapshot: Snapshot) -> Timer | None:
    """The clock that runs now. `left` is what is left while it stands still; a running one is read by its deadline.

    Its id counts the day's clocks and not the journal's rows, whose number rises with everything the night brings.
    """
    timer = snapshot.timer
    return None if timer is None or timer.kind == PROTESTS else shown_timer(snapshot, timer)


def shown_timer(snapshot: Snapshot, timer: table.Timer) -> Timer:
    """`timer` as the pages read it."""
    return Timer(
        id=_timer_id(snapshot.state, timer),
        kind=timer.kind,
        total=timer.total // MILLISECOND,
        running=timer.running,
        deadline=None if timer.deadline is None else timer.deadline / MILLISECOND,
        left=timer.left // MILLISECOND,
    )


def _timer_id(state: State, timer: table.Timer) -> str:
    if timer.kind == NIGHT_CALL:
        call = waking(state)
        return f"{state.at} {NIGHT_CALL if call is None else call.step.value}"
    return f"{state.at} {timer.kind} {timer.seat} {len(state.speeches)}"


def phase_of(state: State) -> Phase:
    """The phase as it is announced: at night who is called, never whether anybody answers."""
    kind, seat, speech, silent = _phase_words(state)
    call = waking(state)
    return Phase(
        kind=kind,
        round=state.at.number,
        day=state.at.day,
        step=None if call is None else call.step.value,
        seat=seat,
        speech=speech,
        silent=silent,
    )


def _phase_words(state: State) -> tuple[str, int | None, str | None, bool]:
    match state.phase:
        case Dealing():
            return "dealing", None, None, False
        case Acquaintance():
            return "acquaintance", None, None, False
        case Night():
            return "night", None, None, False
        case Morning():
            return "morning", None, None, False
        case Speech(seat, kind, seconds):
            return "speech", seat, kind.value, seconds == 0
        case LastWord(seat, seconds):
            return "last_word", seat, SpeechKind.LAST_WORD.value, seconds == 0
        case Voting():
            return "voting", None, None, False
        case Choosing(_, evening):
            # City: the table sleeps while the avenger chooses; that there is one is not for every screen.
            return ("dusk" if evening else "night"), None, None, False
        case Dusk():
            return "dusk", None, None, False
        case Over():
            return "over", None, None, False


def speaker_of(state: State) -> int | None:
    """Who has the word."""
    match state.phase:
        case Speech(seat) | LastWord(seat):
            return seat
        case _:
            return None


def out_of(state: State, number: int) -> Out | None:
    """How `number` left, as the table knows it.

    One who is sent off at night is out for everybody at once: whether the night had shot him is a secret till morning.
    """
    seat = state.seat(number)
    if seat.left is not None:
        return Out(how=seat.left.how.value, at=str(seat.left.at))
    if seat.disqualified is not None and isinstance(state.phase, Night):
        return Out(how=seat.disqualified.value, at=str(state.at))
    return None


def nominations_of(state: State) -> tuple[Nomination, ...]:
    """Today's nominations, in order, until the day's vote has its result."""
    return tuple(Nomination(seat=row.seat, by=row.by) for row in standing(state))


def standing(state: State) -> tuple[played.Nomination, ...]:
    """The nominations that still mean something: by day, before the result of the vote."""
    return state.nominations if state.at.day and not state.vote_settled and state.outcome is None else ()


def nominated_of(state: State, number: int) -> int | None:
    """The place of `number` in the order of nomination, from 1."""
    seats = [row.seat for row in standing(state)]
    return seats.index(number) + 1 if number in seats else None


def result_of(state: State) -> Result | None:
    """The result, once it is announced: while a last word is said it would tell the card of the one who says it."""
    if state.outcome is None or not isinstance(state.phase, Over):
        return None
    winner = state.outcome.winner
    return Result(
        winner=None if winner is None else winner.value,
        reason=state.outcome.reason.value,
        at=str(state.outcome.at),
    )


def decided_ballot(state: State) -> BallotRow | None:
    """The ballot that has just been decided, while its result is what goes on."""
    if state.ballot is not None or not state.ballots:
        return None
    row = state.ballots[-1]
    if row.at != state.at:
        return None
    match state.phase:
        case Dusk() | LastWord(evening=True):
            return row
        case _:
            return None


def questions_of(kind: BallotKind, candidates: tuple[int, ...]) -> tuple[int | None, ...]:
    """What is asked in a ballot, in order; None is the one raise question."""
    return (None,) if kind is BallotKind.RAISE else candidates


def tied_of(kind: BallotKind, candidates: tuple[int, ...]) -> tuple[int, ...] | UnsetType:
    """Who would leave by a raise question."""
    return candidates if kind is BallotKind.RAISE else UNSET


def candidate_state(ballot: Ballot, index: int, window: table.Window | None) -> CandidateState:
    """How far the vote on the candidate at `index` has come."""
    if index < len(ballot.counts):
        return "counted"
    if index > len(ballot.counts):
        return "waiting"
    if not ballot.is_open:
        return "called"
    return "open" if window is not None and window.stage is table.Stage.OPEN else "counting"


def told_state(ballot: Ballot, index: int, window: table.Window | None) -> CandidateState:
    """The same for those who learn a count when the judge says it aloud."""
    if ballot.unsaid is not None and index in (len(ballot.counts) - 1, len(ballot.counts)):
        return "counting" if index < len(ballot.counts) else "waiting"
    return candidate_state(ballot, index, window)


def window_of(snapshot: Snapshot) -> messages.Window | None:
    """The vote window that is open or not counted yet."""
    window = snapshot.window
    if window is None or window.opened is None or window.closes is None:
        return None
    return messages.Window(opened=window.opened / MILLISECOND, closes=window.closes / MILLISECOND)
