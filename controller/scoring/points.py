"""The points of one game, seat by seat, by a scoring's table.

What needs more than one game (Ci, K) is the standings' business.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from controller.game.outcome import Reason, Winner
from controller.game.roles import Role, Team
from controller.game.seat import How, Seat
from controller.game.state import State
from controller.scoring.club import will_points, wrong_vote_points
from controller.scoring.decimals import ZERO, best_move_values, shortest
from controller.scoring.table import RED, Table


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a player's game and the clause that it comes from."""

    what: str
    """A field of `Points`."""
    value: Decimal
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """One player's points for one game. None: the scoring has no such points."""

    main: Decimal = ZERO
    best_move: Decimal = ZERO
    award: Decimal = ZERO
    penalty: Decimal = ZERO
    """The judge's and the one for disqualification, negative."""
    compensation: Decimal | None = None
    will: Decimal | None = None
    wrong_vote: Decimal | None = None
    parts: tuple[Part, ...] = ()
    """What the sums are made of."""

    @property
    def total(self) -> Decimal:
        """All of them together."""
        sums = (self.main, self.best_move, self.award, self.penalty, self.compensation, self.will, self.wrong_vote)
        return sum((one for one in sums if one is not None), ZERO)


def points_of_game(state: State, table: Table) -> dict[int, Points]:
    """Every seat's points; while the game goes on, what stands already."""
    return {seat.number: _points(state, table, seat) for seat in state.seats}


def _points(state: State, table: Table, seat: Seat) -> Points:
    parts = tuple(part for part in _parts(state, table, seat) if part.value)
    sums = {
        "main": ZERO,
        "best_move": ZERO,
        "award": ZERO,
        "penalty": ZERO,
        **({"compensation": ZERO} if table.compensates else {}),
        **({"will": ZERO, "wrong_vote": ZERO} if table.wills else {}),
    }
    for part in parts:
        sums[part.what] += part.value
    return Points(**sums, parts=parts)


def _parts(state: State, table: Table, seat: Seat) -> Iterator[Part]:
    outcome = state.outcome
    if outcome is not None and outcome.reason is Reason.ANNULLED:
        yield Part("main", table.annulled, table.clause("annulled"))
        return
    fines = [
        Part("penalty", row.points, row.clause or table.penalties[""].clause)
        for row in state.penalties
        if row.seat == seat.number
    ]
    if seat.disqualified is not None and table.removed is not None:
        # He has one sum for the whole game, less the judge's penalties (ukraine 6.6; city, "Удаление").
        yield _removed(state, table, seat, table.removed)
        yield from fines
        return
    counted = [_main(state, table, seat), *_gains(state, table, seat), *fines]
    if seat.disqualified is not None and seat.role in table.disqualified_roles:
        counted.append(Part("penalty", table.disqualified, table.clause("disqualified")))
    for foul in seat.technical:
        what = "technical_heavy" if foul.heavy else "technical_light"
        counted.append(Part("penalty", getattr(table, what), table.clause(what)))
    for part in counted:
        factor = f", x{shortest(table.factor)} {table.clause('factor')}" if table.factor != 1 else ""
        yield Part(part.what, part.value * table.factor, part.clause + factor)
    yield Part("compensation", _compensation(state, table, seat), table.clause("first_shot"))
    if table.wills is not None:
        yield Part("will", will_points(state, table.wills, seat), table.clause("will"))
        yield Part("wrong_vote", wrong_vote_points(state, table.wills, seat), table.clause("wrong_vote"))


def _gains(state: State, table: Table, seat: Seat) -> Iterator[Part]:
    """The best move and the judge's awards."""
    worth = best_move_worth(state, table, seat)
    amount = table.awards.won if has_won(state, seat) else table.awards.lost
    award = sum((row.points for row in state.awards if row.seat == seat.number), ZERO)
    if table.larger_of_award_and_best_move and worth > 0 and award > 0:
        # wma 6.3.7; at the same value either will do.
        if award > worth:
            yield Part("award", award, f"{amount.clause}, {table.clause('larger')}")
        else:
            yield Part("best_move", worth, f"{table.clause('best_move')}, {table.clause('larger')}")
        return
    yield Part("best_move", worth, table.clause("best_move"))
    yield Part("award", award, amount.clause)


def _removed(state: State, table: Table, seat: Seat, worth: Decimal) -> Part:
    if table.removed_lost is not None and removal_lost_the_game(state, seat):
        return Part("main", table.removed_lost, table.clause("removed_lost"))
    return Part("main", worth, table.removed_clause)


def removal_lost_the_game(state: State, seat: Seat) -> bool:
    """Whether the game ended with the removal of `seat`, against its team (city, "Удаление, которое привело")."""
    outcome, left = state.outcome, seat.left
    if outcome is None or left is None or left.how not in (How.FOULED, How.REMOVED):
        return False
    if outcome.reason is Reason.TEAM_DEFEAT:
        return False  # the defeat was given, not come by
    return state.departures[-1].seat == seat.number and has_lost(state, seat)


def has_won(state: State, seat: Seat) -> bool:
    """Whether the team of `seat` has won."""
    winner = state.outcome.winner if state.outcome is not None else None
    return winner is not None and seat.role is not None and winner.value == seat.role.team.value


def has_lost(state: State, seat: Seat) -> bool:
    """Whether another team than that of `seat` has won; a draw is no loss."""
    winner = state.outcome.winner if state.outcome is not None else None
    return winner not in (None, Winner.DRAW) and not has_won(state, seat)


def _main(state: State, table: Table, seat: Seat) -> Part:
    assert seat.role is not None or state.outcome is None
    if seat.role is None or state.outcome is None:
        return Part("main", ZERO, "")
    if seat.role is Role.MANIAC and state.outcome.offender == seat.number:
        return Part("main", table.maniac_defeated, table.clause("maniac_defeated"))
    if has_won(state, seat):
        return Part("main", table.win.get(seat.role, ZERO), table.clause("win", seat.role))
    lost = table.loss.get(seat.role, ZERO) if has_lost(state, seat) else ZERO
    return Part("main", lost, table.clause("loss", seat.role))


def best_move_worth(state: State, table: Table, seat: Seat) -> Decimal:
    """What the best move of `seat` is worth by itself: for red players alone (fiim 8.3.4, ukraine 8.3.1, club)."""
    row, values = state.best_move, table.best_move
    if row is None or values is None or row.seat != seat.number or seat.role not in RED:
        return ZERO
    black = sum(1 for number in row.numbers if _black(state, number))
    if values.of_tournament:
        return best_move_values(state.rules.best_move_points).get(black, ZERO)
    red_won = state.outcome is not None and state.outcome.winner is Winner.RED
    if len(row.numbers) == 3 and black == 0:
        return values.three_red
    return (values.red_won if red_won else values.red_lost).get(black, ZERO)


def _black(state: State, number: int) -> bool:
    role = state.seat(number).role
    return role is not None and role.team is Team.BLACK


FIRST_NIGHT = 1
SHOT = frozenset({How.SHOT, How.MANIAC})
"""The beauty's guest is not one who was shot (city, "Любой игрок, отстрелившийся в первую ночь")."""


def _compensation(state: State, table: Table, seat: Seat) -> Decimal:
    left = seat.left
    if left is None or left.how not in SHOT or left.at.day or left.at.number != FIRST_NIGHT:
        return ZERO
    black_won = state.outcome is not None and state.outcome.winner is Winner.BLACK
    if seat.role not in table.first_shot_roles or not (table.first_shot_any_winner or black_won):
        return ZERO
    return table.first_shot
