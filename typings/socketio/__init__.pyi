"""The part of python-socketio that the rooms and their tests use."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

from socketio import exceptions as exceptions

_Handler = TypeVar("_Handler", bound=Callable[..., Any])

class _EngineServer:
    _async: dict[str, Any]
    sockets: dict[str, Any]

class _Manager:
    def eio_sid_from_sid(self, sid: str, namespace: str) -> str: ...

class AsyncServer:
    eio: _EngineServer
    manager: _Manager
    def __init__(
        self,
        *,
        async_mode: str = ...,
        json: object = ...,
        async_handlers: bool = ...,
        always_connect: bool = ...,
        namespaces: list[str] | None = ...,
        transports: list[str] = ...,
        allow_upgrades: bool = ...,
        http_compression: bool = ...,
        max_http_buffer_size: int = ...,
        ping_interval: float = ...,
        ping_timeout: float = ...,
        cors_allowed_origins: Callable[[str | None, dict[str, Any]], bool] | list[str] | str | None = ...,
        cors_credentials: bool = ...,
        logger: bool = ...,
        engineio_logger: bool = ...,
    ) -> None: ...
    @overload
    def on(self, event: str) -> Callable[[_Handler], _Handler]: ...
    @overload
    def on(self, event: str, handler: Callable[..., Any]) -> None: ...
    def event(self, handler: _Handler) -> _Handler: ...
    def attach(self, app: object, socketio_path: str = ...) -> None: ...
    async def emit(self, event: str, data: object, *, to: str | None = ...) -> None: ...
    async def disconnect(self, sid: str) -> None: ...
    async def shutdown(self) -> None: ...

class AsyncClient:
    sid: str | None
    connected: bool
    eio: Any
    def __init__(self, *, reconnection: bool = ..., json: object = ..., logger: bool = ...) -> None: ...
    def on(self, event: str, handler: Callable[..., Any]) -> None: ...
    async def connect(
        self,
        url: str,
        headers: dict[str, str] = ...,
        auth: object = ...,
        transports: list[str] = ...,
        wait_timeout: float = ...,
    ) -> None: ...
    async def call(self, event: str, data: object = ..., timeout: float = ...) -> Any: ...
    async def emit(self, event: str, data: object = ..., callback: Callable[..., Any] | None = ...) -> None: ...
    async def disconnect(self) -> None: ...
    async def wait(self) -> None: ...
    def start_background_task(self, target: Callable[..., Awaitable[Any]], *args: object) -> Any: ...
