"""Cues on an mpv of their own, which is always ready: a sound begins 5 to 15 ms after it is asked for. A cue that could
not be played within a second of its moment is left out and logged: late, it would tell of something that is over."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from controller.sound.player import End, Player
from controller.sound.score import TOO_LATE_NS, Cue

log = logging.getLogger(__name__)

_OPTIONS: Final = ("--audio-buffer=0.02", "--pulse-buffer=20", "--volume=100", "--volume-max=100")
_LOOKS_AGAIN_S: Final = 0.02


class Cues:
    """Plays cues, one after the other; the newest cuts off what still sounds of the one before."""

    def __init__(
        self,
        *,
        volume: int,
        mark: str,
        clock: Callable[[], int],
        sounds: Callable[[Cue], Sequence[Path]],
        heard: Callable[[str, Any], None],
        ended: Callable[[End], None],
        left_out: Callable[[Cue], None],
    ) -> None:
        """`volume` is 0 to 100. `clock` gives the table's nanoseconds; `sounds` the files of a cue, played in a row;
        `heard` is told the properties that change; `left_out` the cues that nobody has heard."""
        self.player = Player("cues", _OPTIONS, mark=mark, began=self._anew, event=self._event, ended=ended)
        self._volume = volume
        self._clock = clock
        self._sounds = sounds
        self._heard = heard
        self._left_out = left_out
        self._device: str | None = None
        self._due: deque[Cue] = deque()
        self._asked: Cue | None = None
        """The cue that mpv was given and has not begun yet."""
        self._wake = asyncio.Event()

    def use(self, device: str | None) -> None:
        """Plays on `device`; None: on nothing."""
        if device != self._device:
            self._device = device
            if device is not None:
                self.player.tell("set_property", "audio-device", device)
                self._wake.set()

    def play(self, cue: Cue) -> None:
        """Plays `cue` now, or as soon as it can be if that is not too late."""
        self._due.append(cue)
        self._wake.set()

    def test(self, file: Path) -> None:
        """Plays the test tone `file`."""
        self.player.tell_named(name="loadfile", url=str(file), flags="replace")

    def set_volume(self, volume: int) -> None:
        """0 to 100."""
        self._volume = volume
        self.player.tell("set_property", "volume", volume)

    async def run(self) -> None:
        """Plays until cancelled. Raises NoPlayer."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._give(), name="cues: giving")
            tasks.create_task(self.player.run(), name="cues: mpv")

    async def _give(self) -> None:
        while True:
            if not self._due:
                self._wake.clear()
                await self._wake.wait()
                continue
            cue = self._due[0]
            if self._clock() - cue.due > TOO_LATE_NS:
                self._due.popleft()
                if self._device is None:
                    log.debug("the cue %s is left out: there is no card", cue.name)  # the card's own sentence says it
                else:
                    log.warning("the cue %s was more than a second late and is left out", cue.name)
                    self._left_out(cue)
            elif self.player.up and self._device is not None:
                self._due.popleft()
                self._asked = cue
                self._load(cue)
            else:
                await asyncio.sleep(_LOOKS_AGAIN_S)

    def _load(self, cue: Cue) -> None:
        how = "replace"
        for file in self._sounds(cue):
            self.player.tell_named(name="loadfile", url=str(file), flags=how)
            how = "append-play"
        if how == "replace":
            self._asked = None

    def _anew(self) -> None:
        self.player.tell("observe_property", 1, "current-ao")
        self.player.tell("set_property", "volume", self._volume)
        if self._device is not None:
            self.player.tell("set_property", "audio-device", self._device)
        if self._asked is not None:
            # The last mpv was ended before it could begin; whether that is too late is seen when it is given.
            self._due.appendleft(self._asked)
            self._asked = None
        self._wake.set()

    def _event(self, said: Mapping[str, Any]) -> None:
        match said["event"]:
            case "property-change":
                self._heard(str(said.get("name")), said.get("data"))
            case "playback-restart" | "end-file" if said.get("reason") != "stop":
                self._asked = None
            case _:
                pass
