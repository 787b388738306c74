"""`mafia-table devices`: who is registered at the table, and the links that let others in. It works while the table
runs, which notices within a second, and while it does not."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from io import StringIO
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Literal, Self

import msgspec
import segno
import typer
from rich.console import Console

from controller.catalogue import sentence
from controller.service.access import (
    CODE_DIGITS,
    CONFIRMED_BELOW_S,
    INVITED_FOR_S,
    LINKED,
    LONGEST_DELAY_S,
    Access,
    Scope,
    invitation_path,
    link_path,
)
from controller.service.addresses import base
from controller.service.pin import is_pin
from controller.service.producer_kept import delay_of, kept_in
from controller.service.registry import Link
from controller.service.settings import Settings, settings
from controller.small_files import no_room

NOT_DONE: Final = 1

Data = Annotated[Path | None, typer.Option(help="The table's data folder.")]
Config = Annotated[Path | None, typer.Option(help="Settings file (TOML).", exists=True, dir_okay=False)]
Host = Annotated[str | None, typer.Option(help="Address the table listens on, if not the one in the settings.")]
Port = Annotated[int | None, typer.Option(help="Port the table listens on.", min=1, max=65535)]
Desk = Annotated[Literal["judge", "office"], typer.Option("--for", help="judge's desk, or secretary and technician.")]

app = typer.Typer(help="Registered tablets, links, PINs: list, add, link, revoke, rotate, pin.", add_completion=False)


class _Table:
    """The registry of the table that was named, and the words for it."""

    def __init__(self, data: Path | None, config: Path | None, host: str | None, port: int | None) -> None:
        known = settings(config, data)
        web = known.web
        web = msgspec.structs.replace(web, host=host or web.host, port=port or web.port)
        self.settings: Settings = replace(known, web=web)
        self.language: str = known.speech.language
        self.console = Console()
        try:
            known.data.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.access = Access(known.data)
        except OSError as error:
            self.fail("service.data_unusable", folder=str(known.data))
            raise typer.Exit(NOT_DONE) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """What the disk did not take is said and not done."""
        if isinstance(error, OSError):
            self.fail("refusal.disk_full" if no_room(error) else "refusal.disk_failing")
            raise typer.Exit(NOT_DONE) from error

    @property
    def base(self) -> str:
        """Where the table's pages are."""
        return base(self.settings.web.host, self.settings.web.port, secure=self.settings.web.secure)

    def say(self, code: str, **params: str | int) -> None:
        """Prints a sentence."""
        self.print(sentence(code, self.language, **params))

    def print(self, text: str) -> None:
        """Prints `text` as it is."""
        self.console.print(text, soft_wrap=True, markup=False, highlight=False)

    def fail(self, code: str, **params: str | int) -> None:
        """Prints why it was not done."""
        said = sentence(code, self.language, **params)
        Console(stderr=True).print(said, soft_wrap=True, markup=False, highlight=False)

    def show(self, path: str) -> None:
        """Prints a link and its QR code."""
        say_address(self.base + path, self.print)

    def show_link(self, link: Link) -> None:
        """Prints `link`, what it is and its QR code."""
        self.say(
            "devices.link", id=link.id, what=sentence(f"service.{link.scope.value}", self.language), name=link.name
        )
        if link.scope is Scope.SPECTATOR:
            usual = delay_of(self.settings, kept_in(self.settings.data)).spectators
            code = "devices.later_usual" if link.delay is None else "devices.later"
            self.print("      " + sentence(code, self.language, seconds=link.delay_after(usual)))
        if link.expires is not None:
            self.say("devices.expires", until=f"{datetime.fromtimestamp(link.expires).astimezone():%Y-%m-%d %H:%M}")
        self.show(link_path(link, self.access.token(link)))


def say_address(address: str, say: Callable[[str], None], *, qr: bool = True) -> None:
    """Says an address, and its QR code for a terminal."""
    say(f"  {address}")
    if qr:
        out = StringIO()
        segno.make(address, error="l", micro=False).terminal(out, compact=True, border=2)
        say(out.getvalue())


