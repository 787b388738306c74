"""`mafia-table replay`: a record from a file, played and printed; a fault is one sentence with its line."""

import json
import sys
from pathlib import Path

from controller.catalogue import sentence
from controller.game.refusal import refuse
from controller.record.lines import RecordFault
from controller.record.notation import Reading, read
from controller.record.protocol import protocol
from controller.record.result import Row, result
from controller.record.variant import Variant, read_variant

REFUSED = 2


def read_file(path: Path, variant: Variant | None = None) -> Reading:
    """The game recorded in the file `path`. Raises RecordFault, also where the file itself cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise RecordFault(None, refuse("file_missing").refusal) from None
    except IsADirectoryError:
        raise RecordFault(None, refuse("file_is_a_directory").refusal) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise RecordFault(line, refuse("file_not_utf8").refusal) from None
    except OSError as error:
        raise RecordFault(None, refuse("file_unreadable", why=error.strerror or "").refusal) from None
    return read(text, variant)


def replay(path: Path) -> Row:
    """What `replay --json` prints of the record in `path`. Raises RecordFault."""
    reading = read_file(path)
    return result(reading.headers, reading.game.state, reading.table)


def cannot_write(path: Path, error: OSError, language: str) -> str:
    """The sentence for a file or folder that the system will not write; the reason is in the system's own words."""
    return sentence("exchange.cannot_write", language, file=str(path), why=error.strerror or str(error))


def fault_line(path: Path, fault: RecordFault, language: str) -> str:
    """`FILE:LINE: what is wrong (clause)`."""
    place = f"{path}:{fault.line}" if fault.line is not None else str(path)
    said = sentence(f"refusal.{fault.refusal.code}", language, **fault.refusal.params)
    return f"{place}: {said.rstrip('.')} ({fault.clause})" if fault.clause else f"{place}: {said}"


def run_replay(path: Path, as_json: bool, language: str, variant: Path | None = None) -> int:
    """Prints the record in `path`, a protocol for people or one JSON object, and returns the exit status.

    `variant` is a tournament's own rules and points. A record that is refused leaves standard output empty.
    """
    faulty = variant or path
    try:
        own = read_variant(variant) if variant is not None else None
        faulty = path
        reading = read_file(path, own)
        state = reading.game.state
        if as_json:
            said = json.dumps(result(reading.headers, state, reading.table), ensure_ascii=False, indent=1)
        else:
            said = protocol(reading.headers, state, reading.table, language)
    except RecordFault as fault:
        sys.stderr.write(fault_line(faulty, fault, language) + "\n")
        return REFUSED
    sys.stdout.write(said + "\n")
    return 0
