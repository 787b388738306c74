"""The seats' sensors as the table knows them: edges to gather and to commit, links, contacts, who has been heard."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from controller.game.ballot import Touch
from controller.table.chatter import Chatter
from controller.table.clock import MICROSECOND, SECOND
from controller.table.hands import Hands
from controller.table.journal_file import EdgeRow
from controller.table.state import Contact, Link
from hardware.signal import HAND_KEYS, Signal, seat_of

_CHATTERING: Final = "chattering"
"""The link's word for it, among its reasons not to believe a contact."""
_CLOSED_AT_START: Final = "closed at start"
STARTED: Final = "started"
"""Stands for a key where a device is heard for the first time in one of its lives."""
_DARK_KEPT: Final = 64
LONGEST_NS: Final = 60 * SECOND
"""A hand that a device calls stuck and that had rested so long when a window opened is no hand of that window."""

HeardUntil: TypeAlias = Callable[[int], int | None]
"""Up to when every edge of a seat has been given, nanoseconds; None: the seat has no device."""


class Edge(Protocol):
    """A signal with the name that it is committed under; the bridge's edges are such."""

    @property
    def signal(self) -> Signal:
        """What happened."""
        ...

    @property
    def seq(self) -> int:
        """The device's own number of it, from 1 in each of the device's lives."""
        ...

    @property
    def boot(self) -> int:
        """Which of the device's lives."""
        ...

    @property
    def error_ns(self) -> int:
        """How far the signal's time can be off."""
        ...


class Device(Protocol):
    """Who is at the other end of a link."""

    @property
    def id(self) -> str:
        """The device's id: the `source` of its signals."""
        ...

    @property
    def boot(self) -> int:
        """Which of its lives."""
        ...


class Gap(Protocol):
    """A stretch of time of which edges may be missing for good, nanoseconds."""

    @property
    def since(self) -> int:
        """Its beginning."""
        ...

    @property
    def until(self) -> int:
        """Its end."""
        ...


class LinkStatus(Protocol):
    """What a link says of itself; the bridge's status is such."""

    @property
    def up(self) -> bool:
        """Whether the device is heard."""
        ...

    @property
    def reason(self) -> str | None:
        """Why it is not, as a code."""
        ...

    @property
    def detail(self) -> str:
        """The system's own words."""
        ...

    @property
    def clock_ready(self) -> bool:
        """Whether the device's times can be trusted to the millisecond."""
        ...

    @property
    def stuck(self) -> Mapping[str, str]:
        """Keys that are not to be believed, and why."""
        ...

    @property
    def device(self) -> Device | None:
        """The device that answered, if one has."""
        ...

    @property
    def gaps(self) -> Sequence[Gap]:
        """What was lost."""
        ...


@dataclass(frozen=True, slots=True)
class _Dark:
    """A stretch of which edges of `seats` are lost for good: their device began a new life in it."""

    since: int
    until: int
    seats: frozenset[int]


