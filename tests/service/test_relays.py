"""Relays show spectators what the table shows its own, through a real Redis, whatever of them goes away and comes
back; and the table never waits for any of it."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession
from redis.asyncio import Redis

from controller.service.access import Scope
from controller.service.feed import Feed
from controller.service.redis_link import Beat, RedisLink
from controller.service.registry import Link
from controller.service.relay import TableClock
from controller.service.relaying import Relaying, relaying
from controller.service.running import Running, running
from controller.service.settings import Relays, Settings, Web
from controller.views.produce import Delay
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.redis_server import RedisServer
from tests.service.waiting import comes_true


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[RedisServer]:
    """A real Redis."""
    async with RedisServer(tmp_path / "redis") as server:
        yield server


@pytest.fixture
def fed(chosen: Settings, redis: RedisServer) -> Settings:
    """Settings of a table that feeds that Redis."""
    return replace(chosen, relays=Relays(redis=redis.address))


def relay_of(fed: Settings, pages: Path, **more: Any) -> Any:
    """A relay of the same Redis."""
    return relaying(replace(fed, web=Web(port=0)), pages=pages, **more)


def watching(relay: Relaying, own: str, **more: Any) -> Page:
    """A spectator at a relay."""
    return Page(relay.address, own, page="spectator", **more)


def open_to(table: Running, delay: int = 0) -> tuple[Link, str]:
    """A spectators' link and what opens it."""
    link = table.access.add_link(Scope.SPECTATOR, "public", delay=delay)
    return link, table.access.token(link)


async def known_to(relay: Relaying, own: str) -> None:
    """Waits until the relay would let in whoever has `own`."""
    await comes_true(lambda: relay.relay._opened_by(own) is not None)


async def same(page: Page, other: Page) -> None:
    """Waits until both show the same."""
    await comes_true(lambda: bool(page.views) and bool(other.views) and page.view == other.view)
    assert page.views[-1]["audience"] == other.views[-1]["audience"] == "spectator"


async def test_a_relay_shows_what_the_table_shows_its_own_spectators(fed: Settings, pages: Path) -> None:
    async with running(fed, pages=pages) as table, relay_of(fed, pages) as relay, relay_of(fed, pages) as second:
        _, own = open_to(table)
        await known_to(relay, own)
        await known_to(second, own)
        async with (
            Page(table.address, token(table, Scope.JUDGE)) as tablet,
            Page(table.address, own, page="spectator") as direct,
            watching(relay, own) as far,
            watching(second, own) as farther,
        ):
            judge = Judge(tablet)
            await judge.deals()
            await far.sees(lambda view: view["seats"][6]["role"] == "don")
            await judge.does("next")
            await direct.sees(lambda view: view["phase"]["kind"] != "dealing")
            await same(far, direct)
            await same(farther, direct)
            revisions = [row["revision"] for row in far.views]
            assert revisions == sorted(set(revisions))
            # Each tells the table's time.
            at_the_table = (await direct.ask("clock", {"t0": 1}))["now"]
            assert abs((await far.ask("clock", {"t0": 1}))["now"] - at_the_table) < 500
            for event in ("command", "produce", "signal", "takeover", "history"):
                assert (await far.ask(event, {"do": "next"}))["refusal"]["code"] == "no_right"
            assert (await far.ask("nonsense", 1))["refusal"]["code"] == "unknown_command"
            assert (await far.ask("clock", {"t0": "x"}))["refusal"]["code"] == "malformed"


async def test_redis_is_given_nothing_that_no_link_shows_yet(fed: Settings, pages: Path, redis: RedisServer) -> None:
    """With a delay of two minutes Redis holds not a byte of the game that has just begun, and never a token."""
    async with running(fed, pages=pages) as table:
        _, own = open_to(table, 120)
        feed = table.spectators._feed
        assert isinstance(feed, Feed)
        async with Page(table.address, token(table, Scope.JUDGE)) as tablet:
            await Judge(tablet).deals()
        await comes_true(lambda: set(feed.delays) == {120} and feed.waiting == 0)
        client: Any = Redis.from_url(redis.address)
        held = b""
        for key in await client.keys("*"):
            kind = await client.type(key)
            rows = {b"hash": client.hgetall, b"stream": client.xrange}.get(kind, client.get)
            held += key + repr(await rows(key)).encode()
        await client.aclose()
        assert b"view " not in held
        assert b"role" not in held
        assert own.rpartition(".")[2].encode() not in held
        for name in table.table.snapshot.names:
            assert name.encode() not in held
            assert repr(name.encode())[2:-1].encode() not in held
        # The control: what may be seen at once is there at once.
        open_to(table, 0)
        await comes_true(lambda: set(feed.delays) == {0, 120} and feed.waiting == 0 and 0 in feed._revisions)
        async with RedisLink(redis.address) as link:
            fields = await link.fields(table.access.table)
        assert b'"role":"don"' in fields["view 0"]
        assert "view 120" not in fields


