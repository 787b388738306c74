"""One mpv and its JSON IPC, kept alive: it is started, asked again and again whether it lives, ended when it does not
answer, and started anew. What it should be doing is told to it anew after every start.

The IPC runs over a socket pair, not over a path: mpv ends itself when our end is closed, so that none outlives the
service. One that is frozen cannot do that; the kernel ends it with us (`setpriv --pdeathsig`), and what was left over
even so is ended at the next start (`end_left_over`).
"""

import asyncio
import json
import logging
import os
import shutil
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from controller.sound.ending import end, kill

log = logging.getLogger(__name__)

End: TypeAlias = Literal["ended", "frozen", "asked"]
"""How an mpv came to its end: by itself, killed because it said nothing, or because a new one was wanted."""

STARTS_WITHIN_S: Final = 1.0
"""So long a new mpv has until its first answer; 0.1 to 0.5 s is usual. One that was frozen in its start must not cost
more than that; on a machine that is too busy, each try has twice as long as the one before."""
_SHORTEST_START_S: Final = 0.5
_TIMES_THE_USUAL: Final = 2.5
"""Once it is known how long a start takes here, one has so many times the slowest of the last, in place of a second."""
_LONGEST_START_S: Final = 8.0
ASKED_EVERY_S: Final = 0.2
ANSWERS_WITHIN_S: Final = 0.6
"""An mpv that says nothing for so long is frozen. An answer takes 1 ms."""
_LOOKS: Final = 12
"""How often one answer is looked for: a machine that is too busy to look does not take mpv for frozen."""
_WAITS_FOR_ITS_TURN: Final = 2
"""So many times longer is waited for one that wants the processor and does not get it."""
_AGAIN_AFTER_S: Final = (0.0, 0.0, 0.1, 0.2, 0.5, 1.0)
"""By how many lives in a row were short."""
_LIVED_S: Final = 0.5
"""One that lived so long did start; what ended it then is no reason to wait with the next."""
_SPARE_AFTER_S: Final = 5.0
"""Once an mpv has lived for so long, the one that would take its place is started: not while it begins to play itself,
since the start of another would take it the processor."""
_LINE: Final = 1 << 20
_UNSENT: Final = 1 << 16
MARK: Final = "MAFIA_TABLE_SOUND"
"""The environment variable that names whose mpv it is."""

_OPTIONS: Final = (
    "--idle=yes",
    "--no-config",
    "--no-terminal",
    "--no-video",
    "--audio-display=no",
    "--load-scripts=no",
    "--ytdl=no",
    "--osc=no",
    "--input-default-bindings=no",
    "--input-media-keys=no",
    "--gapless-audio=yes",
    "--ao=pulse,alsa",
    # A dead sound server turns the output to `null` instead of ending the file; it is watched for.
    "--audio-fallback-to-null=yes",
)


class NoPlayer(Exception):
    """There is no mpv on this machine."""


class NoAnswer(Exception):
    """mpv is not there, or says nothing."""


@dataclass(frozen=True, slots=True)
class _Started:
    """An mpv that was started, and our end of its IPC."""

    process: asyncio.subprocess.Process
    ours: socket.socket

    async def drop(self) -> None:
        """Ends it unused."""
        self.ours.close()
        await end(self.process)


