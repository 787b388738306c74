"""A final that plays itself: who sits where, with which card, who names whom and whose hand goes where. Data alone.

Where the game has gone another way - a person took over for a while - what does not fit any more is passed over.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.game.roles import Role

EVENT: Final = "Кубок Осени"
STAGE: Final = "Финал"
JUDGE: Final = "Полночь"
NAMES: Final = (
    "Стрекоза",
    "Барон Мюнхгаузен",
    "Ёж",
    "Северная Пальмира",
    "Клык",
    "Дядя Фёдор",
    "Маркиза",
    "Тень",
    "Вжик",
    "Велосипедостроитель",
)
CARDS: Final = (
    Role.CIVILIAN,
    Role.CIVILIAN,
    Role.MAFIA,
    Role.CIVILIAN,
    Role.SHERIFF,
    Role.CIVILIAN,
    Role.DON,
    Role.CIVILIAN,
    Role.MAFIA,
    Role.CIVILIAN,
)


def _nobody() -> dict[int, int]:
    return {}


@dataclass(frozen=True, slots=True)
class Ballot:
    """Whose hands are raised against whom; whoever is not named raises the hand for the last."""

    hands: Mapping[int, tuple[int, ...]]
    early: int | None = None
    """Whose hand rests before the opening."""
    pulled: int | None = None
    """Whose hand leaves the table before the close."""


@dataclass(frozen=True, slots=True)
class Day:
    """One day: speaker -> nominee, speaker -> who is given a foul meanwhile, and the ballots in order."""

    nominates: Mapping[int, int]
    ballots: tuple[Ballot, ...]
    fouls: Mapping[int, int] = field(default_factory=_nobody)


@dataclass(frozen=True, slots=True)
class Night:
    """One night: the shot (None: a miss) and the checks."""

    shot: int | None
    don: int | None = None
    sheriff: int | None = None
    best_move: tuple[int, ...] = ()


DAYS: Final[Mapping[int, Day]] = {
    1: Day(
        nominates={1: 10, 4: 6, 8: 3},
        fouls={3: 9},
        ballots=(
            Ballot({10: (2, 9), 6: (1, 3, 7, 8), 3: (4, 5, 6, 10)}, early=8),
            Ballot({6: (1, 2, 3, 7, 8, 9), 3: (4, 5, 6, 10)}),
        ),
    ),
    2: Day(
        nominates={5: 7, 9: 4},
        fouls={4: 9, 10: 9},
        ballots=(Ballot({7: (5, 1, 4, 8, 10), 4: (3, 7, 9)}, pulled=10),),
    ),
    3: Day(nominates={4: 9, 3: 8}, ballots=(Ballot({9: (4, 1, 8, 10), 8: (3, 9)}),)),
    4: Day(nominates={4: 3, 8: 10}, ballots=(Ballot({3: (8, 4, 10), 10: (3,)}),)),
}
NIGHTS: Final[Mapping[int, Night]] = {
    1: Night(shot=2, don=1, sheriff=7, best_move=(3, 7, 10)),
    2: Night(shot=5, sheriff=9),
    3: Night(shot=1),
}
AWARDS: Final[Mapping[int, str]] = {5: "0.4", 4: "0.3"}
