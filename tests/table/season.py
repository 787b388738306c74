"""A journal as long as a season's: one game with a vote, played at the bench and written again and again."""

import itertools
import shutil
from dataclasses import replace
from pathlib import Path

from controller.game import commands as cmd
from controller.table.events import EdgesKept, GameBegan
from controller.table.journal_file import JournalFile, read_only
from tests.table.bench import TableBench


async def season(folder: Path, rows: int) -> int:
    """A journal in `folder` of at least so many decisions, of whole games. Return how many there are."""
    bench = await TableBench.open(folder.with_name("one game"))
    await bench.second_day(5, 6)
    await bench.opens()
    for seat in (1, 2, 3):
        bench.hand(seat, down=True, at=0.1 * seat)
        await bench.settle()
    await bench.advance(2.1)
    await bench.does(cmd.Defeat(1))
    await bench.table.close()
    one = JournalFile(bench.folder)
    edges = one.edges("boot-1", 0)
    one.close()
    game = read_only(bench.folder)
    shutil.rmtree(bench.folder)

    file = JournalFile(folder)
    file._db.execute("PRAGMA synchronous = OFF")
    seq = 0
    for number in itertools.count(1):
        for row in game:
            seq += 1
            events = (
                replace(event, game=f"game {number}") if isinstance(event, GameBegan) else event
                for event in row.table
                if not isinstance(event, EdgesKept)
            )
            later = replace(row, seq=seq, game=f"game {number}", id=f"{row.id} {number}", table=tuple(events))
            moved = edges[row.seq % len(edges)] if row.seq > len(game) - len(edges) else None
            file.write(later, () if moved is None else (replace(moved, device_boot=number),))
        if seq >= rows:
            break
    file.close()
    return seq
