"""The link to the table's microcontroller over a serial port. It finds the device by its answer, not by its name,
comes back by itself, and never raises into the table."""

import asyncio
import errno
import logging
import os
import termios
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

import serial
from serial.tools import list_ports

from firmware_bridge.core import (
    MILLISECOND,
    DeviceInfo,
    Edge,
    Gap,
    LinkCore,
    LinkStatus,
    Reason,
    Stuck,
)
from hardware.wiring import TEN_SEATS_AND_BOARD, Wiring

__all__ = ["DeviceInfo", "Edge", "Gap", "LinkStatus", "Reason", "SeatLink", "Stuck", "candidate_ports"]

BAUD: Final = 115_200
GREETING_NS: Final = 600 * MILLISECOND
"""How long an opened port may take to say who it is before the next one is tried."""
PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 1.0
HEARTBEAT_S: Final = 0.01
_MOST_UNWRITTEN: Final = 4096

log = logging.getLogger(__name__)


def candidate_ports(explicit: Iterable[str] = ()) -> list[str]:
    """Return the ports worth greeting: the `explicit` paths that exist, then every USB serial port of the machine."""
    named = [path for path in explicit if os.path.exists(path)]  # noqa: PTH110 - a device's name is no file path
    return [*named, *(port.device for port in list_ports.comports() if port.vid is not None)]


