"""The catalogue is whole: three languages say the same things, and whatever the code says has its sentence."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import pytest

from controller.catalogue import LANGUAGES, codes, group, has
from controller.catalogue.catalogue import _HOLE
from controller.game.ballot import Offence
from controller.game.outcome import Reason, Winner
from controller.game.roles import Role, Team
from controller.game.rules import Waking
from controller.game.rulesets import RULESETS
from controller.game.seat import How

HOUSE = Path(__file__).parents[2]
ROOMS = ("controller", "firmware_bridge", "hardware", "scenes")
FORMS = {"ru": 3, "uk": 3, "en": 2}
GROUPS = sorted({code.partition(".")[0] for code in codes()})
OTHER_ALPHABET = {"ru": re.compile("[іїєґІЇЄҐ]"), "uk": re.compile("[ыэёъЫЭЁЪ]"), "en": re.compile("[а-яА-ЯіїєґІЇЄҐ]")}


def params(text: str) -> tuple[set[str], set[str]]:
    """The parameters a sentence cannot do without, and those it can."""
    needed: set[str] = set()
    perhaps: set[str] = set()
    for hole in _HOLE.finditer(text):
        name = hole["perhaps"] or hole["number"] or hole["key"] or hole["plain"]
        (perhaps if hole["perhaps"] else needed).add(name)
    return needed, perhaps


# --- the three languages


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_languages_have_the_same_codes(language: str):
    assert codes(language) ^ codes(LANGUAGES[0]) == set()


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_languages_say_the_same_parameters(language: str, name: str):
    ours, theirs = group(name, LANGUAGES[0]), group(name, language)
    differing = {key for key in ours.keys() & theirs.keys() if params(ours[key]) != params(theirs[key])}
    assert differing == set()


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_well_formed(language: str, name: str):
    for key, text in group(name, language).items():
        where = f"{language} {name}.{key}: {text}"
        assert text, where
        assert text == text.strip(), where
        assert "  " not in text, where
        rest = _HOLE.sub("", text)
        assert "{" not in rest, where
        assert "}" not in rest, where
        for hole in _HOLE.finditer(text):
            if hole["number"]:
                assert len(hole["forms"].split("|")) == FORMS[language], where
            if hole["key"]:
                assert group(hole["group"], language), where


@pytest.mark.parametrize("name", sorted(set(GROUPS) - {"paragraph"}))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_in_the_letters_of_its_language(language: str, name: str):
    for key, text in group(name, language).items():
        assert not OTHER_ALPHABET[language].search(text), f"{language} {name}.{key}: {text}"


def natural(key: str) -> list[tuple[int, int, str]]:
    """Clauses count by number: 6.6.9 before 6.6.10."""
    words = [word for word in re.split(r"(\d+)|\.", key) if word]
    return [(0, int(word), "") if word.isdigit() else (1, 0, word) for word in words]


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_stand_in_order_so_that_each_is_found(language: str, name: str):
    keys = list(group(name, language))
    assert keys == sorted(keys, key=natural)


# --- what the code says


@dataclass(frozen=True)
class Said:
    """A refusal as it is made somewhere in the code; `told` is None where its parameters are not written there."""

    code: str
    told: frozenset[str] | None
    where: str


def text_of(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def told_by(call: ast.Call, *, refuse: bool) -> frozenset[str] | None:
    if refuse:
        names = {keyword.arg for keyword in call.keywords} - {"clause", "not_now", "secret"}
        return None if None in names else frozenset(name for name in names if name is not None)
    written = call.args[1] if len(call.args) > 1 else None
    written = next((keyword.value for keyword in call.keywords if keyword.arg == "params"), written)
    if written is None:
        return frozenset()
    if not isinstance(written, ast.Dict):
        return None
    keys = [text_of(key) for key in written.keys]
    return None if None in keys else frozenset(key for key in keys if key is not None)


def refusals() -> Iterator[Said]:
    for room in ROOMS:
        for file in sorted((HOUSE / room).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                where = f"{file.relative_to(HOUSE)}:{getattr(node, 'lineno', 0)}"
                if isinstance(node, ast.Call):
                    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                    if name not in ("refuse", "Refusal") or any(word.arg == "sentence" for word in node.keywords):
                        continue  # the message to a page brings its sentence along
                    coded = next((keyword.value for keyword in node.keywords if keyword.arg == "code"), None)
                    code = text_of(coded or (node.args[0] if node.args else None))
                    if code is not None:
                        yield Said(code, told_by(node, refuse=name == "refuse"), where)
                elif isinstance(node, ast.FunctionDef):
                    named = [*node.args.posonlyargs, *node.args.args]
                    named = named[len(named) - len(node.args.defaults) :]
                    for argument, default in zip(named, node.args.defaults, strict=True):
                        code = text_of(default)
                        if argument.arg == "code" and code:
                            yield Said(code, None, where)


REFUSALS = tuple(refusals())


def test_every_refusal_has_its_sentence():
    assert len(REFUSALS) > 80
    missing = {said.where: said.code for said in REFUSALS if not has(f"refusal.{said.code}")}
    assert missing == {}


def test_a_refusal_says_only_what_it_is_told():
    sentences = group("refusal", LANGUAGES[0])
    wanting = {
        said.where: (said.code, params(sentences[said.code])[0] - said.told)
        for said in REFUSALS
        if said.told is not None and said.code in sentences and params(sentences[said.code])[0] - said.told
    }
    assert wanting == {}


def test_every_sentence_that_is_asked_for_by_name_is_there():
    asked: dict[str, str] = {}
    for room in ROOMS:
        for file in sorted((HOUSE / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "sentence" and node.args:
                    code = text_of(node.args[0])
                    if code is not None and not has(code):
                        asked[f"{file.relative_to(HOUSE)}:{node.lineno}"] = code
    assert asked == {}


@pytest.mark.parametrize("words", [How, Offence, Reason, Role, Team, Waking, Winner])
def test_every_word_of_the_game_has_its_word(words: type[StrEnum]):
    name = words.__name__.lower()
    assert {word.value for word in words if not has(f"{name}.{word.value}")} == set()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_has_its_name(ruleset: str):
    assert has(f"ruleset.{ruleset}")


# --- violations


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_violation_has_its_short_name(ruleset: str):
    rules = RULESETS[ruleset]
    missing = {rule.clause for rule in rules.violations if not has(f"violation.{ruleset}.{rule.clause}")}
    assert missing == set()


def numbered(*sections: tuple[str, int]) -> set[str]:
    return {f"{section}{number}" for section, last in sections for number in range(1, last + 1)}


def test_every_line_of_the_texts_lists_is_there():
    named = {key.partition(".")[::2] for key in group("violation", LANGUAGES[0])}
    for ruleset, lines in {
        "fiim": numbered(("5.1.", 23), ("6.6.", 7), ("6.7.", 12), ("6.8.", 4)) | {"6.6.9"},
        "wma": numbered(("5.6.", 12), ("5.7.", 20), ("5.8.", 6)),
        "ukraine": numbered(("5.1.", 15)),
        "city": numbered(("f", 10), ("r", 14), ("d", 7)),
    }.items():
        assert {clause for name, clause in named if name == ruleset} == lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_violation_fits_a_line_of_the_tablet(language: str):
    assert {text for text in group("violation", language).values() if len(text) > 60} == set()


def test_every_line_of_the_city_lists_is_cited_by_its_first_words():
    cited = group("paragraph", LANGUAGES[0])
    assert set(cited) == {key for key in group("violation", LANGUAGES[0]) if key.startswith("city.")}
    assert all(group("paragraph", language) == cited for language in LANGUAGES)
