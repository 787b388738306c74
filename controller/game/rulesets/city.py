"""City mafia: 8 to 20 players, the maniac, the beauty, the doctor, the commissar, the bomber and the avenger.

The text has no clause numbers: paragraphs are cited by their first words.
"""

from controller.game import city
from controller.game.ballot import Offence
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


def _woken(step: Waking, role: Role, seconds: int = 0, *, least_living: int = 0) -> Wake:
    return Wake(step, seconds, frozenset({role}), least_living, "Далее он по очереди называет все роли")


# The lists of fouls, removals and defeats at the end of the text, numbered here in its order.
VIOLATIONS = (
    *(ViolationRule(f"f{number}", Penalty.FOUL) for number in range(1, 11)),  # "Фолы:"
    *(ViolationRule(f"r{number}", Penalty.REMOVAL) for number in range(1, 15)),  # "Удаление:"
    *(ViolationRule(f"d{number}", Penalty.DEFEAT) for number in range(1, 8)),  # "ППК:"
)

CITY = Rules(
    name="city",
    fewest=8,
    most=20,
    deck=None,
    acquaintance=(
        Wake(Waking.MAFIA, 60, clause="В первую ночь знакомства мафии дается 60 секунд"),
        _woken(Waking.MANIAC, Role.MANIAC),
        _woken(Waking.BEAUTY, Role.BEAUTY),
        _woken(Waking.DOCTOR, Role.DOCTOR),
        _woken(Waking.DON, Role.DON),
        _woken(Waking.SHERIFF, Role.SHERIFF),
        _woken(Waking.BOMBER, Role.BOMBER),
        _woken(Waking.AVENGER, Role.AVENGER),
    ),
    night=(
        Wake(Waking.KILL, 40, clause="в последующие ночи у мафии будет по 40 секунд"),
        _woken(Waking.MANIAC, Role.MANIAC),
        _woken(Waking.BEAUTY, Role.BEAUTY),
        _woken(Waking.DOCTOR, Role.DOCTOR),
        _woken(Waking.SHERIFF, Role.SHERIFF),
        _woken(Waking.DON, Role.DON),
        _woken(Waking.BOMBER, Role.BOMBER, least_living=city.FEWEST_FOR_MINES),
    ),
    minute=60,  # "Каждый игрок, начиная с первого, получает одну минуту"
    revote_speech=30,  # "Автокатастрофа"
    last_word_voted=60,  # "Перед этим он получает 60 секунд"
    last_word_shot=30,  # "Игроки, убитые ночью"
    opener=Opener.LOWEST,  # "Каждый игрок, начиная с первого"
    withdrawal=False,
    sole_candidate_day_one=SoleCandidate.VOTE,
    sole_candidate=SoleCandidate.VOTE,
    window=2_000_000,
    lifted_before_count_is_pulled=True,  # "Убранная рука при голосовании"
    unvoted_to_last=False,
    second_tie=SecondTie.RAISE,  # "Если и во втором туре"
    no_raise_at_four=False,
    no_raise_of_all=False,
    third_foul=ThirdFoul.NEAREST_MINUTE,  # "3 фола"
    short_minute=30,
    short_minute_living=frozenset({3}),  # "В «угадайке»"
    proposals={
        Offence.HAND_PULLED: Sanction("f4"),  # "Убранная рука", "Одергивание"
        Offence.SEVERAL_CANDIDATES: Sanction("f5"),  # "Повторное голосование"
    },
    violations=VIOLATIONS,
    three_misses=False,
    quiet_circles=0,
    best_move=False,
    vote_held_after_removals=2,  # "В случае уделения 2х и более игроков"
    removed=city.removed,  # "Важно!"
    victims=city.victims,
    winner=city.winner,  # "Условия победы."
    taken_along=city.taken_along,  # "Подрывник"
)
