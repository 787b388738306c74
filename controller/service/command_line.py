"""The `mafia-table` command: it reads what was typed and calls the rooms; no decision of play is made here."""

import typer

app = typer.Typer(help="The live table for sport mafia.", no_args_is_help=True)


@app.callback()
def entrance() -> None:
    """The live table for sport mafia."""


def main() -> None:
    """Run the command line and exit with its code."""
    app()
