"""`mafia-table relay` from its start to its end."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console

from controller.catalogue import sentence
from controller.service import collector
from controller.service.addresses import base
from controller.service.gate import Gate, allow_files, behind_the_gate
from controller.service.pages import built_pages, web_app
from controller.service.relay import Relay
from controller.service.running import (
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

_BESIDE: Final = 500
"""Connections beside those of spectators: pages being fetched."""


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
    allow_files()
    try:
        relay = Relay(settings.relays.redis, page_build=build.id, language=language, most=most)
    except ValueError as error:
        raise CannotStart(sentence("service.relay_address", language)) from error
    async with AsyncExitStack() as closing:
        listening = closing.enter_context(listen(web_settings.host, web_settings.port, language))
        tls = tls_of(settings)
        # Behind a balancer everybody has its address.
        gate = Gate(most=most + _BESIDE, of_one=None, requests=None)
        app = web_app(
            build,
            simulated=False,
            healthy=lambda: {**health(build.id), "fed": relay.fed, "spectators": len(relay.crowd)},
            picture=relay.picture,
            names=web_settings.names,
            pages=("watch",),
            gate=gate,
        )
        relay.attach(app)
        await keep(closing, relay.run(), "redis")
        await keep(closing, relay.show(), "spectators")
        runner = behind_the_gate(app)
        await runner.setup()
        closing.push_async_callback(runner.cleanup)
        closing.push_async_callback(relay.close)
        open_ = await gate.open(runner, listening, tls)
        closing.callback(open_.close)
        await keep(closing, gate.run(), "gate")
        closing.enter_context(collector.spared())
        host, bound = listening.getsockname()[:2]
        yield Relaying(relay, base(host, bound, secure=web_settings.secure))
