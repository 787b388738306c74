"""The judge's board: one press is one thing, once; its lamps say what is legal and know no role."""

from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.phases import Night, Speech, SpeechKind, Voting
from controller.record import read
from controller.table.board import _EVERYWHERE, _IN_PHASE, TOO_LATE_NS, Means, lamps, meaning
from controller.table.clock import SECOND
from controller.table.state import Stage, Step, What, Window
from controller.table.wishes import SetTimer, Undo
from firmware_bridge.core import DeviceInfo, LinkStatus, Reason
from hardware.board import BOARD_KEYS
from tests.record.games import head
from tests.table.bench import ROLES, Role, TableBench


@pytest.fixture
async def table(tmp_path: Path):
    bench = await TableBench.open(tmp_path)
    await bench.first_day()
    yield bench
    await bench.table.close()


async def test_every_key_of_the_board_has_a_meaning_somewhere():
    named = {key for keys in (_EVERYWHERE, *_IN_PHASE.values()) for key in keys}
    assert {key for key in BOARD_KEYS if not key.startswith("board ")} == named - {"any seat"}
    assert meaning(Speech(1, SpeechKind.MINUTE, 60), "board 10") is Means.NOMINATE_SEAT
    assert meaning(Voting(), "board 10") is None


async def test_next_does_the_main_step(table: TableBench):
    table.press("next")
    await table.settle()
    assert table.state.minute_of == 2


async def test_one_press_is_one_step_also_when_it_is_sent_twice(table: TableBench):
    assert table.device is not None
    table.press("next")
    table.device.seq -= 2  # the device had no acknowledgement and sends it again
    table.press("next")
    await table.settle()
    assert table.state.minute_of == 2


async def test_a_press_is_one_thing_across_a_restart(table: TableBench):
    assert table.device is not None
    table.press("next")
    await table.settle()
    again = await table.restart(after=0.5)
    table.device.seq -= 2
    again.press("next")
    await again.settle()
    assert again.state.minute_of == 2
    await again.table.close()


async def test_two_presses_while_the_disk_is_busy_are_one_step(table: TableBench):
    table.press("next")
    table.press("next")
    await table.settle()
    assert table.state.minute_of == 2
    assert [cause.refusal.code for cause in table.heard(What.REFUSED) if cause.refusal] == ["stale"]


async def test_foul_and_a_seat_is_a_foul(table: TableBench):
    table.press("foul")
    assert table.now.lamps["foul"] == "blink"
    table.press("board 4")
    await table.settle()
    assert len(table.state.seat(4).fouls) == 1
    assert table.now.lamps["foul"] == "on"


async def test_a_seat_alone_is_nominated_by_the_speaker(table: TableBench):
    table.press("board 7")
    await table.settle()
    assert [(n.by, n.seat) for n in table.state.nominations] == [(1, 7)]


async def test_nominate_and_a_seat_is_the_same(table: TableBench):
    table.press("nominate")
    table.press("board 7")
    await table.settle()
    assert [(n.by, n.seat) for n in table.state.nominations] == [(1, 7)]


async def test_a_key_that_waits_for_a_seat_waits_five_seconds(table: TableBench):
    table.press("foul")
    await table.advance(5.1)
    assert table.now.lamps["foul"] == "on"
    table.press("board 4")
    await table.settle()
    assert table.state.seat(4).fouls == ()
    assert [n.seat for n in table.state.nominations] == [4]


async def test_a_removal_is_held_for_a_second_and_confirmed_by_the_seat(table: TableBench):
    table.press("remove", held=0.4)
    await table.advance(0.4)
    table.press("board 4")
    await table.settle()
    assert table.state.seat(4).left is None
    assert [n.seat for n in table.state.nominations] == [4]
    table.signal("remove", down=True, at=table.clock.now())
    await table.advance(0.5)
    table.press("board 5")
    assert table.heard(What.REFUSED)[-1].refusal is not None
    await table.advance(0.6)
    table.signal("remove", down=False, at=table.clock.now())
    await table.settle()
    assert table.now.lamps["remove"] == "blink"
    table.press("board 5")
    await table.settle()
    assert table.state.seat(5).left is not None


async def holds_remove(table: TableBench, seconds: float = 1.2) -> None:
    table.signal("remove", down=True, at=table.clock.now())
    await table.advance(seconds)


async def test_one_hold_is_one_removal(table: TableBench):
    await holds_remove(table)
    table.press("board 10")
    table.signal("remove", down=False, at=table.clock.now())
    await table.advance(1)
    assert table.state.seat(10).left is not None
    assert table.now.lamps["remove"] == "on"
    table.press("board 9")
    await table.settle()
    assert table.state.seat(9).left is None