class Player:
    """One mpv. All of it runs on one event loop; `tell` never waits."""

    def __init__(
        self,
        name: str,
        options: Sequence[str],
        *,
        mark: str,
        began: Callable[[], None],
        event: Callable[[Mapping[str, Any]], None],
        ended: Callable[[End], None],
        spare: bool = False,
    ) -> None:
        """`began` is called when a new mpv answers, `event` with each of its events, `ended` when it is gone, with how
        it ended. `mark` tells whose it is. `spare`: one more waits, idle, to take its place: starting one is the most
        of what a fault costs, and on a busy machine it can cost seconds."""
        self._name = name
        self._options = tuple(options)
        self._mark = mark
        self._began = began
        self._event = event
        self._ended = ended
        self._keeps_spare = spare
        self._spare: _Started | None = None
        self._asked_to_end = False
        self._writer: asyncio.StreamWriter | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._number = 0
        self._answered = False
        self._starts: deque[float] = deque(maxlen=5)

    @property
    def up(self) -> bool:
        """Whether it answers."""
        return self._writer is not None

    @property
    def pid(self) -> int | None:
        """Its process, while there is one."""
        return None if self._process is None else self._process.pid

    async def run(self) -> None:
        """Keeps an mpv until cancelled. Raises NoPlayer."""
        unanswered = short = 0
        try:
            while True:
                began, was_spare = time.monotonic(), self._spare is not None
                await self._live(min(self._patience * 2**unanswered, _LONGEST_START_S))
                unanswered = 0 if self._answered or was_spare else unanswered + 1
                short = 0 if self._answered and time.monotonic() - began > _LIVED_S else short + 1
                await asyncio.sleep(_AGAIN_AFTER_S[min(short, len(_AGAIN_AFTER_S) - 1)])
        finally:
            await self._end()
            await self._drop_spare()

    def tell(self, *command: Any) -> None:
        """Sends a command whose answer nobody waits for; nothing while there is no mpv."""
        self._send(command, 0)

    def tell_named(self, **command: Any) -> None:
        """The same with named arguments; `name` is the command."""
        self._send(command, 0)

    async def ask(self, *command: Any, within: float = ANSWERS_WITHIN_S) -> Any:
        """The answer's data. Raises NoAnswer, also where mpv refuses."""
        if self._writer is None:
            raise NoAnswer(self._name)
        return await self._ask(command, within)

    def restart(self) -> None:
        """Ends this mpv; the next one is started at once, and knows what the machine is like then."""
        self._asked_to_end = True
        self._kill()
        if self._spare is not None:
            kill(self._spare.process)

    # --- one life

    @property
    def _patience(self) -> float:
        """How long a start may take, as far as this machine is known, seconds."""
        usual = _TIMES_THE_USUAL * max(self._starts, default=STARTS_WITHIN_S)
        return min(max(usual, _SHORTEST_START_S), STARTS_WITHIN_S)

    async def _live(self, starts_within: float) -> None:
        self._answered = False
        began = time.monotonic()
        if self._asked_to_end or (self._spare is not None and self._spare.process.returncode is not None):
            await self._drop_spare()
        spare, self._spare, self._asked_to_end = self._spare, None, False
        started = await self._start() if spare is None else spare
        self._process = started.process
        reader, writer = await asyncio.open_unix_connection(sock=started.ours, limit=_LINE)
        frozen = False
        listening = asyncio.create_task(self._listen(reader), name=f"{self._name}: listening")
        self._writer = writer
        try:
            await self._ask(("get_property", "pid"), starts_within if spare is None else ANSWERS_WITHIN_S)
            self._answered = True
            if spare is None:
                self._starts.append(time.monotonic() - began)
            self._began()
            frozen = await self._watch(listening)
        except NoAnswer:
            frozen = not listening.done()
        finally:
            self._writer = None
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
            writer.close()
            await self._end()
            self._asked.clear()
        end: End = "asked" if self._asked_to_end else "frozen" if frozen else "ended"
        if end != "asked":
            log.warning("mpv (%s) %s", self._name, "was frozen" if frozen else "has ended")
        self._ended(end)

    async def _start(self) -> _Started:
        ours, its = socket.socketpair()
        try:
            return _Started(await self._spawn(its), ours)
        except BaseException:
            ours.close()
            raise
        finally:
            its.close()

    async def _look_after_spare(self) -> None:
        if self._spare is not None and self._spare.process.returncode is not None:
            await self._drop_spare()
        if self._spare is None:
            with suppress(OSError, NoPlayer):  # without one it goes on
                self._spare = await self._start()

    async def _drop_spare(self) -> None:
        spare, self._spare = self._spare, None
        if spare is not None:
            await spare.drop()

    async def _spawn(self, its: socket.socket) -> asyncio.subprocess.Process:
        mpv = shutil.which("mpv")
        if mpv is None:
            raise NoPlayer
        setpriv = shutil.which("setpriv")
        before = () if setpriv is None else (setpriv, "--pdeathsig", "KILL")
        number = its.fileno()
        return await asyncio.create_subprocess_exec(
            *before,
            mpv,
            *_OPTIONS,
            f"--audio-client-name=mafia-table {self._name}",
            f"--input-ipc-client=fd://{number}",
            *self._options,
            pass_fds=(number,),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, MARK: self._mark},
            # Ctrl-C in the terminal is the service's: it ends its mpv itself.
            start_new_session=True,
        )

    async def _watch(self, listening: asyncio.Task[None]) -> bool:
        """Asks until mpv is gone; True where it did not answer."""
        began = time.monotonic()
        while not listening.done():
            if self._keeps_spare and time.monotonic() - began > _SPARE_AFTER_S:
                await self._look_after_spare()
            try:
                await self._ask(("get_property", "pid"), ANSWERS_WITHIN_S)
            except NoAnswer:
                return not listening.done()
            await asyncio.wait((listening,), timeout=ASKED_EVERY_S)
        return False

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                said = json.loads(line)
                if "event" in said:
                    self._event(said)
                elif (future := self._asked.pop(said.get("request_id", 0), None)) is not None and not future.done():
                    future.set_result(said)
        except (ConnectionError, ValueError):
            pass  # it is gone, or says nothing that could be understood
        finally:
            # Whoever still waits for an answer gets none, and need not wait any longer to know it.
            for future in self._asked.values():
                future.cancel()

    async def _ask(self, command: Sequence[Any], within: float) -> Any:
        self._number += 1
        number = self._number
        future = self._asked[number] = asyncio.get_running_loop().create_future()
        try:
            self._send(command, number)
            looks, waits = _LOOKS, _WAITS_FOR_ITS_TURN
            while looks and not future.done():
                await asyncio.wait((future,), timeout=within / _LOOKS)
                looks -= 1
                states = _states(self.pid)
                if states == {"T"}:
                    break  # it was stopped, and cannot go on by itself
                if not looks and waits and "R" in states:
                    looks, waits = _LOOKS, waits - 1  # it would answer if the machine let it
            if not future.done() or future.cancelled():
                raise NoAnswer(self._name)
            answer = future.result()
            if answer.get("error") != "success":
                raise NoAnswer(str(answer.get("error")))
            return answer.get("data")
        finally:
            self._asked.pop(number, None)

    def _send(self, command: Sequence[Any] | Mapping[str, Any], number: int) -> None:
        writer = self._writer
        if writer is None or writer.transport.is_closing():
            return  # it is gone, which the watch is about to see
        if writer.transport.get_write_buffer_size() > _UNSENT:
            # It does not read; the watch will end it. What it should do is told to the next one anew.
            return
        writer.write(json.dumps({"command": command, "request_id": number}).encode() + b"\n")

    def _kill(self) -> None:
        if self._process is not None:
            kill(self._process)

    async def _end(self) -> None:
        process = self._process
        if process is None:
            return
        await end(process)
        self._process = None


def _states(pid: int | None) -> set[str]:
    """What the threads of a process are doing, in the kernel's letters; nothing where it is gone."""
    found: set[str] = set()
    with suppress(OSError):  # it may end between any two of these
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found.add((thread / "stat").read_text().rpartition(")")[2].split()[0])
    return found


def end_left_over(mark: str) -> int:
    """Ends every mpv that carries `mark`: one of a service that is no more. How many there were."""
    wanted = f"{MARK}={mark}".encode()
    ended = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            if (folder / "comm").read_text().strip() != "mpv":
                continue
            os.kill(int(folder.name), signal.SIGKILL)
        except OSError:
            continue  # another's, or gone meanwhile
        ended += 1
    if ended:
        log.warning("%d mpv left over from before ended", ended)
    return ended
