"""The page between games: standings of the games that are over, and who plays next."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from controller.game.phases import Over
from controller.service import series
from controller.service.access import Scope
from controller.service.running import Running
from controller.service.series import Games
from controller.service.settings import Settings
from controller.table.archive import filed_book
from controller.table.book import Book
from controller.table.journal_file import JOURNAL
from tests.service.judge import Judge, token
from tests.service.page import Page

BREAK = {"page": "break", "language": "ru"}


async def _played(judge: Judge) -> None:
    """A short game: two nights' shots and removals, whatever decides it first."""
    await judge.deals()
    await judge.does("next")
    victims = iter((1, 2, 4, 6))
    while judge.page.view["phase"]["kind"] != "over":
        if judge.page.view["phase"]["step"] == "shooting" and judge.page.view["legal"]["shoot"]:
            await judge.does("shoot", shots={}, at=next(victims))
        await judge.does("next")


async def test_a_game_that_is_over_comes_into_the_standings_and_an_undo_takes_it_out(
    simulated: Running, chosen: Settings
) -> None:
    async with (
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
        Page(simulated.address, auth=BREAK) as screen,
    ):
        judge = Judge(tablet)
        assert screen.view["standings"] == []
        assert [player["seat"] for player in screen.view["next"]["players"]] == list(range(1, 11))
        await _played(judge)
        assert isinstance(simulated.table.snapshot.state.phase, Over)
        await screen.sees(lambda view: len(view["standings"]) == 10)
        standings = screen.view["standings"]
        assert [row["place"] for row in standings] == list(range(1, 11))
        assert {row["games"] for row in standings} == {1}
        header = simulated.table.snapshot.header
        games = Games(chosen.data)
        assert len(games.places(header)) == 10
        assert games.places(replace(header, event="another event")) == ()
        assert screen.view["next"] is None, "nobody has said who plays next"
        await judge.does("undo")
        await screen.sees(lambda view: view["standings"] == [])


async def test_only_a_game_that_has_changed_is_read_again_for_the_standings(
    simulated: Running, chosen: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def noted(folder: Path, game: str) -> Book | None:
        read.append(game)
        return filed_book(folder, game)

    monkeypatch.setattr(series, "filed_book", noted)
    games = Games(chosen.data)
    async with Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        first, header = simulated.table.snapshot.game, simulated.table.snapshot.header
        await _played(judge)
        places = games.places(header)
        assert len(places) == 10
        await judge.does("new_game")
        await judge.deals()
        second = simulated.table.snapshot.game
        read.clear()
        assert games.places(header) == places
        assert games.places(header) == places
        assert read == [second]
        with closing(sqlite3.connect(chosen.data / JOURNAL)) as db, db:
            db.execute("UPDATE decisions SET events = 'no JSON' WHERE game = ? AND seq > 20", (first,))
        assert games.places(header) == places, "what is known already is not read again"
        assert Games(chosen.data).places(header) == (), "a game that cannot be read is left out, and no more than that"


async def test_the_roster_says_who_plays_next(simulated: Running, chosen: Settings) -> None:
    chosen.roster.mkdir(parents=True)
    (chosen.roster / "roster.toml").write_text(
        '[[game]]\ngame = 9\nplayers = ["Далёкий"]\n[[game]]\ngame = 2\nstage = "Финал"\nplayers = ["Ёж", "Клык"]\n'
    )
    async with (
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
        Page(simulated.address, auth=BREAK) as screen,
    ):
        judge = Judge(tablet)
        await judge.deals()
        await judge.does("next")
        await screen.sees(lambda view: view["next"] is not None and view["next"]["game"] == 2)
        assert [player["name"] for player in screen.view["next"]["players"]] == ["Ёж", "Клык"]
