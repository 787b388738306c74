"""Standings: Ci, K, the ties in the order of each text, the lot."""

from decimal import Decimal
from fractions import Fraction

import pytest

from controller.game.outcome import Winner
from controller.game.roles import Role
from controller.scoring.points import Part, Points
from controller.scoring.standings import GameCard, Showing, Standings, standings, team_standings, tournament_of
from controller.scoring.standings.compensation import base, ci, hard_side
from controller.scoring.standings.tournament import TOURNAMENTS

RED = ("Anna", "Vera", "Gleb", "Dina", "Egor", "Zoya", "Kira")
BLACK = ("Boris", "Zhanna", "Igor")
ROLES = {"Gleb": Role.SHERIFF, "Boris": Role.MAFIA, "Zhanna": Role.MAFIA, "Igor": Role.DON}


def game(
    winner: Winner | None,
    number: int,
    *,
    stage: str = "",
    shot: str = "",
    roles: dict[str, Role] | None = None,
    win: str = "1",
    names: tuple[str, ...] = RED + BLACK,
    annulled: bool = False,
    black_named: bool = False,
    **extra: Points,
) -> GameCard:
    """One game in which `shot` was shot first; `extra` gives a player points beyond the win."""
    roles = ROLES | (roles or {})
    showings: list[Showing] = []
    for name in names:
        role = roles.get(name, Role.CIVILIAN)
        won = winner is not None and winner.value == role.team.value
        more = extra.get(name, Points())
        showings.append(
            Showing(
                name=name,
                role=role,
                points=points(
                    main=Decimal(win) if won else Decimal(0),
                    best_move=more.best_move,
                    award=more.award,
                    penalty=more.penalty,
                ),
                won=won,
                lost=winner in (Winner.RED, Winner.BLACK) and not won,
                first_night=name == shot,
                awarded=bool(more.award),
                black_named=black_named,
            )
        )
    return GameCard(label=f"g{number}", stage=stage, winner=winner, annulled=annulled, showings=tuple(showings))


def order(table: Standings) -> list[str]:
    return [row.name for row in table.rows]


def points(**sums: Decimal) -> Points:
    return Points(**sums, parts=tuple(Part(what, value, "") for what, value in sums.items()))


def award(points: str) -> Points:
    return Points(award=Decimal(points))


def penalty(points: str) -> Points:
    return Points(penalty=Decimal(points))


# --- Ci


@pytest.mark.parametrize(("games", "share"), [(1, 1), (3, 1), (4, 2), (5, 2), (6, 2), (7, 3), (10, 4)])
def test_fiim_8_6_1_b_is_forty_percent_of_the_games_rounded_and_never_below_one(games: int, share: int) -> None:
    assert base(games, Fraction(2, 5)) == share


def test_fiim_8_6_1_ci_is_i_times_0_4_over_b_and_0_4_at_most() -> None:
    rule = TOURNAMENTS["fiim"].compensation
    assert rule is not None
    assert ci(1, 10, rule)[0] == Fraction(1, 10)
    assert ci(4, 10, rule)[0] == Fraction(2, 5)
    assert ci(7, 10, rule)[0] == Fraction(2, 5)


def test_fiim_8_6_3_ci_is_paid_in_lost_games_where_the_player_was_shot_first_as_a_red_one() -> None:
    games = [
        game(Winner.BLACK, 1, shot="Anna"),
        game(Winner.RED, 2, shot="Anna"),
        game(Winner.BLACK, 3, shot="Anna", roles={"Anna": Role.MAFIA}),
        *(game(Winner.RED, number) for number in range(4, 11)),
    ]
    row = standings(games, tournament_of("fiim")).row("Anna")
    assert row is not None
    # Two deaths as red over ten games: Ci = 2 * 0.4 / 4, once, for the one that red lost.
    assert row.compensation == Fraction(1, 5)
    assert row.first_night_deaths == 3
    assert [entry.game for entry in row.entries if entry.what == "compensation"] == ["g1"]


@pytest.mark.parametrize("final", ["Final", "финал", "Фінал"])
def test_fiim_8_6_the_final_is_not_part_of_the_distance(final: str) -> None:
    games = [game(Winner.BLACK, 1, shot="Anna"), game(Winner.BLACK, 2, stage=final, shot="Anna")]
    row = standings(games, tournament_of("fiim")).row("Anna")
    assert row is not None
    assert row.compensation == Fraction(2, 5)  # one death, one game, B = 1


