"""The desk's door over HTTP: the PIN is given here and a cookie taken, and devices and links are looked after.

Every one of these is a POST of JSON from a page of this very service: another site's page cannot send that, and a
cookie that is set here never travels with another site's request.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import segno
from aiohttp import web
from msgspec import Meta, Struct

from controller.game.refusal import Refusal
from controller.service.access import (
    CONFIRMED_BELOW_S,
    LINKED,
    LONGEST_DELAY_S,
    WITH_PIN,
    Access,
    Holder,
    Scope,
    invitation_path,
    link_path,
)
from controller.service.addresses import same_site
from controller.service.registry import Link
from controller.service.requests import said
from controller.small_files import no_room
from controller.views import messages
from controller.views.messages import Language

COOKIE_DAYS: Final = 400
_BEARER: Final = "Bearer "

log = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=16)]


class Enter(Struct, frozen=True):
    """The PIN, and on a device that is not registered yet what it was invited by: a link's secret or a code."""

    pin: Annotated[str, Meta(max_length=32)]
    invitation: Annotated[str, Meta(max_length=64)] | None = None
    language: Language = "ru"


class Act(Struct, frozen=True, tag_field="do", kw_only=True):
    """Something that is done with devices and links."""

    language: Language = "ru"


class Look(Act, frozen=True, tag="look", kw_only=True):
    """Only shows them."""


class Invite(Act, frozen=True, tag="invite", kw_only=True):
    """Leave to register one more device."""

    scope: Literal["judge", "office"]
    name: Name


class NewLink(Act, frozen=True, tag="link", kw_only=True):
    """One more link."""

    scope: Literal["air", "producer", "spectator"]
    name: Name
    hours: Annotated[float, Meta(gt=0, le=24 * 366)] | None = None
    delay: Annotated[int, Meta(ge=0, le=LONGEST_DELAY_S)] | None = None
    """Seconds, for spectators that do not follow the table's delay."""
    confirmed: bool = False
    """A delay under two minutes is meant."""


class Rotate(Act, frozen=True, tag="rotate", kw_only=True):
    """The link opens with another token from now on."""

    id: Id


class Revoke(Act, frozen=True, tag="revoke", kw_only=True):
    """Ends a link or a device."""

    id: Id


class Curtain(Act, frozen=True, tag="curtain", kw_only=True):
    """Spectators see the end of the game at once."""


AnyAct: TypeAlias = Look | Invite | NewLink | Rotate | Revoke | Curtain


class Address(messages.Message, frozen=True, kw_only=True):
    """Something to open, with its QR code: rows of light (0) and dark (1) squares."""

    address: str
    qr: tuple[str, ...]


class ShownLink(messages.Message, frozen=True, kw_only=True):
    """A link as the devices' page shows it."""

    id: str
    scope: str
    name: str
    delay: int
    """Seconds that spectators are behind."""
    own_delay: bool
    """They do not follow the table's delay."""
    expires: float | None
    """Milliseconds of the wall clock."""
    open: Address


class ShownDevice(messages.Message, frozen=True, kw_only=True):
    """A device as the devices' page shows it."""

    id: str
    scope: str
    name: str
    registered: float
    """Milliseconds of the wall clock."""
    own: bool
    """It is the one that asks."""


class Invited(messages.Message, frozen=True, kw_only=True):
    """Leave that was just given: what to open, or the digits to type at `/judge`."""

    scope: str
    name: str
    code: str
    open: Address


class DevicesView(messages.Message, frozen=True, kw_only=True):
    """Everything that the devices' page shows."""

    ok: bool = True
    devices: tuple[ShownDevice, ...]
    links: tuple[ShownLink, ...]
    usual_delay: int
    """The table's delay for spectators, seconds."""
    invited: Invited | None


