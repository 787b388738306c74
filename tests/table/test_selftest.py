"""The walk around the table: what each fault is called, and that the walk is no part of a game."""

from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.phases import Dealing
from controller.game.refusal import Refusal
from controller.table.chatter import MOST_EDGES
from controller.table.clock import MILLISECOND, SECOND
from controller.table.selftest import SelfTest
from controller.table.state import Ask, Contact, Verdict
from hardware.wiring import TEN_SEATS_AND_BOARD
from tests.table.bench import TableBench

KEYS = tuple(key for key in TEN_SEATS_AND_BOARD if key is not None)


class Technician:
    """Goes round the table; contacts answer as they are wired."""

    def __init__(self, *keys: str) -> None:
        self.test = SelfTest(keys or KEYS)
        self.at = 5 * SECOND

    def touches(self, key: str, seconds: float = 0.4) -> "Technician":
        for down in (True, False):
            self.at += round(seconds * SECOND)
            self.test.edge(key, self.at, down=down)
        return self

    def skips(self) -> "Technician":
        self.test.skip(self.test.step)
        return self

    def goes_round(self) -> "Technician":
        while (asked := self.test.asked) is not None:
            self.touches(asked)
        return self

    def found(self, key: str) -> tuple[str, str | None]:
        found = next(row for row in self.test.walk.findings if row.key == key)
        return found.verdict.value, found.by


def test_a_sound_table_is_walked_hand_on_and_hand_off_and_every_key_once():
    person = Technician()
    seen: list[tuple[str | None, Ask | None]] = []
    while (asked := person.test.asked) is not None:
        seen.append((person.test.walk.key, person.test.walk.ask))
        person.test.edge(asked, person.at, down=True)
        seen.append((person.test.walk.key, person.test.walk.ask))
        person.at += SECOND
        person.test.edge(asked, person.at, down=False)
    assert seen == [(key, ask) for key in KEYS for ask in (Ask.DOWN, Ask.UP)]
    assert person.test.walk.ask is Ask.LOOK
    assert person.test.lamps == dict.fromkeys(KEYS, "on")
    person.test.seen()
    assert person.test.is_over
    assert {row.verdict for row in person.test.walk.findings} == {Verdict.PASSED}
    assert person.test.walk.step == person.test.walk.of == len(KEYS) + 1


def test_the_lamp_of_the_contact_that_is_asked_for_blinks_and_is_lit_while_it_is_closed():
    test = SelfTest(("seat 1", "seat 2"))
    assert test.lamps == {"seat 1": "blink"}
    test.edge("seat 1", SECOND, down=True)
    assert test.lamps == {"seat 1": "on"}
    test.edge("seat 1", 2 * SECOND, down=False)
    assert test.lamps == {"seat 2": "blink"}


def test_a_contact_that_says_nothing_is_dead():
    person = Technician("seat 3", "seat 4").touches("seat 3").skips()
    assert person.found("seat 4") == ("dead", None)


def test_a_contact_that_does_not_open_again_is_stuck():
    person = Technician("seat 3", "seat 4")
    person.test.edge("seat 3", SECOND, down=True)
    assert person.skips().found("seat 3") == ("stuck", None)


def test_a_contact_that_was_closed_from_the_start_is_stuck_and_is_well_once_it_has_opened():
    person = Technician("seat 3", "seat 4")
    person.test.link({"seat 3": "closed at start"})
    assert person.test.walk.closed
    assert person.skips().found("seat 3") == ("stuck", None)
    again = Technician("seat 3", "seat 4")
    again.test.link({"seat 3": "closed at start"})
    again.test.link({})
    assert again.touches("seat 3").found("seat 3") == ("passed", None)


def test_crossed_cables_are_named_both_ways():
    person = Technician("seat 4", "seat 5").touches("seat 5").touches("seat 4")
    assert person.found("seat 4") == ("swapped", "seat 5")
    assert person.found("seat 5") == ("swapped", "seat 4")


