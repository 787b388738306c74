"""The moments beside the pages are what their script writes: nobody has mended a file by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.overlay.fixture_server import FIXTURES, moments


def test_every_fixture_is_as_it_is_written(tmp_path: Path) -> None:
    subprocess.run(["node", FIXTURES / "write.mjs", tmp_path], check=True, timeout=60)
    assert sorted(path.stem for path in tmp_path.iterdir()) == moments()
    for name in moments():
        file = f"{name}.json"
        assert (FIXTURES / file).read_bytes() == (tmp_path / file).read_bytes(), file
