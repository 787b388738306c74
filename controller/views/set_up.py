"""Before the deal, for the judge's tablet: rule sets, the options that regions play differently, the games to come."""

from typing import Final

from controller.catalogue import sentence
from controller.game.rules import Opener
from controller.game.state import State
from controller.table.state import Snapshot
from controller.views.facts import Surroundings
from controller.views.tablet import Ruleset, Scheduled, SetUpView, Switch

GEOGRAPHIC: Final = ("no_raise_at_four", "withdrawal")
"""What the texts call geographic (fiim 4.4.3, 7.6)."""
SWITCHES: Final = (*GEOGRAPHIC, "no_raise_of_all", "unvoted_to_last", "rotate_first_speaker", "best_move", "wills")
GAMES_SHOWN: Final = 8


def set_up_of(snapshot: Snapshot, around: Surroundings, language: str) -> SetUpView:
    """What can be chosen."""
    header = snapshot.header
    own = [row for row in around.coming if row.table == header.table and row.game >= header.game]
    return SetUpView(
        rulesets=tuple(
            Ruleset(name=name, title=sentence(f"ruleset.{name}", language), fewest=rules.fewest, most=rules.most)
            for name, rules in around.playable
        ),
        chosen=header.chosen,
        options=dict(header.options),
        switches=tuple(
            Switch(
                name=name,
                on=_is_on(snapshot.state, name),
                sentence=sentence(f"option.{name}", language),
                geographic=name in GEOGRAPHIC,
            )
            for name in SWITCHES
        ),
        schedule=tuple(
            Scheduled(game=row.game, stage=row.stage, table=row.table, players=row.players)
            for row in (own or around.coming)[:GAMES_SHOWN]
        ),
    )


def _is_on(state: State, name: str) -> bool:
    if name == "rotate_first_speaker":
        return state.rules.opener is not Opener.LOWEST
    return bool(getattr(state.rules, name))
