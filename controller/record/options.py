"""The parameters that a tournament may set: a record's `option:` lines, and a variant's own file by the same names.

Times are seconds in the notation; a vote window's are microseconds in `Rules`. What makes no sense is refused.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import cast

from controller.catalogue import nearest
from controller.game.refusal import refuse
from controller.game.rules import Opener, RaiseOfThree, Rules, SecondTie, SoleCandidate, ThirdFoul
from controller.game.values import changed
from controller.record.lines import microseconds
from controller.scoring.decimals import best_move_values, shortest

YES = frozenset({"yes", "true", "on", "1", "да", "так"})
NO = frozenset({"no", "false", "off", "0", "нет", "ні"})
LONGEST_SPEECH = 600
LONGEST_WINDOW = 60_000_000


@dataclass(frozen=True, slots=True)
class Option:
    """One parameter: the field of `Rules` it sets, how its value is read, and how it is written back."""

    field: str
    read: Callable[[str], object]
    write: Callable[[object], str]


def _bad(value: str, wanted: str) -> Exception:
    return refuse("option_value", value=value, wanted=wanted)


def _yes_or_no(value: str) -> bool:
    if value.casefold() in YES:
        return True
    if value.casefold() in NO:
        return False
    raise _bad(value, "yes, no")


def _switch(field: str) -> Option:
    return Option(field, _yes_or_no, lambda value: "yes" if value else "no")


def _whole(field: str, least: int, most: int) -> Option:
    def read(value: str) -> int:
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
            raise _bad(value, f"{least}..{most}")
        return int(value)

    return Option(field, read, str)


def _micro(field: str, least: int) -> Option:
    def read(value: str) -> int:
        time = microseconds(value)
        if not least <= time <= LONGEST_WINDOW:
            raise _bad(value, f"{shortest(Decimal(least) / 1_000_000)}..{LONGEST_WINDOW // 1_000_000}")
        return time

    return Option(field, read, lambda value: shortest(Decimal(str(value)) / 1_000_000))


def _choice(field: str, kind: type[StrEnum]) -> Option:
    def read(value: str) -> StrEnum:
        try:
            return kind(value.casefold())
        except ValueError:
            raise _bad(value, ", ".join(kind)) from None

    return Option(field, read, str)


def _seats_living(value: str) -> frozenset[int]:
    """`3,4`: with how many living; `none`: never."""
    if value.casefold() == "none":
        return frozenset()
    words = [word.strip() for word in value.split(",")]
    if not all(word.isascii() and word.isdigit() and 1 <= int(word) <= 20 for word in words):
        raise _bad(value, "3,4; none")
    return frozenset(int(word) for word in words)


def _rotates(value: str) -> Opener:
    return Opener.AFTER_FIRST_SPEAKER if _yes_or_no(value) else Opener.LOWEST


def _best_move_values(value: str) -> str:
    found = best_move_values(value)
    return ",".join(f"{named}:{shortest(worth)}" for named, worth in found.items())


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "rotate_first_speaker": Option("opener", _rotates, lambda value: "no" if value is Opener.LOWEST else "yes"),
        "best_move_points": Option("best_move_points", _best_move_values, str),
        "short_minute_living": Option(
            "short_minute_living",
            _seats_living,
            lambda value: ",".join(map(str, sorted(cast(frozenset[int], value)))) or "none",
        ),
    }
    | {
        name: _switch(name)
        for name in (
            "no_raise_at_four",
            "withdrawal",
            "unvoted_to_last",
            "close_inclusive",
            "revote_reversed",
            "no_raise_of_all",
            "no_elimination_over_half_tied",
            "three_misses",
            "draw_after_night",
            "best_move",
            "best_move_voted_day_one",
            "wills",
            "team_defeat",
            "defeat_disqualifies",
            "protests",
        )
    }
    | {
        name: _whole(name, least, LONGEST_SPEECH)
        for name, least in (
            ("minute", 1),
            ("defence", 0),
            ("revote_speech", 1),
            ("last_word_voted", 0),
            ("last_word_shot", 0),
            ("short_minute", 0),
        )
    }
    | {
        name: _whole(name, 0, 20)
        for name in ("quiet_circles", "best_move_void_after", "vote_held_after_removals", "technical_fouls_out")
    }
    | {"window": _micro("window", 100_000), "early_tolerance": _micro("early_tolerance", 0)}
    | {
        name: _choice(name, kind)
        for name, kind in (
            ("opener", Opener),
            ("sole_candidate_day_one", SoleCandidate),
            ("sole_candidate", SoleCandidate),
            ("second_tie", SecondTie),
            ("raise_of_three_at_nine", RaiseOfThree),
            ("third_foul", ThirdFoul),
        )
    }
)
"""By the names of the notation. `opener` is `rotate_first_speaker` with all its values."""


def with_option(rules: Rules, name: str, value: str) -> Rules:
    """`rules` with one parameter set; raises Refused if there is no such parameter or it cannot have this value."""
    option = OPTIONS.get(name.casefold())
    if option is None:
        raise refuse("option_unknown", word=name, nearest=nearest(name, OPTIONS))
    played = changed(rules, **{option.field: option.read(value)})
    if played.early_tolerance > played.window:
        # A hand before the last window's opening would be inside this one.
        raise _bad(value, f"..{shortest(Decimal(played.window) / 1_000_000)}")
    return played


def options_of(rules: Rules, own: Rules) -> tuple[tuple[str, str], ...]:
    """The options that make `rules` from the ruleset's `own` parameters, as the notation writes them."""
    return tuple(
        (name, option.write(getattr(rules, option.field)))
        for name, option in OPTIONS.items()
        if name != "rotate_first_speaker" and getattr(rules, option.field) != getattr(own, option.field)
    )
