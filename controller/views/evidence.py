"""The vote windows of a game as they were seen: for the judge's tablet, and for a replay on air."""

from controller.game.ballot import Ballot, Count, HandRuling, Votes
from controller.game.state import BallotRow, State
from controller.table.state import Snapshot
from controller.views.messages import Evidence, Ruling, Touch
from controller.views.public import MILLISECOND

_MICROSECONDS = 1000


def windows_of(ballot: Ballot | BallotRow) -> list[Evidence]:
    """The counted windows of `ballot` that sensors have seen."""
    votes = {row.candidate: row for row in ballot.votes}
    return [
        _window(ballot.number, count, votes.get(count.candidate, Votes(count.candidate)), ballot.rulings)
        for count in ballot.counts
        if count.by_sensors
    ]


def present_window(snapshot: Snapshot) -> Evidence | None:
    """The window that is open or not counted yet."""
    window, ballot = snapshot.window, snapshot.state.ballot
    if window is None or ballot is None:
        return None
    return Evidence(
        ballot=ballot.number,
        candidate=window.candidate,
        length=window.length / MILLISECOND,
        touches=tuple(_touch(row.seat, row.down, row.up) for row in window.touches),
        hands=window.hands,
        late=(),
        rulings=_rulings(ballot.rulings, window.candidate),
        flagged=window.flagged,
    )


def window_name(evidence: Evidence) -> str:
    """What a window is called by within its game."""
    return f"{evidence.ballot}.{evidence.candidate}"


def counted_windows(state: State) -> dict[str, Evidence]:
    """Every counted window of the game that sensors have seen, by its name, in order."""
    ballots: list[Ballot | BallotRow] = list(state.ballots)
    if state.ballot is not None:
        ballots.append(state.ballot)
    return {window_name(one): one for ballot in ballots for one in windows_of(ballot)}


def _window(number: int, count: Count, votes: Votes, rulings: tuple[HandRuling, ...]) -> Evidence:
    return Evidence(
        ballot=number,
        candidate=count.candidate,
        length=count.closed / _MICROSECONDS,
        touches=tuple(_touch(row.seat, row.down, row.up) for row in count.touches),
        hands=votes.hands,
        late=votes.late,
        rulings=_rulings(rulings, count.candidate),
        flagged=count.flagged,
    )


def _touch(seat: int, down: int, up: int | None) -> Touch:
    return Touch(seat=seat, down=down / _MICROSECONDS, up=None if up is None else up / _MICROSECONDS)


def _rulings(rulings: tuple[HandRuling, ...], candidate: int) -> tuple[Ruling, ...]:
    return tuple(Ruling(seat=row.seat, counts=row.counts) for row in rulings if row.candidate == candidate)
