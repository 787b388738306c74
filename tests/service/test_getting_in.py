"""Who gets in as what, and what can be asked of the service over HTTP."""

import asyncio
import json
import socket
from pathlib import Path

import pytest
import socketio
from aiohttp import ClientSession

from controller.service.access import Access, Scope
from controller.service.running import CannotStart, Running, running
from controller.service.settings import Settings, Web
from tests.service.judge import token
from tests.service.page import Page

AUDIENCE = {Scope.JUDGE: "judge", Scope.AIR: "air", Scope.HALL: "hall"}


async def test_the_token_alone_decides_the_scope(service: Running) -> None:
    for scope, audience in AUDIENCE.items():
        own = None if scope is Scope.HALL else token(service, scope)
        async with Page(service.address, own) as page:
            assert page.views[0]["audience"] == audience
            assert page.views[0]["build"] == "a build"


@pytest.mark.parametrize("wrong", ["", "wrong", "судья", "a" * 5000])
async def test_a_wrong_token_is_refused_with_a_sentence(service: Running, wrong: str) -> None:
    for language, words in (("ru", "Ссылка не подходит"), ("en", "link"), ("uk", "Посилання")):
        async with Page(service.address, wrong, language=language) as page:
            assert page.refused is not None
            assert words in page.refused["message"]
            assert page.refused["data"]["code"] == "wrong_token"
            assert page.refused["data"]["sentence"] == page.refused["message"]
            assert page.views == []


@pytest.mark.parametrize("auth", [[], "judge", 4, {"token": 5}, {"token": ["a"]}, {"token": {"judge": 1}}])
async def test_an_odd_handshake_is_no_judge(service: Running, auth: object) -> None:
    try:
        async with Page(service.address, auth=auth) as page:
            assert page.views == []
    except (TimeoutError, TypeError):
        pytest.fail("the client was left waiting")


async def test_the_page_between_games_is_open_and_knows_nothing_of_the_game_that_runs(service: Running) -> None:
    async with Page(service.address, auth={"page": "break", "language": "uk"}) as page:
        assert page.views[0]["audience"] == "break"
        assert page.view.keys() == {"header", "standings", "next"}
        assert not (await page.ask("command", {"id": "1", "revision": 1, "do": "next"}))["ok"]


async def test_without_any_handshake_a_client_is_the_hall(service: Running) -> None:
    for auth in (None, {}, {"page": "hall", "language": "xx"}):
        async with Page(service.address, auth=auth) as page:
            assert page.views[0]["audience"] == "hall"


def test_links_outlive_a_restart_and_belong_to_their_owner_alone(tmp_path: Path) -> None:
    scopes = (Scope.JUDGE, Scope.AIR, Scope.TABLE)
    first, again = Access(tmp_path, simulated=True), Access(tmp_path, simulated=True)
    assert [first[scope] for scope in scopes] == [again[scope] for scope in scopes]
    assert len({first[scope] for scope in scopes}) == len(scopes)
    assert (tmp_path / "access.json").stat().st_mode & 0o077 == 0
    assert first[Scope.AIR] not in (tmp_path / "access.json").read_text()


def test_a_damaged_registry_is_laid_aside_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = Access(tmp_path)[Scope.AIR]
    (tmp_path / "access.json").write_text('{"key": "short", "links": 5')
    after = Access(tmp_path)
    assert after.holder_of(before) is None
    assert after[Scope.AIR] != before
    assert "registered anew" in caplog.text
    assert (tmp_path / "access.json.damaged").exists()


async def test_another_site_may_not_talk_to_the_table(service: Running) -> None:
    with pytest.raises(Exception, match="400"):
        async with Page(service.address, token(service, Scope.JUDGE), origin="http://elsewhere.example"):
            pass
    async with Page(service.address, token(service, Scope.JUDGE), origin=service.address) as page:
        assert page.views


