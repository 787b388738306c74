"""The service put together: table, cable, pages, sockets, and in a simulation the simulated table. It starts, it says
where it is to be found, and it ends in order within two seconds."""

import asyncio
import errno
import logging
import signal
import socket
import sqlite3
import ssl
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from aiohttp import web

from controller.catalogue import sentence
from controller.game import RULESETS
from controller.game.refusal import Refusal
from controller.service import collector
from controller.service.access import Access, Scope
from controller.service.addresses import base
from controller.service.around import Around, Takeover
from controller.service.audiences import starts_of
from controller.service.broadcast import Broadcast
from controller.service.certificate import is_out_of_date
from controller.service.delayed import Ring, refill
from controller.service.door import Door
from controller.service.evidence import add_evidence
from controller.service.gate import Gate, allow_files, behind_the_gate
from controller.service.own_rules import OwnRules, own_rules
from controller.service.pages import built_pages, web_app
from controller.service.producing import Desk
from controller.service.requests import Requests
from controller.service.roster import RosterFolder
from controller.service.series import Series
from controller.service.settings import APPLICATION, Settings
from controller.service.simulation import Simulation
from controller.service.sleeping import Sleep
from controller.service.sockets import Sockets
from controller.service.sounding import Sounding
from controller.service.spectators import Spectators
from controller.service.stream_deck import add_producer_routes
from controller.service.themes import Looks
from controller.service.upgrade import keep_before
from controller.service.upkeep import Upkeep
from controller.service.upload_door import UploadDoor
from controller.service.uploads import Uploads
from controller.service.wiring import Cables
from controller.sound.director import Director
from controller.table.book import Misfit
from controller.table.clock import SystemClock
from controller.table.codec import Unreadable
from controller.table.journal import NotWritten, is_full
from controller.table.journal_file import InUse, NewerVersion, NoFile
from controller.table.opening import WrongNumberOfNames
from controller.table.table import Table
from controller.table.terms import VARIANT, NoSuchRuleset, NoSuchTerms, under
from controller.table.wishes import Header
from controller.views.facts import Note
from controller.views.producer import Pictures
from controller.views.sounding import OFF, SoundReport
from controller.views.steps import refusal_sentence
from hardware.gpio_pins import PinFactory, pins_of_this_machine

if TYPE_CHECKING:
    from controller.service.feed import Feed

PAGES: Final = Path(__file__).resolve().parents[2] / "overlay" / "dist"
LOOKED_AT_EVERY_S: Final = 1.0
"""So often the registered devices and links are looked at."""

log = logging.getLogger(__name__)


class CannotStart(Exception):
    """The service cannot start; the text is one sentence for the person who tried."""


@dataclass(frozen=True, slots=True)
class Running:
    """A service that runs."""

    table: Table
    broadcast: Broadcast
    cables: Cables
    access: Access
    address: str
    """`http://host:port` as other machines open it, without a slash at the end."""
    simulation: Simulation | None
    takeover: Takeover
    spectators: Spectators
    app: web.Application
    call: Callable[[int | None], Refusal | None]
    """Shows the number that is called in the shooting; why not, where there is none now."""
    notes: Callable[[], tuple[Note, ...]]
    """What is amiss with devices, pictures and the look."""
    desk: Desk
    upkeep: Upkeep

    def link(self, scope: Scope) -> str:
        """The page of `scope` as a link that lets one in."""
        return self.address + self.access.path(scope)


