"""Whether the engine came to the result that the source states."""

from controller.game.moment import Moment
from controller.game.outcome import Winner
from controller.game.seat import How
from controller.game.state import State
from controller.record.exchange.foreign import Exit, ForeignGame
from controller.record.exchange.notes import Kind, Notes

EXITS = {
    How.SHOT: Exit.NIGHT,
    How.VOTED: Exit.VOTE,
    How.RAISED: Exit.VOTE,
    How.FOULED: Exit.FOULS,
    How.REMOVED: Exit.REMOVED,
}


def compare(foreign: ForeignGame, state: State, notes: Notes) -> None:
    """Notes every difference in the winner and in who left how and when."""
    ours = state.outcome.winner if state.outcome is not None else None
    if foreign.winner is None:
        notes.add(Kind.MISSING, "winner")
    elif ours is not foreign.winner:
        notes.add(Kind.DIFFERS, "winner_differs", theirs=_said(foreign.winner), ours=_said(ours))
    if foreign.gone is None:
        notes.add(Kind.MISSING, "departures")
        return
    here = {row.seat: (EXITS[row.how], row.at) for row in state.departures}
    there = {row.seat: (row.how, row.at) for row in foreign.gone}
    for seat in sorted(here.keys() | there.keys()):
        mine, its = here.get(seat), there.get(seat)
        if mine is None or its is None or mine[0] is not its[0] or not _same(mine[1], its[1], mine[0]):
            theirs, own = (f"{row[0].value}, {row[1]}" if row is not None else "–" for row in (its, mine))
            notes.add(Kind.DIFFERS, "departure_differs", seat=seat, theirs=theirs, ours=own)


def _same(mine: Moment, its: Moment, how: Exit) -> bool:
    """A removal's place is often told by its round alone: the night and the day after it."""
    if how in (Exit.FOULS, Exit.REMOVED, Exit.DEFEAT):
        return mine == its or _round(mine) == _round(its)
    return mine == its


def _round(at: Moment) -> int:
    return at.number - 1 if at.day else at.number


def _said(winner: Winner | None) -> str:
    return winner.value if winner is not None else "–"