class Sensors:
    """All devices of one table. Times are of the boot `boot`; hands of an earlier boot can be looked up by it."""

    def __init__(self, boot: str, heard_until: HeardUntil, committed: Mapping[tuple[str, int], int]) -> None:
        """`committed` names the last edge of each device's life that is on disk already."""
        self._boot = boot
        self._heard_until = heard_until
        self._last = dict(committed)
        self._on_disk = dict(committed)
        self._lives: dict[str, int] = {}
        self._hands: dict[str, Hands] = {}
        self._links: dict[str, tuple[LinkStatus, frozenset[int]]] = {}
        self._boards: set[str] = set()
        """The links that serve keys of the board."""
        self._pending: list[EdgeRow] = []
        self._chatter = Chatter()
        self._wild: set[str] = set()
        """Contacts whose last edges were more than a hand makes. One is believed again at its first quiet edge."""
        self._wild_at: dict[str, int] = {}
        """When a contact was last too wild to be believed; of this boot."""
        self._unrest_at: dict[str, int] = {}
        """When a device last said of a contact that it chatters; of this boot."""
        self._silent_since: dict[str, int] = {}
        """The links that are down, and up to when they were heard."""
        self._heard: dict[int, int] = {}
        """Up to when each seat had been heard when it was last asked."""
        self._dark: list[_Dark] = []
        """Of this boot."""

    # --- edges

    def recall(self, edges: Iterable[EdgeRow]) -> None:
        """Take edges that an earlier run has committed."""
        for edge in edges:
            self._gather(edge)

    def take(self, edge: Edge) -> bool:
        """Take an edge. Return False for one that was taken before."""
        signal = edge.signal
        if edge.seq <= self._last.get((signal.source, edge.boot), 0):
            return False
        self._last[signal.source, edge.boot] = edge.seq
        row = EdgeRow(signal.source, edge.boot, edge.seq, signal.key, signal.down, signal.at, edge.error_ns, self._boot)
        self._pending.append(row)
        self._gather(row)
        return True

    def _gather(self, edge: EdgeRow) -> None:
        self._lives_on(edge.source, edge.device_boot, edge.at, edge.boot)
        seat = seat_of(edge.key)
        if seat is None:
            return
        self._hands.setdefault(edge.boot, Hands()).edge(seat, edge.at, down=edge.down)
        if edge.boot != self._boot:
            return
        if self._chatter.edge(edge.key, edge.at):
            self._wild.add(edge.key)
            self._wild_at[edge.key] = edge.at
        else:
            self._wild.discard(edge.key)

    def _lives_on(self, source: str, life: int, at: int, boot: str) -> None:
        if self._lives.get(source, life) != life:
            name, served = next(
                ((name, seats) for name, (status, seats) in self._links.items() if _id(status) == source),
                ("", frozenset(_all_seats())),
            )
            if boot == self._boot:
                heard = min([at, *(self._heard[seat] for seat in served if seat in self._heard)])
                self._is_dark(_Dark(self._silent_since.get(name, heard), at, served))
            hands = self._hands.get(boot)
            if hands is not None:
                hands.forget_levels(served, at)
        self._lives[source] = life

    def pending(self) -> list[EdgeRow]:
        """Return the edges that are not on disk yet."""
        return list(self._pending)

    def committed(self, edges: Sequence[EdgeRow]) -> dict[tuple[str, int], int]:
        """`edges` are on disk. Return what each device may forget: (source, life) -> seq."""
        written = {(edge.source, edge.device_boot, edge.seq) for edge in edges}
        self._pending = [e for e in self._pending if (e.source, e.device_boot, e.seq) not in written]
        last: dict[tuple[str, int], int] = {}
        for edge in edges:
            if edge.key == STARTED:
                continue
            name = (edge.source, edge.device_boot)
            last[name] = max(edge.seq, last.get(name, 0))
        self._on_disk |= last
        return last

    def on_disk(self, edge: Edge) -> int:
        """Return up to which number the edges of the device's life that `edge` is of are on disk; 0: none is."""
        return self._on_disk.get((edge.signal.source, edge.boot), 0)

    # --- links

    def link(self, name: str, status: LinkStatus, seats: Iterable[int], now: int, *, board: bool = False) -> None:
        """The link `name`, which serves `seats` and perhaps the `board`, says this of itself."""
        (self._boards.add if board else self._boards.discard)(name)
        before: Mapping[str, str] = self._links[name][0].stuck if name in self._links else {}
        self._links[name] = (status, frozenset(seats))
        for stuck in (before, status.stuck):
            self._unrest_at |= {key: now for key, why in stuck.items() if why == _CHATTERING}
        served = self._links[name][1]
        if not status.up:
            heard = [at for seat in served if (at := self._heard_until(seat)) is not None]
            self._silent_since.setdefault(name, min([now, *heard]))
        if status.device is not None:
            device = status.device
            if self._lives.get(device.id) != device.boot:
                # Hands that rested are not known to rest any more: that belongs to the evidence.
                self._pending.append(EdgeRow(device.id, device.boot, 0, STARTED, False, now, 0, self._boot))
            if device.id not in self._lives:
                # What its contacts did before it was first heard, nobody knows.
                self._is_dark(_Dark(0, now, served))
            self._lives_on(status.device.id, status.device.boot, now, self._boot)
        if status.up:
            self._silent_since.pop(name, None)

    @property
    def links(self) -> tuple[Link, ...]:
        """Every link, by name."""
        return tuple(
            Link(
                name,
                status.up,
                None if status.reason is None else str(status.reason),
                status.detail,
                _id(status),
                status.clock_ready,
                {key: str(why) for key, why in status.stuck.items()},
                tuple(sorted(seats)),
                name in self._boards,
            )
            for name, (status, seats) in sorted(self._links.items())
        )

    def contact(self, seat: int) -> Contact:
        """What the sensor of `seat` says now."""
        statuses = [status for status, seats in self._links.values() if seat in seats]
        if statuses and not any(status.up for status in statuses):
            return Contact.LOST
        if not statuses and self._heard_until(seat) is None:
            return Contact.LOST
        if (why := self._not_believed(seat)) is not None:
            return Contact.CHATTERING if why == _CHATTERING else Contact.STUCK
        hands = self._hands.get(self._boot)
        return Contact.DOWN if hands is not None and hands.is_down(seat) else Contact.UP

    def _not_believed(self, seat: int) -> str | None:
        """Why the contact of `seat` is not to be believed now, in the link's words."""
        key = HAND_KEYS[seat - 1]
        said = next((str(status.stuck[key]) for status, _ in self._links.values() if key in status.stuck), None)
        return said or (_CHATTERING if key in self._wild else None)

    def _is_believed(self, seat: int, boot: str, since: int) -> bool:
        if boot != self._boot:
            return True
        # What a loose wire sent in this window is no hand, also once it holds still.
        wild_at = self._wild_at.get(HAND_KEYS[seat - 1], since - 1)
        return self._not_believed(seat) != _CHATTERING and wild_at < since

    # --- windows

    def touches(self, boot: str, seats: Iterable[int], since: int, opened: int) -> tuple[Touch, ...]:
        """Touches of `seats` since `since`, in microseconds from `opened`.

        A contact that has sent more than a hand can make has none: the judge rules. One that is stuck keeps what it
        told before that, but for a hand that had been lying there too long already when the window opened.
        """
        hands = self._hands.get(boot)
        if hands is None:
            return ()
        touches = hands.touches([seat for seat in seats if self._is_believed(seat, boot, since)], since, opened)
        return tuple([touch for touch in touches if not self._is_left_lying(touch, boot)])

    def doubted(
        self, boot: str, seats: Iterable[int], since: int, opened: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What `touches` leaves out of the same: the seats that are not believed, and those of hands left lying."""
        believed = {seat: self._is_believed(seat, boot, since) for seat in seats}
        hands = self._hands.get(boot, Hands())
        touches = hands.touches([seat for seat, is_so in believed.items() if is_so], since, opened)
        lying = {touch.seat for touch in touches if self._is_left_lying(touch, boot)}
        return tuple([seat for seat, is_so in believed.items() if not is_so]), tuple(sorted(lying))

    def _is_left_lying(self, touch: Touch, boot: str) -> bool:
        old = touch.up is None and touch.down * MICROSECOND <= -LONGEST_NS
        return old and boot == self._boot and self._not_believed(touch.seat) is not None

    def unknown(self, seats: Iterable[int], since: int, opened: int, until: int) -> tuple[int, ...]:
        """Those of `seats` of whose contact nobody can know what it did in a window: their device began anew in it or
        has lost edges of it; or it began anew when a hand that came since `since` may have been resting already."""
        hands, dark = self._hands.get(self._boot, Hands()), self._all_dark()

        def is_unknown(seat: int) -> bool:
            of_seat = [d for d in dark if seat in d.seats and d.since <= until]
            if any(d.until > opened for d in of_seat):
                return True
            resting = self._not_believed(seat) == _CLOSED_AT_START or hands.was_cut(seat, since)
            return resting and any(d.until > since for d in of_seat)

        return tuple([seat for seat in seats if is_unknown(seat)])

    def _is_dark(self, dark: _Dark) -> None:
        self._dark = [*self._dark, dark][-_DARK_KEPT:]

    def _all_dark(self) -> list[_Dark]:
        gaps = [_Dark(gap.since, gap.until, seats) for status, seats in self._links.values() for gap in status.gaps]
        return [*self._dark, *gaps]

    def flagged(self, seats: Iterable[int], since: int, until: int) -> bool:
        """Whether the judge should look himself: an unfitted clock, a contact stuck or chattering, lost edges."""
        wanted = set(seats)
        for status, served in self._links.values():
            # A board alone dates the opening.
            if status.up and not status.clock_ready and (not served or served & wanted):
                return True
            if any(HAND_KEYS[seat - 1] in status.stuck for seat in seats if seat in served):
                return True
        if any(dark.since <= until and dark.until > since for dark in self._all_dark() if dark.seats & set(seats)):
            return True
        keys = [HAND_KEYS[seat - 1] for seat in seats]
        return any(at >= since for times in (self._wild_at, self._unrest_at) for key in keys if (at := times.get(key)))

    def waiting_for(self, seats: Iterable[int], until: int) -> tuple[int, ...]:
        """Those of `seats` that have a device and have not sent everything up to `until`. While some are heard, a
        device that has never been heard since the start is waited for as well: its seats ought to have been told."""
        seats = tuple(seats)
        heard = {seat: at for seat in seats if (at := self._heard_until(seat)) is not None}
        self._heard |= heard
        if not heard:
            return ()
        served = frozenset[int]().union(*(of_link for _, of_link in self._links.values()))
        return tuple([seat for seat in seats if (heard[seat] < until if seat in heard else seat in served)])

    def are_there(self, seats: Iterable[int], since: int) -> bool:
        """Whether any of `seats` has a sensor that was heard since `since`, or that a link is up to."""
        return any(
            (at := self._heard_until(seat)) is not None and (at >= since or self.contact(seat) is not Contact.LOST)
            for seat in seats
        )


def _id(status: LinkStatus) -> str | None:
    return None if status.device is None else status.device.id


def _all_seats() -> range:
    return range(1, len(HAND_KEYS) + 1)
