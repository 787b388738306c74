"""The head of a record: which rules, which tournament, who sat where with which card."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from controller.catalogue import nearest
from controller.game import RULESETS
from controller.game.refusal import Refused, refuse
from controller.game.roles import Role
from controller.game.rules import Rules
from controller.record.lines import Line, RecordFault
from controller.record.options import with_option
from controller.record.variant import Counting, with_points
from controller.scoring.standings import tournament_of
from controller.scoring.tables import SCORINGS, rules_for, scoring_table

LETTERS: Mapping[str, Role] = MappingProxyType(
    {"к": Role.CIVILIAN, "м": Role.CIVILIAN, "ч": Role.MAFIA, "д": Role.DON, "ш": Role.SHERIFF}
)
"""The protocol's letters (fiim 9.4.1, ukraine 9.4.1)."""
ONCE = ("ruleset", "scoring", "event", "stage", "game", "table", "date", "judge")
MANY = ("option", "points")
SEAT = re.compile(r"seat\s+([0-9]{1,3})", re.IGNORECASE)

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a seat, and the card that was drawn. A name may be unknown: then it is empty."""

    number: int
    name: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Headers:
    """Everything that stands above the game."""

    ruleset: str
    scoring: str
    options: tuple[tuple[str, str], ...] = ()
    points: tuple[tuple[str, str], ...] = ()
    """What the tournament counts otherwise than the scoring's text, by the names of a variant's `[scoring]`."""
    event: str = ""
    stage: str = ""
    game: str = ""
    table: str = ""
    date: str = ""
    judge: str = ""
    seats: tuple[Sitter, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """The headers as they were read: with the rules they make, and the lines for faults that show only at the deal."""

    headers: Headers
    rules: Rules
    counting: Counting
    seat_lines: Mapping[int, int]
    last_line: int


def split(lines: Sequence[Line]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Header lines and the game's lines; the first empty line after a header parts them. Raises RecordFault."""
    head: list[Line] = []
    for index, line in enumerate(lines):
        if line.text:
            head.append(line)
        elif head:
            return tuple(head), tuple(line for line in lines[index:] if line.text)
    if not head:
        raise RecordFault(None, refuse("record_empty").refusal)
    return tuple(head), ()


def is_header(text: str) -> bool:
    """Whether `text` is written like one of the known headers."""
    key, colon, _ = text.partition(":")
    if not colon:
        return False
    key = key.strip().casefold()
    return key in ONCE or key in MANY or SEAT.fullmatch(key) is not None


def read_head(lines: Sequence[Line], rulesets: Mapping[str, Rules] = RULESETS) -> Head:
    """The head of a record from its lines. Raises RecordFault with the line."""
    once: dict[str, Line] = {}
    options: list[Line] = []
    points: list[Line] = []
    seats: dict[int, tuple[Line, Sitter]] = {}
    for line in lines:
        try:
            key = _key(line)
            if key == "option":
                options.append(line)
            elif key == "points":
                points.append(line)
            elif key in ONCE:
                if key in once:
                    raise refuse("header_twice", header=key)
                once[key] = line
            else:
                sitter = _sitter(line)
                if sitter.number in seats:
                    raise refuse("seat_twice", seat=sitter.number)
                if sitter.name and any(sitter.name == other.name for _, other in seats.values()):
                    raise refuse("name_twice", name=sitter.name)
                seats[sitter.number] = (line, sitter)
        except Refused as refused:
            raise RecordFault(line.number, refused.refusal) from None
    last = lines[-1].number
    own = _ruleset(once.get("ruleset"), last, rulesets)
    scoring = _scoring(once.get("scoring"), own)
    rules, set_options = _settings(options, rules_for(scoring, own), with_option)
    text = Counting(scoring_table(scoring), tournament_of(scoring))
    counting, set_points = _settings(points, text, with_points)
    _all_seats(seats, own, last)
    headers = Headers(
        ruleset=own.name,
        scoring=scoring,
        options=set_options,
        points=set_points,
        seats=tuple(seats[number][1] for number in sorted(seats)),
        **{key: _value(once[key]) for key in ONCE[2:] if key in once},
    )
    return Head(headers, rules, counting, MappingProxyType({n: line.number for n, (line, _) in seats.items()}), last)


