"""The look of an event: one small file with colours, faces, logos, sponsors, the lower third and the safe area.

Three looks ship (`themes/`); an event's own file says only what differs from the dark one. A file that is wrong is
refused as a whole, with what is wrong and where: a picture half in one look and half in another is worse than none.
"""

import asyncio
import hashlib
import logging
import mimetypes
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from controller.views.facts import Note
from controller.views.messages import Theme

SHIPPED: Final = Path(__file__).with_name("themes")
DARK: Final = "dark"
LEAST_CONTRAST: Final = 4.5
LOOKS_EVERY_S: Final = 2.0
LARGEST_FILE: Final = 4_000_000
PICTURES: Final = frozenset({".png", ".svg", ".webp", ".jpg", ".jpeg"})
FACES: Final = frozenset({".woff2", ".woff", ".ttf", ".otf"})

log = logging.getLogger(__name__)

Colour: TypeAlias = Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")]
File: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Planes and what stands on them. `edge` is a role's bright line; the text on a role's plane is `ink` or `paper`,
    whichever reads better."""

    ink: Colour = "#12161d"
    ink2: Colour = "#1d232d"
    ink3: Colour = "#343d4a"
    paper: Colour = "#f5f2ea"
    mute: Colour = "#b4bbc4"
    waiting: Colour = "#8a93a0"
    acc: Colour = "#2fd6c8"
    on_acc: Colour = "#12161d"
    acc_line: Colour = "#2fd6c8"
    night: Colour = "#1b2550"
    on_night: Colour = "#f5f2ea"
    civ: Colour = "#a81f2e"
    civ_edge: Colour = "#ef5a62"
    maf: Colour = "#1a1e26"
    maf_edge: Colour = "#9aa2ad"
    don: Colour = "#3f2168"
    don_edge: Colour = "#b48af0"
    she: Colour = "#e6b23c"
    she_edge: Colour = "#ffd877"
    man: Colour = "#5a3a10"
    man_edge: Colour = "#e0a35a"


class Face(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another face: its name, and its files by weight where it is not among the pages' own."""

    family: Annotated[str, Meta(pattern=r"^[A-Za-z0-9 _-]{1,60}$")]
    files: dict[Literal["500", "600", "700"], File] = msgspec.field(
        default_factory=dict[Literal["500", "600", "700"], File]
    )


class Logos(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Beside the event's name, and the strip of sponsors."""

    event: File | None = None
    sponsors: Annotated[tuple[File, ...], Meta(max_length=8)] = ()


class Lower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """On which side the lower third stands and in which colours."""

    side: Literal["left", "right"] = "left"
    plane: Colour | None = None
    text: Colour | None = None


class Safe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far everything keeps from the picture's edges, pixels of 1920 x 1080."""

    x: Annotated[int, Meta(ge=0, le=240)] = 96
    y: Annotated[int, Meta(ge=0, le=120)] = 54


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=60)] = ""
    colours: Colours = Colours()
    night: dict[str, Colour] = msgspec.field(default_factory=dict[str, Colour])
    """Colours that are others at night."""
    face: Face | None = None
    logos: Logos = Logos()
    lower_third: Lower = Lower()
    safe: Safe = Safe()


class WrongTheme(Exception):
    """A theme that is not taken: a code of the catalogue's group `theme`, and its parameters."""

    def __init__(self, code: str, **params: str) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
        self.sources: tuple[Path, ...] = ()
        """The files that may mend it: the theme's own, and those it names as far as it could be read."""


Files: TypeAlias = Mapping[str, tuple[bytes, str]]
"""File name in an address -> the content and its kind."""


@dataclass(frozen=True, slots=True)
class Look:
    """A theme as it is served, its own files, and where on the disk they come from."""

    theme: Theme
    files: Files = field(default_factory=dict[str, tuple[bytes, str]])
    sources: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Marks:
    """A logo and sponsors that stand in place of a theme's own, by their addresses, and their files."""

    logo: str | None = None
    sponsors: tuple[str, ...] = ()
    files: Files = field(default_factory=dict[str, tuple[bytes, str]])


