"""The cue sheet: from what happens to what OBS does, read from TOML. A faulty line is a sentence, and the others work.

[scenes]                     # short name = the scene's name in OBS
[cameras]                    # seat = short name of the scene that shows the speaker there
[shots]                      # minimum, burst, prepare
[recording]                  # replays: when OBS's replay buffer is saved
[[cue]]                      # on = "speech", scene = "speaker", ...
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from controller.catalogue import group, nearest, sentence
from scenes.happenings import OPEN_MOMENTS, SITUATIONS, VIEWERS_MOMENTS
from scenes.wanted import Filter, Item

DEFAULT_FILE: Final = Path(__file__).with_name("cues.toml")
COVER: Final = "cover"
"""The short name of the scene for emergencies."""
USUAL: Final = ("table", "speaker", "vote", "night", "result", "pause", COVER)
"""The short names of the house's own scenes, in the order in which they are shown."""
HAPPENINGS: Final = (*SITUATIONS, *OPEN_MOMENTS, *VIEWERS_MOMENTS)
MOMENTS: Final = frozenset((*OPEN_MOMENTS, *VIEWERS_MOMENTS))
REPLAYS: Final = ("vote_result", "left", "killed", "removed", "over")
PLACES: Final = ("seat", "name", "number", "round", "event", "stage", "game")
"""What a text may speak of, in braces."""
PLACE: Final = re.compile(r"\{(" + "|".join(PLACES) + r")\}")

_HEAD: Final = re.compile(r"\s*(\[{1,2})\s*([\w-]+)\s*\]")
_ROW: Final = re.compile(r"""\s*(["']?)([^"'=\s\[\]{}#]+)\1\s*=""")
_SECTIONS: Final = ("scenes", "cameras", "shots", "recording", "cue", "defaults")
_MOST_SECONDS: Final = 3600.0
_MOST_SEATS: Final = 20
_CHOOSES_A_SCENE: Final = ("scene", "camera", "transition", "duration")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a cue sheet: a code of the catalogue's group `cue`, with its parameters."""

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    place: str = ""
    """File and line, as `cues.toml:17`."""

    def said(self, language: str) -> str:
        """The sentence."""
        said = sentence(f"cue.{self.code}", language, **self.params)
        return f"{self.place}: {said}" if self.place else said


