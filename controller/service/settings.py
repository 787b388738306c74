"""The settings of one table: typed, with defaults that work, read from TOML. A faulty section warns and does not stop.

`mafia-table doctor` prints them with where each came from.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from platformdirs import user_config_path, user_data_path

from controller.views.messages import Language

APPLICATION: Final = "mafia-table"
DEFAULT: Final = "default"
DEFAULT_WIRING: Final = "pico_matrix"


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served. Other machines get in only where `host` says so."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8666


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a new game starts with."""

    ruleset: str = "fiim"
    event: str = ""
    stage: str = ""
    judge: str = ""
    table: Annotated[int, Meta(ge=0, le=1000)] = 1
    names: tuple[str, ...] = ()


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One device: its wiring - a shipped one's name or a TOML file -, serial ports to try before the machine's own
    list, and the one device id to accept."""

    wiring: str = DEFAULT_WIRING
    ports: tuple[str, ...] = ()
    device: str | None = None


class Devices(Device, frozen=True, forbid_unknown_fields=True):
    """The device of the seats and the board, and those beside it."""

    also: tuple[Device, ...] = ()


class Speech(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The language of sentences where a screen does not ask for one."""

    language: Language = "ru"


@dataclass(frozen=True, slots=True)
class Fault:
    """A setting that was not taken, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    data: Path
    web: Web = Web()
    game: Game = Game()
    devices: Devices = Devices()
    speech: Speech = Speech()
    faults: tuple[Fault, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where each section came from: a file, the command line, or the default."""


_SECTIONS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "web": Web,
    "game": Game,
    "devices": Devices,
    "speech": Speech,
}


def settings(file: Path | None = None, data: Path | None = None) -> Settings:
    """The settings from `file` (default: the user's own), with the data folder `data` where it is given."""
    file = file or user_config_path(APPLICATION) / "table.toml"
    said: dict[str, Any] = {}
    faults: list[Fault] = []
    if file.exists():
        try:
            said = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            faults.append(Fault(str(file), str(error)))
    sources: dict[str, str] = {}
    folder = said.pop("data", None)
    sources["data"] = "--data" if data else str(file) if isinstance(folder, str) else DEFAULT
    if folder is not None and not isinstance(folder, str):
        faults.append(Fault("data", "not a path"))
        folder = None
    read: dict[str, Any] = {}
    for name, kind in _SECTIONS.items():
        sources[name] = DEFAULT
        if name in said:
            try:
                read[name] = msgspec.convert(said.pop(name), kind)
                sources[name] = str(file)
            except msgspec.ValidationError as error:
                faults.append(Fault(name, str(error)))
    faults += [Fault(name, "unknown") for name in said]
    return Settings(
        data=data or (Path(folder).expanduser() if folder else user_data_path(APPLICATION)),
        faults=tuple(faults),
        sources=sources,
        **read,
    )
