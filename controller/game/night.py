"""The night: who is called, shots, checks, and who leaves by it (fiim 4.2, 4.5; city's acts in `city.py`)."""

from collections.abc import Iterator

from controller.game.commands import Check, Shoot
from controller.game.departures import conclude, leave, settle
from controller.game.draft import Draft
from controller.game.events import Checked, NightEnded, PhaseBegan, Shot
from controller.game.moment import Moment
from controller.game.outcome import Outcome, Reason, Winner
from controller.game.phases import Acquaintance, Morning, Night, Over
from controller.game.refusal import refuse
from controller.game.roles import Role
from controller.game.rules import Wake, Waking
from controller.game.seat import How
from controller.game.state import NightRow, State

# --- who is called


def wakes(state: State) -> tuple[Wake, ...]:
    """The calls of this night; the same whoever lives, so that the calling tells nothing (rules page, reading 5)."""
    return state.rules.acquaintance if isinstance(state.phase, Acquaintance) else state.rules.night


def waking(state: State) -> Wake | None:
    """Who is called now."""
    match state.phase:
        case Acquaintance(step) | Night(step):
            return wakes(state)[step]
        case _:
            return None


def _called(state: State, calls: tuple[Wake, ...], after: int) -> Iterator[int]:
    for step in range(after + 1, len(calls)):
        call = calls[step]
        if call.needs and call.needs.isdisjoint([seat.role for seat in state.seats]):
            continue
        if call.least_living and _lived_at_nightfall(state) < call.least_living:
            continue
        yield step


def _lived_at_nightfall(state: State) -> int:
    """How many lived when this night fell; one sent off since then is among them (rules page, reading 24)."""
    return sum(1 for seat in state.seats if seat.left is None or seat.left.at == state.at)


def calls_of(state: State) -> tuple[Wake, ...]:
    """The calls that this night has, in order, the one before which everybody has fallen asleep first; by day none."""
    if not isinstance(state.phase, Acquaintance | Night):
        return ()
    calls = wakes(state)
    return tuple(calls[step] for step in _called(state, calls, -1))


def next_call(state: State) -> int | None:
    """The step of the next call of this night; None after the last."""
    match state.phase:
        case Acquaintance(step) | Night(step):
            return next(_called(state, wakes(state), step), None)
        case _:
            return None


def first_acquaintance(draft: Draft) -> None:
    """Night 0 begins."""
    state = draft.state
    step = next(_called(state, state.rules.acquaintance, -1))
    draft.emit(PhaseBegan(Acquaintance(step), state.at))


def fall(draft: Draft) -> None:
    """Night falls after the day (fiim 4.5.1)."""
    _begin_night(draft, draft.state.at.following)


def fall_now(draft: Draft) -> None:
    """The night of a position set by hand begins."""
    _begin_night(draft, draft.state.at)


def _begin_night(draft: Draft, at: Moment) -> None:
    step = next(_called(draft.state, draft.state.rules.night, -1))
    draft.emit(PhaseBegan(Night(step), at))


def call_next(draft: Draft) -> None:
    """The next of this night is called."""
    step = next_call(draft.state)
    assert step is not None
    kind = type(draft.state.phase)
    assert kind is Acquaintance or kind is Night
    draft.emit(PhaseBegan(kind(step), draft.state.at))


# --- shots


def living_black(state: State) -> tuple[int, ...]:
    """Who shoots tonight."""
    return tuple(seat.number for seat in state.seats if seat.acts and seat.role is not None and seat.role.black)


def in_step(state: State, *steps: Waking) -> NightRow:
    """The present night, if one of `steps` is called now; refused otherwise."""
    call = waking(state)
    if not isinstance(state.phase, Night) or call is None or call.step not in steps or state.tonight is None:
        raise refuse("not_called_now", not_now=True, clause="4.5")
    return state.tonight


def check_shoot(state: State, command: Shoot) -> None:
    """Shots of living black players, once a night, at seats of this table (fiim 4.5.3)."""
    night = in_step(state, Waking.SHOOTING)
    if night.shots is not None:
        raise refuse("shots_recorded", night=night.night)
    shooters = living_black(state)
    seen: set[int] = set()
    for shooter, targets in command.shots:
        if shooter in seen:
            raise refuse("shooter_twice", seat=shooter)
        seen.add(shooter)
        if shooter not in shooters:
            raise refuse("cannot_shoot", seat=shooter, clause="4.5.3", secret=True)
        for target in targets:
            _at_table(state, target)
    if command.everybody_at is not None:
        _at_table(state, command.everybody_at)


def _at_table(state: State, number: int) -> None:
    if not 1 <= number <= len(state.seats):
        raise refuse("no_such_seat", seat=number, seats=len(state.seats))


def shoot(draft: Draft, command: Shoot) -> None:
    """All living black at the same player, once each, kills; anything else is a miss (fiim 4.5.4, 4.5.5)."""
    shooters = living_black(draft.state)
    if command.everybody_at is not None:
        shots = tuple((shooter, (command.everybody_at,)) for shooter in shooters)
    elif command.missed:
        shots = ()
    else:
        said = dict(command.shots)
        shots = tuple((shooter, said.get(shooter, ())) for shooter in shooters)
    targets = {aimed for _, aimed in shots}
    kill: int | None = None
    if shots and len(targets) == 1:
        (aimed,) = targets
        # A dead seat may be shot at, and nobody leaves.
        if len(aimed) == 1 and draft.state.seat(aimed[0]).in_play:
            kill = aimed[0]
    draft.emit(Shot(shots, kill))


