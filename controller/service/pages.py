"""The HTTP side: the pages, their assets, the look, players' pictures, a health line, and nothing else.

Every built file is read once at start, and every file is looked up by its exact name, so no path can lead out of the
folder.
"""

import asyncio
import hashlib
import json
import mimetypes
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from controller.service.addresses import is_ours
from controller.service.answers import dress, plainly
from controller.service.gate import GATE, REQUEST_WITHIN_S, Gate
from controller.service.themes import DARK, Looks

PAGES: Final = ("hall", "judge", "office", "devices", "air", "watch", "producer", "break", "result", "table")
LARGEST_BODY: Final = 4096
NAMES: Final = web.AppKey("names", Sequence[str])
_NOT_BUILT: Final = (
    b"<!doctype html><meta charset=utf-8><title>mafia-table</title><p>The pages are not built yet. Run: make run</p>"
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Asset:
    """One built file as it is served."""

    body: bytes
    kind: str
    tag: str


@dataclass(frozen=True, slots=True)
class Build:
    """The built pages."""

    id: str
    """The build's own name from `build.json`; empty where there is none, and then no page reloads itself."""
    pages: Mapping[str, Asset]
    assets: Mapping[str, Asset]


def built_pages(folder: Path) -> Build:
    """Reads what the bundler has put into `folder`; pages that are not there say how to build them."""
    pages: dict[str, Asset] = {}
    for page in PAGES:
        file = folder / f"{page}.html"
        body = file.read_bytes() if file.is_file() else _NOT_BUILT
        pages[page] = Asset(body, "text/html", _tag(body))
    assets: dict[str, Asset] = {}
    for file in sorted((folder / "assets").rglob("*")):
        if file.is_file() and not file.is_symlink():
            body = file.read_bytes()
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            kind = "text/javascript" if file.suffix == ".js" else "font/woff2" if file.suffix == ".woff2" else kind
            kind = "application/manifest+json" if file.suffix == ".webmanifest" else kind
            assets[file.relative_to(folder).as_posix()] = Asset(body, kind, _tag(body))
    return Build(_build_id(folder / "build.json"), pages, assets)


def _build_id(note: Path) -> str:
    try:
        return str(json.loads(note.read_text())["build"])[:64]
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _tag(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:24]


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turns away who may not ask; an error is a status and its name, never a page of the framework's."""
    gate = request.app.get(GATE)
    try:
        if gate is not None and not gate.may_ask(request.remote or ""):
            raise web.HTTPTooManyRequests
        if not is_ours(request.host, request.app[NAMES]):
            raise web.HTTPMisdirectedRequest
        if _becomes_a_socket(request):
            return await handler(request)
        async with asyncio.timeout(REQUEST_WITHIN_S):
            return await handler(request)
    except TimeoutError:
        response = plainly(408)
        response.force_close()
    except (web.RequestPayloadError, ConnectionError):
        # A body that is not what its headers say, or nobody is there any more.
        response = plainly(400)
        response.force_close()
    except web.HTTPException as error:
        response = web.Response(status=error.status, text=error.reason)
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
    return response


def _becomes_a_socket(request: web.Request) -> bool:
    """Whether `request` asks for what stays open. Anybody can write the word into a header: a body beside it is
    awaited no longer than any other."""
    return request.method == "GET" and request.headers.get("Upgrade", "").lower() == "websocket"


def web_app(
    build: Build,
    *,
    simulated: bool,
    healthy: Callable[[], Mapping[str, object]],
    looks: Looks | None = None,
    picture: Callable[[str], bytes | None] = lambda _: None,
    names: Sequence[str] = (),
    pages: Sequence[str] = PAGES,
    gate: Gate | None = None,
) -> web.Application:
    """The application with its few routes. The simulated table's page exists in simulation alone; `picture` gives a
    player's picture by its name in an address; `names` are those by which the service may be called, see
    `addresses.is_ours`; the first of `pages` is also what is shown without a name."""
    looks = looks or Looks(DARK)
    app = web.Application(middlewares=[_guard], client_max_size=LARGEST_BODY)
    app.on_response_prepare.append(dress)
    app[NAMES] = names
    if gate is not None:
        app[GATE] = gate

    def page(name: str) -> Handler:
        async def show(request: web.Request) -> web.StreamResponse:
            return _answer(request, build.pages[name], "no-cache")

        return show

    async def asset(request: web.Request) -> web.StreamResponse:
        found = build.assets.get(f"assets/{request.match_info['name']}")
        if found is None:
            raise web.HTTPNotFound
        # The bundler puts a digest into every asset's name; an address never changes its content.
        return _answer(request, found, "public, max-age=31536000, immutable")

    async def health(_: web.Request) -> web.StreamResponse:
        return web.json_response(healthy(), dumps=lambda value: json.dumps(value, ensure_ascii=False))

    async def photo(request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        body = picture(name)
        if body is None:
            raise web.HTTPNotFound
        return _answer(request, Asset(body, "image/jpeg", name), "private, max-age=31536000, immutable")

    async def theme(request: web.Request) -> web.StreamResponse:
        found = looks.theme(request.match_info.get("name"))
        if found is None:
            raise web.HTTPNotFound
        body = msgspec.json.encode(found)
        return _answer(request, Asset(body, "application/json", _tag(body)), "no-cache")

    async def theme_file(request: web.Request) -> web.StreamResponse:
        found = looks.file(request.match_info["name"])
        if found is None:
            raise web.HTTPNotFound
        return _answer(request, Asset(found[0], found[1], _tag(found[0])), "public, max-age=31536000, immutable")

    app.router.add_get("/", page(pages[0]))
    for name in pages:
        if name != "table" or simulated:
            app.router.add_get(f"/{name}", page(name))
    app.router.add_get("/assets/{name:.+}", asset)
    app.router.add_get("/photos/{name}", photo)
    app.router.add_get("/theme.json", theme)
    app.router.add_get("/theme/{name}.json", theme)
    app.router.add_get("/theme/{name}", theme_file)
    app.router.add_get("/health", health)
    return app


def _answer(request: web.Request, asset: Asset, cache: str) -> web.StreamResponse:
    if request.headers.get("If-None-Match") == f'"{asset.tag}"':
        response = web.Response(status=304)
    else:
        response = web.Response(body=asset.body, content_type=asset.kind)
        if asset.kind.startswith("text/"):
            response.charset = "utf-8"
    response.headers["ETag"] = f'"{asset.tag}"'
    response.headers["Cache-Control"] = cache
    return response
