"""Before a version that writes otherwise opens a journal, the journal is kept as it was: one can go back."""

import hashlib
import json
import shutil
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

from controller.service.settings import APPLICATION
from controller.small_files import write_whole
from controller.table import codec
from controller.table.copying import whole_copy
from controller.table.journal_file import JOURNAL, schema

KEPT: Final = 3
_NOTE: Final = "written-by.json"
_PREFIX: Final = "before-upgrade-"


def this_version() -> str:
    """The version and the shape of the journal that this program writes."""
    shape = hashlib.sha256(f"{schema()} {codec.VERSION}".encode()).hexdigest()[:8]
    return f"{version(APPLICATION)}-{shape}"


def keep_before(data: Path) -> Path | None:
    """Copy the journal in `data` where another version wrote it; where to, or None if there was no need. Raises OSError
    or sqlite3.Error; then the journal is as it was."""
    note, own = data / _NOTE, this_version()
    before = ""
    with suppress(OSError, ValueError, KeyError, TypeError):
        before = str(json.loads(note.read_text())["version"])
    kept: Path | None = None
    if before != own and (data / JOURNAL).is_file() and (data / JOURNAL).stat().st_size:
        kept = data / f"{_PREFIX}{before or 'unknown'}"
        if not kept.exists():
            whole_copy(data, kept)
        olds = sorted(data.glob(f"{_PREFIX}*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
        for old in olds[KEPT:]:
            shutil.rmtree(old)
    if before != own:
        write_whole(note, json.dumps({"version": own}).encode())
    return kept
