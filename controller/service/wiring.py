"""The table's cables: edges from every device to the table, acknowledgements back once they are on disk, lamps to the
seats and keys. It restarts nothing that would lose state: a link that is down looks for its device until it is back,
and what one device does is nothing to another."""

import re
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.service.settings import DEFAULT_WIRING, Settings
from controller.table.sensors import Edge
from controller.table.state import Cause, Snapshot
from controller.table.table import Table
from controller.views.facts import Note
from firmware_bridge.flashing import build
from firmware_bridge.link import LinkStatus, SeatLink, candidate_ports
from hardware.gpio import GpioSeats, GpioStatus
from hardware.gpio_pins import PinFactory, pins_of_this_machine
from hardware.wiring import WiringError, WiringMap, find_wiring

_OUR_BUILD: Final = re.compile("[0-9a-f]{8}/[0-9a-f]{8}")
"""How our firmware names its build; a device of another make may name its own as it likes."""

Status: TypeAlias = LinkStatus | GpioStatus


@dataclass(frozen=True, slots=True)
class Plan:
    """One device as it is to be: its wiring, the ports to try first, the one id to accept."""

    wiring: WiringMap
    ports: tuple[str, ...] = ()
    device: str | None = None


def plans_of(settings: Settings) -> tuple[tuple[Plan, ...], tuple[WiringError, ...]]:
    """The devices that the settings name, and why those that cannot be are left out. A file's path begins at the
    settings' own folder."""
    folder = settings.folder
    first = settings.devices
    asked: list[Plan] = []
    refused: list[WiringError] = []
    for each in (first, *first.also):
        try:
            asked.append(Plan(find_wiring(each.wiring, folder), each.ports, each.device))
        except WiringError as error:
            refused.append(error)
    several = sum(plan.wiring.board == "pico" for plan in asked) > 1
    plans: list[Plan] = []
    for plan in asked:
        try:
            _fits(plan, plans, several=several)
            plans.append(plan)
        except WiringError as error:
            refused.append(error)
    return tuple(plans), tuple(refused)


def _fits(plan: Plan, others: Iterable[Plan], *, several: bool) -> None:
    """Raises WiringError if `plan` cannot stand beside `others`; `several`: there is more than one microcontroller."""
    name = plan.wiring.name
    if several and plan.wiring.board == "pico" and plan.device is None:
        raise WiringError("device_unnamed", name=name)
    for other in others:
        if both := [key for key in plan.wiring.keys if key in other.wiring.keys]:
            raise WiringError("key_in_two", name=name, other=other.wiring.name, key=both[0])
        if plan.wiring.board == other.wiring.board == "gpio":
            raise WiringError("one_machine", name=name, other=other.wiring.name)
        if plan.wiring.board == "pico" and plan.device is not None and plan.device == other.device:
            raise WiringError("device_twice", name=name, other=other.wiring.name, device=plan.device)


