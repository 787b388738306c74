"""The real firmware under a real MicroPython, on a board whose pins move when the test says: what the table hears is
what the hands did, dated when they did it, and the device is never silent."""

import asyncio
import contextlib
import os
import pty
import random
import time
import tty
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import flashing, frames
from firmware_bridge.core import Edge, LinkCore, LinkStatus, Reason, Stuck
from firmware_bridge.link import SeatLink
from hardware.wiring import SHIPPED, WiringMap, read_wiring
from tests.firmware_bridge.pico_bench import ALLOCATED, RESET, WATCHDOG_BIT, Cable, Pico, micropython, put

MS = 1_000_000
DEADLINE_S = 30.0


def wiring(name: str) -> WiringMap:
    return read_wiring(SHIPPED / f"{name}.toml")


class Lockstep:
    """A board and the host's side of the link in one fake time: as fast as the machine goes, the same every time."""

    def __init__(self, pico: Pico, *, step_us: int = 4_000, drift_ppm: int = 0) -> None:
        self.pico = pico
        self.step_us = step_us
        self.drift_ppm = drift_ppm
        self.now = 1_000_000_000
        self.core = LinkCore(pico.wiring.inputs)
        self.edges: list[Edge] = []
        self.outputs: list[tuple[int, int]] = []
        self.told: list[bytes] = []
        self.cut = False
        self.records: list[bytes] = []
        self._heard_until: int | None = None
        self._line = b""
        self.power_on()
        self.core.opened("lockstep", self.now * 1000)

    def power_on(self) -> None:
        there, self._there = os.pipe()
        self._back, back = os.pipe()
        self.pico.power_on(there, back, zero_us=self.now, lockstep=True, drift_ppm=self.drift_ppm, latency_us=100)
        os.close(there)
        os.close(back)
        os.set_blocking(self._back, False)
        self._await_rest()

    def power_off(self) -> str:
        os.close(self._there)
        os.close(self._back)
        return self.pico.power_off()

    def put(self, key: str, down: bool, in_us: int = 0) -> int:
        """Let a contact move `in_us` from now. Return when, in microseconds."""
        at = self.now + in_us
        self.records.append(self.pico.record(key, down, at))
        return at

    def say(self, data: bytes) -> None:
        os.write(self._there, data)

    def raw(self) -> bytes:
        with suppress(BlockingIOError):
            return os.read(self._back, 65536)
        return b""

    def turn(self, step_us: int | None = None) -> bytes:
        """Let one turn of the firmware's loop pass. Return what the device said."""
        self.now += step_us or self.step_us
        said, self.records = self.records, []
        self.pico.records(b"".join(said) + self.pico.moment(self.now))
        self._await_rest()
        return self.raw()

    def advance(self, seconds: float) -> None:
        """Let both ends live for a while."""
        end = self.now + round(seconds * 1e6)
        while self.now < end:
            out = self.core.take()
            if out and not self.cut:
                self.say(out)
            data = self.turn()
            if data and not self.cut:
                self._hear(self.core.receive(data, self.now * 1000))
            self._hear(self.core.advance(self.now * 1000))
            if not self.core.status.up and self.core.status.reason is Reason.SILENT:
                self.core.opened("lockstep", self.now * 1000)

    def signals(self) -> list[tuple[str, bool]]:
        return [(edge.signal.key, edge.signal.down) for edge in self.edges]

    def _hear(self, edges: list[Edge]) -> None:
        for edge in edges:
            # What was said to be heard is never added to afterwards.
            assert self._heard_until is None or edge.signal.at + edge.error_ns > self._heard_until
            self.edges.append(edge)
            self.core.acknowledge(edge.seq, edge.boot)
        self._heard_until = self.core.heard_until()

    def _await_rest(self) -> None:
        while True:
            *lines, self._line = (self._line + self._told()).split(b"\n")
            for line in lines:
                if line.startswith(b"P "):
                    pin, level = line[2:].split()
                    self.outputs.append((int(pin), int(level)))
                elif line != b"D":
                    self.told.append(line)
            if lines and lines[-1] == b"D":
                return

    def _told(self) -> bytes:
        data = os.read(self.pico.told, 65536)
        if not data:
            assert self.pico.process
            assert self.pico.process.stderr
            raise Ended(self.pico.process.wait(), self.pico.process.stderr.read().decode())
        return data


