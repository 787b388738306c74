"""The sound at a real table: its mpv killed and frozen at random while night and day change places, and no command of
the game waits for it; games that differ in their secrets alone sound the same."""

import asyncio
import math
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.roles import Role
from controller.service.sounding import Sounding
from controller.sound.director import Director
from controller.sound.score import heard_in
from controller.sound.settings import SoundSettings
from controller.table.clock import SystemClock
from controller.table.state import Cause, Snapshot
from controller.table.table import Table
from controller.table.wishes import Accepted, Redo, Undo, Wish
from controller.views.hall import hall_view
from tests.sound.conftest import Make
from tests.sound.hall import Ears, level
from tests.table.bench import ROLES

RIGHT_WITHIN_S = 2.0
STAYS_S = 0.25
NIGHT_DB = -60.0
SLOW_S = 1.5
SAYS_EVERY = 50


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    """A table at which the cards are dealt: the next step is the first night."""
    table = await Table.open(tmp_path / "data", SystemClock())
    for seat in range(1, 11):
        await table.submit(Wish(id=f"deal {seat}", command=cmd.Deal(seat, ROLES.get(seat, Role.CIVILIAN))))
    yield table
    await table.close()


class Evening:
    """Night and day in turn, by undo and redo over the night's edge; how long everything took."""

    def __init__(self, table: Table, director: Director, ears: Ears) -> None:
        self.table, self.director, self.ears = table, director, ears
        self.sounding = Sounding(director)
        self.commands: list[float] = []
        self.hearing: list[float] = []
        self.right: list[float] = []
        self._ids = count()
        table.subscribe(self._hear)
        self.sounding.begin(table.snapshot)

    def _hear(self, snapshot: Snapshot, cause: Cause) -> None:
        began = time.thread_time()
        self.sounding.hear(snapshot, cause)
        self.hearing.append(time.thread_time() - began)

    async def turn(self, command: cmd.Command | Undo | Redo) -> None:
        """One command; the time until its answer is kept."""
        began = time.monotonic()
        answer = await self.table.submit(Wish(id=f"turn {next(self._ids)}", command=command))
        self.commands.append(time.monotonic() - began)
        assert isinstance(answer, Accepted), answer

    @property
    def is_night(self) -> bool:
        """Whether the table says night."""
        return heard_in(hall_view(self.table.snapshot)).night is not None

    def sounds_right(self) -> bool:
        """Whether what has just been heard is what the table says."""
        lately = self.ears.lately(STAYS_S)
        pieces = [lately[first : first + len(lately) // 5] for first in range(0, len(lately) - 4, len(lately) // 5)]
        if self.is_night:
            return all(level(piece) > NIGHT_DB for piece in pieces)
        return level(lately) == -math.inf

    async def comes_right(self) -> float:
        """Waits until it sounds right and has for a quarter of a second; the seconds since now until it began to."""
        began = time.monotonic()
        while not self.sounds_right():
            assert time.monotonic() - began < 30.0, "it never sounds right"
            await asyncio.sleep(0.02)
        return max(0.0, time.monotonic() - began - STAYS_S)


def strike(director: Director, chance: random.Random) -> str:
    """Kills or freezes one of the two mpv, or neither; what was done."""
    player = chance.choice((director._music.player, director._music.player, director._cues.player, None))
    pid = None if player is None else player.pid
    if player is None or pid is None:
        return "nothing"
    with_what = chance.choice((signal.SIGKILL, signal.SIGSTOP))
    with suppress(ProcessLookupError):
        os.kill(pid, with_what)
    state = "up" if player.up else "starting"
    return f"{with_what.name} to mpv {pid} ({player._name}, {state})"


async def play(evening: Evening, turns: int, seed: int) -> None:
    chance = random.Random(seed)
    await evening.turn(cmd.Next())
    assert await evening.comes_right() < 5.0
    night = True
    before = struck = "nothing"
    for turn in range(1, turns + 1):
        wait = chance.uniform(-0.3, 0.3)
        before = struck
        if wait < 0:
            struck = strike(evening.director, chance)
            await asyncio.sleep(-wait)
        await evening.turn(Undo() if night else Redo())
        night = not night
        if wait > 0:
            await asyncio.sleep(wait)
            struck = strike(evening.director, chance)
        evening.right.append(await evening.comes_right())
        assert evening.is_night == night
        if evening.right[-1] > SLOW_S:
            print(f"\nturn {turn}: right after {evening.right[-1]:.2f} s; {before}, then {struck}", flush=True)
        if turn % SAYS_EVERY == 0:
            told(evening, turn)


def told(evening: Evening, turns: int) -> None:
    right, commands = sorted(evening.right), sorted(evening.commands)
    print(
        f"\n{turns} changes under fire: right after p50 {right[len(right) // 2]:.2f} s, max {right[-1]:.2f} s;"
        f" a command took p50 {1000 * commands[len(commands) // 2]:.1f} ms, max {1000 * commands[-1]:.0f} ms;"
        f" of which for the sound at most {1000 * max(evening.hearing):.2f} ms of its own work",
        flush=True,
    )


async def under_fire(table: Table, director_of: Make, ears: Ears, turns: int) -> None:
    director = director_of(SoundSettings(cards=("one",), volume=100, cues=(), fade_in=0.3, fade_out=0.3))
    evening = Evening(table, director, ears)
    await play(evening, turns, seed=2026)
    told(evening, turns)
    assert max(evening.right) <= RIGHT_WITHIN_S
    # The table's own thread does nothing for the sound but put a word into its queue: a frozen mpv cannot hold it up.
    assert max(evening.hearing) < 0.05


@pytest.mark.timeout(300)
async def test_twenty_changes_under_fire_sound_right_and_no_command_waits(table: Table, director_of: Make, ears: Ears):
    await under_fire(table, director_of, ears, 20)


@pytest.mark.soak
@pytest.mark.timeout(7200)
async def test_a_thousand_changes_under_fire(table: Table, director_of: Make, ears: Ears):
    await under_fire(table, director_of, ears, 1000)
