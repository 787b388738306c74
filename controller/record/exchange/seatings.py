"""A tournament's seating from and to CSV and XLSX.

Two layouts are read: a row a game, with a column for every seat (this is what is written), and a row a player, with
round, table and seat beside the name.
"""

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE as ILLEGAL
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from controller.catalogue import sentence
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.rosters import NAMES as PLAYER
from controller.record.exchange.rosters import checked_name
from controller.record.exchange.sheets import Row, as_csv, columns, rows_of
from controller.record.seating import Plan, Spread, measure

SEAT = re.compile(r"(?:место|місце|seat|игрок|гравець|player|№)?\s*([0-9]{1,2})", re.IGNORECASE)
NAMES = {
    "round": ("раунд", "тур", "игра", "гра", "round", "game", "круг", "коло"),
    "table": ("стол", "стіл", "table"),
    "seat": ("место", "місце", "seat", "бокс", "слот"),
    "name": PLAYER["name"],
}
FEWEST, MOST = 8, 20


@dataclass(frozen=True, slots=True)
class Seated:
    """One game's seats: the names, seat 1 first."""

    round: int
    table: int
    names: tuple[str, ...]


def read_seating(path: Path) -> tuple[Seated, ...]:
    """The games in the file, by round and table. Raises ExchangeFault."""
    rows = rows_of(path)
    found = columns(rows[0], NAMES)
    by_seat = {
        int(matched[1]): column
        for column, text in enumerate(rows[0].cells)
        if column not in (found.get("round"), found.get("table")) and (matched := SEAT.fullmatch(text))
    }
    if {"name", "seat"} <= found.keys():
        games = _by_player(rows[1:], found)
    elif by_seat and sorted(by_seat) == list(range(1, len(by_seat) + 1)):
        games = _by_game(rows[1:], found, by_seat)
    else:
        raise ExchangeFault("no_seat_columns", rows[0].line)
    if not games:
        raise ExchangeFault("no_games")
    _nobody_twice(games)
    return tuple(games[key][1] for key in sorted(games))


Games = dict[tuple[int, int], tuple[int, Seated]]
"""By round and table: the line, and the game."""


def _number(row: Row, column: int | None, most: int) -> int:
    if column is None:
        return 1
    text = row.cell(column)
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= most):
        raise ExchangeFault("number_expected", row.line, word=text or "–", most=most)
    return int(text)


def _by_game(rows: tuple[Row, ...], found: dict[str, int], by_seat: dict[int, int]) -> Games:
    games: Games = {}
    for place, row in enumerate(rows, 1):
        at = _number(row, found.get("round"), 1000) if "round" in found else place
        key = (at, _number(row, found.get("table"), 1000))
        if key in games:
            raise ExchangeFault("game_twice", row.line, round=key[0], table=key[1])
        cells = [row.cell(by_seat[seat]) for seat in sorted(by_seat)]
        while cells and not cells[-1]:
            cells.pop()
        names = tuple(checked_name(cell, row.line) for cell in cells)
        games[key] = (row.line, _seated(key, names, row.line))
    return games


def _by_player(rows: tuple[Row, ...], found: dict[str, int]) -> Games:
    seats: dict[tuple[int, int], dict[int, str]] = {}
    lines: dict[tuple[int, int], int] = {}
    for row in rows:
        key = (_number(row, found.get("round"), 1000), _number(row, found.get("table"), 1000))
        seat = _number(row, found["seat"], MOST)
        at = seats.setdefault(key, {})
        if seat in at:
            raise ExchangeFault("seat_twice", row.line, seat=seat, round=key[0], table=key[1])
        at[seat] = checked_name(row.cell(found["name"]), row.line)
        lines[key] = row.line
    games: Games = {}
    for key, at in seats.items():
        missing = next((seat for seat in range(1, len(at) + 1) if seat not in at), None)
        if missing is not None:
            raise ExchangeFault("seat_missing", lines[key], seat=missing, round=key[0], table=key[1])
        games[key] = (lines[key], _seated(key, tuple(at[seat] for seat in sorted(at)), lines[key]))
    return games


def _seated(key: tuple[int, int], names: tuple[str, ...], line: int) -> Seated:
    if not FEWEST <= len(names) <= MOST:
        raise ExchangeFault("seats_count", line, count=len(names), fewest=FEWEST, most=MOST)
    return Seated(*key, names)


def _nobody_twice(games: Games) -> None:
    """Nobody sits at two places in one round."""
    for (at, _), (line, seated) in games.items():
        others = [name for (o, _), (_, other) in games.items() if o == at for name in other.names]
        for name in seated.names:
            if others.count(name) > 1:
                raise ExchangeFault("twice_in_round", line, name=name, round=at)


# --- writing


def _table(plan: Plan, language: str) -> list[list[str | int]]:
    seats = len(plan.games[0].players)
    heads: list[str | int] = [sentence("exchange.round", language), sentence("exchange.table", language)]
    rows: list[list[str | int]] = [[*heads, *range(1, seats + 1)]]
    rows += [[game.round, game.table, *plan.seated(game)] for game in plan.games]
    return rows


def seating_csv(plan: Plan, language: str) -> str:
    """A schedule as CSV; it is read back as it was."""
    return as_csv(_table(plan, language))


def report_lines(plan: Plan, language: str) -> tuple[str, ...]:
    """How the schedule was made and how even it is."""
    measures = measure(plan)
    return (
        sentence("exchange.schedule_seed", language, seed=plan.seed),
        sentence("exchange.schedule_algorithm", language, algorithm=plan.algorithm),
        sentence("exchange.schedule_seats", language, spread=_spread(measures.seats, language)),
        sentence("exchange.schedule_meetings", language, spread=_spread(measures.meetings, language)),
    )


def _spread(spread: Spread, language: str) -> str:
    counts = ", ".join(f"{many} × {times}" for times, many in spread.counts)
    said = {"least": spread.least, "most": spread.most, "deviation": f"{spread.deviation:.2f}", "counts": counts}
    return sentence("exchange.schedule_spread", language, **said)


def seating_workbook(plan: Plan, language: str) -> bytes:
    """A schedule as a workbook: the games, and on a second sheet how it was made and how even it is."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = sentence("exchange.seating", language)
    _fill(sheet, _table(plan, language))
    for column, width in enumerate((8, 8, *[18] * len(plan.games[0].players)), 1):
        sheet.column_dimensions[get_column_letter(column)].width = width
    for row in sheet.iter_rows(min_row=2, min_col=3):
        for cell in row:
            # Programs give a row without a height of its own the lines that it takes.
            cell.alignment = Alignment(vertical="center", wrap_text=True)
    sheet.freeze_panes = "C2"
    about = book.create_sheet(sentence("exchange.about", language))
    _fill(about, [[line] for line in report_lines(plan, language)])
    about.column_dimensions["A"].width = 120
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _fill(sheet: Worksheet, rows: Iterable[Iterable[str | int]]) -> None:
    """Cells with text as text: no name becomes a formula."""
    for row_number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            cell = sheet.cell(row_number, column)
            assert isinstance(cell, Cell)
            if isinstance(value, str):
                cell.value = ILLEGAL.sub("\ufffd", value)
                cell.data_type = "s"
            else:
                cell.value = value
