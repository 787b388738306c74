"""Every command in the guides for people is one that works, and both languages have the same ones."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("mafia-table")
GUIDES = ("docs/guide.ru.md", "docs/guide.en.md", "docs/upkeep.md", "README.md")
SYSTEM = {"systemctl stop mafia-table", "systemctl restart mafia-table"}
"""Of the machine itself: they are read, not run."""
RUNS_ON = {"serve", "demo"}
"""They run until they are told to stop: the options are looked up."""
NEEDS = {
    "install",
    "uninstall",
    "doctor",
    "restore",
    "report",
    "position",
    "export",
    "devices",
    "firmware",
    "import",
    "scenes",
}
"""They act upon this machine or its games: run where they find a place of their own."""


def commands(page: str) -> list[str]:
    """The commands of a page: those in backticks and in indented blocks, without what stands behind #."""
    text = (HOUSE / page).read_text(encoding="utf-8")
    found = re.findall(r"`((?:sudo )?(?:mafia-table|make|systemctl) [^`]+)`", text)
    found += [line.strip() for line in text.splitlines() if re.match(r" {4}(\.venv/bin/)?(mafia-table|make) ", line)]
    return sorted({re.sub(r"^(sudo )?(\.venv/bin/)?", "", line.partition(" #")[0]).strip() for line in found})


def test_both_languages_have_the_same_commands_and_links() -> None:
    assert commands("docs/guide.ru.md") == commands("docs/guide.en.md")
    pages = [(HOUSE / page).read_text() for page in ("docs/guide.ru.md", "docs/guide.en.md")]
    assert re.findall(r"\]\((\S+)\)", pages[0]) == re.findall(r"\]\((\S+)\)", pages[1])
    for link in re.findall(r"\]\((\S+)\)", pages[0]):
        assert (HOUSE / "docs" / link).exists(), link


@pytest.mark.parametrize("line", sorted({line for page in GUIDES for line in commands(page)}))
def test_a_command_of_a_guide_works(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)
    if words[0] == "systemctl":
        assert line in SYSTEM
        return
    if words[0] == "make":
        targets = re.findall(r"^([a-z]+):", (HOUSE / "Makefile").read_text(), re.MULTILINE)
        assert words[1] in targets
        return
    run = [str(PROGRAM), *words[1:]]
    if words[1] in RUNS_ON or words[1] in NEEDS or any(word.isupper() for word in words):
        # The options and the arguments are read by the command itself before it would act.
        known = subprocess.run([str(PROGRAM), words[1], "--help"], capture_output=True, text=True, check=False)
        assert known.returncode == 0, known.stderr
        for option in (word for word in words if word.startswith("--")):
            assert option in known.stdout
        run = works_here(words, tmp_path)
    (tmp_path / "tests").symlink_to(HOUSE / "tests")
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr


def works_here(words: list[str], place: Path) -> list[str]:
    """The same command upon a machine, a copy and games of its own."""
    match words[1]:
        case "install" | "uninstall":
            return [str(PROGRAM), *words[1:], "--root", str(place)]
        case "report":
            return [str(PROGRAM), *words[1:], "--data", str(place)]
        case _:
            return [str(PROGRAM), words[1], "--help"]
