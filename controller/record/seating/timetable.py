"""A tournament's schedule: every player in as many games, at every seat and against everybody as evenly as can be.

Who meets whom is searched for: two players of one round change tables (or one of them his rest) whenever that does not
make the schedule worse than it was some steps ago - late acceptance, in whole numbers alone, so that a seed gives the
same schedule on every machine. Seats are exact (see `seats.py`).
"""

from collections.abc import Sequence

from controller.record.seating.chance import ALGORITHM, Chance
from controller.record.seating.plan import SEATS, Plan, PlanFault, TableGame
from controller.record.seating.seats import seat_all

Rounds = list[list[list[int]]]
"""By round and table, the players; the last list of a round are those who rest."""

STEPS = 450_000
MEMORY = 3000
POWER = 6
SEARCH = "late acceptance over meetings (memory {memory}, {steps} steps); seats by König's colouring"
MOST_PLAYERS = 400
MOST_GAMES = 100


def schedule(names: Sequence[str], *, games: int, tables: int, seed: str, steps: int = STEPS) -> Plan:
    """`games` games for every one of `names` at up to `tables` tables at a time. Raises PlanFault."""
    _check(names, games, tables)
    chance = Chance(seed)
    rounds = _start(len(names), games, tables, chance)
    if len(names) > SEATS:
        _improve(rounds, len(names), games, chance, steps)
    algorithm = f"{ALGORITHM}; {SEARCH.format(memory=MEMORY, steps=steps)}"
    return _plan(names, rounds, games, tables, seed, algorithm, chance)


def random_schedule(names: Sequence[str], *, games: int, tables: int, seed: str) -> Plan:
    """As many games by chance alone, as draws before every game would give: what `schedule` is to beat."""
    _check(names, games, tables)
    chance = Chance(seed)
    rounds = _start(len(names), games, tables, chance)
    flat = [table for tables_of in rounds for table in tables_of[:-1]]
    seated = [chance.shuffled(table) for table in flat]
    return Plan(tuple(names), _numbered(rounds, seated), games, tables, seed, ALGORITHM)


def _check(names: Sequence[str], games: int, tables: int) -> None:
    if len(set(names)) != len(names):
        raise PlanFault("name_twice", name=next(name for name in names if list(names).count(name) > 1))
    if not SEATS <= len(names) <= MOST_PLAYERS:
        raise PlanFault("so_many_players", players=len(names), fewest=SEATS, most=MOST_PLAYERS)
    if not 1 <= games <= MOST_GAMES:
        raise PlanFault("so_many_games", games=games, most=MOST_GAMES)
    if tables < 1:
        raise PlanFault("no_tables")
    if len(names) * games % SEATS:
        fits = [count for count in range(1, MOST_GAMES + 1) if len(names) * count % SEATS == 0]
        near = sorted(fits, key=lambda count: abs(count - games))[:2]
        raise PlanFault(
            "games_do_not_fill_tables", players=len(names), games=games, fits=", ".join(map(str, sorted(near)))
        )


def _start(players: int, games: int, tables: int, chance: Chance) -> Rounds:
    """A schedule by chance in which everybody has as many games: those with the most left to play are seated first."""
    at_once = min(tables, players // SEATS)
    left = [games] * players
    rounds: Rounds = []
    remaining = players * games // SEATS
    while remaining:
        count = min(at_once, remaining)
        order = sorted(chance.shuffled(range(players)), key=lambda player: -left[player])
        playing = chance.shuffled(order[: count * SEATS])
        for player in playing:
            left[player] -= 1
        round_ = [playing[start : start + SEATS] for start in range(0, len(playing), SEATS)]
        rounds.append([*round_, order[count * SEATS :]])
        remaining -= count
    return rounds


def _costs(players: int, games: int) -> list[int]:
    """What it costs a pair to meet 0, 1, 2, ... times: the sixth power of the distance from the mean, in hundredths.

    Squares would leave a few pairs that never meet or meet all the time; the sixth power goes for these first.
    """
    mean, parts = games * (SEATS - 1), players - 1
    return [100 * (times * parts - mean) ** POWER // parts**POWER for times in range(games + 2)]


def _improve(rounds: Rounds, players: int, games: int, chance: Chance, steps: int) -> None:
    """Evens out the meetings in place."""
    meet = [[0] * players for _ in range(players)]
    for round_ in rounds:
        for table in round_[:-1]:
            for one in table:
                for other in table:
                    meet[one][other] += one != other
    costs = _costs(players, games)
    more = [costs[times + 1] - costs[times] for times in range(games + 1)]
    less = [0, *(costs[times - 1] - costs[times] for times in range(1, games + 1))]
    cost = 0  # against the start's
    past = [0] * MEMORY
    for step in range(steps):
        slot = step % MEMORY
        # The last tenth only goes down.
        allowed = max(past[slot] - cost, 0) if step < steps - steps // 10 else 0
        cost += _try(rounds, meet, (more, less), chance, allowed)
        past[slot] = min(past[slot], cost)


def _try(
    rounds: Rounds, meet: list[list[int]], costs: tuple[list[int], list[int]], chance: Chance, allowed: int
) -> int:
    """Two players change places if that costs no more than `allowed`; what it has cost."""
    round_ = rounds[chance.below(len(rounds))]
    here = round_[chance.below(len(round_) - 1)]
    there = round_[chance.below(len(round_))]
    if here is there or not there:
        return 0
    one, other = here[chance.below(SEATS)], there[chance.below(len(there))]
    rests = there is round_[-1]
    back = round_
    if rests:
        # He who rests plays here, and in return somewhere else the one rests for whom the other plays.
        others_turn = [turn for turn in rounds if one in turn[-1] and other not in turn[-1]]
        back = others_turn[chance.below(len(others_turn))]
        there = next(table for table in back[:-1] if other in table)
    # Whom both leave and both join, each meets as often as before.
    both = set(here) & set(there) if rests else ()
    ones, others = meet[one], meet[other]
    more, less = costs
    worse = 0
    for player in here:
        if player != one and player not in both:
            worse += more[others[player]] + less[ones[player]]
    for player in there:
        if player != other and player not in both:
            worse += more[ones[player]] + less[others[player]]
    if worse > allowed:
        return 0
    _move(meet, one, other, here)
    _move(meet, other, one, there)
    here[here.index(one)], there[there.index(other)] = other, one
    if rests:
        round_[-1][round_[-1].index(other)] = one
        back[-1][back[-1].index(one)] = other
    return worse


def _move(meet: list[list[int]], gone: int, come: int, table: list[int]) -> None:
    """At `table` the one is no longer met and the other is."""
    for player in table:
        if player != gone:
            meet[gone][player] -= 1
            meet[player][gone] -= 1
            meet[come][player] += 1
            meet[player][come] += 1


def _plan(
    names: Sequence[str], rounds: Rounds, games: int, tables: int, seed: str, algorithm: str, chance: Chance
) -> Plan:
    flat = [table for round_ in rounds for table in round_[:-1]]
    seated = seat_all(flat, len(names), chance)
    return Plan(tuple(names), _numbered(rounds, seated), games, tables, seed, algorithm)


def _numbered(rounds: Rounds, seated: Sequence[Sequence[int]]) -> tuple[TableGame, ...]:
    places = [(at, table) for at, round_ in enumerate(rounds, 1) for table in range(1, len(round_))]
    return tuple(TableGame(at, table, tuple(who)) for (at, table), who in zip(places, seated, strict=True))
