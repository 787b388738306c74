"""The simulated table: a process of its own that speaks the wire on a pseudo-terminal, as the microcontroller would.

    python -m firmware_bridge.simulated --link PATH

PATH becomes a symbolic link to the terminal. Commands come as JSON lines on standard input:

    {"key": "seat 4", "down": true}                  a hand rests now; "in_ms": 350 for later
    {"cut_ms": 2000}                                 the cable is out for two seconds
    {"vanish": true}                                 the terminal goes and another comes, under another name
    {"reboot": true}                                 power off and on: another boot id, an empty ring

Answers are JSON lines on standard output: {"port": ..., "device": ..., "boot": ...} at every start of a terminal or
of the device, {"lamps": {"seat 1": "on", ...}} whenever a lamp has changed, {"error": "..."} for a line that is no
command. It ends with its standard input, or with the process that started it.
"""

import argparse
import asyncio
import fcntl
import json
import os
import pty
import random
import sys
import time
import tty
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TextIO

from firmware_bridge.device import Device
from hardware.wiring import TEN_SEATS_AND_BOARD, Wiring

BUILD: Final = "simulated 1"
TICK_BITS: Final = 30
TICKS_PER_SECOND: Final = 1_000_000
BEAT_S: Final = 0.003
_STATES: Final = ("off", "on", "blink", "off")


class OccupiedError(Exception):
    """The link path belongs to somebody else. The text is a sentence for the person who chose it."""


class Counter:
    """A microcontroller's tick counter: microseconds, modulus 2^30, an arbitrary start, a crystal of its own."""

    def __init__(self, start: int, drift_ppm: float) -> None:
        self._start = start
        self._zero = time.monotonic_ns()
        self._rate = 1 + drift_ppm * 1e-6

    def now(self) -> int:
        """Return the counter's value now."""
        elapsed = time.monotonic_ns() - self._zero
        return (self._start + int(elapsed * self._rate / 1000)) % (1 << TICK_BITS)


