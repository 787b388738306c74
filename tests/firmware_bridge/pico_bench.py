"""The real firmware under MicroPython's Unix port, on a board whose pins are moved from here."""

import os
import shutil
import signal
import struct
import subprocess
import time
from collections.abc import Mapping
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

    def __init__(self, folder: Path, wiring: WiringMap) -> None:
        self.folder = folder
        self.wiring = wiring
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
