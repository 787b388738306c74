"""Where an edge is placed on the table's clock: `python -m tests.firmware_bridge.placement [SECONDS]`.

The real device side and the real host side over two wires in fake time: 20 ms of independent jitter each way, one
byte in a hundred lost, 50 ppm of drift, for an hour of the device's time. A hand moves about twice a second from ten
seconds on. Ends with 1 if the figure of DESIGN, p99 within a millisecond, is not kept.
"""

import random
import sys
import time
from dataclasses import dataclass

from tests.firmware_bridge.bench import MS, Bench

HOUR_S = 3600
JITTER_MS = 20
LOST = 0.01
DRIFT_PPM = 50
STEP = 2 * MS
WANTED_MS = 1.0


@dataclass(frozen=True)
class Figures:
    """What was measured, in milliseconds."""

    edges: int
    told: int
    p50: float
    p99: float
    worst: float
    unkept: int


def measure(seconds: float, seed: int = 1) -> Figures:
    """Play `seconds` and return the figures."""
    chance = random.Random(seed)

    def lossy(data: bytes) -> list[bytes]:
        return [bytes(byte for byte in data if chance.random() >= LOST)]

    bench = Bench(seed=seed, delay=lambda: chance.uniform(0, JITTER_MS) * MS, fate=lossy, drift_ppm=DRIFT_PPM)
    bench.advance(10.5, STEP)
    end = bench.now + seconds * 1000 * MS
    truth: list[int] = []
    while bench.now < end:
        bench.put(f"seat {len(truth) % 10 + 1}", len(truth) // 10 % 2 == 0)
        truth.append(bench.now)
        bench.advance(chance.uniform(0.3, 0.7), STEP)
    bench.advance(5, STEP)
    errors = [abs(edge.signal.at - at) for edge, at in zip(bench.edges, truth, strict=False)]
    # A tick is a microsecond: an edge can lie anywhere in it.
    unkept = sum(error > edge.error_ns + 1000 for error, edge in zip(errors, bench.edges, strict=False))
    errors.sort()
    return Figures(
        edges=len(truth),
        told=len(bench.edges),
        p50=errors[len(errors) // 2] / MS,
        p99=errors[int(len(errors) * 0.99)] / MS,
        worst=errors[-1] / MS,
        unkept=unkept,
    )


def main() -> int:
    """Print the figures. Return 0 if they are good enough."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else HOUR_S
    began = time.monotonic()
    figures = measure(seconds)
    print(
        f"placement of {figures.told} edges of {figures.edges} over {seconds:.0f} s at {JITTER_MS} ms of jitter,"
        f" {LOST:.0%} of bytes lost, {DRIFT_PPM} ppm: p50 {figures.p50:.3f} ms, p99 {figures.p99:.3f} ms,"
        f" worst {figures.worst:.3f} ms, {figures.unkept} outside their own bound"
        f" ({time.monotonic() - began:.0f} s)"
    )
    good = figures.p99 <= WANTED_MS and figures.told == figures.edges and figures.unkept == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
