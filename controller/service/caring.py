"""The commands for whoever looks after the table's computer: restore, report, position, install, uninstall."""

import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from controller.catalogue import sentence
from controller.service.saying import known_language

Data = Annotated[Path | None, typer.Option(help="Folder of the journal and the links.")]
Config = Annotated[Path | None, typer.Option(help="Settings file (TOML).", exists=True, dir_okay=False)]
Lang = Annotated[
    str | None, typer.Option("--lang", help="Language of the sentences: ru, uk or en.", callback=known_language)
]
Root = Annotated[Path, typer.Option(help="Write below this folder and start nothing (for an image of a card).")]
PositionFile = Annotated[
    Path | None,
    typer.Option(help="File to write: .pdf for the printer, else text; without it the text is printed here."),
]
FAILED = 2


def restore(copy: Annotated[Path, typer.Argument(help="Folder of a copy.")], data: Data = None, config: Config = None,
            lang: Lang = None) -> None:  # fmt: skip
    """Put a copy in the place of this table's games; what was there is kept beside them."""
    from dataclasses import replace

    from controller.service.restoring import restored
    from controller.service.running import CannotStart
    from controller.service.settings import settings

    known = settings(config, data)
    if lang:
        known = replace(known, speech=type(known.speech)(language=lang))  # pyright: ignore[reportArgumentType]
    try:
        for line in restored(known, str(copy.absolute())):
            typer.echo(line)
    except CannotStart as why:
        typer.echo(str(why), err=True)
        raise typer.Exit(FAILED) from None


def report(
    out: Annotated[Path, typer.Option(help="File to write.")] = Path("mafia-table-report.zip"),
    data: Data = None,
    config: Config = None,
    lang: Lang = None,
) -> None:
    """Gather what somebody far away needs to help: no name, no card, no vote, no key is in it."""
    from controller.service.report import bundle
    from controller.service.settings import settings

    known = settings(config, data)
    language = lang or known.speech.language
    try:
        names = bundle(known, out)
    except OSError as why:
        typer.echo(sentence("restore.report_failed", language, file=str(out), why=str(why)), err=True)
        raise typer.Exit(FAILED) from None
    typer.echo(sentence("restore.report", language, file=str(out), parts=", ".join(names)))


def position(
    data: Data = None,
    config: Config = None,
    out: PositionFile = None,
    lang: Lang = None,
) -> None:
    """Where the game stands, with the cards: for the judge alone, to go on with pen and paper."""
    from controller.service.position import filed_position, position_text
    from controller.service.settings import settings
    from controller.table.archive import NoJournal

    known = settings(config, data)
    language = lang or known.speech.language
    page = ""
    try:
        if out is not None and out.suffix.lower() == ".pdf":
            from controller.service.protocol import filed_position_pdf

            out.write_bytes(filed_position_pdf(known.data, language))
        else:
            page = position_text(filed_position(known.data, language))
            if out is not None:
                out.write_text(page, encoding="utf-8")
    except NoJournal:
        typer.echo(sentence("position.none", language, folder=str(known.data)), err=True)
        raise typer.Exit(FAILED) from None
    except OSError as why:
        typer.echo(sentence("restore.report_failed", language, file=str(out), why=str(why)), err=True)
        raise typer.Exit(FAILED) from None
    typer.echo(page if out is None else sentence("position.written", language, file=str(out)))


def install(root: Root = Path("/"), lang: Lang = None) -> None:
    """Make this machine a table from the moment it has power: service, watchdog, device rules, stick, log."""
    from controller.service import installing

    try:
        _install(root, lang or "ru")
    except installing.OutOfReach as program:
        typer.echo(sentence("restore.out_of_reach", lang or "ru", program=str(program)), err=True)
        raise typer.Exit(FAILED) from None


def _install(root: Path, language: str) -> None:
    from controller.service import installing

    _told(lambda: installing.install(root, installing.this_program()), language, "installed")


def uninstall(
    root: Root = Path("/"),
    games: Annotated[bool, typer.Option("--games", help="Settings and all games too; there is no way back.")] = False,
    lang: Lang = None,
) -> None:
    """Take away what `install` wrote; games and settings stay."""
    from controller.service import installing

    _told(lambda: installing.uninstall(root, data=games), lang or "ru", "uninstalled")


def _told(work: Callable[[], list[Path]], language: str, code: str) -> None:
    try:
        paths = work()
    except (OSError, subprocess.CalledProcessError, sqlite3.Error) as why:
        typer.echo(sentence("restore.install_failed", language, why=str(why)), err=True)
        raise typer.Exit(FAILED) from None
    for path in paths:
        typer.echo(f"  {path}")
    typer.echo(sentence(f"restore.{code}", language, count=len(paths)))


def add_to(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    for command in (restore, report, position, install, uninstall):
        app.command()(command)
