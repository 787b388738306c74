"""The screens that are connected, and what each has still to be shown: the newest view, never a backlog.

A screen has one slot. A view that has not been taken when the next one comes is replaced by it, so a slow screen costs
one view of memory and skips what it missed; one that takes nothing for five seconds is hung up on.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from controller.service.access import OPEN, Holder, Scope
from controller.service.gate import neighbourhood
from controller.views.messages import Language

TAKES_WITHIN_S: Final = 5.0
"""With the time until it is noticed, and a turn of whoever looks, six."""
MOST_SCREENS: Final = 1000
MOST_IN_HALL: Final = 600
"""So many may come without a token; the rest is kept for those that have one."""
MOST_OF_ONE_ADDRESS: Final = 100
"""So many of the hall's may come from one address."""
_ANSWERS_A_SECOND: Final = 100.0
_ANSWERS_AT_ONCE: Final = 400.0

log = logging.getLogger(__name__)


class Line(Protocol):
    """What carries a screen's messages."""

    async def send(self, event: str, message: object) -> None:
        """Queues `message`; never waits for the screen."""

    async def taken(self) -> None:
        """Returns when everything queued has been written to the screen's connection."""

    @property
    def queued(self) -> int:
        """How many messages wait for the connection's writer."""
        ...

    def hang_up(self) -> None:
        """Ends the connection at once, whatever is still unwritten."""


@dataclass(slots=True)
class Allowance:
    """How much a client may ask: a steady rate and a burst."""

    left: float = _ANSWERS_AT_ONCE
    at: float = field(default_factory=time.monotonic)

    def take(self) -> bool:
        """Whether one more may be asked now."""
        now = time.monotonic()
        self.left = min(_ANSWERS_AT_ONCE, self.left + (now - self.at) * _ANSWERS_A_SECOND)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Screen:
    """One connected page."""

    def __init__(self, line: Line, holder: Holder, language: Language, address: str = "") -> None:
        self.holder = holder
        self.side = False
        """A judge's screen that is the side judge's: it sees what the judge sees and may do less."""
        self.address = neighbourhood(address)
        self.language: Language = language
        self.allowance = Allowance()
        self._line = line
        self._waiting: dict[str, Callable[[], object]] = {}
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = asyncio.create_task(self._serve())

    def show(self, event: str, message: Callable[[], object]) -> None:
        """Puts `message` into the slot of `event`, in place of one not taken yet. It is made when it is sent."""
        self._waiting[event] = message
        self._news.set()

    @property
    def scope(self) -> Scope:
        """As what it was let in."""
        return self.holder.scope

    @property
    def delay(self) -> int:
        """How many seconds later it is shown the game: it is shown it at once."""
        return 0

    @property
    def waiting(self) -> int:
        """How many messages are in slots."""
        return len(self._waiting)

    @property
    def unread(self) -> int:
        """How many messages it has not taken."""
        return self._line.queued

    def leave(self) -> None:
        """The screen is gone. It keeps no task that keeps it."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    def hang_up(self) -> None:
        """Ends the connection."""
        self._line.hang_up()

    async def _serve(self) -> None:
        while True:
            await self._news.wait()
            try:
                async with asyncio.timeout(TAKES_WITHIN_S):
                    await self._line.taken()
            except TimeoutError:
                log.info("a screen of the %s has taken nothing for %g s and is let go", self.scope, TAKES_WITHIN_S)
                self._line.hang_up()
                return
            self._news.clear()
            waiting, self._waiting = self._waiting, {}
            for event, message in waiting.items():
                await self._line.send(event, message())


class Screens:
    """All screens, by the id of their connection."""

    def __init__(self) -> None:
        self._screens: dict[str, Screen] = {}

    def __len__(self) -> int:
        return len(self._screens)

    def __contains__(self, sid: str) -> bool:
        return sid in self._screens

    def has_room(self, scope: Scope, address: str) -> bool:
        """Whether one more screen of `scope` may come from `address`. The hall never takes the room of the others."""
        if len(self) >= MOST_SCREENS:
            return False
        if scope not in OPEN:
            return True
        address = neighbourhood(address)
        hall = [screen for screen in self._screens.values() if screen.scope in OPEN]
        return len(hall) < MOST_IN_HALL and sum(one.address == address for one in hall) < MOST_OF_ONE_ADDRESS

    def get(self, sid: str) -> Screen | None:
        """The screen of connection `sid`."""
        return self._screens.get(sid)

    def add(self, sid: str, screen: Screen) -> None:
        """A screen has come."""
        self._screens[sid] = screen

    def drop(self, sid: str) -> Screen | None:
        """A screen has gone."""
        screen = self._screens.pop(sid, None)
        if screen is not None:
            screen.leave()
        return screen

    def of(self, scope: Scope) -> list[Screen]:
        """The screens of one scope."""
        return [screen for screen in self._screens.values() if screen.scope is scope]

    def languages(self, scope: Scope) -> set[Language]:
        """The languages that the screens of `scope` are read in."""
        return {screen.language for screen in self._screens.values() if screen.scope is scope}

    def renew_allowances(self) -> None:
        """Everybody may ask anew, as after a while of quiet."""
        for screen in self._screens.values():
            screen.allowance = Allowance()

    def hang_up_unless(self, welcome: Callable[[Holder], bool]) -> None:
        """Hangs up on those who are not welcome any more."""
        for screen in [*self._screens.values()]:
            if not welcome(screen.holder):
                screen.hang_up()

    def close(self) -> None:
        """Hangs up on everybody."""
        for sid in list(self._screens):
            screen = self._screens.get(sid)
            if screen is not None:
                screen.hang_up()
            self.drop(sid)


class EngineLine:
    """A screen's line over engine.io."""

    def __init__(
        self,
        sid: str,
        emit: Callable[[str, object, str], Awaitable[None]],
        queue: "asyncio.Queue[object]",
        transport: asyncio.Transport | None,
    ) -> None:
        self._sid = sid
        self._emit = emit
        self._queue = queue
        self._transport = transport

    async def send(self, event: str, message: object) -> None:
        """Queues `message` for the connection's writer."""
        with suppress(KeyError):  # the connection ended a moment ago
            await self._emit(event, message, self._sid)

    async def taken(self) -> None:
        """The writer takes from the queue only when what it took before is written: an empty queue means one in
        flight at most."""
        await self._queue.join()

    @property
    def queued(self) -> int:
        """How many messages wait for the writer."""
        return self._queue.qsize()

    def hang_up(self) -> None:
        """Cuts the connection."""
        if self._transport is not None:
            self._transport.abort()
