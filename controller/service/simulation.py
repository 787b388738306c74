"""The simulated table: a process of its own, reached over a pseudo-terminal as the real one is over its cable.

This room only starts it, presses its keys and hears its lamps; a process that dies is a cable that was pulled, and
another is plugged in.
"""

import asyncio
import contextlib
import json
import logging
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hardware.wiring import TEN_SEATS_AND_BOARD, Wiring

AGAIN_AFTER_S: Final = 0.3
LONGEST_WAIT_S: Final = 5.0
ENDS_WITHIN_S: Final = 1.0
SHORTEST_PRESS_S: Final = 0.06
"""A tap on a screen can be shorter than any finger's, and the debounce would take it for a glitch."""

log = logging.getLogger(__name__)


class Simulation:
    """Keeps one simulated table running."""

    def __init__(
        self,
        port: Path,
        on_lamps: Callable[[Mapping[str, str]], None],
        *,
        wiring: Wiring = TEN_SEATS_AND_BOARD,
        bounce_ms: float = 4.0,
    ) -> None:
        """`port` becomes the link to the terminal."""
        self.port = port
        self.lamps: Mapping[str, str] = {}
        self.keys: tuple[str, ...] = tuple(key for key in wiring if key is not None)
        self._on_lamps = on_lamps
        self._bounce_ms = bounce_ms
        self._pressed_at: dict[str, float] = {}
        self._process: Process | None = None
        self._ready = asyncio.Event()

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.returncode is None

    @property
    def process_id(self) -> int | None:
        """The process' id while it runs."""
        return self._process.pid if self._process is not None and self.running else None

    def press(self, key: str, *, down: bool, in_ms: float = 0) -> bool:
        """Moves one contact; whether there is a table that could. Raises ValueError for an unknown key."""
        if key not in self.keys:
            raise ValueError(key)
        order: dict[str, Any] = {"key": key, "down": down}
        now = time.monotonic()
        if down:
            self._pressed_at[key] = now + in_ms / 1000
        else:
            in_ms = max(in_ms, (self._pressed_at.get(key, 0) + SHORTEST_PRESS_S - now) * 1000)
        if in_ms > 0:
            order["in_ms"] = round(in_ms, 1)
        return self.say(order)

    def say(self, order: Mapping[str, Any]) -> bool:
        """Gives the process one of its own orders; whether it was there to hear it."""
        process = self._process
        if process is None or process.stdin is None or not self.running or process.stdin.is_closing():
            return False
        process.stdin.write(json.dumps(order).encode() + b"\n")
        return True

    async def ready(self) -> None:
        """Returns once a terminal is there."""
        await self._ready.wait()

    async def run(self) -> None:
        """Keeps the process until cancelled; then it has ended."""
        wait = AGAIN_AFTER_S
        try:
            while True:
                began = asyncio.get_running_loop().time()
                try:
                    await self._live()
                except OSError as error:
                    log.warning("the simulated table does not start: %s", error)
                wait = AGAIN_AFTER_S if asyncio.get_running_loop().time() - began > LONGEST_WAIT_S else wait
                log.info("the simulated table has gone; another is plugged in")
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT_S)
        finally:
            await self._end()

    async def _live(self) -> None:
        """One life of the process."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "firmware_bridge.simulated",
            "--link",
            str(self.port),
            "--bounce-ms",
            str(self._bounce_ms),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            # Ctrl-C is for the service alone: it ends the process in order.
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                self._hear(line)
        finally:
            self._ready.clear()
        await process.wait()

    def _hear(self, line: bytes) -> None:
        try:
            said: dict[str, Any] = json.loads(line)
        except ValueError:
            return
        match said:
            case {"lamps": dict()}:
                self.lamps = said["lamps"]
                self._on_lamps(self.lamps)
            case {"port": _}:
                self._ready.set()
            case {"error": error}:
                log.warning("the simulated table did not understand: %s", error)
            case _:
                pass

    async def _end(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        if process.stdin is not None:
            process.stdin.close()  # it ends with its input
        try:
            await asyncio.wait_for(process.wait(), ENDS_WITHIN_S)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
