"""Players and seatings from CSV and XLSX, as clubs keep them."""

import io
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from controller.record.exchange import (
    ExchangeFault,
    Player,
    read_players,
    read_seating,
    seating_csv,
    seating_workbook,
)
from controller.record.exchange.command import run_draw, run_schedule
from controller.record.seating import schedule


def players_in(tmp_path: Path, text: str, encoding: str = "utf-8") -> tuple[Player, ...]:
    file = tmp_path / "игроки.csv"
    file.write_bytes(text.encode(encoding))
    return read_players(file).players


def refused(tmp_path: Path, text: str) -> ExchangeFault:
    with pytest.raises(ExchangeFault) as fault:
        players_in(tmp_path, text)
    return fault.value


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16"])
@pytest.mark.parametrize(
    "heads",
    [("№", "Ник", "Клуб"), ("#", "Нікнейм", "Клуб"), ("No", "Nickname", "Club"), ("п/п", "Игровой никнейм", "Команда")],
)
def test_columns_are_known_by_their_names_whatever_the_delimiter_and_encoding(
    tmp_path: Path, delimiter: str, encoding: str, heads: tuple[str, ...]
):
    rows = [heads, ("1", "Рыжий кот", "Дом"), ("2", "Ґава", ""), ("3", "O'Brien", "Їжак")]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    if encoding == "cp1251":
        text = text.replace("№", "No")
    assert players_in(tmp_path, text, encoding) == (
        Player("Рыжий кот", "Дом"),
        Player("Ґава"),
        Player("O'Brien", "Їжак"),
    )


def test_a_name_with_the_delimiter_in_quotes(tmp_path: Path):
    assert players_in(tmp_path, 'ник;город\n"Иванов; Пётр";"Ки""ев"\n') == (Player("Иванов; Пётр", "", 'Ки"ев'),)


def test_a_plain_list_of_names_needs_no_head(tmp_path: Path):
    assert [player.name for player in players_in(tmp_path, "Анна\n\nБорис\n  Вера  \n")] == ["Анна", "Борис", "Вера"]


def test_a_workbook_of_players(tmp_path: Path):
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    for row in (["Гравець", "Місто"], ["Їжак", "Київ"], [None, None], [100, "Львів"], ["=1+1", None]):
        sheet.append(row)
    sheet["A5"].data_type = "s"
    file = tmp_path / "x.xlsx"
    book.save(file)
    assert read_players(file).players == (Player("Їжак", "", "Київ"), Player("100", "", "Львів"), Player("=1+1"))


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("ник;клуб\nАнна;\n;Дом\n", "blank_name", 3),
        ("ник\nАнна\nБорис\nанна\n", "name_twice_in_file", 4),
        ("ник\n" + "Щ" * 41 + "\n", "long_name", 2),
        ("ник\nАн\x07на\n", "unprintable_name", 2),
        ("ник\n", "no_players", None),
        ("возраст;рост\n1;2\n", "no_name_column", 1),
        (" \n\n", "empty", None),
    ],
)
def test_what_cannot_be_a_player_is_refused_with_its_line(tmp_path: Path, text: str, code: str, line: int | None):
    fault = refused(tmp_path, text)
    assert (fault.code, fault.line) == (code, line)


def test_a_name_of_forty_is_taken(tmp_path: Path):
    assert players_in(tmp_path, "ник\n" + "Щ" * 40)[0].name == "Щ" * 40


def test_the_sentence_names_file_and_line(tmp_path: Path):
    fault = refused(tmp_path, "ник\nАнна\nАнна\n")
    file = tmp_path / "игроки.csv"
    assert fault.said(file, "ru") == f"{file}:3: Никнейм «Анна» уже есть в строке 2."
    assert fault.said(file, "uk") == f"{file}:3: Нікнейм «Анна» уже є в рядку 2."
    assert fault.said(file, "en") == f"{file}:3: The nickname “Анна” is in line 2 already."


# --- seatings


def names(count: int) -> list[str]:
    return [f"П{number}" for number in range(1, count + 1)]


def test_a_schedule_is_read_back_from_csv_and_from_a_workbook(tmp_path: Path):
    wicked = ["=1+1", "+x", "-y", "@z", "a;b", 'c"d', "e,f", *names(15)][:20]
    plan = schedule(wicked, games=4, tables=2, seed="x", steps=500)
    stated = [(game.round, game.table, plan.seated(game)) for game in plan.games]
    for language in ("ru", "uk", "en"):
        file = tmp_path / f"{language}.csv"
        file.write_bytes(seating_csv(plan, language).encode())
        assert [(game.round, game.table, game.names) for game in read_seating(file)] == stated
        book = tmp_path / f"{language}.xlsx"
        book.write_bytes(seating_workbook(plan, language))
        assert [(game.round, game.table, game.names) for game in read_seating(book)] == stated


