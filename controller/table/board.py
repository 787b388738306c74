"""The judge's board: what each key means in each phase, in one table, and which lamps say so.

One press is one thing, once. Nothing here knows a role: what a key may do must not depend on one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from controller.game.commands import Foul, Next, Nominate, OpenWindow, Remove
from controller.game.legal import Legal, legal
from controller.game.phases import Acquaintance, Dealing, Night, Over, Phase, Speech, Voting
from controller.game.refusal import Refusal
from controller.game.state import State
from controller.table.clock import SECOND
from controller.table.state import Snapshot, Stage, Step, Timer, Window
from controller.table.wishes import AnnounceCount, CloseWindow, SetTimer, TableCommand, Undo

HOLD_NS: Final = 1 * SECOND
"""A removal is begun by holding its key, so that no brush of a finger can send anybody off."""
ARMED_NS: Final = 5 * SECOND
"""So long a key that waits for a seat waits, and so long a key can be held: its release may have been lost."""
TOO_LATE_NS: Final = 2 * SECOND
"""A press that comes later than this over a bad link is not what the judge wants any more."""

_SEATS: Final = {f"board {seat}": seat for seat in range(1, 21)}


class Means(Enum):
    """What a key does."""

    STEP = auto()
    WINDOW = auto()
    TIMER = auto()
    UNDO = auto()
    SOUND = auto()
    FOUL = auto()
    """Waits for a seat."""
    NOMINATE = auto()
    """Waits for a seat."""
    REMOVE = auto()
    """Held for a second, waits for a seat."""
    NOMINATE_SEAT = auto()
    """A seat's key alone: the speaker nominates it."""


_ANY: Final = "any seat"
_WITH_TIMER: Final = {"timer": Means.TIMER}
_EVERYWHERE: Final = {
    "next": Means.STEP,
    "back": Means.UNDO,
    "undo": Means.UNDO,
    "night sound": Means.SOUND,
    "foul": Means.FOUL,
    "remove": Means.REMOVE,
    **_WITH_TIMER,
}
_IN_PHASE: Final[Mapping[type[Phase], Mapping[str, Means]]] = {
    Speech: {"nominate": Means.NOMINATE, _ANY: Means.NOMINATE_SEAT},
    Voting: {"vote": Means.WINDOW},
}


def meaning(phase: Phase, key: str) -> Means | None:
    """What `key` means in `phase`; None where it means nothing."""
    own = _IN_PHASE.get(type(phase), {})
    return own.get(_ANY if key in _SEATS else key) or _EVERYWHERE.get(key)


@dataclass(frozen=True, slots=True)
class NightSound:
    """The key of the night music, pressed or released: not the table's business, but its board's."""

    down: bool


Pressed = TableCommand | Foul | Nominate | Remove | Next | OpenWindow | NightSound


@dataclass(frozen=True, slots=True)
class _Armed:
    means: Means
    key: str
    at: int


@dataclass(frozen=True, slots=True)
class _Hold:
    at: int
    source: str
    life: int
    """Which of the device's lives: another one knows nothing of a key that is held."""


