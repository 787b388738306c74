"""A tournament's own variant: a TOML file that starts from a ruleset and changes named parameters.

    from = "fiim"                       # the ruleset; required

    [rules]                             # by the names of the notation's options
    no_raise_at_four = false
    window = 2.5                        # seconds

    [scoring]                           # by the names below; everything is optional
    from = "club"                       # else the ruleset's own
    best_move = { 3 = 0.5, 2 = 0.3, 1 = 0.1 }   # points by black ones named
    disqualified = -0.5
    technical_light = -0.1
    technical_heavy = -0.3
    final_factor = 1.3
    ci = true                           # compensation over the distance
    ci_won = 0.5                        # what part of it is paid where red has won
    ci_needs_black_named = false
    ci_by_team = false                  # i and B of the whole team; `--teams` names the teams
    coefficient = false                 # K of the hard side

An unknown name is refused with the nearest one, an impossible value with what is possible.
"""

import re
import tomllib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import cast

from controller.catalogue import nearest
from controller.game import RULESETS
from controller.game.refusal import Refused, refuse
from controller.game.rules import Rules
from controller.record.lines import RecordFault
from controller.record.options import with_option
from controller.scoring.decimals import points
from controller.scoring.standings import Tournament, tournament_of
from controller.scoring.table import BestMove, Table
from controller.scoring.tables import SCORINGS, rules_for

SECTIONS = ("from", "rules", "scoring")
OWN = "variant "
"""What stands where a clause stands, before the parameter's name, for a number that is the tournament's own."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The rules and the points of one tournament."""

    rules: Rules
    table: Table
    tournament: Tournament
    points: tuple[tuple[str, str], ...] = ()
    """What the file changes of the points, as a record's `points:` lines say it."""

    @property
    def rulesets(self) -> Mapping[str, Rules]:
        """All rulesets, with this variant in the place of the one it starts from."""
        return MappingProxyType({**RULESETS, self.rules.name: self.rules})


@dataclass(frozen=True, slots=True)
class Counting:
    """How games are counted, and how they add up."""

    table: Table
    tournament: Tournament


def read_variant(path: Path) -> Variant:
    """The variant in the file `path`. Raises RecordFault with what is wrong and where."""
    return variant_of(read_text(path))


def read_text(path: Path) -> str:
    """What stands in the file `path`. Raises RecordFault."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordFault(None, refuse("file_unreadable", why=error.strerror or "").refusal) from None
    except UnicodeDecodeError:
        raise RecordFault(None, refuse("file_not_utf8").refusal) from None


def variant_of(text: str) -> Variant:
    """The variant that a file's text describes. Raises RecordFault with what is wrong and where."""
    try:
        said = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        raise RecordFault(int(at[1]) if at else None, refuse("variant_is_no_toml", why=str(error)).refusal) from None
    try:
        return variant(said)
    except Refused as refused:
        named = getattr(refused, "__notes__", None)
        section, _, key = named[0].rpartition(".") if named else ("", "", "")
        raise RecordFault(_line_of(text, key, section) if named else None, refused.refusal) from None


