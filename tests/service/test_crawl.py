"""Every route, namespace and event as every audience, with and without what opens it: nothing outside its list; and
frames without sense by the thousand (by the million in soak), which crash, leak and grow nothing."""

import gc
import json
import re
import resource
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWSTimeout, WSMsgType

from controller.service import transport
from controller.service.access import OPEN, Scope
from controller.service.requests import ALLOWED
from controller.service.running import Running
from controller.service.transport import admit
from controller.views.producer import Pictures
from tests.service.judge import Judge, hears_no_role, token
from tests.service.page import COOKIE, Page
from tests.service.test_what_a_client_may_ask import EVENTS, FIELDS
from tests.service.waiting import comes_true

HOUSE = Path(__file__).parents[2]
PUBLIC_GET = {
    "/", "/judge", "/office", "/devices", "/air", "/watch", "/producer", "/hall", "/break", "/result", "/table",
    "/health", "/theme.json",
}  # fmt: skip
"""What anybody may fetch: pages without anything in them, the look, a health line."""
OWN = {
    "/producer/state": ({Scope.PRODUCER}, 401),
    "/producer/chapters": ({Scope.PRODUCER}, 401),
    "/evidence": ({Scope.JUDGE}, 403),
    "/pictures": ({Scope.PRODUCER, Scope.OFFICE}, 403),
}
"""What is fetched with what lets one in: by whom, and what the others are answered."""
ROLE_KEYS = ('"role"', '"shots"', '"checks"', '"nights"', '"hand"', '"legal"', '"evidence"')
SEES_ROLES = {Scope.JUDGE, Scope.AIR, Scope.PRODUCER, Scope.SPECTATOR}


def routes(service: Running) -> Iterable[tuple[str, str]]:
    """(method, path) of every route, read off the application itself."""
    for resource_ in service.app.router.resources():
        for route in resource_:
            path = route.resource.canonical if route.resource is not None else ""
            if route.method in ("*", "GET", "POST") and not path.startswith("/socket.io"):
                yield ("POST" if route.method == "POST" else "GET"), path


def credentials(service: Running) -> dict[str, dict[str, str]]:
    """Headers as each audience would send them, and wrong ones."""
    found: dict[str, dict[str, str]] = {
        "nobody": {},
        "wrong": {"Authorization": "Bearer air.wrong", "Cookie": f"{COOKIE}a.b"},
    }
    for scope in Scope:
        if scope in OPEN:
            continue
        own = token(service, scope)
        found[scope.value] = {"Cookie": own} if own.startswith(COOKIE) else {"Authorization": f"Bearer {own}"}
    return found


async def test_every_route_answers_each_audience_what_is_on_its_list_and_no_more(simulated: Running) -> None:
    async with Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.deals()
        known = set(routes(simulated))
        assert {path for method, path in known if method == "GET" and "{" not in path} == PUBLIC_GET | set(OWN)
        before = simulated.table.snapshot.revision
        own = credentials(simulated)
        secrets = {word.rpartition(".")[2] for row in own.values() for word in row.values()} - {"wrong", "b"}
        async with ClientSession() as session:
            for who, headers in own.items():
                for method, path in sorted(known):  # what ends a session comes last
                    asked = path.replace("{name:.+}", "x").replace("{name}", "x")
                    async with session.request(
                        method, f"{simulated.address}{asked}", headers=headers, json={} if method == "POST" else None
                    ) as answer:
                        text = await answer.text()
                        owners, shut = OWN.get(path, (set[Scope](), 0))
                        if who in owners:
                            assert answer.status != shut, (who, path)
                            assert answer.headers["Cache-Control"] == "no-store", (who, path)
                            continue
                        if owners:
                            assert answer.status == shut, (who, path)
                        elif method == "GET" and "{" in path:
                            assert answer.status == 404, (who, path)
                        elif method == "GET":
                            assert answer.status == 200, (who, path)
                        if path != "/assets/{name:.+}":
                            for key in ROLE_KEYS:
                                assert key not in text, (who, path)
                        for secret in secrets:
                            assert secret not in text, (who, path)
        assert simulated.table.snapshot.revision == before