class Door:
    """The routes of the door."""

    def __init__(
        self,
        access: Access,
        *,
        secure: bool,
        changed: Callable[[], None],
        usual_delay: Callable[[], int],
        open_curtain: Callable[[], Refusal | None],
    ) -> None:
        """`secure`: the pages come over TLS. `changed` is called when links have, or somebody may have lost the
        right to be in; `usual_delay` is the table's for spectators, seconds."""
        self._usual_delay = usual_delay
        self._open_curtain = open_curtain
        self._access = access
        self._secure = secure
        self._changed = changed
        # A cookie of this name is taken over TLS alone, from this very host.
        self.cookie: str = "__Host-mafia-device" if secure else "mafia-device"

    def add_to(self, app: web.Application) -> None:
        """Adds the routes."""
        app.router.add_post("/enter", self._enter)
        app.router.add_post("/leave", self._leave)
        app.router.add_post("/access", self._act)

    def holder(self, request: web.Request, scope: Scope) -> Holder | None:
        """Who asks over HTTP, if they are let in as `scope`: a desk's device by its cookie, else a link's token in
        `Authorization: Bearer`. For any route that is not for everybody."""
        said_ = request.headers.get("Authorization", "")
        if said_.startswith(_BEARER):
            holder = self._access.holder_of(said_.removeprefix(_BEARER))
            return holder if holder is not None and holder.scope is scope else None
        if scope in WITH_PIN:
            found = self._access.at_desk(request.cookies.get(self.cookie), scope)
            return None if isinstance(found, Refusal) else found
        return None

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        asked = await _read(request, Enter)
        try:
            entered = await self._access.enter(
                asked.pin,
                cookie=request.cookies.get(self.cookie),
                invitation=asked.invitation,
                address=request.remote or "",
            )
        except OSError as error:
            return _not_kept(error, asked.language)
        if isinstance(entered, Refusal):
            return _refused(entered, asked.language)
        response = json_answer({"ok": True, "page": entered.device.scope.value})
        if entered.cookie is not None:
            response.set_cookie(
                self.cookie, entered.cookie, max_age=COOKIE_DAYS * 86400, path="/", httponly=True, samesite="Strict",
                secure=self._secure,
            )  # fmt: skip
        return response

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        await _read(request, dict[str, Any])
        await self._access.leave(request.cookies.get(self.cookie))
        self._changed()
        return json_answer({"ok": True})

    async def _act(self, request: web.Request) -> web.StreamResponse:
        asked: AnyAct = await _read(request, AnyAct)
        holder = self.holder(request, Scope.JUDGE)
        if holder is None and isinstance(asked, Curtain):
            holder = self.holder(request, Scope.PRODUCER)
        if holder is None:
            found = self._access.at_desk(request.cookies.get(self.cookie), Scope.JUDGE)
            return _refused(found if isinstance(found, Refusal) else Refusal("no_right"), asked.language)
        origin = f"{'https' if self._secure else 'http'}://{request.host}"
        try:
            invited = self._does(asked, origin)
        except OSError as error:
            return _not_kept(error, asked.language)
        if isinstance(invited, Refusal):
            return _refused(invited, asked.language)
        return json_answer({"ok": True} if holder.scope is Scope.PRODUCER else self._view(holder, origin, invited))

    def _does(self, asked: AnyAct, origin: str) -> Invited | Refusal | None:
        """What is asked; whom it has invited, or why it is not done. Raises OSError where it cannot be kept."""
        match asked:
            case Look():
                pass
            case Invite(scope=scope, name=name):
                secret, code = self._access.invite(Scope(scope), name)
                opened = address_of(origin + invitation_path(Scope(scope), secret))
                return Invited(scope=scope, name=name, code=f"{code[:4]} {code[4:]}", open=opened)
            case NewLink():
                return self._add_link(asked)
            case Curtain():
                return self._open_curtain()
            case Rotate(id=which):
                if self._access.rotate(which) is None:
                    return Refusal("no_such_link", {"id": which})
                self._changed()
            case Revoke(id=which):
                if not self._access.revoke(which):
                    return Refusal("no_such_link", {"id": which})
                self._changed()
        return None

    def _add_link(self, asked: NewLink) -> Refusal | None:
        scope = Scope(asked.scope)
        delay = asked.delay if scope is Scope.SPECTATOR else None
        if delay is not None and delay < CONFIRMED_BELOW_S and not asked.confirmed:
            return Refusal("delay_short", {"seconds": delay, "least": CONFIRMED_BELOW_S})
        self._access.add_link(scope, asked.name, hours=asked.hours, delay=delay)
        self._changed()
        return None

    def _view(self, holder: Holder, origin: str, invited: Invited | None) -> DevicesView:
        return DevicesView(
            devices=tuple(
                ShownDevice(
                    id=row.id,
                    scope=row.scope.value,
                    name=row.name,
                    registered=row.registered * 1000,
                    own=row.id == holder.by,
                )
                for row in self._access.registry.devices
            ),
            links=tuple(self._shown(link, origin) for link in self._access.open_links() if link.scope in LINKED),
            usual_delay=self._usual_delay(),
            invited=invited,
        )

    def _shown(self, link: Link, origin: str) -> ShownLink:
        return ShownLink(
            id=link.id,
            scope=link.scope.value,
            name=link.name,
            delay=link.delay_after(self._usual_delay()),
            own_delay=link.delay is not None,
            expires=None if link.expires is None else link.expires * 1000,
            open=address_of(origin + link_path(link, self._access.token(link))),
        )


def address_of(address: str) -> Address:
    """`address` with its QR code."""
    code = segno.make(address, error="m", micro=False)
    return Address(address=address, qr=tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix))


def from_here(request: web.Request) -> bool:
    """Whether `request` comes from a page of this service, or from no page at all."""
    if not same_site(request.headers.get("Origin"), request.host):
        return False
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


async def _read(request: web.Request, kind: Any) -> Any:
    """The JSON that a page of this service has sent. Raises HTTPException."""
    if not from_here(request):
        raise web.HTTPForbidden
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        raise web.HTTPBadRequest from None


def _refused(refusal: Refusal, language: Language) -> web.Response:
    return json_answer({"ok": False, "refusal": said(refusal, language, "fiim")}, status=403)


def _not_kept(error: OSError, language: Language) -> web.Response:
    log.warning("who is registered could not be written: %s", error)
    return _refused(Refusal("disk_full" if no_room(error) else "disk_failing"), language)


def json_answer(value: object, status: int = 200) -> web.Response:
    """`value` as an answer that nothing between here and the page keeps."""
    return web.Response(
        body=msgspec.json.encode(value),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )
