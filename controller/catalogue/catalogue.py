"""Sentences by code. A sentence that is missing is never a failure at the table: it is warned of, and the next
best is shown - the same in Russian, at last the code itself. Under the tests a warning is an error.

In a sentence:
    {seat}                          the parameter as it is
    {count|голос|голоса|голосов}    the form that goes with the number, which is not itself written
                                    (one, few, many; in English one, other)
    {role@role}                     the parameter is a key of the group `role`: its sentence stands here
    {clause: (*)}                   " (6.6.1)" where the parameter is given and neither empty nor 0, otherwise nothing
    {seat:against *|for all}        the same, and what stands otherwise

A ruleset's own words stand under its name and are looked for first: `sentence("phrase.ukraine.thanks", ...)` finds
`phrase.ukraine.thanks`, `sentence("phrase.fiim.thanks", ...)` finds `phrase.thanks`. With the parameter
`ruleset="city"` the same is done for a code and for {role@role} that do not name a ruleset.
"""

import re
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

Param: TypeAlias = str | int

LANGUAGES: Final = ("ru", "uk", "en")
"""The first one is the fallback of the others."""

_HOLE = re.compile(
    r"\{(?:"
    r"(?P<perhaps>\w+):(?P<text>[^{}]*)"
    r"|(?P<number>\w+)\|(?P<forms>[^{}]*)"
    r"|(?P<key>\w+)@(?P<group>\w+)"
    r"|(?P<plain>\w+)"
    r")\}"
)


class UnknownSentence(UserWarning):
    """A code that the catalogue does not have, or a sentence whose parameter was not given."""


@cache
def group(name: str, language: str) -> Mapping[str, str]:
    """The sentences of one group by key, in the file's order; empty where there is no such group."""
    file = Path(__file__).parent / language / f"{name}.toml"
    if language not in LANGUAGES or not name.isidentifier() or not file.is_file():
        return {}
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def codes(language: str = LANGUAGES[0]) -> frozenset[str]:
    """Every code the catalogue has in `language`."""
    files = (Path(__file__).parent / language).glob("*.toml")
    return frozenset(f"{file.stem}.{key}" for file in files for key in group(file.stem, language))


def has(code: str, language: str = LANGUAGES[0], *, ruleset: str | None = None) -> bool:
    """Whether there is a sentence for `code`, the ruleset's own or the general one."""
    return _found(code, language, ruleset) is not None


def sentence(code: str, language: str, /, **params: Param) -> str:
    """The sentence for `code` in `language` with its parameters; more may be given than it uses."""
    ruleset = params.get("ruleset")
    own = ruleset if isinstance(ruleset, str) else None
    for tried in dict.fromkeys((language, *LANGUAGES)):
        text = _found(code, tried, own)
        if text is not None:
            if tried != language:
                _warn(f"no sentence {code} in {language}")
            return _filled(code, text, tried, params, own)
    _warn(f"no sentence {code}")
    return code


def listed(seats: Iterable[int]) -> str:
    """Numbers as they stand in a sentence: "1, 3, 5"."""
    return ", ".join(str(seat) for seat in seats)


def _warn(what: str) -> None:
    warnings.warn(what, UnknownSentence, stacklevel=3)


def _found(code: str, language: str, ruleset: str | None) -> str | None:
    name, _, key = code.partition(".")
    sentences = group(name, language)
    first, _, rest = key.partition(".")
    tries = (f"{ruleset}.{key}", key, rest) if ruleset else (key, rest)
    return next((sentences[tried] for tried in tries if first and tried in sentences), None)


def _filled(code: str, text: str, language: str, params: Mapping[str, Param], ruleset: str | None) -> str:
    def fill(hole: re.Match[str]) -> str:
        name = hole["perhaps"] or hole["number"] or hole["key"] or hole["plain"]
        value = params.get(name)
        if hole["perhaps"]:
            given, _, otherwise = hole["text"].partition("|")
            return given.replace("*", str(value)) if value else otherwise
        if value is None:
            _warn(f"the sentence {code} is not told {name}")
            return "…"
        if hole["number"]:
            return _form(str(value), hole["forms"].split("|"), language)
        if hole["key"]:
            word = _found(f"{hole['group']}.{value}", language, ruleset)
            if word is None:
                _warn(f"no sentence {hole['group']}.{value} in {language}")
                return str(value)
            return word
        return str(value)

    return _HOLE.sub(fill, text)


def _form(number: str, forms: list[str], language: str) -> str:
    """The form of a word that goes with `number`: 1 голос, 2 голоса, 5 голосов, 21 голос; 0.5 голоса."""
    whole = number.lstrip("+-−")
    if language == "en":
        return forms[0 if whole == "1" else -1]
    if not whole.isdecimal():
        return forms[1]
    count = int(whole)
    if count % 10 == 1 and count % 100 != 11:
        return forms[0]
    if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14:
        return forms[1]
    return forms[-1]
