"""Damaged files of every kind get one sentence and nothing is written; nothing else ever comes out."""

import copy
import io
import json
import struct
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from controller.catalogue import LANGUAGES
from controller.record.exchange import ExchangeFault, import_games, read_players, read_seating
from controller.record.exchange.command import run_import
from controller.record.exchange.games import games_from

SAMPLES = Path(__file__).parent / "samples"
GAMES = [
    *json.loads((SAMPLES / "mafiaratings.json").read_text(encoding="utf-8"))["games"],
    json.loads((SAMPLES / "polemica.json").read_text(encoding="utf-8"))["game"],
]


def workbook(rows: list[list[Any]]) -> bytes:
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    for row in rows:
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def refused(path: Path, read: Any = read_players) -> ExchangeFault:
    with pytest.raises(ExchangeFault) as fault:
        read(path)
    for language in LANGUAGES:
        said = fault.value.said(path, language)
        assert "\n" not in said
        assert "…" not in said.replace("…", "", 1)
        assert "exchange." not in said
    return fault.value


def fault_of(read: Any, source: Any) -> ExchangeFault | None:
    """Why `source` is refused; None where it is read. Nothing else may come out."""
    try:
        read(source)
    except ExchangeFault as fault:
        return fault
    return None


GOOD = [["Ник"], *([f"Игрок {number}"] for number in range(1, 13))]


@pytest.mark.parametrize("keep", [0, 4, 100, 2000])
def test_a_workbook_that_was_cut_off(tmp_path: Path, keep: int):
    file = tmp_path / "x.xlsx"
    file.write_bytes(workbook(GOOD)[:keep])
    assert refused(file).code in ("workbook_damaged", "empty", "no_name_column", "encoding")


def test_a_workbook_with_bytes_changed_is_read_or_refused(tmp_path: Path):
    data, chance, file = workbook(GOOD), Random(7), tmp_path / "x.xlsx"
    read = 0
    for _ in range(150):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 12)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        file.write_bytes(changed)
        fault = fault_of(read_players, file)
        read += fault is None
        assert fault is None or fault.said(file, "ru")
    assert 0 < read < 150


def test_a_zip_that_is_no_workbook(tmp_path: Path):
    file = tmp_path / "x.xlsx"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("привет.txt", "нет")
    assert refused(file).code == "workbook_damaged"


def test_a_small_file_that_is_a_very_large_table(tmp_path: Path):
    file = tmp_path / "x.xlsx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 150_000_000)
    assert file.stat().st_size < 1_000_000
    assert refused(file).code == "too_large_unpacked"


def test_a_large_file(tmp_path: Path):
    file = tmp_path / "x.csv"
    file.write_bytes(b"name\n" + b"a" * 11_000_000)
    assert refused(file).code == "too_large"
    assert refused(file, import_games).code == "too_large"


@pytest.mark.parametrize("cell", ["#N/A", "#DIV/0!", "#REF!"])
def test_a_cell_with_an_error(tmp_path: Path, cell: str):
    file = tmp_path / "x.xlsx"
    file.write_bytes(workbook([["Ник"], ["Анна"], [cell]]))
    fault = refused(file)
    assert (fault.code, fault.line) == ("error_cell", 3)


def test_a_number_that_is_none(tmp_path: Path):
    file = tmp_path / "x.xlsx"
    with zipfile.ZipFile(io.BytesIO(workbook([["Ник"], [12345]]))) as source, zipfile.ZipFile(file, "w") as archive:
        for entry in source.namelist():
            archive.writestr(entry, source.read(entry).replace(b"<v>12345</v>", b"<v>NaN</v>"))
    assert refused(file).code in ("error_cell", "workbook_damaged")


def test_the_wrong_sheet(tmp_path: Path):
    file = tmp_path / "x.xlsx"
    file.write_bytes(workbook([["Дата", "Сумма"], ["1", "2"]]))
    fault = refused(file)
    assert (fault.code, fault.line) == ("no_name_column", 1)


@pytest.mark.parametrize("data", [b"{", b"Nickname\nAnna\n", b"\x00\x01\x02"])
def test_what_is_named_a_workbook_and_is_none(tmp_path: Path, data: bytes):
    file = tmp_path / "players.xlsx"
    file.write_bytes(data)
    assert refused(file).code == "workbook_damaged"


def test_the_old_format_of_excel(tmp_path: Path):
    file = tmp_path / "x.xls"
    file.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    assert refused(file).code == "old_excel"


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x03" * 50, struct.pack("<100H", *range(50_000, 50_100)), b"\x89PNG\r\n\x1a\n" * 20]
)
def test_what_is_no_text(tmp_path: Path, data: bytes):
    file = tmp_path / "x.csv"
    file.write_bytes(data)
    refused(file)


def test_a_folder_and_a_file_that_is_not_there(tmp_path: Path):
    assert refused(tmp_path).code == "is_a_folder"
    assert refused(tmp_path / "нет.csv").code == "missing"


