"""A service that plays fixture envelopes to the built pages and writes down what they send. It knows no rules.

By hand: `python -m tests.overlay.fixture_server 8899`, open `/air?lang=ru`, fetch `/play/vote` to change the moment.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import socketio
from aiohttp import web

from controller.service.themes import DARK, Looks

OVERLAY = Path(__file__).parents[2] / "overlay"
DIST = OVERLAY / "dist"
FIXTURES = OVERLAY / "fixtures"
PAGES = ("judge", "air", "hall", "break", "result", "table")
TABLE_KEYS = [
    *(f"seat {n}" for n in range(1, 11)),
    *("next", "back", "timer", "vote", "foul", "nominate", "remove", "night sound", "undo"),
    *(f"board {n}" for n in range(1, 11)),
]


def moments() -> list[str]:
    """The names of every fixture, sorted."""
    return sorted(path.stem for path in FIXTURES.glob("*.json"))


def fixture(name: str) -> dict[str, Any]:
    """One moment: its view for every audience, with times in ms after "now"."""
    return json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))


def dated(view: dict[str, Any], now: float) -> dict[str, Any]:
    """The view with its relative times put on the server's clock."""
    view = json.loads(json.dumps(view))
    timer, vote = view.get("timer"), view.get("vote")
    if timer and timer["deadline"] is not None:
        timer["deadline"] += now
    if vote and vote["window"]:
        vote["window"] = {key: value + now for key, value in vote["window"].items()}
    if (view.get("stage") or {}).get("replay"):
        view["stage"]["replay"]["started_at"] += now
    return view


