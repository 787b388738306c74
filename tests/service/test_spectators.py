"""Spectators are shown the air's game, each link its own delay later, over a restart too, and slow nobody."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from controller.game import commands as cmd
from controller.game.phases import Dealing, Night
from controller.game.roles import Role
from controller.service.access import LONGEST_DELAY_S, Holder, Scope
from controller.service.audiences import ROOM_A_START
from controller.service.crowd import AT_A_TIME, Crowd, Watcher, text_frame
from controller.service.delayed import SECOND, SLOT, Ring, refill
from controller.service.registry import Link
from controller.service.running import Running, running
from controller.service.sample_final import CARDS
from controller.service.settings import Settings
from controller.service.spectators import Spectators
from controller.views.facts import Surroundings
from controller.views.spectator import spectator_view
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.waiting import comes_true
from tests.views.course import Course


class Clock:
    """A clock that stands until it is moved; nanoseconds."""

    def __init__(self) -> None:
        self.now = 1_000 * SECOND

    def __call__(self) -> int:
        return self.now


class Wire:
    """A connection that takes what it is told to."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.unread = 0
        self.cut = False

    def get_write_buffer_size(self) -> int:
        """What was not taken."""
        return self.unread

    def write(self, data: bytes) -> None:
        """Keeps it."""
        self.sent.append(data)

    def abort(self) -> None:
        """Notes it."""
        self.cut = True

    def is_closing(self) -> bool:
        """Whether it was cut."""
        return self.cut


def watcher(delay: int | None, wire: Wire | None = None) -> Watcher:
    """A spectator with a link of that delay."""
    link = Link(id=f"after {delay}", scope=Scope.SPECTATOR, delay=delay)
    return Watcher(wire or Wire(), Holder(Scope.SPECTATOR, link.id, link), "ru")


def views(wire: Wire) -> list[str]:
    """The views that a wire was sent, by what stands in them."""
    return [part.split(b"}")[0].decode() for row in wire.sent for part in row.split(b'"view":')[1:]]


