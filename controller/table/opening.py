"""How a table comes up: a first game on an empty journal, or the last one where it was left. Events are folded;
nothing is decided anew."""

import uuid
from collections.abc import Mapping

from controller.game.rules import Rules
from controller.table import events as ev
from controller.table.book import Book, Row, fold
from controller.table.clock import Clock
from controller.table.deciding import Ruling, came_up
from controller.table.journal import Journal
from controller.table.terms import points_of, rules_of
from controller.table.wishes import Header, Start


class WrongNumberOfNames(Exception):
    """A new game is to be played by more or fewer than its ruleset is for."""

    def __init__(self, count: int, fewest: int, most: int) -> None:
        super().__init__(f"{count} names, not {fewest} to {most}")
        self.count, self.fewest, self.most = count, fewest, most


async def begin_or_go_on(
    journal: Journal, clock: Clock, rulesets: Mapping[str, Rules], header: Header, names: tuple[str, ...]
) -> Book:
    """The book of the last game, with a row that says that the service came up; or of a new one.

    Raises NoSuchTerms or WrongNumberOfNames if a new game cannot be begun so, NotWritten if the disk does not take
    it, Misfit or `codec.Unreadable` if the rows of the last game are none of this program's.
    """
    game = await journal.last_game()
    book: Book | None = None
    last: Row | None = None
    for row in [] if game is None else await journal.rows(game):
        book, last = fold(book, row, rulesets), row
    if book is None or last is None:
        name = uuid.uuid4().hex
        rules, _ = rules_of(header, rulesets), points_of(header)
        seats = len(names) or rules.fewest
        if not rules.fewest <= seats <= rules.most:
            raise WrongNumberOfNames(seats, rules.fewest, rules.most)
        began = ev.GameBegan(name, None, seats, header, names or tuple("" for _ in range(seats)))
        return await _row(journal, clock, rulesets, None, name, 1, Ruling(Start(), table=(began,)))
    alive = await journal.alive()
    seen = last.at if alive is None or alive[0] != last.boot else max(last.at, alive[1])
    ruling = came_up(book, last.boot, seen, clock.boot)
    return await _row(journal, clock, rulesets, book, book.game, book.revision + 1, ruling)


async def _row(
    journal: Journal,
    clock: Clock,
    rulesets: Mapping[str, Rules],
    book: Book | None,
    game: str,
    seq: int,
    ruling: Ruling,
) -> Book:
    row = Row(
        seq=seq,
        game=game,
        id=f"start {uuid.uuid4().hex}",
        origin="table",
        command=ruling.command,
        table=ruling.table,
        wall=clock.wall(),
        boot=clock.boot,
        at=clock.now(),
    )
    after = fold(book, row, rulesets)
    await journal.commit(row)
    return after