_ON: Final[tuple[tuple[str, str], ...]] = (
    ("paper", "ink"),
    ("paper", "ink2"),
    ("paper", "ink3"),
    ("mute", "ink"),
    ("mute", "ink2"),
    ("ink", "paper"),
    ("acc_line", "ink"),
    ("acc_line", "ink2"),
    ("on_acc", "acc"),
    ("on_night", "night"),
    ("waiting", "ink2"),
)
"""What is read on what."""
_ROLES: Final = ("civ", "maf", "don", "she", "man")


_Sign: TypeAlias = tuple[tuple[int, int], ...]


class Looks:
    """The looks that are served: those that ship, and the chosen one, read anew when its file or one that it names has
    changed. A file that goes wrong while it is being worked on leaves what was shown."""

    def __init__(self, wanted: str, marks: Callable[[], Marks] = Marks) -> None:
        """`wanted`: the name of one that ships, or a file's path; `marks` stand on every look."""
        self._wanted = wanted
        self._marks = marks
        self._seen: _Sign | None = None
        self._sources: tuple[Path, ...] = (Path(wanted).expanduser(),)
        self._shipped = {name: look(name) for name in shipped()}
        self._chosen = self._shipped[DARK]
        self.fault: WrongTheme | None = None
        self._look()

    def theme(self, name: str | None = None) -> Theme | None:
        """The chosen look, or the shipped one called `name`; None where there is none of that name."""
        self._look()
        found = self._chosen if name is None else self._shipped.get(name)
        return None if found is None else self._marked(found.theme)

    def file(self, name: str) -> tuple[bytes, str] | None:
        """A look's own file by its name in an address: the content and its kind."""
        return self._chosen.files.get(name) or self._marks().files.get(name)

    @property
    def version(self) -> str:
        """Another one when the chosen look is another: a digest."""
        return hashlib.sha256(msgspec.json.encode(self._marked(self._chosen.theme))).hexdigest()[:24]

    async def watch(self, changed: Callable[[], None]) -> None:
        """Looks again and again until cancelled, and calls `changed`."""
        before = (self.version, self.fault)
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            self._look()
            if (now := (self.version, self.fault)) != before:
                before = now
                changed()

    def notes(self) -> tuple[Note, ...]:
        """Why the chosen look is not shown."""
        return () if self.fault is None else (Note(f"theme.{self.fault.code}", self.fault.params),)

    def _marked(self, theme: Theme) -> Theme:
        marks = self._marks()
        return replace(theme, logo=marks.logo or theme.logo, sponsors=marks.sponsors or theme.sponsors)

    def _look(self) -> None:
        if self._wanted in self._shipped:
            self._chosen = self._shipped[self._wanted]
            return
        sign = _sign(self._sources)
        if sign == self._seen:
            return
        try:
            self._chosen, self.fault = look(self._wanted), None
            named = self._chosen.sources
        except WrongTheme as wrong:
            self.fault, named = wrong, wrong.sources or self._sources
            log.warning("the theme: %s %s", wrong.code, wrong.params)
        if named != self._sources:
            self._sources, sign = named, _sign(named)
        self._seen = sign


def _sign(files: tuple[Path, ...]) -> _Sign:
    found: list[tuple[int, int]] = []
    for file in files:
        try:
            state = file.stat()
            found.append((state.st_mtime_ns, state.st_size))
        except OSError:
            found.append((0, 0))
    return tuple(found)


def shipped() -> tuple[str, ...]:
    """The names of the looks that ship."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


def look(wanted: str) -> Look:
    """The look called `wanted`: one that ships, or a file's path. Raises WrongTheme."""
    if wanted in shipped():
        return _read(SHIPPED / f"{wanted}.toml")
    path = Path(wanted).expanduser()
    if path.suffix != ".toml":
        raise WrongTheme("unknown", word=wanted, known=", ".join(shipped()))
    return _read(path)


def _read(path: Path) -> Look:
    sources: tuple[Path, ...] = (path,)
    try:
        said = _said(path)
        sources = (path, *(path.parent / name for name in _named(said)))
        return _look(path, said, sources)
    except WrongTheme as wrong:
        wrong.sources = sources
        raise


def _said(path: Path) -> _File:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
    except msgspec.ValidationError as wrong:
        raise _wrong_field(path, wrong) from wrong
    except (OSError, ValueError) as wrong:
        raise WrongTheme("unreadable", file=str(path), why=str(wrong)) from wrong


