"""The recording beside the game: which chapter stands where in it, and the replays that OBS saves."""

import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from msgspec.structs import replace

from controller.table.clock import SystemClock
from controller.views.messages import HallView
from scenes.client import Asked
from scenes.seen import Obs, Output
from scenes.tape import Clip, Head, Shelf, back_to, chapter_of, lines, marked

SAVED_WITHIN_S: Final = 10.0
"""So long OBS may take to write its replay buffer; what it writes later was somebody else's wish."""
JUST_BEGUN_S: Final = 2.0
"""A recording this short is the one that OBS says has started."""


class Recorder:
    """Chapters and clips of the present recording."""

    def __init__(
        self,
        shelf: Callable[[], Shelf],
        keep: Callable[[Shelf], None],
        ask: Callable[[str, Asked], None],
        language: str,
    ) -> None:
        """`ask` asks OBS once, or nobody where there is none; what OBS is told is in `language`."""
        self._shelf, self._keep, self._ask = shelf, keep, ask
        self._language = language
        self._boot = SystemClock().boot
        self._obs = Obs()
        self._heads = (Head(), Head())
        self._chapter: tuple[str, dict[str, str | int]] | None = None
        self._clips: list[tuple[float, str, dict[str, str | int]]] = []
        """What was asked for and is not saved yet: when, what it shows."""

    @property
    def active(self) -> bool:
        """Whether OBS records, as far as is known."""
        return self._heads[0].active

    def chapters(self, language: str) -> list[tuple[str, str]]:
        """The chapter list of the present recording."""
        return lines(self._shelf().present, language)

    def obs_is(self, obs: Obs) -> None:
        """OBS is seen to be like this now."""
        self._obs = obs
        if obs.up:
            another = self._is_another(obs.recording)
            for head, output in zip(self._heads, (obs.recording, obs.streaming), strict=True):
                head.heard(output.seconds, time.monotonic(), active=output.active, paused=output.paused)
            if another:
                self._begin(self._shelf())

    def _is_another(self, output: Output) -> bool:
        """Whether OBS records something else than the present tape: it began while nobody listened."""
        head, tape = self._heads[0], self._shelf().present
        if not output.active:
            return False
        if head.active:
            return output.seconds + JUST_BEGUN_S < head.seconds
        last = tape.recorded
        return bool(tape.path) or last is None or output.seconds < last

    def see(
        self, opened: HallView, passed: Iterable[tuple[str, int | None]], *, told: bool, replays: Collection[str]
    ) -> None:
        """The game has come to `opened`, and `passed` by the way there; not `told` is what an undo leads to. What is
        in `replays` has OBS's replay buffer saved."""
        happened = list(passed)
        chapter = chapter_of(opened)
        if chapter is not None and chapter != self._chapter:
            # After a restart the chapter that was begun goes on.
            begun = self._chapter is not None or not self._shelf().present.chapters
            self._chapter = chapter
            if begun and (told or not self._go_back(*chapter)):
                self._mark(*chapter)
            if begun and told and chapter[0] == "over":
                happened.append(("over", None))
        for code, seat in happened:
            if code in replays and self._obs.replays:
                words = {} if chapter is None else chapter[1]
                self.save(code, {**words, "round": opened.phase.round, "seat": seat or 0})
                break

    def save(self, shows: str = "replay", params: dict[str, str | int] | None = None) -> None:
        """OBS is asked for what its replay buffer holds."""
        self._clips.append((time.monotonic(), shows, params or {}))
        self._ask("clip", Asked.of("SaveReplayBuffer"))

    def recording(self, state: str, path: str) -> None:
        """OBS has started or ended its recording, `path`."""
        shelf = self._shelf()
        match state:
            case "started":
                head, now = self._heads[0], time.monotonic()
                told_before = head.active and not shelf.present.path and (head.position(now) or 0.0) < JUST_BEGUN_S
                head.heard(0.0, now, active=True, paused=False)
                if not told_before:
                    self._begin(shelf)
            case "stopped":
                self._keep(shelf.with_present(replace(shelf.present, path=path)))
            case _:
                pass

    def _begin(self, shelf: Shelf) -> None:
        """A tape of its own for another recording; the chapter that the game is in opens it."""
        self._keep(shelf.another())
        if self._chapter is not None:
            self._mark(*self._chapter)

    def clip_saved(self, path: str) -> None:
        """OBS has saved its replay buffer."""
        now, shelf = time.monotonic(), self._shelf()
        self._clips = [one for one in self._clips if now - one[0] < SAVED_WITHIN_S]
        _, code, params = self._clips.pop(0) if self._clips else (now, "replay", {})
        clip = Clip(code, params, self._heads[0].position(now), path)
        self._keep(shelf.with_present(replace(shelf.present, clips=(*shelf.present.clips, clip))))

    def clip_refused(self) -> None:
        """OBS does not save what was asked for first."""
        if self._clips:
            self._clips.pop(0)

    def _go_back(self, code: str, params: dict[str, str | int]) -> bool:
        """Whether an undo has led into a chapter of the present tape: what came after it has not begun."""
        shelf = self._shelf()
        tape = back_to(shelf.present, code, params)
        if tape is not None:
            self._keep(shelf.with_present(tape))
        return tape is not None

    def _mark(self, code: str, params: dict[str, str | int]) -> None:
        shelf = self._shelf()
        present = shelf.present
        if present.boot not in ("", self._boot) and (present.path or present.recorded is None):
            shelf = shelf.another()  # of another day
        tape = marked(shelf.present, code, params, self._heads, time.monotonic(), self._boot)
        self._keep(shelf.with_present(tape))
        if self._heads[0].active and "CreateRecordChapter" in self._obs.requests:
            title = tape.title(tape.chapters[-1], self._language)
            self._ask("chapter", Asked.of("CreateRecordChapter", chapterName=title))