def test_a_view_is_shown_its_delay_later_and_never_sooner() -> None:
    """Every pair of a moment and a delay, over a random hour: what is shown was on air by then, and is not stale."""
    chance, ring, now = Random(8), Ring(), 5 * SECOND
    shown: list[tuple[int, bytes]] = []
    for number in range(3_000):
        now += chance.choice([0, 1_000_000, SLOT // 3, SLOT, 3 * SECOND])
        view = f"{number if chance.random() < 0.8 else number - 1}".encode()
        ring.add(now, view)
        if not shown or shown[-1][1] != view:
            shown.append((now, view))
        delay = chance.choice([0, 10, 120, 300, LONGEST_DELAY_S])
        kept = ring.at(now - delay * SECOND)
        due = [row for at, row in shown if at <= now - delay * SECOND]
        assert kept is None or kept.view in due
        # At most one slot later than it may be.
        by_now = [row for at, row in shown if at <= now - delay * SECOND - SLOT]
        assert not by_now or kept is not None
        if by_now and kept is not None:
            assert due.index(kept.view) >= due.index(by_now[-1])
    assert len(ring) <= (LONGEST_DELAY_S + 2) * 5


def test_the_ring_is_bounded_however_fast_views_come() -> None:
    ring = Ring()
    for number in range(200_000):
        ring.add(number * 20_000_000, f"{number}".encode())
    assert len(ring) <= (LONGEST_DELAY_S + 2) * 5


def send(crowd: Crowd) -> int:
    """Sends everybody what they were not sent; how often others got their turn meanwhile."""
    work, turns = crowd.send(), 0
    try:
        while True:
            work.send(None)
            turns += 1
    except StopIteration:
        return turns


def look(spectators: Spectators) -> None:
    """What five times a second is done."""
    spectators.look()
    send(spectators.crowd)


def test_a_quarter_of_an_hour_of_the_quickest_game_takes_little_room() -> None:
    """Five views a second, each of them another; packed one by one they would take four megabytes."""
    course, packed = Course(), list[bytes]()

    def seen() -> None:
        packed.append(msgspec.json.encode(spectator_view(course.snapshot(), Surroundings())))

    for _ in course.deal():
        seen()
    while not course.state.at.day or isinstance(course.state.phase, Dealing):
        course.must(cmd.Next())
        seen()
    for seat in (4, 5, 6, 4, 4):
        course.must(cmd.Foul(seat))
        seen()
    ring = Ring()
    for number in range(LONGEST_DELAY_S * 5):
        ring.add(number * SLOT, packed[number % len(packed)])
    assert len(ring) == LONGEST_DELAY_S * 5
    for number in range(0, LONGEST_DELAY_S * 5, 97):
        kept = ring.at(number * SLOT)
        assert kept is not None
        assert kept.view == packed[number % len(packed)]
    print(f"{len(ring)} views of {max(map(len, packed)) / 1000:.1f} kB are kept in {ring.size / 1e6:.1f} MB")
    assert ring.size < 1.5e6


def crowd_of(clock: Clock, usual: Callable[[], int] = lambda: 300) -> tuple[Ring, Spectators]:
    """Nobody yet."""
    ring = Ring()
    spectators = Spectators(ring, page_build="build", start=3, usual_delay=usual, clock=clock)
    spectators.crowd._clock = lambda: clock.now / SECOND
    return ring, spectators


def test_each_link_has_its_own_delay_and_revisions_rise() -> None:
    clock = Clock()
    _, spectators = crowd_of(clock)
    wires = {delay: Wire() for delay in (0, 120, 300)}
    for delay, wire in wires.items():
        spectators.join(f"{delay}", watcher(delay, wire))
    for second in range(400):
        clock.now += SECOND
        spectators.record(b'{"second":%d}' % second)
        look(spectators)
        for delay, wire in wires.items():
            assert all(int(view.split(":")[1]) <= second - delay for view in views(wire)[-1:])
    for delay, wire in wires.items():
        numbers = [int(view.split(":")[1]) for view in views(wire)]
        assert numbers == sorted(set(numbers))
        assert 399 - delay - 2 <= numbers[-1] <= 399 - delay
    revisions = [int(part.split(b",")[0]) for row in wires[0].sent for part in row.split(b'"revision":')[1:]]
    assert revisions == sorted(set(revisions))
    assert revisions[0] > 3 * ROOM_A_START


def test_a_link_without_a_delay_of_its_own_follows_the_tables_and_comes_in_anew_when_that_changes() -> None:
    clock, usual = Clock(), [120]
    _, spectators = crowd_of(clock, lambda: usual[0])
    own, follows = Wire(), Wire()
    spectators.join("own", watcher(200, own))
    spectators.join("follows", watcher(None, follows))
    for second in range(300):
        clock.now += SECOND
        spectators.record(b'{"second":%d}' % second)
        look(spectators)
    assert int(views(follows)[-1].split(":")[1]) == pytest.approx(299 - 120, abs=2)
    usual[0] = 240
    spectators.usual_delay_changed()
    assert follows.cut
    assert not own.cut
    spectators.crowd.leave("follows")
    again = Wire()
    spectators.join("again", watcher(None, again))
    look(spectators)
    assert b'["delay",{"seconds":240,' in b"".join(again.sent)
    assert int(views(again)[-1].split(":")[1]) == pytest.approx(299 - 240, abs=2)


def test_five_views_a_second_at_most() -> None:
    clock = Clock()
    _, spectators = crowd_of(clock)
    wire = Wire()
    spectators.join("one", watcher(0, wire))
    for number in range(1_000):  # ten seconds
        clock.now += SECOND // 100
        spectators.record(b'{"number":%d}' % number)
        look(spectators)
    assert 40 <= len(views(wire)) <= 51


class Watched:
    """A game on a clock of its own, and what spectators of each delay were sent of it: when, and which bytes."""

    def __init__(self, delays: tuple[int, ...]) -> None:
        self.course, self.clock = Course(), Clock()
        self.course.now = self.clock.now
        _, self.spectators = crowd_of(self.clock)
        self.wires = {delay: Wire() for delay in delays}
        self.sent: dict[int, list[tuple[int, bytes]]] = {delay: [] for delay in delays}
        for delay, wire in self.wires.items():
            self.spectators.join(f"{delay}", watcher(delay, wire))

    def passes(self, seconds: float) -> None:
        """Time goes by, looked at five times a second."""
        for _ in range(int(seconds * 5)):
            self.clock.now += SLOT
            self.course.now = self.clock.now
            self.spectators.record(msgspec.json.encode(spectator_view(self.course.snapshot(), Surroundings())))
            look(self.spectators)
            for delay, wire in self.wires.items():
                self.sent[delay] += [(self.clock.now, row) for row in wire.sent]
                wire.sent.clear()


@pytest.mark.parametrize("seed", range(2))
def test_whatever_happens_within_the_delay_spectators_are_sent_the_same_bytes_at_the_same_instants(seed: int) -> None:
    """Two games that are one until they part, in cards, shots, checks and in all that follows."""
    delays = (0, 10, 120, 300)
    games = (Watched(delays), Watched(delays))
    for game in games:
        for command in (cmd.Deal(seat, role) for seat, role in enumerate(CARDS, 1)):
            game.course.must(command)
            game.passes(1)
        while not isinstance(game.course.state.phase, Night):
            game.course.must(cmd.Next())
            game.passes(5)
    parted = games[0].clock.now
    for number, game in enumerate(games):
        chance = Random(seed * 2 + number)
        game.course.must(cmd.Shoot(everybody_at=1 + number))
        for _ in range(60):
            game.course.play(cmd.Check(chance.choice([Role.DON, Role.SHERIFF]), chance.randint(1, 10)))
            if chance.random() < 0.5:
                game.course.play(cmd.Next())
            game.passes(chance.choice([1, 3, 7]))
        game.passes((parted + 800 * SECOND - game.clock.now) / SECOND)
    for delay in delays:
        first, second = (game.sent[delay] for game in games)
        until = parted + delay * SECOND
        assert [row for row in first if row[0] <= until] == [row for row in second if row[0] <= until]
        assert any(at <= until for at, _ in first)
        # The control: later they are sent what makes the two games two.
        assert first != second


def test_the_curtain_opens_when_the_game_is_over_and_falls_with_the_next() -> None:
    clock = Clock()
    _, spectators = crowd_of(clock)
    wire = Wire()
    spectators.join("one", watcher(300, wire))
    course = Course()
    list(course.deal())
    spectators.record(b'{"name":"dealt"')
    refused = spectators.open_curtain(course.snapshot())
    assert refused is not None
    assert refused.code == "curtain_too_soon"
    while not course.state.at.day or isinstance(course.state.phase, Dealing):
        course.must(cmd.Next())
    course.must(cmd.Defeat(1))
    clock.now += 10 * SECOND
    spectators.record(b'{"name":"over"')
    assert spectators.open_curtain(course.snapshot()) is None
    send(spectators.crowd)
    assert views(wire)[-1] == '{"name":"over"'
    clock.now += SECOND
    spectators.record(b'{"name":"points"')
    spectators.heard(course.snapshot())
    look(spectators)
    assert views(wire)[-1] == '{"name":"points"'
    # Another game: it is shown with the whole delay, and nothing goes back.
    fresh = Course()
    spectators.heard(fresh.snapshot())
    clock.now += SECOND
    spectators.record(b'{"name":"next"')
    for _ in range(299):
        clock.now += SECOND
        look(spectators)
        assert views(wire)[-1] == '{"name":"points"'
    clock.now += 2 * SECOND
    look(spectators)
    assert views(wire)[-1] == '{"name":"next"'


def test_one_that_takes_nothing_costs_one_frame_and_is_gone_in_six_seconds() -> None:
    clock = Clock()
    crowd = Crowd(lambda: clock.now / SECOND)
    stalled, fine = Wire(), Wire()
    crowd.join("stalled", watcher(0, stalled))
    crowd.join("fine", watcher(0, fine))
    send(crowd)
    began = clock.now
    stalled.unread = 1
    while not stalled.cut:
        clock.now += SECOND // 5
        crowd.show(0, clock.now, text_frame(b"x" * 5_000))
        send(crowd)
        assert clock.now - began < 6 * SECOND
    assert stalled.sent == []
    assert len(fine.sent) > 25
    assert not fine.cut


def test_whoever_is_sent_to_the_tables_own_work_has_its_turn_every_few_of_them() -> None:
    crowd = Crowd(lambda: 1.0)
    wires = [Wire() for _ in range(1_000)]
    for number, wire in enumerate(wires):
        crowd.join(f"{number}", watcher(0, wire))
    crowd.show(0, 1, text_frame(b"first"))
    work = crowd.send()
    turns = 0
    while sum(len(wire.sent) for wire in wires) < 500:
        had = sum(len(wire.sent) for wire in wires)
        work.send(None)
        turns += 1
        assert sum(len(wire.sent) for wire in wires) - had <= AT_A_TIME
    # One that goes meanwhile is written to no more, and a newer view goes to all: to who had none yet, once.
    crowd.leave("999")
    wires[999].cut = True
    crowd.show(0, 2, text_frame(b"second"))
    with suppress(StopIteration):
        while True:
            work.send(None)
    assert crowd.news.is_set()
    send(crowd)
    assert not crowd.news.is_set()
    assert [wire.sent[-1] for wire in wires[:999]] == [text_frame(b"second")] * 999
    assert wires[998].sent == [text_frame(b"second")]
    assert wires[999].sent == []


def test_one_that_was_slow_gets_the_newest_view_and_none_of_those_it_missed() -> None:
    crowd = Crowd(lambda: 1.0)
    wire = Wire()
    crowd.join("slow", watcher(0, wire))
    wire.unread = 1
    for number in range(100):
        crowd.show(0, number, text_frame(b"%d" % number))
    wire.unread = 0
    send(crowd)
    assert wire.sent == [text_frame(b"99")]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 100_000])
