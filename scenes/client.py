"""One connection to OBS, from its start to its end, for one thread. It never waits without a time-out.

obs-websocket-py gives the protocol: the authentication string and the requests. Its own connecting, its receiving
thread and its calls are not used: they wait for up to a minute, die of a reset without a word, and lose why a request
was refused. A connection that has ended is thrown away; the next one is a new object.
"""

import json
import select
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Any, Final, TypeAlias

import websocket
from obswebsocket import obsws, requests

CONNECTS_WITHIN_S: Final = 1.0
GREETS_WITHIN_S: Final = 1.5
FRAME_WITHIN_S: Final = 1.0
CALL_WITHIN_S: Final = 3.0

_HELLO, _IDENTIFY, _IDENTIFIED, _EVENT, _REQUEST, _RESPONSE, _BATCH, _BATCH_RESPONSE = 0, 1, 2, 5, 6, 7, 8, 9
_ALL_BUT_HIGH_VOLUME: Final = (1 << 11) - 1
_RPC: Final = 1
OK: Final = 100
NOT_READY: Final = 207
MISSING: Final = frozenset({600, 602})
"""Nothing has that name, or what has it is no scene, source or filter, whichever was asked for."""

Data: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Address:
    """Where OBS listens."""

    host: str = "127.0.0.1"
    port: int = 4455
    password: str = ""


class Why(StrEnum):
    """Why there is no connection. Each has a sentence `obs.NAME` in the catalogue."""

    REFUSED = "refused"
    """Nobody listens there."""
    SILENT = "silent"
    """Somebody listens and says nothing, or no longer."""
    WRONG_PASSWORD = "wrong_password"
    NO_PASSWORD = "no_password"
    """OBS asks for a password and none is set."""
    OLD = "old"
    """OBS speaks the protocol of before OBS 28."""
    OTHER = "other"
    """It is no OBS, or one that speaks another version of the protocol."""
    LOST = "lost"
    """The connection was there and has ended."""
    CLOSING = "closing"
    """OBS said that it is being closed."""


class NoObs(Exception):
    """There is no connection, or no longer."""

    def __init__(self, why: Why, detail: str = "") -> None:
        super().__init__(f"{why.value} {detail}".strip())
        self.why = why


class ObsRefused(Exception):
    """OBS refused a request: its status code, and its comment."""

    def __init__(self, request: str, code: int, comment: str) -> None:
        super().__init__(f"{request}: {code} {comment}".strip())
        self.request = request
        self.code = code
        self.comment = comment


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of OBS."""

    name: str
    data: Data


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to the request `id`. `code` is 100 where it was done."""

    id: str
    request: str
    code: int
    comment: str
    data: Data

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.code == OK


@dataclass(frozen=True, slots=True)
class AllAnswered:
    """The answers to the batch `id`, in its order."""

    id: str
    answers: tuple[Answered, ...]


