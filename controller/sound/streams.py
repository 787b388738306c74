"""Where the sound server really plays us. A stream can be moved to another card behind mpv's back: by the server when
the machine's default changes (HDMI plugged in), or by hand. mpv is not told, so the server is asked (`pactl`)."""

import asyncio
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from controller.sound.ending import end

_AGAIN_S: Final = 2.0


async def watch_streams(changed: Callable[[], None]) -> None:
    """Calls `changed` whenever a stream of the sound server has changed, until cancelled; returns at once where there
    is no `pactl`. A server that is not there is waited for."""
    pactl = shutil.which("pactl")
    if pactl is None:
        return
    while True:
        process = await asyncio.create_subprocess_exec(
            pactl,
            "subscribe",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                if b" sink-input #" in line or b" server" in line:
                    changed()
        finally:
            await end(process)
        await asyncio.sleep(_AGAIN_S)


async def sinks_of(pids: Iterable[int]) -> Mapping[int, str]:
    """The sink on which each process of `pids` plays, by the process; those that do not play are missing."""
    wanted = {str(pid): pid for pid in pids}
    streams, sinks = await _list("sink-inputs"), await _list("sinks")
    names = {row.get("index"): str(row.get("name", "")) for row in sinks}
    found: dict[int, str] = {}
    for row in streams:
        properties = cast("Mapping[str, Any]", row.get("properties", {}))
        pid = wanted.get(str(properties.get("application.process.id")))
        if pid is not None and row.get("sink") in names:
            found[pid] = names[row.get("sink")]
    return found


async def _list(what: str) -> list[Mapping[str, Any]]:
    pactl = shutil.which("pactl")
    if pactl is None:
        return []
    process = await asyncio.create_subprocess_exec(
        pactl,
        "--format=json",
        "list",
        what,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    said, _ = await process.communicate()
    try:
        read: object = json.loads(said)
    except ValueError:
        return []
    return cast("list[Mapping[str, Any]]", read) if isinstance(read, list) else []
