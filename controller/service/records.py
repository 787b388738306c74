"""The secretary's commands: records, standings, the form, imports and exports. Each calls the room that does it, and
imports it when it is run."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from controller.catalogue import sentence
from controller.service.saying import known_language

REFUSED = 2

Language = Annotated[str, typer.Option("--lang", help="ru, uk or en.", callback=known_language)]
Record = Annotated[Path, typer.Argument(help="A game record (.mafia).")]
VariantFile = Annotated[Path | None, typer.Option(help="A tournament's own rules and points (TOML).")]
Seed = Annotated[str, typer.Option(help="What the lot is drawn with; it is printed, keep it.")]


def replay(
    file: Record,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a protocol.")] = False,
    variant: VariantFile = None,
    lang: Language = "ru",
) -> None:
    """Play a record through the engine and print what came of it."""
    from controller.record.replay import run_replay

    raise typer.Exit(run_replay(file, as_json, lang, variant))


def standings(
    files: Annotated[list[Path], typer.Argument(help="The tournament's records (.mafia).")],
    as_json: Annotated[bool, typer.Option("--json", help="A JSON list instead of a table.")] = False,
    explain: Annotated[str, typer.Option(help="Why this player stands where he stands.")] = "",
    stage: Annotated[str, typer.Option(help="Only the games of this stage.")] = "",
    teams: Annotated[Path | None, typer.Option(help="A CSV file, player and team: the teams' table.")] = None,
    seed: Seed = "",
    variant: VariantFile = None,
    lang: Language = "ru",
) -> None:
    """Print a tournament's table from its records."""
    from controller.record.tournament import run_standings

    raise typer.Exit(
        run_standings(
            files,
            as_json_too=as_json,
            language=lang,
            seed=seed,
            stage=stage,
            explain=explain,
            teams=teams,
            variant=variant,
        )
    )


def protocol(
    file: Annotated[Path | None, typer.Argument(help="A game record (.mafia); none: the blank form.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write; default: beside the record.")] = None,
    form: Annotated[str, typer.Option("--format", help="pdf, xlsx, html or json.")] = "pdf",
    event: Annotated[str, typer.Option(help="The tournament, for the blank form.")] = "",
    seats: Annotated[int, typer.Option(help="How many play, for the blank form.", min=8, max=20)] = 10,
    variant: VariantFile = None,
    lang: Language = "ru",
) -> None:
    """Write the official form of a game, or a blank one for the pen."""
    from controller.record.form.command import FORMATS, run_blank, run_protocol
    from controller.record.headers import Headers

    if form not in FORMATS:
        _refuse(sentence("service.no_such_format", lang, word=form, formats=", ".join(FORMATS)))
    if file is not None:
        raise typer.Exit(run_protocol(file, out, form, lang, variant))
    head = Headers(ruleset="fiim", scoring="fiim", event=event)
    raise typer.Exit(run_blank(head, (), seats, out or Path(f"protocol.{form}"), form, lang))


def import_games(
    file: Annotated[Path, typer.Argument(help="Games as mafiaratings or Polemica write them (JSON).")],
    folder: Annotated[Path, typer.Option(help="Where the records go.")] = Path(),
    lang: Language = "ru",
) -> None:
    """Turn another program's games into records, with a report of what it does not say."""
    from controller.record.exchange.command import run_import

    raise typer.Exit(run_import(file, folder, lang))


def export(
    file: Annotated[Path | None, typer.Argument(help="A record to write as mafiaratings JSON.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write.")] = None,
    player: Annotated[str, typer.Option(help="Only the games that name this player.")] = "",
    data: Annotated[Path | None, typer.Option(help="The table's data folder.")] = None,
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).", exists=True, dir_okay=False)] = None,
    lang: Language = "ru",
) -> None:
    """Write the live table's games as records; or, given a record, that game as mafiaratings writes it."""
    if file is not None:
        from controller.record.exchange.command import run_export

        raise typer.Exit(run_export(file, out or file.with_suffix(".json"), lang))
    from controller.service.settings import settings

    raise typer.Exit(_export_journal(settings(config, data).data, out or Path(), lang, player))


