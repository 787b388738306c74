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

JUDGED = "test_wma_6_4_3"

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
    "6.1": "test_wma_6_2",
    "6.2": "test_wma_6_2",
    **{f"6.2.{number}": "test_wma_6_2" for number in range(1, 4)},
    "6.3": "test_wma_6_3",
    "6.3.1": "test_wma_6_3_1",
    "6.3.2": "test_wma_6_3_2",
    "6.3.3": "test_wma_6_3_3",
    "6.3.4": "test_wma_6_3_1_more_with_the_chief_judge test_wma_6_3_2",
    "6.3.5": "test_wma_6_3_5",
    "6.3.6": "etiquette: how much the judge gives",
    "6.3.7": "test_wma_6_3_7",
    "6.3.8": "test_wma_6_3_8",
    "6.3.9": "etiquette: the judge of the table gives them",
    "6.4": "test_wma_6_4",
    "6.4.1": "test_wma_6_4_1",
    "6.4.2": "test_wma_6_4_3",
    "6.4.3": JUDGED,
    **{f"6.4.3.{number}": JUDGED for number in range(1, 8)},
    **{f"6.4.3.6.{number}": JUDGED for number in range(1, 5)},
    "6.4.3.6.5": "test_wma_6_4_3_6_5",
    **{f"6.4.3.7.{number}": JUDGED for number in range(1, 6)},
    "6.4.4": "test_wma_6_4_4_and_6_4_5",
    "6.4.5": "test_wma_6_4_4_and_6_4_5",
    "6.6.1": "test_wma_6_6_1",
    "6.6.1.1": "test_wma_6_6_1_1",
    "6.6.1.2": "test_wma_6_6_1_2",
    "6.6.1.3": "test_wma_6_6_1_3_to_6_6_1_5",
    "6.6.1.4": "test_wma_6_6_1_3_to_6_6_1_5",
    "6.6.1.5": "test_wma_6_6_1_3_to_6_6_1_5",
    "6.6.1.6": "test_the_lot_is_the_same",
    "6.7": "test_wma_6_7",
}
