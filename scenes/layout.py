"""Which scenes the house makes in OBS and what stands in them: one value, for a running OBS and for a file to import.

Nothing in it tells a secret by its name or by being there.
"""

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from controller.catalogue import group
from scenes.cues import COVER, Sheet

PAGE_WIDTH: Final = 1920
PAGE_HEIGHT: Final = 1080
COVER_COLOUR: Final = 0xFF1D1612
"""ABGR: the ink of the pages."""

Kind: TypeAlias = Literal["browser", "colour"]


@dataclass(frozen=True, slots=True)
class Source:
    """An input: its name in OBS, what it is, and its settings."""

    name: str
    kind: Kind
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def url(self) -> str | None:
        """The page that it shows."""
        return self.settings.get("url")


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene and its sources, the lowest first."""

    name: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Pages:
    """The links that OBS's browser sources open."""

    air: str
    pause: str
    result: str


@dataclass(frozen=True, slots=True)
class Canvas:
    """OBS's canvas, pixels."""

    width: int = PAGE_WIDTH
    height: int = PAGE_HEIGHT

    @property
    def scale(self) -> int:
        """How many times the page's own size: 2 for 4K, so that it is sharp."""
        return max(1, min(2, self.height // PAGE_HEIGHT))


def layout(sheet: Sheet, pages: Pages, canvas: Canvas, language: str) -> tuple[Scene, ...]:
    """The scenes of `sheet`, in its order."""
    names = group("source", language)
    air = _browser(names["air"], pages.air, canvas)
    own = {
        "pause": (_browser(names["pause"], pages.pause, canvas),),
        "result": (_browser(names["result"], pages.result, canvas),),
        COVER: (
            Source(
                names["cover"],
                "colour",
                {"color": COVER_COLOUR, "width": canvas.width, "height": canvas.height},
            ),
        ),
    }
    return tuple(Scene(name, own.get(short, (air,))) for short, name in sheet.scenes.items())


def _browser(name: str, url: str, canvas: Canvas) -> Source:
    return Source(
        name,
        "browser",
        {
            "url": _scaled(url, canvas.scale),
            "width": PAGE_WIDTH * canvas.scale,
            "height": PAGE_HEIGHT * canvas.scale,
            "css": "",
            # A page that is not seen keeps its connection: it is right in the moment it comes on air.
            "shutdown": False,
            "restart_when_active": False,
        },
    )


def _scaled(url: str, scale: int) -> str:
    """`?scale=` stands before the fragment, in which the token is."""
    if scale == 1:
        return url
    parts = urlsplit(url)
    query = f"{parts.query}&scale={scale}" if parts.query else f"scale={scale}"
    return urlunsplit(parts._replace(query=query))