def _wrong_field(path: Path, wrong: msgspec.ValidationError) -> WrongTheme:
    why, _, where = str(wrong).partition(" - at ")
    return WrongTheme("wrong_field", file=path.name, field=where.strip("`$. ") or "theme", why=why)


def _named(said: _File) -> tuple[str, ...]:
    """The files that a theme names."""
    faces = () if said.face is None else tuple(said.face.files.values())
    logo = () if said.logos.event is None else (said.logos.event,)
    return (*faces, *logo, *said.logos.sponsors)


def _look(path: Path, said: _File, sources: tuple[Path, ...]) -> Look:
    try:
        # The night's colours are the day's, some of them others.
        night = msgspec.convert({**msgspec.structs.asdict(said.colours), **said.night}, Colours)
    except msgspec.ValidationError as wrong:
        raise _wrong_field(path, wrong) from wrong
    for colours in (said.colours, night):
        _must_be_readable(path, colours)
    files: dict[str, tuple[bytes, str]] = {}

    def kept(name: str, kinds: frozenset[str]) -> str:
        address, body, kind = _kept(path, name, kinds)
        files[address] = (body, kind)
        return f"/theme/{address}"

    lower = said.lower_third
    plane, text = lower.plane or said.colours.ink, lower.text or said.colours.paper
    _must_read(path, "lower_third.text", text, "lower_third.plane", plane)
    theme = Theme(
        name=said.name or path.stem,
        colours=_words(said.colours),
        night={key: value for key, value in _words(night).items() if value != _words(said.colours)[key]},
        family=None if said.face is None else said.face.family,
        faces={} if said.face is None else {weight: kept(file, FACES) for weight, file in said.face.files.items()},
        logo=None if said.logos.event is None else kept(said.logos.event, PICTURES),
        sponsors=tuple(kept(file, PICTURES) for file in said.logos.sponsors),
        side=lower.side,
        lower_plane=plane,
        lower_text=text,
        safe_x=said.safe.x,
        safe_y=said.safe.y,
    )
    return Look(theme, files, sources)


def _kept(theme: Path, name: str, kinds: frozenset[str]) -> tuple[str, bytes, str]:
    """The name in an address, the content and the kind of a file that lies beside the theme."""
    path = theme.parent / name
    suffix = path.suffix.lower()
    if suffix not in kinds:
        raise WrongTheme("wrong_kind", file=theme.name, name=name, kinds=", ".join(sorted(kinds)))
    if not path.resolve().is_relative_to(theme.parent.resolve()):
        raise WrongTheme("outside", file=theme.name, name=name)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise WrongTheme("too_large", file=theme.name, name=name)
        body = path.read_bytes()
    except OSError as wrong:
        raise WrongTheme("no_file", file=theme.name, name=name) from wrong
    kind = f"font/{suffix[1:]}" if kinds is FACES else mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{hashlib.sha256(body).hexdigest()[:24]}{suffix}", body, kind


def _words(colours: Colours) -> dict[str, str]:
    """Every colour by its name on the pages, with the text's on each role."""
    said = {name.replace("_", "-"): value for name, value in msgspec.structs.asdict(colours).items()}
    said |= {f"on-{role}": _better(said[role], colours.ink, colours.paper) for role in _ROLES}
    return said


def _must_be_readable(path: Path, colours: Colours) -> None:
    said = msgspec.structs.asdict(colours)
    for text, plane in _ON:
        _must_read(path, text, said[text], plane, said[plane])
    for role in _ROLES:
        _must_read(path, "paper", _better(said[role], colours.ink, colours.paper), role, said[role])


def _must_read(path: Path, text: str, colour: str, plane: str, ground: str) -> None:
    if (ratio := contrast(colour, ground)) < LEAST_CONTRAST:
        raise WrongTheme(
            "pale", file=path.name, text=text, colour=colour, plane=plane, ground=ground, ratio=f"{ratio:.1f}"
        )


def _better(ground: str, *texts: str) -> str:
    return max(texts, key=lambda text: contrast(text, ground))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (`#rrggbb`), 1 to 21, as WCAG 2.2 has it (relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


_HEX: Final = re.compile(r"[0-9a-fA-F]{2}")


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(part, 16) / 255) for part in _HEX.findall(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