def test_no_cell_of_a_schedule_is_a_formula():
    plan = schedule(["=1+1", "+x", "-y", "@z", *names(6)], games=1, tables=1, seed="x")
    assert not [
        cell for row in seating_csv(plan, "ru").splitlines() for cell in row.split(";") if cell[:1] in "=+-@" and cell
    ]
    book = load_workbook(io.BytesIO(seating_workbook(plan, "ru")))
    assert {cell.data_type for sheet in book.worksheets for row in sheet.iter_rows() for cell in row} <= {"s", "n"}


def test_the_workbook_says_how_the_schedule_was_made():
    plan = schedule(names(10), games=2, tables=1, seed="кубок", steps=10)
    text = " ".join(
        str(row[0].value) for row in load_workbook(io.BytesIO(seating_workbook(plan, "ru"))).worksheets[1].rows
    )
    for part in ("кубок", "SHA-256", "Каждое место", "Встречи"):
        assert part in text


def test_a_row_a_player_is_read_too(tmp_path: Path):
    rows = ["Тур;Стол;Место;Ник", *(f"1;1;{seat};П{seat}" for seat in range(10, 0, -1))]
    file = tmp_path / "x.csv"
    file.write_bytes("\n".join(rows).encode("cp1251"))
    (game,) = read_seating(file)
    assert (game.round, game.table, game.names) == (1, 1, tuple(names(10)))


WIDE = "раунд;стол;" + ";".join(map(str, range(1, 11)))
LONG = "раунд;стол;место;ник"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (f"{WIDE}\n1;1;{';'.join(names(10))}\n1;1;{';'.join(names(10))}\n", "game_twice", 3),
        (f"{WIDE}\n1;1;{';'.join(names(10))}\n1;2;{';'.join(names(10))}\n", "twice_in_round", 2),
        (f"{WIDE}\n1;1;{';'.join(names(5))};;{';'.join(names(4))}\n", "blank_name", 2),
        (f"{WIDE}\n1;1;{';'.join(names(7))}\n", "seats_count", 2),
        (f"{WIDE}\nx;1;{';'.join(names(10))}\n", "number_expected", 2),
        (f"{WIDE}\n", "no_games", None),
        (f"{LONG}\n1;1;1;a\n1;1;1;b\n", "seat_twice", 3),
        (f"{LONG}\n" + "\n".join(f"1;1;{seat};П{seat}" for seat in range(2, 12)), "seat_missing", 11),
        (f"{LONG}\n1;1;0;a\n", "number_expected", 2),
        ("а;б;в\n1;2;3\n", "no_seat_columns", 1),
    ],
)
def test_what_cannot_be_a_seating_is_refused_with_its_line(tmp_path: Path, text: str, code: str, line: int | None):
    file = tmp_path / "x.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ExchangeFault) as fault:
        read_seating(file)
    assert (fault.value.code, fault.value.line) == (code, line)


# --- the commands


def test_a_draw_is_printed_with_its_seed_and_is_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "x.csv"
    file.write_text("ник\n" + "\n".join(names(10)), encoding="utf-8")
    assert run_draw(file, None, "", "ru") == 0
    first = capsys.readouterr().out
    seed = first.splitlines()[0].removeprefix("Зерно: ")
    assert run_draw(file, None, seed, "ru") == 0
    assert capsys.readouterr().out == first
    out = tmp_path / "seats.csv"
    assert run_draw(file, out, seed, "ru") == 0
    assert "Место;Ник" in out.read_text(encoding="utf-8-sig")


def test_a_schedule_is_written_and_its_spread_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file, out = tmp_path / "x.csv", tmp_path / "plan.xlsx"
    file.write_text("ник\n" + "\n".join(names(10)), encoding="utf-8")
    assert run_schedule(file, out, 10, 1, "x", "ru") == 0
    assert "Каждое место у игрока: от 1 до 1 (отклонение 0.00; 100 × 1)" in capsys.readouterr().out
    assert len(read_seating(out)) == 10
    sheet = load_workbook(out).worksheets[0]
    # A long name is broken into lines instead of running under its neighbour.
    assert all(cell.alignment.wrap_text for row in sheet.iter_rows(min_row=2, min_col=3) for cell in row)
    assert {sheet.row_dimensions[row].height for row in range(2, sheet.max_row + 1)} == {None}


def test_a_schedule_that_cannot_be_made_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file, out = tmp_path / "x.csv", tmp_path / "plan.csv"
    file.write_text("ник\n" + "\n".join(names(11)), encoding="utf-8")
    assert run_schedule(file, out, 9, 1, "x", "ru") == 2
    assert not out.exists()
    assert len(capsys.readouterr().err.splitlines()) == 1