def test_wma_6_7_ci_is_halved_in_won_games_and_has_its_own_cap() -> None:
    rule = TOURNAMENTS["wma"].compensation
    assert rule is not None
    assert ci(1, 10, rule) == (Fraction(1, 8), Fraction(1, 16))
    assert ci(9, 10, rule) == (Fraction(1, 2), Fraction(2, 5))


def test_wma_6_7_each_stage_with_other_players_is_a_distance_of_its_own() -> None:
    few = ("Anna", "Vera", *BLACK)
    games = [
        *(game(Winner.BLACK, number, stage="qualification", shot="Anna") for number in (1, 2)),
        *(game(Winner.RED, number, stage="qualification") for number in (3, 4, 5)),
        game(Winner.BLACK, 6, stage="final", shot="Anna", names=few),
    ]
    row = standings(games, tournament_of("wma")).row("Anna")
    assert row is not None
    paid = {entry.game: entry.value for entry in row.entries if entry.what == "compensation"}
    assert paid == {"g1": Fraction(1, 2), "g2": Fraction(1, 2), "g6": Fraction(1, 2)}
    assert [entry.note for entry in row.entries if entry.what == "compensation"] == ["i=2 N=5", "i=2 N=5", "i=1 N=1"]


def test_reading_18_a_third_of_a_point_is_exact_in_sums() -> None:
    games = [game(Winner.BLACK, number, shot="Anna") for number in range(1, 3)]
    games += [game(Winner.RED, number) for number in range(3, 9)]
    row = standings(games, tournament_of("fiim")).row("Anna")
    assert row is not None
    assert row.compensation == 2 * (2 * Fraction(2, 5) / 3)


# --- K


def test_fiim_8_7_2_a_win_of_the_hard_side_is_worth_k() -> None:
    games = [game(Winner.RED, number) for number in range(1, 8)] + [game(Winner.BLACK, number) for number in (8, 9, 10)]
    table = standings(games, tournament_of("fiim"))
    assert table.hard_side is Winner.BLACK
    assert table.coefficient == 1 + (Fraction(5) - 3) / 5
    igor = table.row("Igor")
    assert igor is not None
    assert igor.main == 3 * Fraction(7, 5)


def test_fiim_8_7_with_more_than_twenty_players_there_is_no_k() -> None:
    rule = TOURNAMENTS["fiim"].coefficient
    assert rule is not None
    games = [game(Winner.RED, 1), game(Winner.RED, 2), game(Winner.BLACK, 3)]
    assert hard_side(games, 20, rule)[0] is Winner.BLACK
    assert hard_side(games, 21, rule) == (None, 1)


def test_fiim_8_7_as_many_wins_on_either_side_leave_no_hard_side() -> None:
    rule = TOURNAMENTS["fiim"].coefficient
    assert rule is not None
    assert hard_side([game(Winner.RED, 1), game(Winner.BLACK, 2)], 10, rule) == (None, 1)


def test_an_annulled_game_does_not_make_a_side_hard() -> None:
    rule = TOURNAMENTS["fiim"].coefficient
    assert rule is not None
    games = [game(Winner.RED, 1), game(Winner.BLACK, 2), game(None, 3, annulled=True)]
    assert hard_side(games, 10, rule) == (None, 1)


# --- ties


def test_fiim_8_8_1_of_equal_sums_the_larger_extra_points_stand_higher() -> None:
    games = [
        game(Winner.RED, 1, roles={"Anna": Role.MAFIA, "Boris": Role.CIVILIAN}, Anna=award("1")),
        game(Winner.BLACK, 2, names=("Igor",)),
    ]
    table = standings(games, tournament_of("fiim"))
    assert order(table).index("Anna") < order(table).index("Vera")


def test_fiim_8_8_2_then_more_wins() -> None:
    # Eight games, two of them won by black: a black win is worth K = 1.5, so that two are as much as three red ones.
    games = [game(Winner.RED, number, names=("Anna", "Vera")) for number in (1, 2, 3)]
    games += [game(Winner.RED, number, names=("Zoya",)) for number in (4, 5, 6)]
    games += [game(Winner.BLACK, number, names=("Igor", "Zoya")) for number in (7, 8)]
    table = standings(games, tournament_of("fiim"))
    anna, igor = table.row("Anna"), table.row("Igor")
    assert anna is not None
    assert igor is not None
    assert anna.total == igor.total == 3
    assert anna.place < igor.place
    assert not igor.by_lot


def test_fiim_8_8_3_and_8_8_4_then_wins_as_don_or_sheriff_then_first_night_deaths() -> None:
    games = [game(Winner.RED, 1, shot="Kira"), game(Winner.BLACK, 2)]
    table = standings(games, tournament_of("fiim"))
    rows = order(table)
    winners = [name for name in rows if (row := table.row(name)) and row.total == 1]
    assert set(winners[:2]) == {"Gleb", "Igor"}
    assert winners[2] == "Kira"


