"""`mafia-table relay` from its start to its end."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiohttp import web
from rich.console import Console

from controller.catalogue import sentence
from controller.service.addresses import base
from controller.service.pages import built_pages, web_app
from controller.service.relay import Relay
from controller.service.running import (
    CLOSES_WITHIN_S,
    PAGES,
    CannotStart,
    health,
    keep,
    listen,
    tls_of,
    until_told_to_stop,
)
from controller.service.settings import Settings

USUAL_MOST: Final = 3000
"""So many spectators are let in by one relay, unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Relaying:
    """A relay that runs."""

    relay: Relay
    address: str
    """`http://host:port`, without a slash at the end."""


async def relay(settings: Settings, console: Console, *, most: int) -> None:
    """Runs a relay until it is told to stop. Raises CannotStart."""
    async with relaying(settings, most=most) as running:
        told = sentence("service.relay", settings.speech.language, address=running.address)
        console.print(told, soft_wrap=True, markup=False, highlight=False)
        await until_told_to_stop()


@asynccontextmanager
async def relaying(settings: Settings, *, most: int = USUAL_MOST, pages: Path = PAGES) -> AsyncGenerator[Relaying]:
    """The relay, from its start to its end. It starts whether Redis is there or not. Raises CannotStart."""
    language, web_settings = settings.speech.language, settings.web
    build = built_pages(pages)
    try:
        relay = Relay(settings.relays.redis, page_build=build.id, language=language, most=most)
    except ValueError as error:
        raise CannotStart(sentence("service.relay_address", language)) from error
    async with AsyncExitStack() as closing:
        listening = closing.enter_context(listen(web_settings.host, web_settings.port, language))
        tls = tls_of(settings)
        app = web_app(
            build,
            simulated=False,
            healthy=lambda: {**health(build.id), "fed": relay.fed, "spectators": len(relay.crowd)},
            picture=relay.picture,
            names=web_settings.names,
            pages=("watch",),
        )
        relay.attach(app)
        await keep(closing, relay.run(), "redis")
        await keep(closing, relay.show(), "spectators")
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSES_WITHIN_S, keepalive_timeout=15)
        await runner.setup()
        closing.push_async_callback(runner.cleanup)
        closing.push_async_callback(relay.close)
        await web.SockSite(runner, listening, ssl_context=tls).start()
        host, bound = listening.getsockname()[:2]
        yield Relaying(relay, base(host, bound, secure=web_settings.secure))
