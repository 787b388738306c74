"""What goes from tables to relays, and Redis, which carries it. A table writes and never reads; a relay reads and never
writes: whatever happens to Redis or a relay, nothing of it comes back to a table.

What a relay must show is in a hash a table, each field the newest of its kind. A stream tells which fields have
changed, so that a relay that was away or slow reads the newest and none of what it missed. Redis is given only
what some open spectators' link shows at that very moment: the views wait for their delay at the table.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from types import TracebackType
from typing import Any, Final, Self

import msgspec
from msgspec import Raw, Struct
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from controller.service.addresses import redis_place

TROUBLE: Final = (RedisError, OSError, TimeoutError)
"""What is raised where Redis is away, hung, full, or of another mind."""
KEPT_FOR_S: Final = 24 * 3600
"""A table that was not heard for so long is forgotten by Redis."""
ANSWERS_WITHIN_S: Final = 3.0
_CONNECTS_WITHIN_S: Final = 2.0
_NEWS_KEPT: Final = 1000
_NEWS: Final = "mafia:news"
_TABLES: Final = "mafia:table:"
_PICTURES: Final = "mafia:picture:"

ALL: Final = "*"
"""In the news: all fields may have changed."""
BEAT: Final = "beat"
LINKS: Final = "links"
PICTURES: Final = "pictures"
VIEW: Final = "view "
"""Before a delay in seconds: the field of that view."""


class Opens(Struct, frozen=True):
    """An open spectators' link as a relay knows it: enough to let its holders in, not enough to make the link."""

    hash: str
    """SHA-256 of the token."""
    id: str
    delay: int
    expires: float | None
    """Seconds of the wall clock; None: never."""


class Shown(Struct, frozen=True):
    """What the links of one delay show now."""

    revision: int
    view: Raw


class Beat(Struct, frozen=True):
    """The table lives: which of its runs it is, and its clock, nanoseconds."""

    run: int
    now: int


class News(Struct, frozen=True):
    """What a relay has heard: whose fields have changed, and the beats."""

    last: str
    changed: Mapping[str, frozenset[str]]
    beats: tuple[tuple[str, Beat], ...]


def hash_of(token: str) -> str:
    """What a relay knows of a token."""
    return sha256(token.encode(errors="replace")).hexdigest()


class RedisLink:
    """One connection to Redis, as a context. Everything raises what stands in TROUBLE."""

    def __init__(self, address: str) -> None:
        """`address`: redis://, rediss:// or unix://, with a user and a password where Redis asks for them. Raises
        ValueError for any other."""
        redis_place(address)
        # The library's own second tries are off: whoever calls knows better what is still wanted by then.
        self._redis: Any = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            address,
            socket_timeout=ANSWERS_WITHIN_S,
            socket_connect_timeout=_CONNECTS_WITHIN_S,
            retry=Retry(NoBackoff(), 0),
            # The form of its answers hangs on the protocol's version.
            protocol=2,
        )

    async def __aenter__(self) -> Self:
        await self._redis.ping()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._redis.aclose()

    # --- a table writes

    async def put(
        self,
        table: str,
        fields: Mapping[str, bytes],
        gone: Sequence[str],
        pictures: Mapping[str, bytes],
        beat: Beat,
        *,
        anew: bool,
    ) -> bool:
        """Puts the newest `fields` and `pictures`, takes away those that are `gone`, and tells the relays, all or
        nothing. `anew`: whatever else is known of the table there is forgotten. Whether Redis knew the table."""
        key = _TABLES + table
        async with self._redis.pipeline(transaction=True) as all_:
            if anew:
                all_.delete(key)
            told = msgspec.json.encode(beat)
            all_.hset(key, BEAT, told)
            for name, body in pictures.items():
                all_.set(_PICTURES + name, body, ex=KEPT_FOR_S)
            if fields:
                all_.hset(key, mapping=dict(fields))
            if gone:
                all_.hdel(key, *gone)
            all_.expire(key, KEPT_FOR_S)
            news = {"table": table, "changed": ALL if anew else ",".join((*fields, *gone)), "beat": told}
            all_.xadd(_NEWS, news, maxlen=_NEWS_KEPT, approximate=True)
            answers = await all_.execute()
        # HSET tells how many of the fields are new.
        return not anew and answers[0] == 0

    # --- a relay reads

    async def last(self) -> str:
        """Where the news stand now."""
        found = await self._redis.xrevrange(_NEWS, count=1)
        return found[0][0].decode() if found else "0-0"

    async def news(self, after: str, within: float) -> News | None:
        """What was told after `after`; None where nothing was within so many seconds."""
        found = await self._redis.xread({_NEWS: after}, count=_NEWS_KEPT, block=math.ceil(within * 1000))
        if not found:
            return None
        rows: list[tuple[bytes, dict[bytes, bytes]]] = found[0][1]
        changed: dict[str, set[str]] = {}
        beats: list[tuple[str, Beat]] = []
        for _, row in rows:
            table = row.get(b"table", b"").decode(errors="replace")
            names = {name for name in row.get(b"changed", b"").decode(errors="replace").split(",") if name}
            changed.setdefault(table, set()).update(names)
            beats.append((table, msgspec.json.decode(row.get(b"beat", b""), type=Beat)))
        return News(rows[-1][0].decode(), {name: frozenset(row) for name, row in changed.items()}, tuple(beats))

    async def tables(self) -> list[str]:
        """The tables that Redis knows."""
        return [key.decode()[len(_TABLES) :] async for key in self._redis.scan_iter(match=_TABLES + "*", count=100)]

    async def fields(self, table: str, names: Iterable[str] | None = None) -> dict[str, bytes]:
        """The fields of a table, all of them or those that are named; what is not there is left out."""
        if names is None:
            return {name.decode(): value for name, value in (await self._redis.hgetall(_TABLES + table)).items()}
        asked = sorted(names)
        found = await self._redis.hmget(_TABLES + table, asked)
        return {name: value for name, value in zip(asked, found, strict=True) if value is not None}

    async def picture(self, name: str) -> bytes | None:
        """A player's picture."""
        return await self._redis.get(_PICTURES + name)
