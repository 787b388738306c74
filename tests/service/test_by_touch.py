"""Whole games of all four rule sets on the built pages, by touch alone; and how many touches it takes."""

from pathlib import Path

import pytest

from controller.game.commands import Announce
from controller.game.phases import Over
from controller.game.roles import Role
from controller.service import sample_final
from controller.service.running import PAGES, running
from controller.service.settings import Game as Table
from controller.service.settings import Settings, Web
from tests.service.touch import Game, Plan, Tablet, chromium, link_is_up

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not (PAGES / "judge.html").is_file(), reason="the pages are not built: make web"),
]
MOST_TOUCHES_A_DECISION = 1.3

C, M, D, S = Role.CIVILIAN, Role.MAFIA, Role.DON, Role.SHERIFF
SPORT = sample_final.CARDS
FINAL = Plan(
    cards=sample_final.CARDS,
    nominates={number: day.nominates for number, day in sample_final.DAYS.items()},
    fouls={number: day.fouls for number, day in sample_final.DAYS.items()},
    hands={number: tuple(ballot.hands for ballot in day.ballots) for number, day in sample_final.DAYS.items()},
    shots={number: night.shot for number, night in sample_final.NIGHTS.items()},
    checks={
        (number, role): seat
        for number, night in sample_final.NIGHTS.items()
        for role, seat in (("don", night.don), ("sheriff", night.sheriff))
        if seat is not None
    },
    best_move=sample_final.NIGHTS[1].best_move,
    awards=sample_final.AWARDS,
)
# Two black ones leave by day, the third is named twice; short, since what is tried is the tablet and not the players.
SHORT = Plan(
    cards=SPORT,
    nominates={1: {1: 3, 2: 4}, 2: {2: 7, 4: 6}, 3: {4: 9, 6: 8}},
    hands={
        1: ({3: (1, 2, 4, 5, 6, 8, 10)},),
        2: ({7: (2, 4, 5, 6, 8, 10)},),
        3: ({9: (4, 5, 6, 8, 10)},),
    },
    shots={1: 1, 2: None},
    checks={(1, "don"): 5, (1, "sheriff"): 9},
    best_move=(3, 7, 9),
)
CITY = Plan(
    cards=(
        Role.AVENGER,
        M,
        Role.BEAUTY,
        S,
        Role.DOCTOR,
        C,
        C,
        Role.MANIAC,
        D,
        C,
        C,
        C,
        C,
        C,
        Role.BOMBER,
        C,
    ),
    nominates={2: {3: 2, 4: 9}, 3: {3: 9, 4: 6}, 4: {3: 8, 4: 6}},
    hands={
        2: ({2: (1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14)},),
        3: ({9: (3, 4, 5, 6, 7, 10, 11, 12, 13, 14)},),
        # The maniac is the last who kills: while he lives the game goes on.
        4: ({8: (3, 4, 5, 6, 7, 12, 13)},),
    },
    shots={1: 1, 2: None},
    checks={
        (1, "avenger"): 16,
        (1, "maniac"): 10,
        (1, "beauty"): 7,
        (1, "doctor"): 4,
        (1, "sheriff"): 9,
        (1, "don"): 4,
        (2, "maniac"): 11,
        (2, "doctor"): 12,
    },
    mines={1: (14, 6)},
    answer="waive",
)


def settings(tmp_path: Path, ruleset: str, seats: int = 10) -> Settings:
    """A table for this rule set."""
    names = (sample_final.NAMES + tuple(f"Игрок {n}" for n in range(11, 21)))[:seats]
    return Settings(
        data=tmp_path / "data",
        web=Web(port=0),
        game=Table(
            ruleset=ruleset, event=sample_final.EVENT, stage=sample_final.STAGE, judge=sample_final.JUDGE, names=names
        ),
    )


async def test_the_sample_final_by_touch_alone_takes_at_most_1_3_touches_a_decision(tmp_path: Path) -> None:
    touches, decisions = await _played(tmp_path, "fiim", FINAL)
    assert touches <= MOST_TOUCHES_A_DECISION * decisions


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "plan"), [("wma", SHORT), ("ukraine", SHORT), ("city", CITY)])
async def test_a_whole_game_of_the_other_rule_sets_by_touch_alone(ruleset: str, plan: Plan, tmp_path: Path) -> None:
    """Beside the one that `make test` plays: a game takes the minutes that a finger takes."""
    touches, decisions = await _played(tmp_path, ruleset, plan)
    assert touches <= MOST_TOUCHES_A_DECISION * decisions


async def _played(tmp_path: Path, ruleset: str, plan: Plan) -> tuple[int, int]:
    """A game from the first card to the awards: touches and decisions."""
    async with running(settings(tmp_path, ruleset, len(plan.cards)), simulated=True) as service, chromium() as browser:
        await link_is_up(service)
        tablet = await Tablet.opened(browser, service)
        await Game(tablet, plan).play()
        assert isinstance(tablet.state.phase, Over)
        assert tablet.state.outcome is not None
        assert tablet.state.outcome.winner is not None
        touches = tablet.touches
        said = sum(isinstance(decision.command, Announce) for decision in tablet.now.history)
        decisions = tablet.now.history.length - said  # to say a count aloud decides nothing
    print(
        f"\n{ruleset}: {touches} touches, {decisions} decisions and {said} counts said, "
        f"{touches / decisions:.2f} touches a decision"
    )
    return touches, decisions
