"""set-up/prepare, run in a copy of its own with stand-ins for the machine's commands: what it cannot do it says
in one sentence, and it touches nothing before it has said it."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
LISTS = sorted((HOUSE / "set-up").glob("packages-*.txt"))


@dataclass(frozen=True)
class Machine:
    """A copy of the set-up and a folder of commands that come before the machine's own."""

    house: Path
    commands: Path

    def has(self, command: str, script: str) -> None:
        """Put a shell script in the place of `command`."""
        path = self.commands / command
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def needs(self, package: str) -> None:
        """Let `make run` need a package that is not there."""
        (self.house / "set-up" / "packages-run.txt").write_text(f"{package}: false\n", encoding="utf-8")

    def prepare(self, python: str = sys.executable, *, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
        """Run the set-up for `make run` and return what it said and its exit code."""
        return subprocess.run(
            [self.house / "set-up" / "prepare", "run"],
            env={"PATH": f"{self.commands}:{path}", "PYTHON": python, "HOME": str(self.house)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    house, commands = tmp_path / "house", tmp_path / "commands"
    commands.mkdir()
    shutil.copytree(HOUSE / "set-up", house / "set-up")
    shutil.copy(HOUSE / "pyproject.toml", house)
    return Machine(house, commands)


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one sentence with which the set-up ended."""
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert last.startswith("set-up: ")
    return last


def test_an_old_python_is_refused_with_a_sentence_before_anything_is_made(machine: Machine):
    machine.has("old-python", "echo 3.9.2")
    said = refusal(machine.prepare("old-python"))
    assert "needs Python 3.11 or newer and old-python is 3.9.2" in said
    assert not (machine.house / ".venv").exists()


def test_a_python_of_two_digits_is_newer_than_one_of_one(machine: Machine):
    """3.9 is older than 3.11 although 9 is more than 1; and 3.11.0 itself will do."""
    machine.has("new-python", "case $1 in -c) echo 3.11.0 ;; *) echo no venv here; exit 1 ;; esac")
    machine.needs("made-up-package")
    machine.has("apt-get", "exit 0")
    said = refusal(machine.prepare("new-python"))
    assert "needs Python" not in said


def test_a_python_that_does_not_start_is_named(machine: Machine):
    machine.has("broken-python", "exit 3")
    assert "broken-python does not start" in refusal(machine.prepare("broken-python"))


def without_rights(machine: Machine) -> None:
    machine.has("id", "echo 1000")
    machine.has("sudo", "exit 1")


def test_without_rights_it_says_what_to_type(machine: Machine):
    machine.needs("made-up-package")
    machine.has("apt-get", "touch called; exit 1")
    without_rights(machine)
    said = refusal(machine.prepare())
    assert said.endswith("sudo apt-get install -y --no-install-recommends made-up-package")
    assert not (machine.house / "called").exists()


def test_on_another_system_it_names_what_to_install_by_hand(machine: Machine, tmp_path: Path):
    machine.needs("made-up-package")
    # A machine that has everything but apt-get.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for command in ("env", "bash", "dirname", "mkdir", "flock", "sort", "head", "cat", "grep", "id"):
        (elsewhere / command).symlink_to(shutil.which(command) or command)
    said = refusal(machine.prepare(path=str(elsewhere)))
    assert "not Debian or Raspberry Pi OS" in said
    assert "made-up-package" in said


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("Err:1 Temporary failure resolving 'mirror'; E: Unable to locate package", "There is no network"),
        ("E: You don't have enough free space: No space left on device", "The disk is full"),
        ("Certificate verification failed: The certificate is NOT trusted.", "this machine's clock is right"),
        ("E: Unable to locate package made-up-package", "E: Unable to locate package made-up-package"),
    ],
)
def test_when_apt_fails_the_sentence_says_why(machine: Machine, printed: str, expected: str):
    machine.needs("made-up-package")
    machine.has("id", "echo 0")
    machine.has("apt-get", f'echo "{printed}"; exit 100')
    assert expected in refusal(machine.prepare())


def test_packages_that_are_there_are_not_asked_for(machine: Machine):
    (machine.house / "set-up" / "packages-run.txt").write_text("here: true\n", encoding="utf-8")
    machine.has("apt-get", "touch called")
    machine.has("half-python", "case $1 in -c) echo 3.11.0 ;; *) echo error: no venv here; exit 1 ;; esac")
    assert "making .venv with Python 3.11.0: error: no venv here" in refusal(machine.prepare("half-python"))
    assert not (machine.house / "called").exists()


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_a_list_of_packages_is_well_formed(path: Path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.fullmatch(r"[a-z0-9][a-z0-9+.-]+(: \S.*)?", line), f"{path.name}: {line}"
    names = [line.partition(":")[0] for line in lines]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_the_proofs_in_a_list_are_shell(path: Path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") and ": " in line:
            proof = line.partition(": ")[2]
            assert subprocess.run(["bash", "-n", "-c", proof], check=False).returncode == 0, line


def test_the_systems_lgpio_is_borrowed_where_no_wheel_is_to_be_had(tmp_path: Path):
    prepare = (HOUSE / "set-up" / "prepare").read_text(encoding="utf-8")
    borrow = re.search(r"^borrow_lgpio\(\) \{.*?^\}", prepare, re.MULTILINE | re.DOTALL)
    assert borrow is not None
    assert re.search(r"^install_python_packages\nborrow_lgpio$", prepare, re.MULTILINE)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    system = tmp_path / "system"
    system.mkdir()
    for name in ("lgpio", "_lgpio"):
        (system / f"{name}.py").write_text("")
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={system} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    script = f"set -euo pipefail; python_version=3.13; uname() {{ echo aarch64; }}; {borrow[0]}; borrow_lgpio"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "SYSTEM_PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    subprocess.run([tmp_path / ".venv/bin/python", "-c", "import lgpio, _lgpio"], check=True)
