"""The position on paper: one command while the table runs, in each language."""

import base64
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.roles import Role
from controller.service import sample_final
from controller.service.access import Scope
from controller.service.running import PAGES, Running, running
from controller.service.settings import Settings
from controller.table import Wish
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.touch import chromium
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


async def test_for_the_printer_it_is_a_page_and_the_form_behind_it(tmp_path: Path) -> None:
    table = await (await TableBench.open(tmp_path / "data")).first_day()
    await table.does(cmd.Foul(4))
    out = tmp_path / "position.pdf"
    command = [PROGRAM, "position", "--data", tmp_path / "data", "--out", out, "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: ASYNC221
    assert done.returncode == 0, done.stderr
    pages = text_of(out)
    assert len(pages) == 2
    for said in ("game 1, table 1", "Speaking: 1", "On the clock: 1:00", "Sheriff", "for the judge alone"):
        assert said in pages[0], pages[0]
    await table.table.close()


async def test_one_touch_on_the_tablet_gives_it_and_nobody_else_gets_it(service: Running, tmp_path: Path) -> None:
    async with Page(service.address, token(service, Scope.JUDGE), language="en") as tablet:
        judge = Judge(tablet)
        early = await tablet.ask("position", {})
        assert early["ok"]  # before the deal there is a page, and no form yet
        await judge.deals()
        await judge.goes_on_to("morning")
        await judge.discussion({1: 6, 2: 3})
        answer = await tablet.ask("position", {})
        assert answer["name"].endswith(".pdf")
        (tmp_path / "position.pdf").write_bytes(base64.b64decode(answer["content"]))
        pages = text_of(tmp_path / "position.pdf")
        assert "Nominated: 6, 3" in pages[0]
        for name in sample_final.NAMES:
            assert name in pages[0]
    for scope in (Scope.AIR, Scope.PRODUCER):
        async with Page(service.address, token(service, scope), page=scope.value) as other:
            assert not (await other.ask("position", {}))["ok"]
    async with Page(service.address) as hall:
        assert not (await hall.ask("position", {}))["ok"]


@pytest.mark.browser
@pytest.mark.skipif(not (PAGES / "judge.html").is_file(), reason="the pages are not built: make web")
async def test_where_the_disk_fails_one_touch_puts_the_position_on_paper(
    chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    async with chromium() as browser, running(chosen, simulated=True) as service:
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        await page.goto(service.link(Scope.JUDGE))
        await page.get_by_text(sample_final.NAMES[0]).first.wait_for()
        for write in ("write", "probe"):
            monkeypatch.setattr(service.table._journal._file, write, fails)
        await service.table.submit(Wish(id="a card", command=cmd.Deal(1, Role.DON)))
        touch = page.get_by_role("alert").get_by_role("button", name="Положение на бумагу")
        async with page.expect_download() as saved:
            await touch.click()
        file = await (await saved.value).path()
        assert sample_final.NAMES[0] in text_of(Path(file))[0]
        monkeypatch.undo()


def text_of(file: Path) -> list[str]:
    """The words of a PDF, page by page."""
    said = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True)
    return said.stdout.rstrip("\f").split("\f")


def test_without_a_game_it_is_a_sentence(tmp_path: Path) -> None:
    command = [PROGRAM, "position", "--data", tmp_path, "--lang", "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr.replace("\n", "")
