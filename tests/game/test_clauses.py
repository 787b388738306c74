"""The list of clauses is whole, and every test that it names is there."""

import ast
from pathlib import Path

import pytest

from tests.game.clauses_fiim import CLAUSES, NOT_IN_THE_TEXT, READINGS, SECTIONS

HERE = Path(__file__).parent


def names_here() -> set[str]:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py")]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


FOUND = names_here()


def test_every_clause_of_sections_4_to_7_is_on_the_list():
    text = {f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)}
    assert set(CLAUSES) == text - NOT_IN_THE_TEXT


def test_every_reading_is_on_the_list():
    assert sorted(READINGS) == list(range(1, 26))


@pytest.mark.parametrize("named", sorted({*CLAUSES.values(), *READINGS.values()}))
def test_the_named_tests_exist(named: str):
    if named.startswith("test_"):
        assert [name for name in FOUND if name == named or name.startswith(f"{named}_")], named
    else:
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