async def test_nothing_but_pages_assets_and_health_is_served(simulated: Running) -> None:
    async with ClientSession() as session:
        for path, status in {
            "/": 200,
            "/judge": 200,
            "/air": 200,
            "/hall": 200,
            "/table": 200,
            "/assets/hall-abc.js": 200,
            "/health": 200,
            "/assets/": 404,
            "/assets/../../secret.txt": 404,
            "/assets/%2e%2e/%2e%2e/secret.txt": 404,
            "/assets/..%2f..%2fsecret.txt": 404,
            "/assets/%252e%252e%252fsecret.txt": 404,
            "/..%2fsecret.txt": 404,
            "/build.json": 404,
            "/links.json": 404,
            "/judge/": 404,
            "/state": 404,
            "/api/state": 404,
        }.items():
            async with session.get(f"{simulated.address}{path}", allow_redirects=False) as answer:
                assert answer.status == status, path
                body = await answer.text()
                assert "nobody may read" not in body
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
        async with session.get(f"{simulated.address}/health") as answer:
            assert set(await answer.json()) == {"ok", "version", "build"}
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            async with session.request(method, f"{simulated.address}/judge", data="x" * 100_000) as answer:
                assert answer.status == 405


async def test_the_simulated_table_has_a_page_in_simulation_alone(service: Running) -> None:
    async with ClientSession() as session, session.get(f"{service.address}/table") as answer:
        assert answer.status == 404


async def test_long_polling_and_other_namespaces_are_closed(service: Running) -> None:
    async with ClientSession() as session:
        async with session.get(f"{service.address}/socket.io/?EIO=4&transport=polling") as answer:
            assert answer.status == 400
        async with session.ws_connect(f"{service.address}/socket.io/?EIO=4&transport=websocket") as ws:
            await ws.receive_str()
            await ws.send_str("40/admin,{}")
            message = await ws.receive()
            assert message.type.name in ("CLOSE", "CLOSED", "CLOSING")


async def test_a_second_instance_says_one_sentence(chosen: Settings, pages: Path) -> None:
    async with running(chosen, pages=pages) as first:
        port = int(first.address.rpartition(":")[2])
        taken = Settings(data=chosen.data.with_name("other"), web=Web(port=port), game=chosen.game)
        with pytest.raises(CannotStart, match=f"Порт {port} занят"):
            async with running(taken, pages=pages):
                pass
        with pytest.raises(CannotStart, match=r"папка .* занята"):
            async with running(chosen, pages=pages):
                pass
        async with Page(first.address) as page:
            assert page.views


async def test_the_port_is_free_again_at_once(chosen: Settings, pages: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(3):
        fixed = Settings(data=chosen.data, web=Web(port=port), game=chosen.game)
        async with running(fixed, pages=pages) as service, Page(service.address) as page:
            assert page.views


async def test_python_socketio_gets_in_as_a_browser_does(service: Running) -> None:
    client, came = socketio.AsyncClient(reconnection=False), asyncio.Event()
    views: list[dict[str, object]] = []
    client.on("view", lambda envelope: (views.append(envelope), came.set()))
    await client.connect(
        service.address,
        auth={"token": token(service, Scope.AIR), "page": "air", "language": "uk"},
        transports=["websocket"],
        wait_timeout=15,
    )
    await asyncio.wait_for(came.wait(), 15)
    assert views[0]["audience"] == "air"
    answer = await client.call("clock", {"t0": 12.5}, timeout=15)
    assert answer["t0"] == 12.5
    refused = await client.call("command", {"id": "1", "revision": 0, "do": "next"}, timeout=15)
    assert refused["refusal"]["code"] == "no_right"
    await client.disconnect()


async def test_cyrillic_is_sent_as_it_is(service: Running) -> None:
    async with Page(service.address) as page:
        frame = next(frame for frame in page.frames if frame.startswith("42"))
        assert "Велосипедостроитель" in frame
        assert json.loads(frame[2:])[1]["view"]["seats"][9]["name"] == "Велосипедостроитель"
