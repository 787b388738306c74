"""The form as a workbook: one sheet, the same order as on paper, made to print on one page's width."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from math import ceil

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE as ILLEGAL
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from controller.record.form.value import DaySheet, ProtocolForm, Round

COLUMNS = 12
NAME, FIRST_FOUL, LAST_FOUL, WARNINGS, LEFT, POINTS, EXTRA, TOTAL = 2, 4, 7, 8, 9, 10, 11, 12
ACROSS = 10
"""Candidates in a row of a day's grid."""
WIDTHS = (6, 26, 8, 8, 8, 8, 8, 8, 18, 10, 10, 10)
LINE = 15
LEAST_HEIGHT = 18
WIDE_CAPITALS = frozenset("ДЖМФШЩЪЫЮЯMW@—…")
PICTURES = "\u2030"
"""From here on signs and pictures stand, and letters that fill a square."""
WIDE_LETTERS = frozenset("джмфшщъыюmw%")
PADDING = 1
"""What a cell keeps free at its sides, in the units of a column's width."""
THIN = Side(style="thin", color="FF808080")
BOX = Border(left=THIN, right=THIN, top=THIN, bottom=THIN)
MIDDLE = Alignment(horizontal="center", vertical="center", wrap_text=True)
START = Alignment(horizontal="left", vertical="center", wrap_text=True)


