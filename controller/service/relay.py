"""A relay: it shows spectators what tables have put into Redis, and tells no table anything.

It holds the newest of everything in memory: while Redis or a table is away its spectators keep what they see, and when
it is back they are shown what there is then.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from aiohttp import web

from controller.game.refusal import Refusal
from controller.service.access import Holder, Scope
from controller.service.addresses import redis_place
from controller.service.crowd import Crowd, Watcher, event_frame
from controller.service.delayed import SECOND
from controller.service.gate import GATE
from controller.service.handshake import Handshake, not_let_in
from controller.service.redis_link import (
    ALL,
    LINKS,
    PICTURES,
    TROUBLE,
    VIEW,
    Beat,
    News,
    Opens,
    RedisLink,
    Shown,
    hash_of,
)
from controller.service.registry import Link
from controller.service.requests import ALLOWED, said
from controller.service.transport import LET_IN, socket_server
from controller.views.messages import ClockAnswer, Delay, Envelope, Language, Message, NotDone

HEARS_WITHIN_S: Final = 1.5
"""A table beats every second: where nothing was heard for longer, all is read anew."""
TRIES_AFTER_S: Final = (0.2, 0.5, 1.0, 2.0)
LOOKS_EVERY_S: Final = 0.2
ASKS_EVERY_S: Final = 1.0
"""So often it is asked who is still welcome."""
_BEATS_KEPT: Final = 30

log = logging.getLogger(__name__)


class TableClock:
    """A table's clock as it is known here, over a way that only makes things late: the beat that was the least late of
    the last half minute tells how far the two clocks are apart."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        self._run = 0
        self._apart: deque[int] = deque(maxlen=_BEATS_KEPT)
        self._last = 0

    def heard(self, beat: Beat) -> None:
        """A beat has come just now."""
        if beat.run != self._run:
            self._run = beat.run
            self._apart.clear()
        self._apart.append(beat.now - self._clock())

    def remembers(self, beat: Beat) -> None:
        """A beat that is older by nobody knows how much; used until one comes."""
        self._last = beat.now

    @property
    def now(self) -> int:
        """Nanoseconds of the table's clock."""
        return self._clock() + max(self._apart) if self._apart else self._last


@dataclass(slots=True)
class Table:
    """What is known of one table."""

    links: Mapping[str, Opens] = field(default_factory=dict[str, Opens])
    """By the hash of the token."""
    shown: dict[int, Shown] = field(default_factory=dict[int, Shown])
    """By the delay."""
    pictures: frozenset[str] = frozenset()
    clock: TableClock = field(default_factory=TableClock)


