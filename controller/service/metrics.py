"""Figures for whoever watches the table from another machine, in the text form that Prometheus reads. They have a port
of their own, on this machine alone unless the settings say otherwise, and another machine is asked for a key."""

import os
import resource
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from hmac import compare_digest
from pathlib import Path
from typing import Final, Literal

from aiohttp import web

from controller.service.addresses import is_ours
from controller.service.answers import dress, plainly
from controller.service.broadcast import Broadcast
from controller.service.registry import Scope
from controller.small_files import write_whole
from controller.table.copying import CopyState
from controller.table.state import Disk
from controller.table.table import Table

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"
KEY: Final = "metrics.key"
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure. `labels` are label -> value."""

    name: str
    kind: Literal["counter", "gauge"]
    help: str
    value: float
    labels: tuple[tuple[str, str], ...] = ()


def text_of(figures: Iterable[Figure]) -> str:
    """The figures as Prometheus reads them: each family together, with its help and its kind before it."""
    lines: list[str] = []
    told: set[str] = set()
    for figure in figures:
        name = f"mafia_table_{figure.name}"
        if name not in told:
            told.add(name)
            lines += [f"# HELP {name} {figure.help}", f"# TYPE {name} {figure.kind}"]
        labels = ",".join(f'{label}="{_escaped(value)}"' for label, value in figure.labels)
        lines.append(f"{name}{{{labels}}} {figure.value:g}" if labels else f"{name} {figure.value:g}")
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def figures_of(
    table: Table, broadcast: Broadcast, copies: Sequence[CopyState], build: str, began: float
) -> list[Figure]:
    """All figures of a running table. No figure is a card, a shot or a check, but decisions and writes are counted at
    night too: they are for whoever may know that something was decided then."""
    snapshot, disk = table.snapshot, table.disk_figures
    usage = resource.getrusage(resource.RUSAGE_SELF)
    found = [
        Figure("up_seconds", "gauge", "Seconds since the service began.", time.monotonic() - began),
        Figure("info", "gauge", "The build of the pages.", 1, (("build", build),)),
        Figure("decisions_total", "counter", "Rows of the journal.", snapshot.revision),
        Figure("commits_total", "counter", "Writes to the disk since the start.", disk.commits),
        Figure("commit_failures_total", "counter", "Writes that the disk did not take.", disk.failures),
        Figure("commit_slowest_seconds", "gauge", "The longest write since the start.", disk.slowest_ns / 1e9),
        Figure("unsaved_rows", "gauge", "Decided and not on disk.", snapshot.unsaved.rows),
    ]
    found += [
        Figure("disk", "gauge", "How the disk does.", snapshot.disk is state, (("state", state.value),))
        for state in Disk
    ]
    found += [
        Figure("link_up", "gauge", "Whether a device is heard.", link.up, (("link", link.name),))
        for link in snapshot.links
    ]
    found += [
        Figure("copy_ok", "gauge", "Whether a copy is up to date.", copy.code == "ok", (("number", str(number)),))
        for number, copy in enumerate(copies, 1)
    ]
    found += [
        Figure("screens", "gauge", "Screens that are connected.", len(broadcast.screens.of(scope)), (("scope", scope),))
        for scope in Scope
    ]
    found += [
        Figure("cpu_seconds_total", "counter", "Processor time.", usage.ru_utime + usage.ru_stime),
        Figure("memory_bytes", "gauge", "Memory that is held.", memory_bytes()),
        Figure("written_bytes_total", "counter", "Bytes that went to the disk.", written_bytes()),
    ]
    return found


def memory_bytes() -> int:
    """Memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def written_bytes() -> int:
    """Bytes that this process has caused to be written to disks; 0 where the kernel does not count."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("write_bytes:")), 0)


def metrics_key(data: Path) -> str:
    """The key that other machines need, made once and kept in `data`. Raises OSError."""
    path = data / KEY
    if path.exists() and len(key := path.read_text().strip()) >= 24:
        return key
    key = secrets.token_urlsafe(24)
    write_whole(path, f"{key}\n".encode(), mode=0o600)
    return key


def metrics_app(figures: Callable[[], list[Figure]], key: str, names: Sequence[str] = ()) -> web.Application:
    """The application: one page. From another machine it asks for `Authorization: Bearer KEY`; `names` are those by
    which this one may be called, see `addresses.is_ours`."""

    async def show(request: web.Request) -> web.StreamResponse:
        if request.remote not in _LOOPBACK:
            said = request.headers.get("Authorization", "")
            if not compare_digest(said.encode(errors="replace"), f"Bearer {key}".encode()):
                return web.Response(status=401, text="Bearer", headers={"WWW-Authenticate": "Bearer"})
        return web.Response(body=text_of(figures()).encode(), headers={"Content-Type": KIND})

    @web.middleware
    async def guard(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        # A page of somebody's name that points to this machine would ask from this machine's own browser.
        if not is_ours(request.host, names):
            return plainly(421)
        return await handler(request)

    app = web.Application(middlewares=[guard])
    app.on_response_prepare.append(dress)
    app.router.add_get("/metrics", show)
    return app