def listen(host: str, port: int, language: str) -> socket.socket:
    """A socket that listens. Raises CannotStart with a sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        code = "port_busy" if error.errno == errno.EADDRINUSE else "port_refused"
        raise CannotStart(sentence(f"service.{code}", language, host=host, port=port)) from error


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    simulated: bool = False,
    pages: Path = PAGES,
    pins: Callable[[], PinFactory] = pins_of_this_machine,
    also: Callable[[web.Application], None] = lambda _: None,
) -> AsyncGenerator[Running]:
    """The service, from its start to its end. Raises CannotStart. `pins` are this machine's own; `also` adds what
    this service alone serves."""
    language = settings.speech.language
    allow_files()
    async with AsyncExitStack() as closing:
        # The port first: a second instance must not touch the journal of the first.
        listening = closing.enter_context(listen(settings.web.host, settings.web.port, language))
        tls = tls_of(settings)
        try:
            settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise CannotStart(sentence("service.data_unusable", language, folder=str(settings.data))) from error

        broadcast: Broadcast | None = None
        simulation: Simulation | None = None
        takeover = Takeover(settings.data / "a-person-plays" if simulated else None)
        if simulated:
            port = settings.data / "simulated-table"
            simulation = Simulation(port, lambda lamps: broadcast.light(lamps) if broadcast is not None else None)
            cables = Cables.to_one(lambda: [str(port)] if port.exists() else [])
        else:
            cables = Cables.of(settings, pins=pins)

        try:
            await asyncio.to_thread(keep_before, settings.data)
        except (sqlite3.Error, OSError) as wrong:
            # A journal that cannot be copied is still one that can be salvaged and played on.
            log.warning("the journal could not be kept as it was before this version: %s", wrong)
        own = own_rules(settings)
        table = await _open_table(settings, own, cables)
        upkeep, sleep = Upkeep(settings, table), Sleep(table)
        closing.push_async_callback(upkeep.close)  # after the table has ended: what it writes last is copied too
        closing.push_async_callback(table.close)
        try:
            access = Access(settings.data, simulated=simulated)
            start = starts_of(settings.data)
        except OSError as error:
            raise CannotStart(sentence("service.data_unusable", language, folder=str(settings.data))) from error

        loop = asyncio.get_running_loop()

        def sound_changed(_: SoundReport) -> None:
            if broadcast is not None:
                with suppress(RuntimeError):  # the service has ended meanwhile
                    loop.call_soon_threadsafe(broadcast.refresh)

        director: Director | None = None
        if settings.sound.on:
            director = Director(
                settings.sound,
                folder=settings.data / "sound",
                language=language,
                clock=time.monotonic_ns,
                changed=sound_changed,
                simulated=simulated,
            )
            # Its players start while the rest is made ready: in a night, music has to be back soon.
            director.start()
            closing.push_async_callback(asyncio.to_thread, director.close)
        build = built_pages(pages)
        dated = _dated(tls, settings)
        faulty = tuple(Note(f"setting.{row.code}", {"name": row.name, **row.params}) for row in settings.faults)
        if own.fault is not None:
            faulty = (*faulty, Note("service.variant_not_read", {"why": own.sentence(language)}))
        uploads = Uploads(settings.uploads)
        roster = RosterFolder(settings.roster, uploads.players)
        await asyncio.to_thread(roster.look)
        looks = Looks(settings.theme, lambda: uploads.marks)
        series = Series(settings.data, lambda: broadcast.refresh() if broadcast is not None else None)
        feed, unfed = _feed(settings, access, start, roster.picture)

        def notes() -> tuple[Note, ...]:
            relays = unfed if feed is None else feed.notes()
            own_house = (*roster.notes(), *looks.notes(), *upkeep.notes(), *sleep.notes())
            return (*cables.notes(), *own_house, *relays, *dated)

        around = Around(
            takeover,
            simulated=simulated,
            keys=simulation.keys if simulation is not None else (),
            notes=lambda: (*faulty, *notes()),
            roster=lambda: roster.roster,
            places=lambda: series.places,
            facts=settings.show.facts,
            sound=lambda: OFF if director is None else director.report,
            variant=own.text,
        )

        def show_pictures(pictures: Pictures) -> None:
            shown.picture(pictures)

        desk = Desk(
            settings,
            lambda: (table.snapshot, around.now(table.snapshot, {})),
            show_all=lambda: shown.refresh(),
            show_producer=lambda: shown.refresh_one(Scope.PRODUCER),
            show_pictures=show_pictures,
            watched=lambda: bool(shown.screens.of(Scope.PRODUCER)),
            own_delays=access.own_delays,
            delay_changed=lambda: delay_changed(),
        )
        around.producer = lambda: (desk.switches, desk.obs_line)
        ring = Ring()
        try:
            refill(ring, settings.data, time.monotonic_ns(), lambda snapshot: around.now(snapshot, {}))
        except (sqlite3.Error, Unreadable, Misfit) as error:
            # The table has opened this journal: spectators only begin with what happens from now on.
            log.warning("what was shown before cannot be told from the journal: %s", error)
        spectators = Spectators(
            ring, page_build=build.id, start=start, usual_delay=lambda: desk.delay.spectators, feed=feed
        )
        broadcast = Broadcast(
            lambda: table.snapshot,
            around.now,
            time.monotonic_ns,
            page_build=build.id,
            start=start,
            producer=desk.view,
            record=lambda view: spectators.record(view),
            look=lambda: looks.version,
        )
        shown = broadcast

        def look_changed() -> None:
            shown.dress()
            shown.refresh()  # what is wrong with its file is told

        def take_over(person: bool) -> None:
            takeover.give(person=person)
            shown.refresh()

        def call(seat: int | None) -> Refusal | None:
            refused = around.call(table.snapshot, seat)
            shown.refresh()
            return refused

        sounding = None if director is None else Sounding(director)
        requests = Requests(
            table,
            broadcast,
            hands=simulation,
            take_over=take_over if simulated else None,
            call=call,
            sound=None if sounding is None else sounding.do,
            desk=desk,
            variant=own.text,
        )
        web_settings = settings.web
        gate = Gate()
        app = web_app(
            build,
            simulated=simulated,
            healthy=lambda: health(build.id),
            looks=looks,
            picture=roster.picture,
            names=web_settings.names,
            gate=gate,
        )
        also(app)
        add_producer_routes(
            app,
            scope_of=access.scope_of,
            produce=requests.produce,
            state=lambda spoken: desk.view(table.snapshot, around.now(table.snapshot, {}), spoken),
            chapters=desk.chapters,
            language=language,
        )

        def let_go() -> None:
            """Whoever is not welcome any more goes, here and at the relays."""
            sockets.let_go()
            if feed is not None:
                feed.open(access.watched(), usual_delay=desk.delay.spectators)

        def delay_changed() -> None:
            spectators.usual_delay_changed()
            let_go()

        def access_changed() -> None:
            let_go()
            shown.refresh_one(Scope.PRODUCER)  # it shows the spectators' links

        door = Door(
            access,
            secure=web_settings.secure,
            changed=access_changed,
            usual_delay=lambda: desk.delay.spectators,
            open_curtain=lambda: spectators.open_curtain(table.snapshot),
        )
        door.add_to(app)
        add_evidence(app, settings.data, table, door)
        UploadDoor(
            door,
            uploads,
            seated=lambda: table.snapshot.names,
            coming=lambda: (name for game in roster.roster.games for name in game.players),
            photo=lambda name: roster.roster.photo(name),
            players_changed=roster.look,
            marks_changed=look_changed,
            language=language,
        ).add_to(app)
        sockets = Sockets(app, access, broadcast, requests, language, cookie=door.cookie, spectators=spectators)
        table.subscribe(around.hear)
        table.subscribe(series.hear)
        table.subscribe(lambda _snapshot, _cause: shown.refresh())
        table.subscribe(lambda snapshot, _cause: spectators.heard(snapshot))
        table.subscribe(desk.hear)
        table.subscribe(collector.BetweenGames(table.snapshot.game).hear)
        if director is not None and sounding is not None:
            table.subscribe(sounding.hear)
            sounding.begin(table.snapshot)
        cables.attach(table)

        if simulation is not None:
            await keep(closing, simulation.run(), "simulation")
        for name, work in cables.runs():
            await keep(closing, work, f"cable {name}")
        await keep(closing, roster.watch(shown.refresh), "roster")
        await keep(closing, looks.watch(look_changed), "look")
        await keep(closing, series.run(lambda: table.snapshot), "series")
        desk.start()
        closing.push_async_callback(desk.close)
        await keep(closing, desk.run(), "producer")
        await keep(closing, _watch(access, let_go, access_changed), "access")
        await upkeep.start(closing, broadcast, build.id)
        await keep(closing, upkeep.run(), "upkeep")
        await keep(closing, sleep.run(), "sleep")
        if feed is not None:
            # Before anything is put: with no link open relays would let go all who stayed through a restart.
            feed.open(access.watched(), usual_delay=desk.delay.spectators)
            await keep(closing, feed.run(shown.refresh), "relays")
        await keep(closing, spectators.run(), "spectators")
        runner = behind_the_gate(app)
        await runner.setup()
        closing.push_async_callback(runner.cleanup)
        closing.push_async_callback(sockets.close)
        door_ = await gate.open(runner, listening, tls)
        closing.callback(door_.close)
        await keep(closing, gate.run(), "gate")
        closing.enter_context(collector.spared())
        await keep(closing, upkeep.beat(), "heartbeat")
        await keep(closing, table.look_through(), "journal")
        host, bound = listening.getsockname()[:2]
        address = base(host, bound, secure=web_settings.secure)
        yield Running(
            table, broadcast, cables, access, address, simulation, takeover, spectators, app, call, notes, desk, upkeep
        )


def tls_of(settings: Settings) -> ssl.SSLContext | None:
    """What the pages are encrypted with; None where there is no certificate. Raises CannotStart with a sentence."""
    web_settings = settings.web
    if not web_settings.secure:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(web_settings.certificate, web_settings.key or None)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        language, files = settings.speech.language, (web_settings.certificate, web_settings.key)
        file = next((file for file in files if file and not Path(file).is_file()), files[0])
        raise CannotStart(sentence("service.no_certificate", language, file=file, why=why)) from error
    return context


def _dated(tls: ssl.SSLContext | None, settings: Settings) -> tuple[Note, ...]:
    """That browsers will refuse the certificate, as it is not of today."""
    file = settings.web.certificate
    with suppress(OSError):
        if tls is not None and is_out_of_date(tls, file):
            return (Note("service.certificate_dated", {"file": file}),)
    return ()


async def _open_table(settings: Settings, own: OwnRules, cables: Cables) -> Table:
    game = settings.game
    header = Header(event=game.event, stage=game.stage, table=game.table, judge=game.judge, ruleset=game.ruleset)
    header = replace(header, scoring="" if game.scoring == game.ruleset else game.scoring)
    if own.fault is not None:
        header = replace(header, ruleset="")  # good enough for a game that goes on: that has its own
    elif own.text:
        header = under(VARIANT, header, own.text)
    language, folder = settings.speech.language, str(settings.data)
    try:
        return await Table.open(
            settings.data,
            SystemClock(),
            heard_until=cables.heard_until,
            acknowledge=cables.acknowledge,
            header=header,
            names=game.names,
        )
    except InUse as error:
        raise CannotStart(sentence("service.data_locked", language, folder=folder)) from error
    except NewerVersion as error:
        raise CannotStart(sentence("service.journal_newer", language, folder=folder)) from error
    except NoFile as error:
        raise CannotStart(sentence("service.journal_no_file", language, folder=folder)) from error
    except (Misfit, Unreadable) as error:
        raise CannotStart(sentence("service.journal_strange", language, folder=folder, why=str(error))) from error
    except NoSuchRuleset as error:
        if own.fault is not None:
            raise CannotStart(own.sentence(language)) from error
        known = ", ".join(RULESETS)
        raise CannotStart(sentence("service.no_ruleset", language, word=game.ruleset, known=known)) from error
    except NoSuchTerms as error:
        wrong = error.refusal
        raise CannotStart(refusal_sentence(wrong, language, game.ruleset)) from error
    except WrongNumberOfNames as error:
        numbers = {"count": error.count, "fewest": error.fewest, "most": error.most}
        raise CannotStart(sentence("service.wrong_names", language, **numbers)) from error
    except (NotWritten, sqlite3.Error, OSError) as error:
        code = "data_full" if is_full(error) else "data_unusable"
        raise CannotStart(sentence(f"service.{code}", language, folder=folder)) from error


async def keep(closing: AsyncExitStack, work: Coroutine[None, None, None], name: str) -> None:
    """Runs `work` beside the service until that ends."""
    task = asyncio.create_task(work, name=name)

    async def end() -> None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    closing.push_async_callback(end)


def _feed(
    settings: Settings, access: Access, start: int, picture: Callable[[str], bytes | None]
) -> tuple["Feed | None", tuple[Note, ...]]:
    """The way to the relays, where the settings name one, and what is amiss with it."""
    if not settings.relays.redis:
        return None, ()
    # Its library takes a while to load.
    from controller.service.feed import Feed

    try:
        return Feed(settings.relays.redis, access.table, run=start, picture=picture), ()
    except ValueError:
        return None, (Note("service.relay_address", {}),)


async def _watch(access: Access, let_go: Callable[[], None], changed: Callable[[], None]) -> None:
    """Hears what `mafia-table devices` has changed, and which links have expired; the relays are told."""
    while True:
        await asyncio.sleep(LOOKED_AT_EVERY_S)
        try:
            if access.look():
                changed()
        except OSError as error:
            log.warning("who is registered cannot be read: %s", error)
        let_go()


def health(build: str) -> Mapping[str, object]:
    """What anybody may know of the service's health: that it answers, and with which pages."""
    return {"ok": True, "version": version(APPLICATION), "build": build}


async def until_told_to_stop() -> None:
    """Returns at Ctrl-C, or when the system ends the service."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        await stop.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
