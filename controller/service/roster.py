"""The players' pictures and facts: a folder with pictures, and a `roster.toml` where more is to be said of them.

A picture named like the player ("Северная Пальмира.jpg") needs no file beside it; one that was put in from a page
stands before it. Pictures are served as `portrait` makes them, under a digest: no address tells a name.
"""

import asyncio
import hashlib
import logging
import threading
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from controller.service.nickname import folded
from controller.service.pictures import UNREADABLE, portrait
from controller.service.uploads import player_of
from controller.views.facts import NextGame, Note

ROSTER_FILE: Final = "roster.toml"
KINDS: Final = frozenset({".jpg", ".jpeg", ".png", ".webp"})
LARGEST_FILE: Final = 25_000_000
LOOKS_EVERY_S: Final = 2.0

Part: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Line: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Fact: TypeAlias = Annotated[str, Meta(min_length=1, max_length=90)]

log = logging.getLogger(__name__)


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of one player: a picture's file, where on it the face is (parts of its width and height), facts."""

    name: Line
    picture: str | None = None
    face: tuple[Part, Part] | None = None
    facts: Annotated[tuple[Fact, ...], Meta(max_length=12)] = ()


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that is still to come: who sits where."""

    game: Annotated[int, Meta(ge=1, le=10_000)]
    players: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=20)]
    stage: str = ""
    table: Annotated[int, Meta(ge=1, le=1000)] = 1


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: tuple[Player, ...] = ()
    game: tuple[Game, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that was not taken, and why: a code of the catalogue's group `roster`."""

    code: str
    params: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Roster:
    """What is known of the players. Names are compared as people compare them: without case and outer spaces."""

    addresses: Mapping[str, str] = field(default_factory=dict[str, str])
    """Player -> the address of the picture."""
    pictures: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """File name in an address -> the JPEG."""
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    games: tuple[NextGame, ...] = ()
    faults: tuple[Fault, ...] = ()

    def photo(self, name: str) -> str | None:
        """The address of the picture of `name`."""
        return self.addresses.get(folded(name))

    def facts_of(self, name: str) -> tuple[str, ...]:
        """What can be said of `name`."""
        return self.facts.get(folded(name), ())


_Sign: TypeAlias = tuple[tuple[str, int, int], ...]


class RosterFolder:
    """The folder, read anew when something in it has changed, and beside it the one with pictures from a page."""

    def __init__(self, folder: Path, uploaded: Path | None = None) -> None:
        self._folder = folder
        self._uploaded = uploaded
        self._reading = threading.Lock()
        self._sign: _Sign | None = None
        self._made: dict[tuple[str, int, int, tuple[float, float] | None], bytes] = {}
        self._before: Mapping[str, bytes] = {}
        self.roster = Roster()

    def look(self) -> bool:
        """Reads the folder if it has changed; whether it had. A file that is wrong leaves what was known before."""
        with self._reading:
            sign = self._signature()
            if sign == self._sign:
                return False
            self._sign = sign
            self._before, self.roster = self.roster.pictures, self._read()
        for fault in self.roster.faults:
            # Which file it is, the judge reads: a file here bears a player's name, and no log does.
            log.warning("the roster: %s", fault.code)
        return True

    def picture(self, name: str) -> bytes | None:
        """The JPEG under this name; a page may still ask for what the roster has just replaced."""
        return self.roster.pictures.get(name) or self._before.get(name)

    def notes(self) -> tuple[Note, ...]:
        """What of the folder could not be taken."""
        return tuple(Note(f"roster.{fault.code}", fault.params) for fault in self.roster.faults)

    async def watch(self, changed: Callable[[], None]) -> None:
        """Looks again and again until cancelled, and calls `changed`."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            if await asyncio.to_thread(self.look):
                changed()

    def _signature(self) -> _Sign:
        found: list[tuple[str, int, int]] = []
        for path in (*_inside(self._folder), *_inside(self._uploaded)):
            try:
                state = path.stat()
            except OSError:  # it went a moment ago
                continue
            found.append((str(path), state.st_mtime_ns, state.st_size))
        return tuple(found)

    def _read(self) -> Roster:
        faults: list[Fault] = []
        said = self._said(faults)
        files = {path.name: path for path in _pictures(self._folder)}
        wanted: dict[str, tuple[Path, tuple[float, float] | None]] = {
            folded(path.stem): (path, None) for path in files.values()
        }
        for player in () if said is None else said.player:
            name = folded(player.name)
            if player.picture is not None:
                if player.picture not in files:
                    faults.append(Fault("no_picture", {"name": player.name, "file": player.picture}))
                    continue
                wanted[name] = (files[player.picture], player.face)
            elif name in wanted:
                wanted[name] = (wanted[name][0], player.face)
        wanted |= {folded(player_of(path)): (path, None) for path in _pictures(self._uploaded)}
        addresses: dict[str, str] = {}
        pictures: dict[str, bytes] = {}
        for name, (path, face) in wanted.items():
            body = self._portrait(path, face, faults)
            if body is not None:
                file = f"{hashlib.sha256(body).hexdigest()[:32]}.jpg"
                pictures[file], addresses[name] = body, f"/photos/{file}"
        if said is None:
            # What the file said before still holds; its fault is told.
            return Roster(addresses, pictures, self.roster.facts, self.roster.games, tuple(faults))
        return Roster(
            addresses,
            pictures,
            {folded(player.name): player.facts for player in said.player},
            tuple(NextGame(row.game, row.stage, row.table, row.players) for row in said.game),
            tuple(faults),
        )

    def _said(self, faults: list[Fault]) -> _File | None:
        file = self._folder / ROSTER_FILE
        if not file.is_file():
            return _File()
        try:
            return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), _File)
        except (OSError, ValueError) as wrong:
            faults.append(Fault("bad_file", {"file": str(file), "why": str(wrong)}))
            return None

    def _portrait(self, path: Path, face: tuple[float, float] | None, faults: list[Fault]) -> bytes | None:
        try:
            seen = path.stat()
            key = (str(path), seen.st_mtime_ns, seen.st_size, face)
            if key not in self._made:
                if seen.st_size > LARGEST_FILE:
                    faults.append(Fault("picture_too_large", {"file": str(path)}))
                    return None
                self._made[key] = portrait(path, face)
            return self._made[key]
        except UNREADABLE:
            faults.append(Fault("bad_picture", {"file": str(path)}))
            return None


def _inside(folder: Path | None) -> list[Path]:
    """What of a folder is looked at, by name."""
    try:
        inside = [] if folder is None else sorted(folder.iterdir())
    except OSError:
        return []
    return [path for path in inside if path.name == ROSTER_FILE or path.suffix.lower() in KINDS]


def _pictures(folder: Path | None) -> list[Path]:
    return [path for path in _inside(folder) if path.name != ROSTER_FILE and path.is_file() and not path.is_symlink()]
