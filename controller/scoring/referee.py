"""The scoring's word over awards and penalties: what breaks a limit is refused with the limit and its clause."""

from dataclasses import dataclass
from decimal import Decimal

from controller.game.commands import Award, Command, Penalise
from controller.game.decide import unfold as unfold_play
from controller.game.draft import Draft
from controller.game.history import Unfold
from controller.game.outcome import Reason, Winner
from controller.game.phases import Over
from controller.game.refusal import Refusal, Refused, refuse
from controller.game.state import State
from controller.scoring.decimals import ZERO, shortest
from controller.scoring.points import best_move_worth, has_lost, has_won
from controller.scoring.table import Amount, Penalty, Table

LIMITED = (Award, Penalise)
"""The commands that a scoring has a word in."""


def referee(table: Table) -> Unfold:
    """How a game under this scoring is decided: the rules of play first, then the scoring's limits."""

    def unfold(state: State, command: Command) -> Draft | Refusal:
        draft = unfold_play(state, command)
        if isinstance(draft, Refusal) or not isinstance(command, LIMITED):
            return draft
        try:
            check(state, table, command)
        except Refused as refused:
            return refused.refusal
        return draft

    return unfold


def check(state: State, table: Table, command: Command) -> None:
    """Raises Refused if the scoring does not allow this award or penalty. Other commands are none of its business."""
    match command:
        case Award():
            _not_annulled(state)
            check_award(state, table, command)
        case Penalise():
            _not_annulled(state)
            check_penalty(state, table, command)
        case _:
            pass


def _not_annulled(state: State) -> None:
    if isinstance(state.phase, Over) and state.outcome is not None and state.outcome.reason is Reason.ANNULLED:
        raise refuse("game_annulled")


def check_award(state: State, table: Table, command: Award) -> None:
    """The limits of one award and of all together (fiim 8.4, wma 6.3, ukraine 8.4, city, club)."""
    awards, seat = table.awards, state.seat(command.seat)
    winner = state.outcome.winner if state.outcome is not None else None
    if winner is Winner.DRAW and not awards.in_draw:
        raise refuse("award_in_draw", clause=awards.draw_clause)
    if seat.disqualified is not None and table.removed is not None:
        raise refuse("award_to_removed", seat=seat.number, clause=table.removed_clause)
    _check_amount(awards.won if has_won(state, seat) else awards.lost, command)
    given = [row for row in state.awards if row.seat != command.seat]
    if (limit := awards.players) is not None:
        count = Decimal(len(given) + 1)
        if count > (limit.approved or limit.most):
            raise refuse("award_players", players=shortest(limit.approved or limit.most), clause=limit.clause)
        if count > limit.most and not command.approved:
            raise refuse("award_unapproved_player", players=shortest(limit.most), clause=limit.clause)
    if (limit := awards.total) is not None:
        after = _counted(state, table, command)
        if after > (limit.approved or limit.most):
            raise refuse("award_total", total=shortest(limit.approved or limit.most), clause=limit.clause)
        if after > limit.most and not command.approved:
            raise refuse("award_unapproved_total", total=shortest(limit.most), clause=limit.clause)
    team = seat.role.team if seat.role is not None else None
    if winner is not None and team is not None and (limit := awards.by_team.get((winner, team))) is not None:
        same = (row.points for row in given if (role := state.seat(row.seat).role) is not None and role.team is team)
        if sum(same, command.points) > limit.most:
            raise refuse("award_team_total", total=shortest(limit.most), clause=limit.clause)


def _check_amount(amount: Amount, command: Award) -> None:
    points = command.points
    if points > amount.most:
        raise refuse("award_too_large", seat=command.seat, most=shortest(amount.most), clause=amount.clause)
    if points < amount.least:
        raise refuse("award_too_small", seat=command.seat, least=shortest(amount.least), clause=amount.clause)
    if points % amount.step:
        raise refuse("award_step", step=shortest(amount.step), clause=amount.clause)
    if amount.approved_from is not None and points >= amount.approved_from and not command.approved:
        raise refuse("award_unapproved", approved_from=shortest(amount.approved_from), clause=amount.clause)


@dataclass(frozen=True, slots=True)
class Left:
    """What can still be awarded; None where no limit is stated. `approved`: with the chief judge's word."""

    total: Decimal | None
    total_approved: Decimal | None
    players: int | None
    players_approved: int | None


def left_to_award(state: State, table: Table) -> Left:
    """What the limits of all awards together leave."""
    awards, count = table.awards, len(state.awards)
    given = _sum(state, table, tuple((row.seat, row.points) for row in state.awards))
    total, players = awards.total, awards.players
    return Left(
        total=None if total is None else max(ZERO, total.most - given),
        total_approved=None if total is None else max(ZERO, (total.approved or total.most) - given),
        players=None if players is None else max(0, int(players.most) - count),
        players_approved=None if players is None else max(0, int(players.approved or players.most) - count),
    )


def _counted(state: State, table: Table, command: Award) -> Decimal:
    """The sum of awards with this one."""
    given = tuple((row.seat, row.points) for row in state.awards if row.seat != command.seat)
    return _sum(state, table, (*given, (command.seat, command.points)))


def _sum(state: State, table: Table, awards: tuple[tuple[int, Decimal], ...]) -> Decimal:
    """The sum of awards. One that a larger best move sets aside is not in it (wma 6.3.7)."""
    total = ZERO
    for number, points in awards:
        set_aside = table.larger_of_award_and_best_move and best_move_worth(state, table, state.seat(number)) >= points
        total += ZERO if set_aside else points
    return total


def check_penalty(state: State, table: Table, command: Penalise) -> None:
    """How much a penalty is, and who can have deserved it (fiim 8.5, wma 6.4, ukraine 6.3, city, club)."""
    penalty = _penalty(table, command.clause)
    seat = state.seat(command.seat)
    points = command.points
    largest = penalty.most if penalty.repeats else penalty.points
    fits = points % penalty.points == 0 if penalty.repeats else points == penalty.points
    if not fits or (largest is not None and points < largest):
        raise refuse("penalty_amount", points=shortest(penalty.points), clause=penalty.clause)
    if seat.role not in penalty.roles:
        raise refuse("penalty_role", seat=seat.number, clause=penalty.clause, secret=False)
    if penalty.lost and not has_lost(state, seat):
        raise refuse("penalty_not_lost", seat=seat.number, clause=penalty.clause)


def _penalty(table: Table, clause: str | None) -> Penalty:
    found = table.penalties.get(clause or "")
    if found is None and not table.other_clauses:
        raise refuse("no_such_penalty", clause_named=clause or "", scoring=table.name)
    return found or table.penalties[""]


__all__ = ["Left", "check", "left_to_award", "referee"]
