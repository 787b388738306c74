"""Who is registered at one table: links, devices, invitations and PINs, in one file that nobody else may read.

A device's secret, an invitation and a PIN are kept as hashes. What opens a link is made anew from the table's own key,
so that a link can be shown again. The service and `mafia-table devices` both change the file, each under a lock.
"""

import fcntl
import logging
import os
import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.small_files import write_whole

KEY_BYTES: Final = 32
_NAME: Final = "access.json"

log = logging.getLogger(__name__)


class Scope(StrEnum):
    """What a client may see and do."""

    JUDGE = "judge"
    OFFICE = "office"
    """Secretary and technician: readiness, finished games, no secret of a running one."""
    AIR = "air"
    PRODUCER = "producer"
    SPECTATOR = "spectator"
    TABLE = "table"
    HALL = "hall"
    BREAK = "break"
    """The page between games: standings and who plays next, nothing of a running game."""


class Link(Struct, frozen=True, kw_only=True):
    """A link that lets in whoever has it."""

    id: str
    scope: Scope
    name: str = ""
    generation: int = 1
    """Rises when the link is rotated; what opened it before opens nothing then."""
    expires: float | None = None
    """Seconds of the wall clock; None: never."""
    delay: int | None = None
    """Seconds that a spectator is shown the game later, where this link has a delay of its own."""

    def delay_after(self, usual: int) -> int:
        """Seconds that its spectators are behind, where the table's delay is `usual`."""
        return usual if self.delay is None else self.delay


class Device(Struct, frozen=True, kw_only=True):
    """A tablet that was registered at the table."""

    id: str
    scope: Scope
    name: str
    secret: str
    """SHA-256 of what its cookie carries."""
    registered: float
    known_until: float = 0
    """Until then its PIN is not asked again; seconds of the wall clock."""


class Invitation(Struct, frozen=True, kw_only=True):
    """Leave to register one device, once."""

    id: str
    scope: Scope
    name: str
    secret: str
    """Hash of what the invitation's link carries."""
    code: str
    """Hash of the digits that can be typed instead; empty once they were guessed at too often."""
    expires: float


class Registry(Struct, frozen=True, kw_only=True):
    """All of it."""

    key: str
    pins: dict[str, str] = {}
    """Scope -> the hash of its PIN."""
    links: tuple[Link, ...] = ()
    devices: tuple[Device, ...] = ()
    invitations: tuple[Invitation, ...] = ()

    def link(self, id: str) -> Link | None:  # noqa: A002 - the field's own word
        """The link called `id`."""
        return next((row for row in self.links if row.id == id), None)

    def device(self, id: str) -> Device | None:  # noqa: A002
        """The device called `id`."""
        return next((row for row in self.devices if row.id == id), None)

    def with_device(self, device: Device) -> "Registry":
        """The registry with `device` in the place of the one with its id, or beside the others."""
        others = tuple(row for row in self.devices if row.id != device.id)
        return replace(self, devices=(*others, device))

    def with_link(self, link: Link) -> "Registry":
        """The registry with `link` in the place of the one with its id, or beside the others."""
        if self.link(link.id) is None:
            return replace(self, links=(*self.links, link))
        return replace(self, links=tuple(link if row.id == link.id else row for row in self.links))


class RegistryFile:
    """The registry of one data folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def read(self) -> Registry:
        """What is registered. A file that cannot be understood is laid aside and another is begun. Raises OSError."""
        with self._locked():
            return self._read()

    def change(self, how: Callable[[Registry], Registry]) -> Registry:
        """Writes what `how` makes of the registry, whole or not at all. Raises OSError."""
        with self._locked():
            before = self._read()
            after = how(before)
            if after != before:
                self._write(after)
            return after

    def stamp(self) -> tuple[int, int]:
        """Another one whenever the file was written anew."""
        try:
            found = self._path.stat()
        except OSError:
            return (0, 0)
        return (found.st_ino, found.st_mtime_ns)

    def _read(self) -> Registry:
        try:
            written = self._path.read_bytes()
        except FileNotFoundError:
            return self._begin()
        try:
            return msgspec.json.decode(written, type=Registry)
        except msgspec.DecodeError as wrong:
            aside = self._path.with_name(f"{_NAME}.damaged")
            self._path.replace(aside)
            log.warning("%s cannot be read (%s); it lies at %s, devices must be registered anew", _NAME, wrong, aside)
            return self._begin()

    def _begin(self) -> Registry:
        registry = Registry(key=secrets.token_hex(KEY_BYTES))
        self._write(registry)
        return registry

    def _write(self, registry: Registry) -> None:
        write_whole(self._path, msgspec.json.encode(registry), mode=0o600)

    @contextmanager
    def _locked(self) -> Generator[None]:
        descriptor = os.open(self._path.with_name(f"{_NAME}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
