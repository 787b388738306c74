"""A simulated table in a process of its own, with all that belongs to it: what a test kills, measures or starves must
not be the test."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.scenes.real_obs import free_port
from tests.service.keeping import PROGRAM

ENDS_WITHIN_S = 10.0


@dataclass(frozen=True)
class Process:
    """A table in a process of its own."""

    pid: int
    port: int
    tokens: dict[str, str]
    """What its links carry, by scope."""

    @property
    def descriptors(self) -> int:
        """How many files and connections it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))  # noqa: PTH208 - names are enough


@asynccontextmanager
async def demo(
    place: Path,
    settings: str = "",
    environment: Mapping[str, str] | None = None,
    *,
    speed: float = 1,
    ends: bool = True,
) -> AsyncGenerator[Process]:
    """A simulated table that plays itself. It ends in order, or is to be killed."""
    port = free_port()
    (place / "table.toml").write_text(settings)
    with (place / "log.jsonl").open("wb") as log:
        child = await asyncio.create_subprocess_exec(
            PROGRAM, "demo", "--speed", str(speed), "--data", place / "data", "--config", place / "table.toml",
            "--port", str(port), stdout=asyncio.subprocess.PIPE, stderr=log,
            env={**os.environ, **(environment or {}), "MAFIA_TABLE_LOG": "json"},
        )  # fmt: skip
    assert child.stdout is not None
    tokens: dict[str, str] = {}
    try:
        while "table" not in tokens:
            line = (await asyncio.wait_for(child.stdout.readline(), 60)).decode()
            assert line, (place / "log.jsonl").read_text()
            if found := re.search(r"http://\S+?/(\w+)\S*#t=(\S+)", line):
                tokens[found[1]] = found[2]
        yield Process(child.pid, port, tokens)
        if not ends:
            return
        child.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(child.wait(), ENDS_WITHIN_S) == 0
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
