"""`mafia-table import`, `export`, and the seating: files in, files out, a report of what was not said.

Everything is made before anything is written: a file that is refused leaves nothing behind.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from controller.catalogue import sentence
from controller.game.rules import Rules
from controller.game.rulesets.fiim import FIIM
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.games import Imported, import_games
from controller.record.exchange.notes import Note, Notes
from controller.record.exchange.rosters import read_players
from controller.record.exchange.seatings import report_lines, seating_csv, seating_workbook
from controller.record.exchange.sheets import as_csv
from controller.record.exchange.to_mafiaratings import mafiaratings
from controller.record.lines import RecordFault
from controller.record.replay import REFUSED, cannot_write, fault_line, read_file
from controller.record.seating import PlanFault, draw, fresh_seed, schedule


def run_import(path: Path, folder: Path, language: str, rules: Rules = FIIM) -> int:
    """Writes a record for every game of the JSON file `path` into `folder`, and prints the report of each.

    If a game does not come to its end in the engine, nothing is written.
    """
    try:
        games = import_games(path, rules)
    except ExchangeFault as fault:
        return _refused(fault.said(path, language))
    for game in games:
        _report(game.label, game.notes, language)
    for game in games:
        if not game.complete:
            return _refused(f"{path}: {sentence('exchange.not_written', language, game=game.label)}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _refused(cannot_write(folder, error, language))
    return _written(
        {folder / f"{path.stem}-{name}.mafia": game.record.encode() for name, game in _named(games)}, language
    )


def _named(games: Sequence[Imported]) -> list[tuple[str, Imported]]:
    """A file's name for each game: its label, or its place where that is no name or there is another like it."""
    labels = [game.label for game in games]
    return [
        (label if label.isalnum() and labels.count(label) == 1 else str(place), game)
        for place, (label, game) in enumerate(zip(labels, games, strict=True), 1)
    ]


def run_export(path: Path, out: Path, language: str) -> int:
    """Writes the game recorded in `path` as mafiaratings writes it, and prints what has no place there."""
    notes = Notes()
    try:
        reading = read_file(path)
        row = mafiaratings(reading.headers, reading.game, notes)
    except RecordFault as fault:
        return _refused(fault_line(path, fault, language))
    except ExchangeFault as fault:
        return _refused(fault.said(path, language))
    _report(path.stem, tuple(notes.found), language)
    return _written({out: (json.dumps(row, ensure_ascii=False, indent=1) + "\n").encode()}, language)


def run_draw(path: Path, out: Path | None, seed: str, language: str) -> int:
    """Draws seats for the players in `path`; prints them with the seed, or writes them as CSV. No seed: a fresh one."""
    try:
        drawn = draw(read_players(path).names, seed or fresh_seed())
    except ExchangeFault as fault:
        return _refused(fault.said(path, language))
    _say(sentence("exchange.schedule_seed", language, seed=drawn.seed))
    _say(sentence("exchange.schedule_algorithm", language, algorithm=drawn.algorithm))
    if out is None:
        for seat, name in enumerate(drawn.seats, 1):
            _say(f"{seat}. {name}")
        return 0
    head = [sentence("exchange.seat", language), sentence("exchange.name", language)]
    return _written({out: as_csv([head, *enumerate(drawn.seats, 1)]).encode()}, language)


def run_schedule(path: Path, out: Path, games: int, tables: int, seed: str, language: str) -> int:
    """Writes an even schedule for the players in `path` as CSV or XLSX, by the name of `out`; prints how even it is."""
    try:
        plan = schedule(read_players(path).names, games=games, tables=tables, seed=seed or fresh_seed())
    except ExchangeFault as fault:
        return _refused(fault.said(path, language))
    except PlanFault as fault:
        return _refused(f"{path}: {sentence('exchange.' + fault.code, language, **fault.params)}")
    for line in report_lines(plan, language):
        _say(line)
    data = (
        seating_workbook(plan, language) if out.suffix.casefold() == ".xlsx" else seating_csv(plan, language).encode()
    )
    return _written({out: data}, language)


def _report(label: str, notes: Sequence[Note], language: str) -> None:
    _say(f"{label}:")
    for note in notes:
        _say(f"  - {note.said(language)}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def _refused(line: str) -> int:
    sys.stderr.write(line + "\n")
    return REFUSED


def _written(files: dict[Path, bytes], language: str) -> int:
    """Writes all of the files, or none: what is new goes again where one of them cannot be written."""
    fresh: list[Path] = []
    for path, data in files.items():
        if not path.exists():
            fresh.append(path)
        try:
            path.write_bytes(data)
        except OSError as error:
            for one in fresh:
                one.unlink(missing_ok=True)
            return _refused(cannot_write(path, error, language))
    for path in files:
        _say(str(path))
    return 0
