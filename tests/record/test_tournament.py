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
    assert "fiim 8.2.1" in said
    assert "fiim 8.3.4" in said


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
    copy = tmp_path / "copy.mafia"
    copy.write_text(record.read_text("utf-8"), "utf-8")
    assert run_standings([record, copy], language="en") == 2
    assert "one.mafia already" in capsys.readouterr().err
    assert run_standings([record, tmp_path / "." / "one.mafia"], language="en") == 2
    assert "named twice" in capsys.readouterr().err


def test_a_stage_that_no_record_is_of_is_answered_with_the_nearest(capsys: Capsys, tmp_path: Path) -> None:
    record = tmp_path / "one.mafia"
    text = (VECTORS / "fiim_red_win.mafia").read_text("utf-8")
    record.write_text(text.replace("ruleset: fiim\n", "ruleset: fiim\nstage: Полуфинал\n"), "utf-8")
    assert run_standings([record], stage="полуфинал") == 0
    capsys.readouterr()
    assert run_standings([record], stage="полфинала") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "«Полуфинал»" in said.err


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
    assert capsys.readouterr().err.startswith(f"{teams}:2: ")
    teams.write_text("Игрок;Команда\nAnna;Owls\nVera;Owls\nIgor,Wolves\n", "utf-8")
    assert run_standings(FIIM, teams=teams) == 0
    assert capsys.readouterr().out.split()[:3] == ["1", "Owls", "6.7"]
    teams.write_text("Anna;Owls\nIgr;Wolves\n", "utf-8")
    assert run_standings(FIIM, teams=teams, language="en") == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{teams}:2: ")
    assert "Igor" in said


def test_the_teams_table_is_json_too(capsys: Capsys, tmp_path: Path) -> None:
    teams = tmp_path / "teams.csv"
    teams.write_text("Anna;Owls\nVera;Owls\nIgor,Wolves\n", "utf-8")
    assert run_standings(FIIM, teams=teams, as_json_too=True) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0] == {"place": 1, "team": "Owls", "total": "6.7", "wins": 6, "players": ["Vera", "Anna"]}


def test_compensation_by_team_counts_the_deaths_and_games_of_the_whole_team(capsys: Capsys, tmp_path: Path) -> None:
    """Two of a team are shot first as red ones, each in a lost game: i is 2 for both, and B is of the team's games."""
    variant, teams = tmp_path / "cup.toml", tmp_path / "teams.csv"
    variant.write_text('from = "fiim"\n[scoring]\nci_by_team = true\ncoefficient = false\n', "utf-8")
    teams.write_text("P1;Owls\nQ1;Owls\n", "utf-8")
    cards = ["civilian", "mafia", "civilian", "sheriff", "civilian", "civilian", "mafia", "civilian", "don", "civilian"]
    play = "night 0\nday 1\n1 nominates 3\n2 nominates 9\nvote 3: 1 2 4 5 7 8 9\nvote 9: 3 6 10\nnight 1\nshot: 1\n"
    play += "day 2\n2 nominates 5\nvote 5:\nnight 2\nshot: 6\n"
    records: list[Path] = []
    for letter in "PQ":
        seats = "".join(f"seat {n}: {letter}{n}, {card}\n" for n, card in enumerate(cards, 1))
        records.append(tmp_path / f"{letter}.mafia")
        records[-1].write_text(f"ruleset: fiim\n{seats}\n{play}", "utf-8")
    assert run_standings(records, variant=variant, language="en") == 2
    assert "--teams" in capsys.readouterr().err
    assert run_standings(records, variant=variant, teams=teams, explain="Q1", language="en") == 0
    said = capsys.readouterr().out
    assert "+0.4" in said
    assert "i=2 N=2" in said
    assert run_standings(records, explain="Q1", language="en") == 0
    assert "i=1 N=1" in capsys.readouterr().out
