"""How long a tournament's standings and a replayed game take: `python -m tests.record.bench [GAMES]`.

The records are of games that nobody planned: three hundred of fiim make a tournament, and some of every other rule set
are replayed beside them. Two figures:

    standings   `mafia-table standings` over all three hundred, as a process of its own from start to end
    a game      one record read and played, from its text, with nothing remembered of the others

What is judged is processor time, the least of a few runs: another program on the machine shall not decide. The time by
the clock is printed beside it, and is the same on a quiet machine.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage

from controller.game import RULESETS
from controller.record import Headers, Sitter, read, write
from controller.record.statements import read_statement
from tests.game.any_ruleset import AnyJudge, any_scoring, played_out

GAMES = 300
OTHERS = 50
"""Games of each other rule set."""
PLAYERS = tuple(f"Игрок {number}" for number in range(1, 61))
RUNS = 3
MOST_STANDINGS_S = 2.0
MOST_GAME_MS = 5.0


def record(ruleset: str, seed: int) -> str:
    """The record of one game; every sixth player of the tournament sits in it."""
    judge = AnyJudge(seed, ruleset)
    game = played_out(judge)
    names = Random(seed).sample(PLAYERS, judge.seats)
    seats = tuple(Sitter(n, name, judge.deals[n - 1]) for n, name in enumerate(names, 1))
    head = Headers(ruleset=ruleset, scoring=ruleset, event="Кубок", stage="Отбор", game=str(seed + 1), seats=seats)
    return write(head, game)


def records(ruleset: str, count: int) -> list[str]:
    """So many records, all counted by the rule set's own points, as in one tournament."""
    seeds = (seed for seed in count_up() if any_scoring(seed, ruleset) == ruleset)
    return [record(ruleset, seed) for seed in islice(seeds, count)]


def standings_s(files: Sequence[Path]) -> tuple[float, float]:
    """Seconds that the standings of `files` take: of the processor, and by the clock."""
    command = [Path(sys.executable).parent / "mafia-table", "standings", *files]
    used, began = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    clock, now = time.perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, clock


def game_ms(text: str, clock: Callable[[], float]) -> float:
    """Milliseconds that the record `text` takes to be replayed."""
    read_statement.cache_clear()
    began = clock()
    read(text)
    return (clock() - began) * 1000


def main(games: int) -> bool:
    """Prints both figures; whether the promise is kept."""
    texts = {name: records(name, games if name == "fiim" else OTHERS) for name in RULESETS}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.mafia" for number in range(1, games + 1)]
        for file, text in zip(files, texts["fiim"], strict=True):
            file.write_text(text, "utf-8")
        runs = [standings_s(files) for _ in range(RUNS)]
    used, clock = min(run[0] for run in runs), min(run[1] for run in runs)
    print(
        f"standings of {games} games: {used:.2f} s of the processor, {clock:.2f} s by the clock (< {MOST_STANDINGS_S})"
    )
    kept = used < MOST_STANDINGS_S
    for name, of_one in texts.items():
        least = sorted(min(game_ms(text, time.process_time) for _ in range(RUNS)) for text in of_one)
        mean, slow = sum(least) / len(least), least[len(least) * 95 // 100]
        by_clock = min(game_ms(of_one[0], time.perf_counter) for _ in range(RUNS))
        print(
            f"a replayed game of {name}: {mean:.2f} ms, one in twenty more than {slow:.2f}, "
            f"the longest {least[-1]:.2f} (< {MOST_GAME_MS}); the first by the clock {by_clock:.2f}"
        )
        kept = kept and mean < MOST_GAME_MS
    return kept


if __name__ == "__main__":
    raise SystemExit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES) else 1)
