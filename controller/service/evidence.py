"""The evidence of the live table's vote windows: as files for a protest, and over HTTP for the judge's tablet alone."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Final

from aiohttp import web

from controller.catalogue import LANGUAGES, sentence
from controller.record.evidence import NO_WINDOWS, Evidence, as_json, file_name, svg, title, write_windows
from controller.record.replay import REFUSED
from controller.service.access import Scope
from controller.service.door import Door
from controller.table.archive import NoJournal, filed_games, record_head
from controller.table.book import Book
from controller.table.kept import drawn, kept_windows
from controller.table.table import Table

_SVG: Final = "image/svg+xml"


def run_live_evidence(
    folder: Path, out: Path, language: str, *, ballot: int | None = None, game: int | None = None
) -> int:
    """`mafia-table evidence` without a record: draws the windows of the journal in `folder` - of its last game, or the
    last with the number `game` - into `out` and names the files.

    Returns the exit status: 1 where there is no window, 2 where there is no such game or `out` is not writable.
    """
    try:
        book, windows = kept_windows(folder, _named(folder, game))
    except NoJournal:
        sys.stderr.write(sentence("evidence.no_journal", language, folder=str(folder)) + "\n")
        return REFUSED
    chosen = [window for window in drawn(book, windows) if ballot in (None, window.ballot)]
    if not chosen:
        sys.stderr.write(sentence("evidence.no_windows", language, file=str(folder)) + "\n")
        return NO_WINDOWS
    try:
        written = write_windows(chosen, book.names, out, language, _title(book, chosen[0], language))
    except OSError as error:
        why = error.strerror or str(error)
        sys.stderr.write(sentence("evidence.unwritable", language, folder=str(out), why=why) + "\n")
        return REFUSED
    for file in written:
        sys.stdout.write(f"{file}\n")
    return 0


def _named(folder: Path, number: int | None) -> str | None:
    """The journal's own name of the last game with this number. Raises NoJournal."""
    if number is None:
        return None
    found = [filed.book.game for filed in filed_games(folder) if filed.book.header.game == number]
    return found[-1] if found else ""


def add_evidence(app: web.Application, folder: Path, table: Table, door: Door) -> None:
    """Adds the routes: `/evidence`, every window of the game on the table as JSON, and `/evidence/NUMBER.svg`.

    The `door` says whether it is a judge who asks. Nobody else learns what there is.
    """

    def read() -> tuple[Book, tuple[Evidence, ...]]:
        book, windows = kept_windows(folder, table.snapshot.game)
        return book, drawn(book, windows)

    async def windows_of(request: web.Request) -> tuple[Book, tuple[Evidence, ...]]:
        if door.holder(request, Scope.JUDGE) is None:
            raise web.HTTPForbidden
        try:
            # The journal is read beside the writer, in a thread: the table waits for nobody.
            return await asyncio.to_thread(read)
        except NoJournal as none:
            raise web.HTTPNotFound from none

    async def every(request: web.Request) -> web.StreamResponse:
        _, windows = await windows_of(request)
        text = json.dumps([as_json(window) for window in windows], ensure_ascii=False)
        return web.json_response(text=text, headers={"Cache-Control": "no-store"})

    async def one(request: web.Request) -> web.StreamResponse:
        book, windows = await windows_of(request)
        number = int(request.match_info["number"])
        window = next((each for each in windows if each.number == number), None)
        if window is None:
            raise web.HTTPNotFound
        asked = request.query.get("lang", "")
        language = asked if asked in LANGUAGES else LANGUAGES[0]
        response = web.Response(
            text=svg(window, book.names, language, _title(book, window, language)), content_type=_SVG
        )
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Disposition"] = f'attachment; filename="{file_name(window)}"'
        return response

    app.router.add_get("/evidence", every)
    app.router.add_get("/evidence/{number:[0-9]{1,6}}.svg", one)


def _title(book: Book, window: Evidence, language: str) -> str:
    return title(record_head(book.header, book.names, book.state, window.wall[:10]), language)
