"""The head of a record: what stands in it, and the line that a fault names."""

import pytest

from controller.game.roles import Role
from controller.game.rules import Opener, SoleCandidate
from controller.record import read
from tests.record.games import CITY, FIIM, fault, head

SEATS = [f"seat {n}: P{n}, {card}" for n, card in enumerate(FIIM.split(), 1)]


def record(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_the_head_is_read() -> None:
    text = record(
        "\ufeffRULESET: Fiim   # the tournament's",
        "event: Кубок города: осень",
        "stage: final",
        "game: 3",
        "table: 1",
        "date: 2026-11-29",
        "judge: И. Судья",
        *SEATS,
        "",
        "night 0",
    )
    headers = read(text).headers
    assert (headers.ruleset, headers.scoring, headers.event) == ("fiim", "fiim", "Кубок города: осень")
    assert (headers.stage, headers.game, headers.table) == ("final", "3", "1")
    assert (headers.date, headers.judge) == ("2026-11-29", "И. Судья")
    assert [seat.name for seat in headers.seats] == [f"P{n}" for n in range(1, 11)]


def test_lines_may_end_as_they_do_elsewhere_and_comments_stand_anywhere() -> None:
    text = "# a record\n\n" + head() + "# nothing yet\n   \nnight 0   # it falls\n"
    assert read(text.replace("\n", "\r\n")).game.state == read(head() + "night 0\n").game.state


def test_cards_by_name_and_by_letter() -> None:
    letters = ["К", "ч", "М", "Ш", "к", "К", "Ч", "К", "д", "К"]
    text = "ruleset: fiim\n" + record(*(f"seat {n}: P{n}, {card}" for n, card in enumerate(letters, 1)), "")
    assert [seat.role for seat in read(text).game.state.seats] == [Role(card) for card in FIIM.split()]


def test_a_name_may_have_a_comma_in_it_or_be_unknown() -> None:
    seats = ["seat 1: Ли, младший, civilian", "seat 2: , mafia", *SEATS[2:]]
    assert [seat.name for seat in read(record("ruleset: fiim", *seats, "")).headers.seats[:2]] == ["Ли, младший", ""]


def test_seats_may_stand_in_any_order() -> None:
    text = record("ruleset: fiim", *reversed(SEATS), "")
    assert [seat.number for seat in read(text).headers.seats] == list(range(1, 11))


def test_a_scoring_is_the_rulesets_own_unless_it_is_said() -> None:
    assert read(head("wma")).headers.scoring == "wma"
    reading = read(head("fiim", "scoring: club"))
    assert reading.headers.scoring == "club"
    assert reading.game.state.rules.wills
    assert not read(head()).game.state.rules.wills


@pytest.mark.parametrize(
    ("lines", "line", "code"),
    [
        (["ruleset: fim", *SEATS], 1, "ruleset_unknown"),
        (["ruleset:", *SEATS], 1, "header_without_value"),
        (["ruleset: fiim", "ruleset: fiim", *SEATS], 2, "header_twice"),
        (["ruleset: fiim", "scoring: clubb", *SEATS], 2, "scoring_unknown"),
        (["ruleset: wma", "scoring: club", *SEATS], 2, "scoring_of_other_rules"),
        (["ruleset: fiim", "scoring: wma", *SEATS], 2, "scoring_of_other_rules"),
        (["ruleset: fiim", "evnt: Кубок", *SEATS], 2, "header_unknown"),
        (["ruleset: fiim", "Кубок", *SEATS], 2, "header_expected"),
        (["ruleset: fiim", "night 0", *SEATS], 2, "header_expected"),
        (["ruleset: fiim", "option: no_raise_at_for=no", *SEATS], 2, "option_unknown"),
        (["ruleset: fiim", "option: withdrawal", *SEATS], 2, "option_form"),
        (["ruleset: fiim", "option: withdrawal=", *SEATS], 2, "option_form"),
        (["ruleset: fiim", "option: withdrawal=maybe", *SEATS], 2, "option_value"),
        (["ruleset: fiim", "option: withdrawal=no", "option: WITHDRAWAL=yes", *SEATS], 3, "option_twice"),
        (["ruleset: fiim", *SEATS, "seat 3: X, civilian"], 12, "seat_twice"),
        (["ruleset: fiim", *SEATS[:9], "seat 10: P1, civilian"], 11, "name_twice"),
        (["ruleset: fiim", *SEATS[:9], "seat 10: P10"], 11, "seat_without_role"),
        (["ruleset: fiim", *SEATS[:9], "seat 10: P10, civillian"], 11, "role_unknown"),
        (["ruleset: fiim", *SEATS[:9], "seat 11: P11, civilian"], 11, "seat_missing"),
        (["ruleset: fiim", *SEATS[:9]], 10, "seats_count"),
        (["ruleset: fiim", *SEATS, "seat 11: P11, civilian"], 12, "seats_count"),
        (["ruleset: fiim", *SEATS[:9], "seat 10: P10, maniac"], 11, "no_such_card_left"),
        (["ruleset: fiim", *SEATS[:9], "seat 10: P10, sheriff"], 11, "no_such_card_left"),
        ([*SEATS], 10, "header_missing"),
    ],
)
def test_a_fault_in_the_head_names_its_line(lines: list[str], line: int, code: str) -> None:
    found = fault(record(*lines, "", "night 0"))
    assert (found.line, found.refusal.code) == (line, code)


@pytest.mark.parametrize(
    ("lines", "near"),
    [
        (["ruleset: ukrane"], "ukraine"),
        (["ruleset: fiim", "option: early_tolerence=0.2"], "early_tolerance"),
        (["ruleset: fiim", "jugde: X"], "judge"),
        (["ruleset: fiim", "seat 1: X, sherif"], "sheriff"),
        (["ruleset: fiim", "scoring: clb"], "club"),
    ],
)
def test_the_nearest_word_is_named(lines: list[str], near: str) -> None:
    assert fault(record(*lines, *SEATS[len(lines) - 1 :])).refusal.params["nearest"] == near


def test_a_city_deal_without_a_don_is_refused_where_the_head_ends() -> None:
    found = fault(head("city", cards=CITY.replace("don", "civilian")))
    assert (found.line, found.refusal.code) == (11, "no_don")


def test_a_city_of_seven_or_of_twenty_one_is_none() -> None:
    assert fault(head("city", cards=" ".join(["don", *["civilian"] * 6]))).refusal.code == "seats_count"
    assert fault(head("city", cards=" ".join(["don", *["civilian"] * 20]))).refusal.code == "seats_count"
    assert read(head("city", cards=" ".join(["don", *["civilian"] * 19]))).game.state.living[-1] == 20


def test_a_header_after_the_empty_line_is_refused() -> None:
    found = fault(head() + "night 0\nevent: Кубок\n")
    assert (found.line, found.refusal.code) == (14, "header_in_game")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff"])
def test_a_record_with_nothing_in_it_is_refused(text: str) -> None:
    found = fault(text)
    assert (found.line, found.refusal.code) == (None, "record_empty")


# --- options


@pytest.mark.parametrize(
    ("option", "field", "value"),
    [
        ("no_raise_at_four=no", "no_raise_at_four", False),
        ("WITHDRAWAL=Нет", "withdrawal", False),
        ("unvoted_to_last=off", "unvoted_to_last", False),
        ("early_tolerance=0.25", "early_tolerance", 250_000),
        ("window=1.5", "window", 1_500_000),
        ("minute=45", "minute", 45),
        ("rotate_first_speaker=no", "opener", Opener.LOWEST),
        ("rotate_first_speaker=yes", "opener", Opener.AFTER_FIRST_SPEAKER),
        ("opener=after_last_speaker", "opener", Opener.AFTER_LAST_SPEAKER),
        ("sole_candidate=no_vote", "sole_candidate", SoleCandidate.NO_VOTE),
        ("quiet_circles=0", "quiet_circles", 0),
        ("best_move_points=3:0.40, 2:0.25", "best_move_points", "3:0.4,2:0.25"),
        ("technical_fouls_out=2", "technical_fouls_out", 2),
    ],
)
def test_an_option_sets_its_parameter(option: str, field: str, value: object) -> None:
    assert getattr(read(head("fiim", f"option: {option}")).game.state.rules, field) == value


@pytest.mark.parametrize(
    "option",
    [
        "window=0",
        "window=-1",
        "window=100",
        "window=0.0000001",
        "window=two",
        "early_tolerance=-0.1",
        "early_tolerance=2.1",
        "minute=0",
        "minute=60.5",
        "minute=-60",
        "minute=٦٠",
        "opener=first",
        "quiet_circles=-1",
        "best_move_points=4:1",
        "best_move_points=3",
        "best_move_points=3:0.4,3:0.5",
        "best_move_points=3:-0.4",
        "best_move_points=3:0.333",
    ],
)
def test_a_value_that_makes_no_sense_is_refused(option: str) -> None:
    found = fault(head("fiim", f"option: {option}"))
    assert found.line == 2
    assert found.refusal.code in ("option_value", "time_expected", "time_too_fine")
