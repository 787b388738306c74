"""The rules and points of the game on the table: a ruleset's, a club's points, or the tournament's own file."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.refusal import Refusal
from controller.game.rules import Rules
from controller.record.notation import read
from controller.scoring import Table
from controller.scoring.points import points_of_game
from controller.table import codec
from controller.table.archive import filed_games
from controller.table.events import RosterSet
from controller.table.terms import NoSuchTerms, points_of, rules_of, tournament_under, under
from controller.table.wishes import Header, NewGame, SetUp
from tests.table.bench import TableBench

CUP = """
from = "fiim"

[rules]
window = 2.5
no_raise_at_four = false

[scoring]
best_move = { 3 = 0.5, 2 = 0.3, 1 = 0.1 }
disqualified = -1
coefficient = false
"""


async def sets_up(bench: TableBench, header: Header) -> None:
    """The head as the judge's page sends it, before the deal."""
    await bench.does(SetUp(header, bench.now.names))


def _terms(header: Header) -> tuple[Rules, Table]:
    return rules_of(header, RULESETS), points_of(header)


async def test_the_tournaments_own_rules_outlive_their_file_a_restart_and_the_game(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await sets_up(bench, under("variant", bench.now.header, CUP))
    bench = await bench.restart()
    assert bench.state.rules.window == 2_500_000
    assert not bench.state.rules.no_raise_at_four
    await bench.first_day()
    await bench.does(cmd.Remove(1))
    await bench.does(cmd.Defeat(2))
    await bench.does(NewGame())
    assert bench.state.rules.window == 2_500_000
    await bench.table.close()
    filed, _ = filed_games(tmp_path)
    reading = read(filed.record)
    assert reading.game.state.rules == bench.state.rules
    assert points_of_game(reading.game.state, reading.table)[1].total == Decimal(-1)
    assert reading.tournament.coefficient is None


async def test_a_clubs_points_hold_their_limits_at_the_table_and_stand_in_the_record(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await sets_up(bench, under("club", bench.now.header, ""))
    assert bench.state.rules.wills
    await bench.first_day()
    await bench.does(cmd.Defeat(1))
    refusal = await bench.submit(cmd.Award(5, Decimal("0.9")))
    assert isinstance(refusal, Refusal)
    await bench.table.close()
    assert read(filed_games(tmp_path)[0].record).headers.scoring == "club"


async def test_other_points_are_another_game_and_not_taken_once_cards_are_dealt(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    for header in (under("club", bench.now.header, ""), under("variant", bench.now.header, CUP)):
        refusal = await bench.submit(SetUp(header, bench.now.names))
        assert isinstance(refusal, Refusal)
        assert refusal.code == "cards_are_dealt"
    await bench.table.close()


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (Header(ruleset="nope"), "no_such_ruleset"),
        (Header(scoring="clubb"), "scoring_unknown"),
        (Header(ruleset="wma", scoring="club"), "scoring_of_other_rules"),
        (Header(variant='from = "fiim"\n[rules]\nwindw = 2'), "option_unknown"),
    ],
)
async def test_what_there_is_not_is_refused_and_nothing_has_changed(tmp_path: Path, header: Header, code: str):
    with pytest.raises(NoSuchTerms) as wrong:
        _terms(header)
    assert wrong.value.refusal.code == code
    bench = await TableBench.open(tmp_path)
    before = bench.now.header
    refusal = await bench.submit(SetUp(header, bench.now.names))
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert bench.now.header == before
    await bench.table.close()


def test_a_head_without_points_of_its_own_is_read_from_a_journal_of_before():
    text = codec.write((RosterSet(Header(), ("a",)),)).replace('"scoring":"",', "").replace('"variant":"",', "")
    assert "variant" not in text
    assert codec.read_table_events(text) == (RosterSet(Header(), ("a",)),)


def test_a_final_under_own_points_counts_by_its_own_factor():
    cup = under("variant", Header(stage="final"), CUP + "final_factor = 2\n")
    assert points_of(cup).factor == 2
    assert points_of(replace(cup, stage="")).factor == 1
    assert tournament_under(cup).coefficient is None
