"""`docs/clauses.md`: every clause of the four texts with its tests; `python -m tests.game.clauses_page` draws it."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.game import clauses_city, clauses_fiim, clauses_ukraine, clauses_wma

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "clauses.md"
ROOMS = (HERE, HERE.parent / "scoring", HERE.parent / "record" / "form")
"""Where the clauses are tested: play, points and standings, the protocol."""
LISTS: Mapping[str, Mapping[str, str]] = {
    "fiim": clauses_fiim.CLAUSES,
    "wma": clauses_wma.CLAUSES,
    "ukraine": clauses_ukraine.CLAUSES,
    "city": clauses_city.CLAUSES,
}
READINGS: dict[int, str] = {
    **clauses_fiim.READINGS,
    5: "test_reading_5 test_ukraine_reading_5 test_city_night_a_dead_role",
    9: "test_ukraine_8_2",
    10: "test_the_values_of_the_best_move",
    11: "test_fiim_8_6 test_wma_6_7",
    12: "test_fiim_8_7",
    13: "test_wma_6_3_7 test_wma_6_3_8",
    14: "test_at_four_a_wrong_vote test_at_five_it_costs_one test_only_the_last_vote test_a_vote_that_is_not_critical",
    15: "test_a_hand_after_the_decision test_so_is_a_hand test_it_is_not_free",
    16: "test_city_bomber test_city_avenger",
    17: "test_city_beauty test_city_doctor test_city_bomber_not_the_same",
    18: "test_reading_18 test_points_have_two_decimals",
    20: "test_reading_20 test_wma_reading_20",
    21: "test_reading_21 test_wma_reading_21",
    23: "test_in_a_revote test_a_leader_who_can_still test_a_black_player_leaves_nothing test_the_removal_of_a_red",
    24: "test_city_avenger_the_win test_city_bomber test_city_important test_city_vote test_city_defeat_each_line",
    25: "test_ukraine_reading_25 test_ukraine_6_4 test_ukraine_5_2_2",
}


def known_tests() -> dict[str, str]:
    """Every test of the rules of play, of points, standings and the protocol, with the file it stands in."""
    found: dict[str, str] = {}
    for path in (path for room in ROOMS for path in sorted(room.glob("test_*.py"))):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert node.name not in found, node.name
                found[node.name] = path.relative_to(HERE.parent).as_posix()
    return found


def prefixes(named: str) -> tuple[str, ...]:
    """The names of tests, or beginnings of names, in an entry of a list; none where it is another's business."""
    return tuple(named.split()) if named.startswith("test_") else ()


def meant(prefix: str, tests: Mapping[str, str]) -> list[str]:
    """The tests that `prefix` stands for."""
    return [name for name in tests if name == prefix or name.startswith(f"{prefix}_")]


def _cell(named: str, tests: Mapping[str, str]) -> str:
    words: list[str] = []
    for prefix in prefixes(named):
        files = sorted({tests[name] for name in meant(prefix, tests)})
        words.append(f"`{prefix}` in {', '.join(files)}")
    return "; ".join(words) or named


def _table(head: str, rows: Mapping[str, str], tests: Mapping[str, str]) -> Iterator[str]:
    yield f"| {head} | tests, or whose business it is |"
    yield "| --- | --- |"
    for clause, named in rows.items():
        yield f"| {clause} | {_cell(named, tests)} |"
    yield ""


def clauses_page() -> str:
    """The whole page as Markdown."""
    tests = known_tests()
    lines = [
        "# Clauses and their tests",
        "",
        "Drawn by `python -m tests.game.clauses_page` from the lists in `tests/game/clauses_*.py`; not by hand.",
        "A name stands for the test of that name in `tests` and for all that begin with it and an underscore.",
        "",
    ]
    for ruleset, clauses in LISTS.items():
        lines += [f"## {ruleset}", "", *_table("clause", clauses, tests)]
    lines += ["## Settled readings", "", *_table("reading", {str(n): READINGS[n] for n in sorted(READINGS)}, tests)]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(clauses_page(), encoding="utf-8")
