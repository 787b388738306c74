"""The recording's chapters and clips: which moment of the game stands where in OBS's recording and stream.

A chapter is put where the game enters it. An undo that leads back into a chapter takes away those that had come after
it: they have not begun. Kept as a value, so that it outlives the service.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct, field

from controller.catalogue import sentence
from controller.views.messages import HallView

FIRST_AT: Final = "00:00"
LEAST_S: Final = 10.0
"""Video pages take no chapter that is shorter, and a list must begin at 00:00."""
MOST_RECORDINGS: Final = 20


class Chapter(Struct, frozen=True):
    """Where something begins: a code of the catalogue's group `chapter` with its parameters; seconds."""

    code: str
    params: dict[str, str | int]
    recorded: float | None
    """In the recording; None: nothing was recorded then."""
    streamed: float | None
    played: float
    """From the first chapter of the same tape."""

    def title(self, language: str) -> str:
        """The chapter's name."""
        return sentence(f"chapter.{self.code}", language, **self.params)

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str | int], ...]]:
        """What makes it this chapter."""
        return self.code, tuple(sorted(self.params.items()))


class Clip(Struct, frozen=True):
    """A saved replay: when in the recording it ended, what it shows, and its file."""

    code: str
    params: dict[str, str | int]
    recorded: float | None
    path: str

    def title(self, language: str) -> str:
        """What it shows."""
        return sentence(f"chapter.{self.code}", language, **self.params)


class Tape(Struct, frozen=True):
    """One recording of OBS, or what was played while there was none."""

    path: str = ""
    chapters: tuple[Chapter, ...] = ()
    clips: tuple[Clip, ...] = ()
    began: float | None = None
    """When the first chapter came, on the clock of the boot `boot`, seconds."""
    boot: str = ""

    def title(self, chapter: Chapter, language: str) -> str:
        """What `chapter` is called on this tape: with its game's number where the tape holds more than one game."""
        title, game = chapter.title(language), chapter.params.get("game")
        if game is None or all(one.params.get("game", game) == game for one in self.chapters):
            return title
        return sentence("chapter.of_game", language, game=game, title=title)

    @property
    def recorded(self) -> float | None:
        """Where in the recording the last chapter begins; None: nothing of it was recorded."""
        return max((one.recorded for one in self.chapters if one.recorded is not None), default=None)


class Shelf(Struct, frozen=True):
    """The tapes, the present one last."""

    tapes: tuple[Tape, ...] = field(default_factory=lambda: (Tape(),))

    @property
    def present(self) -> Tape:
        """The tape that runs."""
        return self.tapes[-1]

    def with_present(self, tape: Tape) -> "Shelf":
        """The same with the present tape replaced."""
        return Shelf((*self.tapes[:-1], tape))

    def another(self) -> "Shelf":
        """A recording begins: a fresh tape, unless the present one is still empty."""
        if self.present == Tape():
            return self
        return Shelf((*self.tapes, Tape())[-MOST_RECORDINGS:])


class Head(Struct):
    """Where OBS's outputs are at any moment, from what OBS said last."""

    seconds: float = 0.0
    at: float = 0.0
    active: bool = False
    paused: bool = False

    def heard(self, seconds: float, now: float, *, active: bool, paused: bool) -> None:
        """OBS said so at `now`."""
        self.seconds, self.at, self.active, self.paused = seconds, now, active, paused

    def position(self, now: float) -> float | None:
        """Seconds into the output; None where it does not run. Without a link it is taken to run on."""
        if not self.active:
            return None
        return self.seconds if self.paused else self.seconds + (now - self.at)


def chapter_of(view: HallView) -> tuple[str, dict[str, str | int]] | None:
    """The chapter that the game is in, by what everybody knows; None: it goes on with the one before."""
    phase = view.phase
    match phase.kind:
        case "acquaintance":
            return "acquaintance", {"game": view.header.game}
        case "night":
            return "night", {"game": view.header.game, "round": phase.round}
        case "speech" if phase.speech == "minute":
            return "day", {"game": view.header.game, "round": phase.round}
        case "voting":
            return "voting", {"game": view.header.game, "round": phase.round}
        case "last_word" if phase.seat is not None:
            name = next((one.name for one in view.seats if one.seat == phase.seat), "")
            return "last_word", {"game": view.header.game, "seat": phase.seat, "name": name}
        case "over":
            winner = "draw" if view.result is None or view.result.winner is None else view.result.winner
            return "over", {"game": view.header.game, "winner": winner}
        case _:
            return None


def marked(
    tape: Tape, code: str, params: dict[str, str | int], heads: tuple[Head, Head], now: float, boot: str
) -> Tape:
    """`tape` with a chapter that begins now; `heads` are the recording's and the stream's."""
    began = tape.began if tape.began is not None and tape.boot == boot else now
    chapter = Chapter(code, params, heads[0].position(now), heads[1].position(now), now - began)
    others = tuple(one for one in tape.chapters if one.key != chapter.key)
    return msgspec.structs.replace(tape, chapters=(*others, chapter), began=began, boot=boot)


def back_to(tape: Tape, code: str, params: dict[str, str | int]) -> Tape | None:
    """`tape` without what came after this chapter; None where it is not on it."""
    key = Chapter(code, params, None, None, 0.0).key
    place = next((number for number, one in enumerate(tape.chapters) if one.key == key), None)
    return None if place is None else msgspec.structs.replace(tape, chapters=tape.chapters[: place + 1])


def lines(tape: Tape, language: str) -> list[tuple[str, str]]:
    """The list for a video page: time and title, from 00:00, none nearer to the one before than such pages take.

    Times are those of the recording; without one those of the stream; without either from the first chapter.
    """
    placed = _placed(tape.chapters)
    if not placed:
        return []
    found: list[tuple[float, str]] = []
    if placed[0][0] >= LEAST_S:
        found.append((0.0, sentence("chapter.before", language)))
    else:
        placed = [(0.0, placed[0][1]), *placed[1:]]
    for at, chapter in placed:
        if not found or at - found[-1][0] >= LEAST_S:
            found.append((at, tape.title(chapter, language)))
    hours = found[-1][0] >= 3600
    return [(clock(at, hours=hours), title) for at, title in found]


def _placed(chapters: Iterable[Chapter]) -> list[tuple[float, Chapter]]:
    chapters = list(chapters)
    for kind in ("recorded", "streamed"):
        placed = [(at, one) for one in chapters if (at := getattr(one, kind)) is not None]
        if placed:
            return sorted(placed, key=lambda row: row[0])
    return sorted(((one.played, one) for one in chapters), key=lambda row: row[0])


def clock(seconds: float, *, hours: bool = False) -> str:
    """Seconds as `12:03`, or `1:12:03`."""
    whole = int(seconds)
    if hours or whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 60:02}:{whole % 60:02}"
