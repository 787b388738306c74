"""The journal's games as records, read while the table runs; a record replays to the game that was played."""

from decimal import Decimal
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.refusal import Refusal
from controller.record.notation import read
from controller.record.result import result
from controller.table.archive import NoJournal, filed_games
from controller.table.wishes import NewGame
from tests.table.bench import TableBench


async def test_a_game_that_is_being_played_is_written_and_replays_to_the_same_table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    await bench.does(cmd.Nominate(1, 5))
    await bench.does(cmd.Foul(4))
    filed = filed_games(tmp_path)
    await bench.table.close()
    assert len(filed) == 1
    reading = read(filed[0].record)
    state = bench.state
    assert [seat.role for seat in reading.game.state.seats] == [seat.role for seat in state.seats]
    assert len(reading.game.state.seat(4).fouls) == 1
    assert reading.game.state.nominations == state.nominations
    assert reading.headers.date == "2026-11-29"
    assert result(reading.headers, reading.game.state, reading.table)["fouls"] == {"4": 1}


async def test_every_game_of_the_journal_is_there_in_its_order(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    await bench.does(cmd.Defeat(1))
    await bench.does(NewGame())
    await bench.table.close()
    first, second = filed_games(tmp_path)
    assert first.dealt
    assert not second.dealt
    assert read(first.record).game.state.outcome == first.book.state.outcome


async def test_an_award_that_breaks_a_limit_is_refused_at_the_live_table_too(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    await bench.does(cmd.Defeat(1))
    refusal = await bench.submit(cmd.Award(5, Decimal("0.9")))
    await bench.table.close()
    assert isinstance(refusal, Refusal)
    assert refusal.clause == "8.4.3"


def test_a_folder_without_a_journal_is_no_archive(tmp_path: Path):
    with pytest.raises(NoJournal):
        filed_games(tmp_path)
