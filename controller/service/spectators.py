"""Spectators: the air's views, each link's own delay later, five a second at most; the curtain at the game's end."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from msgspec import Raw

from controller.game.phases import Over
from controller.game.refusal import Refusal
from controller.service.audiences import ROOM_A_START
from controller.service.crowd import Crowd, Watcher, event_frame
from controller.service.delayed import SECOND, SLOT, Kept, Ring
from controller.table.state import Snapshot
from controller.views.messages import Delay, Envelope


class Feeds(Protocol):
    """What gives relays what they are to show."""

    @property
    def delays(self) -> frozenset[int]:
        """The delays that relays show, seconds."""
        ...

    def show(self, delay: int, revision: int, view: bytes) -> None:
        """Relays show `view` to the links of `delay` now; the same `revision` again is nothing new."""
        ...


class Spectators:
    """What the crowd is shown, and when."""

    def __init__(
        self,
        ring: Ring,
        *,
        page_build: str,
        start: int,
        usual_delay: Callable[[], int],
        clock: Callable[[], int] = time.monotonic_ns,
        feed: Feeds | None = None,
    ) -> None:
        """`usual_delay` is that of links without one of their own, seconds; `feed` is told what relays are to show."""
        self.crowd = Crowd()
        self._feed = feed
        self._usual_delay = usual_delay
        self._ring = ring
        self._page_build = page_build
        self._revisions = start * ROOM_A_START
        self._clock = clock
        self._told: dict[int, int] = {}
        self._curtain = 0
        """Up to then everything may be seen, whatever the delay."""
        self._game: str | None = None

    def record(self, view: bytes) -> None:
        """The air shows `view` now."""
        self._ring.add(self._clock(), view)

    def open_curtain(self, snapshot: Snapshot) -> Refusal | None:
        """The game is over: spectators see at once what is on air, until another game begins. A refusal before."""
        if not isinstance(snapshot.state.phase, Over):
            return Refusal("curtain_too_soon", not_now=True)
        self._game = snapshot.game
        self._raise()
        self.look()
        return None

    def heard(self, snapshot: Snapshot) -> None:
        """Something has happened at the table. An open curtain stays open while the game is the one it was opened
        for, and over."""
        if self._game is None:
            return
        if snapshot.game != self._game or not isinstance(snapshot.state.phase, Over):
            self._game = None
        else:
            self._raise()

    def join(self, sid: str, watcher: Watcher) -> None:
        """A spectator has come."""
        watcher.usual_delay = self._usual_delay()
        now, delay = self._clock(), watcher.delay
        next_ = self._ring.after(max(now - delay * SECOND, self._curtain))
        nothing = self._ring.at(max(now - delay * SECOND, self._curtain)) is None
        starts = (next_ + delay * SECOND - now) / 1e6 if nothing and next_ is not None else None
        watcher.greeting = event_frame("delay", Delay(seconds=delay, starts_in=starts))
        self.crowd.join(sid, watcher)

    def usual_delay_changed(self) -> None:
        """Those who follow the table's delay come in anew: picture and clock begin with the delay that is right now."""
        self.crowd.hang_up_unless(lambda holder: holder.link is None or holder.link.delay is not None)

    def look(self) -> None:
        """Looks what every delay has come to; the crowd is sent it by `run`."""
        now = self._clock()
        for delay in self.crowd.delays:
            self._show(delay, now)
        if self._feed is not None:
            for delay in self._feed.delays:
                if (kept := self._due(delay, now)) is not None:
                    self._feed.show(delay, self._revisions + kept.number, kept.view)

    async def run(self) -> None:
        """Looks five times a second until cancelled."""
        while True:
            # Just after a slot of the ring has ended.
            await asyncio.sleep((SLOT - self._clock() % SLOT) / SECOND + 0.001)
            self.look()
            await self.crowd.send()

    def _raise(self) -> None:
        last = self._ring.last
        if last is not None:
            self._curtain = last.at

    def _due(self, delay: int, now: int) -> Kept | None:
        """What a link of `delay` shows now."""
        return self._ring.at(max(now - delay * SECOND, self._curtain))

    def _show(self, delay: int, now: int) -> None:
        kept = self._due(delay, now)
        if kept is None or self._told.get(delay, -1) >= kept.number:
            return
        self._told[delay] = kept.number
        revision = self._revisions + kept.number
        envelope = Envelope(
            audience="spectator",
            revision=revision,
            build=self._page_build,
            now=(now - delay * SECOND) // 1000 / 1000,
            view=Raw(kept.view),
        )
        self.crowd.show(delay, revision, event_frame("view", envelope))
