"""The form as PDF, set by Typst from `protocol.typ` with the font that lies beside it; and the sheet of a position."""

import json
from dataclasses import asdict
from pathlib import Path

import typst

from controller.record.form.value import PositionSheet, ProtocolForm, as_json

HERE = Path(__file__).parent
TEMPLATE = HERE / "protocol.typ"
POSITION = HERE / "position.typ"
FONTS = HERE / "fonts"


def pdf(form: ProtocolForm) -> bytes:
    """The form as one PDF. The same form gives the same bytes."""
    made = compiler(form).compile(format="pdf", timestamp=0)
    assert isinstance(made, bytes)
    return made


def compiler(form: ProtocolForm) -> typst.Compiler:
    """Typst with this form loaded. The system's fonts are only for letters that ours has not."""
    return typst.Compiler(
        TEMPLATE, root=HERE, font_paths=[FONTS], sys_inputs={"form": as_json(form)}, ignore_system_fonts=False
    )


def position_pdf(sheet: PositionSheet, form: ProtocolForm | None) -> bytes:
    """Where the game stands, and behind it the form as far as it is filled."""
    values = {"sheet": json.dumps(asdict(sheet), ensure_ascii=False), "form": "" if form is None else as_json(form)}
    made = typst.Compiler(
        POSITION, root=HERE, font_paths=[FONTS], sys_inputs=values, ignore_system_fonts=False
    ).compile(format="pdf", timestamp=0)
    assert isinstance(made, bytes)
    return made
