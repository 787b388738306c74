"""The pictures that were put in from a page: players', the event's logo, sponsors'. They lie in the data folder and
stand before those of the roster's folder and of the theme.

A player's lies there under the player's name, as in the roster's folder, so that whoever looks for somebody finds all
of him; the addresses under which they are served tell no name.
"""

import hashlib
import io
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.game.refusal import refuse
from controller.service.nickname import folded
from controller.service.pictures import LEAST_PORTRAIT, UNREADABLE, TooSmall, logo, portrait
from controller.service.themes import Marks
from controller.small_files import sync_folder, write_whole

MOST_PLAYERS: Final = 500
MOST_SPONSORS: Final = 8
LONGEST_NAME: Final = 80
_LONGEST_FILE: Final = 240
"""Bytes of a file's name; the disk takes 255."""
log = logging.getLogger(__name__)
_SPONSOR: Final = re.compile(r"sponsor-(\d{3})\.png")
_NEVER_IN_A_FILES_NAME: Final = re.compile(r"[%/\x00]")


def player_of(file: Path) -> str:
    """Whose picture `file` is."""
    return re.sub("%(25|2F|00)", lambda found: chr(int(found[1], 16)), file.stem)


def _file_of(name: str) -> str:
    return _NEVER_IN_A_FILES_NAME.sub(lambda found: f"%{ord(found[0]):02X}", name) + ".jpg"


class Uploads:
    """The folder. What cannot be written raises OSError, what cannot be taken Refused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.players = folder / "players"
        """Where the players' pictures lie."""
        self.marks = self._read()
        """The logo and the sponsors."""

    def put_player(self, name: str, picture: bytes) -> None:
        """From now on this is the picture of `name`."""
        name = " ".join(name.split())
        if not name or not name.isprintable():
            raise refuse("picture_no_name")
        if len(name) > LONGEST_NAME or len(_file_of(name).encode()) > _LONGEST_FILE:
            raise refuse("picture_long_name", most=LONGEST_NAME)
        made = _taken(lambda: portrait(io.BytesIO(picture), least=LEAST_PORTRAIT))
        before = self._of(name)
        if not before and len(self.named()) >= MOST_PLAYERS:
            raise refuse("pictures_full", most=MOST_PLAYERS)
        self.players.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = self.players / _file_of(name)
        write_whole(kept, made, mode=0o600)
        for file in before:
            if file != kept:
                file.unlink(missing_ok=True)

    def drop_player(self, name: str) -> None:
        """The picture of `name` is deleted."""
        files = self._of(name)
        if not files:
            raise refuse("picture_gone")
        for file in files:
            file.unlink(missing_ok=True)
        sync_folder(self.players)

    def named(self) -> list[str]:
        """Of whom there is a picture."""
        return [player_of(file) for file in _files(self.players, "*.jpg")]

    def put_logo(self, picture: bytes) -> None:
        """From now on this is the event's logo."""
        self._write("logo.png", _taken(lambda: logo(io.BytesIO(picture))))

    def drop_logo(self) -> None:
        """The logo is deleted; the theme's own stands again."""
        if self.marks.logo is None:
            raise refuse("picture_gone")
        self._delete(self._folder / "logo.png")

    def add_sponsor(self, picture: bytes) -> None:
        """One more in the strip."""
        made = _taken(lambda: logo(io.BytesIO(picture)))
        before = self._sponsors()
        if len(before) >= MOST_SPONSORS:
            raise refuse("sponsors_full", most=MOST_SPONSORS)
        number = int(before[-1].stem[-3:]) + 1 if before else 1
        self._write(f"sponsor-{number:03}.png", made)

    def drop_sponsor(self, place: int) -> None:
        """The one at `place` in the strip, from 1, is deleted."""
        sponsors = self._sponsors()
        if not 1 <= place <= len(sponsors):
            raise refuse("picture_gone")
        self._delete(sponsors[place - 1])

    def _of(self, name: str) -> list[Path]:
        return [file for file in _files(self.players, "*.jpg") if folded(player_of(file)) == folded(name)]

    def _sponsors(self) -> list[Path]:
        return [file for file in _files(self._folder, "sponsor-*.png") if _SPONSOR.fullmatch(file.name)]

    def _write(self, name: str, made: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(self._folder / name, made, mode=0o600)
        self.marks = self._read()

    def _delete(self, file: Path) -> None:
        file.unlink(missing_ok=True)
        sync_folder(self._folder)
        self.marks = self._read()

    def _read(self) -> Marks:
        files: dict[str, tuple[bytes, str]] = {}

        def addresses(found: list[Path]) -> tuple[str, ...]:
            bodies = [file.read_bytes() for file in found]
            names = [f"{hashlib.sha256(body).hexdigest()[:24]}.png" for body in bodies]
            files.update(zip(names, ((body, "image/png") for body in bodies), strict=True))
            return tuple(f"/theme/{name}" for name in names)

        try:
            return Marks(
                next(iter(addresses(_files(self._folder, "logo.png"))), None), addresses(self._sponsors()), files
            )
        except OSError as error:
            log.warning("the logo and the sponsors cannot be read: %s", error)
            return Marks()


def _files(folder: Path, pattern: str) -> list[Path]:
    return [path for path in sorted(folder.glob(pattern)) if path.is_file() and not path.is_symlink()]


def _taken(make: Callable[[], bytes]) -> bytes:
    try:
        return make()
    except TooSmall as small:
        raise refuse("picture_too_small", width=small.width, height=small.height, least=small.least) from small
    except UNREADABLE as wrong:
        raise refuse("picture_unreadable") from wrong
