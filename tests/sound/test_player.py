"""One mpv kept alive, and the one that waits to take its place."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from controller.sound import player
from controller.sound.player import End, NoAnswer, Player
from controller.sound.player import _states as states_of
from tests.service.waiting import comes_true
from tests.sound.hall import missing_parts

pytestmark = pytest.mark.skipif("mpv" in missing_parts(), reason="mpv is not on this machine")


@asynccontextmanager
async def kept(mark: str, **options) -> AsyncGenerator[tuple[Player, list[End]]]:
    """A player that is up, and the ends of its mpv."""
    ends: list[End] = []
    one = Player(
        "music", ("--ao=null",), mark=mark, began=lambda: None, event=lambda _: None, ended=ends.append, **options
    )
    running = asyncio.create_task(one.run())
    try:
        await comes_true(lambda: one._answered)
        yield one, ends
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert one.pid is None


async def test_who_waits_for_an_answer_of_an_mpv_that_is_killed_need_not_wait_any_longer(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(player, "ANSWERS_WITHIN_S", 60.0)
    monkeypatch.setattr(player, "_states", lambda _: set[str]())  # one that hangs, not one that is known to be stopped
    async with kept("killed while asked") as (one, ends):
        before, earlier = one.pid, len(ends)
        assert before is not None
        os.kill(before, signal.SIGSTOP)
        await comes_true(lambda: states_of(before) == {"T"})
        asked = asyncio.create_task(one.ask("get_property", "pid", within=60.0))
        await comes_true(lambda: len(one._asked) == 2)  # ours, and the one by which it is watched
        os.kill(before, signal.SIGKILL)
        with pytest.raises(NoAnswer):
            async with asyncio.timeout(20.0):
                await asked
        await comes_true(lambda: ends[earlier:] != [])
        assert ends[earlier] == "ended"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_the_one_that_waits_takes_the_place_of_one_that_is_lost(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
):
    monkeypatch.setattr(player, "_SPARE_AFTER_S", 0.0)
    async with kept("spare", spare=True) as (one, ends):
        await comes_true(lambda: one._spare is not None)
        assert one._spare is not None
        before, waiting, earlier = one.pid, one._spare.process.pid, len(ends)
        assert before is not None
        os.kill(before, number)
        await comes_true(lambda: one._answered and one.pid == waiting)
        assert len(ends) == earlier + 1
        assert await one.ask("get_property", "pid") == waiting
        # And another waits then.
        await comes_true(lambda: one._spare is not None and one._spare.process.pid not in (before, waiting))


def test_one_that_ends_while_it_is_looked_at_is_gone(monkeypatch: pytest.MonkeyPatch):
    assert states_of(os.getpid())

    def gone(path: object = ".") -> object:
        raise FileNotFoundError(path)

    # The folder was there a moment before.
    monkeypatch.setattr(os, "scandir", gone)
    monkeypatch.setattr(os, "listdir", gone)
    assert states_of(os.getpid()) == set()


async def test_one_that_is_frozen_while_it_waits_costs_no_more_than_an_answer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(player, "_SPARE_AFTER_S", 0.0)
    async with kept("frozen spare", spare=True) as (one, _):
        await comes_true(lambda: one._spare is not None)
        assert one._spare is not None
        before, waiting = one.pid, one._spare.process.pid
        assert before is not None
        os.kill(waiting, signal.SIGSTOP)
        os.kill(before, signal.SIGKILL)
        await comes_true(lambda: one._answered and one.pid not in (None, before, waiting))


async def test_one_that_has_ended_while_it_waited_is_replaced(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(player, "_SPARE_AFTER_S", 0.0)
    async with kept("dead spare", spare=True) as (one, _):
        await comes_true(lambda: one._spare is not None)
        assert one._spare is not None
        before, waiting = one.pid, one._spare.process.pid
        os.kill(waiting, signal.SIGKILL)
        await comes_true(lambda: one._spare is not None and one._spare.process.pid != waiting)
        assert one.pid == before


async def test_one_that_is_asked_for_anew_is_no_old_one(monkeypatch: pytest.MonkeyPatch):
    """It is to know which cards there are now."""
    monkeypatch.setattr(player, "_SPARE_AFTER_S", 0.0)
    async with kept("anew", spare=True) as (one, ends):
        await comes_true(lambda: one._spare is not None)
        assert one._spare is not None
        before, waiting = one.pid, one._spare.process.pid
        one.restart()
        await comes_true(lambda: one._answered and one.pid not in (None, before, waiting))
        assert ends[-1] == "asked"
