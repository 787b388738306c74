"""docs/rules.md is drawn from the code."""

import re
from pathlib import Path

from controller.record.rules_page import rules_page


def test_the_page_on_the_rules_is_what_the_tables_say() -> None:
    page = Path(__file__).parents[2] / "docs" / "rules.md"
    assert page.read_text("utf-8") == rules_page(), (
        "docs/rules.md is older than the rules: run mafia-table rules > docs/rules.md"
    )


def test_every_reading_that_is_cited_stands_on_its_page() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "readings.md").read_text("utf-8")
    known = {int(number) for number in re.findall(r"^(\d+)\. ", page, re.MULTILINE)}
    assert known == set(range(1, len(known) + 1))
    files = [*(root / "controller").rglob("*.py"), *(root / "tests").rglob("*.py"), *(root / "docs").glob("*.md")]
    cited: dict[int, Path] = {}
    for file in files:
        for numbers in re.findall(r"readings? ((?:\d+(?:, | and )?)+)", file.read_text("utf-8")):
            cited |= {int(number): file for number in re.findall(r"\d+", numbers)}
    assert {number: file for number, file in cited.items() if number not in known} == {}
