"""The device's clock seen from the host: ticks to nanoseconds of `time.monotonic_ns()`.

A round trip proves that the device's tick fell between the host's sending and its hearing. Over a minute of round
trips the line from ticks to host time must pass above every sending and below every hearing. Of all straight
corridors that do, the widest is taken: its slope is the drift, its middle the offset. A late frame lies far from
the corridor and has no say, so jitter needs no averaging. The delays' least values are taken to be equal both ways.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

READY_AFTER_NS: Final = 10_000_000_000
ENOUGH_ROUND_TRIPS: Final = 100
_WINDOW_NS: Final = 60_000_000_000
_BIN_NS: Final = 500_000_000
_EAGER_BINS: Final = 24
"""Up to here every better point counts at once; later one fit a bin is as good and spares the processor."""
_MOST_DRIFT: Final = 500e-6
"""More than any crystal or ceramic resonator drifts; beyond it a measurement is a fault."""
_TOLERANCE_NS: Final = 2_000_000
_MOST_OUTLIERS: Final = 8

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placement:
    """A moment on the table's clock: `ns` in the domain of `time.monotonic_ns()`, right to within `error_ns`."""

    ns: int
    error_ns: int


@dataclass(slots=True)
class _Bin:
    """The two round-trip ends of half a second that lie closest to the truth: the latest sending, the earliest
    hearing."""

    low: Point
    high: Point


@dataclass(frozen=True, slots=True)
class _Corridor:
    """`offset` and `slope` are the middle's, at `centre`. `error` bounds what any straight line between the points
    can differ from the middle within `reach` of the centre; `turn` is how fast that grows farther out."""

    centre: float
    offset: float
    slope: float
    width: float
    error: float
    reach: float
    turn: float

    def at(self, x: float) -> tuple[float, float]:
        """Return the middle of the corridor at `x` and how far off it can be."""
        away = x - self.centre
        return self.offset + self.slope * away, self.error + self.turn * max(0.0, abs(away) - self.reach)


