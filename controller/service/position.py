"""`mafia-table position`: where the game stands, for the judge's eyes alone, to go on with pen and paper."""

from pathlib import Path
from typing import Final

from controller.catalogue import sentence
from controller.game.phrases import phrase
from controller.game.state import Seat, State
from controller.table.archive import NoJournal, filed_games
from controller.views.lines import history_line
from controller.views.public import out_of
from controller.views.steps import said

LINES: Final = 12
"""So many of the last decisions are told."""


def position(folder: Path, language: str) -> str:
    """The last game of the journal in `folder` as a page of text; whoever has the journal open goes on.

    Raises NoJournal if there is none.
    """
    games = filed_games(folder, last=1)
    if not games:
        raise NoJournal(str(folder))
    book = games[-1].book
    state, header = book.state, book.header
    ruleset = state.rules.name
    words = phrase(state)
    lines = [
        sentence("position.head", language, event=header.event, stage=header.stage, game=header.game),
        sentence("position.now", language, at=_at(state, language), row=book.revision),
        said(words.code, language, ruleset, words.params),
        "",
    ]
    lines += [_seat(state, seat, name, language) for seat, name in zip(state.seats, book.names, strict=True)]
    nominees = ", ".join(str(nominee) for nominee in state.candidates)
    if nominees:
        lines += ["", sentence("position.nominees", language, seats=nominees)]
    lines += ["", sentence("position.last", language)]
    lines += [f"  {history_line(decision, language)}" for decision in list(book.history)[-LINES:]]
    return "\n".join(lines) + "\n"


def _at(state: State, language: str) -> str:
    moment = state.at
    return sentence(f"moment.{'day' if moment.day else 'night'}", language, number=moment.number)


def _seat(state: State, seat: Seat, name: str, language: str) -> str:
    role = "-" if seat.role is None else sentence(f"role.{seat.role.value}", language, ruleset=state.rules.name)
    out = out_of(state, seat.number)
    left = "" if out is None else f"  {sentence(f'how.{out.how}', language)}"
    return f"{seat.number:>3}  {name:<28} {role:<12} {'!' * len(seat.fouls):<4}{left}"
