"""Socket.IO's side of the service: who comes in, as what, and that each gets answers and the newest view."""

import logging
from typing import Any, Final

from aiohttp import web

from controller.game.refusal import Refusal
from controller.service.access import WITH_PIN, Access, Holder, Scope
from controller.service.broadcast import Broadcast
from controller.service.crowd import MOST_WATCHERS, Watcher
from controller.service.gate import GATE
from controller.service.handshake import Handshake, not_let_in
from controller.service.requests import Requests
from controller.service.screens import EngineLine, Screen
from controller.service.spectators import Spectators
from controller.service.transport import LET_IN, socket_server
from controller.views.messages import Language

MOST_QUEUED: Final = 256
"""Answers that a client has not read: one that asks and never reads is let go."""

log = logging.getLogger(__name__)


class Sockets:
    """The connections of one service."""

    def __init__(
        self,
        app: web.Application,
        access: Access,
        broadcast: Broadcast,
        requests: Requests,
        language: Language,
        *,
        cookie: str,
        spectators: Spectators,
    ) -> None:
        """`cookie` is the name of the one that a registered device carries."""
        self._spectators = spectators
        self._access = access
        self._cookie = cookie
        self._broadcast = broadcast
        self._requests = requests
        self._language: Language = language
        self._server = socket_server()
        self._server.on("connect", self._connected)
        self._server.on("disconnect", self._disconnected)
        self._server.on("*", self._asked)
        self._server.attach(app)

    async def close(self) -> None:
        """Ends every connection."""
        self._broadcast.screens.close()
        self._spectators.crowd.close()
        await self._server.shutdown()

    async def _connected(self, sid: str, environ: dict[str, Any], auth: object) -> None:
        """Lets a client in as what its token says, or at the desk its device's cookie. A refusal is a sentence, and no
        later event can undo it."""
        hello = Handshake.of(auth)
        language = hello.speaks or self._language
        request: web.Request = environ["aiohttp.request"]
        holder = self._who(hello, request.cookies.get(self._cookie))
        if isinstance(holder, Refusal):
            raise not_let_in(holder.code, language)
        if holder.scope is Scope.SPECTATOR:
            self._watch(sid, holder, language, environ)
            return
        address = request.remote or ""
        if not self._broadcast.screens.has_room(holder.scope, address):
            raise not_let_in("too_many_screens", language)
        # python-socketio keeps no way from its own id to the engine's socket but this one.
        engine_id: str = self._server.manager.eio_sid_from_sid(sid, "/")
        queue = self._server.eio.sockets[engine_id].queue
        line = EngineLine(sid, self._emit, queue, request.transport)
        screen = Screen(line, holder, language, address)
        screen.side = hello.side
        environ[LET_IN] = True
        request.app[GATE].settle(request.transport)
        self._broadcast.greet(sid, screen)

    def let_go(self) -> None:
        """Hangs up on everybody whose link or device is not good any more."""
        self._broadcast.screens.hang_up_unless(self._access.still_in)
        self._spectators.crowd.hang_up_unless(self._access.still_in)

    def _watch(self, sid: str, holder: Holder, language: Language, environ: dict[str, Any]) -> None:
        request: web.Request = environ["aiohttp.request"]
        crowd, wire = self._spectators.crowd, request.transport
        if len(crowd) >= MOST_WATCHERS:
            raise not_let_in("too_many_screens", language)
        if wire is not None:
            environ[LET_IN] = True
            request.app[GATE].settle(wire)
            self._spectators.join(sid, Watcher(wire, holder, language))

    def _who(self, hello: Handshake, cookie: str | None) -> Holder | Refusal:
        """A link's token decides; without one, a page of the desk is let in by the cookie of its device."""
        if hello.token is None:
            for scope in WITH_PIN:
                if hello.page == scope.value:
                    return self._access.at_desk(cookie, scope)
        return self._access.holder_of(hello.token, hello.page) or Refusal("wrong_token")

    async def _disconnected(self, sid: str, _reason: str) -> None:
        self._spectators.crowd.leave(sid)
        self._broadcast.leave(sid)

    async def _asked(self, event: str, sid: str, *arguments: Any) -> object:
        if (watcher := self._spectators.crowd.get(sid)) is not None:
            return await self._requests.answer(watcher, event, arguments)
        screen = self._broadcast.screens.get(sid)
        if screen is None:
            return None
        if screen.unread > MOST_QUEUED:
            screen.hang_up()
            return None
        return await self._requests.answer(screen, event, arguments)

    async def _emit(self, event: str, message: object, sid: str) -> None:
        await self._server.emit(event, message, to=sid)
