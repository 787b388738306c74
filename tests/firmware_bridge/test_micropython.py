"""The files that both sides use, run by a real MicroPython."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCAL = ROOT / ".tools" / "micropython" / "micropython"

PROGRAM = """
from firmware_bridge import frames
from firmware_bridge.device import Device

host = frames.Decoder()
device = Device("table", "test", "pico-1", 77, [False] * 29, (1 << 30) - 60000, ring=8)
now = (1 << 30) - 60000
device.receive(frames.pack(frames.HELLO, 0, 0, frames.PROTOCOL), now)
device.receive(frames.pack(frames.PING, 1, 77, 4000000000), now)
device.receive(frames.pack(frames.LAMPS, 1, 77, b"\\x04"), now)
for step in range(240):
    if step == 20:
        device.edge(3, True, now)
        device.edge(3, False, (now + 50) % (1 << 30))
        device.edge(3, True, (now + 100) % (1 << 30))
    if step == 120:
        device.edge(3, False, now)
    now = (now + 1000) % (1 << 30)
    device.receive(b"\\x55\\x00\\xff", now)
    device.advance(now)
    for kind, number, boot, values in host.feed(device.take()):
        if kind in (frames.IDENTITY, frames.PONG, frames.EDGE):
            print("%02X" % kind, boot, values)
print(device.lamps[1], frames.crc16(b"123456789"), host.damaged)
"""


def micropython() -> str:
    """Return the interpreter, or skip."""
    found = str(LOCAL) if LOCAL.exists() else shutil.which("micropython")
    if found is None:
        pytest.skip(f"no micropython on PATH and none at {LOCAL.relative_to(ROOT)}")
    return found


def test_device_frames_and_debounce_do_the_same_under_micropython_as_here():
    told = subprocess.run(
        [micropython(), "-c", PROGRAM],
        env={**os.environ, "MICROPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.stderr == ""
    lines = told.stdout.splitlines()
    start = (1 << 30) - 60000
    pressed, released = start + 20_000, (start + 120_000) % (1 << 30)
    assert lines[0] == f"81 77 [1, 30, 1000000, {start}, 1, 29, 'table', 'test', 'pico-1']"
    assert lines[1] == f"82 77 [4000000000, {start}]"
    assert lines[2] == f"83 77 [1, [(3, True, {pressed})]]"
    assert f"83 77 [1, [(3, True, {pressed}), (3, False, {released})]]" in lines or (
        f"83 77 [2, [(3, False, {released})]]" in lines
    )
    assert lines[-1] == "1 10673 0"
