"""The worked cases: what each record must come to, and where each of the refused must be refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.record.replay import run_replay

VECTORS = Path(__file__).parent.parent / "vectors"
REFUSED = VECTORS / "refused"
LINES: dict[str, int | None] = json.loads((REFUSED / "expect_lines.json").read_text(encoding="utf-8"))


def differences(expected: Any, found: Any, where: str = "") -> list[str]:
    """Where `found` is not what is expected: more keys are fine, lists have the same length and order."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [
            line
            for key, value in expected.items()
            for line in (
                differences(value, found[key], f"{where}.{key}") if key in found else [f"{where}.{key} is missing"]
            )
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = zip(expected, found, strict=True)
        return [line for n, (e, f) in enumerate(pairs) for line in differences(e, f, f"{where}[{n}]")]
    return [] if expected == found and type(expected) is type(found) else [f"{where}: {found!r}, not {expected!r}"]


@pytest.mark.parametrize("record", sorted(VECTORS.glob("*.mafia")), ids=lambda path: path.stem)
def test_a_record_comes_to_what_was_worked_out_by_hand(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_replay(record, True, "en") == 0
    found = json.loads(capsys.readouterr().out)
    expected = json.loads(record.with_suffix(".expect.json").read_text(encoding="utf-8"))
    assert differences(expected, found) == []


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
@pytest.mark.parametrize("name", sorted(LINES))
def test_a_wrong_record_is_refused_at_its_line(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    record = REFUSED / f"{name}.mafia"
    assert run_replay(record, True, language) == 2
    out, err = capsys.readouterr()
    assert out == ""
    line = LINES[name]
    assert err.startswith(f"{record}:{'' if line is None else f'{line}: '}")
    assert err.count("\n") == 1


def test_every_refused_record_has_its_line() -> None:
    assert {path.stem for path in REFUSED.glob("*.mafia")} == set(LINES)


def test_a_difference_is_found() -> None:
    expected = {"a": [{"b": 1}], "c": None}
    assert differences(expected, {"a": [{"b": 1, "x": 0}], "c": None}) == []
    assert differences(expected, {"a": [{"b": 2}], "c": None})
    assert differences(expected, {"a": [], "c": None})
    assert differences(expected, {"a": [{"b": 1}]})
    assert differences({"a": "1"}, {"a": 1})