def erase(
    name: Annotated[str, typer.Argument(help="The name as it stands in the games.")],
    out: Annotated[Path, typer.Option(help="Folder for the games, with another name in them.", file_okay=False)],
    instead: Annotated[str, typer.Option("--as", help="What stands in the records in its place.")] = "—",
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    data: Annotated[Path | None, typer.Option(help="The table's data folder.")] = None,
    config: Annotated[Path | None, typer.Option(help="Settings file (TOML).", exists=True, dir_okay=False)] = None,
    lang: Language = "ru",
) -> None:
    """Erase somebody: the games are kept as records with another name, the journal is deleted. There is no way back."""
    from controller.service.erasing import CannotErase
    from controller.service.erasing import erase as erased
    from controller.service.settings import settings

    known = settings(config, data)
    if not yes and not typer.confirm(sentence("erase.sure", lang, name=name, folder=str(known.data), out=str(out))):
        raise typer.Exit(REFUSED)
    try:
        done = erased(known, name, instead, out)
    except CannotErase as cannot:
        sys.stderr.write(sentence(cannot.code, lang, **cannot.params) + "\n")
        raise typer.Exit(REFUSED) from None
    sys.stdout.write(sentence("erase.done", lang, files=len(done.deleted), records=len(done.records)) + "\n")
    for path in (*done.records, *done.deleted):
        sys.stdout.write(f"  {'+' if path in done.records else '-'} {path}\n")
    for path in done.by_hand:
        sys.stdout.write(sentence("erase.by_hand", lang, file=str(path), name=name) + "\n")
    for folder in done.away:
        sys.stdout.write(sentence("erase.away", lang, folder=str(folder)) + "\n")


def _export_journal(data: Path, folder: Path, language: str, player: str = "") -> int:
    """Writes a record for each dealt game of the journal into `folder`, or for each that names `player`, and returns
    the exit status."""
    from controller.record.replay import cannot_write
    from controller.record.writer import CannotWrite
    from controller.service.erasing import named_in
    from controller.table.archive import NoJournal, filed_games

    try:
        games = filed_games(data)
        texts = {
            f"game-{place}.mafia": game.record
            for place, game in enumerate(games, 1)
            if game.dealt and (not player or named_in(game, player))
        }
    except NoJournal:
        sys.stderr.write(sentence("service.no_journal", language, folder=str(data)) + "\n")
        return REFUSED
    except CannotWrite as wrong:
        sys.stderr.write(sentence("service.cannot_export", language, why=str(wrong)) + "\n")
        return REFUSED
    if not texts:
        sys.stderr.write(sentence("service.no_games", language, folder=str(data)) + "\n")
        return REFUSED
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
            sys.stdout.write(f"{folder / name}\n")
    except OSError as error:
        sys.stderr.write(cannot_write(Path(error.filename or folder), error, language) + "\n")
        return REFUSED
    return 0


def draw(
    players: Annotated[Path, typer.Argument(help="Players (CSV or XLSX).")],
    out: Annotated[Path | None, typer.Option(help="Where to write; default: printed.")] = None,
    seed: Seed = "",
    lang: Language = "ru",
) -> None:
    """Draw the seats of one game."""
    from controller.record.exchange.command import run_draw

    raise typer.Exit(run_draw(players, out, seed, lang))


def schedule(
    players: Annotated[Path, typer.Argument(help="Players (CSV or XLSX), ten or more.")],
    games: Annotated[int, typer.Option(help="How many games each table plays.", min=1)],
    out: Annotated[Path, typer.Option(help="Where to write (CSV or XLSX).")],
    tables: Annotated[int, typer.Option(help="How many tables.", min=1)] = 1,
    seed: Seed = "",
    lang: Language = "ru",
) -> None:
    """Make a schedule in which everybody meets every seat and every opponent as evenly as can be."""
    from controller.record.exchange.command import run_schedule

    raise typer.Exit(run_schedule(players, out, games, tables, seed, lang))


def rules() -> None:
    """Print the page on the rules, drawn from the tables that the code runs on."""
    from controller.record.rules_page import rules_page

    sys.stdout.write(rules_page())


def _refuse(line: str) -> None:
    sys.stderr.write(line + "\n")
    raise typer.Exit(REFUSED)


def add_to(app: typer.Typer) -> None:
    """Put these commands on the command line."""
    for command in (replay, standings, protocol, export, erase, draw, schedule, rules):
        app.command()(command)
    app.command("import")(import_games)
