"""The settings of one table: typed, with defaults that work, read from TOML. A faulty value warns and does not stop:
that one value is as if it had not been said.

`mafia-table doctor` prints them with where each came from.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, TypeGuard, cast

import msgspec
from msgspec import Meta, inspect
from platformdirs import user_config_path, user_data_path

from controller.catalogue import nearest, sentence
from controller.sound.settings import SoundSettings
from controller.views.messages import Language
from controller.views.stage import FactsBy

APPLICATION: Final = "mafia-table"
DEFAULT: Final = "default"
DEFAULT_WIRING: Final = "pico_matrix"


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served. Other machines get in only where `host` says so."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8666
    certificate: str = ""
    """A file (PEM) with the certificate of the pages; with it they come over TLS alone."""
    key: str = ""
    """A file (PEM) with the certificate's key; empty where it is in the same file."""
    names: tuple[str, ...] = ()
    """Names by which the pages may be called beside addresses, `localhost`, `.local` names and the machine's own."""

    @property
    def secure(self) -> bool:
        """Whether the pages come over TLS."""
        return bool(self.certificate)


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a new game starts with."""

    ruleset: str = "fiim"
    scoring: str = ""
    """The points, where they are not the ruleset's own: `club`."""
    variant: str = ""
    """The tournament's own rules and points: a file (TOML) that starts from a ruleset; it stands before both."""
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


class Show(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the screens look: a theme that ships or an event's own file, the folder of the players' pictures (default:
    `roster` in the data folder), and when a fact on a player comes by itself, until the producer says otherwise."""

    theme: str = "dark"
    roster: str = ""
    facts: FactsBy = "by_hand"


class Obs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """OBS: where its WebSocket server listens, and the cue sheet. Without a host no OBS is looked for."""

    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65535)] = 4455
    password: str = ""
    cues: str = ""
    """A cue sheet (TOML) that is laid over the house's own."""


class Delay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far viewers are behind the table, seconds. What is set on the producer's page comes before it."""

    spectators: Annotated[int, Meta(ge=0, le=900)] = 300
    stream: Annotated[int, Meta(ge=0, le=1200)] = 0
    """OBS's own stream delay; `mafia-table scenes install` sets it in OBS, and the producer's page."""


class Copies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Second places where everything is kept: folders, on a stick or on another disk."""

    folders: tuple[str, ...] = ()


class Relays(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Processes on other machines that show more spectators than one table can; see docs/relays.md."""

    redis: str = ""
    """The Redis that feeds them: redis://user:password@host:6379, rediss:// over TLS. Without it there are none."""


class Metrics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Figures in the form of Prometheus, on a port of their own. Another machine than this is asked for the key that
    lies in the data folder."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    """None: there are no figures."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A setting that was not taken: its name (`web.port`, or the file), and why, as a code of the group `setting`."""

    name: str
    code: str
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])

    def sentence(self, language: str) -> str:
        """What is wrong, where, and what is done instead."""
        return sentence(f"setting.{self.code}", language, name=self.name, **self.params)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    data: Path
    web: Web = Web()
    game: Game = Game()
    devices: Devices = Devices()
    speech: Speech = Speech()
    sound: SoundSettings = SoundSettings()
    show: Show = Show()
    folder: Path = Path()
    """The settings file's folder: what the file names by a relative path lies there."""
    obs: Obs = Obs()
    delay: Delay = Delay()
    copies: Copies = Copies()
    metrics: Metrics = Metrics()
    relays: Relays = Relays()
    faults: tuple[Fault, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where each value came from, by its name (`data`, `web.port`): a file, the command line, or the default."""

    @property
    def roster(self) -> Path:
        """The folder of the players' pictures."""
        return self.folder / Path(self.show.roster).expanduser() if self.show.roster else self.data / "roster"

    @property
    def uploads(self) -> Path:
        """The folder of the pictures that were put in from a page."""
        return self.data / "pictures"

    def place(self, said: str) -> Path:
        """The folder that the file names as `said`."""
        return self.folder / Path(said).expanduser()

    @property
    def variant(self) -> Path | None:
        """The file of the tournament's own rules and points."""
        return self.place(self.game.variant) if self.game.variant else None

    @property
    def cues(self) -> Path | None:
        """The cue sheet that is laid over the house's own."""
        return self.folder / Path(self.obs.cues).expanduser() if self.obs.cues else None

    @property
    def theme(self) -> str:
        """The look: the name of one that ships, or the path of a file."""
        wanted = self.show.theme
        return str(self.folder / Path(wanted).expanduser()) if wanted.endswith(".toml") else wanted


_SECTIONS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "web": Web,
    "game": Game,
    "devices": Devices,
    "speech": Speech,
    "show": Show,
    "sound": SoundSettings,
    "obs": Obs,
    "delay": Delay,
    "copies": Copies,
    "metrics": Metrics,
    "relays": Relays,
}


