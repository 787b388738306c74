from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp.web import StreamResponse, WebSocketResponse

_async: dict[str, Any]

class WebSocket:
    handler: Callable[[WebSocket], Awaitable[None]]
    server: Any
    environ: dict[str, Any]
    _sock: WebSocketResponse | None
    def __init__(self, handler: Callable[..., Awaitable[None]], server: Any) -> None: ...
    async def __call__(self, environ: dict[str, Any]) -> StreamResponse: ...
    async def close(self) -> None: ...
    async def send(self, message: str | bytes) -> None: ...
    async def wait(self) -> str | bytes: ...
