"""What the one big step says it does."""

from pathlib import Path

from controller.game import commands as cmd
from controller.game.phases import LastWord
from controller.table.state import Stage
from controller.table.wishes import AnnounceCount, Undo
from tests.table.bench import TableBench


def said(table: TableBench) -> tuple[str, str, dict[str, object]]:
    step = table.now.step
    return step.do, step.code, dict(step.params)


def speaker(table: TableBench) -> int | None:
    return table.state.minute_of


async def test_before_the_deal_it_says_what_is_missing(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    assert table.now.step.blocked is not None
    assert table.now.step.blocked.code == "cards_left"
    await table.deals()
    assert table.now.step.blocked is None
    assert said(table) == ("next", "call", {"who": "don", "night": 0})
    await table.table.close()


async def test_it_names_the_next_speaker_the_vote_and_the_night(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.deals()
    await table.next(3)
    assert said(table) == ("next", "morning", {"day": 1})
    await table.next()
    assert said(table) == ("next", "minute", {"seat": 1, "seconds": 60})
    await table.next()
    assert said(table) == ("next", "minute", {"seat": 2, "seconds": 60})
    await table.next(9)
    assert said(table) == ("next", "dusk", {"day": 1})
    await table.next()
    assert said(table) == ("next", "call", {"who": "shooting", "night": 1})
    await table.next()
    assert said(table) == ("shoot", "shoot", {"night": 1})
    await table.does(cmd.Shoot(missed=True))
    assert said(table) == ("next", "call", {"who": "don", "night": 1})
    await table.table.close()


async def test_it_leads_through_a_vote(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    assert said(table) == ("open_window", "open_window", {"candidate": 5})
    await table.opens()
    assert said(table) == ("wait", "window_is_open", {"candidate": 5})
    table.cuts()
    await table.advance(2.1)
    assert table.stage is Stage.WAITING
    assert said(table) == ("wait", "waiting_for_seats", {"candidate": 5})
    table.mends()
    await table.advance(0.1)
    assert said(table) == ("announce", "announce", {"candidate": 5, "votes": 0})
    await table.does(AnnounceCount())
    assert said(table) == ("open_window", "open_window", {"candidate": 6})
    await table.opens()
    await table.advance(2.1)
    assert said(table) == ("announce", "announce", {"candidate": 6, "votes": 10})
    await table.does(AnnounceCount())
    assert said(table) == ("next", "result", {})
    await table.does(Undo())
    assert said(table) == ("announce", "announce", {"candidate": 6, "votes": 10})
    await table.does(AnnounceCount())
    await table.does(cmd.Next())
    assert said(table)[1] == "dusk"
    await table.table.close()


async def test_the_last_call_says_morning_whether_or_not_the_game_ends_with_it(tmp_path: Path):
    said_by_shot: list[tuple[str, str, dict[str, object]]] = []
    for number, target in enumerate((None, 7)):
        table = await TableBench.open(tmp_path / str(number))
        await table.first_day()
        for seat in (5, 6, 8):
            await table.does(cmd.Remove(seat))
        while said(table)[0] != "shoot":
            await table.next()
        await table.does(cmd.Shoot(missed=True) if target is None else cmd.Shoot(everybody_at=target))
        await table.next(2)
        said_by_shot.append(said(table))
        await table.next()
        assert (table.state.outcome is None) is (target is None)
        await table.table.close()
    assert said_by_shot[0] == said_by_shot[1]
    assert said_by_shot[0] == ("next", "morning", {"day": 2})


async def test_a_last_word_that_ends_the_game_does_not_say_so(tmp_path: Path):
    said_by_card: list[tuple[str, str]] = []
    for number, removed in enumerate(((2, 3), (9, 10))):  # seat 1 is the don
        table = await TableBench.open(tmp_path / str(number))
        await table.second_day()
        for seat in removed:
            await table.does(cmd.Remove(seat))
        while said(table)[0] != "shoot":
            await table.next()
        await table.does(cmd.Shoot(missed=True))
        while speaker(table) is None:
            await table.next()
        await table.does(cmd.Nominate(speaker(table) or 0, 1))
        while said(table)[0] != "open_window" and table.state.at.number < 5:
            if said(table)[0] == "shoot":
                await table.does(cmd.Shoot(missed=True))
            if (by := speaker(table)) is not None and not table.state.nominations:
                await table.does(cmd.Nominate(by, 1))
            await table.next()
        await table.opens()
        await table.advance(2.1)
        await table.next()
        assert isinstance(table.state.phase, LastWord)
        assert (table.state.outcome is not None) is (number == 0)
        said_by_card.append(said(table)[:2])
        await table.table.close()
    assert said_by_card[0] == said_by_card[1]
