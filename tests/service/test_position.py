"""The position on paper: one command while the table runs, in each language."""

import subprocess
import sys
from pathlib import Path

import pytest

from controller.game import commands as cmd
from tests.table.bench import TableBench

PROGRAM = Path(sys.executable).with_name("mafia-table")


@pytest.mark.parametrize(("language", "don"), [("ru", "Дон"), ("uk", "Дон"), ("en", "Don")])
async def test_the_position_is_one_page_while_the_table_runs(tmp_path: Path, language: str, don: str) -> None:
    table = await (await TableBench.open(tmp_path / "data")).first_day()
    await table.does(cmd.Foul(4))
    await table.does(cmd.Nominate(1, 5))
    out = tmp_path / "position.txt"
    command = [PROGRAM, "position", "--data", tmp_path / "data", "--out", out, "--lang", language]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: ASYNC221
    assert done.returncode == 0, done.stderr
    page = out.read_text()
    assert len(page.splitlines()) <= 40
    assert don in page
    assert any(line.strip().startswith("4 ") and " !" in line for line in page.splitlines())
    assert ": 5" in page
    assert table.now.damage is None
    await table.does(cmd.Foul(4))
    await table.table.close()


def test_without_a_game_it_is_a_sentence(tmp_path: Path) -> None:
    command = [PROGRAM, "position", "--data", tmp_path, "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr.replace("\n", "")
