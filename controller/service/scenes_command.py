"""`mafia-table scenes`: what can be typed. Each command imports its rooms when it is run."""

from pathlib import Path
from typing import Annotated, Final

import typer

from controller.service.saying import known_language

FILE_NAME: Final = "mafia-table-scenes.json"

app = typer.Typer(help="OBS: scenes, links, chapters.", no_args_is_help=True)

Config = Annotated[Path | None, typer.Option(help="Settings file (TOML).", exists=True, dir_okay=False)]
Data = Annotated[Path | None, typer.Option(help="Folder of the journal and the links.")]
Language = Annotated[str | None, typer.Option("--lang", help="Language: ru, uk or en.", callback=known_language)]
From = Annotated[str | None, typer.Option("--address", help="Where OBS reaches the table, as http://table.local:8666.")]


@app.command()
def install(
    config: Config = None,
    data: Data = None,
    address: From = None,
    again: Annotated[bool, typer.Option("--again", help="Also what the producer has taken out.")] = False,
    lang: Language = None,
) -> None:
    """Make the scenes, sources and links in the running OBS. Done again it changes nothing."""
    from controller.service.scenes_work import run_install

    raise typer.Exit(run_install(config, data, lang, address=address, again=again))


@app.command()
def collection(
    out: Annotated[Path, typer.Option(help="The file to write.", dir_okay=False)] = Path(FILE_NAME),
    config: Config = None,
    data: Data = None,
    address: From = None,
    height: Annotated[int, typer.Option(help="Height of OBS's canvas, pixels; 16:9.", min=360, max=4320)] = 1080,
    lang: Language = None,
) -> None:
    """Write the same scenes as a file that OBS imports."""
    from controller.service.scenes_work import run_collection

    raise typer.Exit(run_collection(config, data, lang, out=out, address=address, height=height))


@app.command()
def check(config: Config = None, data: Data = None, lang: Language = None) -> None:
    """Say what is wrong with the cue sheet."""
    from controller.service.scenes_work import run_check

    raise typer.Exit(run_check(config, data, lang))


@app.command()
def chapters(config: Config = None, data: Data = None, lang: Language = None) -> None:
    """Print the chapters of the last recording, as a video page takes them."""
    from controller.service.scenes_work import run_chapters

    raise typer.Exit(run_chapters(config, data, lang))


@app.command()
def clips(config: Config = None, data: Data = None, lang: Language = None) -> None:
    """Print the replays that OBS has saved, with their times in the recording."""
    from controller.service.scenes_work import run_clips

    raise typer.Exit(run_clips(config, data, lang))