# --- checks


def check_check(state: State, command: Check) -> None:
    """One check a night by the living don and sheriff (fiim 4.5.6 to 4.5.8)."""
    step = Waking.DON if command.by is Role.DON else Waking.SHERIFF
    if command.by not in (Role.DON, Role.SHERIFF):
        raise refuse("does_not_check", role=command.by)
    night = in_step(state, step)
    if command.by.value in night.acted:
        raise refuse("check_recorded", role=command.by, clause="4.5.8", secret=True)
    if command.seat is None:
        return
    _at_table(state, command.seat)
    holder = state.holder(command.by)
    if holder is None or not holder.acts:
        raise refuse("role_is_dead", role=command.by, clause="4.5.8", secret=True)


def check(draft: Draft, command: Check) -> None:
    """The don looks for the sheriff, the sheriff for black (fiim 4.5.6, 4.5.7)."""
    hit = False
    if command.seat is not None:
        role = draft.state.seat(command.seat).role
        assert role is not None
        hit = role is Role.SHERIFF if command.by is Role.DON else _looks_black(draft.state, role)
    draft.emit(Checked(command.by, command.seat, hit))


def _looks_black(state: State, role: Role) -> bool:
    if role.black:
        return True
    # city, "Комиссар просыпается": the maniac shows black once no mafia is at the table.
    return role is Role.MANIAC and not state.living_with(Role.MAFIA, Role.DON)


# --- the end of the night


def check_night_is_recorded(state: State) -> None:
    """A night cannot be passed before its shooting is recorded (city: without any act)."""
    night, call = state.tonight, waking(state)
    assert night is not None
    assert call is not None
    if call.step is Waking.SHOOTING and night.shots is None:
        raise refuse("shots_not_recorded", night=night.night, clause="4.5.5")
    if next_call(state) is None and night.shots is None and not night.acted:
        raise refuse("night_not_recorded", night=night.night)


def victim_of_the_shooting(state: State) -> tuple[tuple[int, How], ...]:
    """The one whom all living black shot (fiim 4.5.4)."""
    night = state.tonight
    if night is None or night.kill is None or not state.seat(night.kill).in_play:
        return ()
    return ((night.kill, How.SHOT),)


def night_of_act(state: State, number: int) -> NightRow | None:
    """The row of night `number`."""
    return next((row for row in state.nights if row.night == number), None)


def leave_tonight(draft: Draft) -> None:
    """The night's victims leave, and whoever was sent off tonight in the belief that he was one of them."""
    state = draft.state
    victims = state.rules.victims(state)
    killed = {seat for seat, _ in victims}
    sent_off = tuple(
        (seat.number, seat.disqualified)
        for seat in state.seats
        if seat.disqualified is not None and seat.in_play and seat.number not in killed
    )
    leave(draft, (*victims, *sent_off))
    for seat, _ in sent_off:
        state.rules.removed(draft, seat, None)  # city: healed after all, so removed in the night («Важно!»)


def end_night(draft: Draft) -> None:
    """The killed leave at the end of the night, and it is morning (fiim 4.5.4)."""
    if isinstance(draft.state.phase, Night):
        leave_tonight(draft)
    close_night(draft)


def close_night(draft: Draft) -> None:
    """The night's row is closed, the win and the three misses fall due, and the day breaks."""
    state = draft.state
    if not isinstance(state.phase, Acquaintance):
        gone = (row for row in state.departures if row.at == state.at)
        draft.emit(NightEnded(tuple(row.seat for row in gone if row.how not in (How.FOULED, How.REMOVED))))
    at = draft.state.at
    settle(draft)
    if draft.state.outcome is None and three_misses(draft.state):
        conclude(draft, Outcome(Winner.RED, Reason.THREE_MISSES, at))
    if draft.state.outcome is None and quiet_circles(draft.state):
        conclude(draft, Outcome(Winner.DRAW, Reason.THREE_QUIET_CIRCLES, at))
    if not isinstance(draft.state.phase, Over):
        draft.emit(PhaseBegan(Morning(), at.following))


def three_misses(state: State) -> bool:
    """Three nights in a row without a kill, with exactly four living all along (fiim 7.8, ukraine 7.2)."""
    if not state.rules.three_misses or state.at.day or len(state.living) != 4:
        return False
    last = state.nights[-3:]
    if len(last) < 3 or any(night.killed for night in last):
        return False
    return not _left_since(state, state.at.number - 2)


def quiet_circles(state: State) -> bool:
    """Whether a draw falls due: three nights and days in a row, from a night, with nobody leaving (fiim 7.9)."""
    circles = state.rules.quiet_circles
    if not circles or state.at.day is state.rules.draw_after_night:
        return False
    # Day D closes nights D-3 to D-1 and days D-2 to D; night 0 has no shooting and does not count.
    first = state.at.number - circles + (0 if state.at.day else 1)
    return first >= 1 and not _left_since(state, first)


def _left_since(state: State, night: int) -> bool:
    """Whether anybody has left from night `night` on."""
    return any(row.at >= Moment.night_of(night) for row in state.departures)
