"""Small files that are kept beside the journal: written whole or not at all, also when the power goes."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


def write_whole(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Puts `data` on the disk in place of what stands in `path`; a new file has the rights `mode`. Raises OSError; then
    what stood there is untouched and nothing half written is left beside it."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Puts on the disk which names stand in `folder`: a new name, too, must outlive a power cut. Raises OSError."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def no_room(error: BaseException | None) -> bool:
    """Whether `error` says that the disk, or this user's part of it, is full."""
    return isinstance(error, OSError) and error.errno in _FULL
