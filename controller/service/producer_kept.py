"""What the producer has set, and the recording's chapters: kept in the data folder, so that a restart loses neither."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.service.settings import Delay, Settings
from controller.small_files import no_room, write_whole
from controller.views.stage import Switches
from scenes.tape import Shelf

log = logging.getLogger(__name__)

FILE: Final = "producer.json"


class Kept(Struct, frozen=True):
    """What outlives the service."""

    switches: Switches = Switches()
    stream_delay: int | None = None
    spectators_delay: int | None = None
    """Seconds, once the producer has set them on the page; the settings say them before."""
    game: str = ""
    shelf: Shelf = Shelf()


def delay_of(settings: Settings, kept: Kept) -> Delay:
    """How far viewers are to be behind the table now: as the producer has set it last, or as the settings say."""
    said = settings.delay
    return Delay(
        spectators=said.spectators if kept.spectators_delay is None else kept.spectators_delay,
        stream=said.stream if kept.stream_delay is None else kept.stream_delay,
    )


class Keeper:
    """The file, and the one thread that writes it."""

    def __init__(self, folder: Path, changed: Callable[[], None]) -> None:
        """`changed` is called in the writer's thread when `unkept` has changed."""
        self._file = folder / FILE
        self._changed = changed
        self.unkept: str | None = None
        """Why what was set could not be written: the key of its sentence in the catalogue's group `obs`."""
        self._writer = ThreadPoolExecutor(1, "producer")
        self._closed = False

    def keep(self, kept: Kept) -> None:
        """Writes `kept` as soon as the writer comes to it. Returns at once."""
        if self._closed:
            return
        replayless = replace(kept, switches=replace(kept.switches, replay=None))
        self._writer.submit(self._write, msgspec.json.format(msgspec.json.encode(replayless), indent=1))

    def close(self) -> None:
        """Returns when everything is written."""
        self._closed = True
        self._writer.shutdown()

    def _write(self, text: bytes) -> None:
        before, unkept = self.unkept, None
        try:
            write_whole(self._file, text)
        except OSError as error:
            log.warning("%s could not be written: %s", self._file.name, error)
            unkept = "unkept_full" if no_room(error) else "unkept"
        # Not sooner: a view that is made while it is being written must not say that it is kept.
        self.unkept = unkept
        if unkept != before and not self._closed:
            self._changed()


def kept_in(folder: Path) -> Kept:
    """What was kept in `folder`; a file that cannot be read is put aside, never overwritten."""
    file = folder / FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except FileNotFoundError:
        return Kept()
    except (OSError, msgspec.DecodeError):
        log.warning("%s cannot be read and is put aside", file.name)
        try:
            file.replace(file.with_suffix(".damaged"))
        except OSError:
            log.warning("%s could not be put aside", file.name)
        return Kept()
