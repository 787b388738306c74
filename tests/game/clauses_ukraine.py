"""Every clause of ukraine's text with its tests, or whose business it is instead; names as in `clauses_wma.py`."""

SECTIONS = {
    "1": 4,
    "2": 4,
    "3": 4,
    "4.1": 3,
    "4.2": 5,
    "4.3": 5,
    "4.4": 15,
    "4.5": 9,
    "4.6": 1,
    "5.1": 15,
    "5.2": 3,
    "6": 6,
    "7": 2,
    "8": 6,
    "8.2": 4,
    "8.3": 1,
    "8.4": 2,
    "8.5": 4,
    "8.6": 1,
    "8.7": 3,
    "9": 10,
    "9.2": 2,
    "9.4": 1,
}
"""How many clauses each section of the text numbers."""
ALONE = set[str]()
NOT_IN_THE_TEXT = {"8.7.1"}
"""Numbers that the text leaps over."""

ETIQUETTE = "etiquette: the judge sees to it"
HALL = "the hall: table, masks, music, language"
POINTS = "points: tests/scoring/test_ukraine.py"
STANDINGS = "standings: tests/scoring/test_standings.py"
PROTOCOL = "the protocol: controller/record"

CLAUSES: dict[str, str] = {
    "1.1": "test_ukraine_1_1",
    "1.2": "who judges: the table's roles",
    "1.3": "test_ukraine_1_3",
    "1.4": "test_ukraine_1_4",
    **{f"2.{number}": HALL for number in range(1, 5)},
    **{f"3.{number}": ETIQUETTE for number in range(1, 5)},
    **{f"4.1.{number}": f"test_ukraine_4_1_{number}" for number in range(1, 4)},
    **{f"4.2.{number}": f"test_ukraine_4_2_{number}" for number in range(1, 6)},
    "4.3.1": "test_ukraine_4_3_1",
    "4.3.2": "test_ukraine_4_3_2",
    "4.3.3": ETIQUETTE,
    "4.3.4": ETIQUETTE,
    "4.3.5": "etiquette: the judge hears «Дякую» and makes the next step",
    **{f"4.4.{number}": f"test_ukraine_4_4_{number}" for number in range(1, 16)},
    **{f"4.5.{number}": f"test_ukraine_4_5_{number}" for number in range(1, 9)},
    "4.5.9": "etiquette: how one sits at night the judge sees; what it costs is 5.1.8, 5.1.9",
    "4.6.1": "test_ukraine_4_6_1",
    **{f"5.1.{number}": "test_ukraine_5_1_and_5_2_1" for number in range(1, 12)},
    "5.1.7": "test_ukraine_5_1_7 test_ukraine_5_1_and_5_2_1",
    **{f"5.1.{number}": "test_ukraine_5_1_each_of_the_last_lines test_ukraine_5_2_2" for number in range(12, 15)},
    "5.1.15": "test_ukraine_5_1_each_of_the_last_lines test_ukraine_5_2_3",
    "5.2.1": "test_ukraine_5_1_and_5_2_1 test_ukraine_5_1_7",
    "5.2.2": "test_ukraine_5_2_2",
    "5.2.3": "test_ukraine_5_2_3",
    "6.1": "test_ukraine_6_1_and_6_2",
    "6.2": "test_ukraine_6_1_and_6_2",
    "6.3": "test_ukraine_6_3",
    "6.4": "test_ukraine_6_4",
    "6.5": "test_ukraine_6_5",
    "6.6": POINTS,
    "7.1": "test_ukraine_7_1",
    "7.2": "test_ukraine_7_2",
    **{f"8.{number}": POINTS for number in (1, 2, 4)},
    **{f"8.2.{number}": POINTS for number in range(1, 5)},
    "8.3": "test_ukraine_8_3",
    "8.3.1": POINTS,
    "8.4.1": POINTS,
    "8.4.2": POINTS,
    "8.5": STANDINGS,
    **{f"8.5.{number}": STANDINGS for number in range(1, 5)},
    "8.6": "test_ukraine_8_6 test_ukraine_reading_25_no_protests",
    "8.6.1": "the organiser: what a judge's mistake costs the judge",
    "8.7.2": "the organiser",
    "8.7.3": "the organiser",
    **{f"9.{number}": PROTOCOL for number in range(1, 11)},
    "9.2.1": PROTOCOL,
    "9.2.2": PROTOCOL,
    "9.4.1": PROTOCOL,
}