async def test_every_event_is_answered_to_those_on_its_list_alone(simulated: Running) -> None:
    async with Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet:
        await Judge(tablet).deals()
        for scope in Scope:
            own = None if scope in OPEN else token(simulated, scope)
            async with Page(simulated.address, own, page=scope.value) as page:
                for event in {*EVENTS, *(name for allowed in ALLOWED.values() for name in allowed)}:
                    simulated.broadcast.screens.renew_allowances()
                    answer = await page.ask(event, {"id": f"{scope} {event}", "revision": 0, "do": "nothing", "t0": 1})
                    if event not in ALLOWED[scope]:
                        assert answer["refusal"]["code"] in ("no_right", "unknown_command"), (scope, event)
                text = "".join(page.frames)
                if scope not in SEES_ROLES:
                    for key in ROLE_KEYS:
                        assert key not in text, scope


def listed(heading: str) -> dict[str, frozenset[str]]:
    """The events of a table of the page of messages: which audiences have each."""
    _, _, rest = (HOUSE / "docs" / "messages.md").read_text(encoding="utf-8").partition(f"\n## {heading}")
    found: dict[str, frozenset[str]] = {}
    for line in rest.partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.replace("\\|", " ").strip("|").split("|")]
        if (event := re.fullmatch(r"`(\w+)`", cells[0])) is not None:
            who = re.findall(r"`(\w+)`", cells[-1])
            assert who or cells[-1].startswith("everyone"), line
            found[event[1]] = frozenset(who or (scope.value for scope in Scope))
    return found


def test_what_a_client_may_say_is_on_the_page_of_messages_by_audience() -> None:
    events = {event for allowed in ALLOWED.values() for event in allowed}
    told = listed("Client to server")
    assert told == {event: frozenset(scope.value for scope in Scope if event in ALLOWED[scope]) for event in events}


async def test_what_each_audience_is_told_is_on_the_page_of_messages(simulated: Running) -> None:
    told = listed("Server to client")
    heard: dict[str, set[str]] = {}
    async with Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet, AsyncExitStack() as stack:
        pages: list[tuple[Scope, Page]] = []
        for scope in Scope:
            own = None if scope in OPEN else token(simulated, scope)
            pages.append((scope, await stack.enter_async_context(Page(simulated.address, own, page=scope.value))))
        await Judge(tablet).deals()
        simulated.broadcast.picture(Pictures(program="", preview=""))
        await pages[[scope for scope, _ in pages].index(Scope.PRODUCER)][1].until(
            lambda: any('42["pictures"' in frame for _, page in pages for frame in page.frames)
        )
        for scope, page in pages:
            for frame in page.frames:
                if frame.startswith("42"):
                    heard.setdefault(json.loads(frame[2:])[0], set()).add(scope.value)
    assert {event: frozenset(scopes) for event, scopes in heard.items()} == told


@pytest.mark.parametrize("namespace", ["/judge", "/admin", "/air", "/", "/hall"])
async def test_no_other_namespace_is_there(service: Running, namespace: str) -> None:
    own = token(service, Scope.AIR)
    async with ClientSession() as session:
        address = f"{service.address}/socket.io/?EIO=4&transport=websocket"
        async with session.ws_connect(address) as socket:
            await socket.receive_str()
            await socket.send_str(f"40{namespace},{json.dumps({'token': own, 'page': 'air'})}")
            if namespace == "/":
                assert (await socket.receive_str()).startswith("40")
                return
            message = await socket.receive()
            assert message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING)


# --- frames without sense

WORDS = [
    "42", "40", "41", "43", "44", "45", "0", "1", "2", "3", "4", "5", "6", "[", "]", "{", "}", '"', ":", ",", "command",
    "clock", "t0", "null", "1e999", "-", "/", "\\u0000", "дон", "\ud7ff", "view", "_placeholder", "num", "token",
]  # fmt: skip


