"""Every command on a page for people is one that works; both languages say the same; pictures are there and small."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from controller.service.command_line import app
from tests.overlay.guide_pictures import DOCS, LANGUAGES, LARGEST_BYTES, picture_names

HOUSE = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("mafia-table")
PAGES = [*sorted(f"docs/{page.name}" for page in (HOUSE / "docs").glob("*.md")), "README.md"]
BOTH = sorted(page.name.removesuffix(".en.md") for page in (HOUSE / "docs").glob("*.en.md"))
SYSTEM = {"systemctl stop mafia-table", "systemctl restart mafia-table"}
"""Of the machine itself: they are read, not run."""
RUN = {"replay", "standings", "protocol", "rules", "position", "report", "install", "uninstall", "draw", "schedule"}
"""These are run as they stand, upon a folder of the test's own; of the others, which act upon this machine, its games,
its sound card or an OBS, the words and options are looked up in the command itself."""
PLAYERS = "name\n" + "".join(f"Player {number}\n" for number in range(1, 21))


def commands(page: str) -> list[str]:
    """The commands of a page: those in backticks and in indented or fenced blocks, without what stands behind #."""
    text = (HOUSE / page).read_text(encoding="utf-8")
    text = re.sub(r"(`[^`\n]*)\n +([^`\n]*`)", r"\1 \2", text)  # one that goes on in the next line of a list
    found = re.findall(r"`((?:sudo )?(?:\.venv/bin/)?(?:mafia-table|make|systemctl) [^`]+)`", text)
    in_block = re.compile(r"^(?: {3,7}|)(?:sudo )?(?:\.venv/bin/)?(?:mafia-table|make) \S")
    found += [line.strip() for line in text.splitlines() if in_block.match(line)]
    return sorted({re.sub(r"^(sudo )?(\.venv/bin/)?", "", re.sub(r"\s+#.*", "", line)).strip() for line in found})


@pytest.mark.parametrize("name", BOTH)
def test_both_languages_have_the_same_commands_links_and_pictures(name: str) -> None:
    english, russian = (f"docs/{name}.{language}.md" for language in ("en", "ru"))

    def shape(page: str) -> list[str]:
        # What is named in quotes is in the page's language.
        return sorted(re.sub(r'"[^"]*"', '""', line) for line in commands(page))

    assert shape(english) == shape(russian)
    links = [
        re.findall(r"\]\(([^)\s]+)\)", (HOUSE / page).read_text(encoding="utf-8").replace(f".{own}.", ".LANGUAGE."))
        for page, own in ((english, "en"), (russian, "ru"))
    ]
    assert links[0] == links[1]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_leads_to_is_there(page: str) -> None:
    text = (HOUSE / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in link:
            assert (HOUSE / page).parent.joinpath(link).exists(), link


def test_the_pictures_of_the_guide_are_the_scripts_and_small() -> None:
    named = {f"judge-{name}.{language}.webp" for name in picture_names() for language in LANGUAGES}
    assert {file.name for file in DOCS.iterdir()} == named
    shown = {
        picture
        for language in LANGUAGES
        for picture in re.findall(r"\(pictures/([^)]+)\)", (HOUSE / f"docs/judge.{language}.md").read_text())
    }
    assert shown == named
    for file in DOCS.iterdir():
        assert file.stat().st_size <= LARGEST_BYTES


@pytest.mark.parametrize("line", sorted({line for page in PAGES for line in commands(page)}))
def test_a_command_of_a_page_works(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)
    if words[0] == "systemctl":
        assert line in SYSTEM
        return
    if words[0] == "make":
        targets = re.findall(r"^([a-z0-9]+):", (HOUSE / "Makefile").read_text(), re.MULTILINE)
        assert words[1] in targets
        return
    is_known(words[1:])
    typed = len(words) > 2 and not any(word.isupper() or word == "..." for word in words)
    if words[1] not in RUN or not typed or not all(is_there(word) for word in words[2:]):
        return
    (tmp_path / "tests").symlink_to(HOUSE / "tests")
    (tmp_path / "players.csv").write_text(PLAYERS, encoding="utf-8")
    run = works_here(words, tmp_path)
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr


def is_known(words: list[str]) -> None:
    """Whether there are such a command and such options, as the command itself reads them."""
    command: Any = typer.main.get_command(app)
    rest = list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    assert not getattr(command, "commands", {}) or command.invoke_without_command, f"there is no {rest[:1]}"
    if getattr(command, "commands", {}):
        assert not rest or rest[0].startswith("-"), f"there is no {rest[0]}"
    options = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    for option in (word.partition("=")[0] for word in rest if word.startswith("--")):
        assert option in options, option


def is_there(word: str) -> bool:
    """Whether a file that a command reads is in the house, or made for it."""
    return not word.endswith((".mafia", ".json", ".toml")) or (HOUSE / word).exists()


def works_here(words: list[str], place: Path) -> list[str]:
    """The same command upon a machine and games of its own."""
    match words[1]:
        case "install" | "uninstall":
            return [str(PROGRAM), *words[1:], *([] if "--root" in words else ["--root", str(place / "machine")])]
        case "report":
            return [str(PROGRAM), *words[1:], "--data", str(place)]
        case "position":
            return [str(PROGRAM), "position", "--help"] if "--data" in words else with_a_game(words, place)
        case _:
            return [str(PROGRAM), *words[1:]]


def with_a_game(words: list[str], place: Path) -> list[str]:
    """The command upon a folder in which a game has begun."""
    data = place / "data"
    begun = (
        "import asyncio, sys; from pathlib import Path\n"
        "from controller.table import SystemClock, Table\n"
        "async def main():\n"
        "    table = await Table.open(Path(sys.argv[1]), SystemClock()); await table.close()\n"
        "asyncio.run(main())\n"
    )
    subprocess.run([sys.executable, "-c", begun, data], check=True)
    return [str(PROGRAM), *words[1:], "--data", str(data)]


@pytest.mark.parametrize("line", ["nonsense", "devices nonsense", "sound tone --nonsense"])
def test_a_command_that_does_not_exist_would_be_seen(line: str) -> None:
    with pytest.raises(AssertionError):
        is_known(line.split())
