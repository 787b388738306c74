"""What `replay` prints, where, and with which exit status; and that no text whatever breaks it."""

import json
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from controller.catalogue import LANGUAGES
from controller.record import RecordFault, read
from controller.record.replay import fault_line, replay, run_replay
from controller.record.statements import FORMS
from tests.record.games import head

VECTORS = Path(__file__).parent.parent / "vectors"
NOT_UTF8 = "ruleset: fiim\nevent: Кубок".encode("cp1251")
RECORDS = [*VECTORS.glob("*.mafia"), *(VECTORS / "refused").glob("*.mafia")]


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "game.mafia"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def said(path: Path, capsys: pytest.CaptureFixture[str], language: str = "en", *, status: int = 2) -> str:
    assert run_replay(path, False, language) == status
    out, err = capsys.readouterr()
    assert (out if status else err) == ""
    return (err if status else out).removeprefix(str(path))


def test_a_fault_is_file_line_sentence_and_clause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, head() + "day 1\n1 nominates 2\n2 nominates 2\n")
    assert said(path, capsys) == ":15: Player 2 is already nominated (fiim 4.4.2)\n"
    assert said(path, capsys, "ru") == ":15: Игрок 2 уже выставлен (fiim 4.4.2)\n"


def test_a_word_that_is_nearly_right_is_told_the_right_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "“nominates”" in said(written(tmp_path, head() + "day 1\n1 nominate 2\n"), capsys)
    assert "“ukraine”" in said(written(tmp_path, head("ukrain")), capsys)


@pytest.mark.parametrize(
    ("content", "begins"),
    [
        (b"", ": "),
        (b"\n\n# nothing\n", ": "),
        (NOT_UTF8, ":2: "),
        (b"\xff", ":1: "),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_no_record(
    content: bytes, begins: str, language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(written(tmp_path, content), capsys, language)
    assert text.startswith(begins)
    assert text.count("\n") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_none(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(tmp_path, capsys, language).startswith(": ")
    assert said(tmp_path / "nowhere.mafia", capsys, language).startswith(": ")
    assert said(written(tmp_path, head()) / "below", capsys, language).startswith(": ")


def test_replay_answers_with_the_object_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    path = VECTORS / "fiim_red_win.mafia"
    assert run_replay(path, True, "ru") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(replay(path)))


def test_the_object_has_every_key_of_the_notation() -> None:
    row = replay(VECTORS / "club_black_win.mafia")
    assert {
        *("ruleset", "scoring", "phase", "outcome", "alive", "departures", "ballots", "nights", "fouls", "proposed"),
        *("best_move", "points", "speeches"),
    } <= set(row)
    assert row["phase"] == "over"
    assert row["speeches"][0] == {"seat": 1, "at": "day 1", "kind": "minute", "seconds": 60}
    assert row["speeches"][-1] == {"seat": 5, "at": "day 3", "kind": "last_word", "seconds": 60}
    names = ["main", "best_move", "award", "penalty", "compensation", "will", "wrong_vote", "total"]
    assert list(row["points"]["1"]) == names
    assert list(replay(VECTORS / "fiim_draw.mafia")["points"]["1"]) == [*names[:4], "total"]
    assert list(replay(VECTORS / "city_night.mafia")["points"]["1"]) == [*names[:5], "total"]


def test_the_points_add_up() -> None:
    for path in VECTORS.glob("*.mafia"):
        for row in replay(path)["points"].values():
            parts = [Decimal(value) for name, value in row.items() if name != "total"]
            assert sum(parts) == Decimal(row["total"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.mafia")), ids=lambda path: path.stem)
def test_a_protocol_for_people(path: Path, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(path, capsys, language, status=0)
    assert "Anna" in text
    assert "{" not in text


def test_the_protocol_says_who_won_when_and_what_everybody_has(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(VECTORS / "fiim_red_win.mafia", capsys, "ru", status=0).splitlines()
    assert "Победа красных: за столом не осталось чёрных, день 3" in lines
    assert "3   Vera    Мирный житель                             1.7" in lines
    assert "  день 1, голосование | 2: 1, 3, 4, 6, 8, 10 (6) | 5: —; остальные: 2, 5, 7, 9 (4) | уходят: 2" in lines
    assert lines[-1] == "Лучший ход 4: 2, 7, 9"


# --- no text breaks it

SIGNS = ("0", "1", "2", "5", "10", "11", "-1", "1.5", "@", ">", "..", ":", "=", "#", "-", "+")
WORDS = (*SIGNS, *FORMS, "yes", "no", "nominates", "withdraws")


def spoiled(text: str, chance: Random) -> str:
    """`text` with some of its lines gone, moved, doubled or filled with other words."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 4)):
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[here]
            case 1:
                lines[here], lines[there] = lines[there], lines[here]
            case 2:
                lines.insert(here, lines[there])
            case 3:
                words = lines[here].split()
                if words:
                    words[chance.randrange(len(words))] = chance.choice(WORDS)
                lines[here] = " ".join(words)
            case _:
                line = lines[here]
                place = chance.randint(0, len(line))
                lines[here] = line[:place] + chance.choice(WORDS) + line[place + chance.randint(0, 2) :]
        lines = lines or [""]
    return "\n".join(lines)


def fault_of(text: str) -> RecordFault | None:
    try:
        read(text)
    except RecordFault as fault:
        return fault
    return None


@pytest.mark.parametrize("seed", range(8))
def test_a_spoiled_record_is_read_or_refused_with_a_sentence(seed: int) -> None:
    chance = Random(seed)
    for _ in range(150):
        text = spoiled(chance.choice(RECORDS).read_text(encoding="utf-8"), chance)
        found = fault_of(text)
        if found is not None:
            assert found.line is None or 1 <= found.line <= text.count("\n") + 1
            for language in LANGUAGES:  # a sentence that is missing is a warning, and a warning fails
                assert "…" not in fault_line(Path("game.mafia"), found, language)