class Board:
    """Presses in, commands out. It remembers only which key waits for a seat and whether "remove" is held."""

    def __init__(self) -> None:
        self._armed: _Armed | None = None
        self._hold: _Hold | None = None

    def armed_key(self, now: int) -> str | None:
        """The key that waits for a seat at `now`."""
        armed = self._armed
        return armed.key if armed is not None and now - armed.at <= ARMED_NS else None

    def device(self, source: str, life: int, *, up: bool) -> None:
        """The device `source` is heard or not, in its life `life`. A key it no longer tells of is held no more."""
        hold = self._hold
        if hold is not None and hold.source == source and not (up and hold.life == life):
            self._hold = None

    def key(
        self, key: str, *, down: bool, at: int, snapshot: Snapshot, source: str = "", life: int = 0
    ) -> Pressed | Refusal | None:
        """What the press or release of `key` at `at` asks for where `snapshot` is shown; a refusal says why it asks
        for nothing. It was told by the device `source` in its life `life`."""
        self.device(source, life, up=True)
        if self._hold is not None and at - self._hold.at > ARMED_NS:
            self._hold = None
        means = meaning(snapshot.state.phase, key)
        if means is Means.REMOVE:
            return self._remove_key(_Hold(at, source, life), down=down)
        if means is Means.SOUND:
            if down:
                self._armed = None
            return NightSound(down)
        if not down:
            return None
        if key in _SEATS:
            return self._seat(_SEATS[key], means, at, snapshot)
        self._armed = None
        match means:
            case Means.STEP:
                return _step(snapshot.step)
            case Means.WINDOW:
                return _window(snapshot.window)
            case Means.TIMER:
                return SetTimer(running=snapshot.timer is None or not snapshot.timer.running)
            case Means.UNDO:
                return Undo()
            case Means.FOUL | Means.NOMINATE:
                self._armed = _Armed(means, key, at)
                return None
            case _:
                return Refusal("key_means_nothing", {"key": key}, not_now=True)

    def _remove_key(self, now: _Hold, *, down: bool) -> None:
        hold, self._hold = self._hold, None
        if down:
            self._armed = None
            self._hold = now
        elif hold is not None and now.at - hold.at >= HOLD_NS:
            self._armed = _Armed(Means.REMOVE, "remove", now.at)

    def _seat(self, seat: int, alone: Means | None, at: int, snapshot: Snapshot) -> Pressed | Refusal:
        armed, self._armed = self._armed, None
        if self._hold is not None:
            if at - self._hold.at < HOLD_NS:
                return Refusal("hold_longer", {"seat": seat})
            self._hold = None  # one hold is one removal, whatever becomes of it
            return Remove(seat)
        means = armed.means if armed is not None and at - armed.at <= ARMED_NS else alone
        match means:
            case Means.FOUL:
                return Foul(seat)
            case Means.REMOVE:
                return Remove(seat)
            case Means.NOMINATE | Means.NOMINATE_SEAT:
                speaker = snapshot.state.minute_of
                return Refusal("not_own_minute", not_now=True) if speaker is None else Nominate(speaker, seat)
            case _:
                return Refusal("key_means_nothing", {"key": f"board {seat}"}, not_now=True)


def _step(step: Step) -> Pressed | Refusal:
    match step.do:
        case "next":
            return Next()
        case "open_window":
            return OpenWindow()
        case "announce":
            return AnnounceCount()
        case _:
            return step.blocked or Refusal("no_step_now", {"step": step.do}, not_now=True)


def _window(window: Window | None) -> Pressed | Refusal:
    if window is None:
        return OpenWindow()
    if window.stage is Stage.OPEN:
        return CloseWindow()
    return Refusal("window_closed", {"candidate": window.candidate}, not_now=True)


# --- lamps


def lamps(
    state: State, *, step: Step, window: Window | None, timer: Timer | None, undo: bool, armed: str | None
) -> dict[str, str]:
    """Every lamp that is not off. A seat's lamp says that its hand is taken, nothing else; at night they are dark."""
    lit = board_lamps(state, step=step, timer=timer, undo=undo, armed=armed)
    if window is not None:
        if window.stage is Stage.OPEN:
            lit["vote"] = "on"
        if not isinstance(state.phase, Night | Acquaintance):
            lit |= {f"seat {seat}": "on" for seat in window.hands}
    return lit


def board_lamps(state: State, *, step: Step, timer: Timer | None, undo: bool, armed: str | None) -> dict[str, str]:
    """The lamps of the board's keys that are legal now; a key that waits for a seat blinks."""
    may = legal(state)
    lit: dict[str, str] = {}
    if step.do in ("next", "open_window", "announce") and step.blocked is None:
        lit["next"] = "on"
    if may.open_window:
        lit["vote"] = "on"
    if timer is not None:
        lit["timer"] = "on"
    if undo:
        lit["back"] = lit["undo"] = "on"
    if isinstance(state.phase, Night | Acquaintance):
        lit["night sound"] = "on"
    if may.foul and not isinstance(state.phase, Dealing | Over):
        lit["foul"] = lit["remove"] = "on"
    if may.nominate:
        lit["nominate"] = "on"
    seats = _offered(may, armed)
    lit |= {f"board {seat}": "on" for seat in seats}
    if armed is not None:
        lit[armed] = "blink"
    return lit


def _offered(may: Legal, armed: str | None) -> tuple[int, ...]:
    match armed:
        case "foul":
            return may.foul
        case "remove":
            return may.remove
        case _:
            return may.nominate
