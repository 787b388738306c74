"""Draws and schedules: the same from the same seed everywhere, and as even as the figures say."""

import time
from collections import Counter
from itertools import combinations

import pytest

from controller.record.seating import Chance, Plan, PlanFault, draw, fresh_seed, measure, random_schedule, schedule

NAMES = tuple(f"Игрок {number}" for number in range(1, 11))


def names(count: int) -> list[str]:
    return [f"П{number:02}" for number in range(1, count + 1)]


# --- the draw


def test_a_seed_gives_these_seats_in_every_python():
    # Kept by value: a change of the algorithm would make printed seeds worthless.
    chance = Chance("final 3")
    assert [chance.below(1000) for _ in range(8)] == FIRST_NUMBERS
    assert draw(NAMES, "final 3").seats == SEATS_OF_FINAL_3


FIRST_NUMBERS = [393, 638, 347, 33, 7, 193, 754, 756]
SEATS_OF_FINAL_3 = tuple(f"Игрок {number}" for number in (1, 6, 4, 8, 5, 7, 10, 9, 2, 3))


def test_the_order_in_which_names_are_given_does_not_matter():
    assert draw(NAMES, "x").seats == draw(tuple(reversed(NAMES)), "x").seats


def test_another_seed_gives_other_seats_and_each_is_kept_with_its_draw():
    first, second = draw(NAMES, "a"), draw(NAMES, "b")
    assert first.seats != second.seats
    assert (first.seed, second.seed) == ("a", "b")
    assert "SHA-256" in first.algorithm
    assert fresh_seed() != fresh_seed()


def test_every_player_has_every_seat_about_as_often():
    seats: Counter[tuple[str, int]] = Counter()
    draws = 4000
    for number in range(draws):
        seats.update((name, seat) for seat, name in enumerate(draw(NAMES, str(number)).seats))
    expected = draws / 10
    chi_squared = sum((seats[name, seat] - expected) ** 2 / expected for name in NAMES for seat in range(10))
    assert chi_squared < 124  # 81 degrees of freedom: p = 0.001


def test_numbers_below_a_bound_that_does_not_divide_the_range_are_fair():
    chance = Chance("fair")
    counts = Counter(chance.below(3) for _ in range(30_000))
    assert max(counts.values()) - min(counts.values()) < 600


def test_a_name_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        draw(("a", "a"), "x")


# --- the schedule


def check(plan: Plan, players: int, games: int, tables: int) -> None:
    """Every rule of a schedule, whatever its figures."""
    assert Counter(player for game in plan.games for player in game.players) == dict.fromkeys(range(players), games)
    for at in {game.round for game in plan.games}:
        together = [game for game in plan.games if game.round == at]
        assert len(together) <= tables
        assert [game.table for game in together] == list(range(1, len(together) + 1))
        playing = [player for game in together for player in game.players]
        assert len(playing) == len(set(playing))
    assert all(len(game.players) == 10 for game in plan.games)


@pytest.mark.parametrize(
    ("players", "games", "tables"),
    [(10, 10, 1), (10, 7, 1), (11, 10, 1), (12, 10, 1), (20, 12, 2), (25, 8, 2), (30, 10, 3), (40, 10, 4), (40, 4, 2)],
)
def test_seats_are_as_even_as_can_be(players: int, games: int, tables: int):
    plan = schedule(names(players), games=games, tables=tables, seed="s", steps=2000)
    check(plan, players, games, tables)
    seats = measure(plan).seats
    assert seats.width <= 1
    assert seats.width == (0 if games % 10 == 0 else 1)


def pairs_in_common(games: int, players: int) -> float:
    """The deviation of meetings that no schedule can be below in which all players play every round.

    Two rounds at t tables cut a table of ten into t parts as equal as they can be; who is in one part meets twice.
    """
    tables = players // 10
    parts = [10 // tables + (part < 10 % tables) for part in range(tables)]
    common = tables * sum(part * (part - 1) // 2 for part in parts)
    pairs = players * (players - 1) // 2
    squares = games * tables * 45 + games * (games - 1) * common
    mean = games * tables * 45 / pairs
    return (squares / pairs - mean**2) ** 0.5


@pytest.mark.parametrize(("players", "games", "tables"), [(40, 10, 4), (30, 10, 3)])
def test_meetings_are_far_more_even_than_by_chance_and_near_what_is_possible(players: int, games: int, tables: int):
    begun = time.process_time()
    plan = schedule(names(players), games=games, tables=tables, seed="кубок")
    took = time.process_time() - begun
    check(plan, players, games, tables)
    ours, chance = measure(plan), measure(random_schedule(names(players), games=games, tables=tables, seed="кубок"))
    print(f"{players} players, {games} games, {took:.1f} s: seats {ours.seats}; meetings {ours.meetings}")
    print(f"  by chance: seats {chance.seats}; meetings {chance.meetings}")
    floor = pairs_in_common(games, players)
    assert ours.meetings.least >= 1
    assert ours.meetings.width <= 4 < chance.meetings.width
    assert ours.meetings.deviation - floor < (chance.meetings.deviation - floor) / 3
    assert ours.meetings.deviation < floor * 1.2
    assert took < 10


def test_meetings_of_twelve_at_one_table_cannot_be_bettered():
    meetings = measure(schedule(names(12), games=10, tables=1, seed="x", steps=30_000)).meetings
    assert meetings.width == 1


def test_a_schedule_is_made_again_from_its_seed():
    first = schedule(names(20), games=4, tables=2, seed="x", steps=3000)
    assert first == schedule(names(20), games=4, tables=2, seed="x", steps=3000)
    assert first.games != schedule(names(20), games=4, tables=2, seed="y", steps=3000).games
    assert first.seed == "x"
    assert "3000 steps" in first.algorithm


def test_no_change_of_places_miscounts_its_cost():
    # The search trusts its own differences; here every pair is counted anew.
    plan = schedule(names(13), games=10, tables=1, seed="rest", steps=5000)
    check(plan, 13, 10, 1)
    pairs = Counter(pair for game in plan.games for pair in combinations(sorted(game.players), 2))
    assert sum(pairs.values()) == len(plan.games) * 45


@pytest.mark.parametrize(
    ("players", "games", "tables", "code"),
    [
        (9, 10, 1, "so_many_players"),
        (11, 9, 1, "games_do_not_fill_tables"),
        (10, 0, 1, "so_many_games"),
        (10, 101, 1, "so_many_games"),
        (10, 10, 0, "no_tables"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(players: int, games: int, tables: int, code: str):
    with pytest.raises(PlanFault) as refused:
        schedule(names(players), games=games, tables=tables, seed="x")
    assert refused.value.code == code


def test_games_that_do_not_fill_tables_are_told_which_would():
    with pytest.raises(PlanFault) as refused:
        schedule(names(14), games=8, tables=1, seed="x")
    assert refused.value.params["fits"] == "5, 10"
