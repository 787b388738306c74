"""`mafia-table report`: everything that somebody far away needs to help, in one file, and nothing that is nobody's
business: no name, no card, no vote, no key. What goes in is listed here; the rest does not exist for it."""

import json
import platform
import shutil
import sqlite3
import sys
import zipfile
from contextlib import closing
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from controller.service.doctor import findings
from controller.service.log import FILE, FOLDER
from controller.service.settings import Settings
from controller.table.journal_file import JOURNAL

_LOG_LINES: Final = 5_000
_SAID: Final = ("at", "level", "room", "outcome", "kind", "game", "command", "revision", "origin")
"""Of a line of the log. Its text is not among them: it may hold what a person typed."""
_KINDS_THAT_TELL: Final = frozenset({"Deal", "Shoot", "Check", "BestMove", "Will"})
"""At night the mere kind of a command can tell who is who: these are called `night`."""


def bundle(settings: Settings, out: Path) -> list[str]:
    """Write the bundle to `out`; the names of what is in it. Raises OSError."""
    parts: dict[str, object] = {
        "machine.json": _machine(settings),
        "doctor.json": _checked(settings),
        "settings.json": _settings(settings),
        "journal.json": _journal(settings.data),
        "packages.json": {each.name: each.version for each in sorted(distributions(), key=lambda each: each.name)},
    }
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, json.dumps(content, ensure_ascii=False, indent=1))
        file.writestr("log.jsonl", "".join(_log(settings.data)))
    return [*parts, "log.jsonl"]


def _machine(settings: Settings) -> dict[str, object]:
    nearest = next(folder for folder in (settings.data, *settings.data.parents) if folder.exists())
    disk = shutil.disk_usage(nearest)
    model = Path("/proc/device-tree/model")
    return {
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "model": model.read_text(errors="replace").strip("\0") if model.exists() else "",
        "disk": {"total": disk.total, "free": disk.free},
    }


def _checked(settings: Settings) -> list[dict[str, object]]:
    """How many things are right and wrong; the sentences name folders and devices, so they stay here."""
    found = findings(settings)
    return [{"number": number, "ok": finding.ok} for number, finding in enumerate(found, 1)]


def _settings(settings: Settings) -> dict[str, object]:
    return {
        "sections": {name: source == "default" for name, source in settings.sources.items()},
        "ruleset": settings.game.ruleset,
        "names": len(settings.game.names),
        "language": settings.speech.language,
        "faults": len(settings.faults),
    }


def _journal(data: Path) -> dict[str, Any]:
    path = data / JOURNAL
    if not path.exists():
        return {"there": False}
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            rows, games, last = db.execute("SELECT COUNT(*), COUNT(DISTINCT game), MAX(seq) FROM decisions").fetchone()
            edges = db.execute("SELECT COUNT(*) FROM edges").fetchone()[0]
            whole = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as wrong:
        return {"there": True, "unreadable": type(wrong).__name__}
    sizes = {each.name: each.stat().st_size for each in data.iterdir() if each.name.startswith("journal")}
    return {"rows": rows, "games": games, "last": last, "edges": edges, "whole": whole, "bytes": sizes}


def _log(data: Path) -> list[str]:
    """The last lines of the log, of each only what is listed; of a fault where it was, and not what was said."""
    lines: list[str] = []
    for path in sorted((data / FOLDER).glob(FILE + "*"), key=lambda each: each.stat().st_mtime):
        lines += path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for each in lines[-_LOG_LINES:] if (line := _cleaned(each))]


def _cleaned(line: str) -> str:
    try:
        said: dict[str, Any] = json.loads(line)
        kept = {name: str(said[name])[:80] for name in _SAID if name in said}
    except (ValueError, TypeError):
        return ""
    if kept.get("kind") in _KINDS_THAT_TELL:
        kept["kind"] = "night"
    if "fault" in said:
        # File and line of each step, the kind of the error; no text, no source line, no value.
        steps = [part.strip() for part in str(said["fault"]).splitlines() if part.strip().startswith("File ")]
        kept["fault"] = " | ".join(step.rpartition("/")[2] for step in steps)
        kept["error"] = str(said["fault"]).splitlines()[-1].partition(":")[0][:80]
    return json.dumps(kept, ensure_ascii=False) + "\n"