async def test_what_nobody_may_see_any_more_is_taken_away(fed: Settings, pages: Path, redis: RedisServer) -> None:
    async with running(fed, pages=pages) as table, relay_of(fed, pages) as relay:
        link, own = open_to(table)
        await known_to(relay, own)
        async with watching(relay, own) as far:
            table.access.revoke(link.id)
            await far.until(far.closed.is_set, 10)
        async with watching(relay, own, language="en") as late:
            assert late.refused is not None
            assert late.refused["data"]["code"] == "wrong_token"
        async with RedisLink(redis.address) as client:
            fields = await client.fields(table.access.table)
        assert not [name for name in fields if name.startswith("view")]


async def test_spectators_of_a_relay_follow_the_delay_that_the_producer_sets(fed: Settings, pages: Path) -> None:
    async with running(fed, pages=pages) as table, relay_of(fed, pages) as relay:
        _, fixed = open_to(table, 200)
        own = table.access.token(table.access.add_link(Scope.SPECTATOR, "public"))
        await known_to(relay, own)
        async with watching(relay, own, waits=False) as far, watching(relay, fixed, waits=False) as other:
            await far.until(lambda: '42["delay",{"seconds":300,' in "".join(far.frames))
            assert table.desk.do(Delay(spectators=600)) is None
            await far.until(far.closed.is_set, 10)
            assert not other.closed.is_set()
        async with watching(relay, own, waits=False) as again:
            await again.until(lambda: '42["delay",{"seconds":600,' in "".join(again.frames))
            at_the_table = time.monotonic_ns() / 1e6
            assert 595_000 < at_the_table - (await again.ask("clock", {"t0": 1}))["now"] < 605_000


async def test_redis_lost_and_back_empty_spectators_come_to_the_truth(
    fed: Settings, pages: Path, redis: RedisServer
) -> None:
    async with running(fed, pages=pages) as table, relay_of(fed, pages) as relay:
        _, own = open_to(table)
        await known_to(relay, own)
        async with (
            Page(table.address, token(table, Scope.JUDGE)) as tablet,
            Page(table.address, own, page="spectator") as direct,
            watching(relay, own) as far,
        ):
            judge = Judge(tablet)
            await judge.does("deal", seat=1, role="don")
            await far.sees(lambda view: view["seats"][0]["role"] == "don")
            await redis.stop()
            for number, role in enumerate(("mafia", "mafia", "sheriff"), 2):
                await judge.does("deal", seat=number, role=role)
            await direct.sees(lambda view: view["seats"][3]["role"] == "sheriff")
            assert far.view["seats"][3]["role"] is None
            assert not far.closed.is_set()
            # Who comes meanwhile is shown what the relay has.
            async with watching(relay, own) as late:
                assert late.view["seats"][0]["role"] == "don"
            await redis.start()
            await far.sees(lambda view: view["seats"][3]["role"] == "sheriff")
            await same(far, direct)


async def test_a_redis_that_hangs_or_has_forgotten_everything_is_fed_anew(
    fed: Settings, pages: Path, redis: RedisServer
) -> None:
    async with running(fed, pages=pages) as table, relay_of(fed, pages) as relay:
        _, own = open_to(table)
        await known_to(relay, own)
        async with (
            Page(table.address, token(table, Scope.JUDGE)) as tablet,
            Page(table.address, own, page="spectator") as direct,
            watching(relay, own) as far,
        ):
            judge = Judge(tablet)
            redis.freeze()
            try:
                await judge.does("deal", seat=1, role="don")
                await judge.does("deal", seat=2, role="mafia")
                # The judge is told, and plays on.
                await tablet.sees(lambda view: str(redis.port) in str(view["readiness"]))
            finally:
                redis.thaw()
            await far.sees(lambda view: view["seats"][1]["role"] == "mafia")
            await tablet.sees(lambda view: str(redis.port) not in str(view["readiness"]))
            client: Any = Redis.from_url(redis.address)
            await client.flushall()
            await client.aclose()
            await judge.does("deal", seat=3, role="mafia")
            await far.sees(lambda view: view["seats"][2]["role"] == "mafia")
            # Also for a relay that starts after it.
            async with relay_of(fed, pages) as fresh:
                await known_to(fresh, own)
                async with watching(fresh, own) as late:
                    await same(late, direct)


