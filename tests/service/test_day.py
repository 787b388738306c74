"""A tournament day at speed: thirty games, twenty screens that come and go over a bad network, judge, side judge and
producer on the same network, a table whose device dies, an OBS that is started anew, a player of music that is killed,
a stick that is pulled out. Nothing is logged that was not injected, nothing that was asked is lost, the service's
memory stays flat and its files small. `python -m pytest -m soak tests/service/test_day.py -s`."""

import asyncio
import json
import os
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from statistics import linear_regression
from typing import Any

import pytest

from controller.table.journal_file import JournalFile
from tests.scenes.fake_obs import FakeObs
from tests.scenes.real_obs import PASSWORD, RealObs, display, free_port
from tests.scenes.real_obs import missing as no_obs
from tests.service.apart import demo
from tests.service.day import Day, children, games_over
from tests.service.keeping import TICKS, Taken
from tests.sound.hall import Hall, missing_parts

GAMES = int(os.environ.get("MAFIA_DAY_GAMES", "30"))
SPEED = 200
PATIENCE_S = 600.0
"""For one game; on a quiet machine it takes a quarter of a minute."""
HOURS_A_GAME = 0.75
"""What a game of people takes."""
GROWS_MB = 3.5
"""So much from the tenth game of thirty to the last, along the straight line through all of them: a sixth of a megabyte
a game shows, and the moment in which a game is looked at does not. It was 2.3. What does grow has an end, or is small:
a quarter of an hour of views, a thousand refusals, and the ids of all decisions."""
QUIET = 0.1
"""The part of the machine that others may have while time is judged."""
MOST_S = 600.0
"""For the whole day, on a machine that has nothing else to do."""
LARGEST_DATA_MB = 60.0
MOST_DESCRIPTORS = 20
"""So many more at the end of the day than after its first third."""
REAL_OBS_LIVES = 4

EXPECTED = {
    r"the copy is not kept any more": ("stick pulled",),
    r"mpv \(.*\) has ended": ("mpv killed",),
    r"the cue \w+ was more than a second late": ("mpv killed",),
}
"""What may be logged, as often as that was injected."""
AT_THE_START = r"sound card: "
"""Said once, and again after a player was killed."""


@dataclass(frozen=True)
class Told:
    """What a day came to."""

    day: Day
    rows: int
    memory: list[float]
    size: float
    unexpected: list[str]
    lost: list[str]
    twice: int
    descriptors: tuple[int, int]
    left: list[int]

    def figures(self, games: int, took: float) -> str:
        """The day in a sentence or two."""
        desks = (self.day.judge, self.day.side, self.day.producer)
        asked, again = sum(desk.asked for desk in desks), sum(desk.again for desk in desks)
        faults = ", ".join(f"{count} x {what}" for what, count in sorted(self.day.injected.items()))
        return (
            f"{games} games ({games * HOURS_A_GAME:.0f} hours simulated) in {took:.0f} s, {self.rows} decisions; "
            f"faults injected: {faults}; {asked} commands over that network, {again} of them asked again, "
            f"{len(self.lost)} lost, {self.twice} done twice; the service's memory {self.memory[0]:.0f} to "
            f"{self.memory[-1]:.0f} MB, {self.size:.1f} MB of files, {len(self.unexpected)} errors that nobody injected"
        )


async def play(
    place: Path,
    games: int,
    *,
    hall: Hall | None,
    obs_port: int,
    restart: Callable[[], Coroutine[Any, Any, None]],
    screens: int,
) -> Told:
    """A day of so many games, to its end."""
    stick = place / "stick" / "table"
    settings = (
        f'[copies]\nfolders = ["{stick}"]\n[obs]\nhost = "127.0.0.1"\nport = {obs_port}\npassword = "{PASSWORD}"\n'
        f"[sound]\non = {'false' if hall is None else 'true'}\nseed = 1\n"
    )
    memory: list[float] = []
    descriptors: list[int] = []
    sizes: list[float] = []
    async with demo(place, settings, {} if hall is None else hall.environment, speed=SPEED) as table:
        day = Day(table.pid, table.port, table.tokens, place / "data", stick, screens=screens, seed=7)
        day.restart_obs = restart
        running = asyncio.ensure_future(day.run())
        try:
            for game in range(1, games + 1):
                async with asyncio.timeout(PATIENCE_S):
                    while games_over(place / "data") < game:
                        assert not running.done(), running
                        await asyncio.sleep(0.2)
                memory.append(Taken.by(table.pid).memory)
                descriptors.append(table.descriptors)
                sizes.append(size_of(place / "data") + size_of(stick))
                print(
                    f"game {game} of {games}: {memory[-1]:.0f} MB, {sizes[-1]:.1f} MB of files, {descriptors[-1]} open"
                )
        finally:
            running.cancel()
            ended = (await asyncio.gather(running, return_exceptions=True))[0]
        assert not isinstance(ended, Exception), ended
        await day.settle()
        family = children(table.pid, "")
    left = [child for child in family if (Path("/proc") / str(child)).exists()]
    file = JournalFile(place / "data")
    assert file.damage is None
    rows, ids = 0 if file.last is None else int(file.last[0]), file.ids
    file.close()
    assert len(ids) == rows
    taken = [*day.judge.taken, *day.side.taken]
    settled = len(descriptors) // 3
    return Told(
        day=day,
        rows=rows,
        memory=memory,
        size=max(sizes),
        unexpected=unexpected(place / "log.jsonl", day.injected),
        lost=[name for name in taken if name not in ids],
        twice=len(taken) - len(set(taken)),
        descriptors=(descriptors[settled], descriptors[-1]),
        left=left,
    )


