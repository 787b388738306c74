"""Somebody is erased: no file of the table names him any more, and his games are still games."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.service.access import Scope
from controller.service.command_line import app
from controller.service.erasing import CannotErase, erase
from controller.service.running import running
from controller.service.settings import Copies, Settings
from controller.service.uploads import Uploads
from tests.service.judge import Judge, token
from tests.service.page import Page

RUN = CliRunner()


async def played(chosen: Settings, pages: Path) -> None:
    """A game is dealt and begun, with pictures and a copy of it all."""
    chosen.roster.mkdir(parents=True, exist_ok=True)
    async with running(chosen, pages=pages) as service, Page(service.address, token(service, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.deals()
        await judge.does("next")


def naming(name: str, *folders: Path) -> list[str]:
    """The files in which the name stands, or that are called by it."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if name.encode() in path.read_bytes() or name in path.name]


async def test_no_file_names_him_any_more_and_his_games_are_still_games(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    name = chosen.game.names[0]
    copy = tmp_path / "stick"
    copy.mkdir()
    chosen = replace(chosen, copies=Copies((str(copy),)), folder=tmp_path)
    await played(chosen, pages)
    (chosen.roster / f"{name}.jpg").write_bytes(b"a picture")
    assert naming(name, chosen.data)
    done = erase(chosen, name, "Некто", tmp_path / "records")
    assert naming(name, chosen.data, copy, tmp_path / "records") == []
    assert [path.name for path in done.records] == ["game-1.mafia"]
    assert "Некто" in done.records[0].read_text()
    assert RUN.invoke(app, ["replay", str(done.records[0])]).exit_code == 0
    assert (chosen.data / "access.json").exists()
    # The table opens as before, with a journal of its own.
    async with running(chosen, pages=pages) as service:
        assert service.table.snapshot.revision <= 1


async def test_a_name_typed_in_other_letters_is_the_same_name(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    name = chosen.game.names[0]
    typed = f" {name.upper()}"
    assert typed.strip() != name
    await played(chosen, pages)
    erase(chosen, typed, "Некто", tmp_path / "records")
    assert naming(name, chosen.data, tmp_path / "records") == []


async def test_a_name_that_is_a_part_of_another_word_erases_nothing_of_that_word(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    await played(chosen, pages)
    with pytest.raises(CannotErase) as cannot:
        erase(chosen, chosen.game.names[0][:-1], "Некто", tmp_path / "records")
    assert cannot.value.code == "erase.nobody"


async def test_what_could_not_be_reached_is_named_and_erased_the_next_time(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    name, stick = chosen.game.names[0], tmp_path / "stick"
    chosen = replace(chosen, copies=Copies((str(stick),)), folder=tmp_path)
    stick.mkdir()
    await played(chosen, pages)
    stick.rename(tmp_path / "in a pocket")
    assert erase(chosen, name, "Некто", tmp_path / "records").away == (stick,)
    (tmp_path / "in a pocket").rename(stick)
    assert naming(name, stick)
    # There is no journal at the table any more, and nobody has started it since.
    words = ["erase", name, "--out", str(tmp_path / "more"), "--data", str(chosen.data), "--yes"]
    assert RUN.invoke(app, words).exit_code == 2  # these settings name no copy
    assert erase(chosen, name, "Некто", tmp_path / "more").away == ()
    assert naming(name, chosen.data, stick) == []


async def test_a_table_that_runs_erases_nothing(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    async with running(chosen, pages=pages):
        with pytest.raises(CannotErase) as cannot:
            erase(chosen, chosen.game.names[0], "Некто", tmp_path / "records")
    assert cannot.value.code == "service.data_locked"
    assert not (tmp_path / "records").exists()


async def test_a_name_that_nobody_has_is_a_sentence(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    await played(chosen, pages)
    before = {path: path.read_bytes() for path in chosen.data.rglob("*") if path.is_file()}
    said = RUN.invoke(app, ["erase", "Никто", "--out", str(tmp_path / "records"), "--data", str(chosen.data), "--yes"])
    assert said.exit_code == 2
    assert "Никто" in said.output
    assert {path: path.read_bytes() for path in before} == before


async def test_nothing_is_erased_before_it_was_meant(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    name = chosen.game.names[0]
    await played(chosen, pages)
    words = ["erase", name, "--as", "Некто", "--out", str(tmp_path / "records"), "--data", str(chosen.data)]
    assert RUN.invoke(app, words, input="n\n").exit_code == 2
    assert naming(name, chosen.data)
    assert RUN.invoke(app, words, input="y\n").exit_code == 0
    assert naming(name, chosen.data) == []


async def test_his_games_alone_are_given_to_him(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    await played(chosen, pages)
    for name, code in ((chosen.game.names[0].upper(), 0), ("Никто", 2)):
        out = tmp_path / name
        said = RUN.invoke(app, ["export", "--player", name, "--out", str(out), "--data", str(chosen.data)])
        assert said.exit_code == code
        assert len(list(out.glob("*.mafia"))) == (code == 0)


async def test_pictures_that_were_put_in_from_a_page_go_too(chosen: Settings, pages: Path, tmp_path: Path) -> None:
    await played(chosen, pages)
    name = chosen.game.names[0]
    players = Uploads(chosen.uploads).players
    players.mkdir(parents=True)
    (players / f"{name}.jpg").write_bytes(b"a picture")
    (players / "Другой.jpg").write_bytes(b"a picture")
    erase(chosen, name, "Некто", tmp_path / "records")
    assert naming(name, chosen.data) == []
    assert [path.name for path in players.iterdir()] == ["Другой.jpg"]
