"""`mafia-table standings`: records in, a table out; a fault is one sentence and nothing on standard output."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from controller.record.tournament import run_standings, shown

VECTORS = Path(__file__).parents[1] / "vectors"
FIIM = [VECTORS / f"{name}.mafia" for name in ("fiim_red_win", "fiim_raise_at_four", "fiim_three_misses", "fiim_draw")]

Capsys = pytest.CaptureFixture[str]


def test_json_has_every_key_of_the_notation_and_points_as_shortest_strings(capsys: Capsys) -> None:
    assert run_standings(FIIM, as_json_too=True) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["place"] for row in rows] == list(range(1, 11))
    vera = next(row for row in rows if row["name"] == "Vera")
    kept = {key: vera[key] for key in ("total", "main", "extra", "compensation", "wins", "first_night_deaths")}
    assert kept == {
        "total": "3.7",
        "main": "3",
        "extra": "0.7",
        "compensation": "0",
        "wins": 3,
        "first_night_deaths": 0,
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "0.33"),
        (Fraction(5, 1000), "0.01"),
        (Fraction(-5, 1000), "-0.01"),
        (Fraction(7, 5), "1.4"),
        (Fraction(0), "0"),
        (Fraction(2), "2"),
    ],
)
def test_points_are_shown_with_two_places_half_up(value: Fraction, text: str) -> None:
    assert shown(value) == text


def test_the_explanation_names_each_number_with_its_game_and_the_clause_of_each_tie(capsys: Capsys) -> None:
    assert run_standings(FIIM, explain="gleb", language="en") == 0
    said = capsys.readouterr().out
    assert "fiim_red_win.mafia" in said
    assert "best move" in said
    assert "+0.4" in said
    assert "fiim 8.8.3" in said


def test_wma_without_values_of_the_best_move_says_so(capsys: Capsys, tmp_path: Path) -> None:
    text = (VECTORS / "wma_final.mafia").read_text("utf-8")
    record = tmp_path / "wma.mafia"
    record.write_text(text.replace("option: best_move_points=3:0.4,2:0.25\n", ""), "utf-8")
    assert run_standings([record], language="en") == 0
    assert "best_move_points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("files", "word"),
    [
        (["fiim_red_win", "wma_final"], "wma"),
        (["fiim_red_win", "fiim_tie_raise"], "no result"),
        (["refused/dead_votes"], "dead_votes.mafia:24"),
    ],
)
def test_records_that_make_no_table_are_refused_with_their_file(capsys: Capsys, files: list[str], word: str) -> None:
    assert run_standings([VECTORS / f"{name}.mafia" for name in files], language="en") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert word in said.err


def test_the_same_game_twice_is_refused(capsys: Capsys, tmp_path: Path) -> None:
    record = tmp_path / "one.mafia"
    record.write_text(
        (VECTORS / "fiim_red_win.mafia").read_text("utf-8").replace("ruleset: fiim\n", "ruleset: fiim\ngame: 3\n"),
        "utf-8",
    )
    assert run_standings([record, record], language="en") == 2
    assert "one.mafia already" in capsys.readouterr().err


def test_an_unknown_player_is_answered_with_the_nearest_name(capsys: Capsys) -> None:
    assert run_standings(FIIM, explain="Glep", language="en") == 2
    assert '"Gleb"' in capsys.readouterr().err


def test_teams_come_from_a_file_and_a_bad_line_is_named(capsys: Capsys, tmp_path: Path) -> None:
    teams = tmp_path / "teams.csv"
    teams.write_text("Anna;Owls\nVera;Owls\nIgor,Wolves\n", "utf-8")
    assert run_standings(FIIM, teams=teams) == 0
    assert capsys.readouterr().out.split()[:3] == ["1", "Owls", "6.7"]
    teams.write_text("Anna;Owls\nVera\n", "utf-8")
    assert run_standings(FIIM, teams=teams, language="en") == 2
    assert "Line 2" in capsys.readouterr().err
