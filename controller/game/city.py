"""City's own night: the don's word, the maniac, the beauty and her guest, the doctor, mines and the avenger.

`city` text, paragraphs named by their first words; rules page, readings 16, 17 and 24.
"""

from controller.game.commands import Act, Kill
from controller.game.departures import leave, settle
from controller.game.draft import Draft
from controller.game.events import Acted, PhaseBegan, Shot, VoterRemoved
from controller.game.fouls import cancel_vote
from controller.game.night import close_night, in_step, leave_tonight, living_black, night_of_act, waking
from controller.game.outcome import Outcome, Reason, Winner
from controller.game.phases import Choosing, Dusk, Over
from controller.game.refusal import refuse
from controller.game.roles import Role, Team
from controller.game.rules import Waking
from controller.game.seat import How
from controller.game.speeches import begin_last_word
from controller.game.state import NightRow, State

# --- the mafia's kill


def check_kill(state: State, command: Kill) -> None:
    """What the mafia want, once a night, at living players («Мафия вместе с Доном просыпается»)."""
    night = in_step(state, Waking.KILL)
    if night.shots is not None:
        raise refuse("shots_recorded", night=night.night)
    shooters = living_black(state)
    seen: set[int] = set()
    for shooter, target in command.choices:
        if shooter in seen:
            raise refuse("shooter_twice", seat=shooter)
        seen.add(shooter)
        if shooter not in shooters:
            raise refuse("cannot_shoot", seat=shooter, secret=True)
        _living_target(state, target)
    if command.together is not None:
        if not shooters:
            raise refuse("role_is_dead", role=Role.MAFIA, secret=True)
        _living_target(state, command.together)


def _living_target(state: State, number: int) -> None:
    if not 1 <= number <= len(state.seats):
        raise refuse("no_such_seat", seat=number, seats=len(state.seats))
    if not state.seat(number).in_play:
        raise refuse("not_living", seat=number)


def kill(draft: Draft, command: Kill) -> None:
    """The don's word stands; without him all living mafia must show the same player, else nobody is killed."""
    state = draft.state
    shooters = living_black(state)
    wanted = dict(command.choices)
    if command.together is not None:
        wanted = dict.fromkeys(shooters, command.together)
    don = state.holder(Role.DON)
    target: int | None = None
    if don is not None and don.acts:
        target = wanted.get(don.number)
    elif wanted and set(wanted) == set(shooters) and len(set(wanted.values())) == 1:
        target = next(iter(wanted.values()))
    shots = tuple((shooter, (wanted[shooter],) if shooter in wanted else ()) for shooter in shooters)
    draft.emit(Shot(shots if wanted else (), target))


# --- the other acts

HOW_MANY = {Role.MANIAC: 1, Role.BEAUTY: 1, Role.DOCTOR: 1, Role.BOMBER: 2, Role.AVENGER: 1}
NOT_TWICE_RUNNING = frozenset({Role.BEAUTY, Role.DOCTOR, Role.BOMBER})
FEWEST_FOR_MINES = 5


def check_act(state: State, command: Act) -> None:
    """An act of the role that is called, within its limits (rules page, reading 17)."""
    if command.by not in HOW_MANY:
        raise refuse("does_not_act", role=command.by)
    if command.by is Role.AVENGER:
        _check_choice(state, command)
        return
    call = waking(state)
    if call is None or call.step.value != command.by.value:
        raise refuse("not_called_now", not_now=True)
    night = in_step(state, call.step)
    if command.by.value in night.acted:
        raise refuse("act_recorded", role=command.by, secret=True)
    if not command.seats:
        return
    holder = state.holder(command.by)
    if holder is None or not holder.acts:
        raise refuse("role_is_dead", role=command.by, secret=True)
    _check_targets(state, command)
    if command.by is Role.BEAUTY and command.seats[0] == holder.number:
        raise refuse("not_oneself", role=command.by)
    if command.by in NOT_TWICE_RUNNING:
        before = night_of_act(state, night.night - 1)
        for seat in command.seats:
            if before is not None and seat in before.act(command.by):
                raise refuse("not_twice_running", role=command.by, seat=seat)
    heals_himself = command.by is Role.DOCTOR and command.seats[0] == holder.number
    if heals_himself and any(holder.number in row.act(Role.DOCTOR) for row in state.nights):
        raise refuse("heals_himself_once", secret=True)
    if command.by is Role.BOMBER:
        _check_mines(state, holder.number, command.seats)


def _check_targets(state: State, command: Act) -> None:
    if len(command.seats) != HOW_MANY[command.by]:
        raise refuse("so_many_seats", role=command.by, seats=HOW_MANY[command.by])
    if len(set(command.seats)) != len(command.seats):
        raise refuse("number_twice", seat=command.seats[0])
    for seat in command.seats:
        _living_target(state, seat)


def neighbours(state: State, number: int) -> frozenset[int]:
    """The next living seat on either side of `number`."""
    count = len(state.seats)
    found: set[int] = set()
    for direction in (1, -1):
        for step in range(1, count):
            seat = (number - 1 + direction * step) % count + 1
            if state.seat(seat).in_play and seat != number:
                found.add(seat)
                break
    return frozenset(found)


def _check_mines(state: State, bomber: int, seats: tuple[int, ...]) -> None:
    if bomber in seats:
        raise refuse("not_oneself", role=Role.BOMBER)
    if not set(seats) & neighbours(state, bomber):
        raise refuse("no_neighbour_mined")


def act(draft: Draft, command: Act) -> None:
    """The act is noted; what comes of it is seen when the night ends."""
    draft.emit(Acted(command.by, command.seats))


