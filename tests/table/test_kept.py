"""Every window is kept with its edges, whatever became of it; and the edges give the same ruling again."""

import random
from pathlib import Path

import pytest

from controller.game.commands import Defeat, Foul, Next, RuleHand, VoidWindow
from controller.table.archive import NoJournal
from controller.table.chatter import MOST_EDGES
from controller.table.kept import Fate, KeptWindow, kept_windows, replayed, touches_of
from controller.table.state import Stage
from controller.table.wishes import CloseWindow, CountWindow, NewGame, Redo, Undo
from tests.table.bench import Device, TableBench


def kept(folder: Path) -> list[KeptWindow]:
    return list(kept_windows(folder)[1])


def holds(windows: list[KeptWindow]) -> int:
    """Put every counted window through the ruling again. Return how many there were."""
    counted = [window for window in windows if window.counted is not None]
    for window in counted:
        assert window.counted is not None
        assert replayed(window) == window.counted.ballot.votes[-1], window.number
    return len(counted)


async def test_a_window_is_kept_whatever_became_of_it(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(0.7)
    await table.does(VoidWindow())  # voided while it was open
    table.hand(4, down=False, at=0.8)
    await table.advance(1)
    await table.opens(origin="board")
    table.hand(7, down=True, at=0.25)
    await table.advance(2.1)
    await table.does(Undo())  # its count is taken back with its opening
    table.hand(7, down=False, at=3)
    await table.advance(1)
    await table.opens()
    table.hand(8, down=True, at=0.125)
    await table.advance(0.5)
    await table.does(CloseWindow(), origin="board")
    await table.advance(1)
    await table.opens()
    table.hand(9, down=True, at=0.1)
    await table.settle()
    windows = kept(tmp_path)  # while the table is running
    assert [(window.number, window.times.candidate, window.fate) for window in windows] == [
        (1, 5, Fate.VOIDED),
        (2, 5, Fate.TAKEN_BACK),
        (3, 5, Fate.COUNTED),
        (4, 6, Fate.OPEN),
    ]
    assert [(window.opened_by, window.closed_by) for window in windows] == [
        ("judge", ""),
        ("board", ""),
        ("judge", "board"),
        ("judge", ""),
    ]
    # In each, who and when, to the microsecond.
    for window, touched in zip(windows, [(4, 500_000), (7, 250_000), (8, 125_000), (9, 100_000)], strict=True):
        assert touched in [(touch.seat, touch.down) for touch in touches_of(window)]
    assert holds(windows) == 2
    await table.does(VoidWindow())
    assert kept(tmp_path)[3].fate is Fate.VOIDED
    await table.table.close()


async def test_a_count_that_is_voided_after_the_close_keeps_what_was_counted(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(2.1)
    await table.does(VoidWindow())
    window = kept(tmp_path)[0]
    assert window.fate is Fate.VOIDED
    assert window.counted is not None
    assert window.counted.ballot.votes[-1].hands == (4,)
    await table.does(Undo())
    await table.does(Undo())
    assert kept(tmp_path)[0].fate is Fate.TAKEN_BACK
    await table.does(Redo())
    assert kept(tmp_path)[0].fate is Fate.COUNTED
    await table.table.close()


def test_a_folder_without_a_journal_is_said(tmp_path: Path):
    with pytest.raises(NoJournal):
        kept_windows(tmp_path)


@pytest.mark.parametrize("seed", range(12))
async def test_the_kept_edges_give_the_same_ruling_whatever_happened(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    ruleset = ("fiim", "wma")[seed % 2]
    table = await TableBench.open(tmp_path, device=Device(), ruleset=ruleset)
    await table.second_day(5, 6, 7)
    down: set[int] = set()
    windows = 0

    def moves(seat: int, at: float) -> None:
        table.hand(seat, down=seat not in down, at=at)
        down.symmetric_difference_update({seat})

    def reboots() -> None:
        table.reboots(stuck={f"seat {seat}": "closed at start" for seat in down})

    while table.state.ballot is not None and windows < 14:
        for seat in chance.sample(range(1, 11), chance.randrange(4)):
            moves(seat, (table.clock.now() - table.opened) / 1e9)
            await table.advance(chance.uniform(0.01, 0.5))
        if chance.random() < 0.15:
            reboots()
        if chance.random() < 0.2:
            await table.advance(chance.uniform(50, 70))
            table.link(stuck={f"seat {seat}": "closed too long" for seat in down if chance.random() < 0.8})
        if table.state.ballot.due is None:
            await table.does(Next())
            break
        if table.now.window is not None:
            await table.does(VoidWindow())  # an undo has brought it back
        await table.opens()
        windows += 1
        at = 0.0
        cut = chance.random() < 0.3
        while at < 2.4:
            step = chance.uniform(0.05, 0.5)
            await table.advance(step)
            at += step
            assert table.device is not None
            if cut and not table.device.cut and chance.random() < 0.3:
                table.cuts()
            moves(chance.randrange(1, 11), at - chance.uniform(0, 0.05))
            if chance.random() < 0.05:
                seat = chance.randrange(1, 11)
                for _ in range(MOST_EDGES + 2):  # a loose wire
                    at += 0.01
                    await table.advance(0.01)
                    moves(seat, at)
            if chance.random() < 0.05 and table.now.window is not None:
                seat, counts = chance.randrange(1, 11), chance.random() < 0.5
                await table.does(RuleHand(table.window.candidate, seat, counts=counts))
        if table.now.window is not None and table.stage is Stage.WAITING and chance.random() < 0.3:
            await table.does(CountWindow())  # by what is known: the rest comes after the count
        if table.device is not None and table.device.cut:
            (reboots if chance.random() < 0.3 else table.mends)()
        await table.advance(0.5)
        if table.now.window is not None:
            await table.does(CountWindow() if chance.random() < 0.5 else VoidWindow())
        elif chance.random() < 0.15:
            await table.does(VoidWindow())
        elif chance.random() < 0.15:
            await table.does(Undo())
        elif chance.random() < 0.2:
            await table.does(Foul(chance.randrange(8, 11)))
    assert windows > 2
    assert holds(kept(tmp_path)) > 2
    await table.table.close()


async def test_the_windows_of_an_earlier_game_are_what_they_were(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    games: list[str] = []
    told: list[list[KeptWindow]] = []
    for _ in range(2):
        await table.second_day(5, 6)
        await table.opens()
        table.hand(4, down=True, at=0.5)
        await table.advance(2.1)
        table.hand(4, down=False, at=3)
        await table.advance(70)
        games.append(table.now.game)
        told.append(kept(tmp_path))
        await table.does(Defeat(1))
        await table.does(NewGame())
    for game, windows in zip(games, told, strict=True):
        assert [window.number for window in windows] == [1]
        assert list(kept_windows(tmp_path, game)[1]) == windows
        assert holds(windows) == 1
    assert kept(tmp_path) == []
    with pytest.raises(NoJournal):
        kept_windows(tmp_path, "no such game")
    await table.table.close()