def nonsense(chance: Random) -> str:
    """A frame: noise, something cut short, or a message with something in it changed."""
    kind = chance.random()
    if kind < 0.3:
        return "".join(chance.choice(WORDS) for _ in range(chance.randint(0, 12)))
    body: list[Any] = [chance.choice(EVENTS), {key: value for key, value in FIELDS.items() if chance.random() < 0.3}]
    text = f"42{chance.choice(['', '1', '77', '9' * 15, '9' * 30])}{json.dumps(body, ensure_ascii=False)}"
    if kind < 0.7:
        place = chance.randint(0, len(text))
        return text[:place] + chance.choice(["", chance.choice(WORDS), text]) + text[place + chance.randint(0, 3) :]
    return text


async def storm(service: Running, frames: int, seed: int, others: Iterable[Page]) -> tuple[int, int]:
    """So many frames from the hall and from a spectator; (those that ended a connection, kilobytes of growth). What the
    `others` have heard meanwhile is dropped now and then: it is not the service's."""
    chance, ended, page, sent_to = Random(seed), 0, None, 0
    spectator = token(service, Scope.SPECTATOR)
    sizes: list[int] = []
    async with ClientSession() as session:
        for number in range(frames):
            if page is None or page.closed:
                page = await session.ws_connect(
                    f"{service.address}/socket.io/?EIO=4&transport=websocket",
                    timeout=ClientWSTimeout(ws_close=0.1),  # pyright: ignore[reportCallIssue]
                )
                await page.receive_str()
                own = chance.choice([None, None, spectator])
                await page.send_str("40" + json.dumps({"token": own, "page": "spectator" if own else "hall"}))
                ended += 1
                sent_to = 0
            try:
                await page.send_str(nonsense(chance))
            except ConnectionError:
                await page.close()
                continue
            sent_to += 1
            if sent_to % 20 == 19:
                service.broadcast.screens.renew_allowances()
            # After every one: what is sent to a connection that has been ended comes to nobody.
            try:
                message = await page.receive(0.001)
                if message.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING, WSMsgType.ERROR):
                    await page.close()
            except TimeoutError:
                pass
            if sent_to > 200:
                await page.close()
            if number % max(1, frames // 20) == 0:
                for other in others:
                    if other.views[-1]["audience"] == "hall":
                        hears_no_role(other)
                    other.frames.clear()
                    del other.views[:-1]
                gc.collect()
                sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        if page is not None:
            await page.close()
    # What the first half has made is there to stay: it is the second half that must not grow.
    return ended, sizes[-1] - sizes[len(sizes) // 2]


async def weather(
    service: Running, frames: int, seed: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> int:
    """A storm, and what must be the same after it as before; the growth in kilobytes."""
    came = 0

    def counted(frame: object) -> str | None:
        nonlocal came
        came += 1
        return admit(frame)

    monkeypatch.setattr(transport, "admit", counted)
    async with AsyncExitStack() as stack:
        tablet = await stack.enter_async_context(Page(service.address, token(service, Scope.JUDGE)))
        hall = await stack.enter_async_context(Page(service.address))
        judge = Judge(tablet)
        await judge.deals()
        before = service.table.snapshot.revision
        ended, grown = await storm(service, frames, seed, (tablet, hall))
        assert ended > frames // 400
        # Those that are too large to be read never get so far.
        print(f"{came} of {frames} frames came to the service")
        assert came > 0.8 * frames
        assert service.table.snapshot.revision == before
        hears_no_role(hall)
        assert not hall.closed.is_set()
        await judge.does("next")
    await comes_true(lambda: len(service.broadcast.screens) == 0 and len(service.spectators.crowd) == 0)
    assert [row.getMessage() for row in caplog.records if row.levelname in ("ERROR", "CRITICAL")] == []
    return grown


async def test_thousands_of_frames_without_sense_change_and_leak_nothing(
    service: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await weather(service, 3_000, 20261129, caplog, monkeypatch)


@pytest.mark.soak
@pytest.mark.timeout(7200)
async def test_a_million_frames_without_sense_grow_nothing(
    service: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the table says of its own decisions is not the service's memory.
    caplog.set_level("WARNING")
    grown = await weather(service, 1_000_000, 8, caplog, monkeypatch)
    print(f"1,000,000 frames: grown by {grown} KB in the second half")
    assert grown < 8_192
