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
    deck={Role.CIVILIAN: 6, Role.SHERIFF: 1, Role.MAFIA: 2, Role.DON: 1},  # 1.1
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
    minute=60,  # 4.3.1
    defence=20,  # 4.4.5
    revote_speech=20,  # 4.4.14
    last_word_voted=60,  # 4.4.15
    last_word_shot=60,  # 4.5.4
    opener=Opener.AFTER_FIRST_SPEAKER,  # 4.3.2
    withdrawal=False,  # 4.4.3
    sole_candidate_day_one=SoleCandidate.NO_VOTE,  # 4.4.12
    sole_candidate=SoleCandidate.LEAVES,  # 4.4.12
    window=2_000_000,  # 4.4.7
    close_inclusive=False,  # 4.4.7
    unvoted_to_last=True,  # 4.4.10
    second_tie=SecondTie.STAY,  # 4.4.14
    no_raise_at_four=False,
    no_raise_of_all=False,
    third_foul=ThirdFoul.ALL_MINUTES,  # 6.4
    proposals={Offence.HAND_PULLED: Sanction("5.1.7", Penalty.WARNING)},  # 5.1.7, 5.2.1
    violations=VIOLATIONS,
    three_misses=True,  # 7.2
    quiet_circles=0,
    best_move=True,  # 8.3
    team_defeat=False,  # rules page, reading 25
    protests=False,  # 8.6
    removed=counts_as_the_vote,  # 5.2.2, 7.1
    victims=victim_of_the_shooting,  # 4.5.4
    winner=red_or_black,  # 1.4
    taken_along=nobody_along,
)
