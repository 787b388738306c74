"""`mafia-table erase`: nothing on this table names somebody any more.

The journal is evidence, each row chained to the one before it: a name cannot be cut out of it and the rest kept. So its
games are kept as records in which the name is another one, and the journal itself is deleted, with every other file of
the table and of its copies in which the name stands.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.record.writer import CannotWrite
from controller.service.nickname import folded
from controller.service.settings import Settings
from controller.service.uploads import player_of
from controller.table.archive import Filed, NoJournal, filed_games
from controller.table.copying import is_there
from controller.table.journal_file import InUse, hold

_OF_THE_TABLE: Final = frozenset({"access.json", "starts", "journal.lock", "metrics.key"})
"""What no player's name is in; a tablet may be called like one, and is revoked by hand."""
_JOURNAL: Final = "journal"


@dataclass(frozen=True, slots=True)
class Erased:
    """What was done, and what a person still has to do."""

    records: tuple[Path, ...]
    """The games, with another name in them."""
    deleted: tuple[Path, ...]
    by_hand: tuple[Path, ...]
    """Files of a person's own in which the name still stands."""
    away: tuple[Path, ...]
    """Places of copies that are not there now: what lies on them names whom it named."""


class CannotErase(Exception):
    """Nothing was erased; `code` and `params` are the sentence's."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def named_in(game: Filed, name: str) -> bool:
    """Whether `name` sat at the table in `game`, or judged it."""
    return folded(name) in {folded(one) for one in (*game.book.names, game.book.header.judge)}


def records_with(games: tuple[Filed, ...], name: str, instead: str) -> dict[str, str]:
    """File name -> the record of each dealt game, with `instead` where `name` was. Raises CannotWrite."""
    return {
        f"game-{place}.mafia": _renamed(game, name, instead).record for place, game in enumerate(games, 1) if game.dealt
    }


def erase(settings: Settings, name: str, instead: str, out: Path) -> Erased:
    """Erases `name`; the table must not run. All or nothing until the records are written. Raises CannotErase."""
    data = settings.data
    try:
        held = hold(data)
    except InUse as error:
        raise CannotErase("service.data_locked", folder=str(data)) from error
    except OSError as error:
        raise CannotErase("service.no_journal", folder=str(data)) from error
    try:
        games = _games(data)
        texts = records_with(games, name, instead)
        if still := [file for file, text in texts.items() if _stands(name, text.encode())]:
            # In a protest, say: words that a person has typed are a person's to change.
            raise CannotErase("erase.in_words", files=", ".join(still), name=name)
        if not any(named_in(game, name) for game in games) and not _naming(settings, name):
            raise CannotErase("erase.nobody", name=name, folder=str(data))
        out.mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (out / file).write_text(text, encoding="utf-8")
        deleted = _deleted(settings, name)
    except CannotWrite as error:
        raise CannotErase("service.cannot_export", why=str(error)) from error
    except (OSError, sqlite3.Error) as error:
        raise CannotErase("erase.failed", why=str(error)) from error
    finally:
        os.close(held)
    own = [path for path in _files(settings.roster) if path.suffix == ".toml" and _stands(name, path.read_bytes())]
    away = [folder for folder in _copies(settings) if not folder.is_dir() or not is_there(folder)]
    return Erased(tuple(out / file for file in texts), tuple(deleted), tuple(own), tuple(away))


def _games(data: Path) -> tuple[Filed, ...]:
    """The games of the journal; none where one that was begun before has deleted it and could not get to the copies.
    Raises sqlite3.Error."""
    try:
        return filed_games(data)
    except NoJournal:
        return ()


def _copies(settings: Settings) -> list[Path]:
    return [settings.place(copy) for copy in settings.copies.folders]


def _deleted(settings: Settings, name: str) -> list[Path]:
    gone: list[Path] = []
    for path in _naming(settings, name):
        path.unlink(missing_ok=True)
        gone.append(path)
    return gone


def _naming(settings: Settings, name: str) -> list[Path]:
    """The journal and its copies where they name somebody, whatever else the table has written that does, and the
    player's pictures."""
    roster = settings.roster
    found: list[Path] = []
    for folder in (settings.data, *_copies(settings)):
        files = [path for path in _files(folder) if path.name not in _OF_THE_TABLE and roster not in path.parents]
        naming = [path for path in files if _stands(name, path.read_bytes())]
        # A journal is several files, and what is deleted in one of them may still stand in another.
        places = {path.parent for path in naming if path.name.startswith(_JOURNAL)}
        found += [
            path for path in files if path in naming or (path.parent in places and path.name.startswith(_JOURNAL))
        ]
    found += [path for path in _files(roster) if path.suffix != ".toml" and folded(path.stem) == folded(name)]
    found += [path for path in _files(settings.uploads) if folded(player_of(path)) == folded(name)]
    return found


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())


def _stands(name: str, content: bytes) -> bool:
    """Whether `name` stands in a file, in whatever letters and spaces people write the same name, or as JSON may write
    it; not as a part of another word."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    if re.search(rf"(?<!\w){words}(?!\w)", content.decode(errors="replace"), re.IGNORECASE):
        return True
    escaped = name.encode("ascii", "backslashreplace")
    return escaped != name.encode() and escaped in content


def _renamed(game: Filed, name: str, instead: str) -> Filed:
    book = game.book
    names = tuple(instead if folded(one) == folded(name) else one for one in book.names)
    judge = instead if folded(book.header.judge) == folded(name) else book.header.judge
    return replace(game, book=replace(book, names=names, header=replace(book.header, judge=judge)))
