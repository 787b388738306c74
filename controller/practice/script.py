"""What the players of a practice game do, right and wrong. Everything follows from the seed and from where the game is,
so that the same judge meets the same table again; nothing here waits, presses or looks at a clock.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from random import Random
from typing import Final

from controller.game.ballot import RAISE, Ballot
from controller.game.city import HOW_MANY
from controller.game.commands import Act as Does
from controller.game.commands import Nominate
from controller.game.legal import refusal
from controller.game.phases import Choosing
from controller.game.roles import Role
from controller.game.rules import Penalty, Rules
from controller.game.state import State

SEATS: Final = 10
AVENGER_FROM: Final = 15
BOMBER_FROM: Final = 16
"""City's text adds the two to tables so large."""
CITY_SEATS_A_MAFIOSO: Final = 5
"""How many of a city table one mafioso beside the don is dealt for: two of ten, three of sixteen."""

OUT_OF_TURN_ODDS: Final = 0.3
"""How often somebody speaks in a minute that is another's."""
NIGHT_TALK_ODDS: Final = 0.5
EARLY_ODDS: Final = 0.06
PULLED_ODDS: Final = 0.06
SECOND_ODDS: Final = 0.06
NOMINATES_ODDS: Final = 0.45
SPLIT_ODDS: Final = 0.2
"""How often the black ones do not shoot at the same player."""
REFUSES_ODDS: Final = 0.15
"""How often one of city's roles does nothing in a night."""


class Spoken(StrEnum):
    """Mistakes that no sensor sees."""

    OUT_OF_TURN = "out_of_turn"
    NIGHT_TALK = "night_talk"


@dataclass(frozen=True, slots=True)
class Measure:
    """What the text has for a mistake."""

    clause: str
    penalty: Penalty


MEASURES: Final[Mapping[str, Mapping[Spoken, Measure]]] = {
    "fiim": {
        Spoken.OUT_OF_TURN: Measure("6.6.1", Penalty.FOUL),
        Spoken.NIGHT_TALK: Measure("6.7.6", Penalty.REMOVAL),
    },
    # The part of the text that has wma's removals names no talking at night.
    "wma": {Spoken.OUT_OF_TURN: Measure("5.6.1", Penalty.FOUL)},
    "ukraine": {
        Spoken.OUT_OF_TURN: Measure("5.1.6", Penalty.WARNING),
        Spoken.NIGHT_TALK: Measure("5.1.9", Penalty.WARNING),
    },
    "city": {
        Spoken.OUT_OF_TURN: Measure("f1", Penalty.FOUL),
        Spoken.NIGHT_TALK: Measure("r11", Penalty.REMOVAL),
    },
}
"""The rule sets that can be practised, and what their texts have for what is spoken."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that is seen or heard: who, what, and how long after its moment has begun, seconds."""

    after: float
    seat: int
    what: str
    """"card", "nominates", "thanks", "out_of_turn", "night_talk", "shoots", "checks", "acts", "best_move"."""
    targets: tuple[int, ...] = ()
    line: int = 0
    """Which of the sentences that there are for it."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in one candidate's window, milliseconds from the opening. An early one comes before it."""

    seat: int
    down: int
    up: int | None = None
    """Where it leaves before the count is said."""
    early: bool = False


def _dice(seed: int, *about: object) -> Random:
    return Random(" ".join(str(part) for part in (seed, *about)))


