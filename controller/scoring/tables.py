"""The five scorings as data, each number with its clause."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType

from controller.game.outcome import Winner
from controller.game.roles import Role, Team
from controller.game.rules import Rules
from controller.scoring.table import BLACK, RED, Amount, Awards, BestMove, Limit, Penalty, Table, Wills

D = Decimal
ANYBODY = frozenset(Role)
SHERIFF = frozenset({Role.SHERIFF})


def _each(value: str, *roles: Role) -> Mapping[Role, Decimal]:
    return MappingProxyType(dict.fromkeys(roles or tuple(Role), D(value)))


def _by_clause(*penalties: Penalty, unsaid: Penalty) -> Mapping[str, Penalty]:
    return MappingProxyType({"": unsaid} | {penalty.clause: penalty for penalty in penalties})


# --- fiim, section 8


def _fiim_penalty(clause: str, roles: frozenset[Role] = ANYBODY, *, lost: bool = False) -> Penalty:
    return Penalty(points=D("-0.4"), roles=roles, lost=lost, clause=clause)


FIIM = Table(
    name="fiim",
    ruleset="fiim",
    win=_each("1"),  # 8.2.1, 8.2.2
    best_move=BestMove(  # 8.3.4
        red_won=MappingProxyType({3: D("0.4"), 2: D("0.25")}),
        red_lost=MappingProxyType({3: D("0.4"), 2: D("0.25")}),
    ),
    disqualified=D("-0.5"),  # 8.2.4; a fourth foul too: rules page, reading 21
    awards=Awards(
        won=Amount(most=D("0.7"), approved_from=D("0.6"), clause="8.4.3"),
        lost=Amount(most=D("0.4"), clause="8.4.4"),
        players=Limit(most=D(3), clause="8.4.1"),
        total=Limit(most=D(1), clause="8.4.2"),
        draw_clause="8.4.6",
    ),
    penalties=_by_clause(
        _fiim_penalty("8.5.1", RED, lost=True),
        _fiim_penalty("8.5.2", frozenset({Role.CIVILIAN})),
        _fiim_penalty("8.5.3", RED, lost=True),
        _fiim_penalty("8.5.4", BLACK, lost=True),
        _fiim_penalty("8.5"),
        unsaid=_fiim_penalty("8.5"),
    ),
    clauses=MappingProxyType(
        {
            "win.red": "8.2.1",
            "win.black": "8.2.2",
            "disqualified": "8.2.4",
            "best_move": "8.3.4",
        }
    ),
)

# --- wma, section 6


def _wma_penalty(clause: str, roles: frozenset[Role] = ANYBODY, *, lost: bool = False) -> Penalty:
    return Penalty(points=D("-0.6"), roles=roles, lost=lost, clause=clause)


WMA = Table(
    name="wma",
    ruleset="wma",
    win=_each("1"),  # 6.2.1, 6.2.2
    best_move=BestMove(of_tournament=True),  # 6.5 is not in the text: rules page, reading 10
    larger_of_award_and_best_move=True,  # 6.3.7
    disqualified=D("-0.7"),  # 6.4.1
    final_factor=D("1.3"),  # 6.3.8
    awards=Awards(
        won=Amount(least=D("0.3"), most=D(1), step=D("0.1"), approved_from=D("0.9"), clause="6.3.1"),
        lost=Amount(least=D("0.2"), most=D("0.6"), step=D("0.1"), clause="6.3.2"),
        players=Limit(most=D(5), approved=D(6), clause="6.3.5"),
        total=Limit(most=D(2), approved=D("2.4"), clause="6.3.3"),
        draw_clause="fiim 8.4.6",  # what wma does not state is as in fiim
    ),
    penalties=_by_clause(
        _wma_penalty("6.4.2"),
        _wma_penalty("6.4.3"),
        _wma_penalty("6.4.3.1", RED, lost=True),
        _wma_penalty("6.4.3.2", BLACK, lost=True),
        _wma_penalty("6.4.3.3", RED),
        _wma_penalty("6.4.3.4", RED, lost=True),
        _wma_penalty("6.4.3.5", SHERIFF, lost=True),
        _wma_penalty("6.4.3.6", SHERIFF, lost=True),
        *(_wma_penalty(f"6.4.3.6.{number}", SHERIFF, lost=True) for number in range(1, 5)),
        _wma_penalty("6.4.3.7", lost=True),
        _wma_penalty("6.4.3.7.1", BLACK, lost=True),
        _wma_penalty("6.4.3.7.2", SHERIFF, lost=True),
        _wma_penalty("6.4.3.7.3", SHERIFF, lost=True),
        _wma_penalty("6.4.3.7.4", BLACK, lost=True),
        _wma_penalty("6.4.3.7.5", BLACK, lost=True),
        Penalty(points=D(-1), clause="6.4.4"),
        Penalty(points=D("-0.4"), repeats=True, clause="6.4.5"),
        unsaid=_wma_penalty("6.4.2"),
    ),
    clauses=MappingProxyType(
        {
            "win.red": "6.2.1",
            "win.black": "6.2.2",
            "disqualified": "6.4.1",
            "best_move": "6.5",
            "larger": "6.3.7",
            "factor": "6.3.8",
        }
    ),
)

# --- ukraine, section 8; rules page, reading 9

UKRAINE = Table(
    name="ukraine",
    ruleset="ukraine",
    win=MappingProxyType(  # 8.2.1, 8.2.2, and 8.2.4 added to them
        {Role.CIVILIAN: D(1), Role.MAFIA: D(2), Role.SHERIFF: D(2), Role.DON: D(3)}
    ),
    loss=_each("-1", Role.SHERIFF, Role.DON),  # 8.2.4
    best_move=BestMove(  # 8.3.1
        red_won=MappingProxyType({3: D(1), 2: D("0.5")}),
        red_lost=MappingProxyType({3: D(1), 2: D("0.5")}),
    ),
    removed=D(0),  # 6.6
    removed_clause="6.6",
    awards=Awards(
        won=Amount(least=D(1), most=D(1), clause="8.4.1"),
        lost=Amount(least=D("0.5"), most=D("0.5"), clause="8.4.2"),
        players=Limit(most=D(1), clause="8.4"),
        draw_clause="8.4",
    ),
    penalties=_by_clause(unsaid=Penalty(points=D(-1), clause="6.3")),
    other_clauses=True,  # 6.3 names no violation of its own
    clauses=MappingProxyType(
        {
            "win.civilian": "8.2.1",
            "win.mafia": "8.2.2",
            "win.sheriff": "8.2.1, 8.2.4",
            "win.don": "8.2.2, 8.2.4",
            "loss": "8.2.4",
            "best_move": "8.3.1",
        }
    ),
)

# --- city, "Победа за любую команду" and what follows

CITY = Table(
    name="city",
    ruleset="city",
    win=_each("2.5"),
    removed=D(1),
    removed_lost=D("0.5"),
    removed_clause="Удаление – игрок за игру получает 1 балл",
    first_shot=D("0.5"),  # "Любой игрок, отстрелившийся в первую ночь"
    maniac_defeated=D(-3),  # "В случае ППК"
    awards=Awards(
        won=Amount(least=D("0.25"), most=D(5), step=D("0.25"), clause="Дополнительные баллы: 0 — 5"),
        lost=Amount(least=D("0.25"), most=D(5), step=D("0.25"), clause="Дополнительные баллы: 0 — 5"),
        in_draw=True,
        draw_clause="",
    ),
    penalties=_by_clause(
        unsaid=Penalty(points=D("-0.25"), repeats=True, most=D(-5), clause="Дополнительные баллы: 0 — 5"),
    ),
    other_clauses=True,
    clauses=MappingProxyType(
        {
            "win": "Победа за любую команду",
            "removed_lost": "Удаление, которое привело к поражению команды",
            "first_shot": "Любой игрок, отстрелившийся в первую ночь",
            "maniac_defeated": "В случае ППК",
        }
    ),
)

# --- club, "Формула начисления баллов"

CLUB = Table(
    name="club",
    ruleset="fiim",
    win=_each("3"),
    annulled=D(2),
    best_move=BestMove(
        red_won=MappingProxyType({3: D("0.8"), 2: D("0.3")}),
        red_lost=MappingProxyType({3: D(1), 2: D("0.4")}),
        three_red=D(-1),
    ),
    disqualified=D(-1),  # "Удаление красного игрока"
    disqualified_roles=RED,
    first_shot=D(1),
    first_shot_roles=RED,
    first_shot_any_winner=False,
    awards=Awards(
        won=Amount(least=D("0.1"), most=D("0.8"), step=D("0.1"), clause="Лучшие игроки"),
        lost=Amount(least=D("0.1"), most=D("0.8"), step=D("0.1"), clause="Лучшие игроки"),
        by_team=MappingProxyType(
            {
                (Winner.RED, Team.RED): Limit(most=D("1.4"), clause="Лучшие игроки"),
                (Winner.RED, Team.BLACK): Limit(most=D("0.6"), clause="Лучшие игроки"),
                (Winner.BLACK, Team.RED): Limit(most=D(1), clause="Лучшие игроки"),
                (Winner.BLACK, Team.BLACK): Limit(most=D(1), clause="Лучшие игроки"),
            }
        ),
        draw_clause="Лучшие игроки",
    ),
    penalties=_by_clause(unsaid=Penalty(points=D(-1), clause="Неспортивное поведение")),
    other_clauses=True,
    wills=Wills(
        black_named=D("0.5"),
        red_named_black_won=D("-0.5"),
        red_named_red_won=D(-1),
        wrong_vote=D(-1),
        wrong_vote_at_four=D("-0.5"),
    ),
    clauses=MappingProxyType(
        {
            "win.red": "Победа красных 3",
            "win.black": "Победа черных 3",
            "annulled": "Аннулированная игра",
            "best_move": "Лучший ход",
            "disqualified": "Удаление красного игрока",
            "first_shot": "Первый убитый игрок",
            "will": "Завещания",
            "wrong_vote": "Неправильное голосование",
        }
    ),
)

SCORINGS: Mapping[str, Table] = MappingProxyType(
    {table.name: table for table in (FIIM, WMA, UKRAINE, CITY, CLUB)},
)
FINALS = frozenset({"final", "финал", "фінал"})
"""The stage's name in a final, in the three languages."""


def is_final(stage: str) -> bool:
    """Whether a stage of this name is the final (wma 6.3.8; fiim 8.6 leaves it out of the distance)."""
    return stage.strip().casefold() in FINALS


def scoring_table(name: str, stage: str = "") -> Table:
    """The scoring `name` at this stage of a tournament: `final` switches wma 6.3.8 on. May raise KeyError."""
    return at_stage(SCORINGS[name], stage)


def at_stage(table: Table, stage: str) -> Table:
    """`table` as it counts at this stage: in the final with the final's factor (wma 6.3.8)."""
    return replace(table, factor=table.final_factor) if is_final(stage) else table


def rules_for(scoring: str, rules: Rules) -> Rules:
    """The rules as this scoring needs them: the club's has wills."""
    return replace(rules, wills=True) if scoring in SCORINGS and SCORINGS[scoring].wills else rules
