"""`serve` and `demo` from their start to Ctrl-C: what is printed, and how it ends."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from rich.console import Console

from controller.catalogue import sentence
from controller.service import sample_final
from controller.service.access import Scope
from controller.service.demo import Autoplay
from controller.service.devices import say_invitation
from controller.service.running import Running, running, until_told_to_stop
from controller.service.settings import Game, Settings
from controller.views.facts import Note
from controller.views.readiness import link_of

_SHOWN: Final = (Scope.JUDGE, Scope.AIR, Scope.PRODUCER, Scope.HALL, Scope.BREAK, Scope.TABLE)

DEVICES_WITHIN_S: Final = 3.0
"""How long a device may take to answer before the terminal says that it is missing."""

log = logging.getLogger(__name__)


async def serve(settings: Settings, console: Console) -> None:
    """Runs the table until it is told to stop. Raises CannotStart."""
    async with running(settings) as service:
        said = _say_links(service, settings, console)
        looking = asyncio.create_task(_say_devices(service, settings, console, said), name="devices")
        try:
            await until_told_to_stop()
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking


async def demo(settings: Settings, console: Console, *, speed: float = 1.0) -> None:
    """Runs a simulated table on which a sample final plays itself. Raises CannotStart."""
    game = settings.game
    if not game.names:
        game = _sample_game(settings)
    async with running(replace(settings, game=game), simulated=True) as service:
        _say_links(service, settings, console)
        playing = asyncio.create_task(_play(service, speed), name="autoplay")
        try:
            await until_told_to_stop()
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing


def _sample_game(settings: Settings) -> Game:
    """What the demo plays where the settings name nobody."""
    return Game(
        ruleset=settings.game.ruleset,
        scoring=settings.game.scoring,
        variant=settings.game.variant,
        event=settings.game.event or sample_final.EVENT,
        stage=settings.game.stage or sample_final.STAGE,
        judge=settings.game.judge or sample_final.JUDGE,
        table=settings.game.table,
        names=sample_final.NAMES,
    )


async def _play(service: Running, speed: float) -> None:
    try:
        await Autoplay(service, speed).run()
    except Exception:
        # The table itself goes on: a person can still play.
        log.exception("the sample final has stopped")


async def _say_devices(service: Running, settings: Settings, console: Console, known: Sequence[Note]) -> None:
    """Says which devices and copies are amiss or have not answered, once they have had their time, and is not `known`
    to have been said. They may come later."""
    with suppress(TimeoutError):
        async with asyncio.timeout(DEVICES_WITHIN_S):
            while not (service.cables.up and service.upkeep.looked):  # noqa: ASYNC110 - a start is no place for a subscription
                await asyncio.sleep(0.1)
    language = settings.speech.language
    later = [note for note in service.notes() if note not in known]
    missing = [link_of(link, language).sentence for link in service.table.snapshot.links if not link.up]
    for told in (*(sentence(note.code, language, **note.params) for note in later), *missing):
        console.print(told, soft_wrap=True, markup=False, highlight=False)


def _say_links(service: Running, settings: Settings, console: Console) -> tuple[Note, ...]:
    """Says what is amiss and where the pages are; what was said to be amiss."""
    language = settings.speech.language

    def say(text: str) -> None:
        console.print(text, soft_wrap=True, markup=False, highlight=False)

    for fault in settings.faults:
        say(fault.sentence(language))
    notes = service.notes()
    for note in notes:
        say(sentence(note.code, language, **note.params))
    if (damage := service.table.snapshot.damage) is not None:
        counts = {"row": damage.row, "kept": damage.kept, "missing": damage.missing}
        say(sentence(f"readiness.journal_{damage.kind}", language, **counts))
    say(sentence("service.title", language))
    # What is written elsewhere than on a screen is a log, which others read; a simulated table has no secret.
    shown = console.is_terminal or service.simulation is not None
    for scope in _SHOWN:
        if scope is not Scope.TABLE or service.simulation is not None:
            say(f"  {service.link(scope) if shown else f'{service.address}/{scope}'}")
            say(f"      {sentence(f'service.{scope.value}', language)}")
    if not shown:
        say(sentence("devices.links_at_console", language))
    if service.simulation is None:
        _say_desk(service, language, say, shown=shown)
    say(sentence("service.stops", language))
    return notes


def _say_desk(service: Running, language: str, say: Callable[[str], None], *, shown: bool) -> None:
    """How the judge's tablet gets in. A PIN is said on a screen alone."""
    access = service.access
    registry = access.registry
    if registry.devices:
        return
    if not shown:
        say(sentence("devices.at_console", language))
        return
    if Scope.JUDGE.value not in registry.pins:
        say(sentence("devices.pin", language, pin=access.fresh_pin(Scope.JUDGE)))
    name = sentence("devices.first_tablet", language)
    say_invitation(access, Scope.JUDGE, name, service.address, say, language)
