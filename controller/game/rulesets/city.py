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


_FOULS = (  # "Фолы:"
    "Реплика не в свою речь",
    "Чрезмерная агрессия в отношении других игроков",
    "Отсылка к религии",
    "Убранная рука при голосовании",
    "Одергивание поставленной на стол руки",
    "Повторное голосование",
    "Чрезмерная жестикуляция",
    "Крики и/или излишний эмоционал",
    "Дневное касание игроков",
    "Случайным мат",
)
_AFTER_LEAVING = "В случае, если игрок после выхода из игры"
_REMOVALS = (  # "Удаление:", and the paragraph on leaving the game at the end
    "Мат в контексте оскорбления",
    "Оскорбление кого-либо, в том числе себя",
    "Заключение пари, спор, шантаж",
    "Ночное просыпание не в свой ход",
    "Ночная жестикуляция",
    "Слезы за столом",
    "Активная роль не уснула",
    "Покидание стола и скидывание номерка",
    "4й дисквалифицирующий фол",
    "Апелляция к этическим и/или религиозным понятиям",
    "Выкрики и слово/фразы",
    "Прямая или косвенная игра и аргументы про таблицу",
    "Любая иная фраза/действие",
    _AFTER_LEAVING,
)
_DEFEATS = (  # "ППК:"
    "Использование уникальной ночной инфы",
    "Общение со зрительным залом",
    "Жесткое оскорбление другого игрока",
    "Намеренное удаление",
    "Договорная игра",
    "Слово/реплика после покидания игры",
    "Заявления любым игроком",
)
VIOLATIONS = tuple(
    ViolationRule(f"{letter}{number}", penalty, words, after_leaving=words == _AFTER_LEAVING)
    for letter, penalty, lines in (
        ("f", Penalty.FOUL, _FOULS),
        ("r", Penalty.REMOVAL, _REMOVALS),
        ("d", Penalty.DEFEAT, _DEFEATS),
    )
    for number, words in enumerate(lines, 1)
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
    minute=60,
    revote_speech=30,
    last_word_voted=60,
    last_word_shot=30,
    opener=Opener.LOWEST,
    withdrawal=False,
    sole_candidate_day_one=SoleCandidate.VOTE,
    sole_candidate=SoleCandidate.VOTE,
    window=2_000_000,
    lifted_before_count=Sanction("Убранная рука"),
    unvoted_to_last=False,
    second_tie=SecondTie.RAISE,
    no_raise_at_four=False,
    no_raise_of_all=False,
    third_foul=ThirdFoul.NEAREST_MINUTE,
    short_minute=30,
    short_minute_living=frozenset({3}),
    proposals={
        Offence.HAND_PULLED: Sanction("Одергивание"),
        Offence.SEVERAL_CANDIDATES: Sanction("Повторное голосование"),
    },
    violations=VIOLATIONS,
    three_misses=False,
    quiet_circles=0,
    best_move=False,
    vote_held_after_removals=2,
    removed=city.removed,
    victims=city.victims,
    winner=city.winner,
    taken_along=city.taken_along,
    clauses={
        "minute": "Каждый игрок, начиная с первого, получает одну минуту",
        "revote_speech": "Автокатастрофа",
        "last_word_voted": "Перед этим он получает 60 секунд",
        "last_word_shot": "Игроки, убитые ночью",
        "opener": "Каждый игрок, начиная с первого",
        "lifted_before_count": "Убранная рука при голосовании",
        "second_tie": "Если и во втором туре",
        "third_foul": "3 фола",
        "short_minute_living": "В «угадайке»",
        "vote_held_after_removals": "В случае уделения 2х и более игроков",
        "removed": "Важно!",
        "winner": "Условия победы.",
        "taken_along": "Подрывник",
        "victims": "Красотка просыпается; Доктор просыпается",
        "acquaintance": "Далее он по очереди называет все роли",
        "night": "Мафия вместе с Доном просыпается",
        "unvoted_to_last": "rules page, reading 24",
        "proposals": "Фолы",
    },
)
