"""Pictures put in from the producer's page or the secretary's: what there is, one more, one fewer. A picture is the
whole body of its request; whose it is stands in a header, as no name stands in an address.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import unquote

import msgspec
from aiohttp import web
from msgspec import Meta, Struct

from controller.game.refusal import Refusal, Refused
from controller.service.access import Scope
from controller.service.door import Door, from_here, json_answer
from controller.service.nickname import folded
from controller.service.requests import said
from controller.service.uploads import Uploads
from controller.small_files import no_room
from controller.views.messages import Language, Message, NotDone

LARGEST_MB: Final = 8
LARGEST_BODY: Final = LARGEST_MB * 1_000_000
PLAYER: Final = "Player"
"""The header with the player's name, percent-encoded UTF-8."""

log = logging.getLogger(__name__)


class DropPlayer(Struct, frozen=True, tag_field="what", tag="player"):
    """A player's picture is deleted."""

    name: Annotated[str, Meta(max_length=200)]


class DropLogo(Struct, frozen=True, tag_field="what", tag="logo"):
    """The event's logo is deleted."""


class DropSponsor(Struct, frozen=True, tag_field="what", tag="sponsor"):
    """A sponsor leaves the strip."""

    place: int
    """In the strip, from 1."""


Drop: TypeAlias = DropPlayer | DropLogo | DropSponsor


class ShownPlayer(Message, frozen=True, kw_only=True):
    """A player and the address of the picture; `uploaded`: it was put in from a page and can be deleted there."""

    name: str
    seat: int | None
    photo: str | None
    uploaded: bool


class PicturesView(Message, frozen=True, kw_only=True):
    """Everything that the page shows: who sits at the table, who comes, of whom else there is a picture."""

    ok: Literal[True] = True
    players: tuple[ShownPlayer, ...]
    logo: str | None
    sponsors: tuple[str, ...]
    largest_mb: int = LARGEST_MB


class UploadDoor:
    """The routes."""

    def __init__(
        self,
        door: Door,
        uploads: Uploads,
        *,
        seated: Callable[[], Iterable[str]],
        coming: Callable[[], Iterable[str]],
        photo: Callable[[str], str | None],
        players_changed: Callable[[], object],
        marks_changed: Callable[[], None],
        language: Language,
    ) -> None:
        """`seated` are the names at the table by seat, `coming` those of the games to come, `photo` gives the address
        of a player's picture. `players_changed` is called in a thread and may take its time."""
        self._door = door
        self._uploads = uploads
        self._seated = seated
        self._coming = coming
        self._photo = photo
        self._players_changed = players_changed
        self._marks_changed = marks_changed
        self._language: Language = language
        self._one_at_a_time = asyncio.Lock()

    def add_to(self, app: web.Application) -> None:
        """Adds the routes."""
        app.router.add_get("/pictures", self._look)
        app.router.add_post("/pictures/player", self._put_player)
        app.router.add_post("/pictures/logo", self._put_logo)
        app.router.add_post("/pictures/sponsor", self._add_sponsor)
        app.router.add_post("/pictures/drop", self._drop)

    async def _look(self, request: web.Request) -> web.StreamResponse:
        self._let_in(request)
        return json_answer(self._view())

    async def _put_player(self, request: web.Request) -> web.StreamResponse:
        name = unquote(request.headers.get(PLAYER, ""))
        return await self._put(request, lambda picture: self._uploads.put_player(name, picture), player=True)

    async def _put_logo(self, request: web.Request) -> web.StreamResponse:
        return await self._put(request, self._uploads.put_logo)

    async def _add_sponsor(self, request: web.Request) -> web.StreamResponse:
        return await self._put(request, self._uploads.add_sponsor)

    async def _drop(self, request: web.Request) -> web.StreamResponse:
        self._let_in(request)
        try:
            asked: Drop = msgspec.json.decode(await request.read(), type=Drop)
        except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
            raise web.HTTPBadRequest from None
        match asked:
            case DropPlayer(name):
                return await self._do(request, lambda: self._uploads.drop_player(name), player=True)
            case DropLogo():
                return await self._do(request, self._uploads.drop_logo)
            case DropSponsor(place):
                return await self._do(request, lambda: self._uploads.drop_sponsor(place))

    async def _put(
        self, request: web.Request, take: Callable[[bytes], None], *, player: bool = False
    ) -> web.StreamResponse:
        self._let_in(request)
        picture = await _body(request)
        if picture is None:
            return self._refused(request, Refusal("picture_too_large", {"most": LARGEST_MB}))
        return await self._do(request, lambda: take(picture), player=player)

    async def _do(self, request: web.Request, work: Callable[[], None], *, player: bool = False) -> web.StreamResponse:
        # A large picture is a hundred megabytes while it is cut: one at a time, and never on the table's own loop.
        async with self._one_at_a_time:
            try:
                await asyncio.to_thread(work)
                if player:
                    await asyncio.to_thread(self._players_changed)
            except Refused as refused:
                return self._refused(request, refused.refusal)
            except OSError as error:
                log.warning("a picture could not be kept: %s", error.strerror)  # the file's name is the player's
                return self._refused(request, Refusal("disk_full" if no_room(error) else "disk_failing"))
        self._marks_changed()
        return json_answer(self._view())

    def _let_in(self, request: web.Request) -> None:
        """Raises HTTPForbidden for whoever is neither the producer nor at the secretary's desk."""
        if not from_here(request) or all(
            self._door.holder(request, scope) is None for scope in (Scope.PRODUCER, Scope.OFFICE)
        ):
            raise web.HTTPForbidden

    def _view(self) -> PicturesView:
        uploaded = {folded(name): name for name in self._uploads.named()}
        seated = list(self._seated())
        seats = {name: seat for seat, name in enumerate(seated, 1) if name}
        known = {folded(name) for name in seats}
        others: dict[str, str] = {}
        for name in (*self._coming(), *sorted(uploaded.values())):
            if folded(name) not in known:
                others.setdefault(folded(name), name)
        marks = self._uploads.marks
        return PicturesView(
            players=tuple(
                ShownPlayer(name=name, seat=seats.get(name), photo=self._photo(name), uploaded=folded(name) in uploaded)
                for name in (*seats, *others.values())
            ),
            logo=marks.logo,
            sponsors=marks.sponsors,
        )

    def _refused(self, request: web.Request, refusal: Refusal) -> web.Response:
        asked = request.query.get("lang")
        language: Language = asked if asked in ("ru", "uk", "en") else self._language
        return json_answer(NotDone(refusal=said(refusal, language, "fiim")), 409)


async def _body(request: web.Request) -> bytes | None:
    """The whole body; None where it is more than a picture may be. Such a one is read to its end and dropped: a
    browser that is hung up on while it sends shows no sentence."""
    kept: list[bytes] = []
    length = 0
    async for part in request.content.iter_any():
        length += len(part)
        if length <= LARGEST_BODY:
            kept.append(part)
        else:
            kept.clear()
        if length > 4 * LARGEST_BODY:
            break
    return b"".join(kept) if length <= LARGEST_BODY else None
