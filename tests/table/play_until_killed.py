"""A table in a process of its own that plays random games without end and prints what was acknowledged, until it is
killed: `python -m tests.table.play_until_killed FOLDER SEED RULESET`."""

import asyncio
import itertools
import json
import random
import sys
from dataclasses import replace
from pathlib import Path

from controller.game import commands as cmd
from controller.game.legal import legal
from controller.game.phases import Dealing, Over
from controller.game.rulesets import RULESETS
from controller.table import Accepted, Header, Snapshot, SystemClock, Table, TableCommand, Wish
from controller.table.wishes import CloseWindow, CountWindow, NewGame, Redo, SetStopped, SetTimer, Undo
from firmware_bridge.core import Edge
from hardware.signal import Signal
from tests.game.any_ruleset import AnyJudge


def told(snapshot: Snapshot) -> dict[str, object]:
    """What a person would notice of a table, small enough to be printed with every acknowledgement."""
    state, timer = snapshot.state, snapshot.timer
    return {
        "game": snapshot.game,
        "phase": repr(state.phase),
        "roles": [seat.role and seat.role.value for seat in state.seats],
        "fouls": [len(seat.fouls) for seat in state.seats],
        "living": list(state.living),
        "decisions": snapshot.history.length,
        "timer": None if timer is None else [timer.id, timer.running, timer.left, timer.deadline],
        "window": None if snapshot.window is None else snapshot.window.candidate,
    }


async def play(folder: Path, seed: int, ruleset: str) -> None:
    """Play. A line `did REVISION STATE ID` for every wish that was taken, `edge SEQ` for every edge on disk."""
    chance = random.Random(seed)
    clock = SystemClock()
    judge = AnyJudge(seed, ruleset)
    own = RULESETS[ruleset]
    table = await Table.open(
        folder,
        clock,
        heard_until=lambda _: clock.now(),
        acknowledge=lambda _source, _boot, seq: print(f"edge {seq}", flush=True),
        header=Header(ruleset=ruleset),
        names=tuple(f"Игрок {seat}" for seat in range(1, min(max(judge.seats, own.fewest), own.most) + 1)),
    )
    judge.temper = replace(judge.temper, sensors=1.0)
    judge.seats = len(table.snapshot.state.seats)
    judge.rules = own
    judge.deals = judge._any_deal()
    edges = itertools.count(1)
    print("open", flush=True)
    for number in itertools.count():
        key = f"seat {chance.randint(1, 10)}"
        table.edge(Edge(Signal("child", key, chance.random() < 0.5, clock.now()), next(edges), seed, 0))
        if table.snapshot.window is not None and chance.random() < 0.9:
            await asyncio.sleep(0.005)  # a window lasts, and hands are what is in it
            continue
        name = f"wish {seed} {number}"
        answer = await table.submit(Wish(id=name, command=wanted(table, judge, chance)))
        if not isinstance(answer, Accepted):
            # The random judge does not know sensors: it gets on by the step that is always there.
            state = table.snapshot.state
            command = NewGame() if isinstance(state.phase, Over) else cmd.Next()
            name += " instead"
            answer = await table.submit(Wish(id=name, command=command))
        if isinstance(answer, Accepted) and table._journal.ids.get(name) == table.snapshot.revision:
            print(f"did {answer.revision} {json.dumps(told(table.snapshot))} {name}", flush=True)


def wanted(table: Table, judge: AnyJudge, chance: random.Random) -> cmd.Command | TableCommand:
    """What the judge wants next."""
    snapshot = table.snapshot
    if snapshot.stopped:
        return SetStopped(stopped=False)
    if chance.random() < 0.15:
        running = snapshot.timer is None or not snapshot.timer.running
        return chance.choice([Undo(), Undo(), Redo(), SetTimer(running=running), SetStopped(stopped=True)])
    if snapshot.window is not None:
        return chance.choice([CloseWindow(), CountWindow(), CountWindow(), cmd.VoidWindow()])
    state = snapshot.state
    if isinstance(state.phase, Dealing) and all(seat.role is not None for seat in state.seats):
        if legal(state).next:
            return cmd.Next()
        # Half of the cards were dealt in a life before, by another judge.
        seat = chance.randint(1, len(state.seats))
        return cmd.Deal(seat, judge.deals[seat - 1])
    decided = judge.decides(state, legal(state))
    return NewGame() if decided is None else decided


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
