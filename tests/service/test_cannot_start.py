"""What keeps the table from starting is one clear sentence and the exit status 2, never a traceback."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from controller.service import serving
from controller.service.command_line import COULD_NOT_START, app
from controller.service.running import CannotStart, running
from controller.service.settings import Game, Settings, Speech, Web
from controller.table import codec
from controller.table.journal_file import JOURNAL, MARK, JournalFile
from controller.table.salvage import row_hash
from tests.table.bench import TableBench


async def why_not(chosen: Settings, pages: Path) -> str:
    """The sentence that `running` says."""
    with pytest.raises(CannotStart) as cannot:
        async with running(chosen, pages=pages):
            pass
    return str(cannot.value)


def refuse(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """From now on SQLite takes no row, for the reason `code`."""

    def write(*_: object) -> None:
        wrong = sqlite3.OperationalError("no")
        wrong.sqlite_errorcode = code
        raise wrong

    monkeypatch.setattr(JournalFile, "write", write)


async def test_a_full_disk(chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, sqlite3.SQLITE_FULL)
    assert "нет места" in await why_not(chosen, pages)


async def test_a_disk_that_fails(chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, sqlite3.SQLITE_IOERR)
    assert "нельзя писать" in await why_not(chosen, pages)


async def test_a_ruleset_that_there_is_not(chosen: Settings, pages: Path) -> None:
    said = await why_not(replace(chosen, game=Game(ruleset="nope")), pages)
    assert "«nope»" in said
    assert "fiim" in said


async def test_two_names(chosen: Settings, pages: Path) -> None:
    assert "имён 2" in await why_not(replace(chosen, game=Game(names=("a", "b"))), pages)


async def test_a_start_that_is_refused_makes_no_journal_and_leaves_one_that_is_there(
    chosen: Settings, pages: Path
) -> None:
    await why_not(replace(chosen, game=Game(ruleset="nope")), pages)
    assert not (chosen.data / JOURNAL).exists()
    assert not (chosen.data / MARK).exists()
    JournalFile(chosen.data).close()  # an empty one, by somebody else
    await why_not(replace(chosen, game=Game(ruleset="nope")), pages)
    assert (chosen.data / JOURNAL).exists()
    assert (chosen.data / MARK).exists()


async def test_a_folder_in_the_journals_place(chosen: Settings, pages: Path) -> None:
    (chosen.data / JOURNAL).mkdir(parents=True)
    assert "не файл" in await why_not(chosen, pages)


async def test_a_journal_of_a_newer_version(chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(codec, "VERSION", 99)
        await (await TableBench.open(chosen.data)).table.close()
    assert "более новой версией" in await why_not(chosen, pages)


async def test_a_game_that_this_program_does_not_know(chosen: Settings, pages: Path) -> None:
    table = await TableBench.open(chosen.data)
    await table.table.close()
    file = JournalFile(chosen.data)
    file._db.execute("UPDATE decisions SET table_events = replace(table_events, '\"fiim\"', '\"elder\"')")
    lines = file._db.execute("SELECT * FROM decisions ORDER BY seq").fetchall()
    previous = ""
    for line in lines:
        own = row_hash(line[:-2], previous)
        file._db.execute("UPDATE decisions SET previous = ?, hash = ? WHERE seq = ?", (previous, own, line[0]))
        previous = own
    file.close()
    (chosen.data / "last").unlink()
    assert "не понимает" in await why_not(chosen, pages)


def test_the_exit_status_is_two_and_one_line_is_said(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[game]\nruleset = "nope"\n[speech]\nlanguage = "en"\n[web]\nport = 0\n')
    for command in ("serve", "demo"):
        answer = CliRunner().invoke(app, [command, "--config", str(config), "--data", str(tmp_path / command)])
        assert answer.exit_code == COULD_NOT_START
        assert answer.output.count("\n") == 1
        assert 'There is no ruleset "nope"' in answer.output


async def test_damage_is_told_at_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once() -> None:
        pass

    monkeypatch.setattr(serving, "until_told_to_stop", at_once)
    table = await TableBench.open(tmp_path / "data")
    await table.deals()
    await table.table.close()
    (tmp_path / "data" / JOURNAL).unlink()
    console = Console(record=True, width=200)
    chosen = Settings(data=tmp_path / "data", web=Web(port=0), speech=Speech(language="en"))
    await serving.serve(chosen, console)
    assert "11 decisions are missing" in console.export_text()
