"""A tournament's own variant: named parameters from a TOML file; what is not known is refused with the nearest name."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from controller.record.lines import RecordFault
from controller.record.notation import read
from controller.record.replay import run_replay
from controller.record.tournament import run_standings
from controller.record.variant import read_variant
from controller.scoring.points import points_of_game

VECTORS = Path(__file__).parents[1] / "vectors"

CUP = """
from = "fiim"

[rules]
no_raise_at_four = false
window = 2.5
technical_fouls_out = 2

[scoring]
best_move = { 3 = 0.5, 2 = 0.3, 1 = 0.1 }
disqualified = -1
ci_won = 0.5
ci_needs_black_named = true
coefficient = false
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    file = tmp_path / "cup.toml"
    file.write_text(CUP, "utf-8")
    return file


def test_a_variant_changes_what_it_names_and_nothing_else(cup: Path) -> None:
    variant = read_variant(cup)
    assert not variant.rules.no_raise_at_four
    assert variant.rules.window == 2_500_000
    assert variant.rules.withdrawal
    assert variant.table.disqualified == Decimal(-1)
    assert variant.tournament.coefficient is None
    assert variant.tournament.compensation is not None
    assert variant.tournament.compensation.won == Fraction(1, 2)
    assert variant.tournament.compensation.needs_black_named


def test_a_record_is_played_by_the_variants_rules_and_counted_by_its_points(cup: Path) -> None:
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8")
    reading = read(text, read_variant(cup))
    assert reading.game.state.rules.window == 2_500_000
    assert points_of_game(reading.game.state, reading.table)[4].best_move == Decimal("0.5")
    assert points_of_game(read(text).game.state, read(text).table)[4].best_move == Decimal("0.4")


def test_an_option_of_the_record_stands_over_the_variant(cup: Path) -> None:
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8").replace("fiim\n", "fiim\noption: window=3\n", 1)
    assert read(text, read_variant(cup)).game.state.rules.window == 3_000_000


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("[rules]\nno_raise_at_for = false", "option_unknown"),
        ("[rules]\nwindow = 0", "option_value"),
        ("[rules]\nwindow = [1]", "option_value"),
        ("[scoring]\ndisqualified = 0.5", "option_value"),
        ("[scoring]\nbest_mov = {}", "option_unknown"),
        ("[scoring]\nbest_move = { 4 = 1 }", "option_value"),
        ("[scoring]\nci = false\nci_won = 0.5", "variant_without_ci"),
        ("[scoring]\ncoefficient = 1", "option_value"),
        ("[scorin]", "variant_unknown"),
        ("[rules", "variant_is_no_toml"),
        ('[scoring]\nfrom = "wma"', "scoring_of_other_rules"),
    ],
)
def test_what_is_not_known_or_not_possible_is_refused(tmp_path: Path, line: str, code: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'from = "fiim"\n{line}\n', "utf-8")
    with pytest.raises(RecordFault) as fault:
        read_variant(file)
    assert fault.value.refusal.code == code


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('from = "fiim"\n[rules]\nno_raise_at_for = false\n', "utf-8")
    record = VECTORS / "fiim_red_win.mafia"
    assert run_replay(record, False, "en", file) == 2
    assert run_standings([record], variant=file, language="en") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("cup.toml") == 2
    assert said.err.count("no_raise_at_four") == 2


def test_technical_fouls_cost_what_the_tournament_says(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'from = "fiim"\n[rules]\ntechnical_fouls_out = 3\n[scoring]\ntechnical_light = -0.1\ntechnical_heavy = -0.3\n',
        "utf-8",
    )
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8")
    text = text.replace("1 nominates 2\n", "1 nominates 2\ntechnical 1 light\ntechnical 1 heavy\n")
    reading = read(text, read_variant(file))
    assert points_of_game(reading.game.state, reading.table)[1].penalty == Decimal("-0.4")
