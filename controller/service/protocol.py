"""The protocol of the game on the table, and the sheet of its position, as files for whoever holds the judge's
tablet."""

import base64
import datetime
from pathlib import Path

from controller.game.history import History
from controller.game.refusal import Refusal
from controller.record.form.fill import protocol_form
from controller.record.form.pdf import pdf, position_pdf
from controller.record.form.value import ProtocolForm
from controller.scoring import SCORINGS
from controller.service.position import last_book, position_sheet
from controller.table.archive import record_head
from controller.table.state import Snapshot, Timer
from controller.table.terms import points_of, scoring_of
from controller.table.wishes import Header
from controller.views.messages import Document


def protocol_of(snapshot: Snapshot, language: str) -> Document | Refusal:
    """The form as it stands now; a Refusal before the cards are dealt, or where the rule set has no scoring."""
    form = form_of(snapshot.header, snapshot.names, snapshot.history, language)
    if form is None:
        return Refusal("not_begun", not_now=True)
    return _document(f"game-{snapshot.header.game}-table-{snapshot.header.table}.pdf", pdf(form))


def position_of(snapshot: Snapshot, language: str, now: int) -> Document:
    """Where the game stands at `now`, nanoseconds of the table's clock, and behind it the form as it stands."""
    timer = None if snapshot.timer is None else snapshot.timer.paused(now)
    header, names = snapshot.header, snapshot.names
    made = _sheet_and_form(header, names, snapshot.history, snapshot.revision, timer, language)
    return _document(f"position-{header.game}-table-{header.table}.pdf", made)


def filed_position_pdf(folder: Path, language: str) -> bytes:
    """The same of the last game of the journal in `folder`. Raises NoJournal."""
    book = last_book(folder)
    return _sheet_and_form(book.header, book.names, book.history, book.revision, book.timer, language)


def form_of(header: Header, names: tuple[str, ...], history: History, language: str) -> ProtocolForm | None:
    """The form of a game of the table as it stands; None before the cards are dealt, or without a scoring."""
    state = history.state
    if any(seat.role is None for seat in state.seats) or scoring_of(header) not in SCORINGS:
        return None
    today = datetime.datetime.now().astimezone().date().isoformat()
    return protocol_form(record_head(header, names, state, today), history, points_of(header), language)


def _sheet_and_form(
    header: Header, names: tuple[str, ...], history: History, revision: int, timer: Timer | None, language: str
) -> bytes:
    sheet = position_sheet(header, names, history, revision, timer, language)
    return position_pdf(sheet, form_of(header, names, history, language))


def _document(name: str, content: bytes) -> Document:
    return Document(name=name, content=base64.b64encode(content).decode("ascii"))