_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)")


def settings(file: Path | None = None, data: Path | None = None) -> Settings:
    """The settings from `file` (default: the user's own), with the data folder `data` where it is given."""
    file = file or user_config_path(APPLICATION) / "table.toml"
    said, faults = _file(file)
    sources = {"data": DEFAULT} | {f"{section}.{key}": DEFAULT for section, key in _names()}
    folder = said.pop("data", None)
    if data:
        sources["data"] = "--data"
    elif isinstance(folder, str):
        sources["data"] = str(file)
    if folder is not None and not isinstance(folder, str):
        faults.append(Fault("data", "not_text"))
        folder = None
    read: dict[str, Any] = {}
    for section, values in said.items():
        kind = _SECTIONS.get(section)
        if kind is None:
            faults.append(_unknown(section, ("data", *_SECTIONS), ""))
        elif not isinstance(values, dict):
            faults.append(Fault(section, "not_section"))
        else:
            taken, wrong = _section(section, kind, cast("dict[str, Any]", values))
            faults += wrong
            sources |= {f"{section}.{key}": str(file) for key in taken}
            read[section] = kind(**taken)
    return Settings(
        data=data or (Path(folder).expanduser() if folder else user_data_path(APPLICATION)),
        folder=file.parent,
        faults=tuple(faults),
        sources=sources,
        **read,
    )


def _names() -> Iterator[tuple[str, str]]:
    for section, kind in _SECTIONS.items():
        for known in msgspec.structs.fields(kind):
            yield section, known.encode_name


def _file(file: Path) -> tuple[dict[str, Any], list[Fault]]:
    """What the file says; nothing where there is none or it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig")), []
    except FileNotFoundError:
        return {}, []
    except OSError as error:
        return {}, [Fault(str(file), "file_closed", {"why": error.strerror or str(error)})]
    except UnicodeDecodeError:
        return {}, [Fault(str(file), "file_not_text")]
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        where: dict[str, str | int] = {"line": int(place[1]), "column": int(place[2])} if place else {"line": 0}
        return {}, [Fault(str(file), "file_not_toml", where)]


def _section(section: str, kind: type[msgspec.Struct], values: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The values of one section that can be taken, and a fault for each that cannot."""
    known = {each.encode_name: each for each in msgspec.structs.fields(kind)}
    taken: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, value in values.items():
        if key not in known:
            faults.append(_unknown(key, tuple(known), section))
            continue
        name, expected = f"{section}.{key}", inspect.type_info(known[key].type)
        match expected:
            case inspect.VarTupleType(item_type=inspect.StructType(cls=each)) if _all_sections(value):
                read = [_section(f"{name}[{number}]", each, one) for number, one in enumerate(value, 1)]
                taken[key] = tuple(each(**values) for values, _ in read)
                faults += [wrong for _, some in read for wrong in some]
                continue
            case _:
                pass
        try:
            taken[key] = msgspec.convert(value, known[key].type)
        except msgspec.ValidationError:
            code, params = _expected(expected)
            faults.append(Fault(name, code, params))
    return taken, faults


def _all_sections(value: object) -> TypeGuard[list[dict[str, Any]]]:
    """`[[devices.also]]`, once or more."""
    return isinstance(value, list) and all(isinstance(one, dict) for one in cast("list[object]", value))


def _unknown(word: str, known: tuple[str, ...], section: str) -> Fault:
    name = f"{section}.{word}" if section else word
    return Fault(name, "unknown", {"nearest": nearest(word, known), "known": ", ".join(known)})


def _expected(kind: inspect.Type) -> tuple[str, Mapping[str, str | int]]:
    """What a value must be, as a sentence's code and its parameters."""
    nothing: Mapping[str, str | int] = {}
    match kind:
        case inspect.IntType(ge=int(least), le=int(most)) | inspect.FloatType(ge=int(least), le=int(most)):
            return "not_number_between", {"least": least, "most": most}
        case inspect.FloatType(ge=float(least), le=float(most)):
            return "not_number_between", {"least": f"{least:g}", "most": f"{most:g}"}
        case inspect.IntType() | inspect.FloatType():
            return "not_number", nothing
        case inspect.StrType():
            return "not_text", nothing
        case inspect.BoolType():
            return "not_yes_no", nothing
        case inspect.LiteralType():
            return "not_one_of", {"known": ", ".join(str(value) for value in kind.values)}
        case inspect.EnumType():
            return "not_one_of", {"known": ", ".join(str(value.value) for value in kind.cls)}
        case inspect.UnionType():
            return _expected(next(each for each in kind.types if not isinstance(each, inspect.NoneType)))
        case inspect.VarTupleType(item_type=inspect.StructType()):
            return "not_sections", nothing
        case inspect.VarTupleType() | inspect.ListType():
            return "not_list", nothing
        case _:
            return "not_that_kind", nothing
