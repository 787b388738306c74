"""The lists of clauses of wma, ukraine and city are whole, the tests they name are there, and the page says so."""

from types import ModuleType

import pytest

from controller.game import RULESETS
from controller.game.words import words
from tests.game import clauses_city, clauses_ukraine, clauses_wma
from tests.game.clauses_page import LISTS, PAGE, READINGS, clauses_page, known_tests, meant, prefixes

TESTS = known_tests()
SHARED = ("scoring/", "record/", "game/test_readings.py")
NAMED = [(name, entry) for name, clauses in LISTS.items() for entry in sorted(set(clauses.values()))]


@pytest.mark.parametrize("text", [clauses_wma, clauses_ukraine])
def test_every_clause_that_the_text_numbers_is_on_the_list(text: ModuleType):
    numbered = {f"{section}.{number}" for section, count in text.SECTIONS.items() for number in range(1, count + 1)}
    assert set(text.CLAUSES) == (numbered | text.ALONE) - text.NOT_IN_THE_TEXT


@pytest.mark.parametrize(("ruleset", "entry"), NAMED)
def test_the_named_tests_exist_and_are_the_rule_sets_own(ruleset: str, entry: str):
    for prefix in prefixes(entry):
        assert meant(prefix, TESTS), prefix
        # What the rule sets share is tested once.
        shared = [name for name in meant(prefix, TESTS) if TESTS[name].startswith(SHARED)]
        assert prefix.startswith(f"test_{ruleset}_") or shared, prefix
    assert prefixes(entry) or ":" in entry or "organiser" in entry


@pytest.mark.parametrize("ruleset", ["wma", "ukraine"])
def test_every_test_that_names_a_clause_names_one_of_the_list(ruleset: str):
    """`test_wma_5_6_7_...` tests 5.6.7, `test_wma_5_6_...` all of 5.6; 5.7 is known by its numbers alone."""
    for name in TESTS:
        said = name.split("_")
        number = ".".join(word for word in said[2:5] if word.isdigit())
        if said[1] == ruleset and said[2].isdigit() and number != "5.7":
            assert [clause for clause in LISTS[ruleset] if f"{clause}.".startswith(f"{number}.")], name


def test_every_test_of_city_belongs_to_a_paragraph():
    """All but those of the rules page's table of hands, of its readings, and of a position set by hand."""
    named = {name for entry in LISTS["city"].values() for prefix in prefixes(entry) for name in meant(prefix, TESTS)}
    others = ("test_city_hand_", "test_city_reading_", "test_city_position_", "test_city_lines_", "test_city_day_no_")
    own = [name for name, file in TESTS.items() if file.startswith("game/test_city_")]
    assert [name for name in own if not name.startswith(others) and name not in named] == []


def test_whatever_the_code_cites_of_city_is_on_the_list():
    cited = {rule.words for rule in RULESETS["city"].violations}
    cited |= {word.clause for word in words(RULESETS["city"]).values() if word.clause}
    cited |= {one.clause for one in RULESETS["city"].proposals.values()}
    known = tuple(clauses_city.CLAUSES)
    for clause in cited - {"Автокатастрофа"}:  # the text's name for a tie, in mid-sentence
        assert [line for line in known if line.startswith(clause) or clause.startswith(line)], clause


def test_every_reading_is_on_the_list_and_its_tests_exist():
    assert sorted(READINGS) == list(range(1, 26))
    for entry in READINGS.values():
        assert prefixes(entry) or entry.startswith("points")
        for prefix in prefixes(entry):
            assert meant(prefix, TESTS), prefix


def test_the_page_on_the_clauses_is_what_the_lists_say():
    assert PAGE.read_text(encoding="utf-8") == clauses_page(), (
        "docs/clauses.md is older than the lists: run python -m tests.game.clauses_page"
    )