def test_too_many_rows_and_columns(tmp_path: Path):
    file = tmp_path / "x.csv"
    file.write_text("ник\n" + "\n".join(f"и{number}" for number in range(5001)), encoding="utf-8")
    assert refused(file).code == "too_many_rows"
    file.write_text("ник" + ";x" * 200 + "\n", encoding="utf-8")
    assert refused(file).code == "too_many_columns"


# --- JSON


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "json_damaged"),
        ('{"games": [', "json_damaged"),
        ("[" * 5000, "json_damaged"),
        ('{"players": NaN}', "json_damaged"),
        ("null", "not_a_game"),
        ("[]", "no_games"),
        ("{}", "not_a_game"),
        ('{"games": {}}', "not_a_game"),
        ('{"games": [1]}', "not_a_game"),
        ('{"players": []}', "not_a_game"),
        ('{"players": [{"seat": "x"}]}', "json_form"),
        ('{"players": [{"position": 1}]}', "json_form"),
        ('{"players": [{"seat": 1}]}', "game_players"),
    ],
)
def test_json_that_is_no_game(tmp_path: Path, text: str, code: str, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    assert refused(file, import_games).code == code
    assert run_import(file, tmp_path, "ru") == 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda g: g["players"][0].update(role="wizard"), "game_word"),
        (lambda g: g["players"][0].update(role="don"), "deal"),
        (lambda g: g["players"][0].update(seat=11), "game_seats"),
        (lambda g: g["players"][0].update(voting=[99]), "game_seat"),
        (lambda g: g["players"][0].update(nominating=[1] * 40), "game_round"),
        (lambda g: g["players"][0].update(don=-3), "game_round"),
        (lambda g: g["players"][0].update(death={"round": 1, "type": "lightning"}), "game_death"),
        (lambda g: g["players"][0].update(shooting=[4]), "game_red_shoots"),
        (lambda g: g["players"][0].update(warnings=[{"round": 1, "time": "dreaming"}]), "game_word"),
        (lambda g: g.update(winner="cats"), "game_word"),
    ],
)
def test_a_game_of_mafiaratings_that_makes_no_sense(change: Any, code: str):
    game = copy.deepcopy(GAMES[1])
    change(game)
    with pytest.raises(ExchangeFault) as fault:
        games_from(json.dumps(game).encode())
    assert fault.value.code == code


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.get("game_id", game.get("id"))))
def test_a_game_with_values_changed_is_read_or_refused(game: dict[str, Any]):
    chance = Random(5)
    came, went = 0, 0
    for _ in range(150):
        changed = copy.deepcopy(game)
        for _ in range(chance.randint(1, 3)):
            _spoil(changed, chance)
        text = json.dumps(changed).encode()
        if (fault := fault_of(games_from, text)) is not None:
            assert fault.said(Path("x"), "ru")
            went += 1
            continue
        (found,) = games_from(text)
        came += 1
        for note in found.notes:
            assert note.said("ru")
        assert found.complete is bool(found.record)
    assert came
    assert went


def _spoil(value: Any, chance: Random) -> None:
    """Changes, drops or doubles something somewhere inside."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = value[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.8:
            value = inner
            continue
        match chance.randrange(4):
            case 0:
                del value[key]
            case 1 if isinstance(value, list):
                value.append(inner)
            case _:
                value[key] = chance.choice([None, 0, 1, 7, 11, -1, 10**30, "x", "don", [], [3, True], {}, True, 1.5])
        return


@pytest.mark.parametrize("read", [read_players, read_seating])
def test_any_table_of_text_is_read_or_refused(tmp_path: Path, read: Any):
    chance, file = Random(3), tmp_path / "x.csv"
    words = [
        "ник",
        "место",
        "стол",
        "раунд",
        "1",
        "2",
        "10",
        "0",
        "-1",
        "Анна",
        "",
        '"',
        "=1",
        "\x07",
        "Щ" * 60,
        ";",
        "1e9",
        "²",
    ]
    for _ in range(400):
        lines = [
            chance.choice(",;\t").join(chance.choices(words, k=chance.randint(0, 13)))
            for _ in range(chance.randint(0, 14))
        ]
        file.write_bytes("\n".join(lines).encode(chance.choice(["utf-8", "utf-8-sig", "utf-16"])))
        fault = fault_of(read, file)
        assert fault is None or fault.said(file, "uk")


def test_records_that_cannot_all_be_written_are_not_written_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "new" / "folder"
    assert run_import(SAMPLES / "mafiaratings.json", folder, "ru") == 0
    first, second = sorted(folder.iterdir())
    first.unlink()
    second.unlink()
    second.mkdir()
    capsys.readouterr()
    assert run_import(SAMPLES / "mafiaratings.json", folder, "ru") == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"«{second}» не записать: ")
    assert said.err.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == [second.name]
    assert str(first) not in said.out
    (tmp_path / "file").write_text("")
    assert run_import(SAMPLES / "mafiaratings.json", tmp_path / "file", "en") == 2
    assert "cannot be written" in capsys.readouterr().err
