"""The protocol of the game on the table, as a file for whoever holds the judge's tablet."""

import base64
import datetime

from controller.game.refusal import Refusal
from controller.record.form.fill import protocol_form
from controller.record.form.pdf import pdf
from controller.record.headers import Headers, Sitter
from controller.scoring import SCORINGS, scoring_table
from controller.table.state import Snapshot
from controller.views.messages import Document


def protocol_of(snapshot: Snapshot, language: str) -> Document | Refusal:
    """The form as it stands now; a Refusal before the cards are dealt, or where the rule set has no scoring."""
    state, header = snapshot.state, snapshot.header
    if any(seat.role is None for seat in state.seats) or header.ruleset not in SCORINGS:
        return Refusal("not_begun", not_now=True)
    seats = tuple(
        Sitter(seat.number, name, seat.role)
        for seat, name in zip(state.seats, snapshot.names, strict=True)
        if seat.role is not None
    )
    head = Headers(
        ruleset=header.ruleset,
        scoring=header.ruleset,
        options=header.options,
        event=header.event,
        stage=header.stage,
        game=str(header.game),
        table=str(header.table),
        date=datetime.datetime.now().astimezone().date().isoformat(),
        judge=header.judge,
        seats=seats,
    )
    form = protocol_form(head, snapshot.history, scoring_table(header.ruleset, header.stage), language)
    name = f"game-{header.game}-table-{header.table}.pdf"
    return Document(name=name, content=base64.b64encode(pdf(form)).decode("ascii"))
