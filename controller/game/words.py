"""Which words the texts put into the judge's mouth at which moment, with the clause. The words are the catalogue's.

A moment that a text has no words for is customary: the catalogue has the field's own under `call.`, and the clause
is the one that rules the moment.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from controller.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Word:
    """Where a moment's words stand in the text; `official`: they are said word for word."""

    clause: str | None
    official: bool = True


_FIIM = {
    "begin": Word("4.1.2"),
    "night_falls": Word("4.5.1"),
    "first_don_wakes": Word("4.2.1"),
    "first_mafia_wakes": Word("4.2.2"),
    "first_mafia_sleeps": Word("4.2.3"),
    "first_sheriff_wakes": Word("4.2.4"),
    "day_breaks": Word("4.2.5"),
    "accepted": Word("4.4.2"),
    "withdrawn": Word("4.4.3"),
    "thanks": Word("4.4.6"),
    "raise": Word("4.4.13"),
    "shooting_wakes": Word("4.5.3"),
    "shooting_sleeps": Word("4.5.5"),
    "don_wakes": Word("4.5.6"),
    "don_sleeps": Word("4.5.6"),
    "sheriff_wakes": Word("4.5.7"),
    "sheriff_sleeps": Word("4.5.7"),
    "card": Word("4.1.3", official=False),
    "cards_dealt": Word("4.1.3", official=False),
    "candidates": Word("4.4.5", official=False),
    "vote": Word("4.4.6", official=False),
    "count": Word("4.4.7", official=False),
    "leaves": Word("4.4.12", official=False),
    "tie": Word("4.4.13", official=False),
    "stay": Word("4.4.13", official=False),
    "no_vote": Word("4.4.1", official=False),
    "killed": Word("4.5.4", official=False),
    "nobody_killed": Word("4.5.5", official=False),
    "best_move": Word("8.3.1"),
}
"""fiim's sections 4 and 8; wma's part on the night repeats it clause for clause."""

_UKRAINE = {
    "begin": Word("4.1.2"),
    "night_falls": Word("4.5.1"),
    "first_mafia_wakes": Word("4.2.1"),
    "first_mafia_sleeps": Word("4.2.2"),
    "first_don_wakes": Word("4.2.3"),
    "first_sheriff_wakes": Word("4.2.4"),
    "day_breaks": Word("4.2.5"),
    "accepted": Word("4.4.2"),
    "thanks": Word("4.4.7"),
    "shooting_wakes": Word("4.5.3"),
    "shooting_sleeps": Word("4.5.5"),
    "don_wakes": Word("4.5.6"),
    "don_sleeps": Word("4.5.6"),
    "sheriff_wakes": Word("4.5.7"),
    "sheriff_sleeps": Word("4.5.7"),
    "card": Word("4.1.3", official=False),
    "cards_dealt": Word("4.1.3", official=False),
    "hands_off": Word("4.4.6", official=False),
    "candidates": Word("4.4.6", official=False),
    "vote": Word("4.4.7", official=False),
    "count": Word("4.4.8", official=False),
    "leaves": Word("4.4.13", official=False),
    "tie": Word("4.4.14", official=False),
    "stay": Word("4.4.14", official=False),
    "no_vote": Word("4.4.1", official=False),
    "killed": Word("4.5.4", official=False),
    "nobody_killed": Word("4.5.5", official=False),
    "best_move": Word("8.3", official=False),
}

_CALLED = "Далее он по очереди называет все роли"
_CITY_FIRST = ("mafia", "maniac", "beauty", "doctor", "don", "sheriff", "bomber", "avenger")
_CITY = {
    "begin": Word("Раздача карт ночная"),
    "night_falls": Word("После того, как состоялось голосование"),
    **{f"first_{step}_wakes": Word(_CALLED, official=False) for step in _CITY_FIRST},
    **{f"first_{step}_sleeps": Word(_CALLED, official=False) for step in _CITY_FIRST},
    "day_breaks": Word("После того, как все активные роли просыпались"),
    "morning": Word("Дон просыпается второй раз за ночь"),
    "minute": Word("Во время дневной стадии"),
    "raise": Word("Если и во втором туре"),
    "raise_many": Word("Если и во втором туре", official=False),
    "kill_wakes": Word("Мафия вместе с Доном просыпается", official=False),
    "kill_sleeps": Word("Мафия вместе с Доном просыпается"),
    "maniac_wakes": Word("Мафия вместе с Доном просыпается"),
    "maniac_sleeps": Word("Маньяк просыпается", official=False),
    "beauty_wakes": Word("Маньяк просыпается"),
    "beauty_sleeps": Word("Красотка просыпается", official=False),
    "doctor_wakes": Word("Красотка просыпается"),
    "doctor_sleeps": Word("Доктор просыпается"),
    "sheriff_wakes": Word("Доктор просыпается"),
    "sheriff_sleeps": Word("Комиссар просыпается"),
    "don_wakes": Word("Комиссар просыпается"),
    "don_sleeps": Word("Дон просыпается второй раз за ночь"),
    "bomber_wakes": Word("Подрывник", official=False),
    "bomber_sleeps": Word("Подрывник", official=False),
    "red_wins": Word("Чтобы победила команда мирных"),
    "card": Word("Раздача карт ночная", official=False),
    "cards_dealt": Word("Раздача карт ночная", official=False),
    "candidates": Word("После того, как все игроки выскажутся", official=False),
    "leaves": Word("Тот игрок, который на голосовании", official=False),
    "tie": Word("Автокатастрофа", official=False),
    "stay": Word("Если и во втором туре", official=False),
    "no_vote": Word("Важно!", official=False),
    "killed": Word("После ночи ведущий объявляет убитых игроков", official=False),
    "avenger_evening": Word("Если же Мстителя убили днём", official=False),
    "avenger_chooses": Word("После ночи ведущий объявляет убитых игроков", official=False),
}

_NONE = Word(None, official=False)
_BY_RULESET: Mapping[str, Mapping[str, Word]] = MappingProxyType({"ukraine": _UKRAINE, "city": _CITY})


def words(rules: Rules) -> Mapping[str, Word]:
    """The moments the ruleset has words or a clause for."""
    return _BY_RULESET.get(rules.name, _FIIM)


def word(rules: Rules, moment: str) -> Word:
    """The word of `moment`: customary and without a clause where the text is silent."""
    return words(rules).get(moment, _NONE)


def clause_of(rules: Rules, parameter: str) -> str | None:
    """The text's clause for a parameter of the ruleset; None where it stands on the rules page alone."""
    clause = rules.clauses.get(parameter, "")
    for note in (", geographic", ", rules page"):
        clause = clause.partition(note)[0]
    return None if not clause or clause.startswith("rules page") else clause
