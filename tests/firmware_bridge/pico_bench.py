"""The real firmware under MicroPython's Unix port, on a board whose pins are moved from here."""

import asyncio
import os
import pty
import shutil
import signal
import struct
import subprocess
import time
import tty
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

from firmware_bridge.flashing import copy_to
from hardware.wiring import WiringMap

ROOT = Path(__file__).parents[2]
LOCAL = ROOT / ".tools" / "micropython" / "micropython"
BOARD = Path(__file__).parent / "pico"
TICK_START = (1 << 30) - 5_000_000
"""The counter wraps five seconds after the start, in every test."""


AHEAD_US = 20_000
"""How long before its time an edge is told to a board in real time."""

WATCHDOG_BIT, RESET, ALLOCATED = 42, 43, 44
"""The stand-in board's exit codes."""


def micropython() -> str:
    """Return the interpreter, or skip."""
    found = str(LOCAL) if LOCAL.exists() else shutil.which("micropython")
    if found is None:
        pytest.skip(f"no micropython on PATH and none at {LOCAL.relative_to(ROOT)}")
    return found


class Pico:
    """One board: a folder with what was copied to it, and a process while it has power."""

    def __init__(self, folder: Path, wiring: WiringMap, *, chip: str = "test") -> None:
        """`chip` makes the device's id its own."""
        self.folder = folder
        self.wiring = wiring
        self.chip = chip
        self.process: subprocess.Popen[bytes] | None = None
        self.levels: dict[int, int] = {}
        self.crossings: dict[tuple[int, int], bool] = {}
        copy_to(folder, wiring)

    def power_on(
        self,
        stdin: int | IO[bytes],
        stdout: int | IO[bytes],
        *,
        zero_us: int | None = None,
        lockstep: bool = False,
        drift_ppm: int = 0,
        latency_us: int = 0,
    ) -> None:
        """Start the firmware with its cable's two ends."""
        control, self.control = os.pipe()
        self.told, told = os.pipe()
        environment: Mapping[str, str] = {
            **os.environ,
            "MICROPYPATH": f"{BOARD}:{self.folder}",
            "PICO_CONTROL": str(control),
            "PICO_TOLD": str(told),
            "PICO_ZERO": str(time.monotonic_ns() // 1000 if zero_us is None else zero_us),
            "PICO_ID": self.chip,
            "PICO_LOCKSTEP": "1" if lockstep else "",
            "PICO_DRIFT_PPM": str(drift_ppm),
            "PICO_START": str(TICK_START),
            "PICO_LATENCY_US": str(latency_us),
            "PICO_LEVELS": " ".join(f"{pin}={level}" for pin, level in self.levels.items()),
            "PICO_KEYS": " ".join(f"{column}={row}" for (column, row), down in self.crossings.items() if down),
        }
        self.process = subprocess.Popen(
            [micropython(), "main.py"],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=environment,
            pass_fds=[control, told],
        )
        os.close(control)
        os.close(told)

    def power_off(self) -> str:
        """Pull the plug. Return what the firmware wrote to its standard error."""
        assert self.process
        assert self.process.stderr
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        said = self.process.stderr.read().decode()
        self.process.wait()
        self.process.stderr.close()
        os.close(self.control)
        os.close(self.told)
        self.process = None
        return said

    @property
    def id(self) -> str:
        """What the device calls itself."""
        return f"pico-e660{self.chip.encode().hex()}"

    def put(self, key: str, down: bool, at_us: int) -> None:
        """Let the contact of `key` move at `at_us`, monotonic microseconds, which should lie ahead."""
        self.records(self.record(key, down, at_us))

    def quietly(self, key: str, down: bool, at_us: int) -> None:
        """Let the pin of `key` change without an interrupt."""
        level = self.wiring.closed_level(key) if down else 1 - self.wiring.closed_level(key)
        self.records(struct.pack("<BBBBxxxxq", ord("Q"), self.wiring.pins[key], level, 0, at_us))

    def close_before_power(self, key: str) -> None:
        """Let the contact of `key` be closed when the power comes."""
        self.record(key, True, 0)

    def record(self, key: str, down: bool, at_us: int) -> bytes:
        place = self.wiring.place_in_matrix(key)
        if place:
            self.crossings[place] = down
            return struct.pack("<BBBBxxxxq", ord("K"), place[0], place[1], down, at_us)
        pin = self.wiring.pins[key]
        level = self.wiring.closed_level(key) if down else 1 - self.wiring.closed_level(key)
        self.levels[pin] = level
        return struct.pack("<BBBBxxxxq", ord("E"), pin, level, 0, at_us)

    def moment(self, at_us: int) -> bytes:
        """Return the record that moves the clock of a board in lockstep."""
        return struct.pack("<BBBBxxxxq", ord("T"), 0, 0, 0, at_us)

    def records(self, data: bytes) -> None:
        """Give the board records in one piece."""
        os.write(self.control, data)


def now_us() -> int:
    return time.monotonic_ns() // 1000


class Cable:
    """A board on a pseudo-terminal that can be cut, and that can come back under another name."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.cut = False
        self.ports: list[str] = []
        self._ends: list[int] = []
        self._master = self._slave = -1
        self.power_on()
        self.plug_in()

    def power_on(self) -> None:
        there, self._there = os.pipe()
        self._back, back = os.pipe()
        self.pico.power_on(there, back, latency_us=100)
        os.close(there)
        os.close(back)
        asyncio.get_running_loop().add_reader(self._back, self._carry, self._back, lambda: self._master)

    def power_off(self) -> str:
        asyncio.get_running_loop().remove_reader(self._back)
        os.close(self._there)
        os.close(self._back)
        return self.pico.power_off()

    def plug_in(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.ports = [os.ttyname(self._slave)]
        asyncio.get_running_loop().add_reader(self._master, self._carry, self._master, lambda: self._there)

    def unplug(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)
        self._master = -1
        self.ports = []

    def _carry(self, source: int, target: Callable[[], int]) -> None:
        data = os.read(source, 4096)
        if not data:
            asyncio.get_running_loop().remove_reader(source)
        if not self.cut and target() >= 0:
            os.write(target(), data)


def put(pico: Pico, key: str, down: bool) -> int:
    """Let a contact move soon, in real time. Return when, in nanoseconds."""
    at = now_us() + AHEAD_US
    pico.put(key, down, at)
    return at * 1000
