"""The `mafia-table` command: it reads what was typed and calls the rooms; no decision of play is made here.

A command imports its rooms when it is run: the web server, the devices and the spreadsheets together take longer to
load than a hundred games to be replayed.
"""

import gc
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from controller.service import caring, devices, records, scenes_command
from controller.service.saying import known_language, say

if TYPE_CHECKING:
    from controller.service.settings import Settings
    from controller.service.sound_command import SoundTrial

COULD_NOT_START: Final = 2
DEMO_FOLDER: Final = "demo"

_T = TypeVar("_T")

app = typer.Typer(help="The live table for sport mafia.", no_args_is_help=True, add_completion=False)

Data = Annotated[Path | None, typer.Option(help="Folder of the journal and the links.")]
Config = Annotated[Path | None, typer.Option(help="Settings file (TOML).", exists=True, dir_okay=False)]
Host = Annotated[str | None, typer.Option(help="Address to listen on; 0.0.0.0 lets the local network in.")]
Port = Annotated[int | None, typer.Option(help="Port to listen on.", min=0, max=65535)]
Speech = Annotated[
    str | None, typer.Option("--lang", help="Language of the sentences: ru, uk or en.", callback=known_language)
]
VariantFile = Annotated[
    Path | None, typer.Option("--variant", help="The tournament's own rules and points (TOML), for a new game.")
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens.")]


@app.callback()
def entrance() -> None:
    """The live table for sport mafia."""


@app.command()
def serve(
    data: Data = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
    variant: VariantFile = None,
    lang: Speech = None,
    verbose: Verbose = False,
) -> None:
    """Run the table."""
    gc.disable()  # until the table is ready: loading the rooms makes nothing that could be collected
    from rich.console import Console

    from controller.service import serving

    _log(verbose=verbose)
    _run(serving.serve(_settings(config, data, host, port, lang, variant), Console()))


@app.command()
def demo(
    data: Data = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
    speed: Annotated[float, typer.Option(help="How many times as fast.", min=0.1, max=200)] = 1.0,
    variant: VariantFile = None,
    lang: Speech = None,
    verbose: Verbose = False,
) -> None:
    """Run a simulated table on which a sample final plays itself."""
    gc.disable()  # until the table is ready: loading the rooms makes nothing that could be collected
    from rich.console import Console

    from controller.service import serving

    _log(verbose=verbose)
    known = _settings(config, data, host, port, lang, variant)
    if data is None:
        # Never beside the journal of a real table.
        known = replace(known, data=known.data / DEMO_FOLDER)
    _run(serving.demo(known, Console(), speed=speed))


@app.command()
def relay(
    redis: Annotated[
        str | None,
        typer.Option(
            help="The tables' Redis: redis://user:password@host:6379.", envvar="MAFIA_TABLE_REDIS", show_envvar=True
        ),
    ] = None,
    most: Annotated[int, typer.Option(help="So many spectators are let in.", min=1)] = 3000,
    name: Annotated[
        list[str] | None, typer.Option(help="A name by which browsers call it, as a balancer's; may be repeated.")
    ] = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
    lang: Speech = None,
    verbose: Verbose = False,
) -> None:
    """Show tables to more spectators than they can serve themselves (docs/relays.md)."""
    import msgspec
    from rich.console import Console

    from controller.service import relaying

    _log(verbose=verbose)
    known = _settings(config, None, host, port, lang)
    if redis is not None:
        known = replace(known, relays=msgspec.structs.replace(known.relays, redis=redis))
    if name:
        known = replace(known, web=msgspec.structs.replace(known.web, names=(*known.web.names, *name)))
    _run(relaying.relay(known, Console(), most=most))


@app.command()
def practice(
    seed: Annotated[int | None, typer.Option(help="The same number is the same table; none: any.", min=0)] = None,
    ruleset: Annotated[str, typer.Option(help="fiim, wma, ukraine or city.")] = "fiim",
    seats: Annotated[int, typer.Option(help="How many sit at the table; city: 8 to 20.")] = 10,
    config: Config = None,
    host: Host = None,
    port: Port = None,
    lang: Speech = None,
    verbose: Verbose = False,
) -> None:
    """Run a game for practice: players who make mistakes, and a review of what was noticed."""
    import secrets

    from rich.console import Console

    from controller.service import practice as practising

    _log(verbose=verbose)
    known = _settings(config, None, host, port, lang)
    if ruleset not in practising.RULESETS:
        typer.echo(practising.not_practised(ruleset, known.speech.language), err=True)
        raise typer.Exit(COULD_NOT_START)
    if not practising.seats_fit(ruleset, seats):
        typer.echo(practising.not_so_many(ruleset, known.speech.language), err=True)
        raise typer.Exit(COULD_NOT_START)
    table = secrets.randbelow(10_000) if seed is None else seed
    _run(practising.practice(known, Console(), seed=table, ruleset=ruleset, seats=seats))


@app.command()
def doctor(
    data: Data = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
    lang: Speech = None,
    walk: Annotated[bool, typer.Option("--walk", help="Walk around the table: every hand, key and lamp.")] = False,
    simulated: Annotated[bool, typer.Option("--simulated", help="Walk around the simulated table.")] = False,
) -> None:
    """Say whether a table can be opened here, and where each setting came from."""
    from rich.console import Console

    from controller.service import walk as walking
    from controller.service.doctor import findings

    known = _settings(config, data, host, port, lang)
    if walk or simulated:
        raise typer.Exit(0 if _run(walking.walk(known, Console(), simulated=simulated)) else 1)
    console, found = Console(), findings(known)
    for finding in found:
        console.print(f"{'+' if finding.ok else '!'} {finding.sentence}", soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(0 if all(finding.ok for finding in found) else 1)


@app.command()
def firmware(
    port: Annotated[str | None, typer.Option(help="The one serial port to ask; without it every USB port.")] = None,
    wiring: Annotated[
        str | None, typer.Option(help="A wiring of the table's own (pico_matrix if none is named), or a file (.toml).")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Lay the device's files there, ready to be copied.")] = None,
    lang: records.Language = "ru",
) -> None:
    """Say which files belong on a microcontroller, and what is on those that are plugged in."""
    from controller.service.firmware import run_firmware
    from controller.service.settings import DEFAULT_WIRING

    raise typer.Exit(run_firmware(port, lang, wiring=wiring or DEFAULT_WIRING, folder=folder))


@app.command()
def evidence(
    file: Annotated[
        Path | None, typer.Argument(help="A game record (.mafia) with hands; without it, the live table's journal.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for the drawings.", file_okay=False)] = Path("evidence"),
    ballot: Annotated[int | None, typer.Option(help="Only this ballot of the game.", min=1)] = None,
    game: Annotated[int | None, typer.Option(help="The journal's game of this number; without it the last.")] = None,
    lang: records.Language = "ru",
    data: Data = None,
    config: Config = None,
) -> None:
    """Draw every vote window of a record or of the live table, hand by hand, for a protest."""
    if file is not None:
        from controller.record.evidence import run_evidence

        raise typer.Exit(run_evidence(file, out, lang, ballot))
    from controller.service.evidence import run_live_evidence
    from controller.service.settings import settings

    raise typer.Exit(run_live_evidence(settings(config, data).data, out, lang, ballot=ballot, game=game))


sound = typer.Typer(help="Try the sound: cards, a tone, a night; add and remove music.", no_args_is_help=True)
app.add_typer(sound, name="sound")
Folder = Annotated[Path, typer.Argument(help="A folder of music files.")]


def _sound(config: Path | None, data: Path | None, lang: str | None) -> "SoundTrial":
    from controller.service.sound_command import SoundTrial

    return SoundTrial(_settings(config, data, None, None, lang))


@sound.command("cards")
def sound_cards(data: Data = None, config: Config = None, lang: Speech = None) -> None:
    """List the sound cards; > is the one that is played on, - those that the settings do not name."""
    raise typer.Exit(_sound(config, data, lang).cards())


@sound.command("tone")
def sound_tone(data: Data = None, config: Config = None, lang: Speech = None) -> None:
    """Play the test tone and say what was measured."""
    raise typer.Exit(_sound(config, data, lang).tone())


@sound.command("night")
def sound_night(data: Data = None, config: Config = None, lang: Speech = None) -> None:
    """Play a night in twenty seconds."""
    raise typer.Exit(_sound(config, data, lang).night())


@sound.command("add")
def sound_add(folder: Folder, data: Data = None, config: Config = None, lang: Speech = None) -> None:
    """Add the music of a folder; every file is measured (EBU R 128) and none is changed."""
    raise typer.Exit(_sound(config, data, lang).add(folder))


@sound.command("remove")
def sound_remove(folder: Folder, data: Data = None, config: Config = None, lang: Speech = None) -> None:
    """Take a folder of music away again."""
    raise typer.Exit(_sound(config, data, lang).remove(folder))


def _settings(
    config: Path | None,
    data: Path | None,
    host: str | None,
    port: int | None,
    language: str | None,
    variant: Path | None = None,
) -> "Settings":
    import msgspec

    from controller.service.settings import settings

    known = settings(config, data)
    web = known.web
    if host is not None:
        web = msgspec.structs.replace(web, host=host)
    if port is not None:
        web = msgspec.structs.replace(web, port=port)
    speech = msgspec.convert({"language": language}, type=type(known.speech)) if language else known.speech
    game = known.game
    if variant is not None:
        game = msgspec.structs.replace(game, variant=str(variant.absolute()))
    said = {
        "web.host": (host, "--host"),
        "web.port": (port, "--port"),
        "speech.language": (language, "--lang"),
        "game.variant": (variant, "--variant"),
    }
    sources = {**known.sources, **{name: option for name, (value, option) in said.items() if value is not None}}
    return replace(known, web=web, speech=speech, game=game, sources=sources)


def _log(*, verbose: bool) -> None:
    import os

    from controller.service.log import log_to_screen

    log_to_screen(verbose=verbose, structured=os.environ.get("MAFIA_TABLE_LOG") == "json")


def _run(work: Coroutine[None, None, _T]) -> _T:
    """Runs a table. What it writes, the cards and everybody's names, is for its owner alone, whoever made the folder
    that it is written to."""
    import asyncio
    import os

    from rich.console import Console

    from controller.service.running import CannotStart

    os.umask(0o077)
    try:
        return asyncio.run(work)
    except CannotStart as sentence:
        Console(stderr=True).print(str(sentence), soft_wrap=True, markup=False, highlight=False)
        raise typer.Exit(COULD_NOT_START) from None


records.add_to(app)
caring.add_to(app)
app.add_typer(devices.app, name="devices")
app.add_typer(scenes_command.app, name="scenes")


def main() -> None:
    """Run the command line and exit with its code."""
    say(app)
