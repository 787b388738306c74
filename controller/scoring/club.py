"""The club's wills and its wrong votes on the critical circle (rules page, readings 14, 15, 23).

Both are for red players. A vote is critical where losing one red player lets the mafia win no later than in the
following night: red - 2 <= black.
"""

from collections.abc import Iterator
from decimal import Decimal

from controller.game.ballot import BallotKind
from controller.game.moment import Moment
from controller.game.outcome import Winner
from controller.game.roles import Team
from controller.game.seat import How, Seat
from controller.game.state import BallotRow, State
from controller.scoring.decimals import ZERO
from controller.scoring.table import Wills

FOUR = 4
SECOND_NIGHT = 2


def _team(state: State, number: int) -> Team | None:
    role = state.seat(number).role
    return role.team if role is not None else None


def _red(state: State, number: int) -> bool:
    return _team(state, number) is Team.RED


def critical(state: State, living: tuple[int, ...]) -> bool:
    """Whether a vote among `living` is critical."""
    red = sum(1 for number in living if _red(state, number))
    return red - 2 <= len(living) - red


# --- wills


def will_points(state: State, wills: Wills, seat: Seat) -> Decimal:
    """What the will of `seat` brings: 0 for whoever was not to leave one."""
    left, outcome = seat.left, state.outcome
    if left is None or left.how is not How.SHOT or left.at.number < SECOND_NIGHT or not _red(state, seat.number):
        return ZERO
    if outcome is None or outcome.winner not in (Winner.RED, Winner.BLACK):
        return ZERO
    row = next((row for row in state.wills if row.seat == seat.number), None)
    if row is not None and row.forgotten:
        return ZERO  # the judge forgot to ask
    if row is not None and row.named is not None and _team(state, row.named) is Team.BLACK:
        return wills.black_named if outcome.winner is Winner.BLACK else ZERO
    # A red player, or nobody: it counts where the next circle is critical, and there is one.
    if outcome.at <= left.at or not critical(state, _living_in_the_morning(state, left.at)):
        return ZERO
    return wills.red_named_black_won if outcome.winner is Winner.BLACK else wills.red_named_red_won


def _living_in_the_morning(state: State, night: Moment) -> tuple[int, ...]:
    gone = {row.seat for row in state.departures if row.at <= night}
    return tuple(seat.number for seat in state.seats if seat.number not in gone)


# --- wrong votes


def wrong_vote_points(state: State, wills: Wills, seat: Seat) -> Decimal:
    """What the hand of `seat` costs in the last vote before a win of the mafia, if it was critical."""
    if state.outcome is None or state.outcome.winner is not Winner.BLACK or not _red(state, seat.number):
        return ZERO
    votes = [row for row in state.ballots if row.kind is not BallotKind.RAISE]
    if not votes:
        return ZERO
    last = votes[-1]
    if not critical(state, last.voters):
        return ZERO
    today = [row for row in votes if row.at == last.at]
    if not _voted_wrong(state, last, seat.number) or _spared_by_the_revote(state, today, seat.number):
        return ZERO
    return wills.wrong_vote_at_four if len(last.voters) == FOUR else wills.wrong_vote


def _spared_by_the_revote(state: State, today: list[BallotRow], number: int) -> bool:
    """In a revote among red players alone, one who was against a black one before it is free."""
    if len(today) == 1 or not all(_red(state, seat) for seat in today[-1].candidates):
        return False
    return any(
        number in (*votes.hands, *votes.assigned) and not _red(state, votes.candidate)
        for row in today[:-1]
        for votes in row.votes
    )


def _hands_in_order(row: BallotRow) -> Iterator[tuple[int, int]]:
    """Each hand and the candidate's place, as they were given; those that fell to the last one come last."""
    for place, votes in enumerate(row.votes):
        for seat in votes.hands:
            yield seat, place
    for place, votes in enumerate(row.votes):
        for seat in votes.assigned:
            yield seat, place


def _voted_wrong(state: State, row: BallotRow, number: int) -> bool:
    """Whether `number` was against a red player, and not merely after everything was decided.

    A ballot is decided when the leader can no longer be caught by the hands left. A hand given after that is free if
    a black candidate was still to come.
    """
    counts = [0] * len(row.votes)
    left = sum(votes.total for votes in row.votes)
    black_to_come = False
    decided = False
    for seat, place in _hands_in_order(row):
        if seat == number:
            return _red(state, row.votes[place].candidate) and not (decided and black_to_come)
        counts[place] += 1
        left -= 1
        if not decided and _cannot_be_caught(counts, place, left):
            decided = True
            black_to_come = any(not _red(state, votes.candidate) for votes in row.votes[place + 1 :])
    return False


def _cannot_be_caught(counts: list[int], place: int, left: int) -> bool:
    """Whether the leader is sure, with `left` hands to come for the candidate at `place` or a later one."""
    leader = max(range(len(counts)), key=lambda index: counts[index])
    return all(
        counts[leader] > counts[index] + (left if index >= place else 0)
        for index in range(len(counts))
        if index != leader
    )
