"""The night's music on an mpv of its own: which piece, how loud, fading, ducked. What it should be doing is kept here
and told to every new mpv, which goes on where the last one was."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final

from controller.sound.levels import Fader, volume_of
from controller.sound.library import NIGHT_BED, Track
from controller.sound.order import Order
from controller.sound.player import End, NoAnswer, Player
from controller.sound.settings import SoundSettings

log = logging.getLogger(__name__)

STEP_S: Final = 0.02
"""How often a moving volume is told: steps of less than half a decibel in the slowest part of a fade."""
BACK_S: Final = 0.2
"""The fade of music that comes back after a fault."""
LOOKS_EVERY_S: Final = 0.5
STUCK_AFTER: Final = 3
"""Looks in a row that found the music where it was before: the output is stuck, or the file does not open."""
DIES_OF_IT: Final = 2
"""So many mpv in a row that ended without getting on with a piece: the next piece is played."""
_OPTIONS: Final = (
    "--pause=yes",
    "--volume=0",
    "--volume-max=400",
    "--audio-buffer=0.05",
    "--pulse-buffer=100",
    "--prefetch-playlist=yes",
)
_BED: Final = Track(NIGHT_BED)


class Music:
    """The night's music. Every call is answered at once; what it asks for is done in `run`."""

    def __init__(
        self,
        settings: SoundSettings,
        tracks: Sequence[Track],
        order: Order,
        *,
        mark: str,
        heard: Callable[[str, Any], None],
        ended: Callable[[End], None],
        unreadable: Callable[[Track, str], None],
        begun: Callable[[Track], None],
    ) -> None:
        """`heard` is told the properties that change, `ended` that mpv is gone and how, `unreadable` which file cannot
        be played and why, `begun` which one is to be heard now. `order` is that of `tracks`."""
        self.player = Player(
            "music", _OPTIONS, mark=mark, began=self._anew, event=self._event, ended=self._gone, spare=True
        )
        self._ended, self._begun = ended, begun
        self._fader = Fader(settings.duck, settings.fade_in, settings.fade_out)
        self._volume = min(settings.volume, settings.limit)
        self._tracks = tuple(tracks) or (_BED,)
        self._heard, self._unreadable = heard, unreadable
        self._bad: set[Track] = set()
        self._device: str | None = None
        self._wanted = False
        self._paused = True
        self._moved = asyncio.Event()
        self._order = order
        self._coming: Track | None = None
        """What mpv was given to play after this one."""
        self._now: Track = self._next()
        self._position = 0.0
        self._got_on = False
        """Whether this mpv has played any of the piece."""
        self._deaths = 0
        self._entries: dict[int, Track] = {}
        self._entry = count(1)
        self._last_told = -1.0

    @property
    def piece(self) -> Track:
        """What plays, or will play next."""
        return self._now

    @property
    def sounding(self) -> bool:
        """Whether it is to be heard now, be it fading."""
        return self._wanted or not self._fader.is_silent

    def use(self, device: str | None) -> None:
        """Plays on `device`, mpv's name of it; None: on nothing, since there is no card."""
        if device == self._device:
            return
        before, self._device = self._device, device
        if device is None:
            self.player.tell("stop")
        elif before is None:
            self.player.tell("set_property", "audio-device", device)
            self._load()
        else:
            self.player.tell("set_property", "audio-device", device)

    def want(self, wanted: bool, *, fade: float | None = None) -> None:
        """The night's music, or silence."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self._fader.play(wanted, fade=fade)
        self._moved.set()

    def hold(self, held: bool) -> None:
        """The judge speaks, or has spoken."""
        self._fader.hold(held)
        self._moved.set()

    def set_volume(self, volume: int) -> None:
        """0 to 100."""
        self._volume = volume
        self._last_told = -1.0
        self._moved.set()

    async def run(self) -> None:
        """Plays until cancelled. Raises NoPlayer."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._fade(), name="music: fading")
            tasks.create_task(self._look(), name="music: looking")
            tasks.create_task(self.player.run(), name="music: mpv")

    # --- what mpv is told

    def _anew(self) -> None:
        """A new mpv knows nothing: it is told all."""
        self._entries, self._entry = {}, count(1)
        self._paused, self._last_told = True, -1.0
        if self._deaths >= DIES_OF_IT:
            self._go_on_to_the_next()
        self._got_on = False
        for number, name in enumerate(("current-ao", "audio-device-list"), start=1):
            self.player.tell("observe_property", number, name)
        if self._device is not None:
            self.player.tell("set_property", "audio-device", self._device)
            self._load(start=self._position)
        if self._wanted:
            self._fader.silence()
            self._fader.play(True, fade=BACK_S)
        self._moved.set()

    def _load(self, *, start: float = 0.0) -> None:
        self._append(self._now, "replace", start)
        self._append_next()

    def _append_next(self) -> None:
        if self._coming is None or self._coming in self._bad:
            self._coming = self._next()
        self._append(self._coming, "append-play")

    def _go_on_to_the_next(self) -> None:
        after = self._coming
        self._now = after if after is not None and after not in self._bad else self._next()
        self._coming, self._position, self._deaths = None, 0.0, 0

    def _gone(self, end: End) -> None:
        if self._got_on or self._paused:
            self._deaths = 0
        elif end != "asked":
            self._deaths += 1
        self._ended(end)

    def _append(self, track: Track, how: str, start: float = 0.0) -> None:
        # mpv numbers what it is given, in order, from 1.
        self._entries[next(self._entry)] = track
        options = {"af": f"volume=volume={track.gain:.2f}dB"}
        if start > 0:
            options["start"] = f"{start:.3f}"
        self.player.tell_named(name="loadfile", url=str(track.path), flags=how, options=options)

    def _next(self) -> Track:
        while len(self._bad) < len(self._tracks) and (track := self._order.next()) is not None:
            if track not in self._bad:
                return track
        return _BED

    def _event(self, said: Mapping[str, Any]) -> None:
        match said["event"]:
            case "property-change":
                self._heard(str(said.get("name")), said.get("data"))
            case "start-file":
                track = self._entries.get(said["playlist_entry_id"])
                if track is not None:
                    if track is not self._now:
                        self._now, self._position, self._got_on = track, 0.0, False
                        if not self._paused:
                            self._begun(track)
                    if said["playlist_entry_id"] == max(self._entries):
                        self._coming = None
                        self._append_next()
            case "end-file" if said.get("reason") == "error":
                track = self._entries.get(said["playlist_entry_id"])
                if track is not None:
                    self._cannot_play(track, str(said.get("file_error", "")))
            case _:
                pass

    def _cannot_play(self, track: Track, why: str) -> None:
        if track is not _BED:
            self._bad.add(track)
            self._unreadable(track, why)

    # --- the volume

    async def _fade(self) -> None:
        before = time.monotonic()
        while True:
            if self._fader.arrived and (self._wanted or self._paused) and self._last_told >= 0:
                self._moved.clear()
                await self._moved.wait()
                before = time.monotonic()
            now = time.monotonic()
            # A step that came late is no leap in the fade: it goes on from where it was.
            sounded = self.sounding
            gain = self._fader.step(min(now - before, 2 * STEP_S))
            before = now
            self._tell_volume(gain)
            if sounded and not self.sounding:
                # Also where mpv was paused all along: taken out at once, or begun anew while it faded.
                self._heard("pause", True)
            await asyncio.sleep(STEP_S)

    def _tell_volume(self, gain: float) -> None:
        volume = round(self._volume * volume_of(gain) / 100.0, 3)
        if volume != self._last_told:
            self._last_told = volume
            self.player.tell("set_property", "volume", volume)
        silent = not self._wanted and self._fader.is_silent
        if silent != self._paused:
            self._paused = silent
            self.player.tell("set_property", "pause", silent)
            if not silent:
                self._begun(self._now)
            elif len(self._tracks) > 1:
                # Every night begins with a piece of its own.
                self.player.tell("playlist-next")

    async def _look(self) -> None:
        """Knows where the music is, for an mpv that will have to go on; and sees one that does not get on."""
        still = 0
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            if self._paused or self._device is None or not self.player.up:
                still = 0
                continue
            try:
                position = await self.player.ask("get_property", "time-pos")
            except NoAnswer:
                position = None  # nothing is open
            if position is None or position == self._position:
                still += 1
            else:
                still, self._position, self._got_on = 0, position, True
            if still >= STUCK_AFTER and self.player.up:
                log.warning("the music does not get on: mpv is started anew")
                still = 0
                if position is None:
                    self._cannot_play(self._now, "it does not open")
                    self._deaths = DIES_OF_IT
                self.player.restart()
