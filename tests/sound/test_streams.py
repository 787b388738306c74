"""The sound server's streams are watched with a `pactl` that is there one moment and gone the next."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from controller.sound import streams
from controller.sound.ending import end

ENDINGS = 60


async def test_a_pactl_that_ends_by_itself_is_nobodys_unknown_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    pactl = tmp_path / "pactl"
    pactl.write_text("#!/bin/sh\necho \"Event 'change' on sink-input #1\"\n")
    pactl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(streams, "_AGAIN_S", 0.0)
    seen, enough = 0, asyncio.Event()

    def changed() -> None:
        nonlocal seen
        seen += 1
        if seen == ENDINGS:
            enough.set()

    watching = asyncio.create_task(streams.watch_streams(changed))
    async with asyncio.timeout(60):
        await enough.wait()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    assert "Unknown child" not in caplog.text


@pytest.mark.parametrize("wait", [lambda: asyncio.sleep(0), lambda: asyncio.sleep(0.05)])
async def test_a_process_that_is_ended_is_known_by_its_status(
    caplog: pytest.LogCaptureFixture, wait: Callable[[], Awaitable[None]]
):
    process = await asyncio.create_subprocess_exec("sh", "-c", "exit 3")
    await wait()
    await end(process)
    assert process.returncode in (3, -9)
    assert "Unknown child" not in caplog.text
