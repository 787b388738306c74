"""The form as it is drawn: nothing is cut, nothing is fetched, no name becomes a formula or a tag."""

import io
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from PIL import Image

from controller.catalogue import LANGUAGES
from controller.record import Headers, Sitter, read
from controller.record.form import ProtocolForm, blank_form, page, pdf, protocol_form, workbook
from controller.record.form.command import run_blank, run_protocol
from controller.record.form.pdf import compiler
from controller.scoring import scoring_table
from tests.record.any_record import played

VECTORS = Path(__file__).parents[2] / "vectors"
LONGEST = {
    "ru": ("Широкоформатный Подполковник-1984 из Орла", "Щ" * 40),
    "uk": ("Найнепередбачуваніший Їжачок із Ґрунтівки", "Ю" * 40),
    "en": ("The Extraordinarily Long-Winded Wizard X", "W" * 40),
}
WICKED = (
    "=HYPERLINK(1)",
    "<script>alert(1)</script>",
    "a & \"b\" 'c'",
    "+1",
    "-2",
    "@x",
    "#eval",
    "*a*_b_$c$",
    "\\",
    "[]",
)


def vector(name: str, language: str, names: tuple[str, ...] = ()) -> ProtocolForm:
    reading = read((VECTORS / f"{name}.mafia").read_text(encoding="utf-8"))
    seats = tuple(
        Sitter(seat.number, names[(seat.number - 1) % len(names)] if names else seat.name, seat.role)
        for seat in reading.headers.seats
    )
    headers = replace(reading.headers, seats=seats, event="Кубок", judge="И. Судья")
    return protocol_form(headers, reading.game, reading.table, language)


def anything(seed: int, ruleset: str, language: str) -> ProtocolForm:
    """The form of a game nobody planned."""
    game = played(seed, ruleset, ruleset)
    seats = tuple(
        Sitter(seat.number, LONGEST[language][seat.number % 2], seat.role)
        for seat in game.state.seats
        if seat.role is not None
    )
    headers = Headers(ruleset=ruleset, scoring=ruleset, event="Кубок", seats=seats)
    return protocol_form(headers, game, scoring_table(ruleset), language)


def pages(form: ProtocolForm) -> int:
    drawn = compiler(form).compile(format="svg")
    return len(drawn) if isinstance(drawn, list) else 1


def fitted(form: ProtocolForm) -> list[dict[str, Any]]:
    """What the template measured: each text with its room and the width it takes."""
    found = json.loads(compiler(form).query("<fit>", field="value"))
    assert isinstance(found, list)
    return found


def cut(form: ProtocolForm) -> set[str]:
    """Texts that run out of their cells: they have fewer lines than their width takes."""
    return {
        text["said"]
        for text in fitted(form)
        if text["height"] + 0.1 < text["line"] * ceil((text["width"] - 0.1) / text["room"])
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["fiim_red_win", "ukraine_removed", "city_night", "club_black_win"])
def test_the_longest_names_and_every_label_fit_their_cells(name: str, language: str):
    form = vector(name, language, LONGEST[language])
    texts = fitted(form)
    assert {text["said"] for text in texts} >= set(LONGEST[language])
    assert cut(form) == set()
    labels = (
        {field.label for field in form.head} | set(form.night_columns) | {form.words["points"], form.words["extra"]}
    )
    assert {text["said"] for text in texts if text["broken"] and text["said"] in labels} == set()