def _key(line: Line) -> str:
    key, colon, value = line.text.partition(":")
    key = key.strip().casefold()
    if not colon:
        raise refuse("header_expected", word=line.text)
    if SEAT.fullmatch(key):
        return key
    if key not in (*ONCE, *MANY):
        raise refuse("header_unknown", word=key, nearest=nearest(key, (*ONCE, *MANY, "seat")))
    if not value.strip():
        raise refuse("header_without_value", header=key)
    return key


def _value(line: Line) -> str:
    return line.text.partition(":")[2].strip()


def _sitter(line: Line) -> Sitter:
    key = line.text.partition(":")[0].strip()
    matched = SEAT.fullmatch(key)
    assert matched is not None
    # A name may have a comma in it, a role has none.
    name, comma, word = _value(line).rpartition(",")
    if not comma or not word.strip():
        raise refuse("seat_without_role", seat=int(matched[1]))
    return Sitter(int(matched[1]), name.strip(), role_of(word.strip()))


def role_of(word: str) -> Role:
    """The card by its name or the protocol's letter; raises Refused."""
    word = word.casefold()
    if word in LETTERS:
        return LETTERS[word]
    try:
        return Role(word)
    except ValueError:
        raise refuse("role_unknown", word=word, nearest=nearest(word, Role)) from None


def _ruleset(line: Line | None, last: int, rulesets: Mapping[str, Rules]) -> Rules:
    if line is None:
        raise RecordFault(last, refuse("header_missing", header="ruleset").refusal)
    name = _value(line).casefold()
    if name not in rulesets:
        near = nearest(name, rulesets)
        raise RecordFault(line.number, refuse("ruleset_unknown", word=name, nearest=near).refusal)
    return rulesets[name]


def _scoring(line: Line | None, own: Rules) -> str:
    """The scoring's name: the ruleset's own unless another is named that is played on it."""
    if line is None:
        return own.name
    name = _value(line).casefold()
    if name != own.name and name not in SCORINGS:
        near = nearest(name, SCORINGS)
        raise RecordFault(line.number, refuse("scoring_unknown", word=name, nearest=near).refusal)
    if name != own.name and SCORINGS[name].ruleset != own.name:
        fault = refuse("scoring_of_other_rules", scoring=name, ruleset=own.name)
        raise RecordFault(line.number, fault.refusal)
    return name


def _settings(
    lines: Sequence[Line], value: Value, with_one: Callable[[Value, str, str], Value]
) -> tuple[Value, tuple[tuple[str, str], ...]]:
    """`value` with what the `NAME=VALUE` of each line sets, and the lines as they were read."""
    found: dict[str, str] = {}
    for line in lines:
        name, equals, word = (part.strip() for part in _value(line).partition("="))
        try:
            if not equals or not name or not word:
                raise refuse("option_form", word=_value(line))
            if name.casefold() in found:
                raise refuse("option_twice", option=name.casefold())
            value = with_one(value, name, word)
        except Refused as refused:
            raise RecordFault(line.number, refused.refusal) from None
        found[name.casefold()] = word
    return value, tuple(found.items())


def _all_seats(seats: Mapping[int, tuple[Line, Sitter]], rules: Rules, last: int) -> None:
    """The seats are numbered from 1 without a gap, as many as the ruleset is played by (rules page, players)."""
    count = len(seats)
    for number in range(1, count + 1):
        if number not in seats:
            raise RecordFault(last, refuse("seat_missing", seat=number).refusal)
    if not rules.fewest <= count <= rules.most:
        fault = refuse("seats_count", count=count, fewest=rules.fewest, most=rules.most)
        raise RecordFault(last, replace(fault.refusal, clause=rules.clauses.get("deck")))
