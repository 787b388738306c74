"""Seats on a Raspberry Pi's pins: gpiozero's mock pins, which have no debounce at all, under our own."""

import asyncio
import random
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, cast

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge import core, device
from firmware_bridge.core import LinkStatus
from firmware_bridge.link import SeatLink
from hardware import gpio
from hardware.gpio import LATE_NS, MILLISECOND, GpioEdge, GpioSeats, GpioStatus
from hardware.gpio_pins import PinFactory
from hardware.wiring import SHIPPED, WiringMap, read_wiring

START = 5_000_000 * MILLISECOND
WIRING = read_wiring(SHIPPED / "pi_gpio.toml")


class Board:
    """Mock pins in a time of the test's own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wiring: WiringMap = WIRING) -> None:
        self.now = START
        monkeypatch.setattr("gpiozero.pins.mock.monotonic", lambda: self.now / 1e9)
        self.wiring = wiring
        self.factory = MockFactory()
        self.edges: list[GpioEdge] = []
        self.statuses: list[GpioStatus] = []
        self.seats = GpioSeats(
            wiring,
            self.take,
            self.statuses.append,
            lambda: self.now,
            pins=lambda: cast("PinFactory", self.factory),
            wall=lambda: self.now + 10**18,
        )

    def take(self, edge: GpioEdge) -> None:
        heard = self.seats.heard_until()
        # What was said to be heard is never added to afterwards.
        assert heard is None or edge.signal.at > heard
        self.edges.append(edge)

    def put(self, key: str, down: bool) -> int:
        """Move a contact now. Return when that is."""
        pin = self.factory.pin(self.wiring.pins[key])
        if down == bool(self.wiring.closed_level(key)):
            pin.drive_high()
        else:
            pin.drive_low()
        return self.now

    def until(self, moment: int) -> None:
        """Let time pass, with a beat every four milliseconds."""
        while self.now < moment:
            self.now = min(self.now + 4 * MILLISECOND, moment)
            self.seats.beat()

    def wait(self, milliseconds: float) -> None:
        self.until(self.now + round(milliseconds * MILLISECOND))

    def signals(self) -> list[tuple[str, bool, int]]:
        return [(edge.signal.key, edge.signal.down, edge.signal.at) for edge in self.edges]


@pytest.fixture
async def board(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Board]:
    board = Board(monkeypatch)
    async for each in running(board):
        yield each


async def running(board: Board) -> AsyncIterator[Board]:
    task = asyncio.create_task(board.seats.run())
    while not board.seats.status.up:  # noqa: ASYNC110 - it says it to nobody else
        await asyncio.sleep(0)
    yield board
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def test_the_thresholds_are_those_of_the_microcontroller():
    assert gpio.QUIET_NS == device.QUIET_MS * MILLISECOND
    assert gpio.CHATTER_NS == device.CHATTER_MS * MILLISECOND
    assert gpio.LONGEST_NS == device.LONGEST_MS * MILLISECOND
    assert set(gpio._STUCK.values()) == {str(why) for why in core.Stuck}


def test_to_the_table_it_looks_as_the_link_does():
    def face(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert face(GpioSeats) - {"beat"} == face(SeatLink)
    assert face(GpioStatus) == face(LinkStatus) - {"same_news"}
    assert face(GpioEdge) == face(core.Edge)


async def test_a_thousand_presses_with_bounce_and_glitches_are_a_thousand_presses_and_releases(board: Board):
    chance = random.Random(7)
    truth: list[tuple[str, bool, int]] = []

    def bounce(key: str, down: bool) -> None:
        began = board.now
        truth.append((key, down, board.put(key, down)))
        times = sorted(chance.sample(range(began + 1, began + 8 * MILLISECOND), 2 * chance.randrange(6)))
        for flip, moment in enumerate(times):
            board.until(moment)
            board.put(key, down if flip % 2 else not down)

    for _ in range(1000):
        key = chance.choice(WIRING.keys)
        for _ in range(chance.randrange(4)):
            board.put(key, True)
            board.wait(chance.uniform(0.01, 9.9))
            board.put(key, False)
            board.wait(chance.uniform(10.1, 40))
        bounce(key, True)
        board.until(truth[-1][2] + chance.randrange(40, 400) * MILLISECOND)
        bounce(key, False)
        board.wait(chance.uniform(50, 100))
    assert len(truth) == 2000
    assert [(key, down) for key, down, _ in board.signals()] == [(key, down) for key, down, _ in truth]
    # Mock pins count seconds in a float: it has the last microsecond.
    assert all(abs(heard[2] - real[2]) < 1000 for heard, real in zip(board.signals(), truth, strict=True))
    assert [edge.seq for edge in board.edges] == list(range(1, 2001))
    assert board.seats.covered(START + LATE_NS, truth[-1][2])
    assert board.seats.status.gaps == ()


async def test_gpiozeros_own_debounce_is_off(board: Board):
    for pin in WIRING.pins.values():
        assert board.factory.pin(pin).bounce is None
        assert board.factory.pin(pin).edges == "both"


async def test_a_contact_closed_at_start_is_stuck_until_it_has_opened(monkeypatch: pytest.MonkeyPatch):
    board = Board(monkeypatch)
    pin = board.factory.pin(WIRING.pins["seat 6"])
    monkeypatch.setattr(pin, "input_with_pull", lambda _: pin.drive_low())
    async for _ in running(board):
        board.wait(100)
        assert board.seats.status.stuck == {"seat 6": "closed at start"}
        board.put("seat 6", False)
        board.wait(100)
        assert board.seats.status.stuck == {}
        assert board.edges == []
        at = board.put("seat 6", True)
        board.wait(100)
        assert [signal[:2] for signal in board.signals()] == [("seat 6", True)]
        assert abs(board.signals()[0][2] - at) < 1000


async def test_a_contact_closed_too_long_and_one_that_chatters_are_stuck(board: Board):
    board.put("seat 1", True)
    board.wait(60_100)
    assert board.seats.status.stuck == {"seat 1": "closed too long"}
    for flip in range(20):
        board.put("seat 2", flip % 2 == 0)
        board.wait(5)
    assert board.seats.status.stuck == {"seat 1": "closed too long", "seat 2": "chattering"}
    assert board.statuses[-1] == board.seats.status


async def test_nothing_is_said_to_be_heard_while_a_contact_is_unsettled(board: Board):
    board.wait(100)
    at = board.put("seat 3", True)
    board.wait(1)
    assert (board.seats.heard_until() or 0) <= board.now - LATE_NS  # another contact's edge may be on its way still
    board.wait(19)
    heard = board.seats.heard_until()
    assert heard is not None
    assert heard < at
    board.wait(20)
    assert (board.seats.heard_until() or 0) > at
    assert not board.seats.covered(START, board.now)
    assert board.seats.covered(START + 50 * MILLISECOND, at)


async def test_an_edge_that_comes_too_late_is_given_and_is_a_gap(board: Board):
    board.wait(100)
    late = board.now - 50 * MILLISECOND
    watch = next(watch for watch in board.seats._watches if watch.key == "seat 4")
    board.factory.pin(WIRING.pins["seat 4"])._state = False
    board.seats._on_signal = board.edges.append
    watch._changed(late / 1e9, 0)
    board.wait(50)
    assert [signal[:2] for signal in board.signals()] == [("seat 4", True)]
    assert abs(board.signals()[0][2] - late) < 1000
    assert not board.seats.covered(late - MILLISECOND, late + MILLISECOND)
    assert board.seats.covered(START + 5 * MILLISECOND, late - MILLISECOND)


async def test_an_edge_that_nobody_told_of_is_found_and_is_a_gap(board: Board):
    board.wait(100)
    at = board.now
    board.factory.pin(WIRING.pins["seat 5"])._state = False
    board.wait(400)
    assert [signal[:2] for signal in board.signals()] == [("seat 5", True)]
    assert board.edges[0].error_ns == LATE_NS
    assert not board.seats.covered(at - MILLISECOND, at + 10 * MILLISECOND)


async def test_an_edge_that_is_only_late_is_not_taken_for_a_missed_one(board: Board):
    board.wait(100)
    at = board.now
    watch = next(watch for watch in board.seats._watches if watch.key == "seat 5")
    board.factory.pin(WIRING.pins["seat 5"])._state = False
    board.seats._on_signal = board.edges.append
    board.wait(96)
    watch._changed(at / 1e9, 0)
    board.wait(300)
    assert [signal[:2] for signal in board.signals()] == [("seat 5", True)]
    assert abs(board.signals()[0][2] - at) < 1000


@pytest.mark.parametrize(
    ("stamp", "error"),
    [
        (lambda now: now, gpio.STAMPED_ERROR_NS),
        (lambda now: now + 10**18, gpio.STAMPED_ERROR_NS),
        (lambda now: 3 * MILLISECOND, LATE_NS),
    ],
    ids=["monotonic", "wall clock", "neither"],
)
async def test_the_kernels_stamp_is_believed_on_either_clock(board: Board, stamp: Callable[[int], int], error: int):
    board.wait(100)
    at = board.now
    watch = next(watch for watch in board.seats._watches if watch.key == "next")
    board.now += 4 * MILLISECOND
    board.factory.pin(WIRING.pins["next"])._state = False
    watch._changed(stamp(at) / 1e9, 0)
    board.wait(100)
    expected = at if error == gpio.STAMPED_ERROR_NS else at + 4 * MILLISECOND
    assert abs(board.edges[0].signal.at - expected) < 1000
    assert board.edges[0].error_ns == error


async def test_edges_from_a_thread_arrive_on_the_loop_in_order(monkeypatch: pytest.MonkeyPatch):
    factory = MockFactory()
    edges: list[GpioEdge] = []
    threads: set[int] = set()

    def take(edge: GpioEdge) -> None:
        threads.add(threading.get_ident())
        edges.append(edge)

    seats = GpioSeats(WIRING, take, lambda _: None, pins=lambda: cast("PinFactory", factory))
    task = asyncio.create_task(seats.run())
    while not seats.status.up:  # noqa: ASYNC110 - it says it to nobody else
        await asyncio.sleep(0)

    def hands() -> None:
        for seat in range(1, 11):
            pin = factory.pin(WIRING.pins[f"seat {seat}"])
            for drive in (pin.drive_low, pin.drive_high):
                drive()
                time.sleep(0.013)

    await asyncio.to_thread(hands)
    async with asyncio.timeout(5):
        while len(edges) < 20:  # noqa: ASYNC110 - it says it to nobody else
            await asyncio.sleep(0.005)
    # Edges of different contacts need not be in the order of their times: one may settle later.
    for seat in range(1, 11):
        of_seat = [edge.signal for edge in edges if edge.signal.key == f"seat {seat}"]
        assert [signal.down for signal in of_seat] == [True, False]
        assert of_seat[0].at < of_seat[1].at
    assert [edge.seq for edge in edges] == list(range(1, 21))
    assert threads == {threading.get_ident()}
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert seats.status.reason == "stopped"


async def test_a_storm_of_edges_is_bounded_and_ends_in_the_true_level(board: Board):
    board.wait(100)
    for flip in range(20_001):
        board.now += 1000
        board.put("seat 8", flip % 2 == 0)
    assert len(board.seats._raw) <= gpio._MOST_RAW
    over = board.now
    board.wait(300)
    assert [signal[:2] for signal in board.signals()] == [("seat 8", True)]
    assert abs(board.signals()[0][2] - over) < 5 * MILLISECOND


async def test_lamps_shine_and_blink(board: Board):
    pin = board.factory.pin(WIRING.lamps["seat 1"])
    board.seats.lamps({"seat 1": "on", "next": "on"})
    assert pin.state
    board.seats.lamps({"seat 1": "blink"})
    seen: set[bool] = set()
    for _ in range(10):
        board.wait(100)
        seen.add(bool(pin.state))
    assert seen == {True, False}
    board.seats.lamps({})
    assert not pin.state
    with pytest.raises(ValueError, match="no lamp"):
        board.seats.lamps({"seat 11": "on"})
    with pytest.raises(ValueError, match="no lamp"):
        board.seats.lamps({"seat 1": "red"})


async def test_a_machine_without_pins_says_so_and_tries_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(gpio, "AGAIN_S", 0.01)
    board = Board(monkeypatch)
    tries: list[Any] = []

    def pins() -> PinFactory:
        tries.append(None)
        if len(tries) < 3:
            raise OSError("no gpiochip")
        return cast("PinFactory", board.factory)

    board.seats._open_pins = pins
    task = asyncio.create_task(board.seats.run())
    async with asyncio.timeout(5):
        while not board.seats.status.up:  # noqa: ASYNC110 - it says it to nobody else
            await asyncio.sleep(0.001)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert [status.reason for status in board.statuses] == ["pins failed", None, "stopped"]
    assert "no gpiochip" in board.statuses[0].detail


async def test_an_edge_that_the_table_does_not_take_is_logged(board: Board, caplog: pytest.LogCaptureFixture):
    def refuse(_: GpioEdge) -> None:
        raise RuntimeError("the table is on fire")

    board.seats._on_signal = refuse
    board.put("seat 1", True)
    board.wait(100)
    assert "the table is on fire" in caplog.text
    assert board.seats.status.up
