"""What keeps a table going through a day: copies in a second place, figures for whoever watches, the log, the beat that
systemd waits for."""

import asyncio
import errno
import logging
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from aiohttp import web

from controller.game.refusal import Refusal
from controller.service import log as logs
from controller.service import metrics
from controller.service.broadcast import Broadcast
from controller.service.heartbeat import Heartbeat
from controller.service.settings import Settings
from controller.table.book import Row
from controller.table.copying import Copy
from controller.table.journal_file import EdgeRow
from controller.table.state import Cause, Snapshot, What
from controller.table.table import Table
from controller.views.facts import Note

LOOKS_EVERY_S: Final = 5.0

log = logging.getLogger(__name__)


class Upkeep:
    """The upkeep of one running table."""

    def __init__(self, settings: Settings, table: Table) -> None:
        self._settings = settings
        self._table = table
        self._unserved: tuple[Note, ...] = ()
        """Why the figures are not to be seen."""
        self.copies = [Copy(settings.place(folder), settings.data) for folder in settings.copies.folders]
        self.metrics_address: str | None = None
        """Where the figures are, once they are."""

    async def start(self, closing: AsyncExitStack, broadcast: Broadcast, build: str) -> None:
        """Begin; what was begun is ended with `closing`, but for the copies: those end after the table."""
        self._keep_log(closing)
        self._table.follow(self._follow)
        for copy in self.copies:
            copy.on_change = broadcast.refresh
            copy.look()
        closing.callback(self._table.subscribe(self._hear))
        if self._settings.metrics.port is not None:
            await self._serve_figures(closing, broadcast, build)

    async def close(self) -> None:
        """Give the copies back, once the table has written its last."""
        for copy in self.copies:
            copy.on_change = lambda: None
            await copy.close()

    def _follow(self, row: Row | None, edges: Sequence[EdgeRow]) -> None:
        for copy in self.copies:
            copy.follow(row, edges)

    async def run(self) -> None:
        """Look after the copies until cancelled."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            for copy in self.copies:
                copy.look()

    async def beat(self) -> None:
        """Tell systemd that the service lives, until cancelled."""
        await Heartbeat().run()

    def notes(self) -> tuple[Note, ...]:
        """What the judge and the technician should know of it."""
        found: list[Note] = []
        for copy in self.copies:
            if copy.state.code not in ("", "ok"):
                found.append(Note(f"readiness.copy_{copy.state.code}", {"folder": copy.state.folder}))
            if copy.state.more:
                found.append(Note("readiness.copy_more", {"folder": copy.state.folder, "count": copy.state.more}))
        return (*found, *self._unserved)

    @property
    def looked(self) -> bool:
        """Whether it is known of every copy how it does."""
        return all(copy.state.code for copy in self.copies)

    def _hear(self, snapshot: Snapshot, cause: Cause) -> None:
        """Notes what was decided or refused: its kind and its id, and nothing of what it says."""
        if cause.what not in (What.DECISION, What.REFUSED):
            return
        refused = cause.refusal.code if isinstance(cause.refusal, Refusal) and not cause.refusal.secret else None
        log.info(
            "%s",
            cause.what.value,
            extra={
                "game": snapshot.game,
                "command": cause.id or None,
                "kind": None if cause.command is None else type(cause.command).__name__,
                "outcome": refused or ("refused" if cause.what is What.REFUSED else "done"),
                "revision": snapshot.revision,
                "origin": cause.origin,
            },
        )

    def _keep_log(self, closing: AsyncExitStack) -> None:
        try:
            handler = logs.log_to_folder(self._settings.data)
        except OSError:
            log.exception("no log can be kept in the data folder")
        else:
            closing.callback(logs.end, handler)

    async def _serve_figures(self, closing: AsyncExitStack, broadcast: Broadcast, build: str) -> None:
        own, began = self._settings.metrics, time.monotonic()

        def figures() -> list[metrics.Figure]:
            states = [copy.state for copy in self.copies]
            return metrics.figures_of(self._table, broadcast, states, build, began)

        key = metrics.metrics_key(self._settings.data)
        app = metrics.metrics_app(figures, key, self._settings.web.names)
        runner = web.AppRunner(app, access_log=None, logger=logs.web_log(), shutdown_timeout=0.2)
        await runner.setup()
        closing.push_async_callback(runner.cleanup)
        try:
            site = web.TCPSite(runner, own.host, own.port)
            await site.start()
        except OSError as wrong:
            # The table goes on: nobody plays for the figures' sake.
            code = "taken" if wrong.errno == errno.EADDRINUSE else "refused"
            self._unserved = (Note(f"readiness.metrics_{code}", {"port": own.port or 0, "host": own.host}),)
            return
        host, port = runner.addresses[0][:2]
        self.metrics_address = f"http://{host}:{port}/metrics"
