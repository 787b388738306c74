"""A table that is opened with the tournament's own file, or with a club's points."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from controller.service.access import Scope
from controller.service.doctor import findings
from controller.service.running import CannotStart, running
from controller.service.settings import Settings, settings
from tests.service.judge import Judge, token
from tests.service.page import Page

CUP = 'from = "fiim"\n[rules]\nwindow = 2.5\n[scoring]\ndisqualified = -1\n'
MISSPELT = 'from = "fiim"\n[rules]\nwindw = 2.5\n'


def own(chosen: Settings, file: Path, text: str = CUP) -> Settings:
    """The table's settings with this file of the tournament's own."""
    file.write_text(text, "utf-8")
    return replace(chosen, game=msgspec.structs.replace(chosen.game, variant=str(file)))


async def test_the_game_goes_on_by_its_own_rules_when_the_file_is_gone(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    file = tmp_path / "cup.toml"
    with_file = own(chosen, file)
    async with running(with_file, pages=pages) as service:
        assert service.table.snapshot.state.rules.window == 2_500_000
        assert service.notes() == ()
    file.unlink()
    async with running(with_file, pages=pages) as service:
        assert service.table.snapshot.state.rules.window == 2_500_000
        async with Page(service.address, token(service, Scope.JUDGE)) as page:
            judge = Judge(page)
            await judge.deals()
            await judge.does("next")
    assert any("cup.toml" in finding.sentence for finding in findings(with_file) if not finding.ok)


async def test_a_slip_in_the_file_is_told_with_its_line_and_nothing_is_begun(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    faulty = own(chosen, tmp_path / "cup.toml", MISSPELT)
    with pytest.raises(CannotStart) as cannot:
        async with running(faulty, pages=pages):
            pass
    assert "cup.toml:3: " in str(cannot.value)
    assert "window" in str(cannot.value)
    assert "\n" not in str(cannot.value)
    assert not [
        file.name for file in chosen.data.iterdir() if file.name.startswith(("journal.sqlite", "last", "alive"))
    ]
    async with running(own(chosen, tmp_path / "cup.toml"), pages=pages) as service:
        assert service.table.snapshot.state.rules.window == 2_500_000


@pytest.mark.parametrize(("scoring", "said"), [("clubb", "club"), ("wma", "wma")])
async def test_points_that_there_are_not_for_these_rules(
    chosen: Settings, pages: Path, scoring: str, said: str
) -> None:
    with pytest.raises(CannotStart) as cannot:
        async with running(replace(chosen, game=msgspec.structs.replace(chosen.game, scoring=scoring)), pages=pages):
            pass
    assert said in str(cannot.value)


async def test_before_the_deal_the_judge_chooses_among_rule_sets_the_club_and_the_tournaments_own(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    async with (
        running(own(chosen, tmp_path / "cup.toml"), pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as page,
    ):
        judge = Judge(page)
        view = page.view["set_up"]
        names = [one["name"] for one in view["rulesets"]]
        assert names == ["fiim", "wma", "ukraine", "city", "club", "variant"]
        assert view["chosen"] == "variant"
        header = {key: page.view["header"][key] for key in ("event", "stage", "game", "table", "judge")}
        players = [seat["name"] for seat in page.view["seats"]]
        for name, wills, window in (
            ("club", True, 2_000_000),
            ("fiim", False, 2_000_000),
            ("variant", False, 2_500_000),
        ):
            await judge.does("set_up", **header, names=players, ruleset=name, options={})
            assert page.view["set_up"]["chosen"] == name
            rules = service.table.snapshot.state.rules
            assert (rules.wills, rules.window) == (wills, window)


async def test_without_a_file_the_tournaments_own_is_not_offered_and_not_taken(chosen: Settings, pages: Path) -> None:
    async with (
        running(chosen, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as page,
    ):
        assert "variant" not in [one["name"] for one in page.view["set_up"]["rulesets"]]
        header = {key: page.view["header"][key] for key in ("event", "stage", "game", "table", "judge")}
        players = [seat["name"] for seat in page.view["seats"]]
        answer = await Judge(page).tries("set_up", **header, names=players, ruleset="variant", options={})
        assert not answer["ok"]


def test_the_file_is_looked_for_beside_the_settings(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[game]\nvariant = "cup.toml"\n', "utf-8")
    assert settings(tmp_path / "table.toml").variant == tmp_path / "cup.toml"