class SimulatedTable:
    """Ten seats and a board, a device that watches them, and the terminal that it is plugged into."""

    def __init__(
        self,
        link: Path,
        device_id: str,
        drift_ppm: float,
        bounce_ms: float,
        chance: random.Random,
        out: TextIO,
        wiring: Wiring = TEN_SEATS_AND_BOARD,
    ) -> None:
        self._link = link
        self._device_id = device_id
        self._drift_ppm = drift_ppm
        self._bounce_ms = bounce_ms
        self._chance = chance
        self._out = out
        self._wiring = wiring
        self._closed = [False] * len(wiring)
        self._last_turn: list[asyncio.Task[None] | None] = [None] * len(wiring)
        self._tasks: set[asyncio.Task[None]] = set()
        self._cut_until = 0.0
        self._master = self._slave = -1
        self._lit = b""
        self._boot_device()

    async def run(self, commands: asyncio.StreamReader) -> None:
        """Serve until `commands` ends or the process that started this one has gone."""
        parent = os.getppid()
        self._plug_in()
        self._announce()
        beat = asyncio.create_task(self._beat(parent, commands))
        try:
            while line := await commands.readline():
                self._obey(line)
        finally:
            beat.cancel()
            for task in self._tasks:
                task.cancel()
            self._unplug()
            if self._link.is_symlink():
                self._link.unlink()

    def _obey(self, line: bytes) -> None:
        try:
            match json.loads(line):
                case {"key": str(key), "down": bool(down), **rest} if key in self._wiring:
                    self._turn(self._wiring.index(key), down, float(rest.get("in_ms", 0)) / 1000)
                case {"cut_ms": int() | float() as duration}:
                    self._cut_until = time.monotonic() + duration / 1000
                case {"vanish": True}:
                    self._unplug()
                    self._plug_in()
                    self._announce()
                case {"reboot": True}:
                    self._boot_device()
                    self._announce()
                case other:
                    self._say({"error": f"no such command: {other!r}"})
        except (ValueError, TypeError) as error:
            self._say({"error": f"not a command: {error}"})

    def _boot_device(self) -> None:
        self._counter = Counter(self._chance.randrange(1 << TICK_BITS), self._drift_ppm)
        self._boot = self._chance.randrange(1, 1 << 32)
        self._device = Device(
            "table",
            BUILD,
            self._device_id,
            self._boot,
            list(self._closed),
            self._counter.now(),
            TICK_BITS,
            TICKS_PER_SECOND,
        )

    def _turn(self, source: int, down: bool, delay: float) -> None:
        """Move one contact after `delay` seconds. Later moves of the same contact wait for the bounce of earlier."""
        if not delay and not self._bounce_ms:
            self._set(source, down)
            return
        task = asyncio.create_task(self._turn_later(source, down, delay, self._last_turn[source]))
        if not delay:
            self._last_turn[source] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _turn_later(self, source: int, down: bool, delay: float, before: "asyncio.Task[None] | None") -> None:
        await asyncio.sleep(delay)
        if before is not None:
            await asyncio.wait([before])
        self._set(source, down)
        end = time.monotonic() + self._bounce_ms / 1000
        while self._bounce_ms:
            await asyncio.sleep(self._chance.uniform(0, self._bounce_ms / 4000))
            if time.monotonic() >= end:
                break
            self._set(source, not self._closed[source])
        self._set(source, down)

    def _set(self, source: int, closed: bool) -> None:
        if closed != self._closed[source]:
            self._closed[source] = closed
            self._device.edge(source, closed, self._counter.now())

    async def _beat(self, parent: int, commands: asyncio.StreamReader) -> None:
        while os.getppid() == parent:
            self._serve()
            await asyncio.sleep(BEAT_S)
        commands.feed_eof()

    def _serve(self) -> None:
        """One turn of the firmware's loop."""
        now = self._counter.now()
        cut = time.monotonic() < self._cut_until
        data = b""
        with suppress(BlockingIOError):
            data = os.read(self._master, 4096)
        if data and not cut:
            self._device.receive(data, now)
        self._device.advance(now)
        out = self._device.take()
        if out and not cut:
            with suppress(BlockingIOError):  # nobody reads: the device sends again what matters
                os.write(self._master, out)
        lit = bytes(self._device.lamps)
        if lit != self._lit:
            self._lit = lit
            self._say({"lamps": {key: _STATES[lamp] for key, lamp in zip(self._wiring, self._lit, strict=True) if key}})

    def _plug_in(self) -> None:
        # The table's end is kept open here too: without it the terminal is hung up whenever the service lets go.
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        asyncio.get_running_loop().add_reader(self._master, self._serve)
        fresh = self._link.with_name(f"{self._link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self._link)

    def _unplug(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)

    def _announce(self) -> None:
        self._say({"port": os.ttyname(self._slave), "device": self._device_id, "boot": self._boot})

    def _say(self, line: dict[str, Any]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._out.flush()


def occupy(link: Path) -> int:
    """Take the link path for this process, until it ends. Return the lock's descriptor.

    Raises OccupiedError if another simulated table has it, or if something that is no link stands there.
    """
    if link.exists() and not link.is_symlink():
        raise OccupiedError(f"{link} is there already and is not a link: choose another path.")
    link.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(link.with_name(f"{link.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise OccupiedError(f"Another simulated table is on {link} already: end it, or choose another path.") from error
    return lock


async def _main(options: argparse.Namespace) -> None:
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    table = SimulatedTable(
        options.link, options.device, options.drift_ppm, options.bounce_ms, random.Random(options.seed), sys.stdout
    )
    # Whoever reads the answers may go first; the table then ends with its input.
    with suppress(BrokenPipeError):
        await table.run(commands)


def main() -> None:
    """Run the simulated table until its standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.simulated", description="The simulated table.")
    parser.add_argument("--link", type=Path, required=True, help="symbolic link to make to the terminal")
    parser.add_argument("--device", default="sim-1", help="the device's id (default: %(default)s)")
    parser.add_argument("--drift-ppm", type=float, default=0.0, help="how fast its crystal runs (default: 0)")
    parser.add_argument("--bounce-ms", type=float, default=0.0, help="how long contacts bounce (default: 0)")
    parser.add_argument("--seed", type=int, default=None, help="makes boot ids, start ticks and bounces repeatable")
    options = parser.parse_args()
    try:
        lock = occupy(options.link)
    except OccupiedError as sentence:
        sys.exit(str(sentence))
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(_main(options))
    finally:
        os.close(lock)


if __name__ == "__main__":
    main()