def test_a_frame_is_one_that_a_websocket_client_reads(size: int) -> None:
    frame = text_frame(b"x" * size)
    length, head = frame[1], 2
    if length == 126:
        length, head = int.from_bytes(frame[2:4]), 4
    elif length == 127:
        length, head = int.from_bytes(frame[2:10]), 10
    assert (frame[0], length, len(frame)) == (0x81, size, head + size)


# --- the service


async def test_a_spectator_sees_the_air_and_asks_for_nothing_but_the_time(service: Running) -> None:
    link = service.access.add_link(Scope.SPECTATOR, "public", delay=0)
    own = service.access.token(link)
    async with (
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address, token(service, Scope.AIR)) as air,
        Page(service.address, own, page="spectator") as spectator,
    ):
        judge = Judge(tablet)
        await judge.deals()
        await spectator.sees(lambda view: view["seats"][6]["role"] == "don")
        # A slot later at most.
        await spectator.sees(lambda view: view == air.view)
        assert spectator.views[-1]["audience"] == "spectator"
        for event in ("command", "produce", "signal", "takeover"):
            assert (await spectator.ask(event, {"do": "next"}))["refusal"]["code"] == "no_right"
        assert "now" in await spectator.ask("clock", {"t0": 1})


async def test_with_a_delay_nothing_of_the_game_has_come_yet(service: Running) -> None:
    link = service.access.add_link(Scope.SPECTATOR, "public", delay=120)
    async with (
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address, service.access.token(link), page="spectator", waits=False) as spectator,
    ):
        await Judge(tablet).deals()
        async with Page(service.address) as hall:
            await hall.until(lambda: hall.frames.count("2") >= 2)
        assert spectator.views == []
        assert '42["delay",{"seconds":120,' in "".join(spectator.frames)
        answer = await spectator.ask("clock", {"t0": 1})
        at_the_table = (await tablet.ask("clock", {"t0": 1}))["now"]
        assert 119_000 < at_the_table - answer["now"] < 121_000


