"""Ends a process that asyncio watches: asyncio alone may ask the system what became of it.

`Process.kill` asks too, and where it comes first asyncio has lost the process: it warns of an unknown child and knows
no status.
"""

import asyncio
import os
import signal
from contextlib import suppress


def kill(process: asyncio.subprocess.Process) -> None:
    """Ends `process` at once, if it has not ended. Returns without waiting for it."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def end(process: asyncio.subprocess.Process) -> None:
    """Ends `process` and waits until it is gone."""
    kill(process)
    await process.wait()