class Cable:
    """The link to one device: over a serial port, or to this machine's own pins."""

    def __init__(
        self,
        plan: Plan,
        ports: Callable[[], Iterable[str]],
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        pins: Callable[[], PinFactory] = pins_of_this_machine,
    ) -> None:
        """`ports` is asked in a thread."""
        self.plan = plan
        self.seats = frozenset(plan.wiring.seats)
        self._keys = plan.wiring.keys
        self._table: Table | None = None
        self._lamps: Mapping[str, str] = {}
        self._build = build(plan.wiring) if plan.wiring.board == "pico" else ""
        self._link: SeatLink | GpioSeats
        if plan.wiring.board == "gpio":
            self._link = GpioSeats(plan.wiring, self._edge, self._status, clock, pins=pins)
        else:
            self._link = SeatLink(
                ports, self._edge, self._status, clock, wiring=plan.wiring.inputs, only_device=plan.device
            )

    @property
    def name(self) -> str:
        """What the table calls the link."""
        return self.plan.wiring.name

    @property
    def status(self) -> Status:
        """The link's state."""
        return self._link.status

    def attach(self, table: Table) -> None:
        """From now on everything goes to `table`, and its lamps come here."""
        self._table = table
        self._status(self._link.status)
        table.subscribe(self._light)

    async def run(self) -> None:
        """Keeps the link until cancelled."""
        await self._link.run()

    def heard_until(self) -> int | None:
        """Up to when every edge has been given; None before the first."""
        return self._link.heard_until()

    def acknowledge(self, source: str, boot: int, seq: int) -> None:
        """The edges of `source` up to `seq` are on disk."""
        device = self._link.status.device
        if device is not None and device.id == source:
            self._link.acknowledge(seq, boot)

    def note(self) -> Note | None:
        """What is amiss with a device that answers: its program, or the pins it was given."""
        status = self._link.status
        said = "" if status.device is None or not status.up else status.device.build
        if not self._build or said == self._build or not _OUR_BUILD.fullmatch(said):
            return None
        params = {"device": "" if status.device is None else status.device.id, "name": self.name}
        other = said.split("/")[0] != self._build.split("/")[0]
        return Note("link.other_program" if other else "link.other_pins", params)

    def _edge(self, edge: Edge) -> None:
        if self._table is not None:
            self._table.edge(edge)

    def _status(self, status: Status) -> None:
        if self._table is not None:
            self._table.link_status(self.name, status, sorted(self.seats), self._keys)

    def _light(self, snapshot: Snapshot, _: Cause) -> None:
        lamps = {key: state for key, state in snapshot.lamps.items() if key in self._keys}
        if lamps != self._lamps:
            self._lamps = lamps
            self._link.lamps(lamps)


class Cables:
    """All cables of one table. No two of them serve the same contact."""

    def __init__(self, cables: Iterable[Cable], refused: Iterable[WiringError] = ()) -> None:
        """`refused` are devices that cannot be, and why."""
        self._cables = tuple(cables)
        self._refused = tuple(Note(f"wiring.{error.code}", error.params) for error in refused)

    @classmethod
    def of(cls, settings: Settings, *, pins: Callable[[], PinFactory] = pins_of_this_machine) -> "Cables":
        """The cables that the settings name."""
        plans, refused = plans_of(settings)
        made: list[Cable] = []
        for plan in plans:
            made.append(Cable(plan, lambda plan=plan: _free_ports(plan, made), pins=pins))
        return cls(made, refused)

    @classmethod
    def to_one(cls, ports: Callable[[], Iterable[str]]) -> "Cables":
        """One cable to a device with ten seats and the whole board."""
        return cls([Cable(Plan(find_wiring(DEFAULT_WIRING)), ports)])

    def attach(self, table: Table) -> None:
        """From now on everything goes to `table`, and its lamps come here."""
        for cable in self._cables:
            cable.attach(table)

    def runs(self) -> Iterable[tuple[str, Coroutine[None, None, None]]]:
        """What keeps each link, with its name."""
        return [(cable.name, cable.run()) for cable in self._cables]

    def heard_until(self, seat: int) -> int | None:
        """Up to when every edge of `seat` has been given; None where no cable serves it, or none has been heard."""
        return next((cable.heard_until() for cable in self._cables if seat in cable.seats), None)

    def acknowledge(self, source: str, boot: int, seq: int) -> None:
        """The edges of `source` up to `seq` are on disk."""
        for cable in self._cables:
            cable.acknowledge(source, boot, seq)

    @property
    def up(self) -> bool:
        """Whether every device is heard."""
        return bool(self._cables) and all(cable.status.up for cable in self._cables)

    @property
    def ready(self) -> bool:
        """Whether every device is heard and its clock is fitted."""
        return self.up and all(cable.status.clock_ready for cable in self._cables)

    def notes(self) -> tuple[Note, ...]:
        """What a person should know of the wirings, beside the links' own words."""
        found = (cable.note() for cable in self._cables)
        return (*self._refused, *(note for note in found if note is not None))


def _free_ports(plan: Plan, cables: Iterable[Cable]) -> list[str]:
    """The ports worth trying: not those over which another of our devices is heard."""
    taken = {cable.status.port for cable in cables if cable.plan is not plan and cable.status.up}
    return [port for port in candidate_ports(plan.ports) if port not in taken]