Heard: TypeAlias = Happened | Answered | AllAnswered


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it is sent."""

    name: str
    data: Data

    @classmethod
    def of(cls, name: str, /, **data: Any) -> "Asked":
        """The request `name` with what it says."""
        made = getattr(requests, name)(**data)
        return cls(made.name, made.data())


class Client:
    """A connection that OBS has let in."""

    def __init__(self, address: Address) -> None:
        """Connects and identifies itself. Raises NoObs, within 5 s whatever the other side does."""
        self._library = obsws(address.host, address.port, address.password, legacy=False)
        self._ids = count(1)
        self.heard_at = time.monotonic()
        """When OBS last said anything, on this machine's monotonic clock, seconds."""
        self._ws: Any = websocket.WebSocket(skip_utf8_validation=True)
        try:
            self._open(address)
            self._library.ws = self._ws
            self._identify(address)
        except BaseException:
            self.close()
            raise
        self._ws.settimeout(FRAME_WITHIN_S)

    @property
    def version(self) -> str:
        """The version of OBS's protocol."""
        return self._library.server_version or ""

    # --- the beginning

    def _open(self, address: Address) -> None:
        try:
            plain = socket.create_connection((address.host, address.port), timeout=CONNECTS_WITHIN_S)
        except TimeoutError as error:
            raise NoObs(Why.SILENT) from error
        except OSError as error:
            raise NoObs(Why.REFUSED, str(error)) from error
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_QUICKACK"):
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        # A peer whose buffers are full must not hold up a send for ever.
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 1, 0))
        plain.settimeout(CONNECTS_WITHIN_S)
        host = f"[{address.host}]" if ":" in address.host else address.host
        try:
            self._ws.connect(f"ws://{host}:{address.port}", socket=plain, timeout=CONNECTS_WITHIN_S)
        except (websocket.WebSocketTimeoutException, TimeoutError) as error:
            plain.close()
            raise NoObs(Why.SILENT) from error
        except (websocket.WebSocketException, ValueError) as error:
            plain.close()
            raise NoObs(Why.OTHER, str(error)) from error
        except OSError as error:
            plain.close()
            raise NoObs(Why.LOST, str(error)) from error

    def _identify(self, address: Address) -> None:
        try:
            hello = self._message(GREETS_WITHIN_S)
        except NoObs as error:
            if error.why is Why.SILENT and self._speaks_the_old_protocol():
                raise NoObs(Why.OLD) from error
            raise
        if hello.get("op") != _HELLO:
            raise NoObs(Why.OTHER, "no Hello")
        data = _object(hello.get("d"))
        self._library.server_version = str(data.get("obsWebSocketVersion", ""))
        identify: dict[str, Any] = {"rpcVersion": _RPC, "eventSubscriptions": _ALL_BUT_HIGH_VOLUME}
        challenge = _object(data.get("authentication"))
        if challenge:
            if not address.password:
                raise NoObs(Why.NO_PASSWORD)
            build = self._library._build_auth_string  # pyright: ignore[reportPrivateUsage]
            identify["authentication"] = build(str(challenge.get("salt")), str(challenge.get("challenge")))
        self._say(_IDENTIFY, identify)
        if self._message(GREETS_WITHIN_S).get("op") != _IDENTIFIED:
            raise NoObs(Why.OTHER, "not identified")

    def _speaks_the_old_protocol(self) -> bool:
        """obs-websocket 4 waits to be asked; version 5 greets first."""
        try:
            self._ws.send(json.dumps({"request-type": "GetVersion", "message-id": "1"}))
            return "message-id" in self._message(FRAME_WITHIN_S)
        except (NoObs, OSError, websocket.WebSocketException):
            return False

    # --- talking

    def send(self, asked: Asked) -> str:
        """Sends a request and waits for nothing; its id. Raises NoObs."""
        own = str(next(self._ids))
        self._say(_REQUEST, {"requestId": own, "requestType": asked.name, "requestData": asked.data})
        return own

    def send_in_order(self, asked: Sequence[Asked]) -> str:
        """Sends requests that OBS does one after another, whatever becomes of each; the id of all. Raises NoObs."""
        own = str(next(self._ids))
        parts = [{"requestType": one.name, "requestData": one.data} for one in asked]
        self._say(_BATCH, {"requestId": own, "haltOnFailure": False, "executionType": 0, "requests": parts})
        return own

    def fileno(self) -> int:
        """The socket's number, for select. Raises NoObs where it is closed."""
        if self._ws.sock is None:
            raise NoObs(Why.LOST)
        return int(self._ws.sock.fileno())

    def receive(self) -> Heard | None:
        """What OBS says, once there is something to read; None for what is nobody's. Raises NoObs."""
        return _read(self._message(FRAME_WITHIN_S))

    def call(self, name: str, /, **data: Any) -> Data:
        """Asks and waits for the answer, for command lines. Raises NoObs and ObsRefused.

        A refusal because OBS has only just started is waited out.
        """
        own, until = self.send(Asked.of(name, **data)), time.monotonic() + CALL_WITHIN_S
        while (left := until - time.monotonic()) > 0:
            if not select.select([self.fileno()], [], [], left)[0]:
                break
            match self.receive():
                case Answered(id=answered) as answer if answered == own:
                    if answer.code == NOT_READY:
                        time.sleep(0.15)
                        own = self.send(Asked.of(name, **data))
                    elif not answer.ok:
                        raise ObsRefused(name, answer.code, answer.comment)
                    else:
                        return answer.data
                case _:
                    pass
        raise NoObs(Why.SILENT, name)

    def close(self) -> None:
        """Ends the connection at once. May be called from any thread, and again."""
        sock = self._ws.sock
        with suppress(Exception):
            if sock is not None:
                sock.shutdown(socket.SHUT_RDWR)
        with suppress(Exception):
            self._ws.shutdown()

    # --- frames

    def _say(self, op: int, data: Data) -> None:
        try:
            self._ws.send(json.dumps({"op": op, "d": data}))
        except (OSError, websocket.WebSocketException) as error:
            raise NoObs(Why.LOST, str(error)) from error

    def _message(self, within: float) -> dict[str, Any]:
        """The next message. Raises NoObs; one that is no JSON object is passed over."""
        until = time.monotonic() + within
        while (left := until - time.monotonic()) > 0:
            try:
                self._ws.settimeout(left)
                opcode, frame = self._ws.recv_data_frame(True)
            except (websocket.WebSocketTimeoutException, TimeoutError) as error:
                raise NoObs(Why.SILENT) from error
            except (OSError, websocket.WebSocketException, AttributeError) as error:
                # AttributeError: the socket was closed from the other thread in between.
                raise NoObs(Why.LOST, str(error)) from error
            self.heard_at = time.monotonic()
            if opcode == websocket.ABNF.OPCODE_CLOSE:
                raise NoObs(_why_closed(frame.data))
            if opcode in (websocket.ABNF.OPCODE_TEXT, websocket.ABNF.OPCODE_BINARY):
                try:
                    said: Any = json.loads(frame.data)
                except ValueError:
                    continue
                if isinstance(said, dict):
                    return said  # pyright: ignore[reportUnknownVariableType]
        raise NoObs(Why.SILENT)


def _why_closed(payload: bytes) -> Why:
    code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 0
    match code:
        case 4009:
            return Why.WRONG_PASSWORD
        case 4010:
            return Why.OTHER
        case _:
            return Why.LOST


def _read(said: dict[str, Any]) -> Heard | None:
    data: Any = said.get("d")
    if not isinstance(data, dict):
        return None
    fields: dict[str, Any] = data  # pyright: ignore[reportUnknownVariableType]
    match said.get("op"):
        case 5:
            return Happened(str(fields.get("eventType", "")), _object(fields.get("eventData")))
        case 7:
            return _answer(fields)
        case 9:
            answers: Any = fields.get("results")
            rows: list[Any] = answers if isinstance(answers, list) else []  # pyright: ignore[reportUnknownVariableType]
            return AllAnswered(str(fields.get("requestId", "")), tuple(_answer(_object(row)) for row in rows))
        case _:
            return None


def _answer(fields: Data) -> Answered:
    status = _object(fields.get("requestStatus"))
    code = status.get("code")
    return Answered(
        id=str(fields.get("requestId", "")),
        request=str(fields.get("requestType", "")),
        code=code if isinstance(code, int) else 0,
        comment=str(status.get("comment", "")),
        data=_object(fields.get("responseData")),
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