def unexpected(log: Path, injected: Counter[str]) -> list[str]:
    """What was logged and is nobody's doing, and what was logged more often than it was injected."""
    found: list[str] = []
    counted: Counter[str] = Counter()
    for line in log.read_text().splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            found.append(line)  # no line of the log at all: a traceback, a complaint of the interpreter's
            continue
        expected = next((text for text in EXPECTED if re.search(text, said["text"])), None)
        if said["level"] == "WARNING" and re.match(AT_THE_START, said["text"]):
            continue
        if expected is None or said["level"] != "WARNING":
            found.append(line)
        else:
            counted[expected] += 1
    for text, times in counted.items():
        if times > sum(injected[what] for what in EXPECTED[text]):
            found.append(f"{times} times: {text}")
    return found


def size_of(folder: Path) -> float:
    """Megabytes of files in it."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:  # pulled out meanwhile
            continue
    return total / 1e6


@dataclass(frozen=True)
class Processor:
    """What processors have worked so far, seconds."""

    own: float
    """This process and all those that it has seen end."""
    all: float

    @classmethod
    def now(cls) -> "Processor":
        """As the kernel counts it."""
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        own = sum(usage.ru_utime + usage.ru_stime for usage in usages)
        user, nice, system, _, _, irq, soft, *_ = map(int, Path("/proc/stat").read_text().split()[1:9])
        return cls(own, (user + nice + system + irq + soft) / TICKS)

    def since(self, before: "Processor") -> "Processor":
        """What they have worked since `before`."""
        return Processor(self.own - before.own, self.all - before.all)

    def others(self, took: float) -> float:
        """The part of the machine that others had in `took` seconds."""
        return (self.all - self.own) / took / (os.cpu_count() or 1)


class ObsOfTheDay:
    """The real OBS for its first lives, and a stand-in on the same port for the many others."""

    def __init__(self, real: RealObs | None, lives: int) -> None:
        self._real = real
        self._lives = lives if real is not None else 0
        self.port = free_port() if real is None else real.port
        self._fake: FakeObs | None = None

    async def start(self) -> None:
        """One that runs."""
        if self._real is not None and self._lives > 0:
            self._lives -= 1
            await asyncio.to_thread(self._real.start)
        else:
            self._fake = await FakeObs(password=PASSWORD).start(self.port)

    async def restart(self) -> None:
        """It dies, and another comes up."""
        await self.stop()
        await self.start()

    async def stop(self) -> None:
        """It dies."""
        if self._fake is not None:
            await self._fake.stop()
            self._fake = None
        elif self._real is not None:
            await asyncio.to_thread(self._real.kill)


async def whole_day(place: Path, games: int, *, screens: int, real_obs: int) -> Told:
    """The day with all that this machine has of the real parts."""
    hall: Hall | None = None
    if not missing_parts():
        (place / "pulse").mkdir()
        hall = Hall(place / "pulse")
        await asyncio.to_thread(hall.open)
    try:
        if real_obs and not no_obs():
            (place / "obs").mkdir()
            with display(place) as screen:
                obs = ObsOfTheDay(RealObs(place / "obs", screen), real_obs)
                return await _with(obs, place, games, hall, screens)
        return await _with(ObsOfTheDay(None, 0), place, games, hall, screens)
    finally:
        if hall is not None:
            hall.close()


async def _with(obs: ObsOfTheDay, place: Path, games: int, hall: Hall | None, screens: int) -> Told:
    await obs.start()
    try:
        return await play(place, games, hall=hall, obs_port=obs.port, restart=obs.restart, screens=screens)
    finally:
        await obs.stop()


def holds(told: Told) -> None:
    """What must be true of every day."""
    assert not told.lost
    assert not told.twice
    assert not told.unexpected
    assert not told.left
    assert not told.day.injected["never given up"]
    assert told.size <= LARGEST_DATA_MB
    assert told.day.judge.taken
    assert told.day.side.taken


@pytest.mark.timeout(900)
async def test_a_game_of_a_tournament_day(tmp_path: Path) -> None:
    began = time.monotonic()
    told = await whole_day(tmp_path, 1, screens=10, real_obs=0)
    print(told.figures(1, time.monotonic() - began))
    holds(told)


@pytest.mark.soak
@pytest.mark.timeout(7200)
async def test_a_tournament_day(tmp_path: Path) -> None:
    began, before = time.monotonic(), Processor.now()
    told = await whole_day(tmp_path, GAMES, screens=20, real_obs=REAL_OBS_LIVES)
    took = time.monotonic() - began
    worked = Processor.now().since(before)
    print(told.figures(GAMES, took))
    holds(told)
    for what in ("device killed", "link cut for 2 s", "mpv killed", "OBS restarted", "stick pulled", "network cut"):
        assert told.day.injected[what] > 0, what
    settled = told.memory[len(told.memory) // 3 :]
    grown = linear_regression(range(len(settled)), settled).slope * len(settled)
    print(
        f"memory: {grown:+.1f} MB in the last two thirds of the day (most {GROWS_MB:g} MB); {worked.own:.0f} s of "
        f"work, while others had {worked.others(took) * 100:.0f} % of the machine"
    )
    assert grown <= GROWS_MB, told.memory
    # Where others have the cores, the time of day says nothing of this one.
    assert (took if worked.others(took) < QUIET else worked.own / (os.cpu_count() or 1)) <= MOST_S
    assert told.descriptors[1] - told.descriptors[0] <= MOST_DESCRIPTORS
