"""How long it takes from a hand on the table to the view on the wire: `python -m tests.service.bench [SCREENS]`.

Hands move on the simulated table's own process; a touch is dated by the sensor, and its view by this process' clock,
which is the service's: the figure is the whole way over the serial link, the table, the views and the socket.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

from controller.service.access import Scope
from controller.service.running import running
from controller.service.settings import Settings, Web
from tests.service.conftest import GAME
from tests.service.judge import Judge, token
from tests.service.page import Page

HANDS = 200


async def measure(screens: int) -> list[float]:
    """Milliseconds from the touch to the air's view, hand by hand, with so many screens beside it."""
    found: list[float] = []
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = await stack.enter_async_context(
            running(Settings(data=folder, web=Web(port=0), game=GAME), simulated=True)
        )
        simulation = service.simulation
        assert simulation is not None
        scopes = [Scope.HALL, Scope.AIR, Scope.JUDGE]
        for number in range(screens):
            scope = scopes[number % 3]
            own = None if scope is Scope.HALL else token(service, scope)
            await stack.enter_async_context(Page(service.address, own))
        tablet = await stack.enter_async_context(Page(service.address, token(service, Scope.JUDGE)))
        judge = Judge(tablet)
        await tablet.sees(lambda view: view["links"][0]["sentence"].endswith("на связи"), 60)
        await judge.deals()
        await judge.goes_on_to("morning")
        await judge.discussion({1: 6, 2: 3})
        for number in range(HANDS):
            seat = number % 10 + 1
            simulation.press(f"seat {seat}", down=True)
            began = time.monotonic()
            await tablet.sees(lambda view, seat=seat: view["seats"][seat - 1]["contact"] == "down")
            found.append((time.monotonic() - began) * 1000)
            simulation.press(f"seat {seat}", down=False)
            await tablet.sees(lambda view, seat=seat: view["seats"][seat - 1]["contact"] == "up")
    return found


def main() -> None:
    """Prints the figures."""
    screens = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found = sorted(asyncio.run(measure(screens)))
    p99 = found[int(len(found) * 0.99) - 1]
    print(f"{screens} screens, {len(found)} hands: median {statistics.median(found):.1f} ms, p99 {p99:.1f} ms")


if __name__ == "__main__":
    main()
