"""Time as the table knows it: nanoseconds of a monotonic clock, with the boot they belong to. Wall time is a note."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TypeAlias

MICROSECOND: Final = 1_000
MILLISECOND: Final = 1_000_000
SECOND: Final = 1_000_000_000

Cancel: TypeAlias = Callable[[], None]

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """What the table needs of time; tests travel in one of their own."""

    @property
    def boot(self) -> str:
        """Which run of the machine the nanoseconds belong to: those of two boots cannot be compared."""
        ...

    def now(self) -> int:
        """Return nanoseconds that only rise, whatever is done to the wall clock."""
        ...

    def wall(self) -> str:
        """Return the date and time as a note for people, ISO 8601 in UTC."""
        ...

    def wake_at(self, at: int, call: Callable[[], None]) -> Cancel:
        """Call `call` on the event loop once `now()` has reached `at`; the answer cancels it."""
        ...


class SystemClock:
    """The machine's own clock. Needs a running event loop for `wake_at`."""

    def __init__(self) -> None:
        self._boot = _BOOT_ID.read_text(encoding="ascii").strip()

    @property
    def boot(self) -> str:
        """The kernel's boot id."""
        return self._boot

    def now(self) -> int:
        """Return `time.monotonic_ns()`."""
        return time.monotonic_ns()

    def wall(self) -> str:
        """Return the present date and time in UTC."""
        return datetime.now(UTC).isoformat(timespec="milliseconds")

    def wake_at(self, at: int, call: Callable[[], None]) -> Cancel:
        """Call `call` at `at`, never before it."""
        return _Alarm(self, at, call).cancel


class _Alarm:
    """A call that is due at a moment. It lets go of what it calls once that is done: one is set for every decision."""

    def __init__(self, clock: SystemClock, at: int, call: Callable[[], None]) -> None:
        self._clock = clock
        self._at = at
        self._call = call
        self._handle: asyncio.TimerHandle | None = None
        self._wait()

    def cancel(self) -> None:
        """Nothing is called any more."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.cancel()

    def _wait(self) -> None:
        left = max(0, self._at - self._clock.now())
        self._handle = asyncio.get_running_loop().call_later(left / SECOND, self._look)

    def _look(self) -> None:
        self._handle = None
        if self._clock.now() < self._at:  # the loop's own timer may be a little early
            self._wait()
        else:
            self._call()