# --- who leaves by the night


def victims(state: State) -> tuple[tuple[int, How], ...]:
    """The mafia's victim and guest, then the maniac's and guest (rules page, reading 17)."""
    night = state.tonight
    if night is None:
        return ()
    found: dict[int, How] = {}
    shots = [(night.kill, How.SHOT)] + [(seat, How.MANIAC) for seat in night.act(Role.MANIAC)]
    for target, how in shots:
        if target is not None:
            for seat, what in _one_shot(state, night, target, how):
                found.setdefault(seat, what)
    return tuple((seat, how) for seat, how in found.items() if state.seat(seat).in_play)


def _one_shot(state: State, night: NightRow, target: int, how: How) -> list[tuple[int, How]]:
    guest = next(iter(night.act(Role.BEAUTY)), None)
    healed = night.act(Role.DOCTOR)
    beauty = state.holder(Role.BEAUTY)
    if target == guest:
        return []  # not at home
    if target in healed:
        return []  # healing the beauty saves her guest too
    fallen = [(target, how)]
    if beauty is not None and target == beauty.number and guest is not None and guest not in healed:
        fallen.append((guest, How.GUEST))
    return fallen


def taken_along(state: State, leaving: tuple[tuple[int, How], ...]) -> tuple[tuple[int, How], ...]:
    """The bomber's mines of the last night go off with him, unless he was sent off (rules page, reading 16)."""
    bomber = state.holder(Role.BOMBER)
    if bomber is None or not state.nights:
        return ()
    for seat, how in leaving:
        if seat == bomber.number and how not in (How.FOULED, How.REMOVED):
            return tuple((mined, How.BLAST) for mined in state.nights[-1].act(Role.BOMBER) if state.seat(mined).in_play)
    return ()


# --- the avenger

AVENGES_AFTER = frozenset({How.SHOT, How.MANIAC, How.GUEST, How.VOTED, How.RAISED, How.AVENGED})


def avenger_chooses(state: State) -> bool:
    """Whether the avenger has just left in a way that lets him take somebody along, and has not chosen yet."""
    avenger = state.holder(Role.AVENGER)
    if avenger is None or avenger.left is None or avenger.left.how not in AVENGES_AFTER:
        return False
    return avenger.disqualified is None and state.avenger_choice is None


def avenger_falls_tonight(state: State) -> bool:
    """Whether the avenger is among this night's victims; one who is blown up does not avenge (reading 16)."""
    avenger = state.holder(Role.AVENGER)
    return avenger is not None and avenger.acts and avenger.number in {seat for seat, _ in state.rules.victims(state)}


def begin_choice(draft: Draft, *, evening: bool) -> None:
    """The others wear their masks; the avenger points at somebody living."""
    avenger = draft.state.holder(Role.AVENGER)
    assert avenger is not None
    draft.emit(PhaseBegan(Choosing(avenger.number, evening), draft.state.at))


def choice_at_night(draft: Draft) -> None:
    """The victims leave, and the avenger among them chooses before the others wake."""
    leave_tonight(draft)
    begin_choice(draft, evening=False)


def _check_choice(state: State, command: Act) -> None:
    if not isinstance(state.phase, Choosing):
        raise refuse("not_called_now", not_now=True)
    if state.avenger_choice is not None:
        raise refuse("act_recorded", role=command.by)
    if state.seat(state.phase.seat).disqualified is not None:
        raise refuse("already_removed", seat=state.phase.seat)  # «Если Мститель покидает игру набрав 4 замечания»
    if command.seats:
        _check_targets(state, command)


def _take(draft: Draft) -> None:
    if draft.state.avenger_choice is None:
        draft.emit(Acted(Role.AVENGER, ()))
    chosen = draft.state.avenger_choice or ()
    leave(draft, tuple((seat, How.AVENGED) for seat in chosen if draft.state.seat(seat).in_play))


def night_after_choice(draft: Draft) -> None:
    """Whom the avenger chose leaves with him, and the night ends."""
    _take(draft)
    close_night(draft)


def evening_after_choice(draft: Draft) -> None:
    """Whom the avenger chose leaves with him; then the win is checked, and last words are said."""
    _take(draft)
    settle(draft)
    if isinstance(draft.state.phase, Over):
        return
    if draft.state.last_words:
        begin_last_word(draft, evening=True)
    else:
        draft.emit(PhaseBegan(Dusk(), draft.state.at))


# --- removals and wins


def removed(draft: Draft, seat: int, _clause: str | None) -> None:
    """That day's vote is not held; in the vote, both the vote and the removal count («Важно!»)."""
    state = draft.state
    if state.ballot is not None:
        draft.emit(VoterRemoved(seat))
    elif not state.vote_settled or not state.at.day:
        cancel_vote(draft)


def winner(state: State) -> Outcome | None:
    """«Условия победы», and rules page, reading 24. After a removal in the vote the vote counts too («Важно!»)."""
    if state.ballot is not None and state.ballot.removed:
        return None
    living = [seat.role.team for seat in state.seats if seat.in_play and seat.role is not None]
    black, maniac = living.count(Team.BLACK), living.count(Team.MANIAC)
    if not living:
        return Outcome(Winner.DRAW, Reason.NOBODY_LEFT, state.at)
    if not black and not maniac:
        return Outcome(Winner.RED, Reason.NO_KILLER_LEFT, state.at)
    if maniac:
        return Outcome(Winner.MANIAC, Reason.ONE_ON_ONE, state.at) if len(living) <= 2 else None
    if black >= len(living) - black:
        return Outcome(Winner.BLACK, Reason.PARITY, state.at)
    return None
