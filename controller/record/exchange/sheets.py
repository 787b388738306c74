"""Tables of text from CSV and XLSX: rows of cells with the line each stands in, and columns found by their names."""

import csv
import io
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import cast

from openpyxl import load_workbook
from openpyxl.cell.cell import ERROR_CODES

from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.files import read_bytes, text_of

MOST_ROWS = 5_000
MOST_COLUMNS = 100
MOST_UNPACKED = 100_000_000
"""Bytes a workbook may unpack to: a small file can be a very large table."""
DELIMITERS = ";,\t|"
FORMULA = ("=", "+", "-", "@")


@dataclass(frozen=True, slots=True)
class Row:
    """A row with something in it; `line` is what a person sees at its left."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int | None) -> str:
        """The text of a column; empty where the row is shorter or there is no such column."""
        return self.cells[column] if column is not None and column < len(self.cells) else ""


def rows_of(path: Path) -> tuple[Row, ...]:
    """The rows of a CSV or XLSX file, told apart by what is in it. Raises ExchangeFault."""
    data = read_bytes(path)
    if data.startswith(b"PK"):
        return _rows(_workbook(data))
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise ExchangeFault("old_excel")
    if data and path.suffix.casefold() in (".xlsx", ".xlsm"):
        # What is named a workbook and is none would be read as a list with one strange player.
        raise ExchangeFault("workbook_damaged")
    return _rows(_csv(text_of(data)))


def _rows(lines: Iterable[Sequence[object]]) -> tuple[Row, ...]:
    found: list[Row] = []
    for line, cells in enumerate(lines, 1):
        if line > MOST_ROWS:
            raise ExchangeFault("too_many_rows", most=MOST_ROWS)
        if len(cells) > MOST_COLUMNS and any(_text(cell) for cell in cells[MOST_COLUMNS:]):
            raise ExchangeFault("too_many_columns", line, most=MOST_COLUMNS)
        texts = tuple(_text(cell) for cell in cells[:MOST_COLUMNS])
        if bad := next((cell for cell, text in zip(cells, texts, strict=False) if _is_error(cell, text)), None):
            raise ExchangeFault("error_cell", line, word=str(bad))
        if any(texts):
            found.append(Row(line, texts))
    if not found:
        raise ExchangeFault("empty")
    return tuple(found)


def _text(cell: object) -> str:
    """A cell as text in one line, without the apostrophe that keeps it from being a formula."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    text = " ".join(str(cell).split())
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def _is_error(cell: object, text: str) -> bool:
    """Whether a cell holds what a spreadsheet shows in place of a value, or a number that is none."""
    return text in ERROR_CODES or (isinstance(cell, float) and not isfinite(cell))


def _csv(text: str) -> list[list[str]]:
    if "\0" in text:
        raise ExchangeFault("encoding")
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text)))
    except csv.Error as error:
        raise ExchangeFault("csv_damaged", why=str(error)) from None


def _delimiter(text: str) -> str:
    """The one of the usual delimiters that most lines have, as often as the first line has it."""
    lines = [line for line in text.splitlines() if line.strip()][:50]
    counts = {sign: lines[0].count(sign) for sign in DELIMITERS if lines and sign in lines[0]}
    if not counts:
        return ","
    return max(counts, key=lambda sign: (sum(line.count(sign) == counts[sign] for line in lines), counts[sign]))


def _workbook(data: bytes) -> list[Sequence[object]]:
    """The values of a workbook's first sheet."""
    try:
        _check_size(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl remarks on styles that do not concern us
            return _first_sheet(data)
    except ExchangeFault:
        raise
    except Exception:  # openpyxl lets through whatever it meets in a damaged file
        raise ExchangeFault("workbook_damaged") from None


def _check_size(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MOST_UNPACKED:
            raise ExchangeFault("too_large_unpacked")


def _first_sheet(data: bytes) -> list[Sequence[object]]:
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    try:
        sheets = book.worksheets
        if not sheets:
            raise ExchangeFault("no_sheet")
        rows = sheets[0].iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS + 1, values_only=True)
        return [cast("Sequence[object]", row) for row in rows]
    finally:
        book.close()


def columns(row: Row, names: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Which column is which: `names` are the words a column may be headed with. The first one counts."""
    found: dict[str, int] = {}
    for column, text in enumerate(row.cells):
        word = text.casefold().replace("ё", "е").strip(" .:№#*")
        for name, words in names.items():
            if name not in found and word in words:
                found[name] = column
                break
    return found


def as_csv(rows: Iterable[Iterable[str | int]]) -> str:
    """Rows as CSV with semicolons and a mark for UTF-8, as spreadsheets open it; no cell is a formula."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return "\ufeff" + file.getvalue()


def harmless(cell: str | int) -> str | int:
    """Text that a spreadsheet would take for a formula, with an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
