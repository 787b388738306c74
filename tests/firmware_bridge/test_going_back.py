"""Device and host joined by wires that lose, hurt, double and shuffle: no edge lost, none invented, none twice."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import frames
from firmware_bridge.core import ROUND_TRIPS_BEFORE_EDGES, LinkCore, Reason, Stuck
from firmware_bridge.device import WINDOW, Device
from hardware.debounce import since
from hardware.wiring import TEN_SEATS_AND_BOARD
from tests.firmware_bridge.bench import MS, SECOND, Bench


def play(bench: Bench, seconds: float, chance: random.Random) -> list[tuple[str, bool, int]]:
    """Press hands and keys for a while. Return what really happened, in the order it settles."""
    truth: list[tuple[str, bool, int]] = []
    end = bench.now + seconds * SECOND
    while bench.now < end:
        key = chance.choice([key for key in TEN_SEATS_AND_BOARD if key])
        for down in (True, False):
            bench.put(key, down)
            truth.append((key, down, bench.now))
            bench.advance(chance.uniform(0.04, 0.2))
    return truth


def assert_told(bench: Bench, truth: list[tuple[str, bool, int]]) -> None:
    """Every edge once, in order, at its time to within what the link itself says it can be off."""
    assert bench.signals() == [(key, down) for key, down, _ in truth]
    for edge, (_, _, at) in zip(bench.edges, truth, strict=True):
        assert abs(edge.signal.at - at) <= edge.error_ns + 2000


def test_edges_come_in_order_with_their_times():
    bench = Bench(drift_ppm=50)
    bench.advance(1)
    assert_told(bench, play_and_wait(bench, 5))


def play_and_wait(bench: Bench, seconds: float, seed: int = 3) -> list[tuple[str, bool, int]]:
    truth = play(bench, seconds, random.Random(seed))
    bench.advance(1)
    return truth


def test_edges_are_given_once_although_nothing_is_committed_for_seconds():
    bench = Bench()
    bench.commits = False
    bench.advance(1)
    truth = play_and_wait(bench, 5)
    assert_told(bench, truth)
    last = bench.edges[-1]
    bench.core.acknowledge(last.seq, last.boot)
    bench.advance(1)
    carried = bench.bytes_carried
    bench.advance(1)
    assert bench.bytes_carried - carried < 8_000  # pings and SENT alone: the ring is empty
    assert_told(bench, truth)


def test_an_edge_on_an_input_that_is_no_key_does_not_stay_in_the_ring():
    bench = Bench(core=LinkCore(wiring=(None, *TEN_SEATS_AND_BOARD[1:])))
    bench.advance(1)
    bench.put("seat 1", True)
    bench.advance(2)
    assert bench.edges == []
    assert bench.device._first == bench.device._next == 2
    bench.commits = False
    bench.put("seat 2", True)
    bench.advance(0.1)
    bench.put("seat 1", False)
    bench.advance(0.1)
    bench.core.acknowledge(bench.edges[0].seq, bench.edges[0].boot)
    bench.advance(0.1)
    assert bench.device._first == bench.device._next == 4


def test_a_cut_of_two_seconds_in_a_window_loses_no_vote_and_invents_none():
    bench = Bench(drift_ppm=50)
    bench.advance(11)
    opened = bench.now
    bench.put("seat 2", True)
    bench.advance(0.3)
    bench.cut = True
    for seat in (3, 4):
        bench.put(f"seat {seat}", True)
        bench.advance(0.4)
    bench.put("seat 3", False)
    bench.advance(1.2)
    assert bench.core.status.reason is Reason.SILENT
    closed = bench.now
    assert not bench.core.covered(opened, closed)
    assert bench.signals() == [("seat 2", True)]
    bench.cut = False
    bench.advance(1)
    assert bench.signals() == [("seat 2", True), ("seat 3", True), ("seat 4", True), ("seat 3", False)]
    assert bench.core.covered(opened, closed)
    assert [round((edge.signal.at - opened) / MS) for edge in bench.edges] == [0, 300, 700, 1100]
    assert all(
        abs(edge.signal.at - opened - at * MS) < MS for edge, at in zip(bench.edges, (0, 300, 700, 1100), strict=True)
    )


def test_a_dead_link_is_noticed_in_a_second():
    bench = Bench()
    bench.advance(1)
    bench.cut = True
    bench.advance(0.9)
    assert bench.core.status.up
    bench.advance(0.2)
    assert (bench.core.status.up, bench.core.status.reason) == (False, Reason.SILENT)


def test_silence_is_told_from_absence():
    bench = Bench()
    bench.advance(2)
    heard = bench.core.heard_until()
    assert heard is not None
    assert 0 < bench.now - heard < 70 * MS
    bench.cut = True
    bench.advance(0.1)
    when_cut = bench.core.heard_until()
    bench.advance(3)
    assert bench.core.heard_until() == when_cut


@pytest.mark.parametrize("asleep_s", [5, 3600, 100_000])
def test_after_a_sleep_of_the_host_nothing_is_placed_in_the_future_and_the_fit_begins_anew(asleep_s: int):
    bench = Bench()
    bench.advance(15)
    assert bench.core.status.clock_ready
    # The host's clock stands still while it sleeps; the device's goes on.
    bench._booted -= asleep_s * SECOND
    bench.put("seat 4", True)
    worst = 0
    for _ in range(200):
        bench.advance(0.01)
        heard = bench.core.heard_until()
        assert heard is not None
        worst = max(worst, heard - bench.now)
    assert worst <= 0
    assert bench.signals() == [("seat 4", True)]
    assert bench.edges[0].signal.at <= bench.now
    assert not bench.core.status.clock_ready  # windows are flagged
    bench.advance(12)
    assert bench.core.status.clock_ready
    bench.put("seat 4", False)
    at = bench.now
    bench.advance(1)
    assert abs(bench.edges[-1].signal.at - at) < 2 * MS


def test_a_sent_is_not_believed_before_the_edges_that_it_counts_have_come():
    bench = Bench()
    bench.advance(1)
    heard = bench.core.heard_until()
    assert bench.core.status.device
    boot, tick = bench.core.status.device.boot, bench.tick()
    assert bench.core.receive(frames.pack(frames.SENT, 0, boot, tick, 1, 1), bench.now) == []
    assert bench.core.heard_until() == heard
    [edge] = bench.core.receive(frames.pack(frames.EDGE, 1, boot, 1, [(4, True, tick)]), bench.now)
    assert edge.signal.key == "seat 5"
    later = bench.core.heard_until()
    assert heard is not None
    assert later is not None
    assert later > heard


def test_a_bouncing_contact_is_dated_by_its_first_edge_through_the_whole_link():
    bench = Bench()
    bench.advance(2)
    began = bench.now
    for turn in range(18):
        bench.put("seat 7", turn % 2 == 0)
        bench.advance(0.002)
    bench.put("seat 7", True)
    bench.advance(0.1)
    assert bench.signals() == [("seat 7", True)]
    assert abs(bench.edges[0].signal.at - began) < MS


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_no_edge_comes_later_than_a_sent_that_has_spoken_for_its_time(seed: int):
    chance = random.Random(seed)
    device, tick = linked_device(chance.randrange(1 << 30))
    host = frames.Decoder()
    claims: list[tuple[int, int]] = []
    levels = [False] * 29
    restless: list[int] = []
    for step in range(1500):
        tick = (tick + 1000) % (1 << 30)
        if step % 100 == 0:
            restless = chance.sample(range(29), chance.randrange(4))
        for source in restless:
            if chance.random() < 0.3:
                levels[source] = not levels[source]
                device.edge(source, levels[source], tick)
        if step % 50 == 0:
            device.receive(frames.pack(frames.PING, 0, 77, 1), tick)
        device.advance(tick)
        for kind, _, _, values in host.feed(device.take()):
            if kind == frames.SENT:
                claims.append((values[0], values[1]))
            if kind == frames.EDGE:
                for seq, (_, _, at) in enumerate(values[1], start=values[0]):
                    for upto, last in claims[-40:]:
                        assert seq <= last or since(at, upto, 1 << 30) > 0
    assert len(claims) > 20


def linked_device(tick: int) -> tuple[Device, int]:
    device = Device("table", "test", "bench-1", 77, [False] * 29, tick)
    device.receive(frames.pack(frames.HELLO, 0, 0, frames.PROTOCOL), tick)
    device.take()
    return device, tick


def said(device: Device, kind: int) -> list[list[Any]]:
    return [values for what, _, _, values in frames.Decoder().feed(device.take()) if what == kind]


def press(device: Device, tick: int, times: int) -> int:
    for _ in range(times):
        for down in (True, False):
            device.edge(0, down, tick)
            tick += 20_000
            device.receive(frames.pack(frames.PING, 0, 77, 1), tick)
            device.advance(tick)
    return tick


def test_no_more_edges_are_on_their_way_than_the_window_allows():
    device, tick = linked_device(0)
    press(device, tick, 100)
    sent = [seq for first, edges in said(device, frames.EDGE) for seq in range(first, first + len(edges))]
    assert set(sent) == set(range(1, WINDOW + 1))


def test_a_host_that_asks_again_gets_at_once_what_is_not_acknowledged():
    device, tick = linked_device(0)
    tick = press(device, tick, 2)
    assert said(device, frames.EDGE)
    device.receive(frames.pack(frames.HELLO, 0, 0, frames.PROTOCOL), tick)
    device.advance(tick)
    assert [(seq, len(edges)) for seq, edges in said(device, frames.EDGE)] == [(1, 4)]


def test_a_host_that_was_silent_gets_at_once_what_is_not_acknowledged():
    device, tick = linked_device(0)
    tick = press(device, tick, 2)
    for _ in range(30):
        tick += 50_000
        device.advance(tick)
    device.take()
    device.advance(tick)
    assert device.take() == b""
    device.receive(frames.pack(frames.PING, 0, 77, 1), tick)
    device.advance(tick)
    assert [(seq, len(edges)) for seq, edges in said(device, frames.EDGE)] == [(1, 4)]


def test_a_device_heeds_nothing_that_is_meant_for_another_life_and_says_who_it_is():
    device, tick = linked_device(0)
    tick = press(device, tick, 2)
    device.take()
    for stale in (
        frames.pack(frames.ACK, 0, 76, 4),
        frames.pack(frames.LAMPS, 0, 76, b"\x55"),
        frames.pack(frames.PING, 0, 76, 9),
    ):
        device.receive(stale, tick)
        answers = frames.Decoder().feed(device.take())
        assert [(kind, boot) for kind, _, boot, _ in answers] == [(frames.IDENTITY, 77)]
    assert not any(device.lamps)
    assert device._first == 1


def test_a_host_believes_nothing_from_a_life_that_it_has_not_met_and_asks():
    bench = Bench()
    bench.advance(1)
    heard = bench.core.heard_until()
    assert bench.core.status.device
    other = bench.core.status.device.boot ^ 1
    bench.core.take()
    for strange in (
        frames.pack(frames.EDGE, 0, other, 1, [(0, True, bench.tick())]),
        frames.pack(frames.SENT, 0, other, (bench.tick() + 5_000_000) % (1 << 30), 0, 1),
        frames.pack(frames.STUCK, 0, other, 1, 0, 0),
    ):
        assert bench.core.receive(strange, bench.now) == []
    assert [kind for kind, *_ in frames.Decoder().feed(bench.core.take())] == [frames.HELLO]
    assert bench.core.heard_until() == heard
    assert bench.core.status.stuck == {}
    assert bench.core._life
    assert bench.core._life.expected == 1


def test_a_chattering_contact_is_reported_and_does_not_hold_up_the_others():
    bench = Bench()
    bench.advance(2)
    for turn in range(400):
        bench.put("seat 7", turn % 2 == 0)
        bench.advance(0.005)
    assert bench.core.status.stuck == {"seat 7": Stuck.CHATTERING}
    heard = bench.core.heard_until()
    assert heard is not None
    assert bench.now - heard < 100 * MS
    bench.put("seat 7", False)
    bench.advance(1.1)
    assert bench.core.status.stuck == {}


def test_a_contact_closed_at_start_is_reported_and_not_counted():
    bench = Bench()
    bench.levels[3] = True
    bench.boot()
    bench.advance(1)
    assert bench.core.status.stuck == {"seat 4": Stuck.CLOSED_AT_START}
    bench.put("seat 4", False)
    bench.advance(1)
    assert bench.core.status.stuck == {}
    assert bench.edges == []


def test_a_contact_closed_for_a_minute_is_reported_and_its_release_is_told():
    bench = Bench()
    bench.advance(1)
    bench.put("vote", True)
    bench.advance(61, step=5 * MS)
    assert bench.core.status.stuck == {"vote": Stuck.CLOSED_TOO_LONG}
    bench.put("vote", False)
    bench.advance(0.1)
    assert bench.core.status.stuck == {}
    assert bench.signals() == [("vote", True), ("vote", False)]


def test_a_reboot_is_a_new_life_and_a_gap():
    bench = Bench()
    bench.advance(12)
    before = play(bench, 2, random.Random(1))
    bench.advance(0.2)
    life = bench.core.status.device
    died = bench.now
    bench.put("seat 1", True)  # settles never: power goes first
    bench.boot()
    bench.advance(2)
    assert life is not None
    assert bench.core.status.device is not None
    assert bench.core.status.device.boot != life.boot
    assert not bench.core.status.clock_ready
    assert bench.core.status.stuck == {"seat 1": Stuck.CLOSED_AT_START}
    assert not bench.core.covered(died - SECOND // 10, died + SECOND // 10)
    assert bench.core.covered(died - SECOND, died - SECOND // 2)
    after = play_and_wait(bench, 2)
    assert bench.core.covered(bench.now - SECOND, bench.now - SECOND // 10)
    mine = [(key, down, at) for key, down, at in after]
    told = [(edge.signal.key, edge.signal.down) for edge in bench.edges]
    assert told[: len(before)] == [(key, down) for key, down, _ in before]
    assert told[len(before) :] == [(key, down) for key, down, _ in mine]


def test_an_acknowledgement_for_a_life_that_is_over_frees_nothing():
    bench = Bench()
    bench.commits = False
    bench.advance(1)
    play(bench, 2, random.Random(1))
    old = bench.edges[-1]
    bench.boot()
    bench.advance(1)
    bench.put("seat 5", True)
    bench.advance(0.2)
    bench.core.acknowledge(old.seq, old.boot)
    bench.advance(0.2)
    assert bench.device._first == 1


def test_an_edge_committed_before_a_restart_of_the_service_is_not_given_again():
    first = Bench()
    first.commits = False
    first.advance(1)
    first.put("seat 1", True)
    first.advance(0.1)
    first.put("seat 2", True)
    first.advance(0.1)
    one, two = first.edges
    assert (one.seq, two.seq) == (1, 2)
    # The service stops after committing the first and before acknowledging it; another run begins.
    first.core = LinkCore(committed=("bench-1", one.boot, one.seq))
    first.edges.clear()
    first.core.opened("bench", first.now)
    first.advance(1)
    assert [(edge.signal.key, edge.seq) for edge in first.edges] == [("seat 2", 2)]
    assert abs(first.edges[0].signal.at - two.signal.at) < MS
    assert first.device._first == 2


def test_a_ring_that_overflows_is_a_gap_and_the_rest_comes():
    bench = Bench(ring=16)
    bench.advance(2)
    bench.cut = True
    bench.advance(0.5)
    cut = bench.now
    truth = play(bench, 5, random.Random(4))
    bench.cut = False
    bench.advance(2)
    assert len(truth) > 20
    assert bench.signals() == [(key, down) for key, down, _ in truth[-16:]]
    assert not bench.core.covered(cut, cut + SECOND)
    bench.advance(1)
    assert bench.core.covered(bench.now - SECOND // 2, bench.now - SECOND // 10)


def test_an_edge_older_than_a_quarter_turn_of_the_counter_is_forgotten_and_a_gap():
    bench = Bench()
    bench.advance(2)
    bench.cut = True
    bench.put("seat 1", True)
    bench.advance(300, step=20 * MS)
    bench.put("seat 2", True)
    bench.advance(0.1)
    pressed = bench.now - SECOND // 10
    bench.cut = False
    bench.advance(3)
    assert bench.signals() == [("seat 2", True)]
    assert abs(bench.edges[0].signal.at - pressed) < MS
    assert not bench.core.covered(bench.now - 200 * SECOND, bench.now - 100 * SECOND)


def test_an_edge_after_an_absence_of_most_of_a_turn_of_the_counter_is_dated_right():
    bench = Bench()
    bench.advance(2)
    bench.cut = True
    bench.advance(700, step=50 * MS)
    bench.put("seat 2", True)
    pressed = bench.now
    bench.advance(0.1)
    bench.cut = False
    bench.advance(2)
    assert bench.signals() == [("seat 2", True)]
    assert abs(bench.edges[0].signal.at - pressed) < MS


def test_a_device_that_speaks_another_version_is_named_and_not_used(monkeypatch: pytest.MonkeyPatch):
    bench = Bench()
    monkeypatch.setattr(frames, "PROTOCOL", 2)
    bench.device._greet(bench.tick())
    said = bench.device.take()
    monkeypatch.setattr(frames, "PROTOCOL", 1)
    bench.core.receive(said, bench.now)
    assert (bench.core.status.up, bench.core.status.reason) == (False, Reason.OTHER_PROTOCOL)
    assert bench.core.status.detail == "device 2, table 1"


def test_another_device_than_the_one_named_is_not_used():
    bench = Bench(core=LinkCore(only_device="table-9"))
    bench.advance(2)
    assert not bench.core.status.up


def test_a_silent_host_turns_the_lamps_off_and_a_returning_one_sets_them_again():
    bench = Bench()
    bench.advance(0.5)
    bench.core.lamps({"seat 3": "on", "vote": "blink"}, bench.now)
    bench.advance(0.1)
    lit = {TEN_SEATS_AND_BOARD[lamp]: state for lamp, state in enumerate(bench.device.lamps) if state}
    assert lit == {"seat 3": frames.LAMP_ON, "vote": frames.LAMP_BLINK}
    bench.cut = True
    bench.advance(1.5)
    assert not any(bench.device.lamps)
    bench.cut = False
    bench.advance(1)
    assert {TEN_SEATS_AND_BOARD[lamp] for lamp, state in enumerate(bench.device.lamps) if state} == {"seat 3", "vote"}


@pytest.mark.parametrize("states", [{"seat 30": "on"}, {"seat 3": "bright"}])
def test_a_lamp_that_is_not_there_is_refused(states: dict[str, str]):
    with pytest.raises(ValueError, match="no lamp"):
        LinkCore().lamps(states, 0)


class Gremlins:
    """What a bad cable, a flaky hub and a bridge with a memory fault do to bytes."""

    def __init__(self, seed: int, rate: float) -> None:
        self.chance = random.Random(seed)
        self.rate = rate
        self.old: list[bytes] = []
        self.at_work = True
        self.deeds = 0

    def __call__(self, data: bytes) -> list[bytes]:
        if not self.at_work or self.chance.random() > self.rate:
            self.old = [*self.old[-30:], data]
            return [data]
        self.deeds += 1
        hurt = bytearray(data)
        match self.chance.randrange(7):
            case 0:
                return []
            case 1:
                return [data, data]
            case 2:
                return [data, self.chance.choice([data, *self.old])]
            case 3:
                for _ in range(self.chance.randrange(1, 9)):
                    at = self.chance.randrange(len(hurt))
                    hurt[at] ^= 1 << self.chance.randrange(8)
                return [bytes(hurt)]
            case 4:
                at = self.chance.randrange(len(hurt))
                return [bytes(hurt[:at])]
            case 5:
                at = self.chance.randrange(len(hurt))
                return [bytes(hurt[at:])]
            case _:
                return [self.chance.randbytes(self.chance.randrange(1, 80)), data]


def through_gremlins(seed: int, seconds: float, rate: float, jitter_ms: float, *, in_order: bool) -> Bench:
    gremlins = Gremlins(seed, rate)
    chance = random.Random(seed + 1)
    bench = Bench(
        seed=seed,
        drift_ppm=chance.uniform(-50, 50),
        delay=lambda: chance.uniform(0, jitter_ms) * MS,
        fate=gremlins,
        in_order=in_order,
    )
    truth = play(bench, seconds, chance)
    gremlins.at_work = False
    bench.advance(4)
    assert gremlins.deeds
    assert_told(bench, truth)
    assert bench.device._first == bench.device._next
    return bench


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.05, 0.6), st.floats(0, 30), st.booleans())
def test_no_edge_is_lost_or_invented_whatever_happens_to_the_bytes(
    seed: int, rate: float, jitter_ms: float, in_order: bool
):
    through_gremlins(seed, 4, rate, jitter_ms, in_order=in_order)


def test_no_edge_is_lost_or_invented_over_two_hundred_thousand_bytes():
    bench = through_gremlins(5, 125, 0.3, 20, in_order=False)
    print(f"{bench.bytes_carried} bytes, {len(bench.edges)} edges, {bench.core.status.damaged_frames} damaged frames")
    assert bench.bytes_carried > 200_000


@settings(max_examples=20, deadline=None)
@given(st.lists(st.binary(max_size=300), max_size=20))
def test_neither_side_minds_any_bytes(pieces: list[bytes]):
    bench = Bench()
    bench.advance(0.3)
    for piece in pieces:
        assert bench.core.receive(piece, bench.now) == []
        bench.device.receive(piece, bench.tick())
    bench.advance(0.3)
    bench.put("seat 1", True)
    bench.advance(0.4)
    assert bench.signals() == [("seat 1", True)]


def test_edges_wait_for_the_clock():
    bench = Bench()
    bench.put("seat 1", True)
    bench.advance(0.1)
    assert bench.edges == []
    bench.advance(ROUND_TRIPS_BEFORE_EDGES * 0.02 + 0.1)
    assert bench.signals() == [("seat 1", True)]
