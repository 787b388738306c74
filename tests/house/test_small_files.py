"""Small files are written whole or not at all, on disks that really are full."""

import errno
import os
import stat
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from controller.small_files import no_room, write_whole


@pytest.fixture
def full(tmp_path: Path) -> Generator[Path]:
    """A disk with room for one file of a page, which `kept` is, and for nothing else."""
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True)
    if done.returncode != 0:
        pytest.skip("no disk may be mounted here")
    write_whole(place / "kept", b"before")
    with pytest.raises(OSError, match="No space"):
        (place / "filling").write_bytes(bytes(1 << 20))
    yield place
    subprocess.run(["umount", "-l", str(place)], check=False)


def test_what_stood_there_stands_until_the_new_one_is_whole(tmp_path: Path):
    path = tmp_path / "kept"
    write_whole(path, b"one", mode=0o600)
    write_whole(path, b"two", mode=0o600)
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_keeps_what_stood_there_and_nothing_lies_about(full: Path):
    with pytest.raises(OSError, match="No space") as raised:
        write_whole(full / "kept", b"after" * 10_000)
    assert no_room(raised.value)
    assert (full / "kept").read_bytes() == b"before"
    assert not (full / "kept.new").exists()


def test_what_a_write_that_was_killed_has_left_is_in_nobodys_way(tmp_path: Path):
    (tmp_path / "kept.new").write_bytes(b"half")
    write_whole(tmp_path / "kept", b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_the_file_is_on_the_disk_before_its_name_and_the_name_before_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    seen: list[str] = []
    fsync, replace = os.fsync, Path.replace
    folder = tmp_path.stat().st_ino

    def synced(opened: int) -> None:
        seen.append("folder" if os.fstat(opened).st_ino == folder else "file")
        fsync(opened)

    def named(path: Path, target: Path) -> Path:
        seen.append("name")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", named)
    write_whole(tmp_path / "kept", b"whole")
    assert seen == ["file", "name", "folder"]


def test_which_faults_are_a_full_disk():
    assert no_room(OSError(errno.ENOSPC, ""))
    assert no_room(OSError(errno.EDQUOT, ""))
    assert not no_room(OSError(errno.EIO, ""))
    assert not no_room(ValueError())
