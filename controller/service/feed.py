"""What the table gives to relays: of each spectators' link's delay the newest view, put into Redis by a task of
its own.

The table never waits: what is wanted there stands in one slot a field, and whatever Redis did not take is replaced by
what is newer. The delay is kept here, so that Redis has nothing that spectators may not see yet.
"""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Raw

from controller.service.addresses import redis_place
from controller.service.redis_link import LINKS, PICTURES, TROUBLE, VIEW, Beat, Opens, RedisLink, Shown, hash_of
from controller.service.registry import Link
from controller.views.facts import Note

BEATS_EVERY_S: Final = 1.0
WHOLE_EVERY_S: Final = 3600.0
"""So often all of it is put again, so that nothing that is still shown grows too old for Redis."""
TRIES_AFTER_S: Final = (0.2, 0.5, 1.0, 2.0)
"""Waits before trying again; the last one goes on."""
SILENT_FOR_S: Final = 3.0
"""So long Redis may be away before the judge reads of it."""
_PICTURE: Final = re.compile(rb'"/photos/([^"/]{1,100})"')

log = logging.getLogger(__name__)


class Feed:
    """One table's way to its relays."""

    def __init__(
        self,
        address: str,
        name: str,
        *,
        run: int,
        picture: Callable[[str], bytes | None],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`address` is Redis', `name` what the table is called there, `run` which run of it this is; `picture` gives
        a player's. Raises ValueError for an address that is none."""
        self.place = redis_place(address)
        self._address = address
        self._name = name
        self._which = run
        self._picture = picture
        self._clock = clock
        self._fields: dict[str, bytes] = {LINKS: b"[]", PICTURES: b"[]"}
        self._pictures: dict[str, bytes] = {}
        self._revisions: dict[int, int] = {}
        self._unsent: set[str] = set()
        self._pictures_sent: set[str] = set()
        self._news = asyncio.Event()
        self._lost_since: float | None = None
        self._delays: frozenset[int] = frozenset()

    @property
    def delays(self) -> frozenset[int]:
        """The delays that relays show, seconds."""
        return self._delays

    def open(self, links: Iterable[tuple[Link, str]], *, usual_delay: int) -> None:
        """These links are open, each with its token, and no others; `usual_delay`, seconds, is that of those without
        one of their own. What nobody may see any more is taken away."""
        rows = [
            Opens(hash_of(token), link.id, link.delay_after(usual_delay), link.expires)
            for link, token in sorted(links, key=lambda row: row[0].id)
        ]
        self._set(LINKS, msgspec.json.encode(rows))
        self._delays = frozenset(row.delay for row in rows)
        for delay in self._revisions.keys() - self._delays:
            del self._revisions[delay]
            del self._fields[f"{VIEW}{delay}"]
            self._unsent.add(f"{VIEW}{delay}")
            self._look_at_pictures()
            self._news.set()

    def show(self, delay: int, revision: int, view: bytes) -> None:
        """The links of `delay` show `view` now; called again with the same `revision` it does nothing."""
        if delay not in self._delays or self._revisions.get(delay) == revision:
            return
        self._revisions[delay] = revision
        self._set(f"{VIEW}{delay}", msgspec.json.encode(Shown(revision, Raw(view))))
        self._look_at_pictures()

    @property
    def waiting(self) -> int:
        """How many fields Redis has not been given in their newest form."""
        return len(self._unsent)

    def notes(self) -> tuple[Note, ...]:
        """What the judge and the technician should know of it."""
        lost = self._lost_since
        if lost is None or time.monotonic() - lost < SILENT_FOR_S:
            return ()
        return (Note("readiness.relays_lost", {"place": self.place}),)

    async def run(self, changed: Callable[[], None] = lambda: None) -> None:
        """Keeps Redis fed until cancelled. `changed` is called when `notes` may say something else."""
        failed = 0
        while True:
            if self._lost_since is None:
                self._lost_since = time.monotonic()
            try:
                async with RedisLink(self._address) as redis:
                    await self._put(redis, anew=True)
                    failed, self._lost_since = 0, None
                    log.info("the relays' Redis at %s is there", self.place)
                    changed()
                    await self._serve(redis)
            except TROUBLE as error:
                if failed == 0:
                    log.warning("the relays' Redis at %s does not answer: %s", self.place, type(error).__name__)
            failed += 1
            await asyncio.sleep(TRIES_AFTER_S[min(failed, len(TRIES_AFTER_S)) - 1])
            changed()

    async def _serve(self, redis: RedisLink) -> None:
        whole = time.monotonic()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BEATS_EVERY_S):
                    await self._news.wait()
            knew = await self._put(redis, anew=False)
            if not knew or time.monotonic() - whole > WHOLE_EVERY_S:
                await self._put(redis, anew=True)
                whole = time.monotonic()

    async def _put(self, redis: RedisLink, *, anew: bool) -> bool:
        """Gives Redis what it has not got, or all of it; whether it knew the table."""
        self._news.clear()
        unsent, self._unsent = (set(self._fields) if anew else self._unsent), set()
        fields = {name: self._fields[name] for name in unsent if name in self._fields}
        gone = () if anew else tuple(sorted(unsent - self._fields.keys()))
        pictures: Mapping[str, bytes] = {
            name: body for name, body in self._pictures.items() if anew or name not in self._pictures_sent
        }
        try:
            knew = await redis.put(self._name, fields, gone, pictures, Beat(self._which, self._clock()), anew=anew)
        except BaseException:
            self._unsent |= unsent
            raise
        self._pictures_sent = set(self._pictures)
        return knew or anew

    def _set(self, name: str, value: bytes) -> None:
        if self._fields.get(name) != value:
            self._fields[name] = value
            self._unsent.add(name)
            self._news.set()

    def _look_at_pictures(self) -> None:
        """The pictures of the players that a view shows, and no others."""
        named = {found.decode() for view in self._fields.values() for found in _PICTURE.findall(view)}
        known = {name: self._pictures.get(name) or self._picture(name) for name in named}
        self._pictures = {name: body for name, body in known.items() if body is not None}
        self._set(PICTURES, msgspec.json.encode(sorted(self._pictures)))
