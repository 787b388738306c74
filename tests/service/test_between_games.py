"""The page between games: standings of the games that are over, and who plays next."""

from dataclasses import replace

from controller.game.phases import Over
from controller.service.access import Scope
from controller.service.running import Running
from controller.service.series import places_of
from controller.service.settings import Settings
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
        assert len(places_of(chosen.data, header)) == 10
        assert places_of(chosen.data, replace(header, event="another event")) == ()
        assert screen.view["next"] is None, "nobody has said who plays next"
        await judge.does("undo")
        await screen.sees(lambda view: view["standings"] == [])


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