async def test_a_restart_keeps_what_was_shown_and_runs_the_whole_delay_anew(chosen: Settings, pages: Path) -> None:
    async with running(chosen, pages=pages) as service, Page(service.address, token(service, Scope.JUDGE)) as tablet:
        judge = Judge(tablet)
        await judge.deals()
        dealt = time.monotonic_ns()
        # On a quick machine the whole deal lies within one slot of the ring.
        await comes_true(lambda: time.monotonic_ns() - dealt > 2 * SLOT)
        await judge.does("next")
        was = service.broadcast._audiences[Scope.SPECTATOR].shown("ru")
    now, ring = 5_000 * SECOND, Ring()
    refill(ring, chosen.data, now, lambda _: Surroundings())
    assert was is not None
    last = ring.at(now + SLOT)
    assert last is not None
    assert msgspec.json.decode(last.view)["seats"][6]["role"] == "don"
    before = ring.at(now - SLOT)
    assert before is None or before.view != last.view
    # As long ago as it was: the deal took a while, and what came first is shown first.
    assert len(ring) > 1


async def test_a_link_that_ends_lets_its_spectators_go(service: Running) -> None:
    link = service.access.add_link(Scope.SPECTATOR, "public", delay=0)
    async with Page(service.address, service.access.token(link), page="spectator") as spectator:
        service.access.revoke(link.id)
        await spectator.until(spectator.closed.is_set, 5)
    await comes_true(lambda: len(service.spectators.crowd) == 0)


