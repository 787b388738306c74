"""What the hall may know: public facts alone. It must be the same, byte for byte, for two games that differ only in
their secrets, so nothing here reads a card, a shot, a check, a board key or who may do what."""

from controller.game.state import State
from controller.table.state import Snapshot
from controller.views import public
from controller.views.messages import HallCandidate, HallSeat, HallView, HallVote


def hall_view(snapshot: Snapshot) -> HallView:
    """The hall's view of the table."""
    state = snapshot.state
    return HallView(
        header=public.header_of(snapshot),
        phase=public.phase_of(state),
        timer=public.timer_of(snapshot),
        stopped=snapshot.stopped,
        nominations=public.nominations_of(state),
        result=public.result_of(state),
        seats=tuple(_seat(state, seat.number, snapshot.names) for seat in state.seats),
        vote=_vote(snapshot),
    )


def _seat(state: State, number: int, names: tuple[str, ...]) -> HallSeat:
    seat = state.seat(number)
    out = public.out_of(state, number)
    return HallSeat(
        seat=number,
        name=names[number - 1],
        in_play=out is None,
        out=out,
        fouls=len(seat.fouls),
        silent=seat.owes_silence,
        nominated=public.nominated_of(state, number),
        speaking=public.speaker_of(state) == number,
    )


def _vote(snapshot: Snapshot) -> HallVote | None:
    state = snapshot.state
    ballot = state.ballot
    if ballot is not None:
        totals = [votes.total for votes in ballot.votes]
        told = len(ballot.counts) - (ballot.unsaid is not None)
        return HallVote(
            kind=ballot.kind.value,
            candidates=tuple(
                HallCandidate(
                    seat=seat,
                    state=public.told_state(ballot, index, snapshot.window),
                    count=totals[index] if index < told else None,
                )
                for index, seat in enumerate(public.questions_of(ballot.kind, ballot.candidates))
            ),
            window=public.window_of(snapshot),
            tied=public.tied_of(ballot.kind, ballot.candidates),
        )
    row = public.decided_ballot(state)
    if row is None:
        return None
    questions = public.questions_of(row.kind, row.candidates)
    return HallVote(
        kind=row.kind.value,
        candidates=tuple(
            HallCandidate(seat=seat, state="counted", count=votes.total)
            for seat, votes in zip(questions, row.votes, strict=True)
        ),
        window=None,
        tied=public.tied_of(row.kind, row.candidates),
    )
