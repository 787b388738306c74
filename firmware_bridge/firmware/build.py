"""Which program a device runs, told by what its files contain and not by a number that somebody forgets to raise.

The service reads this file too, so that both sides reckon the same way.
"""

import binascii
import hashlib

FILES = (
    "main.py",
    "firmware_bridge/__init__.py",
    "firmware_bridge/device.py",
    "firmware_bridge/frames.py",
    "firmware_bridge/firmware/__init__.py",
    "firmware_bridge/firmware/build.py",
    "firmware_bridge/firmware/contacts.py",
    "firmware_bridge/firmware/lamps.py",
    "firmware_bridge/firmware/pins.py",
    "firmware_bridge/firmware/port.py",
    "firmware_bridge/firmware/run.py",
    "hardware/__init__.py",
    "hardware/debounce.py",
)
PINS = "pins.json"
NOTHING = "none"


def build_of(open_file) -> str:
    """Return the build, "PROGRAM/PINS": eight hexadecimal digits each of a SHA-256, or "none" for a missing file.

    `open_file` opens a file by its name on the device, for reading bytes.
    """
    return _digest(FILES, open_file) + "/" + _digest((PINS,), open_file)


def _digest(names, open_file) -> str:
    whole = hashlib.sha256()
    for name in names:
        whole.update(name.encode() + b"\0")
        try:
            file = open_file(name)
        except OSError:
            return NOTHING
        try:
            while True:
                part = file.read(512)
                if not part:
                    break
                whole.update(part)
        finally:
            file.close()
    return binascii.hexlify(whole.digest()).decode()[:8]
