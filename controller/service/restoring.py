"""`mafia-table restore`: the table as it is in a copy, in one command."""

import sqlite3

from controller.catalogue import sentence
from controller.service.running import CannotStart
from controller.service.settings import Settings
from controller.table.copying import NoCopy, restore
from controller.table.journal_file import InUse, NewerVersion


def restored(settings: Settings, copy: str) -> list[str]:
    """Restore from the folder `copy`; what was done, as sentences. Raises CannotStart with one."""
    language, data = settings.speech.language, str(settings.data)
    try:
        found = restore(settings.place(copy), settings.data)
    except NoCopy as error:
        raise CannotStart(sentence("restore.no_copy", language, folder=copy)) from error
    except InUse as error:
        raise CannotStart(sentence("service.data_locked", language, folder=data)) from error
    except NewerVersion as error:
        raise CannotStart(sentence("service.journal_newer", language, folder=copy)) from error
    except (sqlite3.Error, OSError) as error:
        raise CannotStart(sentence("restore.failed", language, folder=copy, why=str(error))) from error
    said = [sentence("restore.done", language, rows=found.rows, wall=found.wall[:19].replace("T", " "), folder=data)]
    if found.damage is not None:
        counts = {"row": found.damage.row, "kept": found.damage.kept, "missing": found.damage.missing}
        said.append(sentence(f"readiness.journal_{found.damage.kind}", language, **counts))
    if found.aside is not None:
        said.append(sentence("restore.aside", language, folder=found.aside))
    return said
