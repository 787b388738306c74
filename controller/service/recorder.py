"""The recording beside the game: which chapter stands where in it, and the replays that OBS saves."""

import time
from collections.abc import Callable, Collection, Iterable

from msgspec.structs import replace

from controller.table.clock import SystemClock
from controller.views.messages import HallView
from scenes.client import Asked
from scenes.seen import Obs
from scenes.tape import Clip, Head, Shelf, chapter_of, lines, marked


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
        self._clips: list[tuple[str, dict[str, str | int]]] = []

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
            for head, output in zip(self._heads, (obs.recording, obs.streaming), strict=True):
                head.heard(output.seconds, time.monotonic(), active=output.active, paused=output.paused)

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
            if begun:
                self._mark(*chapter)
            if begun and told and chapter[0] == "over":
                happened.append(("over", None))
        for code, seat in happened:
            if code in replays and self._obs.replays:
                words = {} if chapter is None else chapter[1]
                self._clips.append((code, {**words, "round": opened.phase.round, "seat": seat or 0}))
                self._ask("clip", Asked.of("SaveReplayBuffer"))
                break

    def recording(self, state: str, path: str) -> None:
        """OBS has started or ended its recording, `path`."""
        shelf = self._shelf()
        match state:
            case "started":
                self._heads[0].heard(0.0, time.monotonic(), active=True, paused=False)
                shelf = shelf.another()
                self._clips.clear()
            case "stopped":
                shelf = shelf.with_present(replace(shelf.present, path=path))
            case _:
                return
        self._keep(shelf)
        if state == "started" and self._chapter is not None:
            self._mark(*self._chapter)

    def clip_saved(self, path: str) -> None:
        """OBS has saved its replay buffer."""
        code, params = self._clips[-1] if self._clips else ("replay", {})
        shelf = self._shelf()
        clip = Clip(code, params, self._heads[0].position(time.monotonic()), path)
        self._keep(shelf.with_present(replace(shelf.present, clips=(*shelf.present.clips, clip))))

    def clip_refused(self) -> None:
        """OBS has not saved what was asked for last."""
        if self._clips:
            self._clips.pop()

    def _mark(self, code: str, params: dict[str, str | int]) -> None:
        shelf = self._shelf()
        tape = marked(shelf.present, code, params, self._heads, time.monotonic(), self._boot)
        self._keep(shelf.with_present(tape))
        if self._heads[0].active and "CreateRecordChapter" in self._obs.requests:
            title = tape.chapters[-1].title(self._language)
            self._ask("chapter", Asked.of("CreateRecordChapter", chapterName=title))
