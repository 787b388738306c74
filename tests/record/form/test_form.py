"""The official form's value: every field of fiim 9 and ukraine 9, from games that were played."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from controller.catalogue import LANGUAGES
from controller.record import Headers, Reading, Sitter, read
from controller.record.form import ProtocolForm, as_json, blank_form, protocol_form

VECTORS = Path(__file__).parents[2] / "vectors"
RECORDS = sorted(VECTORS.glob("*.mafia"))

GAME = """ruleset: fiim
event: Кубок города
stage: полуфинал
game: 3
table: 1
date: 2026-11-29 19:30
judge: И. Судья
seat 1: Алиса, к
seat 2: Бор, ч
seat 3: Вера, к
seat 4: Глеб, ш
seat 5: Дина, к
seat 6: Егор, к
seat 7: Жан, ч
seat 8: Зоя, к
seat 9: Игорь, д
seat 10: Рыжий, к

night 0
day 1
1 nominates 5
2 nominates 8
2 withdraws
2 nominates 6
foul 3 6.6.1
vote 5: 1 2 3 4 6
vote 6: 5 7 8 9 10
vote 5: 1 2 3 4 6 7
vote 6: 5 8 9 10
night 1
shot: 4
don: 4
sheriff: 9
best 4: 2 7 1
day 2
remove 2 6.7.4
night 2
shot: 7>1 9>3
don: -
day 3
3 nominates 9
vote 9:
night 3
shot: 7>1
day 4
6 nominates 7
vote 7:
award 6 0.7 approved
award 8 0.2
protest 10: Судья «не видел» руку <7>
"""


def form_of(text: str, language: str = "ru") -> ProtocolForm:
    reading: Reading = read(text)
    return protocol_form(reading.headers, reading.game, reading.table, language)


@pytest.fixture(scope="module")
def form() -> ProtocolForm:
    return form_of(GAME)


def test_the_head_has_what_is_written_before_the_game(form: ProtocolForm):
    assert {field.label: field.value for field in form.head} == {
        "Турнир": "Кубок города",
        "Стадия": "полуфинал",
        "Игра №": "3",
        "Стол": "1",
        "Дата": "2026-11-29",
        "Начало": "19:30",
        "Судья": "И. Судья",
    }


def test_a_player_s_line_has_name_letter_fouls_and_how_he_left(form: ProtocolForm):
    lines = {seat.number: seat for seat in form.seats}
    assert [seat.role for seat in form.seats] == ["К", "Ч", "К", "Ш", "К", "К", "Ч", "К", "Д", "К"]
    assert lines[10].name == "Рыжий"
    assert lines[3].fouls == ("Д1",)
    assert [lines[seat].left for seat in (5, 4, 2, 9, 1, 7)] == [
        "Д1 голосование",
        "Н1 убит",
        "Д2 удалён",
        "Д3 голосование",
        "Н3 убит",
        "Д4 голосование",
    ]
    assert lines[6].left == ""


def test_points_are_the_team_s_and_disqualification_extra_points_the_judge_s_and_the_best_move(form: ProtocolForm):
    lines = {seat.number: (seat.points, seat.extra, seat.total) for seat in form.seats}
    assert lines[6] == ("1", "0,7", "1,7")
    assert lines[8] == ("1", "0,2", "1,2")
    assert lines[4] == ("1", "0,25", "1,25")  # two of three black
    assert lines[2] == ("-0,5", "0", "-0,5")  # fiim 9.8: disqualification stands under points
    assert lines[9] == ("0", "0", "0")


def test_the_winner_is_written_as_the_text_says(form: ProtocolForm):
    assert (form.winner.label, form.winner.value) == ("Победившая команда", "красные")


def test_the_best_move_has_the_first_one_shot_and_his_three(form: ProtocolForm):
    assert form.best_move is not None
    assert (form.best_move.seat, form.best_move.numbers, form.best_move.dash) == ("4", ("2", "7", "1"), False)


def test_a_miss_in_the_first_night_is_a_dash():
    text = GAME[: GAME.index("night 1")] + "night 1\nshot: miss\nday 2\n"
    move = form_of(text).best_move
    assert move is not None
    assert move.dash


def test_before_the_first_night_there_is_no_dash():
    move = form_of(GAME[: GAME.index("night 1")]).best_move
    assert move is not None
    assert not move.dash


def test_a_day_has_nominations_with_their_nominator_less_those_taken_back(form: ProtocolForm):
    assert [(candidate.by, candidate.seat) for candidate in form.days[0].candidates] == [("1", "5"), ("2", "6")]


def test_every_round_of_a_vote_has_counts_and_hands(form: ProtocolForm):
    rounds = form.days[0].rounds
    assert [round_.label for round_ in rounds] == ["Голоса", "Переголосование"]
    first = [(tally.count, tally.hands) for tally in rounds[0].tallies if tally is not None]
    assert first == [("5", "1 2 3 4 6"), ("5", "5 7 8 9 10")]
    assert [tally.count for tally in rounds[1].tallies if tally is not None] == ["6", "4"]
    assert form.days[0].result == "голосование: 5"


def test_hands_that_fell_to_the_last_stand_in_brackets(form: ProtocolForm):
    tally = form.days[2].rounds[0].tallies[0]
    assert tally is not None
    assert (tally.count, tally.hands) == ("7", "(1 3 6 7 8 9 10)")


def test_a_vote_that_was_not_held_is_said_to_have_been_none(form: ProtocolForm):
    assert (form.days[1].rounds, form.days[1].result) == ((), "удалён: 2")


def test_the_raise_question_has_its_own_line():
    form = form_of((VECTORS / "fiim_tie_raise.mafia").read_text(encoding="utf-8"))
    last = form.days[0].rounds[-1]
    assert (last.label, last.whole) == ("За подъём всех", True)
    assert form.days[0].result == "подъём: 2, 1"


def test_nights_have_shots_checks_and_who_was_killed(form: ProtocolForm):
    assert form.night_columns == ("Выстрелы", "Дон", "Шериф", "Убиты")
    assert [night.cells for night in form.nights] == [
        ("4 (2, 7, 9)", "4 Ш", "9 Ч", "4"),
        ("7: 1; 9: 3", "–", "", "–"),
        ("1 (7)", "", "", "1"),
    ]


def test_removals_protests_and_points_stand_with_their_words(form: ProtocolForm):
    assert "Игрок 2: удалён (п. 6.7.4)." in form.remarks
    assert "Игрок 6: +0,7 (согласовано)." in form.remarks
    assert form.protests is not None
    assert [(row.label, row.value) for row in form.protests] == [("10. Рыжий", "Судья «не видел» руку <7>")]
    assert form.signatures[0].value == "И. Судья"


def test_ukraine_has_its_own_words_and_takes_no_protests():
    text = (VECTORS / "ukraine_removed.mafia").read_text(encoding="utf-8")
    form = form_of(text, "uk")
    assert form.protests is None
    assert "М" in {seat.role for seat in form.seats}
    assert form.with_warnings
    assert form.signatures[0].label == "Ведучий"
    assert "Ігровий день турніру" in {field.label for field in form.head}


def test_city_has_a_column_for_every_role_that_is_called():
    form = form_of((VECTORS / "city_night.mafia").read_text(encoding="utf-8"))
    assert form.best_move is None
    assert form.night_columns[:4] == ("Мафия", "Маньяк", "Красотка", "Доктор")
    assert form.nights[0].cells == ("2: 1; 7: 1; 9: 3", "6", "6", "3", "8 М", "4 Км", "", "–")


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_worked_case_has_a_form_whose_sums_are_the_replay_s(record: Path, language: str):
    reading = read(record.read_text(encoding="utf-8"))
    form = protocol_form(reading.headers, reading.game, reading.table, language)
    data = json.loads(as_json(form))
    assert len(data["seats"]) == len(reading.headers.seats)
    for seat in form.seats:
        if seat.total:
            value = [float(text.replace(",", ".")) for text in (seat.points, seat.extra, seat.total)]
            assert value[0] + value[1] == pytest.approx(value[2])


def test_the_blank_form_has_head_and_names_and_nothing_else():
    headers = Headers(ruleset="fiim", scoring="fiim", event="Кубок", game="1", judge="И. Судья")
    form = blank_form(headers, "ru", names=("Алиса", "Бор"))
    assert [seat.name for seat in form.seats] == ["Алиса", "Бор", *[""] * 8]
    assert {(seat.role, seat.left, seat.points) for seat in form.seats} == {("", "", "")}
    assert len(form.days) == len(form.nights) == 6
    assert form.winner.value == ""


def test_a_blank_form_of_the_city_has_twenty_lines():
    assert len(blank_form(Headers(ruleset="city", scoring="city"), "ru", seats=20).seats) == 20


def test_a_name_that_is_not_known_leaves_the_line_empty():
    reading = read(GAME)
    headers = replace(reading.headers, seats=tuple(Sitter(s.number, "", s.role) for s in reading.headers.seats))
    form = protocol_form(headers, reading.game, reading.table, "ru")
    assert form.seats[9].name == ""
    assert form.protests is not None
    assert form.protests[0].label == "10"


def test_a_day_that_was_set_by_hand_stands_once_with_the_position_s_nominations():
    text = (
        GAME[: GAME.index("vote 5:")]
        + "position: day=1 nominated=3>7 speaker=4\n5 nominates 9\nvote 7: 1 2 3\nvote 9: 4 5 6\n"
    )
    form = form_of(text)
    assert [day.title for day in form.days] == ["День 1"]
    assert [(candidate.by, candidate.seat) for candidate in form.days[0].candidates] == [("3", "7"), ("5", "9")]
    assert "Д1: позиция выставлена вручную." in form.remarks
