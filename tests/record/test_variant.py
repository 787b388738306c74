"""A tournament's own variant: named parameters from a TOML file; what is not known is refused with the nearest name."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from controller.record.lines import RecordFault
from controller.record.notation import read
from controller.record.replay import run_replay
from controller.record.tournament import run_standings
from controller.record.variant import read_variant
from controller.record.writer import write
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
        ("[scoring]\nbest_move = { 3 = -5 }", "option_value"),
        ("[rules]\nshort_minute_living = [3, 21]", "option_value"),
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
    assert said.err.count("cup.toml:3: ") == 2
    assert said.err.count("no_raise_at_four") == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('from = "fiim"\n\n[rules]\nminute = 60\nwindow = -3\n', 5),
        ('from = "fim"\n', 1),
        ('from = "fiim"\n[rule]\nminute = 60\n', 2),
        ('from = "fiim"\n[scoring]\n  "disqualified" = 1\n', 3),
        ('from = "fiim"\nrules.minute = 0\n', 2),
        ('from = "fiim"\nrules = { minute = 60, window = 0 }\n', 2),
        ('from = "fiim"\n[rules]\nbest_move = "perhaps"\n[scoring]\nbest_move = { 3 = 1 }\n', 3),
        ('from = "fiim"\n[rules]\nbest_move = true\n[scoring]\nbest_move = { 4 = 1 }\n', 5),
        ('from = "fiim"\n[rules]\nbest_move = true\n[scoring.best_move]\n4 = 1\n', 4),
        ('from = "fim"\n[scoring]\nfrom = "club"\n', 1),
        ('from = "fiim"\n[scoring]\nfrom = "klub"\n', 3),
        ('from = "fiim"\nscoring = 1\n', 2),
        ('from = "fiim"\n[rules]\nminute = 60\nminute = 50\n', 4),
        ("[rules]\nminute = 60\n", None),
    ],
)
def test_what_is_wrong_in_a_variant_is_told_with_its_line(tmp_path: Path, text: str, line: int | None) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(RecordFault) as fault:
        read_variant(file)
    assert fault.value.line == line


@pytest.mark.parametrize("head", ['from = "wma"', 'from = "fiim"\n[scoring]\nfrom = "club"'])
def test_a_variant_of_other_rules_or_points_than_the_records_is_refused(tmp_path: Path, head: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(head + "\n", "utf-8")
    with pytest.raises(RecordFault) as fault:
        read((VECTORS / "fiim_red_win.mafia").read_text("utf-8"), read_variant(file))
    assert fault.value.refusal.code == "variant_of_other_rules"


def test_a_short_minute_is_for_as_many_living_as_the_tournament_says(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    for said, living in (("[3]", {3}), ('"4,5"', {4, 5}), ("[]", set[int]()), ('"none"', set[int]())):
        file.write_text(f'from = "fiim"\n[rules]\nshort_minute_living = {said}\n', "utf-8")
        assert read_variant(file).rules.short_minute_living == living


def test_a_tournaments_own_numbers_are_cited_as_its_own(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('from = "fiim"\n[scoring]\nbest_move = { 3 = 1 }\n', "utf-8")
    reading = read((VECTORS / "fiim_red_win.mafia").read_text("utf-8"), read_variant(file))
    parts = points_of_game(reading.game.state, reading.table)[4].parts
    assert [(part.what, part.value, part.clause) for part in parts] == [
        ("main", Decimal(1), "8.2.1"),
        ("best_move", Decimal(1), "variant best_move"),
    ]


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


def test_a_record_says_itself_what_the_tournament_counts_otherwise(cup: Path) -> None:
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8")
    by_file = read(text, read_variant(cup))
    headers = replace(by_file.headers, points=read_variant(cup).points)
    written = write(headers, by_file.game)
    alone = read(written)
    assert "points: best_move=3:0.5,2:0.3,1:0.1" in written.splitlines()
    assert "points: coefficient=no" in written.splitlines()
    assert (alone.table, alone.tournament) == (by_file.table, by_file.tournament)
    assert alone.game.state.rules == by_file.game.state.rules
    assert write(alone.headers, alone.game) == written


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("points: best_mov=3:0.5", "option_unknown"),
        ("points: best_move=4:0.5", "option_value"),
        ("points: best_move=3", "points_expected"),
        ("points: disqualified=1", "option_value"),
        ("points: ci=maybe", "option_value"),
        ("points: ci", "option_form"),
        ("points: ci=no\npoints: ci=yes", "option_twice"),
    ],
)
def test_points_of_a_record_that_are_not_known_or_not_possible_name_their_line(line: str, code: str) -> None:
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8")
    with pytest.raises(RecordFault) as fault:
        read(text.replace("ruleset: fiim", f"ruleset: fiim\n{line}", 1))
    first = text.splitlines().index(next(row for row in text.splitlines() if row.startswith("ruleset"))) + 1
    assert fault.value.refusal.code == code
    assert fault.value.line == first + 1 + line.count("\n")


def test_records_that_count_differently_make_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8")
    other = tmp_path / "other.mafia"
    other.write_text(text.replace("ruleset: fiim", "ruleset: fiim\npoints: ci=no", 1), "utf-8")
    assert run_standings([VECTORS / "fiim_draw.mafia", other], language="en") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "other.mafia" in said.err
    assert "fiim_draw.mafia" in said.err
