"""As much of obs-websocket-py as `scenes` uses."""

from typing import Any

class Baserequests:
    name: str
    def __init__(self, **kwargs: Any) -> None: ...
    def data(self) -> dict[str, Any]: ...

class ClassFactory:
    def __getattr__(self, item: str) -> type[Baserequests]: ...

requests: ClassFactory

class obsws:  # noqa: N801
    server_version: str | None
    ws: Any
    def __init__(
        self,
        host: str = ...,
        port: int = ...,
        password: str = ...,
        legacy: bool | None = ...,
        timeout: float = ...,
        authreconnect: float = ...,
    ) -> None: ...
    def _build_auth_string(self, salt: str, challenge: str) -> str: ...