def deck(rules: Rules, seats: int) -> tuple[Role, ...]:
    """The cards of a table of so many."""
    if rules.deck is not None:
        return tuple(role for role, count in rules.deck.items() for _ in range(count))
    special = [Role.DON, Role.SHERIFF, Role.MANIAC, Role.BEAUTY, Role.DOCTOR]
    special += [Role.AVENGER] * (seats >= AVENGER_FROM) + [Role.BOMBER] * (seats >= BOMBER_FROM)
    special += [Role.MAFIA] * (seats // CITY_SEATS_A_MAFIOSO)
    return (*special, *[Role.CIVILIAN] * (seats - len(special)))


def cards(seed: int, state: State) -> tuple[Role, ...]:
    """Which card each seat draws, seat 1 first."""
    drawn = list(deck(state.rules, len(state.seats)))
    _dice(seed, "cards").shuffle(drawn)
    return tuple(drawn)


def minute(seed: int, state: State, seat: int) -> tuple[Act, ...]:
    """The minute of `seat`: perhaps a nomination, perhaps somebody who cannot wait, and the thanks that end it."""
    dice = _dice(seed, state.at, "minute", seat)
    acts: list[Act] = []
    if dice.random() < NOMINATES_ODDS:
        named = [one for one in state.living if one != seat and refusal(state, Nominate(seat, one)) is None]
        if named:
            acts.append(Act(2.0 + 2 * dice.random(), seat, "nominates", (dice.choice(named),)))
    others = [one for one in state.living if one != seat]
    if others and dice.random() < OUT_OF_TURN_ODDS:
        acts.append(Act(4.5 + 2 * dice.random(), dice.choice(others), Spoken.OUT_OF_TURN, line=dice.randrange(3)))
    acts.append(Act(8.0 + 2 * dice.random(), seat, "thanks"))
    return tuple(acts)


def hands(seed: int, state: State, ballot: Ballot, candidate: int, sensed: Container[int]) -> tuple[Hand, ...]:
    """The hands against `candidate` in this ballot, in the order of their coming down. Only a hand that is `sensed`
    slips: what would tell of the others?"""
    found: list[Hand] = []
    for seat in ballot.voters:
        if not state.seat(seat).in_play:
            continue
        dice = _dice(seed, state.at, "ballot", ballot.number, seat)
        own = RAISE if ballot.questions == (RAISE,) else dice.choice(ballot.questions)
        if own == RAISE and dice.random() < 0.5:
            continue
        slips = [dice.random() < odds for odds in (EARLY_ODDS, PULLED_ODDS, SECOND_ODDS)]
        early, pulled, again = (slip and seat in sensed for slip in slips)
        down = 150 + dice.randrange(700)
        place = ballot.questions.index(candidate)
        if own == candidate:
            found.append(Hand(seat, down, down + 500 if pulled and not early else None, early))
        elif again and place == ballot.questions.index(own) + 1:  # one slip is enough: it does not raise a third time
            found.append(Hand(seat, down))
    return tuple(sorted(found, key=lambda hand: (not hand.early, hand.down)))


def shots(seed: int, state: State) -> Mapping[int, int]:
    """Whom each living black shoots tonight."""
    dice = _dice(seed, state.at, "shots")
    black = [seat.number for seat in state.seats if seat.in_play and seat.role is not None and seat.role.black]
    aims = [seat for seat in state.living if seat not in black] or list(state.living)
    target = dice.choice(aims)
    fired = dict.fromkeys(black, target)
    if len(black) > 1 and len(aims) > 1 and dice.random() < SPLIT_ODDS:
        fired[dice.choice(black)] = dice.choice([one for one in aims if one != target])
    return fired


def target(state: State, fired: Mapping[int, int]) -> int | None:
    """Whom the shots of tonight are at: all at one, or the don's word in city; None for a miss."""
    don = state.holder(Role.DON)
    if state.rules.name == "city" and don is not None and don.number in fired:
        return fired[don.number]
    aimed = set(fired.values())
    return aimed.pop() if len(aimed) == 1 else None


def shooting(seed: int, state: State) -> tuple[Act, ...]:
    """The mafia's call: the shots, and perhaps a voice."""
    dice = _dice(seed, state.at, "shooting")
    acts = [Act(4.0, shooter, "shoots", (target,)) for shooter, target in shots(seed, state).items()]
    if Spoken.NIGHT_TALK in MEASURES.get(state.rules.name, {}) and dice.random() < NIGHT_TALK_ODDS:
        acts.append(Act(6.0 + dice.random(), dice.choice(state.living), Spoken.NIGHT_TALK, line=dice.randrange(2)))
    return tuple(acts)


def check(seed: int, state: State, by: Role) -> tuple[Act, ...]:
    """Whom the don or the sheriff shows tonight."""
    holder = state.holder(by)
    shot = state.tonight.kill if state.tonight is not None else None
    if holder is None or not (holder.in_play or holder.number == shot):
        return ()
    others = [one for one in state.living if one != holder.number]
    return (Act(2.0, holder.number, "checks", (_dice(seed, state.at, "check", by).choice(others),)),) if others else ()


def act(seed: int, state: State, by: Role) -> tuple[Act, ...]:
    """Whom the maniac, the beauty, the doctor, the bomber or the avenger shows now; no targets: refuses. Only what the
    rules let him do: not twice running, a neighbour among the mined."""
    holder = state.holder(by)
    if holder is None or not (holder.acts or isinstance(state.phase, Choosing)):
        return ()
    dice = _dice(seed, state.at, "act", by)
    may = _choices(state, by, holder.number)
    chosen = dice.choice(may) if may and dice.random() >= REFUSES_ODDS else ()
    return (Act(2.0, holder.number, "acts", chosen),)


def _choices(state: State, by: Role, own: int) -> Sequence[tuple[int, ...]]:
    among: Iterable[int] = [one for one in state.living if by is Role.DOCTOR or one != own]
    return [seats for seats in combinations(among, HOW_MANY[by]) if refusal(state, Does(by, seats)) is None]


def best_move(seed: int, state: State, seat: int) -> tuple[Act, ...]:
    """The first one shot names three, and thanks."""
    others = [one.number for one in state.seats if one.number != seat]
    numbers = tuple(sorted(_dice(seed, "best move", seat).sample(others, 3)))
    return (Act(2.0, seat, "best_move", numbers), Act(6.0, seat, "thanks"))


def in_order(acts: Sequence[Act]) -> tuple[Act, ...]:
    """`acts` as they come."""
    return tuple(sorted(acts, key=lambda act: act.after))