async def test_a_relay_killed_and_the_table_started_anew(
    fed: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever is not welcome for a moment goes in that moment.
    monkeypatch.setattr("controller.service.relay.ASKS_EVERY_S", 0.0)
    monkeypatch.setattr("controller.service.relay.LOOKS_EVERY_S", 0.01)
    async with relay_of(fed, pages) as relay, AsyncExitStack() as leaving:
        async with running(fed, pages=pages) as table:
            _, own = open_to(table)
            async with Page(table.address, token(table, Scope.JUDGE)) as tablet:
                judge = Judge(tablet)
                await judge.does("deal", seat=1, role="don")
                async with relay_of(fed, pages) as short:
                    await known_to(short, own)
                    async with watching(short, own) as far:
                        await far.sees(lambda view: view["seats"][0]["role"] == "don")
                # That relay is gone: the table goes on, and the other one has it all.
                await judge.does("deal", seat=2, role="mafia")
            await known_to(relay, own)
            far = await leaving.enter_async_context(watching(relay, own))
            await far.sees(lambda view: view["seats"][1]["role"] == "mafia")
            before = far.revision
        # Without a table they keep what they see.
        assert not far.closed.is_set()
        assert "now" in await far.ask("clock", {"t0": 1})
        async with (
            running(fed, pages=pages) as table,
            Page(table.address, token(table, Scope.JUDGE)) as tablet,
            Page(table.address, own, page="spectator") as direct,
        ):
            await Judge(tablet).does("deal", seat=3, role="mafia")
            await far.sees(lambda view: view["seats"][2]["role"] == "mafia")
            await same(far, direct)
            assert far.revision > before


async def test_the_table_starts_and_plays_without_its_redis(fed: Settings, pages: Path, redis: RedisServer) -> None:
    await redis.stop()
    async with running(fed, pages=pages) as table, Page(table.address, token(table, Scope.JUDGE)) as tablet:
        open_to(table)
        feed = table.spectators._feed
        assert isinstance(feed, Feed)
        judge = Judge(tablet)
        for role in ("don", "mafia") * 20:
            await judge.does("deal", seat=1, role=role)
        # One slot a field, however much was wanted: links, pictures, one view.
        assert feed.waiting <= 3


async def test_an_address_that_is_none_is_a_sentence_and_stops_nothing(chosen: Settings, pages: Path) -> None:
    wrong = replace(chosen, relays=Relays(redis="http://secret:password@host"))
    async with running(wrong, pages=pages) as table:
        assert "service.relay_address" in [note.code for note in table.notes()]
    async with running(chosen, pages=pages) as fine:
        assert "service.relay_address" not in [note.code for note in fine.notes()]


async def test_a_relay_serves_spectators_pages_and_nothing_else(fed: Settings, pages: Path) -> None:
    async with relay_of(fed, pages) as relay, ClientSession() as session:
        for path, status in {
            "/": 200, "/watch": 200, "/health": 200, "/judge": 404, "/air": 404, "/hall": 404, "/producer": 404,
            "/devices": 404, "/evidence": 404, "/photos/x": 404, "/table": 404,
        }.items():  # fmt: skip
            async with session.get(relay.address + path) as answer:
                assert answer.status == status, path
        for path in ("/enter", "/leave", "/access", "/producer/do"):
            async with session.post(relay.address + path, json={}) as answer:
                assert answer.status == 404, path


async def test_a_relay_lets_in_only_who_has_a_spectators_link(fed: Settings, pages: Path) -> None:
    async with running(fed, pages=pages) as table, relay_of(fed, pages, most=2) as relay:
        _, own = open_to(table)
        await known_to(relay, own)
        for wrong in (None, "", "x", own + "x", table.access[Scope.AIR], table.access[Scope.PRODUCER]):
            async with watching(relay, wrong, language="en") as page:  # pyright: ignore[reportArgumentType]
                assert page.refused is not None, wrong
                assert page.refused["data"]["code"] == "wrong_token"
        async with watching(relay, own), watching(relay, own), watching(relay, own) as third:
            assert third.refused is not None
            assert third.refused["data"]["code"] == "too_many_screens"


async def test_two_tables_on_one_relay_are_two_tables(chosen: Settings, pages: Path, redis: RedisServer) -> None:
    first = replace(chosen, relays=Relays(redis=redis.address))
    second = replace(first, data=chosen.data.with_name("second"))
    async with (
        running(first, pages=pages) as one,
        running(second, pages=pages) as two,
        relay_of(first, pages) as relay,
        Page(one.address, token(one, Scope.JUDGE)) as tablet,
        Page(two.address, token(two, Scope.JUDGE)) as other,
    ):
        (_, own), (_, theirs) = open_to(one), open_to(two)
        await known_to(relay, own)
        await known_to(relay, theirs)
        async with watching(relay, own) as here, watching(relay, theirs) as there:
            await Judge(tablet).does("deal", seat=1, role="don")
            await Judge(other).does("deal", seat=1, role="sheriff")
            await here.sees(lambda view: view["seats"][0]["role"] == "don")
            await there.sees(lambda view: view["seats"][0]["role"] == "sheriff")
            assert {view["view"]["seats"][0]["role"] for view in here.views} <= {None, "don"}
            assert {view["view"]["seats"][0]["role"] for view in there.views} <= {None, "sheriff"}


async def test_players_pictures_come_along(fed: Settings, pages: Path) -> None:
    from PIL import Image

    fed.roster.mkdir(parents=True)
    Image.new("RGB", (400, 500), "#336699").save(fed.roster / f"{fed.game.names[0]}.jpg")
    async with running(fed, pages=pages) as table, relay_of(fed, pages) as relay, ClientSession() as session:
        _, own = open_to(table)
        await known_to(relay, own)
        async with watching(relay, own) as far:
            photo = (await far.sees(lambda view: view["seats"][0]["photo"] is not None))["seats"][0]["photo"]
            async with session.get(table.address + photo) as answer:
                there = await answer.read()
            async with session.get(relay.address + photo) as answer:
                assert answer.status == 200
                assert await answer.read() == there


async def test_rights_in_redis_are_as_small_as_the_compose_file_makes_them(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    """The file of rights that ships: the table may write its own keys, a relay may only read them."""
    rights = (Path(__file__).parents[2] / "set-up" / "relays" / "users.acl").read_text()
    rights = rights.replace("TABLE_PASSWORD", "for-the-table").replace("RELAY_PASSWORD", "for-relays")
    (tmp_path / "users.acl").write_text(rights)
    async with RedisServer(tmp_path / "redis", "--aclfile", str(tmp_path / "users.acl")) as redis:
        port = redis.port
        feeding = replace(chosen, relays=Relays(redis=f"redis://table:for-the-table@127.0.0.1:{port}"))
        reading = replace(chosen, relays=Relays(redis=f"redis://relay:for-relays@127.0.0.1:{port}"))
        async with running(feeding, pages=pages) as table, relay_of(reading, pages) as relay:
            _, own = open_to(table)
            await known_to(relay, own)
            async with watching(relay, own) as far:
                assert far.view["seats"]
            client: Any = Redis.from_url(reading.relays.redis)
            for refused in (client.set("mafia:x", 1), client.flushall(), client.config_get("*"), client.get("other")):
                with pytest.raises(Exception, match="permission"):
                    await refused
            await client.aclose()


def test_the_clock_of_a_table_goes_by_the_beat_that_was_least_late() -> None:
    now = 5_000_000_000
    clock = TableClock(lambda: now)
    clock.remembers(Beat(1, 77))
    assert clock.now == 77
    for late in (30_000_000, 2_000_000, 90_000_000):
        clock.heard(Beat(1, 1_000_000_000_000 + now - 5_000_000_000 - late))
    assert clock.now == 1_000_000_000_000 - 2_000_000
    clock.heard(Beat(2, 50))
    assert clock.now == 50


def test_a_feed_keeps_the_newest_of_each_field_alone() -> None:
    feed = Feed("redis://127.0.0.1:1", "t", run=1, picture=lambda _: None)
    links = [(Link(id=f"{delay}", scope=Scope.SPECTATOR, delay=delay), "x") for delay in (0, 120, 300)]
    feed.open(links, usual_delay=300)
    for revision in range(1000):
        for delay in (0, 120, 300, 500):
            feed.show(delay, revision, msgspec.json.encode({"number": revision}))
    assert feed.waiting <= 5
    assert sum(len(value) for value in feed._fields.values()) < 1000
    feed.open(links[:1], usual_delay=300)
    assert feed.delays == {0}
    assert [name for name in feed._fields if name.startswith("view")] == ["view 0"]


async def test_the_table_answers_as_quickly_while_redis_hangs(fed: Settings, pages: Path, redis: RedisServer) -> None:
    async with running(fed, pages=pages) as table, Page(table.address, token(table, Scope.JUDGE)) as tablet:
        open_to(table)
        judge = Judge(tablet)

        async def took() -> float:
            began = time.monotonic()
            for role in ("don", "mafia") * 10:
                await judge.does("deal", seat=1, role=role)
            return time.monotonic() - began

        before = min([await took() for _ in range(3)])
        redis.freeze()
        try:
            during = min([await took() for _ in range(3)])
        finally:
            redis.thaw()
        assert during < 3 * before + 0.2
        await asyncio.sleep(0)
