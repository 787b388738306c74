"""Every clause of wma's text with its tests, or whose business it is instead; names as in `clauses_fiim.py`, several
of them with a blank between."""

SECTIONS = {
    "4.5": 7,
    "5.6": 12,
    "5.8": 6,
    "6": 4,
    "6.2": 3,
    "6.3": 9,
    "6.4": 5,
    "6.4.3": 7,
    "6.4.3.6": 5,
    "6.4.3.7": 5,
    "6.6": 1,
    "6.6.1": 6,
}
"""How many clauses each section of the text numbers."""
ALONE = {"5.6", "5.8", "6.7"}
"""Clauses with words of their own that no section counts."""
NOT_IN_THE_TEXT = set[str]()
"""Numbers that the text leaps over."""

POINTS = "points: tests/scoring/test_wma.py"
STANDINGS = "standings: tests/scoring/test_standings.py"
JUDGED = "points: the judge's own penalty, tests/scoring/test_wma.py"

CLAUSES: dict[str, str] = {
    **{f"4.5.{number}": f"test_wma_4_5_{number}" for number in range(1, 8)},
    "5.6": "test_wma_5_6_the_third_takes_the_nearest_minute_and_the_fourth_sends_off",
    **{f"5.6.{number}": "test_wma_5_6_each_line_is_a_foul" for number in (1, 2, 3, 4, 8, 9, 11, 12)},
    "5.6.5": "test_wma_5_6_5",
    "5.6.6": "test_wma_5_6_6",
    "5.6.7": "test_wma_5_6_7 test_wma_5_6_6_and_5_6_7",
    "5.6.10": "test_wma_5_6_10",
    "5.8": "test_wma_5_8",
    **{f"5.8.{number}": "test_wma_5_8_each_line" for number in (1, 2, 4, 6)},
    "5.8.3": "test_wma_5_8_3 test_wma_5_8_each_line",
    "5.8.5": "test_wma_5_8_5 test_wma_5_8_each_line",
    "6.1": POINTS,
    **{f"6.{section}": POINTS for section in (2, 3, 4)},
    **{f"6.2.{number}": POINTS for number in range(1, 4)},
    **{f"6.3.{number}": POINTS for number in range(1, 10)},
    **{f"6.4.{number}": POINTS for number in (1, 2, 4, 5)},
    "6.4.3": JUDGED,
    **{f"6.4.3.{number}": JUDGED for number in range(1, 8)},
    **{f"6.4.3.6.{number}": JUDGED for number in range(1, 6)},
    **{f"6.4.3.7.{number}": JUDGED for number in range(1, 6)},
    "6.6.1": STANDINGS,
    **{f"6.6.1.{number}": STANDINGS for number in range(1, 7)},
    "6.7": STANDINGS,
}
