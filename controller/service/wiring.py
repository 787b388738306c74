"""The table's cables: edges from the seats to the table, acknowledgements back once they are on disk, lamps to the
seats. It restarts nothing that would lose state: a link that is down looks for its device until it is back."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from controller.table.state import Cause, Snapshot
from controller.table.table import Table
from firmware_bridge.link import Edge, LinkStatus, SeatLink
from hardware.signal import seat_of
from hardware.wiring import TEN_SEATS_AND_BOARD, Wiring

LINK_NAME: Final = "table"

log = logging.getLogger(__name__)


class Cable:
    """The link to the one device that serves the seats and the board."""

    def __init__(
        self,
        ports: Callable[[], Iterable[str]],
        *,
        only_device: str | None = None,
        wiring: Wiring = TEN_SEATS_AND_BOARD,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._keys = tuple(key for key in wiring if key is not None)
        self._wiring = frozenset(self._keys)
        self._seats = frozenset(seat for key in self._wiring if (seat := seat_of(key)) is not None)
        self._table: Table | None = None
        self._lamps: Mapping[str, str] = {}
        self._link = SeatLink(ports, self._edge, self._status, clock, wiring=wiring, only_device=only_device)

    def attach(self, table: Table) -> None:
        """From now on everything goes to `table`, and its lamps come here."""
        self._table = table
        table.link_status(LINK_NAME, self._link.status, self._seats, self._keys)
        table.subscribe(self._light)

    async def run(self) -> None:
        """Keeps the link until cancelled."""
        await self._link.run()

    def heard_until(self, seat: int) -> int | None:
        """Up to when every edge of `seat` has been given; None where no cable serves it."""
        return self._link.heard_until() if seat in self._seats else None

    def acknowledge(self, source: str, boot: int, seq: int) -> None:
        """The edges of `source` up to `seq` are on disk."""
        device = self._link.status.device
        if device is not None and device.id == source:
            self._link.acknowledge(seq, boot)

    @property
    def status(self) -> LinkStatus:
        """The link's state."""
        return self._link.status

    def _edge(self, edge: Edge) -> None:
        if self._table is not None:
            self._table.edge(edge)

    def _status(self, status: LinkStatus) -> None:
        if self._table is not None:
            self._table.link_status(LINK_NAME, status, self._seats, self._keys)

    def _light(self, snapshot: Snapshot, _: Cause) -> None:
        lamps = {key: state for key, state in snapshot.lamps.items() if key in self._wiring}
        if lamps != self._lamps:
            self._lamps = lamps
            self._link.lamps(lamps)
