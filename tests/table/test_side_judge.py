"""The side judge, the signature, names put right after the deal, options, and the ten minutes of protests."""

from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.table import Header
from controller.table.timers import PROTESTS, PROTESTS_S
from controller.table.wishes import Answer, SetSide, SetUp, Sign, Suggest, Undo
from tests.table.bench import TableBench

SECOND = 1_000_000_000


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    yield bench
    await bench.table.close()


async def test_a_suggestion_waits_and_becomes_a_foul_when_it_is_taken(table: TableBench):
    await table.does(Suggest(4, "foul", "6.6.1"))
    await table.does(Suggest(5, "note", text="  шепчет  "))
    foul, note = table.now.suggestions
    assert (foul.seat, foul.what, foul.clause) == (4, "foul", "6.6.1")
    assert note.text == "шепчет"
    assert table.state.seat(4).fouls == ()
    await table.does(Answer(foul.number, taken=True))
    assert [row.clause for row in table.state.seat(4).fouls] == ["6.6.1"]
    assert [one.seat for one in table.now.suggestions] == [5]
    await table.does(Undo())
    assert table.state.seat(4).fouls == ()


async def test_two_answers_to_one_suggestion_are_one_foul(table: TableBench):
    await table.does(Suggest(4, "foul"))
    number, seen = table.now.suggestions[0].number, table.now.revision
    await table.does(Answer(number, taken=True), revision=seen)
    assert await table.refuses(Answer(number, taken=True), revision=seen) == "stale"
    assert await table.refuses(Answer(number, taken=True)) == "suggestion_answered"
    assert len(table.state.seat(4).fouls) == 1


async def test_what_is_put_aside_is_gone_and_changes_nothing(table: TableBench):
    await table.does(Suggest(4, "foul"))
    await table.does(Answer(table.now.suggestions[0].number, taken=False))
    assert table.now.suggestions == ()
    assert table.state.seat(4).fouls == ()


async def test_a_taken_suggestion_and_the_setting_outlive_a_restart(table: TableBench):
    await table.does(SetSide(gives=True))
    await table.does(Suggest(4, "warn"))
    await table.does(Suggest(6, "foul"))
    await table.does(Answer(table.now.suggestions[0].number, taken=True))
    again = await table.restart()
    assert again.now.side_gives
    assert len(again.state.seat(4).warnings) == 1
    assert [one.seat for one in again.now.suggestions] == [6]
    await again.table.close()


async def test_a_suggestion_of_nothing_is_refused(table: TableBench):
    assert await table.refuses(Suggest(4, "note", text="  ")) == "note_is_empty"
    assert await table.refuses(Suggest(11, "foul")) == "no_such_seat"


async def test_names_are_put_right_after_the_deal_and_nothing_else_is(table: TableBench):
    header, names = table.now.header, tuple(f"игрок {n}" for n in range(1, 11))
    await table.does(SetUp(header, names))
    assert table.now.names == names
    assert table.state.minute_of == 1
    options = Header(options=(("no_raise_at_four", "no"),))
    assert await table.refuses(SetUp(options, names)) == "cards_are_dealt"
    assert await table.refuses(SetUp(header, names[:9])) == "wrong_number_of_names"


async def test_the_options_are_those_the_game_is_played_by(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    options = (("no_raise_at_four", "no"), ("withdrawal", "no"))
    await table.does(SetUp(Header(options=options), table.now.names))
    assert not table.state.rules.no_raise_at_four
    assert not table.state.rules.withdrawal
    wrong = Header(options=(("no_raise_at_for", "no"),))
    assert await table.refuses(SetUp(wrong, table.now.names)) == "option_unknown"
    again = await table.restart()
    assert not again.state.rules.no_raise_at_four
    await again.table.close()


async def test_the_protests_have_ten_minutes_and_a_signature_falls_with_what_is_decided_after_it(table: TableBench):
    assert await table.refuses(Sign()) == "game_not_over"
    await table.does(cmd.Annul())
    timer = table.now.timer
    assert timer is not None
    assert (timer.kind, timer.total) == (PROTESTS, PROTESTS_S * SECOND)
    await table.does(Sign())
    assert table.now.signed == table.now.header.judge
    await table.does(cmd.Protest(3, "считали без меня"))
    assert table.now.signed is None