@dataclass(slots=True)
class ClockFit:
    """The fit for one life of one device. A new boot id needs a new one.

    `tick_bits` gives the counter's modulus, `ticks_per_second` its nominal rate.
    """

    tick_bits: int
    ticks_per_second: int
    round_trips: int = 0
    outliers: int = 0
    _since: int | None = None
    _origin: tuple[int, int] = (0, 0)
    _latest: int | None = None
    _outliers_in_a_row: int = 0
    _bins: deque[_Bin] = field(default_factory=deque[_Bin])
    _bin_number: int = -1
    _fresh: bool = False
    _corridor: _Corridor | None = None

    def unroll(self, tick: int) -> int:
        """Return `tick` counted on from the first tick ever seen, without wrapping.

        Right for ticks less than half a turn from the latest round trip's.
        """
        if self._latest is None:
            return tick
        modulus = 1 << self.tick_bits
        ahead = (tick - self._latest) % modulus
        return self._latest + (ahead - modulus if ahead >= modulus >> 1 else ahead)

    def round_trip(self, sent_ns: int, tick: int, heard_ns: int) -> bool:
        """Take a round trip: the device's counter showed `tick` at some time between `sent_ns` and `heard_ns`.

        Return False if it contradicts the fit and was dropped. After several such in a row the fit starts anew.
        """
        unrolled = self.unroll(tick)
        if self._latest is None:
            self._start(sent_ns, unrolled)
        x = self._x(unrolled)
        # The counter went on to `tick + 1` at any time after it showed `tick`.
        sent, heard = sent_ns - self._origin[1] - x - self._tick_ns(), heard_ns - self._origin[1] - x
        if self._contradicts(x, sent, heard):
            self.outliers += 1
            self._outliers_in_a_row += 1
            if self._outliers_in_a_row < _MOST_OUTLIERS:
                return False
            self._start(sent_ns, unrolled)
            x = 0.0
            sent, heard = -self._tick_ns(), float(heard_ns - sent_ns)
        self._outliers_in_a_row = 0
        self._latest = max(unrolled, self._latest or unrolled)
        self.round_trips += 1
        self._put(x, sent, heard)
        return True

    def place(self, tick: int) -> Placement | None:
        """Return when the counter showed `tick`, or None before the first round trip."""
        corridor = self._fit()
        if corridor is None:
            return None
        x = self._x(self.unroll(tick))
        offset, error = corridor.at(x)
        return Placement(self._origin[1] + round(x + offset), round(error))

    def ready(self, now: int) -> bool:
        """Return whether placements are good enough to judge by: 10 s after the fit's start."""
        return (
            self._since is not None and now - self._since >= READY_AFTER_NS and self.round_trips >= ENOUGH_ROUND_TRIPS
        )

    def _start(self, sent_ns: int, unrolled: int) -> None:
        self._since = sent_ns
        self._origin = (unrolled, sent_ns)
        self._latest = unrolled
        self.round_trips = 0
        self._bins.clear()
        self._bin_number = -1
        self._corridor = None
        self._fresh = False

    def _x(self, unrolled: int) -> float:
        """Return nanoseconds since the origin by the device's own, drifting reckoning."""
        return (unrolled - self._origin[0]) * 1e9 / self.ticks_per_second

    def _tick_ns(self) -> float:
        return 1e9 / self.ticks_per_second

    def _contradicts(self, x: float, sent: float, heard: float) -> bool:
        if heard < sent:
            return True
        corridor = self._fit()
        if corridor is None:
            return False
        offset, error = corridor.at(x)
        slack = error + _TOLERANCE_NS
        return sent > offset + slack or heard < offset - slack

    def _put(self, x: float, sent: float, heard: float) -> None:
        number = int(x // _BIN_NS)
        if number > self._bin_number:
            self._bin_number = number
            self._bins.append(_Bin((x, sent), (x, heard)))
            while self._bins[0].low[0] < x - _WINDOW_NS:
                self._bins.popleft()
            self._fresh = False
            return
        newest = self._bins[-1]
        # Half a second of drift is far below what a bin decides, but the slope is known, so it is taken out.
        slope = self._corridor.slope if self._corridor else 0.0
        if sent - slope * x > newest.low[1] - slope * newest.low[0]:
            newest.low = (x, sent)
            self._fresh = self._fresh and len(self._bins) > _EAGER_BINS
        if heard - slope * x < newest.high[1] - slope * newest.high[0]:
            newest.high = (x, heard)
            self._fresh = self._fresh and len(self._bins) > _EAGER_BINS

    def _fit(self) -> _Corridor | None:
        if self._fresh or not self._bins:
            return self._corridor
        corridor = _widest_corridor([b.low for b in self._bins], [b.high for b in self._bins])
        while corridor.width < 0 and len(self._bins) > 1:
            # No straight line fits any more: the rate has changed, so the older half tells of another clock.
            for _ in range((len(self._bins) + 1) // 2):
                self._bins.popleft()
            corridor = _widest_corridor([b.low for b in self._bins], [b.high for b in self._bins])
        self._corridor = corridor
        self._fresh = True
        return corridor


def _widest_corridor(lows: list[Point], highs: list[Point]) -> _Corridor:
    """Return the straight corridor above all `lows` and below all `highs` whose vertical width is greatest."""
    centre = (lows[0][0] + lows[-1][0]) / 2
    below = _hull([(x - centre, y) for x, y in lows], 1)
    above = _hull([(x - centre, y) for x, y in highs], -1)

    def floor(slope: float) -> float:
        return max(y - slope * x for x, y in below)

    def ceiling(slope: float) -> float:
        return min(y - slope * x for x, y in above)

    def width(slope: float) -> float:
        return ceiling(slope) - floor(slope)

    slope = _peak(width, -_MOST_DRIFT, _MOST_DRIFT)
    bottom, top = floor(slope), ceiling(slope)
    middle = (bottom + top) / 2
    least, most = _edge(width, slope, -_MOST_DRIFT), _edge(width, slope, _MOST_DRIFT)
    reach = (lows[-1][0] - lows[0][0]) / 2

    def highest(x: float) -> float:
        steepest = _peak(lambda b: ceiling(b) + b * x, least, most)
        return ceiling(steepest) + steepest * x

    def lowest(x: float) -> float:
        steepest = _peak(lambda b: -floor(b) - b * x, least, most)
        return floor(steepest) + steepest * x

    # The room that the lines have is least in the middle and widens to both ends: the ends bound it.
    error = max(max(highest(x) - middle - slope * x, middle + slope * x - lowest(x)) for x in (-reach, reach))
    turn = max(most - slope, slope - least)
    return _Corridor(centre, middle, slope, top - bottom, error, reach, turn)


def _hull(points: list[Point], side: int) -> list[Point]:
    """Return the upper (`side` 1) or lower (-1) hull of points that are sorted by x."""
    hull: list[Point] = []
    for x, y in points:
        while len(hull) > 1:
            (ax, ay), (bx, by) = hull[-2], hull[-1]
            if side * ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) < 0:
                break
            hull.pop()
        hull.append((x, y))
    return hull


def _peak(concave: Callable[[float], float], low: float, high: float) -> float:
    """Return where the concave function is greatest."""
    for _ in range(30):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if concave(left) < concave(right):
            low = left
        else:
            high = right
    return (low + high) / 2


def _edge(concave: Callable[[float], float], inside: float, outside: float) -> float:
    """Return the slope between `inside` and `outside` at which the corridor closes."""
    if concave(outside) >= 0:
        return outside
    for _ in range(20):
        middle = (inside + outside) / 2
        if concave(middle) >= 0:
            inside = middle
        else:
            outside = middle
    return inside
