"""`mafia-table protocol`: a record's form as a file, and the blank form before the game."""

import sys
from pathlib import Path

from controller.record.form.blank import blank_form
from controller.record.form.fill import protocol_form
from controller.record.form.page import page
from controller.record.form.pdf import pdf
from controller.record.form.value import ProtocolForm, as_json
from controller.record.form.workbook import workbook
from controller.record.headers import Headers
from controller.record.lines import RecordFault
from controller.record.replay import REFUSED, cannot_write, fault_line, read_file
from controller.record.variant import read_variant

FORMATS = ("pdf", "xlsx", "html", "json")


def drawn(form: ProtocolForm, fmt: str) -> bytes:
    """The form in one of `FORMATS`. Raises ValueError if it is another."""
    match fmt:
        case "pdf":
            return pdf(form)
        case "xlsx":
            return workbook(form)
        case "html":
            return page(form).encode()
        case "json":
            return as_json(form).encode()
        case _:
            raise ValueError(f"no such format: {fmt}; there are {', '.join(FORMATS)}")


def run_protocol(path: Path, out: Path | None, fmt: str, language: str, variant: Path | None = None) -> int:
    """Writes the form of the record in `path` to `out` (default: beside it) and returns the exit status.

    `variant` is a tournament's own rules and points. A record that is refused writes nothing.
    """
    faulty = variant or path
    try:
        own = read_variant(variant) if variant is not None else None
        faulty = path
        reading = read_file(path, own)
    except RecordFault as fault:
        sys.stderr.write(fault_line(faulty, fault, language) + "\n")
        return REFUSED
    form = protocol_form(reading.headers, reading.game, reading.table, language)
    return _write(form, out or path.with_suffix(f".{fmt}"), fmt, language)


def run_blank(headers: Headers, names: tuple[str, ...], seats: int, out: Path, fmt: str, language: str) -> int:
    """Writes the blank form under this head to `out` and returns the exit status."""
    return _write(blank_form(headers, language, names=names, seats=seats), out, fmt, language)


def _write(form: ProtocolForm, out: Path, fmt: str, language: str) -> int:
    try:
        out.write_bytes(drawn(form, fmt))
    except OSError as error:
        sys.stderr.write(cannot_write(out, error, language) + "\n")
        return REFUSED
    sys.stdout.write(f"{out}\n")
    return 0