class Ended(Exception):
    """The firmware's process has ended: its code, and what it wrote on the way."""


Start = Callable[..., Lockstep]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Start]:
    with contextlib.ExitStack() as stack:

        def start(
            name: str = "pico_matrix",
            *,
            spoil: Callable[[Path], object] = lambda _: None,
            closed: tuple[str, ...] = (),
            **how: int,
        ) -> Lockstep:
            micropython()
            pico = Pico(tmp_path / f"board{time.monotonic_ns()}", wiring(name))
            spoil(pico.folder)
            for key in closed:
                pico.close_before_power(key)
            bench = Lockstep(pico, **how)
            stack.callback(bench.power_off)
            return bench

        yield start


def press(bench: Lockstep, chance: random.Random, key: str, *, glitches: int = 3) -> list[tuple[str, bool, int]]:
    """A press as hands make it: up to three glitches, 8 ms of bounce, 40 to 400 ms, 8 ms of bounce. Return what
    really happened."""
    truth: list[tuple[str, bool, int]] = []
    at = 1_000

    def bounce(down: bool) -> None:
        truth.append((key, down, bench.put(key, down, at)))
        times = sorted(chance.sample(range(at + 150, at + 8_000), 2 * chance.randrange(6)))
        for flip, when in enumerate(times):
            bench.put(key, down if flip % 2 else not down, when)

    for _ in range(chance.randrange(glitches + 1)):
        length = chance.randrange(300, 9_500)
        bench.put(key, True, at)
        bench.put(key, False, at + length)
        at += length + 12_000 + chance.randrange(30_000)
    bounce(True)
    at += chance.randrange(40_000, 400_000)
    bounce(False)
    bench.records.sort(key=lambda record: int.from_bytes(record[8:], "little"))
    bench.advance((at + 40_000) / 1e6)
    return truth


@pytest.mark.timeout(300)
def test_a_thousand_presses_with_bounce_and_glitches_are_a_thousand_presses_and_releases(
    board: Start,
):
    bench = board("pico_direct", drift_ppm=50, step_us=8_000)
    chance = random.Random(11)
    bench.advance(11)
    truth: list[tuple[str, bool, int]] = []
    for _ in range(1000):
        truth += press(bench, chance, chance.choice(bench.pico.wiring.keys))
    bench.advance(0.5)
    assert [(edge.signal.key, edge.signal.down) for edge in bench.edges] == [(key, down) for key, down, _ in truth]
    errors = sorted(abs(edge.signal.at / MS - at / 1000) for edge, (_, _, at) in zip(bench.edges, truth, strict=True))
    print(f"{len(errors)} edges in {bench.now / 1e6 - 1000:.0f} s: worst {errors[-1]:.3f} ms")
    assert errors[-1] < 8  # lockstep's steps are the link's jitter here
    assert bench.core.status.stuck == {}
    assert bench.core.covered(1_011_000_000_000, bench.now * 1000 - 500 * MS)


# --- the matrix


def test_keys_of_the_matrix_are_dated_by_their_rows_interrupt(board: Start):
    bench = board()
    bench.advance(1)
    told = [bench.put("vote", True, 1_234)]
    bench.put("vote", False, 1_500)  # it bounces, and is dated by its first edge
    bench.put("vote", True, 1_900)
    told += [bench.put("vote", False, 90_000), bench.put("board 10", True, 120_500)]
    bench.advance(0.3)
    assert bench.signals() == [("vote", True), ("vote", False), ("board 10", True)]
    first = bench.edges[0].signal.at / 1000 - told[0]
    for edge, at in zip(bench.edges, told, strict=True):
        # One offset for all: the clock fit's. What differs is the interrupt's latency alone.
        assert abs(edge.signal.at / 1000 - at - first) < 110


def test_keys_of_one_row_and_of_one_column_held_together_are_told_apart(board: Start):
    bench = board()
    bench.advance(1)
    order = ["next", "back", "timer", "vote", "foul", "board 6", "board 7"]
    for turn, key in enumerate(order):
        bench.put(key, True, 1_000 + 50_000 * turn)
    bench.advance(0.5)
    assert bench.signals() == [(key, True) for key in order]
    for turn, key in enumerate(reversed(order)):
        bench.put(key, False, 1_000 + 50_000 * turn)
    bench.advance(0.5)
    assert bench.signals()[len(order) :] == [(key, False) for key in reversed(order)]


