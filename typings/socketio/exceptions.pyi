class SocketIOError(Exception): ...

class ConnectionError(SocketIOError): ...  # noqa: A001

class ConnectionRefusedError(ConnectionError):  # noqa: A001
    error_args: dict[str, object]
    def __init__(self, *args: object) -> None: ...

class TimeoutError(SocketIOError): ...  # noqa: A001
class DisconnectedError(SocketIOError): ...