@dataclass(frozen=True, slots=True)
class Cue:
    """What is done while something lasts, or when it passes."""

    on: str
    scene: str | None = None
    """Short name."""
    camera: bool = False
    """The scene of the seat that it is about, where there is one."""
    transition: str | None = None
    duration: int | None = None
    """Milliseconds."""
    after: float = 0.0
    """Seconds that it waits."""
    hold: float = 0.0
    """Seconds that its scene stays at least."""
    lasts: float = 4.0
    """Seconds, of a moment."""
    rank: int = 0
    """Of moments that come together, the one of the highest rank is taken; of equals the last."""
    at_once: bool = False
    """It waits for no shot's shortest length."""
    show: tuple[Item, ...] = ()
    hide: tuple[Item, ...] = ()
    filters_on: tuple[Filter, ...] = ()
    filters_off: tuple[Filter, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def passes(self) -> bool:
        """Whether it is a moment's."""
        return self.on in MOMENTS


@dataclass(frozen=True, slots=True)
class Sheet:
    """A cue sheet."""

    cues: Mapping[str, Cue] = field(default_factory=dict[str, Cue])
    scenes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Short name -> the name in OBS."""
    cameras: Mapping[int, str] = field(default_factory=dict[int, str])
    minimum: float = 2.0
    """A shot stays at least so many seconds."""
    burst: float = 0.2
    """Seconds in which several happenings count as one: the last situation, the moment of the highest rank."""
    prepare: bool = False
    """In studio mode scenes go into the preview and no further."""
    replays: frozenset[str] = frozenset()
    """After which happenings OBS's replay buffer is saved."""
    faults: tuple[Fault, ...] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        """Every source that any cue shows or hides."""
        return tuple(dict.fromkeys(item for cue in self.cues.values() for item in (*cue.show, *cue.hide)))

    @property
    def filters(self) -> tuple[Filter, ...]:
        """Every filter that any cue switches."""
        used = (one for cue in self.cues.values() for one in (*cue.filters_on, *cue.filters_off))
        return tuple(dict.fromkeys(used))

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text source that any cue writes."""
        return tuple(dict.fromkeys(name for cue in self.cues.values() for name in cue.texts))


def cue_sheet(file: Path | None, language: str) -> Sheet:
    """The house's own sheet with `file` laid over it: its cues take the place of those for the same happenings."""
    names = group("scene", language)
    usual = Sheet(scenes={short: names[short] for short in USUAL})
    own = _read(tomllib.loads(DEFAULT_FILE.read_text(encoding="utf-8")), usual, _Places())
    if file is None:
        return own
    try:
        text = file.read_text(encoding="utf-8-sig")
        said = tomllib.loads(text)
    except (OSError, ValueError) as error:
        return replace(own, faults=(_unreadable(file, error),))
    if said.get("defaults") is False:
        own = Sheet(scenes=own.scenes)
    return _read(said, own, _Places(file.name, text))


def _unreadable(file: Path, error: Exception) -> Fault:
    match error:
        case FileNotFoundError():
            return Fault("no_file", {"file": str(file)})
        case UnicodeDecodeError():
            return Fault("not_text", {"file": str(file)})
        case OSError():
            return Fault("unreadable", {"file": str(file), "why": error.strerror or str(error)})
        case _:
            found = re.search(r"line (\d+), column (\d+)", str(error))
            where: dict[str, str | int] = {"line": int(found[1]), "column": int(found[2])} if found else {}
            return Fault("not_toml", {"file": str(file), **where})


class _Places:
    """Where in the file each section begins, and each of its rows. TOML's reader does not say: the text is looked
    through row by row, and what it cannot tell has no place."""

    def __init__(self, name: str = "", text: str = "") -> None:
        self._name = name
        self._lines: dict[tuple[str, str], int] = {}
        section, cues = "", 0
        for number, row in enumerate(text.splitlines(), 1):
            if head := _HEAD.match(row):
                section = f"[{head[2]}]" if head[1] == "[" else f"[[{head[2]}]]"
                if section == "[[cue]]":
                    cues += 1
                    section = f"[[cue]] {cues}"
                self._lines.setdefault((section, ""), number)
            elif key := _ROW.match(row):
                self._lines.setdefault((section, key[2]), number)

    def of(self, section: str, row: str) -> str:
        """`cues.toml:17`; empty where it is not known."""
        line = self._lines.get((section, row)) or self._lines.get((section, ""))
        return f"{self._name}:{line}" if line else ""


class _Reader:
    """One pass over a sheet; what is wrong is noted and left out."""

    def __init__(self, places: _Places) -> None:
        self.faults: list[Fault] = []
        self._places = places

    def fault(self, code: str, where: str, row: str, **params: str | int) -> None:
        """`where` names the section, `row` the key in it (empty: the section as a whole)."""
        place = self._places.of(where.partition(" (")[0], row)
        self.faults.append(Fault(code, {"where": where, **params}, place))

    def known(self, where: str, said: Mapping[str, Any], among: tuple[str, ...]) -> dict[str, Any]:
        """What of `said` has a name that means something here."""
        for word in said:
            if word not in among:
                self.fault("unknown_key", where, word, word=word, nearest=nearest(word, among))
        return {word: value for word, value in said.items() if word in among}

    def table(self, said: Mapping[str, Any], name: str) -> dict[str, Any]:
        value: Any = said.get(name, {})
        if isinstance(value, dict):
            return value  # pyright: ignore[reportUnknownVariableType]
        self.fault("wrong_kind", f"[{name}]", "", key=name, kind="table")
        return {}

    def value(self, where: str, key: str, value: Any, kind: str) -> Any:
        """`value` where it is of `kind`; else None and a fault."""
        if _KINDS[kind](value):
            return value
        self.fault("wrong_kind", where, key, key=key, kind=kind)
        return None


def _is_seconds(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST_SECONDS


def _is_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())  # pyright: ignore[reportUnknownVariableType]


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) and text for text in value)  # pyright: ignore[reportUnknownVariableType]


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "text": lambda value: isinstance(value, str) and bool(value),
    "texts": _is_texts,
    "names": _is_names,
    "flag": lambda value: isinstance(value, bool),
    "seconds": _is_seconds,
    "milliseconds": lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 20_000,
    "rank": lambda value: isinstance(value, int) and not isinstance(value, bool),
}
_CUE_KEYS: Final[Mapping[str, str]] = {
    "on": "text",
    "scene": "text",
    "camera": "flag",
    "transition": "text",
    "duration": "milliseconds",
    "after": "seconds",
    "hold": "seconds",
    "for": "seconds",
    "rank": "rank",
    "at_once": "flag",
    "show": "names",
    "hide": "names",
    "filters_on": "names",
    "filters_off": "names",
    "texts": "texts",
}
_SHOT_KEYS: Final[Mapping[str, str]] = {"minimum": "seconds", "burst": "seconds", "prepare": "flag"}


def _read(said: Mapping[str, Any], own: Sheet, places: _Places) -> Sheet:
    reader = _Reader(places)
    said = reader.known("", said, _SECTIONS)
    named = reader.table(said, "scenes").items()
    good = {short: name for short, name in named if reader.value("[scenes]", short, name, "text") is not None}
    scenes: dict[str, str] = {**own.scenes, **good}
    timed = reader.known("[shots]", reader.table(said, "shots"), tuple(_SHOT_KEYS)).items()
    shots = {key: value for key, value in timed if reader.value("[shots]", key, value, _SHOT_KEYS[key]) is not None}
    return replace(
        own,
        scenes=scenes,
        cameras={**own.cameras, **_cameras(reader, reader.table(said, "cameras"), scenes)},
        cues={**own.cues, **_cues(reader, said, scenes)},
        replays=_replays(reader, reader.table(said, "recording"), own.replays),
        faults=(*own.faults, *reader.faults),
        **shots,
    )