def test_a_key_of_the_board_that_answers_for_a_hand_is_named_too():
    assert Technician("seat 4", "next").touches("next").found("seat 4") == ("swapped", "next")


def test_a_neighbours_hand_does_no_harm_where_the_contact_answers_itself():
    person = Technician("seat 4", "seat 5")
    person.test.edge("seat 5", SECOND, down=True)  # the neighbour leans on the table
    person.touches("seat 4")
    assert person.found("seat 4") == ("passed", None)
    person.test.edge("seat 5", 9 * SECOND, down=False)
    assert person.test.asked == "seat 5"


def test_a_chattering_contact_is_named_whether_its_device_says_so_or_its_edges_do():
    person = Technician("seat 4", "seat 5", "seat 6")
    person.test.link({"seat 5": "chattering"})
    assert person.found("seat 5") == ("chattering", None)
    person.test.link({})
    person.touches("seat 4")
    for _ in range(MOST_EDGES):
        person.touches("seat 6", seconds=0.012)
    assert person.found("seat 6") == ("chattering", None)
    assert person.found("seat 4") == ("passed", None)


def test_a_contact_that_chatters_after_it_has_passed_is_blamed_on_nobody_else():
    person = Technician("seat 1", "seat 2", "seat 3", "seat 4").touches("seat 1")
    for _ in range(2 * MOST_EDGES):  # slower than a device would call chatter, and faster than a hand
        person.at += 20 * MILLISECOND
        person.test.edge("seat 1", person.at, down=_ % 2 == 0)
    assert person.found("seat 1") == ("chattering", None)
    assert [row.key for row in person.test.walk.findings] == ["seat 1"]
    assert person.test.asked == "seat 2"
    person.goes_round()
    assert person.found("seat 2") == person.found("seat 4") == ("passed", None)


def test_a_contact_that_chatters_from_afar_does_not_answer_for_another():
    person = Technician("seat 4", "seat 5")
    for _ in range(MOST_EDGES):
        person.touches("seat 5", seconds=0.012)
    # Its first edges, when nothing was known yet, may have cost the other one its turn: that is asked for again.
    person.skips()
    while not person.test.is_over:
        person.skips()
    person.test.again()
    assert person.test.asked == "seat 4"
    assert person.touches("seat 4").found("seat 4") == ("passed", None)


def test_twelve_touches_a_second_are_still_a_hand():
    person = Technician("seat 4", "seat 5").touches("seat 4")
    for _ in range(40):
        person.touches("seat 4", seconds=0.0421)
    assert person.found("seat 4") == ("passed", None)


def test_while_the_cable_is_silent_nothing_is_blamed_on_the_contact():
    person = Technician("seat 4")
    person.test.link({}, {"seat 4"})
    assert person.test.walk.silent
    assert person.skips().found("seat 4") == ("lost", None)


def test_lamps_that_were_not_all_seen_are_a_finding():
    person = Technician("seat 4").touches("seat 4").skips()
    assert person.found("lamps") == ("dark", None)
    assert person.test.is_over


def test_what_did_not_pass_is_asked_for_once_more_and_nothing_else():
    person = Technician("seat 3", "seat 4", "seat 5").touches("seat 3").skips().touches("seat 5")
    person.test.seen()
    person.test.again()
    assert (person.test.asked, person.test.walk.step, person.test.walk.of) == ("seat 4", 0, 1)
    person.touches("seat 4")
    assert person.test.is_over
    assert {row.verdict for row in person.test.walk.findings} == {Verdict.PASSED}
    person.test.again()
    assert person.test.is_over


def test_a_skip_that_comes_twice_is_one():
    person = Technician("seat 3", "seat 4", "seat 5")
    person.test.skip(0)
    person.test.skip(0)
    assert person.test.asked == "seat 4"


# --- at the table


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    yield bench
    await bench.table.close()


