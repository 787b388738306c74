"""The evidence of a window: every hand as it was read, drawn in words that a player reads, and as a value to replay."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from controller.catalogue import LANGUAGES
from controller.record.evidence import as_json, evidence, run_evidence, svg
from tests.record.games import head, state

VECTOR = Path(__file__).parents[1] / "vectors" / "fiim_sensor_window.mafia"
WINDOW = (
    "hands 2 counted 3.1: 1@0.35..3.3 3@-0.20..3.3 4@-0.80..2.9 5@0.60..1.40 7@1.0..3.3 10@2.00..2.9 8@2.01..2.9 "
    "9@-0.9..-0.4"
)
LINES = ("night 0", "day 1", "1 nominates 2", "2 nominates 6", WINDOW)
LAST = "hands 6: 2@0.5..3 9@0.4..3 1@0.9..3"


def verdicts(*lines: str, window: int = 0) -> dict[int, str]:
    return {lane.seat: lane.verdict for lane in evidence(state(*LINES, *lines))[window].lanes}


def test_every_hand_says_what_it_was_read_as() -> None:
    assert verdicts() == {
        1: "counted", 2: "none", 3: "counted", 4: "counted", 5: "counted", 6: "none", 7: "counted", 8: "late",
        9: "gone_before", 10: "counted",
    }  # fmt: skip
    assert verdicts(LAST, window=1) == {
        1: "given_before", 2: "counted", 3: "none", 4: "none", 5: "none", 6: "assigned", 7: "none", 8: "assigned",
        9: "counted", 10: "none",
    }  # fmt: skip


def test_the_judges_last_word_stands_over_what_the_sensor_saw() -> None:
    ruled = verdicts("rule 2: 8 yes", "rule 2: 1 yes", "rule 2: 1 no")
    assert (ruled[8], ruled[1]) == ("ruled_yes", "ruled_no")


def test_an_offence_stands_at_its_hand_with_the_answer() -> None:
    lanes = evidence(state(*LINES, "waive 4 early_hand"))[0].lanes
    assert [(foul.what, foul.given) for foul in lanes[3].fouls] == [("early_hand", False)]
    assert [(foul.what, foul.given) for foul in lanes[4].fouls] == [("hand_pulled", None)]
    assert lanes[0].fouls == ()


def test_one_who_has_left_does_not_vote() -> None:
    day_1 = ("night 0", "day 1", "1 nominates 2", "3 nominates 5", "vote 2: 1 3 4 6 8 10", "vote 5:")
    night = ("night 1", "shot: 4", "don: -", "sheriff: -", "day 2", "3 nominates 9", "5 nominates 1")
    window = evidence(state(*day_1, *night, "hands 9: 1@0.5 3@0.6"))[0]
    assert [lane.seat for lane in window.lanes if lane.verdict == "no_vote"] == [2, 4]


def test_a_window_the_judge_counted_has_no_drawing() -> None:
    assert evidence(state("night 0", "day 1", "1 nominates 2", "2 nominates 6", "vote 2: 1 3")) == ()


def test_times_are_the_tables_to_the_millisecond() -> None:
    window = evidence(state(*LINES))[0]
    assert (window.closed, window.announced, window.tolerance) == (2000.0, 3100.0, 300.0)
    assert window.lanes[2].touches == ((-200.0, 3300.0),)
    assert json.loads(json.dumps(as_json(window)))["lanes"][3]["touches"] == [[-800.0, 2900.0]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawing_is_one_file_that_needs_no_other_and_names_every_seat(language: str) -> None:
    names = [f"<Ёж> & {seat}" for seat in range(1, 11)]
    for window in evidence(state(*LINES, LAST, "waive 4 early_hand")):
        drawing = svg(window, names, language, "Кубок")
        root = ElementTree.fromstring(drawing)
        said = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert [name for name in names if name not in said] == []
        assert "http" not in drawing.replace("http://www.w3.org/2000/svg", "")
        assert not any("{" in line or "evidence." in line for line in said)


def test_every_bar_and_word_lies_inside_the_drawing() -> None:
    for window in evidence(state(*LINES, LAST)):
        root = ElementTree.fromstring(svg(window, [], "ru"))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for box in root.iter("{http://www.w3.org/2000/svg}rect"):
            assert 0 <= float(box.get("x", 0)) <= float(box.get("x", 0)) + float(box.attrib["width"]) <= width
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            assert 0 <= float(text.attrib["x"]) < width
            assert 0 < float(text.attrib["y"]) < height


def test_the_command_lays_a_drawing_of_every_window_and_one_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_evidence(VECTOR, tmp_path, "en") == 0
    names = ["ballot-1-ballot-2.svg", "ballot-1-ballot-6.svg"]
    assert [Path(line).name for line in capsys.readouterr().out.split()] == names
    assert sorted(file.name for file in tmp_path.iterdir()) == [*names, "evidence.json"]
    assert "counted, +0.350" in (tmp_path / names[0]).read_text(encoding="utf-8")
    assert len(json.loads((tmp_path / "evidence.json").read_text(encoding="utf-8"))) == 2


def test_where_there_is_nothing_to_draw_the_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.mafia"
    record.write_text(head() + "night 0\n", encoding="utf-8")
    assert run_evidence(record, tmp_path / "out", "en") == 1
    assert "nothing to draw" in capsys.readouterr().err
    assert run_evidence(tmp_path / "none.mafia", tmp_path / "out", "en") == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run_evidence(VECTOR, tmp_path / "file", "en") == 2