async def test_a_removal_that_is_refused_leaves_nothing_armed(table: TableBench):
    await table.does(cmd.Remove(10))
    await holds_remove(table)
    table.press("board 10")
    await table.settle()
    assert [cause.refusal.code for cause in table.heard(What.REFUSED) if cause.refusal] == ["has_left"]
    table.press("board 8")
    table.signal("remove", down=False, at=table.clock.now())
    table.press("board 9")
    await table.settle()
    assert [seat.number for seat in table.state.seats if seat.left] == [10]


async def test_a_key_whose_release_was_lost_is_held_no_longer_than_five_seconds(table: TableBench):
    await holds_remove(table, 5.1)
    table.press("board 6")
    await table.settle()
    assert table.state.seat(6).left is None


async def test_a_key_is_not_armed_by_a_release_after_more_than_five_seconds(table: TableBench):
    await holds_remove(table, 5.1)
    table.signal("remove", down=False, at=table.clock.now())
    table.press("board 6")
    await table.settle()
    assert table.state.seat(6).left is None


async def test_a_hold_ends_with_the_link(table: TableBench):
    await holds_remove(table)
    table.cuts()
    await table.advance(1)
    table.mends()
    table.press("board 6")
    await table.settle()
    assert table.state.seat(6).left is None


@pytest.mark.parametrize("told", [True, False], ids=["by the link", "by its first edge"])
async def test_a_hold_ends_with_the_devices_life(table: TableBench, told: bool):
    assert table.device is not None
    await holds_remove(table)
    table.device.boot, table.device.seq = 2, 0
    if told:
        table.link()
    table.press("board 6")
    await table.settle()
    assert table.state.seat(6).left is None


async def test_a_hold_outlives_the_loss_of_another_device(table: TableBench):
    await holds_remove(table)
    other = DeviceInfo("other", "table", "test", 1, 10)
    table.table.link_status("other", LinkStatus(up=False, reason=Reason.SILENT, device=other), seats=())
    table.press("board 6")
    await table.settle()
    assert table.state.seat(6).left is not None


async def test_back_is_undo(table: TableBench):
    await table.next()
    table.press("back")
    await table.settle()
    assert table.state.minute_of == 1
    assert table.now.redo == cmd.Next()


async def test_the_timers_key_pauses_and_starts(table: TableBench):
    table.press("timer")
    await table.settle()
    assert table.now.timer is not None
    assert not table.now.timer.running
    table.press("timer")
    await table.settle()
    assert table.now.timer is not None
    assert table.now.timer.running


async def test_night_sound_is_told_and_is_no_decision(table: TableBench):
    before = table.now.revision
    table.press("night sound")
    await table.settle()
    told = table.heard(What.NIGHT_SOUND)
    assert [cause.down for cause in told] == [True, False]
    assert told[0].at < told[1].at
    assert table.now.revision == before


async def test_night_sound_takes_a_key_that_waits_for_a_seat_out_of_its_wait(table: TableBench):
    table.press("foul")
    table.press("night sound")
    table.press("board 4")
    await table.settle()
    assert table.state.seat(4).fouls == ()


async def test_a_press_that_comes_too_late_is_told_and_not_done(table: TableBench):
    table.signal("next", down=True, at=table.clock.now() - 2_100_000_000)
    await table.settle()
    assert table.state.minute_of == 1
    assert [cause.refusal.code for cause in table.heard(What.REFUSED) if cause.refusal] == ["press_too_late"]


async def test_a_key_pressed_in_a_cut_is_judged_by_what_was_shown_then(table: TableBench):
    await table.advance(3)
    table.cuts()
    table.press("next")
    await table.advance(1)
    await table.next()
    await table.advance(0.5)
    table.mends()
    await table.settle()
    assert table.state.minute_of == 2
    assert [cause.refusal.code for cause in table.heard(What.REFUSED) if cause.refusal] == ["stale"]


async def test_a_key_pressed_in_a_cut_is_done_if_all_is_as_it_was(table: TableBench):
    await table.advance(3)
    table.cuts()
    table.press("next")
    await table.advance(1)
    await table.does(cmd.Foul(9))
    table.mends()
    await table.settle()
    assert table.state.minute_of == 2


async def test_the_timers_key_means_in_a_cut_what_it_meant_then(table: TableBench):
    await table.advance(3)
    table.cuts()
    table.press("timer")
    await table.advance(1)
    await table.does(SetTimer(running=False))
    table.mends()
    await table.settle()
    assert table.now.timer is not None
    assert not table.now.timer.running


