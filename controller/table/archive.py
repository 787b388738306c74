"""The games of a journal, read while the table may be running: nothing is written and nobody is kept waiting."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.game import RULESETS
from controller.game.rules import Rules
from controller.game.state import State
from controller.record.headers import Headers, Sitter
from controller.record.writer import write
from controller.table.book import Book, Misfit, fold
from controller.table.codec import Unreadable
from controller.table.journal_file import last_rows, read_only
from controller.table.terms import own_points, scoring_of
from controller.table.wishes import Header


class NoJournal(Exception):
    """There is no journal in the folder, or it cannot be read."""


@dataclass(frozen=True, slots=True)
class Filed:
    """One game of the journal."""

    book: Book
    began: str
    """The wall's date and time when it began, as it was noted."""

    @property
    def dealt(self) -> bool:
        """Whether its cards are dealt: only then it can be a record."""
        return all(seat.role is not None for seat in self.book.state.seats)

    @property
    def record(self) -> str:
        """The game in the notation. Raises `controller.record.writer.CannotWrite`."""
        book = self.book
        return write(record_head(book.header, book.names, book.state, self.began[:10]), book.history)


def record_head(header: Header, names: tuple[str, ...], state: State, date: str) -> Headers:
    """What stands above the game in its record, with the cards that are dealt. Raises NoSuchTerms."""
    return Headers(
        ruleset=header.ruleset,
        scoring=scoring_of(header),
        points=own_points(header),
        options=header.options,
        event=header.event,
        stage=header.stage,
        game=str(header.game),
        table=str(header.table),
        date=date,
        judge=header.judge,
        seats=tuple(
            Sitter(seat.number, name, seat.role)
            for seat, name in zip(state.seats, names, strict=True)
            if seat.role is not None
        ),
    )


def filed_games(
    folder: Path, rulesets: Mapping[str, Rules] = RULESETS, *, last: int | None = None
) -> tuple[Filed, ...]:
    """Every game of the journal in `folder`, or the `last` of them, in the order they began. Raises NoJournal."""
    books: dict[str, Book] = {}
    began: dict[str, str] = {}
    try:
        for row in read_only(folder, last):
            began.setdefault(row.game, row.wall)
            books[row.game] = fold(books.get(row.game), row, rulesets)
    except (sqlite3.Error, Unreadable, Misfit) as wrong:
        raise NoJournal(f"{folder}: {wrong}") from wrong
    return tuple(Filed(book, began[game]) for game, book in books.items())


def filed_book(folder: Path, game: str, rulesets: Mapping[str, Rules] = RULESETS) -> Book | None:
    """The one game `game` of the journal in `folder`; None if there is no such. Raises NoJournal."""
    book: Book | None = None
    try:
        for row in read_only(folder, game=game):
            book = fold(book, row, rulesets)
    except (sqlite3.Error, Unreadable, Misfit) as wrong:
        raise NoJournal(f"{folder}: {wrong}") from wrong
    return book


def games_of(folder: Path) -> dict[str, int]:
    """Every game of the journal in `folder`, in the order they began, with the number of its last row: the same number
    is the same game. Raises NoJournal."""
    try:
        return last_rows(folder)
    except sqlite3.Error as wrong:
        raise NoJournal(f"{folder}: {wrong}") from wrong