def test_a_hundred_bouncing_presses_on_the_matrix_are_a_hundred_presses_and_releases(board: Start):
    bench = board(step_us=3_000)
    chance = random.Random(5)
    bench.advance(1)
    keys = [key for key in bench.pico.wiring.keys if bench.pico.wiring.place_in_matrix(key)]
    truth: list[tuple[str, bool]] = []
    for _ in range(100):
        truth += [(key, down) for key, down, _ in press(bench, chance, chance.choice(keys), glitches=0)]
    bench.advance(0.3)
    assert bench.signals() == truth


# --- what interrupts cannot have caught


def test_a_burst_longer_than_the_ring_ends_in_the_contacts_true_level(board: Start):
    bench = board("pico_direct")
    bench.advance(1)
    for flip in range(701):
        bench.put("seat 4", flip % 2 == 0, 100 + flip)
    bench.advance(0.2)
    assert bench.signals() == [("seat 4", True)]


@pytest.mark.parametrize("first", [True, False], ids=["before the storm", "after the storm"])
def test_a_storm_on_one_contact_costs_another_neither_its_edge_nor_its_time(board: Start, first: bool):
    bench = board("pico_direct")
    bench.advance(11)
    at = bench.put("seat 4", True, 50) if first else 0
    for flip in range(600):
        bench.put("seat 1", flip % 2 == 0, 100 + flip)
    at = at or bench.put("seat 4", True, 900)
    bench.advance(0.3)
    assert bench.signals() == [("seat 4", True)]
    assert abs(bench.edges[0].signal.at / 1000 - at) < 8_000  # two turns of the loop


def test_an_edge_without_an_interrupt_is_found_within_a_few_turns(board: Start):
    bench = board("pico_direct")
    bench.advance(1)
    bench.pico.quietly("seat 9", True, bench.now + 1_000)
    bench.advance(0.2)
    assert bench.signals() == [("seat 9", True)]


@pytest.mark.parametrize("name", ["pico_direct", "pico_matrix"])
def test_contacts_closed_at_start_are_stuck_and_not_counted(board: Start, name: str):
    bench = board(name, closed=("seat 2", "vote"))
    bench.advance(1.5)
    assert bench.signals() == []
    assert bench.core.status.stuck == {"seat 2": Stuck.CLOSED_AT_START, "vote": Stuck.CLOSED_AT_START}
    bench.put("seat 2", False, 0)
    bench.put("vote", False, 0)
    bench.advance(1.5)
    assert bench.core.status.stuck == {}
    bench.put("seat 2", True, 0)
    bench.advance(0.2)
    assert bench.signals() == [("seat 2", True)]


def test_a_handler_that_allocates_would_end_these_tests(board: Start):
    def spoil(folder: Path) -> None:
        file = folder / "firmware_bridge" / "firmware" / "contacts.py"
        text = file.read_text(encoding="utf-8")
        assert "self._ticks[put] = tick" in text
        file.write_text(text.replace("self._ticks[put] = tick", "self._ticks[put] = [tick][0]"), encoding="utf-8")

    bench = board("pico_direct", spoil=spoil)
    bench.advance(0.5)
    bench.put("seat 1", True, 100)
    with pytest.raises(Ended) as ended:
        bench.advance(0.1)
    assert ended.value.args[0] == ALLOCATED
    assert "heap is locked" in ended.value.args[1]


# --- lamps, watchdog, prompt


def test_lamps_behind_the_chain_are_lit_as_the_table_says(board: Start):
    bench = board()
    bench.advance(1)
    chain = bench.pico.wiring.chain
    assert chain
    assert lit(bench) == set()
    bench.core.lamps({"seat 1": "on", "undo": "on"}, bench.now * 1000)
    bench.advance(0.1)
    assert lit(bench) == {"seat 1", "undo"}
    bench.core.lamps({"vote": "blink"}, bench.now * 1000)
    seen: set[frozenset[str]] = set()
    for _ in range(20):
        bench.advance(0.05)
        seen.add(frozenset(lit(bench)))
    assert seen == {frozenset(), frozenset({"vote"})}
    bench.cut = True
    bench.advance(1.5)
    assert lit(bench) == set()


