"""A table in a process of its own that plays without end and prints what was acknowledged, until it is killed."""

import asyncio
import itertools
import random
import sys
from pathlib import Path

from controller.game import commands as cmd
from controller.game.legal import legal
from controller.game.phases import Over
from controller.table import Accepted, SystemClock, Table, Wish
from controller.table.wishes import NewGame, Redo, Undo
from firmware_bridge.core import Edge
from hardware.signal import Signal
from tests.table.bench import ROLES, Role


async def play(folder: Path, seed: int) -> None:
    """Play. A line `did ID REVISION DECISIONS` for every wish that was taken, `edge SEQ` for every edge on disk."""
    chance = random.Random(seed)
    clock = SystemClock()
    table = await Table.open(
        folder,
        clock,
        heard_until=lambda _: clock.now(),
        acknowledge=lambda _source, _boot, seq: print(f"edge {seq}", flush=True),
    )
    edges = itertools.count(1)
    for number in itertools.count():
        state = table.snapshot.state
        may = legal(state)
        command: object
        if isinstance(state.phase, Over):
            command = NewGame()
        elif any(seat.role is None for seat in state.seats):
            seat = next(seat.number for seat in state.seats if seat.role is None)
            command = cmd.Deal(seat, ROLES.get(seat, Role.CIVILIAN))
        elif chance.random() < 0.1:
            command = chance.choice([Undo(), Redo()])
        elif may.shoot and not may.next:
            command = cmd.Shoot(missed=True)
        elif may.open_window:
            command = cmd.OpenWindow()
        elif may.close_window:
            command = cmd.VoidWindow()
        elif may.nominate and chance.random() < 0.3 and state.minute_of is not None:
            command = cmd.Nominate(state.minute_of, chance.choice(may.nominate))
        else:
            command = cmd.Next()
        key = f"seat {chance.randint(1, 10)}"
        table.edge(Edge(Signal("child", key, chance.random() < 0.5, clock.now()), next(edges), seed, 0))
        answer = await table.submit(Wish(id=f"wish {seed} {number}", command=command))  # pyright: ignore[reportArgumentType]
        if isinstance(answer, Accepted):
            print(f"did {answer.revision} wish {seed} {number}", flush=True)


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1]), int(sys.argv[2])))
