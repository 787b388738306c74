"""The FIIM tournament rules, sections 4 to 7."""

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
from controller.game.sport import vote_is_not_held

ACQUAINTANCE = (
    Wake(Waking.DON, 10, clause="4.2.1"),
    Wake(Waking.MAFIA, 60, clause="4.2.2"),
    Wake(Waking.SHERIFF, 20, clause="4.2.4"),
)
NIGHT = (
    Wake(Waking.SHOOTING, clause="4.5.3"),
    Wake(Waking.DON, 10, clause="4.5.6"),
    Wake(Waking.SHERIFF, 10, clause="4.5.7"),
)

_FOULS = ("6.6.1", "6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.6.6", "6.6.7", "6.6.9")
_REMOVALS = tuple(f"6.7.{number}" for number in range(1, 13))
_DEFEATS = ("6.8.1", "6.8.2", "6.8.3", "6.8.4")
# 5.1 lists what is a violation; what it costs stands in section 6 under the line beside it.
_LISTED = {
    "5.1.1": Penalty.DEFEAT,
    "5.1.2": Penalty.DEFEAT,
    "5.1.3": Penalty.REMOVAL,
    "5.1.4": Penalty.DEFEAT,
    "5.1.5": Penalty.REMOVAL,
    "5.1.6": Penalty.REMOVAL,
    "5.1.7": Penalty.REMOVAL,
    "5.1.8": Penalty.REMOVAL,
    "5.1.9": Penalty.REMOVAL,
    "5.1.10": Penalty.REMOVAL,
    "5.1.11": Penalty.REMOVAL,
    "5.1.12": Penalty.FOUL,
    "5.1.13": Penalty.FOUL,
    "5.1.14": Penalty.FOUL,
    "5.1.15": Penalty.FOUL,
    "5.1.16": Penalty.FOUL,
    "5.1.17": Penalty.REMOVAL,
    "5.1.18": Penalty.DEFEAT,
    "5.1.19": Penalty.DEFEAT,
    "5.1.20": Penalty.FOUL,
    "5.1.21": Penalty.FOUL,
    "5.1.22": Penalty.REMOVAL,
    "5.1.23": Penalty.REMOVAL,
}
VIOLATIONS = (
    *(ViolationRule(clause, Penalty.FOUL) for clause in _FOULS),
    *(ViolationRule(clause, Penalty.REMOVAL) for clause in _REMOVALS),
    *(ViolationRule(clause, Penalty.DEFEAT) for clause in _DEFEATS),
    *(ViolationRule(clause, penalty) for clause, penalty in _LISTED.items()),
)

FIIM = Rules(
    name="fiim",
    deck={Role.CIVILIAN: 6, Role.SHERIFF: 1, Role.MAFIA: 2, Role.DON: 1},
    acquaintance=ACQUAINTANCE,
    night=NIGHT,
    minute=60,
    revote_speech=30,
    last_word_voted=60,
    last_word_shot=60,
    opener=Opener.AFTER_FIRST_SPEAKER,
    withdrawal=True,
    sole_candidate_day_one=SoleCandidate.NO_VOTE,
    sole_candidate=SoleCandidate.VOTE,
    window=2_000_000,
    unvoted_to_last=True,
    second_tie=SecondTie.RAISE,
    no_raise_at_four=True,
    no_raise_of_all=True,
    third_foul=ThirdFoul.NEAREST_MINUTE,
    short_minute=30,
    short_minute_living=frozenset({3, 4}),
    proposals={
        Offence.EARLY_HAND: Sanction("6.6.4"),
        Offence.HAND_PULLED: Sanction("6.6.4"),
        Offence.SEVERAL_CANDIDATES: Sanction("6.6.7"),
        Offence.NOT_RAISED: Sanction("6.6.7"),
    },
    violations=VIOLATIONS,
    three_misses=True,
    quiet_circles=3,
    best_move=True,
    team_defeat=True,
    protests=True,
    removed=vote_is_not_held,
    victims=victim_of_the_shooting,
    winner=red_or_black,
    taken_along=nobody_along,
    clauses={
        "deck": "4.1.1, rules page",
        "minute": "4.3.1",
        "revote_speech": "4.4.13",
        "last_word_voted": "4.4.14",
        "last_word_shot": "4.5.4",
        "opener": "4.3.2",
        "withdrawal": "4.4.3, geographic",
        "sole_candidate_day_one": "4.4.11",
        "sole_candidate": "4.4.11",
        "window": "4.4.6",
        "unvoted_to_last": "4.4.9",
        "second_tie": "4.4.13",
        "no_raise_at_four": "7.6, geographic",
        "no_raise_of_all": "7.10",
        "third_foul": "6.4",
        "short_minute": "7.7",
        "short_minute_living": "7.7",
        "three_misses": "7.8",
        "quiet_circles": "7.9",
        "best_move": "8.3",
        "team_defeat": "6.8",
        "protests": "8.9",
        "removed": "7.1, 7.2",
        "victims": "4.5.4",
        "winner": "4.6.1, rules page, reading 3",
        "acquaintance": "4.2",
        "night": "4.5",
        "proposals": "6.6.4, 6.6.7",
        "early_tolerance": "rules page, the hand on the table",
        "close_inclusive": "rules page, the hand on the table",
    },
)