def lit(bench: Lockstep) -> set[str]:
    """Return which lamps glow, as shift registers would have it: what was clocked in before the last latch."""
    chain = bench.pico.wiring.chain
    assert chain
    data, register, shown = 0, [], []
    previous = {chain.clock: 0, chain.latch: 0}
    for pin, level in bench.outputs:
        if pin == chain.data:
            data = level
        elif level and not previous[pin]:
            if pin == chain.clock:
                register.insert(0, data)
            else:
                shown = list(register)
        previous[pin] = level
    return {key for key, bit in zip(chain.keys, shown, strict=False) if bit}


def test_a_loop_that_stands_still_is_ended_by_the_watchdog_once_a_table_was_there(board: Start):
    bench = board()
    bench.turn(3_000_000)  # nobody there yet: files may be copied for as long as it takes
    bench.turn()
    bench.advance(0.5)
    assert bench.told == [b"G"]
    with pytest.raises(Ended) as ended:
        bench.turn(2_100_000)
    assert ended.value.args[0] == WATCHDOG_BIT


def test_the_prompt_can_be_had_before_a_table_was_there(board: Start):
    bench = board()
    bench.turn()
    bench.say(b"\r\x03\r\x01")
    with pytest.raises(Ended) as ended:
        bench.advance(0.1)
    assert ended.value.args == (0, "")


def test_with_a_table_the_same_bytes_are_noise(board: Start):
    bench = board()
    bench.advance(1)
    bench.say(b"\0\r\x03\r\x01\0")
    bench.advance(1)
    assert bench.core.status.up


def test_after_a_table_the_prompt_costs_a_restart_because_the_watchdog_cannot_be_stopped(board: Start):
    bench = board()
    bench.advance(1)
    bench.cut = True
    bench.advance(2.5)
    bench.say(b"\r\x03")
    with pytest.raises(Ended) as ended:
        bench.turn()
    assert ended.value.args[0] == RESET


def test_no_frame_of_ours_looks_like_the_wish_for_the_prompt():
    for number in range(256):
        for boot in (0, 0x010D010D, 0x0D030D03):
            for kind, *values in ((frames.HELLO, 1), (frames.PING, 0x030D030D), (frames.ACK, 0xFFFFFF)):
                assert not frames.pack(kind, number, boot, *values)[1:].startswith(b"\r\x03")


# --- never silent


def test_the_handshake_says_the_build_of_the_files_that_were_copied(board: Start):
    bench = board()
    bench.advance(0.5)
    device = bench.core.status.device
    assert device
    assert device.build == flashing.build(bench.pico.wiring)
    assert (device.id, device.kind, device.inputs) == ("pico-e66074657374", "table", 29)


@pytest.mark.parametrize(
    ("pins", "said"),
    [
        (None, "pins.json is missing"),
        ("nonsense", "pins.json is no JSON"),
        ("[]", "pins.json is no object"),
        ('{"inputs": 65}', "inputs is 65, not 1 to 64"),
        ('{"inputs": 3, "pin": []}', "unknown word pin"),
        ('{"inputs": 3, "pins": [[0, 1, 0], [1, 1, 0]]}', "pin 1 stands twice"),
        ('{"inputs": 3, "pins": [[0, 1, 0], [0, 2, 0]]}', "input 0 stands twice"),
        ('{"inputs": 3, "pins": [[3, 1, 0]]}', "an input is 3, not 0 to 2"),
        ('{"inputs": 3, "pins": [[0, 24, 0]]}', "there is no pin 24"),
        ('{"inputs": 3, "pins": [[0, 1]]}', "pins is no list of 3 numbers each"),
        ('{"inputs": 3, "matrix": {"columns": [1], "rows": [2], "inputs": [[0, 1]]}}', "1 columns of 1 rows"),
        ('{"inputs": 3, "matrix": {"columns": [1]}}', "needs columns, rows and inputs"),
        ('{"inputs": 3, "matrix": 5}', "needs columns, rows and inputs"),
        ('{"inputs": 3, "lamps": {"chain": {"data": 1}}}', "needs data, clock, latch and lamps"),
    ],
)
def test_a_device_whose_pins_are_wrong_says_so(board: Start, pins: str | None, said: str):
    def spoil(folder: Path) -> None:
        file = folder / "pins.json"
        file.unlink()
        if pins is not None:
            file.write_text(pins, encoding="utf-8")

    bench = board(spoil=spoil)
    bench.advance(0.5)
    status = bench.core.status
    assert (status.up, status.reason) == (False, Reason.FAULTY)
    assert status.detail.startswith("pico-e66074657374: ")
    assert said in status.detail
    assert bench.edges == []
    assert bench.core.heard_until() is None