def _line_of(text: str, key: str, section: str = "") -> int | None:
    """Where `key` is set in `section` (empty: at the top), or where the section of that name begins.

    The text is TOML already, so a table's head stands alone in its line. A dotted key (`rules.minute = 0`) and a
    table in one line (`rules = { minute = 0 }`) are found by their first word.
    """
    assigned = re.compile(r"""\s*(?P<key>["']?[\w-]+["']?(?:\s*\.\s*["']?[\w-]+["']?)*)\s*=""")
    head = re.compile(r"""\s*\[\s*["']?(?P<key>[\w-]+)["']?\s*[].]""")
    wanted = [[*filter(None, [section]), key], [section or key]]
    here: list[str] = []
    found: dict[int, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if begins := head.match(line):
            here = said = [begins["key"]]
        elif sets := assigned.match(line):
            said = here + [word.strip(" \t\"'") for word in sets["key"].split(".")]
        else:
            continue
        for rank, words in enumerate(wanted):
            if said[: len(words)] == words:
                found.setdefault(rank, number)
    return found[min(found)] if found else None


@contextmanager
def _at(key: str, section: str = "") -> Generator[None, None, None]:
    """What is refused inside is about `key` of `section`; the innermost says so."""
    try:
        yield
    except Refused as refused:
        refused.add_note(f"{section}.{key}" if section else key)
        raise


def variant(said: Mapping[str, object]) -> Variant:
    """The variant that a parsed file describes. Raises Refused."""
    for name in said:
        with _at(name):
            if name not in SECTIONS:
                raise refuse("variant_unknown", word=name, nearest=nearest(name, SECTIONS))
    with _at("from"):
        base = _text(said, "from")
        if base not in RULESETS:
            raise refuse("ruleset_unknown", word=base, nearest=nearest(base, RULESETS))
    with _at("scoring"):
        scoring = dict(_section(said, "scoring"))
    with _at("from", "scoring"):
        name = str(scoring.pop("from", base))
        if name not in SCORINGS:
            raise refuse("scoring_unknown", word=name, nearest=nearest(name, SCORINGS))
        if SCORINGS[name].ruleset != base:
            raise refuse("scoring_of_other_rules", scoring=name, ruleset=base)
    rules = rules_for(name, RULESETS[base])
    with _at("rules"):
        options = _section(said, "rules")
    for option, value in options.items():
        with _at(option, "rules"):
            rules = with_option(rules, option, _word(option, value))
    own = Counting(SCORINGS[name], tournament_of(name))
    for parameter, value in scoring.items():
        with _at(parameter, "scoring"):
            own = _with_parameter(own, parameter, value)
    said_points = tuple((parameter, _written(value)) for parameter, value in scoring.items())
    return Variant(rules, own.table, own.tournament, said_points)


def _with_parameter(own: Counting, parameter: str, value: object) -> Counting:
    change = PARAMETERS.get(parameter)
    if change is None:
        raise refuse("option_unknown", word=parameter, nearest=nearest(parameter, PARAMETERS))
    return change(own, value)


def with_points(own: Counting, parameter: str, word: str) -> Counting:
    """`own` with one parameter of the points set as a record's `points:` line has it. Raises Refused."""
    value: object = word
    if word in SWITCHED:
        value = SWITCHED[word]
    elif parameter == "best_move":
        pairs = [] if word == NO_VALUES else [pair.partition(":") for pair in word.split(",")]
        value = {named.strip(): worth.strip() for named, _, worth in pairs}
    return _with_parameter(own, parameter, value)


def _written(value: object) -> str:
    """A value of TOML as a `points:` line has it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case dict():
            pairs = cast(Mapping[str, object], value).items()
            return ",".join(f"{named}:{worth}" for named, worth in pairs) or NO_VALUES
        case _:
            return str(value)


def _section(said: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = said.get(name, {})
    if not isinstance(section, dict):
        raise refuse("option_value", value=str(section), wanted=f"[{name}]")
    return cast(Mapping[str, object], section)


def _text(said: Mapping[str, object], name: str) -> str:
    if name not in said:
        raise refuse("header_missing", header=name)
    return str(said[name]).casefold()


def _word(option: str, value: object) -> str:
    """A value of TOML as an option's word."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str() | int() | Decimal():
            return str(value)
        case list() if option == "short_minute_living":
            return ",".join(str(number) for number in cast(list[object], value)) or "none"
        case _:
            raise refuse("option_value", value=str(value), wanted=option)


def _number(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
        raise refuse("points_expected", word=str(value))
    return points(str(value))


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise refuse("option_value", value=str(value), wanted="true, false")
    return value


SWITCHED: Mapping[str, bool] = MappingProxyType({"yes": True, "no": False})
NO_VALUES = "none"


# --- the parameters of the points


def _best_move(own: Counting, value: object) -> Counting:
    if not isinstance(value, dict):
        raise refuse("option_value", value=str(value), wanted="{ 3 = 0.4, 2 = 0.25 }")
    values: dict[int, Decimal] = {}
    for named, worth in cast(Mapping[str, object], value).items():
        if named not in ("1", "2", "3"):
            raise refuse("option_value", value=named, wanted="1, 2, 3")
        values[int(named)] = _number(worth)
        if values[int(named)] < 0:
            raise refuse("option_value", value=str(worth), wanted=">= 0")
    kept = own.table.best_move or BestMove()
    table = MappingProxyType(values)
    best_move = replace(kept, red_won=table, red_lost=table, of_tournament=False)
    return replace(own, table=_own(own.table, "best_move", best_move))


def _own(table: Table, field: str, value: object) -> Table:
    """`table` with a number of the tournament's own, which is cited as such."""
    clauses = MappingProxyType({**table.clauses, field: f"{OWN}{field}"})
    return replace(table, **{field: value}, clauses=clauses)


def _cost(field: str) -> Callable[[Counting, object], Counting]:
    def apply(own: Counting, value: object) -> Counting:
        worth = _number(value)
        if worth > 0:
            raise refuse("option_value", value=str(value), wanted="<= 0")
        return replace(own, table=_own(own.table, field, worth))

    return apply


def _final_factor(own: Counting, value: object) -> Counting:
    factor = _number(value)
    if factor <= 0:
        raise refuse("option_value", value=str(value), wanted="> 0")
    clauses = MappingProxyType({**own.table.clauses, "factor": f"{OWN}final_factor"})
    return replace(own, table=replace(own.table, final_factor=factor, clauses=clauses))


def _ci(own: Counting, value: object) -> Counting:
    kept = own.tournament.compensation if _switch(value) else None
    if kept is None and value:
        kept = tournament_of("fiim").compensation
    return replace(own, tournament=replace(own.tournament, compensation=kept))


def _compensation(change: Callable[[object], Mapping[str, object]]) -> Callable[[Counting, object], Counting]:
    def apply(own: Counting, value: object) -> Counting:
        kept = own.tournament.compensation
        if kept is None:
            raise refuse("variant_without_ci")
        changed = replace(kept, **change(value))
        return replace(own, tournament=replace(own.tournament, compensation=changed))

    return apply


def _won(value: object) -> Mapping[str, object]:
    part = _number(value)
    if not 0 <= part <= 1:
        raise refuse("option_value", value=str(value), wanted="0..1")
    return {"won": Fraction(part), "won_cap": Fraction(2, 5)}


def _coefficient(own: Counting, value: object) -> Counting:
    kept = (own.tournament.coefficient or tournament_of("fiim").coefficient) if _switch(value) else None
    return replace(own, tournament=replace(own.tournament, coefficient=kept))


PARAMETERS: Mapping[str, Callable[[Counting, object], Counting]] = MappingProxyType(
    {
        "best_move": _best_move,
        "disqualified": _cost("disqualified"),
        "technical_light": _cost("technical_light"),
        "technical_heavy": _cost("technical_heavy"),
        "final_factor": _final_factor,
        "ci": _ci,
        "ci_won": _compensation(_won),
        "ci_by_team": _compensation(lambda value: {"by_team": _switch(value)}),
        "ci_needs_black_named": _compensation(lambda value: {"needs_black_named": _switch(value)}),
        "coefficient": _coefficient,
    }
)
"""What a tournament may change of the points; they are taken in the file's order."""
