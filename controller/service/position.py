"""`mafia-table position`, and one touch on the tablet: where the game stands, for the judge's eyes alone, to go on with
pen and paper."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.catalogue import sentence
from controller.game.ballot import RAISE, Ballot
from controller.game.history import History
from controller.game.phases import LastWord, Speech
from controller.game.phrases import phrase
from controller.game.state import Seat, State
from controller.record.form.value import PositionSeat, PositionSheet
from controller.table.archive import NoJournal, filed_games
from controller.table.book import Book
from controller.table.clock import SECOND
from controller.table.state import Timer
from controller.table.wishes import Header
from controller.views.lines import covered_line, history_line
from controller.views.public import out_of
from controller.views.steps import said

LINES: Final = 12
"""So many of the last decisions are told."""


def position_sheet(
    header: Header, names: tuple[str, ...], history: History, revision: int, timer: Timer | None, language: str
) -> PositionSheet:
    """Where that game stands; the clock as it was when it was last seen standing or begun."""
    state = history.state
    words = phrase(state)
    return PositionSheet(
        language=language,
        title=", ".join(filter(None, (header.event, header.stage, _game(header, language)))),
        warning=sentence("position.secret", language),
        now=sentence("position.now", language, at=_at(state, language), row=revision),
        phrase=said(words.code, language, state.rules.name, words.params),
        standing=tuple(_standing(state, timer, language)),
        columns=tuple(
            sentence(f"position.{column}", language) for column in ("seat", "name", "role", "fouls", "out", "notes")
        ),
        seats=tuple(_seat(state, seat, name, language) for seat, name in zip(state.seats, names, strict=True)),
        last_title=sentence("position.last", language),
        last=tuple(covered_line(one, language) or history_line(one, language) for one in list(history)[-LINES:]),
    )


def last_book(folder: Path) -> Book:
    """The last game of the journal in `folder`; whoever has the journal open goes on. Raises NoJournal."""
    games = filed_games(folder, last=1)
    if not games:
        raise NoJournal(str(folder))
    return games[-1].book


def filed_position(folder: Path, language: str) -> PositionSheet:
    """Where that game stands. Raises NoJournal."""
    book = last_book(folder)
    return position_sheet(book.header, book.names, book.history, book.revision, book.timer, language)


def position_text(sheet: PositionSheet) -> str:
    """The sheet as a page of text."""
    lines = [
        sheet.title,
        sheet.warning,
        sheet.now,
        sheet.phrase,
        "",
        *sheet.standing,
        *([""] if sheet.standing else []),
    ]
    lines += [_line(seat) for seat in sheet.seats]
    lines += ["", sheet.last_title, *(f"  {line}" for line in sheet.last)]
    return "\n".join(lines) + "\n"


def _line(seat: PositionSeat) -> str:
    return (
        f"{seat.number:>3}  {seat.name:<28} {seat.role:<12} {'!' * seat.fouls:<4}{'  ' + seat.out if seat.out else ''}"
    )


def _standing(state: State, timer: Timer | None, language: str) -> Iterator[str]:
    match state.phase:
        case Speech(seat, _, _) | LastWord(seat, _):
            yield sentence("position.speaks", language, seat=seat)
        case _:
            pass
    if timer is not None:
        minutes, seconds = divmod(-(-timer.left // SECOND), 60)
        yield sentence("position.clock", language, left=f"{minutes}:{seconds:02}")
    if nominees := ", ".join(str(nominee) for nominee in state.candidates):
        yield sentence("position.nominees", language, seats=nominees)
    if state.ballot is not None and (votes := ", ".join(_votes(state.ballot))):
        yield sentence("position.votes", language, votes=votes)


def _votes(ballot: Ballot) -> Iterator[str]:
    for votes in ballot.votes[: len(ballot.counts)]:
        whose = ", ".join(str(seat) for seat in (*votes.hands, *votes.assigned))
        asked = "?" if votes.candidate == RAISE else str(votes.candidate)
        yield f"{asked}: {votes.total}" + (f" ({whose})" if whose else "")


def _game(header: Header, language: str) -> str:
    return sentence("position.game", language, game=header.game, table=header.table)


def _at(state: State, language: str) -> str:
    moment = state.at
    return sentence(f"moment.{'day' if moment.day else 'night'}", language, number=moment.number)


def _seat(state: State, seat: Seat, name: str, language: str) -> PositionSeat:
    role = "-" if seat.role is None else sentence(f"role.{seat.role.value}", language, ruleset=state.rules.name)
    out = out_of(state, seat.number)
    left = "" if out is None else sentence(f"how.{out.how}", language)
    return PositionSeat(seat.number, name, role, len(seat.fouls), left)
