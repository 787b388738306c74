"""The link against the simulated table: another process, a real pseudo-terminal, real time."""

import asyncio
import json
import os
import pty
import sys
import time
import tty
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.link import Edge, LinkStatus, Reason, SeatLink, Stuck, candidate_ports

MS = 1_000_000
DEADLINE_S = 10.0


class Simulator:
    """The simulated table as a child process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    def tell(self, **command: Any) -> int:
        """Write one command line. Return the time just before, in nanoseconds."""
        assert self.process.stdin
        before = time.monotonic_ns()
        self.process.stdin.write((json.dumps(command) + "\n").encode())
        return before

    async def answer(self, wanted: str) -> dict[str, Any]:
        """Return the next answer that has `wanted` in it."""
        assert self.process.stdout
        async with asyncio.timeout(DEADLINE_S):
            while True:
                line = json.loads(await self.process.stdout.readline())
                if wanted in line:
                    return line


async def start(link: Path, *options: str) -> Simulator:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "firmware_bridge.simulated",
        "--link",
        str(link),
        *options,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    return Simulator(process)


@asynccontextmanager
async def simulator(link: Path, *options: str) -> AsyncGenerator[Simulator]:
    table = await start(link, *options)
    await table.answer("port")
    try:
        yield table
    finally:
        assert table.process.stdin
        table.process.stdin.close()
        await asyncio.wait_for(table.process.wait(), DEADLINE_S)


class Listener:
    """What a table does with a link: it commits edges and remembers what it was told."""

    def __init__(self, ports: Callable[[], list[str]]) -> None:
        self.edges: list[Edge] = []
        self.heard_at: list[int] = []
        self.statuses: list[LinkStatus] = []
        self._news = asyncio.Event()
        self.link = SeatLink(ports, self._take, self._note)

    def _take(self, edge: Edge) -> None:
        self.edges.append(edge)
        self.heard_at.append(time.monotonic_ns())
        self.link.acknowledge(edge.seq, edge.boot)
        self._news.set()

    def _note(self, status: LinkStatus) -> None:
        self.statuses.append(status)
        self._news.set()

    async def until(self, condition: Callable[[], bool], seconds: float = DEADLINE_S) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def heard(self, moment: int) -> None:
        """Wait until everything up to `moment` was heard."""
        async with asyncio.timeout(DEADLINE_S):
            while (self.link.heard_until() or 0) < moment:  # noqa: ASYNC110 - the link says it to nobody
                await asyncio.sleep(0.005)

    def signals(self) -> list[tuple[str, bool]]:
        return [(edge.signal.key, edge.signal.down) for edge in self.edges]


@asynccontextmanager
async def listening(*ports: Path) -> AsyncGenerator[Listener]:
    listener = Listener(lambda: [str(port) for port in ports if port.exists()])
    task = asyncio.create_task(listener.link.run())
    try:
        yield listener
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "table"


def is_link(path: Path) -> bool:
    return path.is_symlink()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


async def test_a_hand_reaches_the_table_dated_when_it_landed(link: Path):
    async with simulator(link, "--drift-ppm", "50", "--bounce-ms", "5") as table, listening(link) as listener:
        await listener.until(lambda: listener.link.status.up)
        await listener.heard(time.monotonic_ns())
        written: list[int] = []
        for turn in range(20):
            written.append(table.tell(key="seat 4", down=turn % 2 == 0))
            await listener.until(lambda turn=turn: len(listener.edges) > turn)
        late = sorted((edge.signal.at - at) / MS for edge, at in zip(listener.edges, written, strict=True))
        taken = sorted((heard - at) / MS for heard, at in zip(listener.heard_at, written, strict=True))
        print(f"edge - command: median {late[10]:.2f} ms, worst {late[-1]:.2f} ms")
        print(f"table told - command (10 ms of it debounce, 5 ms bounce): median {taken[10]:.1f} ms")
        assert late[0] > -1
        assert late[10] < 5
        assert listener.signals() == [("seat 4", turn % 2 == 0) for turn in range(20)]
        assert {edge.signal.source for edge in listener.edges} == {"sim-1"}


async def test_a_command_for_later_happens_later(link: Path):
    async with simulator(link) as table, listening(link) as listener:
        await listener.until(lambda: listener.link.status.up)
        written = table.tell(key="seat 2", down=True, in_ms=350)
        await listener.until(lambda: bool(listener.edges))
        assert 349 * MS < listener.edges[0].signal.at - written < 600 * MS


async def test_a_cut_of_two_seconds_in_the_middle_of_a_window_loses_no_vote_and_invents_none(link: Path):
    async with simulator(link) as table, listening(link) as listener:
        await listener.until(lambda: listener.link.status.up)
        await listener.heard(time.monotonic_ns())
        opened = time.monotonic_ns()
        table.tell(key="seat 1", down=True)
        await listener.until(lambda: len(listener.edges) == 1)
        table.tell(cut_ms=2000)
        for seat, wait in ((2, 300), (3, 600), (4, 900)):
            table.tell(key=f"seat {seat}", down=True, in_ms=wait)
        table.tell(key="seat 3", down=False, in_ms=1200)
        await listener.until(lambda: listener.statuses[-1].reason is Reason.SILENT)
        noticed = time.monotonic_ns()
        assert noticed - opened < 1900 * MS
        assert not listener.link.covered(opened, noticed)
        await listener.until(lambda: len(listener.edges) == 5)
        await listener.heard(opened + 2000 * MS)
        assert listener.signals() == [
            ("seat 1", True),
            ("seat 2", True),
            ("seat 3", True),
            ("seat 4", True),
            ("seat 3", False),
        ]
        for edge, wait in zip(listener.edges[1:], (300, 600, 900, 1200), strict=True):
            assert abs(edge.signal.at - listener.edges[0].signal.at - wait * MS) < 150 * MS
        assert listener.link.covered(opened, opened + 2000 * MS)


async def test_a_port_that_vanishes_and_returns_under_another_name_is_the_same_device(link: Path):
    ports = [link]
    listener = Listener(lambda: [os.path.realpath(port) for port in ports])
    async with simulator(link) as table:
        task = asyncio.create_task(listener.link.run())
        await listener.until(lambda: listener.link.status.up)
        first = listener.link.status
        table.tell(key="seat 1", down=True)
        await listener.until(lambda: len(listener.edges) == 1)
        # Another terminal takes the old name, as another device on a hub would.
        table.tell(vanish=True)
        table.tell(key="seat 2", down=True)
        await listener.until(lambda: any(status.reason is Reason.UNPLUGGED for status in listener.statuses))
        await listener.until(lambda: len(listener.edges) == 2)
        again = listener.link.status
        assert again.device == first.device
        assert listener.signals() == [("seat 1", True), ("seat 2", True)]
        assert [edge.seq for edge in listener.edges] == [1, 2]
        assert again.gaps == ()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert listener.statuses[-1].reason is Reason.STOPPED


async def test_a_reboot_is_seen_as_another_life(link: Path):
    async with simulator(link) as table, listening(link) as listener:
        await listener.until(lambda: listener.link.status.up)
        table.tell(key="seat 6", down=True)
        await listener.until(lambda: len(listener.edges) == 1)
        await listener.heard(time.monotonic_ns())
        table.tell(reboot=True)
        boot = (await table.answer("boot"))["boot"]
        await listener.until(lambda: bool(listener.link.status.gaps))
        status = listener.link.status
        assert status.device
        assert status.device.boot == boot
        assert status.stuck == {"seat 6": Stuck.CLOSED_AT_START}
        assert len(listener.edges) == 1


async def test_the_device_is_found_among_ports_that_do_not_answer(link: Path, tmp_path: Path):
    master, slave = pty.openpty()
    tty.setraw(slave)
    missing = tmp_path / "nothing"
    missing.touch()
    try:
        async with simulator(link), listening(missing, Path(os.ttyname(slave)), link) as listener:
            await listener.until(lambda: listener.link.status.up)
            assert listener.link.status.port == str(link)
            assert any(status.reason is Reason.PORT_FAILED for status in listener.statuses)
    finally:
        os.close(master)
        os.close(slave)


async def test_after_an_unplugging_the_port_that_spoke_is_tried_first(link: Path):
    master, slave = pty.openpty()
    tty.setraw(slave)
    silent = os.ttyname(slave)
    try:
        async with simulator(link) as table, listening(Path(silent), link) as listener:
            await listener.until(lambda: listener.link.status.up)
            assert any(status.port == silent for status in listener.statuses)
            listener.statuses.clear()
            table.tell(vanish=True)
            await listener.until(lambda: any(not status.up for status in listener.statuses))
            await listener.until(lambda: listener.statuses[-1].up)
            assert {status.port for status in listener.statuses} == {str(link)}
    finally:
        os.close(master)
        os.close(slave)


async def test_an_edge_that_was_acknowledged_does_not_come_to_the_next_service(link: Path):
    async with simulator(link) as table:
        async with listening(link) as first:
            await first.until(lambda: first.link.status.up)
            table.tell(key="seat 1", down=True)
            await first.until(lambda: len(first.edges) == 1)
        table.tell(key="seat 2", down=True)
        async with listening(link) as second:
            await second.until(lambda: bool(second.edges))
            assert second.signals() == [("seat 2", True)]


async def test_a_port_that_another_program_holds_is_named_busy_and_taken_when_it_is_free(link: Path):
    async with simulator(link), listening(link) as holder:
        await holder.until(lambda: holder.link.status.up)
        async with listening(link) as second:
            await second.until(lambda: second.link.status.reason is Reason.BUSY)
            assert holder.link.status.up


async def test_a_link_started_before_its_device_finds_it_later(link: Path):
    async with listening(link) as listener:
        await listener.until(lambda: bool(listener.statuses))
        assert not listener.link.status.up
        async with simulator(link):
            await listener.until(lambda: listener.link.status.up)
        await listener.until(lambda: not listener.link.status.up)


async def test_lamps_shine_and_are_set_again_after_a_reboot(link: Path):
    async with simulator(link) as table, listening(link) as listener:
        await listener.until(lambda: listener.link.status.up)
        listener.link.lamps({"seat 3": "on", "vote": "blink"})
        for _ in range(2):
            while True:
                lamps = (await table.answer("lamps"))["lamps"]
                if any(state != "off" for state in lamps.values()):
                    break
            assert {key: state for key, state in lamps.items() if state != "off"} == {"seat 3": "on", "vote": "blink"}
            table.tell(reboot=True)


async def test_a_callback_that_raises_does_not_stop_the_link(link: Path, caplog: pytest.LogCaptureFixture):
    told: list[str] = []
    second = asyncio.Event()

    def take(edge: Edge) -> None:
        told.append(edge.signal.key)
        if len(told) == 2:
            second.set()
        raise RuntimeError("the table is on fire")

    def note(status: LinkStatus) -> None:
        if status.up:
            up.set()
        raise RuntimeError("the screen as well")

    up = asyncio.Event()
    seats = SeatLink(lambda: [str(link)], take, note)
    async with simulator(link) as table, asyncio.timeout(DEADLINE_S):
        task = asyncio.create_task(seats.run())
        await up.wait()
        table.tell(key="seat 1", down=True)
        table.tell(key="seat 2", down=True)
        await second.wait()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    assert told == ["seat 1", "seat 2"]
    assert "the table is on fire" in caplog.text


async def test_a_host_that_was_held_up_reads_what_has_arrived_before_it_judges_silence(link: Path):
    async with simulator(link) as table, listening(link) as listener:
        await listener.until(lambda: listener.link.status.up)
        await listener.heard(time.monotonic_ns())
        written = table.tell(key="seat 8", down=True)
        await asyncio.sleep(0.03)
        time.sleep(1.3)  # noqa: ASYNC251 - the fault itself: the event loop stands still
        await listener.until(lambda: len(listener.edges) == 1)
        assert not any(status.reason is Reason.SILENT for status in listener.statuses)
        assert abs(listener.edges[0].signal.at - written) < 50 * MS


async def test_a_second_simulated_table_on_the_same_path_is_refused_with_a_sentence(link: Path):
    async with simulator(link):
        second = await start(link)
        _, complaint = await asyncio.wait_for(second.process.communicate(), DEADLINE_S)
        assert second.process.returncode == 1
        assert complaint.decode() == (
            f"Another simulated table is on {link} already: end it, or choose another path.\n"
        )
        assert is_link(link)


@pytest.fixture
def protocol(link: Path) -> Path:
    link.write_text("a protocol")
    return link


async def test_a_simulated_table_does_not_overwrite_a_file(protocol: Path):
    table = await start(protocol)
    _, complaint = await asyncio.wait_for(table.process.communicate(), DEADLINE_S)
    assert table.process.returncode == 1
    assert "choose another path" in complaint.decode()
    assert text_of(protocol) == "a protocol"


async def test_a_simulated_table_ends_with_its_input_and_leaves_no_link(link: Path):
    async with simulator(link) as table:
        assert is_link(link)
    assert table.process.returncode == 0
    assert not is_link(link)


async def test_a_simulated_table_whose_starter_is_killed_ends(link: Path, tmp_path: Path):
    # A starter that leaves the child's input open in somebody else's hands: only the lost parent tells.
    reader, writer = os.pipe()
    starter = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-m', 'firmware_bridge.simulated', '--link', sys.argv[1]],"
        " stdin=int(sys.argv[2]))\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n",
        str(link),
        str(reader),
        pass_fds=[reader],
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        async with asyncio.timeout(DEADLINE_S):
            assert starter.stdout
            await starter.stdout.readline()
            await starter.stdout.readline()
            assert is_link(link)
            starter.kill()
            await starter.wait()
            while is_link(link):  # noqa: ASYNC110 - the file system tells nobody
                await asyncio.sleep(0.02)
    finally:
        os.close(reader)
        os.close(writer)


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"key": "seat 99", "down": true}', '{"key": "seat 1", "down": 1}'])
async def test_a_line_that_is_no_command_is_answered_and_harms_nothing(link: Path, line: str):
    async with simulator(link) as table:
        assert table.process.stdin
        table.process.stdin.write(f"{line}\n".encode())
        assert "command" in (await table.answer("error"))["error"]


def test_explicit_ports_that_exist_are_candidates(tmp_path: Path):
    there = tmp_path / "there"
    there.touch()
    assert candidate_ports([str(there), str(tmp_path / "missing")])[0] == str(there)
    assert str(tmp_path / "missing") not in candidate_ports([str(tmp_path / "missing")])