def workbook(form: ProtocolForm) -> bytes:
    """The form as an XLSX file."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "".join(character for character in form.title if character not in "[]:*?/\\")[:31]
    _Sheet(sheet, form).write()
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def units(text: str, size: int = 11) -> float:
    """How wide `text` is in the units of a column's width, generously: one is a digit of the workbook's own Calibri 11,
    and a digit of Arial 11 is 1.17 of it, «Ш» and «W» are nearly two."""
    wide = 0.0
    for character in text:
        if character in WIDE_CAPITALS or character >= PICTURES:
            wide += 2.15
        elif character in WIDE_LETTERS:
            wide += 1.8
        else:
            wide += 1.65 if character.isupper() else 1.2
    return wide * size / 11


def lines_in(text: str, width: float, size: int = 11) -> int:
    """How many lines `text` takes in a column so wide: broken between words, and within one that has no room."""
    room, lines = max(width - PADDING, 1), 0
    for part in text.split("\n"):
        lines, taken = lines + 1, 0.0
        for word in part.split(" "):
            wide = units(word, size)
            if taken and taken + units(" ", size) + wide > room:
                lines, taken = lines + 1, 0.0
            taken += wide + (units(" ", size) if taken else 0)
            if taken > room:
                more = ceil(taken / room) - 1
                lines, taken = lines + more, taken - more * room
    return lines


@dataclass(slots=True)
class _Sheet:
    """The sheet as it is written, from top to bottom; `row` is the next free one."""

    sheet: Worksheet
    form: ProtocolForm
    row: int = 1
    widths: list[float] = field(default_factory=lambda: list(WIDTHS))
    heights: dict[int, float] = field(default_factory=dict[int, float])

    def write(self) -> None:
        """Everything."""
        longest = max((units(seat.name) for seat in self.form.seats), default=0)
        self.widths[NAME - 1] = min(max(self.widths[NAME - 1], longest + PADDING), 60)
        for number, width in enumerate(self.widths, 1):
            self.sheet.column_dimensions[get_column_letter(number)].width = width
        self._head()
        self._seats()
        self._winner()
        self._nights()
        self._days()
        self._ending()
        self._page()

    def _put(
        self,
        column: int,
        text: str,
        *,
        to: int | None = None,
        bold: bool = False,
        size: int = 11,
        alignment: Alignment = MIDDLE,
        boxed: bool = True,
    ) -> None:
        """Text in a cell, or over the cells up to `to`. It is always text: no name becomes a formula."""
        last = to or column
        for inner in range(column, last + 1):
            if boxed:
                self.sheet.cell(self.row, inner).border = BOX
        if last > column:
            self.sheet.merge_cells(start_row=self.row, end_row=self.row, start_column=column, end_column=last)
        cell = self.sheet.cell(self.row, column)
        cell.font = Font(name="Arial", size=size, bold=bold)
        cell.alignment = alignment
        if text and isinstance(cell, Cell):
            cell.value = ILLEGAL.sub("\ufffd", text)
            cell.data_type = "s"
        self._height(text, sum(self.widths[column - 1 : last]), size)

    def _number(self, column: int, text: str, *, bold: bool = False) -> None:
        """Points are numbers, so that a sheet can add them up."""
        self._put(column, text, bold=bold)
        try:
            value = Decimal(text.replace(",", "."))
        except InvalidOperation:
            return
        cell = self.sheet.cell(self.row, column)
        assert isinstance(cell, Cell)
        cell.value = value
        cell.number_format = "0.##" if value % 1 else "0"

    def _height(self, text: str, width: float, size: int) -> None:
        """The row grows with what is written in it: nothing is cut."""
        tall = lines_in(text, width, size) * LINE * size / 11 + 3
        self.heights[self.row] = max(self.heights.get(self.row, LEAST_HEIGHT), tall)
        self.sheet.row_dimensions[self.row].height = self.heights[self.row]

    def _title(self, text: str) -> None:
        self.row += 1
        self._put(1, text, to=COLUMNS, bold=True, alignment=START, boxed=False)
        self.row += 1

    def _head(self) -> None:
        self._put(1, self.form.title, to=LEFT, bold=True, size=16, alignment=START, boxed=False)
        self._put(POINTS, self.form.subtitle, to=COLUMNS, boxed=False)
        self.row += 1
        for label in self.form.head:
            self._put(1, label.label, to=2, alignment=START)
            self._put(3, label.value, to=COLUMNS, bold=True, alignment=START)
            self.row += 1

    def _seats(self) -> None:
        words = self.form.words
        self._title(words["seats"])
        self._put(1, words["seat"], bold=True)
        self._put(NAME, words["name"], bold=True)
        self._put(3, words["role"], bold=True)
        self._put(FIRST_FOUL, words["fouls"], to=LAST_FOUL, bold=True)
        if self.form.with_warnings:
            self._put(WARNINGS, words["warnings"], bold=True)
        self._put(self.left, words["left"], to=LEFT, bold=True)
        self._put(POINTS, words["points"], bold=True)
        self._put(EXTRA, words["extra"], bold=True)
        self._put(TOTAL, words["total"], bold=True)
        self.row += 1
        for seat in self.form.seats:
            self._number(1, str(seat.number), bold=True)
            self._put(NAME, seat.name, alignment=START)
            self._put(3, seat.role, bold=True)
            for place in range(LAST_FOUL - FIRST_FOUL + 1):
                self._put(FIRST_FOUL + place, seat.fouls[place] if place < len(seat.fouls) else "")
            if self.form.with_warnings:
                self._put(WARNINGS, seat.warnings)
            self._put(self.left, seat.left, to=LEFT)
            self._number(POINTS, seat.points)
            self._number(EXTRA, seat.extra)
            self._number(TOTAL, seat.total, bold=True)
            self.row += 1
        self._put(1, self.form.legend, to=COLUMNS, size=9, alignment=START, boxed=False)
        self.row += 1

    @property
    def left(self) -> int:
        """Where the column of departures begins: it takes the place of the warnings where there are none."""
        return LEFT if self.form.with_warnings else WARNINGS

    def _winner(self) -> None:
        move = self.form.best_move
        if move is not None:
            self._put(1, self.form.words["best_move"], to=2, alignment=START)
            self._put(3, "–" if move.dash else move.seat, bold=True)
            for place in range(3):
                self._put(FIRST_FOUL + place, move.numbers[place] if place < len(move.numbers) else "", bold=True)
            self.row += 1
        self._put(1, self.form.winner.label, to=2, alignment=START)
        said = " – ".join(part for part in (self.form.winner.value, self.form.reason) if part)
        self._put(3, said, to=COLUMNS, bold=True, alignment=START)
        self.row += 1

    def _nights(self) -> None:
        if not self.form.nights:
            return
        self._title(self.form.words["nights_title"])
        places = _spread_over(len(self.form.night_columns), 3, COLUMNS)
        self._put(1, "", to=2)
        self._cells(places, self.form.night_columns, bold=True)
        for night in self.form.nights:
            self._put(1, night.title, to=2)
            self._cells(places, night.cells)

    def _cells(self, places: Sequence[tuple[int, int]], texts: Sequence[str], *, bold: bool = False) -> None:
        for (first, last), text in zip(places, texts, strict=True):
            self._put(first, text, to=last, bold=bold)
        self.row += 1

    def _days(self) -> None:
        words = self.form.words
        if self.form.days:
            self._title(words["votes_title"])
        for day in self.form.days:
            for first in range(0, max(len(day.candidates), 1), ACROSS):
                self._day(day, first)
            self._put(1, words["result"], to=2, alignment=START)
            self._put(3, day.result, to=COLUMNS, alignment=START)
            self.row += 2

    def _day(self, day: DaySheet, first: int) -> None:
        words, part = self.form.words, day.candidates[first : first + ACROSS]
        seats = [candidate.seat for candidate in part]
        by = [candidate.by for candidate in part]
        for label, texts, bold in (
            (f"{day.title}: {words['by'].lower()}", by, False),
            (words["nominated"], seats, True),
        ):
            self._put(1, label, to=2, alignment=START, bold=bold)
            for place in range(ACROSS):
                self._put(3 + place, texts[place] if place < len(texts) else "", bold=bold)
            self.row += 1
        for round_ in day.rounds:
            self._round(round_, first)

    def _round(self, round_: Round, first: int) -> None:
        self._put(1, round_.label, to=2, alignment=START)
        if round_.whole:
            tally = round_.tallies[0]
            assert tally is not None
            self._put(3, f"{tally.count}: {tally.hands}", to=COLUMNS, alignment=START)
        else:
            for place in range(ACROSS):
                tally = round_.tallies[first + place] if first + place < len(round_.tallies) else None
                self._put(3 + place, f"{tally.count}\n{tally.hands}".strip() if tally is not None else "", size=9)
        self.row += 1

    def _ending(self) -> None:
        form = self.form
        if form.remarks:
            self._title(form.words["remarks"])
            for remark in form.remarks:
                self._put(1, remark, to=COLUMNS, alignment=START, boxed=False)
                self.row += 1
        if form.protests is not None:
            self._title(form.words["protests"])
            self._put(1, form.protest_hint, to=COLUMNS, size=9, alignment=START, boxed=False)
            self.row += 1
            for protest in form.protests:
                self._put(1, protest.label, to=2, alignment=START)
                self._put(3, protest.value, to=COLUMNS, alignment=START)
                self.row += 1
            for _ in range(max(1, 3 - len(form.protests))):
                self._put(1, "", to=COLUMNS)
                self.row += 1
        self.row += 1
        for signer in form.signatures:
            self._put(1, signer.label, to=2, alignment=START)
            self._put(3, signer.value, to=LEFT, alignment=START)
            self._put(POINTS, form.words["signature"], to=COLUMNS, size=9)
            self.row += 1

    def _page(self) -> None:
        """One page wide, as many tall as it takes."""
        self.sheet.page_setup.orientation = "portrait"
        self.sheet.page_setup.paperSize = 9  # A4
        self.sheet.page_setup.fitToWidth = 1
        self.sheet.page_setup.fitToHeight = 0
        self.sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        self.sheet.print_options.horizontalCentered = True
        self.sheet.page_margins.left = self.sheet.page_margins.right = 0.4
        self.sheet.page_margins.top = self.sheet.page_margins.bottom = 0.4
        self.sheet.print_area = f"A1:{get_column_letter(COLUMNS)}{self.row}"


def _spread_over(count: int, first: int, last: int) -> list[tuple[int, int]]:
    """`count` cells over the columns from `first` to `last`: the shots have two shares, the others one."""
    width, shares = last - first + 1, count + 1
    edges = [first, *(first + width * place // shares for place in range(2, shares + 1))]
    return [(edges[place], edges[place + 1] - 1) for place in range(count)]
