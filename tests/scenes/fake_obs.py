"""A stand-in for OBS, for what the real one will not do on demand: it is not ready, answers late, loses answers and
events, hangs up in the middle of a request, greets nobody, or is of another age."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from scenes.client import Address

SALT, CHALLENGE = "salt", "challenge"
OK = {"result": True, "code": 100}


@dataclass
class FakeObs:
    """One OBS with scenes; what it does wrong is set from outside, also while it runs."""

    password: str = ""
    scenes: list[str] = field(default_factory=lambda: ["Table", "Night", "Vote", "Drone"])
    program: str = "Table"
    studio: bool = False
    recording: bool = False
    replays: bool = True
    transition: str = "Fade"
    duration: int = 300
    """Of the transition, milliseconds."""
    not_ready: int = 0
    """So many requests are answered with 207."""
    late: float = 0.0
    """Seconds that every answer takes."""
    loses_answers_to: set[str] = field(default_factory=set)
    loses_events: bool = False
    holds_events: bool = False
    """Events wait until `let_events_go`, as those of a scene do until the transition is over."""
    inputs: set[str] = field(default_factory=set)
    """Sources that are no scenes."""
    only_says_so: int = 0
    """So many switches are answered with success and not done."""
    hangs_up_at: set[str] = field(default_factory=set)
    greets: bool = True
    age: int = 5
    frames: int = 100
    asked: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._sockets: set[web.WebSocketResponse] = set()
        self._held: list[tuple[str, dict[str, Any]]] = []
        self._runner: web.AppRunner | None = None
        self.port = 0

    @property
    def address(self) -> Address:
        """Where it listens."""
        return Address("127.0.0.1", self.port, self.password)

    async def start(self, port: int = 0) -> "FakeObs":
        """Listens."""
        app = web.Application()
        app.router.add_get("/", self._serve)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def stop(self) -> None:
        """It is gone, and its connections with it."""
        for one in list(self._sockets):
            one._writer.transport.abort()  # type: ignore[union-attr]
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def producer_switches(self, scene: str, *, silently: bool = False) -> None:
        """Somebody clicks on a scene in OBS itself."""
        self.program = scene
        if not silently:
            await self.event("CurrentProgramSceneChanged", sceneName=scene)

    async def event(self, name: str, **data: Any) -> None:
        """An event for everybody."""
        if self.loses_events:
            return
        if self.holds_events:
            self._held.append((name, data))
            return
        message = {"op": 5, "d": {"eventType": name, "eventIntent": 4, "eventData": data}}
        for one in list(self._sockets):
            await one.send_str(json.dumps(message))

    async def let_events_go(self) -> None:
        """What was held comes now, in order."""
        self.holds_events = False
        held, self._held = self._held, []
        for name, data in held:
            await self.event(name, **data)

    def requests(self, name: str) -> list[Mapping[str, Any]]:
        """What was asked by that name."""
        return [data for asked, data in self.asked if asked == name]

    # --- the protocol

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.connections += 1
        self._sockets.add(socket)
        try:
            if self.greets and self.age == 5:
                await self._greet(socket)
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._message(socket, json.loads(message.data))
        finally:
            self._sockets.discard(socket)
        return socket

    async def _greet(self, socket: web.WebSocketResponse) -> None:
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.1.0", "rpcVersion": 1}
        if self.password:
            hello["authentication"] = {"salt": SALT, "challenge": CHALLENGE}
        await socket.send_str(json.dumps({"op": 0, "d": hello}))

    async def _message(self, socket: web.WebSocketResponse, said: Mapping[str, Any]) -> None:
        if "request-type" in said:
            if self.age == 4:
                await socket.send_str(json.dumps({"message-id": said["message-id"], "status": "ok"}))
            return
        data = said["d"]
        match said["op"]:
            case 1:
                if self.password and data.get("authentication") != _proof(self.password):
                    await socket.close(code=4009, message=b"Authentication failed.")
                else:
                    await socket.send_str(json.dumps({"op": 2, "d": {"negotiatedRpcVersion": 1}}))
            case 6:
                asyncio.get_running_loop().create_task(self._one(socket, data))
            case 8:
                asyncio.get_running_loop().create_task(self._batch(socket, data))
            case _:
                pass

    async def _one(self, socket: web.WebSocketResponse, data: Mapping[str, Any]) -> None:
        answer = await self._answer(socket, data)
        if answer is not None:
            await self._send(socket, {"op": 7, "d": {**answer, "requestId": data["requestId"]}})

    async def _batch(self, socket: web.WebSocketResponse, data: Mapping[str, Any]) -> None:
        answers = [await self._answer(socket, one) for one in data["requests"]]
        if None not in answers:
            await self._send(socket, {"op": 9, "d": {"requestId": data["requestId"], "results": answers}})

    async def _send(self, socket: web.WebSocketResponse, message: Mapping[str, Any]) -> None:
        if self.late:
            await asyncio.sleep(self.late)
        if not socket.closed:
            with suppress(ConnectionError):  # it was stopped in the middle of its answer
                await socket.send_str(json.dumps(message))

    async def _answer(self, socket: web.WebSocketResponse, asked: Mapping[str, Any]) -> dict[str, Any] | None:
        name, data = asked["requestType"], asked.get("requestData", {})
        self.asked.append((name, data))
        if name in self.hangs_up_at:
            self.hangs_up_at.discard(name)
            socket._writer.transport.abort()  # type: ignore[union-attr]
            return None
        if name in self.loses_answers_to:
            return None
        if self.not_ready > 0:
            self.not_ready -= 1
            return {"requestType": name, "requestStatus": {"result": False, "code": 207, "comment": "not ready"}}
        found = await self._do(name, data)
        if found is None:
            code = 602 if data.get("sceneName") in self.inputs else 600
            return {"requestType": name, "requestStatus": {"result": False, "code": code, "comment": "none of that"}}
        return {"requestType": name, "requestStatus": OK, "responseData": found}

    async def _do(self, name: str, data: Mapping[str, Any]) -> dict[str, Any] | None:
        self.frames += 1
        match name:
            case "SetCurrentProgramScene":
                if data["sceneName"] not in self.scenes:
                    return None
                if self.only_says_so > 0:
                    self.only_says_so -= 1
                elif data["sceneName"] != self.program:
                    self.program = data["sceneName"]
                    await self.event("CurrentProgramSceneChanged", sceneName=self.program)
                return {}
            case "GetCurrentProgramScene":
                return {"currentProgramSceneName": self.program}
            case "GetSceneList":
                rows = [{"sceneName": one, "sceneIndex": row} for row, one in enumerate(reversed(self.scenes))]
                preview = self.program if self.studio else None
                return {"currentProgramSceneName": self.program, "currentPreviewSceneName": preview, "scenes": rows}
            case "GetStudioModeEnabled":
                return {"studioModeEnabled": self.studio}
            case "GetStats":
                return {"renderTotalFrames": self.frames, "activeFps": 30.0}
            case "GetSceneTransitionList":
                rows = [{"transitionName": "Cut"}, {"transitionName": "Fade"}]
                return {"currentSceneTransitionName": self.transition, "transitions": rows}
            case "GetCurrentSceneTransition":
                fixed = self.transition == "Cut"
                return {"transitionName": self.transition, "transitionDuration": None if fixed else self.duration}
            case "SetCurrentSceneTransition":
                self.transition = data["transitionName"]
                await self.event("CurrentSceneTransitionChanged", transitionName=self.transition)
                return {}
            case "SetCurrentSceneTransitionDuration":
                self.duration = data["transitionDuration"]
                await self.event("CurrentSceneTransitionDurationChanged", transitionDuration=self.duration)
                return {}
            case "GetVersion":
                return {"obsVersion": "29.0.2", "availableRequests": ["SaveReplayBuffer", "CreateRecordChapter"]}
            case "GetProfileParameter":
                return {"parameterValue": None, "defaultParameterValue": None}
            case "GetRecordStatus":
                return {"outputActive": self.recording, "outputDuration": 1000}
            case "GetReplayBufferStatus":
                return {"outputActive": self.replays}
            case _ if name.startswith("Get"):
                return {"outputActive": False}
            case _:
                return {}


def _proof(password: str) -> str:
    secret = base64.b64encode(hashlib.sha256(f"{password}{SALT}".encode()).digest())
    return base64.b64encode(hashlib.sha256(secret + CHALLENGE.encode()).digest()).decode()
