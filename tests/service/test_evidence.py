"""The evidence of the live table: files for a protest, and the judge's tablet alone over HTTP."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from aiohttp import ClientSession
from typer.testing import CliRunner

from controller.game.commands import Annul, Next, VoidWindow
from controller.service.access import Scope
from controller.service.command_line import app
from controller.service.running import Running
from controller.service.settings import Settings
from controller.table.wishes import NewGame
from tests.service.judge import device_at, token
from tests.service.page import COOKIE
from tests.table.bench import TableBench


async def a_game(folder: Path) -> None:
    """A window that was voided, its repetition, and the next one."""
    table = await TableBench.open(folder)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(0.7)
    await table.does(VoidWindow())
    table.hand(4, down=False, at=0.9)
    await table.advance(1)
    for seat in (7, 8):
        await table.opens()
        table.hand(seat, down=True, at=0.25)
        await table.advance(2.1)
        table.hand(seat, down=False, at=2.1)
    await table.does(Next())
    await table.table.close()


@pytest.fixture
async def chosen(chosen: Settings) -> Settings:
    """The settings of a table that has such a game on it."""
    await a_game(chosen.data)
    return chosen


def desk(service: Running, scope: Scope) -> dict[str, str]:
    """The headers of a registered device that has given its PIN."""
    return {"Cookie": f"mafia-device={device_at(service, scope).removeprefix(COOKIE)}"}


async def test_the_judge_gets_every_window_and_its_drawing(service: Running):
    judge = desk(service, Scope.JUDGE)
    async with ClientSession(service.address) as client:
        async with client.get("/evidence", headers=judge) as answer:
            assert answer.status == 200
            assert answer.headers["Cache-Control"] == "no-store"
            windows = await answer.json()
        assert [(row["number"], row["candidate"], row["fate"]) for row in windows] == [
            (1, 5, "voided"),
            (2, 5, "counted"),
            (3, 6, "counted"),
        ]
        assert windows[0]["lanes"][3] | {"fouls": []} == {
            "seat": 4, "touches": [[500.0, 900.0]], "verdict": "void", "at": None, "other": None, "fouls": [],
        }  # fmt: skip
        assert windows[1]["lanes"][6]["verdict"] == "counted"
        assert {"source", "life", "seq", "key", "down", "at", "error"} == set(windows[1]["edges"][0])
        for language, said in (("ru", "Недействительно"), ("uk", "Недійсне"), ("en", "Void")):
            async with client.get(f"/evidence/1.svg?lang={language}", headers=judge) as answer:
                assert answer.status == 200
                assert answer.content_type == "image/svg+xml"
                assert "window-1-ballot-1-ballot-5.svg" in answer.headers["Content-Disposition"]
                text = await answer.text()
            ElementTree.fromstring(text)
            assert said in text
        for missing in ("/evidence/4.svg", "/evidence/0.svg", "/evidence/x.svg", f"/evidence/{'9' * 400}.svg"):
            async with client.get(missing, headers=judge) as answer:
                assert answer.status == 404, missing


async def test_nobody_else_learns_what_there_is(service: Running):
    others = [{}, {"Authorization": "Bearer "}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic x"}]
    others += [{"Authorization": f"Bearer {token(service, Scope.AIR)}"}, desk(service, Scope.OFFICE)]
    others += [{"Cookie": "mafia-device=nobody.nothing"}]
    async with ClientSession(service.address) as client:
        for headers in others:
            for path in ("/evidence", "/evidence/1.svg", "/evidence/9.svg"):
                async with client.get(path, headers=headers) as answer:
                    assert (answer.status, await answer.text()) == (403, "Forbidden"), (path, headers)


def run(*words: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["evidence", *words])
    return answer.exit_code, answer.output


async def test_the_command_draws_the_live_journal_also_while_it_runs(service: Running, tmp_path: Path):
    data, out = service.table._journal._file._folder, tmp_path / "out"
    status, said = run("--data", str(data), "--out", str(out), "--lang", "en")
    assert status == 0
    assert [Path(line).name for line in said.splitlines()] == [
        "window-1-ballot-1-ballot-5.svg",
        "window-2-ballot-1-ballot-5.svg",
        "window-3-ballot-1-ballot-6.svg",
    ]
    kept = json.loads((out / "evidence.json").read_text(encoding="utf-8"))
    assert [row["fate"] for row in kept] == ["voided", "counted", "counted"]
    assert run("--data", str(data), "--out", str(out), "--game", "1")[0] == 0
    assert run("--data", str(data), "--out", str(out), "--ballot", "9")[0] == 1
    for words in (("--data", str(data), "--game", "7"), ("--data", str(tmp_path / "nothing"))):
        status, said = run(*words, "--out", str(out), "--lang", "en")
        assert (status, "there is no journal with such a game" in said, said.count("\n")) == (2, True, 1)


async def test_a_game_of_the_journal_is_named_by_its_number(tmp_path: Path):
    folder = tmp_path / "data"
    await a_game(folder)
    table = await TableBench.open(folder)
    await table.does(Annul())
    await table.does(NewGame())
    await table.table.close()
    assert run("--data", str(folder), "--out", str(tmp_path / "o"))[0] == 1  # the last game has no window
    assert run("--data", str(folder), "--out", str(tmp_path / "o"), "--game", "1")[0] == 0