def test_wma_6_6_1_1_penalties_do_not_count_among_the_points_that_part_equals() -> None:
    games = [game(Winner.RED, 1, Anna=Points(award=Decimal("0.6"), penalty=Decimal("-0.6")), Vera=Points())]
    table = standings(games, tournament_of("wma"))
    assert order(table)[0] == "Anna"


def test_wma_6_6_1_2_then_fewer_games_in_which_they_were_gained() -> None:
    games = [game(Winner.RED, 1, Anna=award("0.6"), Vera=award("0.3")), game(Winner.RED, 2, Vera=award("0.3"))]
    table = standings(games, tournament_of("wma"))
    assert order(table)[:2] == ["Anna", "Vera"]


def test_wma_6_6_1_3_to_6_6_1_5_then_wins_then_first_night_deaths_then_the_largest_gain_of_one_game() -> None:
    pairs = {
        ("Anna", "Vera"): [  # two wins and one, the same sum
            game(Winner.RED, 1, names=("Vera", "Anna")),
            game(Winner.RED, 2, names=("Anna",), Anna=penalty("-1")),
        ],
        ("Zhanna", "Boris"): [game(Winner.BLACK, 1, names=("Boris", "Zhanna"), shot="Zhanna")],
        ("Egor", "Dina"): [
            game(Winner.RED, 1, names=("Dina", "Egor"), Dina=award("0.5"), Egor=award("0.6")),
            game(Winner.RED, 2, names=("Dina", "Egor"), Dina=award("0.4"), Egor=award("0.3")),
        ],
    }
    for (higher, lower), games in pairs.items():
        for seed in range(4):
            table = standings(games, tournament_of("wma"), seed=str(seed))
            assert order(table) == [higher, lower]
            assert not any(row.by_lot for row in table.rows)


def test_ukraine_8_5_wins_then_best_player_then_wins_as_a_civilian() -> None:
    games = [
        game(Winner.RED, 1, win="1", Anna=award("1")),
        game(Winner.RED, 2, win="1", Vera=award("1")),
        game(Winner.RED, 3, win="1", Anna=penalty("-1"), roles={"Vera": Role.MAFIA, "Boris": Role.CIVILIAN}),
    ]
    table = standings(games, tournament_of("ukraine"))
    anna, vera = table.row("Anna"), table.row("Vera")
    assert anna is not None
    assert vera is not None
    assert anna.total == vera.total == 3
    assert anna.place < vera.place  # three wins against two


def test_ukraine_8_5_2_who_was_named_best_more_often_stands_higher() -> None:
    games = [game(Winner.RED, 1, Anna=award("1")), game(Winner.RED, 2, Anna=penalty("-1"))]
    table = standings(games, tournament_of("ukraine"))
    assert order(table)[0] == "Anna"


def test_ukraine_8_5_3_then_more_wins_as_a_civilian() -> None:
    table = standings([game(Winner.RED, 1)], tournament_of("ukraine"))
    assert order(table)[6] == "Gleb"  # the sheriff, last of the seven who won


def test_the_lot_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    games = [game(Winner.RED, 1)]
    first = order(standings(games, tournament_of("fiim"), seed="a"))
    assert first == order(standings(games, tournament_of("fiim"), seed="a"))
    assert any(first != order(standings(games, tournament_of("fiim"), seed=str(seed))) for seed in range(5))


def test_places_are_one_to_n_and_the_order_of_records_does_not_matter() -> None:
    games = [game(Winner.RED, 1, Anna=award("0.3")), game(Winner.BLACK, 2, shot="Vera"), game(Winner.BLACK, 3)]
    table = standings(games, tournament_of("fiim"), seed="x")
    assert [row.place for row in table.rows] == list(range(1, 11))
    assert order(table) == order(standings(games[::-1], tournament_of("fiim"), seed="x"))


# --- teams


def test_teams_add_up_their_players_and_may_count_only_the_best() -> None:
    games = [game(Winner.RED, 1, Anna=award("0.3"))]
    table = standings(games, tournament_of("fiim"))
    teams = {"Anna": "Owls", "Boris": "Owls", "Vera": "Wolves", "Dina": "Wolves"}
    assert [(row.team, row.total) for row in team_standings(table, teams)] == [
        ("Wolves", Fraction(2)),
        ("Owls", Fraction(13, 10)),
    ]
    assert [row.team for row in team_standings(table, teams, counted=1)] == ["Owls", "Wolves"]
