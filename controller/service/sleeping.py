"""The computer was asleep: its lid was shut, or its power saved. The table's clock stands still in that time, so that
nothing has expired; but nobody has seen the hall. What ran waits for the judge, who is told."""

import asyncio
import time
from typing import Final

from controller.table.clock import SECOND
from controller.table.table import Table
from controller.views.facts import Note

LOOKS_EVERY_S: Final = 0.5
SLEPT_NS: Final = 1 * SECOND
"""What is less is the two clocks' being read one after the other on a busy machine."""
TOLD_FOR_NS: Final = 600 * SECOND


def asleep_ns() -> int:
    """Nanoseconds of this boot in which the machine slept: what its clock that counts sleep is ahead of the other."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()


class Sleep:
    """Notices that the computer has slept."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._before = asleep_ns()
        self._told: tuple[int, int] | None = None
        """How many seconds it slept, and when it awoke."""

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            asleep = asleep_ns()
            slept, self._before = asleep - self._before, asleep
            if slept >= SLEPT_NS:
                self._told = (round(slept / SECOND), time.monotonic_ns())
                await self._table.awake()

    def notes(self) -> tuple[Note, ...]:
        """What the judge should know of it, for ten minutes."""
        if self._told is None or time.monotonic_ns() - self._told[1] > TOLD_FOR_NS:
            return ()
        return (Note("readiness.slept", {"seconds": self._told[0]}),)