def wired(table: TableBench) -> None:
    """The device serves the board too."""
    assert table.device is not None
    table.table.link_status("seats", table.status(), range(1, 11), KEYS)


async def test_the_walk_leaves_no_row_and_the_boards_keys_mean_nothing_during_it(table: TableBench):
    wired(table)
    await table.deals()
    before = table.now.revision
    assert not isinstance(table.table.selftest("start"), Refusal)
    for key in KEYS:
        assert table.now.lamps == {key: "blink"}
        table.press(key, held=0.3)
        await table.advance(0.4)
    assert table.now.walk is not None
    assert table.now.walk.ask is Ask.LOOK
    table.table.selftest("seen")
    assert [row.verdict for row in table.now.walk.findings] == [Verdict.PASSED] * (len(KEYS) + 1)
    assert isinstance(table.state.phase, Dealing)
    assert table.now.revision == before
    table.table.selftest("stop")
    table.press("next")
    await table.settle()
    assert not isinstance(table.state.phase, Dealing)


async def test_there_is_no_walk_while_a_game_is_on_and_the_game_ends_one(table: TableBench):
    await table.deals()
    table.table.selftest("start")
    assert table.now.walk is not None
    await table.next()
    assert table.now.walk is None
    assert table.table.selftest("start") == Refusal("game_not_over")
    await table.does(cmd.Annul())
    assert not isinstance(table.table.selftest("start"), Refusal)


async def test_there_is_nothing_to_walk_without_sensors(tmp_path: Path):
    table = await TableBench.open(tmp_path, sensors=False)
    assert table.table.selftest("start") == Refusal("no_sensors")
    await table.table.close()


# --- a contact that chatters in play


async def chatters(table: TableBench, seat: int, at: float) -> None:
    for number in range(MOST_EDGES + 8):
        table.hand(seat, down=number % 2 == 0, at=at + number * 0.015)
    await table.settle()


async def test_a_contact_that_chatters_is_shown_is_no_vote_and_the_window_is_flagged(table: TableBench):
    await table.second_day(5, 6)
    await table.opens()
    table.hand(8, down=True, at=0.3)
    await table.advance(0.6)
    await chatters(table, 3, 0.1)
    assert table.now.contacts[3] is Contact.CHATTERING
    assert table.window.hands == (8,)
    assert table.window.flagged
    await table.does(cmd.RuleHand(5, 3, True))
    assert table.window.hands == (8, 3)
    await table.advance(2)
    assert table.hands == {5: [8, 3]}


async def test_it_is_believed_again_with_its_first_quiet_touch_and_not_in_the_same_window(table: TableBench):
    await table.second_day(5, 6)
    await table.opens()
    await table.advance(0.6)
    await chatters(table, 3, 0.0)
    await table.advance(1.3)
    table.hand(3, down=True, at=1.8)
    assert table.now.contacts[3] is Contact.DOWN
    assert table.window.hands == ()
    await table.advance(1)
    table.hand(3, down=False, at=2.5)
    assert table.hands == {5: []}
    await table.opens()
    table.hand(3, down=True, at=0.4)
    assert table.window.hands == (3,)
    assert not table.window.flagged
    await table.advance(2.5)


async def test_unrest_that_the_device_reports_flags_the_window_and_keeps_the_hand(table: TableBench):
    await table.second_day(5, 6)
    await table.opens()
    await table.advance(0.3)
    table.link(stuck={"seat 3": "chattering"})
    assert table.now.contacts[3] is Contact.CHATTERING
    table.link()
    table.hand(3, down=True, at=0.3)
    assert table.window.hands == (3,)
    assert table.window.flagged
    await table.advance(2.5)
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged


def test_the_rate_is_judged_by_the_edges_own_times():
    person = Technician("seat 1")
    for number in range(200):
        person.test.edge("seat 1", number * 60 * MILLISECOND, down=number % 2 == 0)
    assert person.found("seat 1") == ("passed", None)