def clear_of_the_rules(form: ProtocolForm) -> tuple[float, float]:
    """Millimetres of white above and below the writing in the players' headings, as the sheet is drawn."""
    drawn = compiler(form).compile(format="png", ppi=254)  # ten dots to a millimetre
    first = drawn[0] if isinstance(drawn, list) else drawn
    assert isinstance(first, bytes)
    sheet = Image.open(io.BytesIO(first)).convert("L")
    ink = sheet.crop((0, 0, sheet.width // 2, sheet.height)).point([255] * 180 + [0] * 76)
    rows = [ink.crop((0, y, ink.width, y + 1)).histogram()[255] for y in range(ink.height)]
    # As wide as the players' table: narrower than the line under the title, wider than those of the head.
    ruled = [y for y, dark in enumerate(rows) if 0.91 * ink.width < dark < 0.93 * ink.width]
    top, bottom = next((a, b) for a, b in pairwise(ruled) if b - a > 10)
    borders = min(rows[top + 1 : bottom])
    written = [y for y in range(top + 1, bottom) if rows[y] > borders]
    return (written[0] - top - 1) / 10, (bottom - written[-1] - 1) / 10


@pytest.mark.parametrize(
    ("name", "language"), [("fiim_red_win", "ru"), ("ukraine_removed", "uk"), ("city_night", "en")]
)
def test_a_heading_of_two_lines_keeps_clear_of_its_cells_borders(name: str, language: str):
    above, below = clear_of_the_rules(vector(name, language))
    assert above >= 0.5
    assert below >= 0.5


def test_a_short_name_is_large_and_a_long_one_smaller():
    sizes = {
        text["said"]: text["size"]
        for text in fitted(vector("fiim_red_win", "ru", ("Ан", "Подполковник Широкоформатный")))
    }
    assert sizes["Ан"] == 10
    assert 6 <= sizes["Подполковник Широкоформатный"] < 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_ten_is_one_sheet(language: str):
    assert pages(vector("fiim_red_win", language)) == 1


@pytest.mark.parametrize(
    ("ruleset", "seats", "sheets"), [("fiim", 10, 1), ("ukraine", 10, 1), ("city", 8, 1), ("city", 20, 2)]
)
def test_the_blank_form_is_one_sheet_and_two_for_twenty(ruleset: str, seats: int, sheets: int):
    form = blank_form(Headers(ruleset=ruleset, scoring=ruleset), "ru", seats=seats)
    assert pages(form) == sheets


@pytest.mark.parametrize("ruleset", ["fiim", "ukraine", "city"])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_played_can_be_drawn_and_nothing_is_too_wide(ruleset: str, seed: int):
    form = anything(seed, ruleset, LANGUAGES[seed % 3])
    assert pdf(form).startswith(b"%PDF-")
    assert pages(form) <= 4
    assert cut(form) == set()
    assert workbook(form)
    assert page(form)


def test_the_same_form_gives_the_same_bytes():
    form = vector("fiim_red_win", "uk")
    assert pdf(form) == pdf(form)


def test_the_fonts_are_those_that_ship_with_the_form():
    data = pdf(vector("fiim_red_win", "uk", LONGEST["uk"]))
    unpacked = b"".join(inflated(stream) for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL))
    fonts = set(re.findall(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([\w-]+)", data + unpacked))
    assert fonts == {b"ProtocolSans-Regular", b"ProtocolSans-Bold"}


def inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


# --- the workbook


def sheet_of(form: ProtocolForm) -> Worksheet:
    book = load_workbook(io.BytesIO(workbook(form)))
    sheet = book.active
    assert isinstance(book, Workbook)
    assert isinstance(sheet, Worksheet)
    return sheet


def test_the_workbook_has_every_field():
    form = vector("fiim_red_win", "ru")
    values = {str(cell.value) for row in sheet_of(form).iter_rows() for cell in row if cell.value is not None}
    for text in ("Кубок", "И. Судья", "красные", "Выставлен", "Лучший ход", "Протесты", "подпись"):
        assert any(text in value for value in values), text
    for seat in form.seats:
        assert seat.name in values
        assert seat.left in values | {""}


def test_points_in_the_workbook_are_numbers():
    form = vector("fiim_red_win", "ru")
    numbers = [cell.value for row in sheet_of(form).iter_rows(min_col=12, max_col=12) for cell in row]
    assert [value for value in numbers if isinstance(value, int | float)] == [
        float(seat.total.replace(",", ".")) for seat in form.seats
    ]


def test_no_name_becomes_a_formula_in_the_workbook():
    sheet = sheet_of(vector("fiim_red_win", "ru", WICKED))
    cells = [cell for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert {str(cell.value) for cell in cells} >= set(WICKED)
    assert {cell.data_type for cell in cells} == {"s"}


def test_a_control_character_does_not_keep_the_workbook_from_being_written():
    assert "a\ufffdb" in {
        str(cell.value) for row in sheet_of(vector("fiim_red_win", "ru", ("a\x07b",))).iter_rows() for cell in row
    }


def test_rows_are_tall_enough_for_a_name_that_wraps():
    sheet = sheet_of(vector("fiim_red_win", "ru", ("Щ" * 120,)))
    row = next(cell.row for line in sheet.iter_rows() for cell in line if cell.value == "Щ" * 120)
    assert row is not None
    assert (sheet.row_dimensions[row].height or 0) > 30
    assert sheet.column_dimensions["B"].width == 60


@pytest.mark.parametrize(("language", "em"), [("ru", 0.916), ("uk", 1.01), ("en", 0.944)])
def test_forty_of_the_widest_letters_have_all_their_lines_in_the_workbook(language: str, em: float):
    """`em` is how wide Arial draws the letter; a pixel is 3/4 pt, seven of them a unit of a column's width."""
    name = LONGEST[language][1]
    sheet = sheet_of(vector("fiim_red_win", language, LONGEST[language]))
    row = next(cell.row for line in sheet.iter_rows() for cell in line if cell.value == name)
    assert row is not None
    needed = ceil(len(name) * em * 11 / 0.75 / (sheet.column_dimensions["B"].width * 7 - 5))
    assert needed == 2
    assert (sheet.row_dimensions[row].height or 0) >= needed * 14


# --- the page


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_fetches_nothing_and_a_name_is_no_tag():
    text = page(vector("fiim_red_win", "ru", WICKED))
    tags = Tags()
    tags.feed(text)
    assert tags.addresses == []
    assert "script" not in tags.tags
    assert "url(" not in text
    assert "@import" not in text
    assert all(name in tags.text for name in WICKED)


def test_every_table_of_the_page_has_rows_of_one_width():
    text = page(vector("fiim_tie_raise", "ru"))
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        widths = [
            sum(int(match[1] or 1) for match in re.finditer(r'<t[dh](?:[^>]*colspan="(\d+)")?[^>]*>', row))
            for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        ]
        assert all(first == second for first, second in pairwise(widths)), table


# --- the command


@pytest.mark.parametrize("fmt", ["pdf", "xlsx", "html", "json"])
def test_the_command_writes_beside_the_record(tmp_path: Path, fmt: str, capsys: pytest.CaptureFixture[str]):
    record = tmp_path / "игра.mafia"
    record.write_bytes((VECTORS / "fiim_red_win.mafia").read_bytes())
    assert run_protocol(record, None, fmt, "ru") == 0
    out = tmp_path / f"игра.{fmt}"
    assert out.stat().st_size > 500
    assert str(out) in capsys.readouterr().out


def test_a_record_that_is_refused_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    record = tmp_path / "x.mafia"
    record.write_text("ruleset: fiim\nseat 1: a, don\n", encoding="utf-8")
    assert run_protocol(record, None, "pdf", "ru") == 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.mafia"]
    assert capsys.readouterr().err.startswith(f"{record}:")


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    headers = Headers(ruleset="fiim", scoring="fiim")
    assert run_blank(headers, (), 10, tmp_path / "нет" / "x.pdf", "pdf", "ru") == 2
    said = capsys.readouterr().err
    assert "не записать" in said
    assert len(said.splitlines()) == 1


def test_a_form_is_counted_by_the_tournaments_own_points(tmp_path: Path) -> None:
    record, own = tmp_path / "game.mafia", tmp_path / "cup.toml"
    record.write_text((VECTORS / "fiim_red_win.mafia").read_text("utf-8"), "utf-8")
    own.write_text('from = "fiim"\n[scoring]\nbest_move = { 3 = 0.99 }\n', "utf-8")
    assert run_protocol(record, None, "json", "ru", own) == 0
    assert "0,99" in record.with_suffix(".json").read_text("utf-8")
    own.write_text('from = "wma"\n', "utf-8")
    out = tmp_path / "not.json"
    assert run_protocol(record, out, "json", "ru", own) == 2
    assert not out.exists()