class SeatLink:
    """The one link of a table to the device that serves its seats and its board.

    `on_signal` is called with every edge, once, in the device's order; `on_status` whenever something has changed
    that a person should see. Both are called on the event loop and must not block; what they raise is logged.
    `clock` gives nanoseconds in the domain of `time.monotonic_ns()`.
    """

    def __init__(
        self,
        ports: Callable[[], Iterable[str]],
        on_signal: Callable[[Edge], None],
        on_status: Callable[[LinkStatus], None],
        clock: Callable[[], int] = time.monotonic_ns,
        *,
        wiring: Wiring = TEN_SEATS_AND_BOARD,
        committed: tuple[str, int, int] | None = None,
        only_device: str | None = None,
    ) -> None:
        """`ports` names the candidates; it is asked in a thread, again for every attempt.

        `committed` is the (device id, boot id, seq) of the last edge that an earlier run committed, if any: edges
        up to it are not given again. `only_device` is the one device id to accept; without it any will do.
        """
        self._ports = ports
        self._on_signal = on_signal
        self._on_status = on_status
        self._clock = clock
        self._core = LinkCore(wiring, committed, only_device)
        self._published: LinkStatus | None = None
        self._port: serial.Serial | None = None
        self._unwritten = bytearray()
        self._ended: tuple[Reason, str] | None = None
        self._tried: dict[str, int] = {}

    @property
    def status(self) -> LinkStatus:
        """The link's state now, running figures included."""
        return self._core.status

    async def run(self) -> None:
        """Keep the link until cancelled. Never returns and never raises but for the cancellation."""
        pause = PAUSE_S
        try:
            while True:
                self._publish()
                was_up = False
                for path in await self._candidates():
                    self._tried[path] = self._clock()
                    if await self._talk(path):
                        # It comes back sooner or later, perhaps under another name: look again at once.
                        self._tried[path] = 0
                        was_up = True
                        break
                pause = PAUSE_S if was_up else min(pause * 2, LONGEST_PAUSE_S)
                await asyncio.sleep(pause)
        finally:
            self._hang_up()
            self._core.closed(Reason.STOPPED)
            self._publish()

    def acknowledge(self, up_to_seq: int, boot: int) -> None:
        """Say that every edge up to `up_to_seq` of the device's life `boot` is committed. Cheap to repeat."""
        self._core.acknowledge(up_to_seq, boot)
        self._write()

    def lamps(self, states: Mapping[str, str]) -> None:
        """Set every lamp: key -> "off", "on" or "blink". A key that is not named is off. Kept across reconnects.

        Raises ValueError for a key without a lamp or for another state.
        """
        self._core.lamps(states, self._clock())
        self._write()

    def heard_until(self) -> int | None:
        """Return the time, in nanoseconds on the table's clock, up to which every edge has been given to
        `on_signal`; None before the first. It only rises, and stands still while the link is down."""
        return self._core.heard_until()

    def covered(self, since: int, until: int) -> bool:
        """Return whether every edge from `since` to `until` has been given: heard throughout, and no gap in it."""
        return self._core.covered(since, until)

    async def _candidates(self) -> list[str]:
        """Return the ports to try, the one that spoke last first, then those not tried for longest."""
        try:
            paths = await asyncio.to_thread(lambda: list(self._ports()))
        except Exception:
            log.exception("the list of serial ports cannot be had")
            return []
        return sorted(dict.fromkeys(paths), key=lambda path: self._tried.get(path, 0))

    async def _talk(self, path: str) -> bool:
        """Open `path` and serve it until it ends. Return whether a device was there."""
        try:
            port = await self._open(path)
        except (OSError, ValueError, termios.error) as error:
            code = getattr(error, "errno", None)
            self._core.closed(
                Reason.BUSY if code in (errno.EAGAIN, errno.EBUSY) else Reason.PORT_FAILED, f"{path}: {error}"
            )
            self._publish()
            return False
        loop = asyncio.get_running_loop()
        began = self._clock()
        was_up = False
        self._port = port
        self._ended = None
        self._core.opened(path, began)
        self._write()
        loop.add_reader(port.fileno(), self._read)
        try:
            while not self._how_it_ended():
                # A loop that was held up serves its readers before its sleepers: what has arrived is read before
                # silence is judged.
                await asyncio.sleep(HEARTBEAT_S)
                now = self._clock()
                self._give(self._core.advance(now))
                self._write()
                was_up = was_up or self._core.status.up
                if not self._core.status.up and (was_up or self._core.stranger or now - began >= GREETING_NS):
                    break
        finally:
            self._hang_up()
        if ended := self._how_it_ended():
            self._core.closed(*ended)
        elif not was_up and self._core.status.reason not in (Reason.OTHER_PROTOCOL, Reason.FAULTY):
            if self._core.status.device is not None:
                self._core.closed(Reason.SILENT)
            elif self._core.stranger:
                self._core.closed(Reason.OTHER_DEVICE, self._core.stranger)
            else:
                self._core.closed(Reason.SEARCHING)
        self._publish()
        return was_up

    async def _open(self, path: str) -> serial.Serial:
        """Open a port in a thread: some drivers take their time, and the table has none to give."""
        opening = asyncio.get_running_loop().run_in_executor(None, _open_port, path)
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(_close_late)
            raise

    def _hang_up(self) -> None:
        port, self._port = self._port, None
        self._unwritten.clear()
        if port is not None:
            asyncio.get_running_loop().remove_reader(port.fileno())
            with suppress(OSError, termios.error):
                port.close()

    def _how_it_ended(self) -> tuple[Reason, str] | None:
        return self._ended

    def _read(self) -> None:
        while self._port is not None and self._ended is None:
            now = self._clock()
            try:
                data = os.read(self._port.fileno(), 4096)
            except BlockingIOError:
                return
            except OSError as error:
                self._end(Reason.UNPLUGGED, str(error))
                return
            if not data:
                self._end(Reason.UNPLUGGED, "end of file")
                return
            self._give(self._core.receive(data, now))
            self._write()

    def _write(self) -> None:
        if self._port is None or self._ended is not None:
            return
        self._unwritten += self._core.take()
        if not self._unwritten:
            return
        try:
            written = os.write(self._port.fileno(), self._unwritten)
        except BlockingIOError:
            written = 0
        except OSError as error:
            self._end(Reason.UNPLUGGED, str(error))
            return
        del self._unwritten[:written]
        if len(self._unwritten) > _MOST_UNWRITTEN:
            # Nobody reads at the other end. Everything that matters is repeated; stale pings would only mislead.
            self._unwritten.clear()

    def _end(self, reason: Reason, detail: str) -> None:
        self._ended = (reason, detail)
        if self._port is not None:
            # A port that is gone stays readable for ever: without this the loop would spin.
            asyncio.get_running_loop().remove_reader(self._port.fileno())

    def _give(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            try:
                self._on_signal(edge)
            except Exception:
                log.exception("the table did not take %s", edge)
        self._publish()

    def _publish(self) -> None:
        status = self._core.status
        if self._published is not None and status.same_news(self._published):
            return
        self._published = status
        try:
            self._on_status(status)
        except Exception:
            log.exception("the table did not take the link's status")


def _open_port(path: str) -> serial.Serial:
    port = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
    # pyserial asks for reads that return nothing when nothing is there, which looks the same as a port that is gone.
    fd = port.fileno()
    attributes = termios.tcgetattr(fd)
    attributes[6][termios.VMIN] = 1
    termios.tcsetattr(fd, termios.TCSANOW, attributes)
    return port


def _close_late(opening: "asyncio.Future[serial.Serial]") -> None:
    with suppress(OSError, ValueError, termios.error):
        opening.result().close()
