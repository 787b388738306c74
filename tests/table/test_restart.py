"""The service goes and comes back: what was on disk is there, nothing is decided anew, nothing runs by itself."""

from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.commands import VoidWindow
from controller.game.history import History
from controller.table import InUse, Table
from controller.table.state import Stage
from controller.table.wishes import CountWindow, SetStopped, SetTimer, Undo
from tests.table.bench import FakeClock, TableBench


async def test_a_speech_comes_back_paused_with_what_was_left(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.first_day()
    await table.advance(20)
    table = await table.restart(after=9)
    assert table.left_on_timer == 40
    assert table.now.timer is not None
    assert not table.now.timer.running
    await table.does(SetTimer(running=True))
    await table.advance(10)
    table = await table.restart(boot="boot-2")
    assert table.left_on_timer == 30
    await table.table.close()


async def test_a_technical_stop_is_still_one_after_a_restart(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.first_day()
    await table.does(SetStopped(stopped=True))
    table = await table.restart()
    assert table.now.stopped
    await table.does(SetStopped(stopped=False))
    assert table.now.timer is not None
    assert not table.now.timer.running
    await table.table.close()


async def test_an_open_window_comes_back_undecided_with_its_evidence_and_the_judge_confirms(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    table.hand(7, down=True, at=0.6)
    await table.advance(1)
    table = await table.restart()
    assert table.stage is Stage.UNDECIDED
    assert table.window.hands == (4, 7)
    assert table.now.step.do == "confirm"
    await table.advance(60)
    assert table.stage is Stage.UNDECIDED
    await table.does(cmd.RuleHand(5, 7, counts=False))
    await table.does(CountWindow())
    assert table.hands == {5: [4]}
    assert table.state.ballot is not None
    assert table.state.ballot.counts[0].flagged
    await table.table.close()


@pytest.mark.parametrize("anew", [False, True], ids=["the same life", "a new life"])
async def test_a_contact_that_sticks_later_takes_nothing_from_an_undecided_window(tmp_path: Path, anew: bool):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    for seat in (1, 2, 3):
        table.hand(seat, down=True, at=0.1 * seat)
    await table.advance(1)
    table = await table.restart()
    assert table.window.hands == (1, 2, 3)
    if anew:
        table.reboots(stuck={"seat 1": "closed at start", "seat 2": "closed at start"})
    else:
        await table.advance(60)
        table.link(stuck={"seat 1": "closed too long", "seat 2": "closed too long"})
    assert table.window.hands == (1, 2, 3)
    await table.does(CountWindow())
    assert table.hands == {5: [1, 2, 3]}
    await table.table.close()


async def test_the_devices_late_edges_complete_the_evidence_of_an_undecided_window(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    opened = table.opened
    table.hand(4, down=True, at=0.5)
    await table.advance(1)
    table = await table.restart()
    table.opened = opened
    assert table.device is not None
    table.device.seq = 0
    table.hand(4, down=True, at=0.5)  # committed, but the device had not heard so: it comes again
    table.hand(8, down=True, at=1.7)
    assert [t.seat for t in table.window.touches] == [4, 8]
    assert table.window.hands == (4, 8)
    await table.table.close()


async def test_an_open_window_of_another_boot_has_its_evidence_but_no_times(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(1)
    table = await table.restart(boot="boot-2")
    assert (table.stage, table.window.opened) == (Stage.UNDECIDED, None)
    assert table.window.hands == (4,)
    await table.does(CountWindow())
    assert table.hands == {5: [4]}
    table.opened = table.clock.now()
    await table.opens()
    table.hand(9, down=True, at=0.5)
    table.hand(9, down=False, at=0.9)
    await table.advance(2.1)
    assert table.hands == {5: [4], 6: [9]}
    await table.table.close()


async def test_an_undecided_window_can_be_repeated(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    table.hand(4, down=False, at=0.9)
    await table.advance(1)
    table = await table.restart()
    await table.does(VoidWindow())
    await table.opens()
    await table.advance(2.1)
    assert table.hands == {5: []}
    assert table.state.proposals == ()
    await table.table.close()


async def test_a_restart_decides_nothing_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    await table.opens()
    table.hand(4, down=True, at=0.5)
    await table.advance(2.1)
    await table.does(Undo())
    before = table.state

    def decides(*_: object) -> None:
        raise AssertionError("a restart has decided")

    with monkeypatch.context() as patched:
        patched.setattr(History, "play", decides)
        patched.setattr(History, "follow", decides)
        await table.table.close()
        again = await Table.open(tmp_path, FakeClock())
    assert again.snapshot.state == before
    await again.close()


async def test_revisions_only_rise(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.deals()
    seen = table.now.revision
    table = await table.restart()
    assert table.now.revision > seen
    await table.table.close()


async def test_a_second_table_on_the_same_folder_is_refused_with_a_sentence(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    with pytest.raises(InUse, match="Another mafia-table is running"):
        await Table.open(tmp_path, FakeClock())
    await table.table.close()
    await (await Table.open(tmp_path, FakeClock())).close()