class Relay:
    """One relay: its spectators, and what they are shown."""

    def __init__(self, address: str, *, page_build: str, language: Language, most: int) -> None:
        """`address` is Redis'; so many spectators as `most` are let in. Raises ValueError for an address that is
        none."""
        self.place = redis_place(address)
        self.crowd = Crowd()
        self._address = address
        self._page_build = page_build
        self._language: Language = language
        self._most = most
        self._tables: dict[str, Table] = {}
        self._pictures: dict[str, bytes] = {}
        self.fed = False
        """Whether Redis is heard."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that are known."""
        return tuple(sorted(self._tables))

    def picture(self, name: str) -> bytes | None:
        """A player's picture."""
        return self._pictures.get(name)

    # --- what comes from Redis

    async def run(self) -> None:
        """Follows Redis until cancelled."""
        failed = 0
        while True:
            try:
                async with RedisLink(self._address) as redis:
                    while True:
                        await self._follow(redis)
                        failed = 0
            except TROUBLE as error:
                if failed == 0:
                    log.warning("Redis at %s does not answer: %s", self.place, type(error).__name__)
            except msgspec.MsgspecError as error:
                log.warning("Redis at %s holds what is not of this version: %s", self.place, error)
            self.fed = False
            failed += 1
            await asyncio.sleep(TRIES_AFTER_S[min(failed, len(TRIES_AFTER_S)) - 1])

    async def show(self) -> None:
        """Looks after the spectators until cancelled."""
        asked = time.monotonic()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOKS_EVERY_S):
                    await self.crowd.news.wait()
            if time.monotonic() - asked > ASKS_EVERY_S:
                asked = time.monotonic()
                self.crowd.hang_up_unless(self._still_in)
            await self.crowd.send()

    async def _follow(self, redis: RedisLink) -> None:
        """Reads everything, then what changes, until nothing is heard for longer than tables are silent."""
        last = await redis.last()
        for name in await redis.tables():
            await self._read(redis, name, None)
        self.fed = True
        while (news := await redis.news(last, HEARS_WITHIN_S)) is not None:
            last = news.last
            await self._hear(redis, news)

    async def _hear(self, redis: RedisLink, news: News) -> None:
        for name, beat in news.beats:
            self._tables.setdefault(name, Table()).clock.heard(beat)
        for name, changed in news.changed.items():
            if changed:
                await self._read(redis, name, None if ALL in changed else changed)

    async def _read(self, redis: RedisLink, name: str, changed: Iterable[str] | None) -> None:
        """The fields of a table as they are now. A view that is not there is no reason to show nothing: it was seen
        already; a link that is not there opens nothing."""
        fields = await redis.fields(name, changed)
        table = self._tables.setdefault(name, Table())
        if (beat := fields.get("beat")) is not None:
            table.clock.remembers(msgspec.json.decode(beat, type=Beat))
        if (links := fields.get(LINKS)) is not None:
            table.links = {row.hash: row for row in msgspec.json.decode(links, type=tuple[Opens, ...])}
            table.shown = {delay: row for delay, row in table.shown.items() if delay in self._delays(table)}
        if (pictures := fields.get(PICTURES)) is not None:
            await self._fetch(redis, table, msgspec.json.decode(pictures, type=frozenset[str]))
        for field_, value in fields.items():
            if field_.startswith(VIEW):
                self._show(name, table, int(field_.removeprefix(VIEW)), msgspec.json.decode(value, type=Shown))

    async def _fetch(self, redis: RedisLink, table: Table, names: frozenset[str]) -> None:
        for name in names - self._pictures.keys():
            if (body := await redis.picture(name)) is not None:
                self._pictures[name] = body
        table.pictures = names
        still = frozenset[str]().union(*(one.pictures for one in self._tables.values()))
        self._pictures = {name: body for name, body in self._pictures.items() if name in still}

    def _show(self, name: str, table: Table, delay: int, shown: Shown) -> None:
        known = table.shown.get(delay)
        if delay not in self._delays(table) or (known is not None and known.revision >= shown.revision):
            return
        table.shown[delay] = shown
        envelope = Envelope(
            audience="spectator",
            revision=shown.revision,
            build=self._page_build,
            now=(table.clock.now - delay * SECOND) // 1000 / 1000,
            view=shown.view,
        )
        self.crowd.show(delay, shown.revision, event_frame("view", envelope), name)

    @staticmethod
    def _delays(table: Table) -> set[int]:
        return {row.delay for row in table.links.values()}

    # --- who comes

    def attach(self, app: web.Application) -> None:
        """Spectators come in over `app`."""
        server = self._server = socket_server()
        server.on("connect", self._connected)
        server.on("disconnect", self._disconnected)
        server.on("*", self._asked)
        server.attach(app)

    async def close(self) -> None:
        """Ends every connection."""
        self.crowd.close()
        await self._server.shutdown()

    def _opened_by(self, token: str | None) -> tuple[str, Opens] | None:
        """The table and the link that `token` opens."""
        hash_ = hash_of(token or "")
        for name, table in self._tables.items():
            row = table.links.get(hash_)
            if row is not None and (row.expires is None or row.expires > time.time()):
                return name, row
        return None

    def _still_in(self, holder: Holder) -> bool:
        link = holder.link
        if link is None:
            return False
        name, _, hash_ = holder.by.partition(" ")
        table = self._tables.get(name)
        row = None if table is None else table.links.get(hash_)
        # With another delay it comes in anew: picture and clock begin with the one that is right now.
        return row is not None and row.delay == link.delay and (link.expires is None or link.expires > time.time())

    async def _connected(self, sid: str, environ: dict[str, Any], auth: object) -> None:
        hello = Handshake.of(auth)
        language = hello.speaks or self._language
        found = self._opened_by(hello.token)
        if found is None:
            raise not_let_in("wrong_token" if self._tables else "no_table_yet", language)
        if len(self.crowd) >= self._most:
            raise not_let_in("too_many_screens", language)
        name, row = found
        request: web.Request = environ["aiohttp.request"]
        wire = request.transport
        if wire is None:
            return
        environ[LET_IN] = True
        request.app[GATE].settle(wire)
        link = Link(id=row.id, scope=Scope.SPECTATOR, delay=row.delay, expires=row.expires)
        greeting = event_frame("delay", Delay(seconds=row.delay, starts_in=None))
        holder = Holder(Scope.SPECTATOR, f"{name} {row.hash}", link)
        self.crowd.join(sid, Watcher(wire, holder, language, table=name, greeting=greeting))

    async def _disconnected(self, sid: str, _reason: str) -> None:
        self.crowd.leave(sid)

    async def _asked(self, event: str, sid: str, *arguments: Any) -> Message | None:
        watcher = self.crowd.get(sid)
        return None if watcher is None else self.answer(watcher, event, arguments)

    def answer(self, watcher: Watcher, event: str, arguments: tuple[Any, ...]) -> Message:
        """The answer to what a spectator asks: the time, and nothing else."""
        if not watcher.allowance.take():
            return _refused(Refusal("too_many_commands"), watcher)
        if event not in ALLOWED[Scope.SPECTATOR]:
            known = any(event in allowed for allowed in ALLOWED.values())
            refusal = Refusal("no_right") if known else Refusal("unknown_command", {"command": event[:40]})
            return _refused(refusal, watcher)
        try:
            asked = msgspec.convert(arguments, tuple[_ClockAsked])[0]
        except msgspec.ValidationError:
            return _refused(Refusal("malformed", {"field": "t0"}), watcher)
        now = self._tables[watcher.table].clock.now
        return ClockAnswer(t0=asked.t0, now=(now - watcher.delay * SECOND) // 1000 / 1000)


class _ClockAsked(msgspec.Struct):
    t0: float


def _refused(refusal: Refusal, watcher: Watcher) -> NotDone:
    return NotDone(refusal=said(refusal, watcher.language, "fiim"))
