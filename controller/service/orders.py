"""From what a page said to what the table is asked. Nothing is judged here: whether it is legal is the game's word."""

import re
from decimal import Decimal
from typing import assert_never

from controller.game import commands as play
from controller.game.ballot import RAISE
from controller.game.moment import Moment
from controller.game.position import Position
from controller.game.refusal import Refused, refuse
from controller.game.roles import Role
from controller.game.seat import How
from controller.game.state import State
from controller.table import wishes
from controller.table.state import Snapshot, Stage
from controller.table.terms import NoSuchTerms, under
from controller.table.wishes import TableCommand
from controller.views import commands as said

_MOST_SEATS = 20
_NUMBER = re.compile(r"[0-9]{1,2}")
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that turn the direction of whatever stands behind them, also beyond a name's end."""


def wanted(order: said.AnyOrder, snapshot: Snapshot, variant: str = "") -> play.Command | TableCommand:
    """What `order` asks of the table as it is in `snapshot`. Raises Refused where it makes no sense at all.

    `variant` is the text of the tournament's own file, where the settings name one.
    """
    match order:
        case said.Undo():
            return wishes.Undo()
        case said.Redo():
            return wishes.Redo()
        case said.Replace(decision, with_):
            # What was meant is read as it was then: the candidate whose turn it was, not the one of now.
            then = next((taken.before for taken in snapshot.history if taken.number == decision), snapshot.state)
            command = _played(with_, then)
            if not isinstance(command, play.Command):
                raise refuse("malformed", field="with")
            return wishes.Replace(decision, command)
        case said.Timer(running):
            return wishes.SetTimer(running)
        case said.Stop(stopped):
            return wishes.SetStopped(stopped)
        case said.SetUp():
            header = wishes.Header(
                event=_plain(order.event),
                stage=_plain(order.stage),
                game=order.game,
                table=order.table,
                judge=_plain(order.judge),
                ruleset=snapshot.header.ruleset,
                scoring=snapshot.header.scoring,
                variant=snapshot.header.variant,
                options=snapshot.header.options if order.options is None else tuple(sorted(order.options.items())),
            )
            if order.ruleset is not None:
                try:
                    header = under(order.ruleset, header, variant)
                except NoSuchTerms as wrong:
                    raise Refused(wrong.refusal) from wrong
            return wishes.SetUp(header, tuple(_plain(name) for name in order.names))
        case said.NewGame():
            return wishes.NewGame()
        case said.Suggest():
            return wishes.Suggest(order.seat, order.what, order.clause, _plain(order.text))
        case said.AnswerSuggestion(suggestion, taken):
            return wishes.Answer(suggestion, taken)
        case said.Side(gives):
            return wishes.SetSide(gives)
        case said.Sign():
            return wishes.Sign()
        case said.AnnounceCount():
            return wishes.AnnounceCount()
        case said.CloseWindow():
            window = snapshot.window
            if window is not None and window.stage in (Stage.WAITING, Stage.UNDECIDED):
                return wishes.CountWindow(window.opened)
            return wishes.CloseWindow()
        case _:
            return _played(order, snapshot.state)


def _played(order: said.PlayOrder, state: State) -> play.Command | TableCommand:
    match order:
        case said.Next():
            return play.Next()
        case said.Deal(seat, role):
            return play.Deal(seat, role)
        case said.Nominate(by, seat):
            return play.Nominate(by, seat)
        case said.Withdraw(by):
            return play.Withdraw(by)
        case said.Foul(seat, clause):
            return play.Foul(seat, clause)
        case said.Technical(seat, heavy, clause):
            return play.TechnicalFoul(seat, heavy, clause)
        case said.Warn(seat, clause):
            return play.Warn(seat, clause)
        case said.Remove(seat, clause):
            return play.Remove(seat, clause)
        case said.Defeat(seat, clause):
            return play.Defeat(seat, clause)
        case said.OpenWindow():
            return play.OpenWindow()
        case said.CloseWindow():
            return wishes.CloseWindow()
        case said.VoidWindow():
            return play.VoidWindow()
        case said.Rule(candidate, seat, counts):
            return play.RuleHand(candidate or RAISE, seat, counts)
        case said.Count(seats):
            return play.CountVote(_due(state), seats)
        case said.Give(proposal):
            return play.Give(proposal)
        case said.Waive(proposal):
            return play.Waive(proposal)
        case said.Shoot():
            return play.Shoot(_shots(order), order.at, order.miss)
        case said.Check(by, seat):
            return play.Check(Role(by), seat)
        case said.Kill():
            return play.Kill(order.at, _choices(order))
        case said.Act(by, seats):
            return play.Act(Role(by), seats)
        case said.Will(seat, named, forgotten):
            return play.Will(seat, named, forgotten)
        case said.BestMove(seat, numbers):
            return play.BestMove(seat, numbers)
        case said.Award(seat, points, approved):
            return play.Award(seat, _points(points), approved)
        case said.Penalty(seat, points, clause):
            return play.Penalise(seat, _points(points), clause)
        case said.Protest(seat, text):
            return play.Protest(seat, text)
        case said.Position():
            return play.SetPosition(_position(order))
        case said.Annul():
            return play.Annul()
        case _:
            assert_never(order)


def _position(order: said.Position) -> Position:
    """Who is out has left by night or by day of the round before, by the way of leaving; the paper says no more."""
    at = Moment(order.day, order.round)

    def left_at(how: How) -> Moment:
        if how is How.SHOT:
            return Moment.night_of(max(1, order.round - 1))
        return Moment(day=True, number=max(1, order.round - 1)) if order.round > 1 else at

    fouls = tuple((_shooter(seat, "fouls"), count) for seat, count in order.fouls.items())
    left = tuple((seat, How(how), min(left_at(How(how)), at)) for seat, how in order.left)
    nominated = tuple((0, seat) for seat in order.nominated)
    return Position(at, left, fouls, order.silent, nominated, order.speaker)


def _due(state: State) -> int:
    """The candidate whose turn it is; where none is, the game refuses whatever is named."""
    ballot = state.ballot
    return RAISE if ballot is None or ballot.due is None else ballot.due


def _shots(order: said.Shoot) -> tuple[tuple[int, tuple[int, ...]], ...]:
    if (order.at is not None) + order.miss + bool(order.shots) != 1:
        raise refuse("malformed", field="shots")
    return tuple((_shooter(shooter, "shots"), targets) for shooter, targets in order.shots.items())


def _choices(order: said.Kill) -> tuple[tuple[int, int], ...]:
    if order.at is not None and order.choices:
        raise refuse("malformed", field="choices")
    return tuple((_shooter(shooter, "choices"), target) for shooter, target in order.choices.items())


def _shooter(said_: str, field: str) -> int:
    number = int(said_) if _NUMBER.fullmatch(said_) else 0
    if not 1 <= number <= _MOST_SEATS:
        raise refuse("malformed", field=field)
    return number


def _points(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _plain(text: str) -> str:
    return text.translate(_TURNING)
