"""docs/rules.md is drawn from the code."""

from pathlib import Path

from controller.record.rules_page import rules_page


def test_the_page_on_the_rules_is_what_the_tables_say() -> None:
    page = Path(__file__).parents[2] / "docs" / "rules.md"
    assert page.read_text("utf-8") == rules_page(), (
        "docs/rules.md is older than the rules: run mafia-table rules > docs/rules.md"
    )
