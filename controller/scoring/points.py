"""The points of one game, seat by seat, by a scoring's table.

What needs more than one game (Ci, K) is the standings' business.
"""

from dataclasses import dataclass
from decimal import Decimal

from controller.game.outcome import Reason, Winner
from controller.game.roles import Role, Team
from controller.game.seat import How, Seat
from controller.game.state import State
from controller.scoring.club import will_points, wrong_vote_points
from controller.scoring.decimals import ZERO, best_move_values
from controller.scoring.table import RED, Table


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

    @property
    def total(self) -> Decimal:
        """All of them together."""
        parts = (self.main, self.best_move, self.award, self.penalty, self.compensation, self.will, self.wrong_vote)
        return sum((part for part in parts if part is not None), ZERO)


def points_of_game(state: State, table: Table) -> dict[int, Points]:
    """Every seat's points; while the game goes on, what stands already."""
    return {seat.number: _points(state, table, seat) for seat in state.seats}


def _points(state: State, table: Table, seat: Seat) -> Points:
    outcome = state.outcome
    if outcome is not None and outcome.reason is Reason.ANNULLED:
        return _empty(table, table.annulled)
    penalty = sum((row.points for row in state.penalties if row.seat == seat.number), ZERO)
    if seat.disqualified is not None and table.removed is not None:
        return _removed(state, table, seat, penalty)
    best_move = best_move_worth(state, table, seat)
    award = sum((row.points for row in state.awards if row.seat == seat.number), ZERO)
    if table.larger_of_award_and_best_move and best_move > 0 and award > 0:
        # wma 6.3.7; at the same value either will do.
        best_move, award = (ZERO, award) if award > best_move else (best_move, ZERO)
    if seat.disqualified is not None and seat.role in table.disqualified_roles:
        penalty += table.disqualified
    penalty += sum((table.technical_heavy if foul.heavy else table.technical_light for foul in seat.technical), ZERO)
    factor = table.factor
    return Points(
        main=_main(state, table, seat) * factor,
        best_move=best_move * factor,
        award=award * factor,
        penalty=penalty * factor,
        compensation=_compensation(state, table, seat) if table.compensates else None,
        will=will_points(state, table.wills, seat) if table.wills else None,
        wrong_vote=wrong_vote_points(state, table.wills, seat) if table.wills else None,
    )


def _empty(table: Table, main: Decimal, penalty: Decimal = ZERO) -> Points:
    none = ZERO if table.wills else None
    compensation = ZERO if table.compensates else None
    return Points(main=main, penalty=penalty, compensation=compensation, will=none, wrong_vote=none)


def _removed(state: State, table: Table, seat: Seat, penalty: Decimal) -> Points:
    """A removed player has one sum for the whole game, less the judge's penalties (ukraine 6.6; city, "Удаление")."""
    assert table.removed is not None
    main = table.removed
    if table.removed_lost is not None and removal_lost_the_game(state, seat):
        main = table.removed_lost
    return _empty(table, main, penalty)


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


def _main(state: State, table: Table, seat: Seat) -> Decimal:
    assert seat.role is not None or state.outcome is None
    if seat.role is None or state.outcome is None:
        return ZERO
    if seat.role is Role.MANIAC and state.outcome.offender == seat.number:
        return table.maniac_defeated
    if has_won(state, seat):
        return table.win.get(seat.role, ZERO)
    return table.loss.get(seat.role, ZERO) if has_lost(state, seat) else ZERO


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
