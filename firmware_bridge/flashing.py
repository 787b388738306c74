"""What belongs on a microcontroller: the files of its program and its pins, and the build that they make."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from firmware_bridge.firmware.build import FILES, PINS, build_of
from hardware.wiring import WiringMap

ROOT: Final = Path(__file__).parents[1]
MAIN: Final = "main.py"


@dataclass(frozen=True, slots=True)
class DeviceFile:
    """One file as it lies on the device, named from its top."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        """The SHA-256 of the content, in hexadecimal digits."""
        return hashlib.sha256(self.content).hexdigest()


def program() -> tuple[DeviceFile, ...]:
    """Return the program's files in the order in which its build is reckoned."""
    return tuple(DeviceFile(name, _source(name).read_bytes()) for name in FILES)


def device_files(wiring: WiringMap) -> tuple[DeviceFile, ...]:
    """Return all that belongs on a device that is soldered as `wiring` says."""
    return (*program(), DeviceFile(PINS, wiring.pins_file()))


def build(wiring: WiringMap) -> str:
    """Return what such a device calls its build in the handshake: program, a slash, pins."""
    files = {file.name: file.content for file in device_files(wiring)}

    def open_file(name: str) -> BinaryIO:
        return BytesIO(files[name])

    return build_of(open_file)


def copy_to(folder: Path, wiring: WiringMap) -> tuple[DeviceFile, ...]:
    """Lay all that belongs on the device into `folder`, as it is to lie there. Return what was written."""
    files = device_files(wiring)
    for file in files:
        place = folder / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.content)
    return files


def same_program(said: str, wirings: Iterable[WiringMap]) -> bool:
    """Return whether a device that calls its build `said` runs the program that belongs to this table."""
    return any(said.split("/")[0] == build(wiring).split("/")[0] for wiring in wirings)


def wiring_of(said: str, wirings: Iterable[WiringMap]) -> WiringMap | None:
    """Return the one of `wirings` whose pins lie on a device that calls its build `said`, if any."""
    pins = said.partition("/")[2]
    return next((wiring for wiring in wirings if build(wiring).partition("/")[2] == pins), None)


def _source(name: str) -> Path:
    return ROOT / "firmware_bridge" / "firmware" / name if name == MAIN else ROOT / name
