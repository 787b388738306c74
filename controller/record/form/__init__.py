"""The official form of a game (fiim 9, ukraine 9): one value, drawn as PDF, as a workbook and as a page.

    form = protocol_form(reading.headers, reading.game, reading.table, "ru")
    pdf(form), workbook(form), page(form), as_json(form)

`blank_form(...)` is the same before the game: the head is filled in, the rest is for the pen (fiim 9.2).
"""

from controller.record.form.blank import blank_form
from controller.record.form.fill import protocol_form
from controller.record.form.page import page
from controller.record.form.pdf import pdf
from controller.record.form.value import ProtocolForm, as_json
from controller.record.form.workbook import workbook

__all__ = ["ProtocolForm", "as_json", "blank_form", "page", "pdf", "protocol_form", "workbook"]