def say_invitation(
    access: Access, scope: Scope, name: str, where: str, say: Callable[[str], None], language: str
) -> None:
    """Invites a device and says how it gets in."""
    secret, code = access.invite(scope, name)
    half = CODE_DIGITS // 2
    minutes = int(INVITED_FOR_S // 60)
    say(sentence("devices.invited", language, name=name, minutes=minutes))
    say_address(where + invitation_path(scope, secret), say)
    say(sentence("devices.code", language, code=f"{code[:half]} {code[half:]}", page=f"{where}/{scope}"))


@app.callback(invoke_without_command=True)
def overview(
    context: typer.Context, data: Data = None, config: Config = None, host: Host = None, port: Port = None
) -> None:
    """List registered devices and open links."""
    if context.invoked_subcommand is None:
        _list(_Table(data, config, host, port))


@app.command("list")
def list_(data: Data = None, config: Config = None, host: Host = None, port: Port = None) -> None:
    """List registered devices and open links."""
    _list(_Table(data, config, host, port))


def _list(table: _Table) -> None:
    registry = table.access.registry
    for scope in (Scope.JUDGE, Scope.OFFICE):
        there = "set" if scope.value in registry.pins else "not_set"
        table.say(f"devices.pin_{there}", desk=sentence(f"service.{scope.value}", table.language))
    if not registry.devices:
        table.say("devices.none")
    for device in registry.devices:
        since = datetime.fromtimestamp(device.registered).astimezone()
        what = sentence(f"service.{device.scope.value}", table.language)
        table.say("devices.device", id=device.id, name=device.name, what=what, since=f"{since:%Y-%m-%d %H:%M}")
        state = "knows" if device.known_until > time.time() else "asked"
        table.print("      " + sentence(f"devices.{state}", table.language))
    for link in table.access.open_links():
        table.say(
            "devices.link", id=link.id, what=sentence(f"service.{link.scope.value}", table.language), name=link.name
        )
        table.print(f"      {table.base}{link_path(link, table.access.token(link))}")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="What the tablet is called in the list.")] = "tablet",
    desk: Desk = "judge",
    data: Data = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
) -> None:
    """Register one more tablet: prints a link with its QR code, and a code to type, good for a quarter of an hour."""
    with _Table(data, config, host, port) as table:
        if desk not in table.access.registry.pins:
            table.fail("devices.pin_first", desk=desk)
            raise typer.Exit(NOT_DONE)
        say_invitation(table.access, Scope(desk), name[:40], table.base, table.print, table.language)


@app.command()
def link(
    scope: Annotated[str, typer.Argument(help=f"{', '.join(LINKED)}.")],
    name: Annotated[str, typer.Option(help="What the link is called in the list.")] = "",
    hours: Annotated[float | None, typer.Option(help="How long it is good; default: for ever.", min=0.01)] = None,
    delay: Annotated[
        int | None,
        typer.Option(help="Seconds that a spectator is later; default: the table's.", min=0, max=LONGEST_DELAY_S),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="A delay under two minutes is meant.")] = False,
    data: Data = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
) -> None:
    """Make one more link, and print it with its QR code."""
    with _Table(data, config, host, port) as table:
        if scope not in LINKED:
            table.fail("devices.no_such_scope", word=scope, scopes=", ".join(LINKED))
            raise typer.Exit(NOT_DONE)
        watched = scope == Scope.SPECTATOR
        if watched and delay is not None and delay < CONFIRMED_BELOW_S and not yes:
            table.fail("devices.delay_short", seconds=delay, least=CONFIRMED_BELOW_S)
            raise typer.Exit(NOT_DONE)
        made = table.access.add_link(Scope(scope), name[:40], hours=hours, delay=delay if watched else None)
        table.show_link(made)


@app.command()
def revoke(
    which: Annotated[str, typer.Argument(help="The device's or the link's id from the list.")],
    data: Data = None,
    config: Config = None,
) -> None:
    """End a device or a link; a page that it let in is closed within a second."""
    with _Table(data, config, None, None) as table:
        if not table.access.revoke(which):
            table.fail("refusal.no_such_link", id=which)
            raise typer.Exit(NOT_DONE)
        table.say("devices.revoked", id=which)


@app.command()
def rotate(
    which: Annotated[str, typer.Argument(help="The link's id from the list.")],
    data: Data = None,
    config: Config = None,
    host: Host = None,
    port: Port = None,
) -> None:
    """Give a link another key: what it opened with before opens nothing any more."""
    with _Table(data, config, host, port) as table:
        turned = table.access.rotate(which)
        if turned is None:
            table.fail("refusal.no_such_link", id=which)
            raise typer.Exit(NOT_DONE)
        table.show_link(turned)


@app.command()
def pin(
    desk: Desk = "judge",
    choose: Annotated[bool, typer.Option("--choose", help="Type a PIN instead of having one made.")] = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Set another PIN; every device of that desk is asked for it again."""
    with _Table(data, config, None, None) as table:
        if not choose:
            table.say("devices.pin", pin=table.access.fresh_pin(Scope(desk)))
            return
        typed = typer.prompt(sentence("devices.pin_ask", table.language), hide_input=True, confirmation_prompt=True)
        if not is_pin(typed):
            table.fail("devices.pin_odd")
            raise typer.Exit(NOT_DONE)
        table.access.set_pin(Scope(desk), typed)
        table.say("devices.pin_taken")