@dataclass
class FixtureServer:
    """`clock_skew` ms are added to the server's monotonic clock, so that no page can get by with its own."""

    clock_skew: float = 7_000_000.0
    build: str | None = None
    patience: int = 2
    """Seconds in which a page must say that it is there."""
    answer_commands: bool = True
    refusal: dict[str, Any] | None = None
    looks: Looks = field(default_factory=lambda: Looks(DARK))
    picture: Callable[[str], bytes | None] = lambda _: None
    """A player's picture by its name in an address."""
    commands: list[dict[str, Any]] = field(default_factory=list)
    signals: list[dict[str, Any]] = field(default_factory=list)
    takeovers: list[bool] = field(default_factory=list)
    hellos: list[dict[str, Any]] = field(default_factory=list)
    revision: int = 0
    port: int = 0

    def __post_init__(self) -> None:
        self.sio = socketio.AsyncServer(
            async_mode="aiohttp", cors_allowed_origins="*", ping_interval=2, ping_timeout=self.patience
        )
        self.views: dict[str, dict[str, Any]] = {}
        self.pages: dict[str, str] = {}
        self.runner: web.AppRunner | None = None
        self.change("speech")
        self._listen()

    def now(self) -> float:
        """The server's monotonic clock, ms."""
        return time.monotonic() * 1000 + self.clock_skew

    def own_build(self) -> str:
        return self.build or json.loads((DIST / "build.json").read_text())["build"]

    def change(self, name: str, **patch: Any) -> None:
        """Takes another moment without sending it; `patch` overwrites keys of every audience that has them."""
        now = self.now()
        self.revision += 1
        for page, view in fixture(name).items():
            self.views[page] = dated({**view, **{k: v for k, v in patch.items() if k in view}}, now)
        self.views["table"] = {
            "seats": [{k: s[k] for k in ("seat", "name", "in_play")} for s in self.views["hall"]["seats"]],
            "keys": TABLE_KEYS,
            "simulated": True,
            "person": True,
        }

    async def show(self, views: dict[str, dict[str, Any]]) -> None:
        """Tells every page that is connected these views, dated now."""
        now = self.now()
        self.views |= {page: dated(view, now) for page, view in views.items()}
        await self.send_all()

    async def play(self, name: str, **patch: Any) -> None:
        """Changes the moment and tells every page that is connected."""
        self.change(name, **patch)
        await self.send_all()

    async def send_all(self) -> None:
        """Tells every page that is connected what there is to see for it, under a revision of its own."""
        self.revision += 1
        for sid in list(self.pages):
            await self.send(sid)

    async def send(self, sid: str) -> None:
        page = self.pages.get(sid)  # it may have gone while others were told
        if page not in self.views:
            return
        envelope = {
            "audience": page,
            "revision": self.revision,
            "build": self.own_build(),
            "now": self.now(),
            "view": self.views[page],
        }
        await self.sio.emit("view", envelope, to=sid)

    async def lamps(self, lamps: dict[str, str]) -> None:
        await self.sio.emit("lamps", {"lamps": lamps})

    async def cut(self) -> None:
        """Breaks every link, as a pulled cable would; pages come back by themselves."""
        for sid in list(self.pages):
            await self.sio.disconnect(sid)

    def _listen(self) -> None:
        sio = self.sio

        @sio.event
        async def connect(sid: str, _environ: dict[str, Any], auth: dict[str, Any] | None) -> None:
            hello = auth or {}
            if hello.get("token") == "stranger":
                unknown = {"code": "not_registered", "sentence": "Этот планшет не зарегистрирован за столом."}
                raise socketio.exceptions.ConnectionRefusedError(unknown["sentence"], unknown)
            if hello.get("token") == "wrong":
                raise socketio.exceptions.ConnectionRefusedError("Эта ссылка больше не действует.")
            self.hellos.append(hello)
            self.pages[sid] = str(hello.get("page", "hall"))
            await self.send(sid)

        @sio.event
        async def disconnect(sid: str, *_: Any) -> None:
            self.pages.pop(sid, None)

        @sio.on("clock")
        async def clock(_sid: str, message: dict[str, Any]) -> dict[str, Any]:
            return {"t0": message["t0"], "now": self.now()}

        @sio.on("command")
        async def command(_sid: str, message: dict[str, Any]) -> dict[str, Any]:
            self.commands.append(message)
            if not self.answer_commands:
                await asyncio.sleep(3600)
            if self.refusal is not None:
                return {"ok": False, "refusal": self.refusal}
            return {"ok": True, "revision": self.revision}

        @sio.on("signal")
        async def signal(_sid: str, message: dict[str, Any]) -> dict[str, Any]:
            self.signals.append(message)
            return {"ok": True}

        @sio.on("takeover")
        async def takeover(sid: str, message: dict[str, Any]) -> dict[str, Any]:
            self.takeovers.append(message["person"])
            self.views["table"]["person"] = message["person"]
            await self.send(sid)
            return {"ok": True}

    def app(self) -> web.Application:
        app = web.Application()
        self.sio.attach(app)

        async def page(request: web.Request) -> web.FileResponse:
            name = request.match_info["page"]
            if name not in PAGES:
                raise web.HTTPNotFound
            return web.FileResponse(DIST / f"{name}.html", headers={"Cache-Control": "no-store"})

        async def play(request: web.Request) -> web.Response:
            await self.play(request.match_info["name"])
            return web.Response(text="ok")

        async def theme(request: web.Request) -> web.Response:
            found = self.looks.theme(request.match_info.get("name"))
            if found is None:
                raise web.HTTPNotFound
            return web.Response(body=msgspec.json.encode(found), content_type="application/json")

        async def theme_file(request: web.Request) -> web.Response:
            body, kind = self.looks.file(request.match_info["name"]) or (b"", "text/plain")
            return web.Response(body=body, content_type=kind)

        async def photo(request: web.Request) -> web.Response:
            body = self.picture(request.match_info["name"])
            if body is None:
                raise web.HTTPNotFound
            return web.Response(body=body, content_type="image/jpeg")

        app.router.add_get("/play/{name}", play)
        app.router.add_get("/theme.json", theme)
        app.router.add_get("/theme/{name}.json", theme)
        app.router.add_get("/theme/{name}", theme_file)
        app.router.add_get("/photos/{name}", photo)
        app.router.add_static("/assets", DIST / "assets")
        app.router.add_get("/{page}", page)
        return app

    async def start(self, port: int = 0) -> None:
        self.runner = web.AppRunner(self.app(), shutdown_timeout=0.2)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", port or self.port)
        await site.start()
        self.port = self.runner.addresses[0][1]

    async def stop(self) -> None:
        """Ends the service; `start` brings it back on the same port."""
        if self.runner is not None:
            await self.cut()
            await self.runner.cleanup()
            self.runner = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


async def serve(port: int) -> None:
    """Plays until interrupted."""
    server = FixtureServer()
    await server.start(port)
    print(f"{server.url}/air  /judge  /hall  /table; {server.url}/play/NAME with one of: {', '.join(moments())}")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8899))
