"""The Ukrainian championship rules, sections 1 to 7."""

from controller.game.ballot import Offence
from controller.game.departures import nobody_along, red_or_black
from controller.game.night import victim_of_the_shooting
from controller.game.roles import Role
from controller.game.rules import (
    Opener,
    Penalty,
    Rules,
    Sanction,
    SecondTie,
    SoleCandidate,
    ThirdFoul,
    ViolationRule,
    Wake,
    Waking,
)
from controller.game.sport import counts_as_the_vote

VIOLATIONS = (
    *(ViolationRule(f"5.1.{number}", Penalty.WARNING) for number in range(1, 12)),  # 5.2.1
    *(ViolationRule(f"5.1.{number}", Penalty.REMOVAL) for number in range(12, 16)),  # 5.2.2, 5.2.3
)

UKRAINE = Rules(
    name="ukraine",
    deck={Role.CIVILIAN: 6, Role.SHERIFF: 1, Role.MAFIA: 2, Role.DON: 1},
    acquaintance=(
        Wake(Waking.MAFIA, 60, clause="4.2.1"),
        Wake(Waking.DON, clause="4.2.3"),
        Wake(Waking.SHERIFF, clause="4.2.4"),
    ),
    night=(
        Wake(Waking.SHOOTING, clause="4.5.3"),
        Wake(Waking.DON, clause="4.5.6"),
        Wake(Waking.SHERIFF, clause="4.5.7"),
    ),
    minute=60,
    defence=20,
    revote_speech=20,
    last_word_voted=60,
    last_word_shot=60,
    opener=Opener.AFTER_FIRST_SPEAKER,
    withdrawal=False,
    sole_candidate_day_one=SoleCandidate.NO_VOTE,
    sole_candidate=SoleCandidate.LEAVES,
    window=2_000_000,
    close_inclusive=False,
    unvoted_to_last=True,
    second_tie=SecondTie.STAY,
    no_raise_at_four=False,
    no_raise_of_all=False,
    third_foul=ThirdFoul.ALL_MINUTES,
    proposals={Offence.HAND_PULLED: Sanction("5.1.7", Penalty.WARNING)},
    violations=VIOLATIONS,
    three_misses=True,
    quiet_circles=0,
    best_move=True,
    team_defeat=False,
    protests=False,
    removed=counts_as_the_vote,
    victims=victim_of_the_shooting,
    winner=red_or_black,
    taken_along=nobody_along,
    clauses={
        "deck": "1.1",
        "minute": "4.3.1",
        "defence": "4.4.5",
        "revote_speech": "4.4.14",
        "last_word_voted": "4.4.15",
        "last_word_shot": "4.5.4",
        "opener": "4.3.2",
        "withdrawal": "4.4.3",
        "sole_candidate_day_one": "4.4.12",
        "sole_candidate": "4.4.12",
        "window": "4.4.7",
        "close_inclusive": "4.4.7",
        "unvoted_to_last": "4.4.10",
        "second_tie": "4.4.14",
        "third_foul": "6.4",
        "proposals": "5.1.7, 5.2.1",
        "three_misses": "7.2",
        "best_move": "8.3",
        "team_defeat": "rules page, reading 25",
        "protests": "8.6",
        "removed": "5.2.2, 7.1",
        "victims": "4.5.4",
        "winner": "1.4",
        "acquaintance": "4.2",
        "night": "4.5",
        "early_tolerance": "rules page, the hand on the table",
    },
)