async def test_a_real_one_that_takes_nothing_costs_a_frame_and_is_gone_in_six_seconds(service: Running) -> None:
    """A socket that nobody reads, views of a megabyte a second, and a neighbour who gets them all the while."""
    link = service.access.add_link(Scope.SPECTATOR, "public", delay=0)
    own = service.access.token(link)
    size = 200_000
    stalled = Page(service.address, own, page="spectator", reads=False)
    async with stalled, Page(service.address, own, page="spectator") as fine:
        crowd = service.spectators.crowd
        await comes_true(lambda: len(crowd) == 2)
        wires = {sid: one.wire for sid, one in crowd._watchers.items()}
        loop = asyncio.get_running_loop()
        began, most, number = loop.time(), 0, 0
        while len(crowd) == 2:
            number += 1
            service.spectators.record(b'{"number":%d,"rest":"%s"}' % (number, b"x" * size))
            most = max([most, *(wire.get_write_buffer_size() for wire in wires.values())])
            await asyncio.sleep(0.1)
            assert loop.time() - began < 6
        assert most <= size + 10_000
        assert not fine.closed.is_set()
        await fine.until(lambda: len(fine.views) > 5)


async def test_a_crowd_does_not_stand_in_the_way_of_the_judge(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.service.sockets.MOST_WATCHERS", 3)
    link = service.access.add_link(Scope.SPECTATOR, "public", delay=0)
    own = service.access.token(link)
    pages = [Page(service.address, own, page="spectator", language="en") for _ in range(5)]
    try:
        for page in pages:
            await page.__aenter__()
        assert [page.refused is None for page in pages] == [True] * 3 + [False] * 2
        async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
            await Judge(tablet).does("deal", seat=1, role="don")
    finally:
        await asyncio.gather(*(page.__aexit__() for page in pages))
