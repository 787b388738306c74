"""What viewers may know, at once: roles, nights and whose hand it was included; nothing of the judge's own business."""

from msgspec import UnsetType
from msgspec.structs import replace

from controller.game.ballot import Votes
from controller.game.phases import Dusk, LastWord, Night, Over, Speech, SpeechKind
from controller.game.state import BallotRow, NightRow, State
from controller.table.state import Snapshot
from controller.views import public
from controller.views.facts import Surroundings
from controller.views.messages import (
    AirCandidate,
    AirDay,
    AirNight,
    AirSeat,
    AirView,
    AirVote,
    BestMove,
    Check,
    Fact,
    Gone,
    Stage,
)
from controller.views.stage import stage_of


def air_view(snapshot: Snapshot, around: Surroundings) -> AirView:
    """The on-air view of the table."""
    state = snapshot.state
    return AirView(
        header=public.header_of(snapshot),
        phase=public.phase_of(state),
        timer=public.timer_of(snapshot),
        stopped=snapshot.stopped,
        nominations=public.nominations_of(state),
        result=public.result_of(state),
        seats=tuple(_seat(snapshot, around, seat.number) for seat in state.seats),
        vote=_tie(snapshot.state) or vote_of(snapshot),
        nights=nights_of(state),
        days=days_of(state),
        calling=around.calling,
        best_move=best_move_of(state),
        simulated=around.simulated,
        stage=_stage(snapshot, around),
    )


def _stage(snapshot: Snapshot, around: Surroundings) -> Stage:
    """The producer's switches; where he shows no fact, the one that comes by itself."""
    stage = stage_of(snapshot, around.switches)
    if stage.fact is None and around.fact is not None:
        by_itself = Fact(seat=around.fact[0], text=around.fact[1])
        if by_itself != around.switches.hidden_fact:
            stage = replace(stage, fact=by_itself)
    return stage


def _seat(snapshot: Snapshot, around: Surroundings, number: int) -> AirSeat:
    state = snapshot.state
    seat = state.seat(number)
    out = public.out_of(state, number)
    return AirSeat(
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
    )


def _open_hands(snapshot: Snapshot) -> tuple[int, tuple[int, ...]] | None:
    """The question that is open now and the hands seen against it so far, those given before left out."""
    ballot, window = snapshot.state.ballot, snapshot.window
    if ballot is None or window is None or not ballot.is_open or ballot.due != window.candidate:
        return None
    return window.candidate, window.hands


def hand_of(snapshot: Snapshot, number: int) -> int | None:
    """Whom `number` has voted for in the present ballot; 0: for the raise."""
    state = snapshot.state
    votes: tuple[Votes, ...] = ()
    if state.ballot is not None:
        votes = state.ballot.votes
    elif (row := public.decided_ballot(state)) is not None:
        votes = row.votes
    for given in votes:
        if number in given.hands or number in given.assigned:
            return given.candidate
    shown = _open_hands(snapshot)
    return shown[0] if shown is not None and number in shown[1] else None


def vote_of(snapshot: Snapshot) -> AirVote | None:
    """The ballot that is held, or the one just decided."""
    state = snapshot.state
    ballot = state.ballot
    if ballot is None:
        row = public.decided_ballot(state)
        if row is None:
            return None
        return _held(row, row.leaves, public.tied_of(row.kind, row.candidates))
    shown = _open_hands(snapshot)
    candidates: list[AirCandidate] = []
    for index, seat in enumerate(public.questions_of(ballot.kind, ballot.candidates)):
        stage = public.candidate_state(ballot, index, snapshot.window)
        hands: tuple[int, ...] = ()
        assigned: tuple[int, ...] = ()
        if index < len(ballot.votes):
            hands, assigned = ballot.votes[index].hands, ballot.votes[index].assigned
        elif shown is not None and shown[0] == (seat or 0):
            hands = shown[1]
        candidates.append(AirCandidate(seat=seat, state=stage, hands=hands, assigned=assigned))
    given = {seat for one in candidates for seat in (*one.hands, *one.assigned)}
    return AirVote(
        kind=ballot.kind.value,
        candidates=tuple(candidates),
        free=tuple(seat for seat in ballot.voters if seat not in given and state.seat(seat).in_play),
        window=public.window_of(snapshot),
        leaves=None,
        unsaid=ballot.unsaid is not None,
        tied=public.tied_of(ballot.kind, ballot.candidates),
    )


def _held(row: BallotRow, leaves: tuple[int, ...] | None, tied: tuple[int, ...] | UnsetType) -> AirVote:
    asked = public.questions_of(row.kind, row.candidates)
    return AirVote(
        kind=row.kind.value,
        candidates=tuple(
            AirCandidate(seat=seat, state="counted", hands=votes.hands, assigned=votes.assigned)
            for seat, votes in zip(asked, row.votes, strict=True)
        ),
        free=(),
        window=None,
        leaves=leaves,
        tied=tied,
    )


def _tie(state: State) -> AirVote | None:
    """While those who are equal speak once more: the ballot that has made them so (fiim 4.4.12.2)."""
    match state.phase:
        case Speech(_, SpeechKind.REVOTE) if state.ballots and state.ballots[-1].at == state.at:
            row = state.ballots[-1]
            most = max(votes.total for votes in row.votes)
            tied = tuple(votes.candidate for votes in row.votes if votes.total == most)
            return _held(row, None, tied)
        case _:
            return None


def nights_of(state: State) -> tuple[AirNight, ...]:
    """The nights with shooting, the present one as far as it has come."""
    return tuple(_night(row) for row in state.nights)


def _night(row: NightRow) -> AirNight:
    killed = row.killed
    if killed is None and row.shots is not None:
        killed = () if row.kill is None else (row.kill,)
    return AirNight(
        night=row.night,
        shots={str(shooter): targets for shooter, targets in row.shots or ()},
        killed=killed,
        checks=tuple(Check(by=check.by.value, seat=check.seat, hit=check.hit) for check in row.checks),
    )


def days_of(state: State) -> tuple[AirDay, ...]:
    """Who left by each day; the present one once it is done or somebody has gone."""
    found: list[AirDay] = []
    for day in range(1, state.at.number + 1):
        left = tuple(
            Gone(seat=row.seat, how=row.how.value) for row in state.departures if row.at.day and row.at.number == day
        )
        present = state.at.day and state.at.number == day
        if left or not present or _day_is_done(state):
            found.append(AirDay(day=day, left=left))
    return tuple(found)


def _day_is_done(state: State) -> bool:
    match state.phase:
        case Dusk() | Over() | Night() | LastWord(evening=True):
            return True
        case _:
            return False


def best_move_of(state: State) -> BestMove | None:
    """The best move as it was spoken."""
    row = state.best_move
    if row is None:
        return None
    roles = [state.seat(number).role for number in row.numbers]
    return BestMove(
        seat=row.seat,
        numbers=row.numbers,
        hits=sum(1 for role in roles if role is not None and role.black),
    )