async def test_what_was_shown_is_remembered_for_as_long_as_a_press_is_believed(table: TableBench):
    revisions: dict[int, int] = {}
    for _ in range(50):
        await table.does(SetTimer(running=False))
        await table.does(SetTimer(running=True))
        revisions[table.clock.now()] = table.now.revision
        await table.advance(0.1)
    believed = [at for at in revisions if at >= table.clock.now() - TOO_LATE_NS]
    assert [table.table._shown_at(at).revision for at in believed] == [revisions[at] for at in believed]
    assert len(table.table._shown) < 50


async def test_a_whole_vote_on_the_board(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    assert table.now.lamps["vote"] == "on"
    table.press("next")
    await table.settle()
    assert table.stage is Stage.OPEN
    table.press("next")  # the window closes by itself
    await table.settle()
    assert table.stage is Stage.OPEN
    table.opened = table.clock.now()
    table.hand(8, down=True, at=0.3)
    await table.advance(1.0)
    table.press("vote")
    await table.advance(0.1)
    assert table.hands == {5: [8]}
    table.press("vote")
    await table.advance(2.2)
    assert table.hands == {5: [8], 6: []}
    assert table.now.step.do == "announce"
    assert table.now.lamps["next"] == "on"
    table.press("next")
    await table.settle()
    assert table.now.step.code == "result"
    table.press("next")
    await table.settle()
    assert table.leaves == [6]
    await table.table.close()


# --- lamps


async def test_a_seats_lamp_says_that_its_hand_is_taken(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    table.opened = table.clock.now()
    table.hand(3, down=True, at=0.0)
    assert "seat 3" not in table.now.lamps
    table.hand(3, down=False, at=0.1)
    await table.advance(0.2)
    await table.opens()
    table.hand(8, down=True, at=0.3)
    await table.advance(0.5)
    assert [key for key in table.now.lamps if key.startswith("seat ")] == ["seat 8"]
    await table.advance(2)
    assert [key for key in table.now.lamps if key.startswith("seat ")] == []
    await table.table.close()


async def test_at_night_every_seats_lamp_is_dark(table: TableBench):
    await table.next(11)
    assert isinstance(table.state.phase, Night)
    for seat in range(1, 11):
        table.hand(seat, down=True, at=0.1)
    assert [key for key in table.now.lamps if key.startswith("seat ")] == []
    assert table.now.lamps["night sound"] == "on"


async def test_lamps_know_no_role(tmp_path: Path):
    """Two games that differ in cards and checks alone light the same lamps at every public step."""
    seen: list[list[dict[str, str]]] = []
    other = {6: Role.DON, 7: Role.MAFIA, 8: Role.MAFIA, 9: Role.SHERIFF}
    for number, roles in enumerate((ROLES, other)):
        table = await TableBench.open(tmp_path / str(number))
        for seat in range(1, 11):
            await table.does(cmd.Deal(seat, roles.get(seat, Role.CIVILIAN)))
        shown: list[dict[str, str]] = []
        table.table.subscribe(lambda snapshot, _, shown=shown: shown.append(dict(snapshot.lamps)))
        await table.next(5 + 10)
        await table.next()
        await table.does(cmd.Shoot(everybody_at=5))
        await table.next()
        await table.does(cmd.Check(Role.DON, 4 if number else 1))
        await table.next()
        await table.does(cmd.Check(Role.SHERIFF, 2))
        await table.next(3)
        await table.does(Undo())
        seen.append(shown)
        await table.table.close()
    assert seen[0] == seen[1]


def seats_lit(table: TableBench) -> list[str]:
    return [key for key in table.now.lamps if key.startswith("seat ")]


async def test_a_lamp_tells_neither_an_offence_nor_a_ruling_only_that_the_hand_is_taken(tmp_path: Path):
    """An early hand, one within the tolerance and one in the window are lit alike; a late and a spent one are dark."""
    table = await TableBench.open(tmp_path)
    await table.second_day(5, 6)
    table.opened = table.clock.now() + SECOND
    table.hand(1, down=True, at=-0.9)
    table.hand(2, down=True, at=-0.2)
    table.hand(9, down=True, at=-0.8)
    table.hand(9, down=False, at=-0.4)
    await table.advance(1)
    await table.opens()
    table.hand(3, down=True, at=0.1)
    await table.advance(0.5)
    assert sorted(seats_lit(table)) == ["seat 1", "seat 2", "seat 3"]
    table.hand(3, down=False, at=0.5)
    assert sorted(seats_lit(table)) == ["seat 1", "seat 2", "seat 3"]  # pulled: it counts all the same
    await table.does(cmd.RuleHand(5, 2, False))
    assert sorted(seats_lit(table)) == ["seat 1", "seat 3"]
    await table.does(cmd.RuleHand(5, 7, True))
    assert sorted(seats_lit(table)) == ["seat 1", "seat 3", "seat 7"]
    assert table.device is not None
    table.device.heard = table.clock.now()
    await table.advance(1.6)
    assert table.stage is Stage.WAITING
    table.hand(8, down=True, at=2.05)
    assert "seat 8" not in seats_lit(table)
    table.device.heard = None
    await table.advance(0.5)
    assert seats_lit(table) == []
    await table.opens()
    await table.advance(0.1)
    table.hand(4, down=True, at=0.05)
    # 1 is spent and still rests; 8 was late, has not left the table and is an early hand now, which counts.
    assert sorted(seats_lit(table)) == ["seat 4", "seat 8"]
    await table.table.close()


async def test_no_seat_is_lit_out_of_a_window_whatever_the_hands_do(tmp_path: Path):
    table = await TableBench.open(tmp_path)
    lit: set[str] = set()
    table.table.subscribe(lambda snapshot, _: lit.update(key for key in snapshot.lamps if key.startswith("seat ")))
    table.opened = table.clock.now()
    for seat in range(1, 11):
        table.hand(seat, down=True, at=0.0)
    await table.first_day()
    await table.next(11)
    assert isinstance(table.state.phase, Night)
    await table.does(cmd.Shoot(everybody_at=5))
    for seat in range(1, 11):
        table.hand(seat, down=False, at=0.2)
        table.hand(seat, down=True, at=0.3)
    await table.next(4)
    assert lit == set()
    await table.table.close()


async def test_the_lamps_of_two_votes_that_differ_in_cards_alone_are_lit_at_the_same_instants(tmp_path: Path):
    seen: list[list[tuple[int, dict[str, str]]]] = []
    other = {6: Role.DON, 7: Role.MAFIA, 8: Role.MAFIA, 9: Role.SHERIFF}
    for number, roles in enumerate((ROLES, other)):
        table = await TableBench.open(tmp_path / str(number))
        for seat in range(1, 11):
            await table.does(cmd.Deal(seat, roles.get(seat, Role.CIVILIAN)))
        shown: list[tuple[int, dict[str, str]]] = []
        table.table.subscribe(
            lambda snapshot, _, table=table, shown=shown: shown.append((table.clock.now(), dict(snapshot.lamps)))
        )
        await table.next(5)
        for _ in range(10):
            speaker = table.state.minute_of
            if speaker in (1, 2):
                await table.does(cmd.Nominate(speaker, speaker + 4))
            await table.next()
        for _ in range(2):
            await table.opens()
            for seat in (8, 1, 4):
                table.hand(seat, down=True, at=0.2 + seat / 10)
            await table.advance(2.5)
            for seat in (8, 1, 4):
                table.hand(seat, down=False, at=2.4)
            await table.advance(0.2)
        seen.append(shown)
        await table.table.close()
    assert any("seat 8" in lamps for _, lamps in seen[0])
    assert seen[0] == seen[1]


def test_at_night_the_seats_are_dark_though_a_window_should_be_there():
    """No path leads to it; the lamps do not rely on that."""
    night = read(head() + "night 0\nday 1\nnight 1\n").game.state
    assert isinstance(night.phase, Night)
    window = Window(2, Stage.OPEN, 0, 1, 1, (3, 4), (), (), flagged=False)
    lit = lamps(night, step=Step("none", "game_over"), window=window, timer=None, undo=False, armed=None)
    assert [key for key in lit if key.startswith("seat ")] == []


async def test_the_lamps_of_a_hit_and_of_a_miss_are_lit_at_the_same_instants(tmp_path: Path):
    """ "Next" lights once the shots are taken down: whom they hit, or whether anybody, does not show."""
    seen: list[list[tuple[int, dict[str, str]]]] = []
    shots = (cmd.Shoot(everybody_at=5), cmd.Shoot(everybody_at=1), cmd.Shoot(missed=True))
    for number, shot in enumerate(shots):
        table = await TableBench.open(tmp_path / str(number))
        await table.first_day()
        await table.next(10)
        shown: list[tuple[int, dict[str, str]]] = []
        table.table.subscribe(
            lambda snapshot, _, table=table, shown=shown: shown.append((table.clock.now(), dict(snapshot.lamps)))
        )
        await table.next()
        await table.advance(3)
        await table.does(shot)
        for _ in range(2):
            await table.advance(1)
            await table.next()
        seen.append(shown)
        await table.table.close()
    assert [lamps.get("next") for _, lamps in seen[0]][:2] == [None, "on"]
    assert seen[0] == seen[1] == seen[2]