def _cameras(reader: _Reader, said: Mapping[str, Any], scenes: Mapping[str, str]) -> dict[int, str]:
    """Seats are a number, or a range: `1-3 = "left"`."""
    found: dict[int, str] = {}
    for seats, short in said.items():
        first, _, last = seats.partition("-")
        last = last or first
        if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= _MOST_SEATS):
            reader.fault("no_seat", "[cameras]", seats, word=seats)
        elif reader.value("[cameras]", seats, short, "text") is not None:
            if short in scenes:
                found.update((seat, str(short)) for seat in range(int(first), int(last) + 1))
            else:
                reader.fault("unknown_scene", "[cameras]", seats, word=short, nearest=nearest(short, scenes))
    return found


def _replays(reader: _Reader, said: Mapping[str, Any], own: frozenset[str]) -> frozenset[str]:
    names = reader.known("[recording]", said, ("replays",)).get("replays")
    if names is None or reader.value("[recording]", "replays", names, "names") is None:
        return own
    for name in names:
        if name not in REPLAYS:
            reader.fault("unknown_happening", "[recording]", "replays", word=name, nearest=nearest(name, REPLAYS))
    return frozenset(name for name in names if name in REPLAYS)


def _cues(reader: _Reader, said: Mapping[str, Any], scenes: Mapping[str, str]) -> dict[str, Cue]:
    rows: Any = said.get("cue", [])
    if not isinstance(rows, list):
        reader.fault("wrong_kind", "[[cue]]", "cue", key="cue", kind="tables")
        return {}
    found: dict[str, Cue] = {}
    for number, row in enumerate(rows, 1):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        where = f"[[cue]] {number}"
        if not isinstance(row, dict):
            reader.fault("wrong_kind", where, "", key="cue", kind="table")
            continue
        cue = _cue(reader, where, row, scenes)  # pyright: ignore[reportUnknownArgumentType]
        if cue is None:
            continue
        if cue.on in found:
            reader.fault("twice", where, "on", word=cue.on)
            continue
        found[cue.on] = cue
    return found


def _cue(reader: _Reader, where: str, row: Mapping[str, Any], scenes: Mapping[str, str]) -> Cue | None:
    """The cue that `row` says; None where it cannot be used at all."""
    before = len(reader.faults)
    on = row.get("on")
    if not isinstance(on, str):
        reader.fault("no_happening", where, "on")
        return None
    if on not in HAPPENINGS:
        reader.fault("unknown_happening", where, "on", word=on, nearest=nearest(on, HAPPENINGS))
        return None
    where = f"{where} ({on})"
    said = reader.known(where, row, tuple(_CUE_KEYS))
    good = {key: value for key, value in said.items() if reader.value(where, key, value, _CUE_KEYS[key]) is not None}
    if on in VIEWERS_MOMENTS and any(key in good for key in _CHOOSES_A_SCENE):
        # Who sees OBS's picture in the hall would see that somebody was hit.
        reader.fault("secret", where, "", word=on)
    if on not in MOMENTS and "for" in good:
        reader.fault("lasts_itself", where, "for")
    scene = good.get("scene")
    if scene is not None and scene not in scenes:
        reader.fault("unknown_scene", where, "scene", word=scene, nearest=nearest(scene, scenes))
    for name, text in good.get("texts", {}).items():
        if (place := _unknown_place(text)) is not None:
            reader.fault("unknown_place", where, "texts", key=name, word=place, nearest=nearest(place, PLACES))
    if len(reader.faults) > before:
        return None

    def sources(key: str) -> tuple[Item, ...]:
        return tuple(_source(name, scene, scenes) for name in good.get(key, ()))

    def filters(key: str) -> tuple[Filter, ...]:
        return tuple((name.rpartition("/")[0], name.rpartition("/")[2]) for name in good.get(key, ()))

    for key in ("show", "hide"):
        if any(not where_ for where_, _ in sources(key)):
            reader.fault("source_nowhere", where, key, key=key)
            return None
    for key in ("filters_on", "filters_off"):
        if any(not source for source, _ in filters(key)):
            reader.fault("filter_nowhere", where, key, key=key)
            return None
    return Cue(
        on=on,
        scene=scene,
        camera=good.get("camera", False),
        transition=good.get("transition"),
        duration=good.get("duration"),
        after=float(good.get("after", 0)),
        hold=float(good.get("hold", 0)),
        lasts=float(good.get("for", Cue(on).lasts)),
        rank=good.get("rank", 0),
        at_once=good.get("at_once", False),
        show=sources("show"),
        hide=sources("hide"),
        filters_on=filters("filters_on"),
        filters_off=filters("filters_off"),
        texts=good.get("texts", {}),
    )


def _source(name: str, scene: str | None, scenes: Mapping[str, str]) -> Item:
    """`scene/source`, or a source of the cue's own scene. The scene is a short name, or one of OBS's."""
    short, slash, source = name.partition("/")
    if not slash:
        return ("" if scene is None else scenes[scene], name)
    return (scenes.get(short, short), source)


def _unknown_place(text: str) -> str | None:
    """The first word in braces that stands for nothing."""
    found = re.search(r"\{([^{}]*)\}", PLACE.sub("", text))
    return None if found is None else found[1]
