"""A page without a browser: Socket.IO spoken by hand, so that a test has every byte that a client was ever sent."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

PATIENCE = 20.0
COOKIE = "mafia-device="
"""What stands before a device's secret in a cookie: such a token is sent as a cookie."""


class Page:
    """One client. Use it as a context: `async with Page(address, token) as page`."""

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        language: str = "ru",
        auth: object = ...,
        origin: str | None = None,
        reads: bool = True,
        page: str | None = None,
        waits: bool = True,
    ) -> None:
        """`reads=False` is a client that never takes anything off its connection once it is let in; with
        `waits=False` no view is waited for."""
        self._waits = waits
        self._address = address
        self._headers = {} if origin is None else {"Origin": origin}
        page = page or ("hall" if token is None else "judge")
        if token is not None and token.startswith(COOKIE):
            self._headers["Cookie"], token = token, None
        self._auth = {"token": token, "page": page, "language": language} if auth is ... else auth
        self._reads = reads
        self.frames: list[str] = []
        self.views: list[dict[str, Any]] = []
        self.lamps: dict[str, str] = {}
        self.refused: dict[str, Any] | None = None
        self.closed = asyncio.Event()
        self._changed = asyncio.Event()
        self._acks: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self._session: ClientSession
        self._socket: ClientWebSocketResponse
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._session = ClientSession()
        try:
            self._socket = await self._session.ws_connect(
                f"{self._address}/socket.io/?EIO=4&transport=websocket", headers=self._headers
            )
            self.frames.append(await self._socket.receive_str())
            await self.send_raw("40" + ("" if self._auth is None else json.dumps(self._auth)))
            if self._reads:
                self._task = asyncio.create_task(self._listen())
                if not self._waits:
                    return self
                await self.until(lambda: bool(self.views) or self.refused is not None or self.closed.is_set())
        except BaseException:
            await self._session.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        # Without the farewell that a stalled or ended service would never answer.
        self._socket._response.close()
        await self._session.close()

    @property
    def view(self) -> dict[str, Any]:
        """The last view."""
        return self.views[-1]["view"]

    @property
    def revision(self) -> int:
        """The last view's revision."""
        return self.views[-1]["revision"]

    async def hang_up(self) -> None:
        """Cuts the connection, whatever is on its way."""
        await self._socket.close()

    async def send_raw(self, frame: str) -> None:
        """Sends a frame as it is."""
        await self._socket.send_str(frame)

    async def ask(self, event: str, *arguments: Any) -> Any:
        """Sends an event and returns its answer."""
        self._asked += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._acks[self._asked] = future
        await self.send_raw(f"42{self._asked}{json.dumps([event, *arguments])}")
        return await asyncio.wait_for(future, PATIENCE)

    async def until(self, done: Callable[[], bool], patience: float = PATIENCE) -> None:
        """Waits until `done`; TimeoutError if it does not come to that."""
        async with asyncio.timeout(patience):
            while not done():
                self._changed.clear()
                await self._changed.wait()

    async def sees(self, what: Callable[[dict[str, Any]], bool], patience: float = PATIENCE) -> dict[str, Any]:
        """Waits for a view of which `what` is true, and returns it."""
        await self.until(lambda: bool(self.views) and what(self.view), patience)
        return self.view

    async def _listen(self) -> None:
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT:
                    break
                self.frames.append(message.data)
                await self._hear(message.data)
                self._changed.set()
        finally:
            self.closed.set()
            self._changed.set()

    async def _hear(self, frame: str) -> None:
        if frame == "2":
            await self.send_raw("3")
        elif frame.startswith("42"):
            event, payload = json.loads(frame[2:])
            if event == "view":
                self.views.append(payload)
            elif event == "lamps":
                self.lamps = payload["lamps"]
        elif frame.startswith("43"):
            number = frame[2 : frame.index("[")]
            self._acks.pop(int(number)).set_result(json.loads(frame[2 + len(number) :])[0])
        elif frame.startswith("44"):
            self.refused = json.loads(frame[2:])