def test_a_device_whose_program_breaks_off_says_so_and_starts_anew(board: Start):
    def spoil(folder: Path) -> None:
        file = folder / "firmware_bridge" / "device.py"
        text = file.read_text(encoding="utf-8")
        assert "self._light(values[0])" in text
        file.write_text(text.replace("self._light(values[0])", "self._light(1 / 0)"), encoding="utf-8")

    bench = board(spoil=spoil)
    with pytest.raises(Ended) as ended:
        bench.advance(10)
    assert bench.core.status.reason is Reason.FAULTY
    assert "the program broke off: ZeroDivisionError" in bench.core.status.detail
    assert ended.value.args[0] in (RESET, WATCHDOG_BIT)


# --- real time, a real pseudo-terminal, the real link


class Listener:
    """A link whose every edge is committed at once."""

    def __init__(self, ports: Callable[[], list[str]], wiring: WiringMap) -> None:
        self.edges: list[Edge] = []
        self.statuses: list[LinkStatus] = []
        self.link = SeatLink(ports, self._take, self.statuses.append, wiring=wiring.inputs)

    def _take(self, edge: Edge) -> None:
        self.edges.append(edge)
        self.link.acknowledge(edge.seq, edge.boot)

    def down(self, at: int) -> set[str]:
        """Return which hands rest at a moment, by the edges heard."""
        state: dict[str, bool] = {}
        for edge in sorted(self.edges, key=lambda edge: edge.signal.at):
            if edge.signal.at <= at:
                state[edge.signal.key] = edge.signal.down
        return {key for key, down in state.items() if down}

    async def until(self, condition: Callable[[], Any]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():  # noqa: ASYNC110 - the link says it to nobody
                await asyncio.sleep(0.005)

    async def heard(self, moment: int) -> None:
        await self.until(lambda: (self.link.heard_until() or 0) >= moment)


@asynccontextmanager
async def listening(ports: Callable[[], list[str]], wiring: WiringMap) -> AsyncGenerator[Listener]:
    listener = Listener(ports, wiring)
    task = asyncio.create_task(listener.link.run())
    try:
        yield listener
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.mark.timeout(180)
async def test_an_edge_is_placed_within_a_millisecond_through_firmware_terminal_link_and_clock(tmp_path: Path):
    pico = Pico(tmp_path / "board", wiring("pico_direct"))
    master, slave = pty.openpty()
    tty.setraw(slave)
    port = os.ttyname(slave)
    pico.power_on(master, master, drift_ppm=50, latency_us=100)
    chance = random.Random(2)
    truth: list[tuple[str, bool, int]] = []
    try:
        async with listening(lambda: [port], pico.wiring) as listener:
            await listener.until(lambda: listener.link.status.clock_ready)
            for turn in range(400):
                key = pico.wiring.keys[turn // 2 % len(pico.wiring.keys)]
                truth.append((key, turn % 2 == 0, put(pico, key, turn % 2 == 0)))
                await asyncio.sleep(chance.uniform(0.03, 0.06))
            await listener.until(lambda: len(listener.edges) == len(truth))
            # Keys of different inputs settle in their own order; here each waits for the one before.
            listener.edges.sort(key=lambda edge: edge.signal.at)  # different inputs settle each in its own time
            assert [(edge.signal.key, edge.signal.down) for edge in listener.edges] == [row[:2] for row in truth]
            assert listener.link.status.gaps == ()
    finally:
        said = pico.power_off()
        os.close(master)
        os.close(slave)
    assert said == ""
    errors = sorted(abs(edge.signal.at - at) / MS for edge, (_, _, at) in zip(listener.edges, truth, strict=True))
    p50, p99 = errors[len(errors) // 2], errors[int(len(errors) * 0.99)]
    print(f"{len(errors)} edges: placement p50 {p50:.3f} ms, p99 {p99:.3f} ms, worst {errors[-1]:.3f} ms")
    assert p99 <= 1
    for edge, (_, _, at) in zip(listener.edges, truth, strict=True):
        assert abs(edge.signal.at - at) <= edge.error_ns + 110_000  # the interrupt's latency


async def test_a_cut_of_two_seconds_in_a_window_loses_no_hand_and_invents_none(tmp_path: Path):
    pico = Pico(tmp_path / "board", wiring("pico_direct"))
    cable = Cable(pico)
    try:
        async with listening(lambda: cable.ports, pico.wiring) as listener:
            await listener.until(lambda: listener.link.status.up)
            await listener.heard(time.monotonic_ns())
            opened = put(pico, "seat 1", True)
            await asyncio.sleep(0.1)
            cable.cut = True
            put(pico, "seat 2", True)
            put(pico, "seat 3", True)
            await asyncio.sleep(1.0)
            put(pico, "seat 3", False)
            closing = time.monotonic_ns()
            await asyncio.sleep(0.3)
            put(pico, "seat 4", True)
            await asyncio.sleep(0.7)
            cable.cut = False
            await listener.heard(time.monotonic_ns())
            assert listener.down(closing) == {"seat 1", "seat 2", "seat 3"}
            assert listener.down(time.monotonic_ns()) == {"seat 1", "seat 2", "seat 4"}
            assert listener.link.covered(opened, closing)
            assert len(listener.edges) == 5
            assert any(status.reason is Reason.SILENT for status in listener.statuses)
    finally:
        assert cable.power_off() == ""
        cable.unplug()


async def test_a_return_under_another_name_in_a_window_loses_no_hand_and_invents_none(tmp_path: Path):
    pico = Pico(tmp_path / "board", wiring("pico_direct"))
    cable = Cable(pico)
    try:
        async with listening(lambda: cable.ports, pico.wiring) as listener:
            await listener.until(lambda: listener.link.status.up)
            await listener.heard(time.monotonic_ns())
            opened = put(pico, "seat 7", True)
            await asyncio.sleep(0.1)
            first = cable.ports
            spare = pty.openpty()  # takes the old name's place, so that the device has to get another
            cable.unplug()
            put(pico, "seat 8", True)
            await asyncio.sleep(0.5)
            holder = pty.openpty()
            cable.plug_in()
            assert cable.ports != first
            put(pico, "seat 7", False)
            await asyncio.sleep(0.1)
            closing = time.monotonic_ns()
            await listener.heard(closing)
            assert listener.down(closing) == {"seat 8"}
            assert [(edge.signal.key, edge.signal.down) for edge in listener.edges] == [
                ("seat 7", True), ("seat 8", True), ("seat 7", False),
            ]  # fmt: skip
            assert listener.link.covered(opened, closing)
            for end in (*spare, *holder):
                os.close(end)
    finally:
        assert cable.power_off() == ""
        cable.unplug()


async def test_a_reboot_in_a_window_is_a_gap_and_no_count(tmp_path: Path):
    pico = Pico(tmp_path / "board", wiring("pico_direct"))
    cable = Cable(pico)
    try:
        async with listening(lambda: cable.ports, pico.wiring) as listener:
            await listener.until(lambda: listener.link.status.up)
            await listener.heard(time.monotonic_ns())
            opened = put(pico, "seat 5", True)
            await listener.until(lambda: len(listener.edges) == 1)
            before = listener.link.status.device
            assert cable.power_off() == ""
            cable.power_on()
            await listener.until(lambda: listener.link.status.device != before)
            closing = time.monotonic_ns()
            await listener.heard(closing)
            # The hand still rests. That is no news of this life, and the window is not the table's to count.
            assert len(listener.edges) == 1
            await listener.until(lambda: listener.link.status.stuck == {"seat 5": Stuck.CLOSED_AT_START})
            assert not listener.link.covered(opened, closing)
            put(pico, "seat 5", False)
            await asyncio.sleep(0.1)
            again = put(pico, "seat 5", True)
            await listener.until(lambda: len(listener.edges) == 2)
            await listener.heard(again + 50 * MS)
            assert listener.link.covered(again - 10 * MS, again + 50 * MS)
    finally:
        assert cable.power_off() == ""
        cable.unplug()


def test_nonsense_between_the_hosts_frames_costs_nothing(board: Start):
    bench = board("pico_direct")
    bench.advance(1)
    chance = random.Random(9)
    for turn in range(40):
        bench.say(b"\0" + chance.randbytes(500) + b"\0")
        bench.put("seat 2", turn % 2 == 0, 1_000)
        bench.advance(0.06)
    bench.advance(0.5)
    assert bench.signals() == [("seat 2", turn % 2 == 0) for turn in range(40)]
    assert bench.core.status.up
