"""`mafia-table install` below a folder of its own: systemd takes the unit, finds it hardened, and nothing is left."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from controller.service import caring, installing
from controller.service.settings import settings

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
