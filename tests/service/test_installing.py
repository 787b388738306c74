"""`mafia-table install` below a folder of its own: systemd takes the unit, finds it hardened, and nothing is left."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from aiohttp import ClientSession

from controller.service import caring, installing
from controller.service.settings import settings
from tests.scenes.real_obs import free_port
from tests.service.waiting import comes_true

PROGRAM = Path(sys.executable).with_name("mafia-table")
MOST_EXPOSED = 2.5
"""Of 10, as `systemd-analyze security` counts."""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_install_writes_what_it_says_and_uninstall_takes_it_away(tmp_path: Path) -> None:
    said = run(str(PROGRAM), "install", "--root", str(tmp_path), "--lang", "en")
    assert said.returncode == 0, said.stderr
    there = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert len(there) == len(installing.files(PROGRAM)) == 6
    for path in there:
        assert str(path) in said.stdout.replace("\n", "")
    known = settings(tmp_path / "etc/mafia-table/table.toml")
    assert not known.faults
    assert known.data == installing.DATA
    assert known.copies.folders == (str(installing.STICK / "table"),)
    # Again, over one's own settings: they stay.
    (tmp_path / "etc/mafia-table/table.toml").write_text("# my own\n")
    assert run(str(PROGRAM), "install", "--root", str(tmp_path)).returncode == 0
    assert (tmp_path / "etc/mafia-table/table.toml").read_text() == "# my own\n"
    data = tmp_path / "var/lib/mafia-table"
    data.mkdir(parents=True)
    (data / "journal.sqlite").write_text("games")
    assert run(str(PROGRAM), "uninstall", "--root", str(tmp_path)).returncode == 0
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {"table.toml", "journal.sqlite"}
    assert run(str(PROGRAM), "uninstall", "--root", str(tmp_path), "--games").returncode == 0
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_folder_that_may_not_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("no folder")
    said = run(str(PROGRAM), "install", "--root", str(tmp_path), "--lang", "en")
    assert said.returncode == 2
    assert "administrator" in said.stderr
    assert "Traceback" not in said.stderr


def test_systemd_takes_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not on this machine")
    installing.install(tmp_path, PROGRAM)
    unit = tmp_path / installing.UNIT.relative_to("/")
    verified = run("systemd-analyze", "verify", "--man=no", str(unit))
    complaints = [line for line in verified.stderr.splitlines() if "mafia-table" in line]
    assert not complaints
    judged = run("systemd-analyze", "security", "--offline=yes", "--no-pager", str(unit))
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", judged.stdout)
    assert exposure, judged.stdout + judged.stderr
    print(f"exposure {exposure[1]} of 10")
    assert float(exposure[1]) <= MOST_EXPOSED


def test_what_the_unit_may_write_is_the_data_and_the_stick(tmp_path: Path) -> None:
    unit = installing.files(PROGRAM)[installing.UNIT]
    assert "ProtectSystem=strict" in unit
    assert re.findall(r"^ReadWritePaths=(.*)$", unit, re.MULTILINE) == [f"-{installing.STICK}"]
    assert "StateDirectory=mafia-table" in unit
    assert re.findall(r"^CPUWeight=(\d+)$", unit, re.MULTILINE) == ["1000"]
    assert re.findall(r"^WatchdogSec=(\d+)$", unit, re.MULTILINE) == ["10"]


def test_a_program_that_the_service_would_not_see_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(*_: object) -> dict[Path, str]:
        raise AssertionError("this machine was about to be written to")

    monkeypatch.setattr(installing, "files", nothing)
    monkeypatch.setattr(installing, "_tell", nothing)
    monkeypatch.setattr(installing, "this_program", lambda: Path("/home/pi/table/.venv/bin/mafia-table"))
    with pytest.raises(typer.Exit):
        caring.install(lang="en")
    assert "/opt" in capsys.readouterr().err


def test_what_is_installed_is_compiled_since_the_service_may_not_write_beside_it(tmp_path: Path) -> None:
    house = tmp_path / "house"
    for room in ("controller", "hardware", "firmware_bridge", "scenes"):
        shutil.copytree(installing.HOUSE / room, house / room, ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from controller.service import installing\n"
        "assert str(installing.HOUSE) == sys.argv[1], installing.HOUSE\n"
        "installing.compile_ahead()\n"
    )
    done = run(sys.executable, "-B", "-c", code, str(house))
    assert done.returncode == 0, done.stderr
    sources = {path.relative_to(house) for path in house.rglob("*.py") if "firmware" not in path.parts}
    compiled = {
        path.parent.parent.relative_to(house) / (path.name.partition(".")[0] + ".py") for path in house.rglob("*.pyc")
    }
    assert sources <= compiled
    assert len(sources) > 100


async def test_a_table_writes_to_its_data_and_its_stick_and_to_nothing_else(tmp_path: Path) -> None:
    """So the root file system may be read-only."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed: make setup")
    data, stick, trace, port = tmp_path / "data", tmp_path / "stick", tmp_path / "trace", free_port()
    (tmp_path / "table.toml").write_text(f'[copies]\nfolders = ["{stick}"]\n[sound]\non = false\n')
    traced = await asyncio.create_subprocess_exec(
        "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=%file", "-o", trace,
        PROGRAM, "serve", "--config", tmp_path / "table.toml", "--data", data, "--port", str(port),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, start_new_session=True,
    )  # fmt: skip
    async with ClientSession() as session:
        while True:
            try:
                async with session.get(f"http://127.0.0.1:{port}/health"):
                    break
            except OSError:
                if traced.returncode is not None:
                    assert traced.stderr is not None
                    pytest.skip(f"no process may be traced here: {(await traced.stderr.read()).decode()}")
                await asyncio.sleep(0.02)
    await comes_true(lambda: (stick / "journal.sqlite").exists())
    os.killpg(traced.pid, signal.SIGINT)
    await traced.wait()
    changes = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|^\d+ +(?:mkdir|rename|unlink|rmdir|symlink|link|chmod|truncate)")
    written = {
        path
        for line in trace.read_text(errors="replace").splitlines()
        if changes.search(line) and "= -1" not in line
        for path in re.findall(r'"(/[^"]*)"', line)
    }
    assert any(path.startswith(f"{data}/journal.sqlite") for path in written)
    assert any(path.startswith(f"{stick}/journal.sqlite") for path in written)
    allowed = (str(data), str(stick), "/dev/", "/proc/self/")
    assert not [path for path in written if not path.startswith(allowed)], "another place was written to"
