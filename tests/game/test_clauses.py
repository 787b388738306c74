"""The list of clauses is whole, and every test that it names is there."""

import pytest

from tests.game.clauses_fiim import CLAUSES, NOT_IN_THE_TEXT, READINGS, SECTIONS
from tests.game.clauses_page import known_tests, meant, prefixes

FOUND = known_tests()


def test_every_clause_is_on_the_list():
    text = {f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)}
    assert set(CLAUSES) == text - NOT_IN_THE_TEXT


def test_every_reading_is_on_the_list():
    assert sorted(READINGS) == list(range(1, 26))


@pytest.mark.parametrize("named", sorted({*CLAUSES.values(), *READINGS.values()}))
def test_the_named_tests_exist(named: str):
    for prefix in prefixes(named):
        assert meant(prefix, FOUND), prefix
    assert len(named) > 3


def test_every_clause_that_a_test_names_is_on_the_list():
    """`test_fiim_4_4_9_...` tests 4.4.9, `test_fiim_5_1_...` all of 5.1, `test_reading_22_...` the 22nd."""
    for name in FOUND:
        words = name.split("_")
        number = ".".join(word for word in words[2:5] if word.isdigit())
        if words[1:2] == ["fiim"]:
            assert [clause for clause in CLAUSES if f"{clause}.".startswith(f"{number}.")], name
        elif words[1:2] == ["reading"]:
            assert READINGS[int(words[2])].startswith("test_"), name
