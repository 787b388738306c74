"""A vote window of the real table over the real firmware: MicroPython on a pseudo-terminal, in real time. Whatever
happens to the cable and to the device in the middle of it, the count is what the hands did, or the judge's."""

import asyncio
import os
import pty
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from controller.game import commands as cmd
from controller.game.phases import Speech, Voting
from controller.game.roles import Role
from controller.service.access import Scope
from controller.service.running import Running, running
from controller.service.settings import Device, Devices, Game, Settings
from controller.table.state import Contact, Snapshot, Stage
from controller.table.wishes import Accepted, CountWindow, TableCommand, Wish
from hardware.wiring import find_wiring
from tests.firmware_bridge.pico_bench import Cable, Pico, micropython, put
from tests.service.judge import token
from tests.service.page import Page
from tests.service.waiting import comes_true

SECOND = 1_000_000_000
CARDS = (Role.DON, Role.MAFIA, Role.MAFIA, Role.SHERIFF)
_IDS = count(1)


class Live:
    """A service whose table is played by commands, and the cables to its devices."""

    def __init__(self, service: Running, cables: list[Cable]) -> None:
        self.service = service
        self.cables = cables
        self.opened = 0

    @property
    def now(self) -> Snapshot:
        return self.service.table.snapshot

    @property
    def stage(self) -> Stage | None:
        return None if self.now.window is None else self.now.window.stage

    @property
    def hands(self) -> dict[int, set[int]]:
        """Of the present ballot, by candidate."""
        assert self.now.state.ballot is not None
        return {votes.candidate: set(votes.hands) for votes in self.now.state.ballot.votes}

    async def does(self, command: cmd.Command | TableCommand) -> None:
        answer = await self.service.table.submit(Wish(id=f"tap {next(_IDS)}", command=command))
        assert isinstance(answer, Accepted), (command, answer)

    async def to_the_vote(self, *nominees: int) -> None:
        for seat in self.now.state.seats:
            role = CARDS[seat.number - 1] if seat.number <= len(CARDS) else Role.CIVILIAN
            await self.does(cmd.Deal(seat.number, role))
        waiting = list(nominees)
        while not isinstance(self.now.state.phase, Voting):
            speaker = self.now.state.minute_of
            if isinstance(self.now.state.phase, Speech) and waiting and speaker is not None:
                await self.does(cmd.Nominate(speaker, waiting.pop(0)))
            await self.does(cmd.Next())

    async def opens(self) -> None:
        await self.does(cmd.OpenWindow())
        assert self.now.window is not None
        assert self.now.window.opened is not None
        self.opened = self.now.window.opened

    async def at(self, seconds: float) -> None:
        """Wait until so many seconds after the opening."""
        loop = asyncio.get_running_loop()
        due = self.opened / SECOND + seconds
        await asyncio.sleep(max(0.0, due - loop.time()))

    async def closes(self) -> None:
        """Wait until the window has been counted."""
        await comes_true(lambda: self.now.window is None)


@asynccontextmanager
async def live(
    folder: Path, pages: Path, monkeypatch: pytest.MonkeyPatch, *picos: Pico, game: Game | None = None
) -> AsyncGenerator[Live]:
    """A service with these boards on its ports, each with a clock that is fitted."""
    micropython()
    async with AsyncExitStack() as closing:
        cables = [Cable(pico) for pico in picos]
        for cable in cables:
            closing.callback(leave, cable)
        # The last plugged in is found first: a name says nothing of who is at its other end.
        ports = lambda _: [port for cable in reversed(cables) for port in cable.ports]  # noqa: E731
        monkeypatch.setattr("controller.service.wiring.candidate_ports", ports)
        named = [Device(wiring=pico.wiring.name, device=pico.id) for pico in picos]
        devices = Devices(wiring=named[0].wiring, device=named[0].device, also=tuple(named[1:]))
        chosen = Settings(data=folder / "data", devices=devices, game=game or Game())
        chosen = replace(chosen, web=type(chosen.web)(port=0))
        service = await closing.enter_async_context(running(chosen, pages=pages))
        await comes_true(lambda: service.cables.ready, 60)
        yield Live(service, cables)


def leave(cable: Cable) -> None:
    assert cable.power_off() == ""
    if cable.ports:
        cable.unplug()


@pytest.mark.timeout(180)
async def test_a_cut_a_new_name_and_a_reboot_in_the_middle_of_a_window(
    tmp_path: Path, pages: Path, monkeypatch: pytest.MonkeyPatch
):
    pico = Pico(tmp_path / "board", find_wiring("pico_direct"))
    async with live(tmp_path, pages, monkeypatch, pico) as table:
        cable = table.cables[0]
        await table.to_the_vote(5, 6, 7, 8)

        # A cut of two seconds: it closes meanwhile, and waits for what the device has kept.
        await table.opens()
        put(pico, "seat 1", True)
        await table.at(0.4)
        cable.cut = True
        put(pico, "seat 2", True)
        put(pico, "seat 3", True)
        await table.at(1.2)
        put(pico, "seat 3", False)
        await table.at(2.2)
        put(pico, "seat 4", True)
        put(pico, "seat 1", False)
        assert table.stage is Stage.WAITING
        assert table.now.window is not None
        assert set(table.now.window.waiting_for) == set(range(1, 11))
        assert set(table.now.window.hands) == {1}
        await table.at(2.4)
        cable.cut = False
        await table.closes()
        assert table.hands == {5: {1, 2, 3}}
        ballot = table.now.state.ballot
        assert ballot is not None
        assert ballot.votes[0].late == (4,)
        assert not ballot.counts[0].flagged

        # Pulled out and back under another name: the same device goes on where it was.
        for seat in (2, 4):
            put(pico, f"seat {seat}", False)
        await comes_true(lambda: all(contact is Contact.UP for contact in table.now.contacts.values()))
        await table.opens()
        put(pico, "seat 8", True)
        await table.at(0.3)
        first = cable.ports
        spare = pty.openpty()  # takes the old name's place
        cable.unplug()
        put(pico, "seat 9", True)
        await table.at(0.9)
        holder = pty.openpty()
        cable.plug_in()
        assert cable.ports != first
        put(pico, "seat 8", False)
        await table.closes()
        assert table.hands[6] == {8, 9}
        for end in (*spare, *holder):
            os.close(end)

        # A reboot: what it has sent is known, what it had not is not, and the judge is asked.
        put(pico, "seat 9", False)
        await comes_true(lambda: table.now.contacts[9] is Contact.UP)
        await table.opens()
        put(pico, "seat 10", True)
        await comes_true(lambda: table.now.window is not None and table.now.window.hands == (10,))
        before = table.now.links[0]
        assert cable.power_off() == ""
        put_before_power(pico, "seat 7")
        cable.power_on()
        await comes_true(lambda: table.now.links[0] != before and table.now.links[0].up)
        await table.at(1.5)
        put(pico, "seat 6", True)
        await table.at(2.3)
        await comes_true(lambda: table.now.window is not None and set(table.now.window.hands) == {10, 6})
        assert table.stage is Stage.WAITING
        assert table.now.window is not None
        assert {10, 7} <= set(table.now.window.waiting_for)
        assert table.now.window.flagged
        await table.does(cmd.RuleHand(7, 7, counts=True))  # the judge has seen it
        await table.does(CountWindow())
        assert table.hands[7] == {6, 7, 10}


def put_before_power(pico: Pico, key: str) -> None:
    """A hand that came down while the board had no power."""
    pico.close_before_power(key)


@pytest.mark.timeout(180)
async def test_of_two_devices_one_lost_stops_not_the_other_and_a_window_waits_for_its_seats_alone(
    tmp_path: Path, pages: Path, monkeypatch: pytest.MonkeyPatch
):
    ten = Pico(tmp_path / "ten", find_wiring("pico_direct"), chip="aaaa")
    more = Pico(tmp_path / "more", find_wiring("pico_seats_11_to_20"), chip="bbbb")
    city = Game(ruleset="city", names=tuple(f"Игрок {number}" for number in range(1, 13)))
    async with (
        live(tmp_path, pages, monkeypatch, ten, more, game=city) as table,
        Page(table.service.address, token(table.service, Scope.JUDGE)) as judge,
    ):
        assert [(link.device, link.seats, link.board) for link in table.now.links] == [
            (ten.id, tuple(range(1, 11)), True),
            (more.id, tuple(range(11, 21)), False),
        ]
        await table.to_the_vote(5, 6)
        await table.opens()
        put(ten, "seat 1", True)
        put(more, "seat 11", True)
        await comes_true(lambda: table.now.window is not None and set(table.now.window.hands) == {1, 11})
        table.cables[1].cut = True
        put(more, "seat 12", True)
        put(ten, "seat 2", True)
        await table.at(2.5)
        assert table.now.window is not None
        assert set(table.now.window.hands) == {1, 2, 11}
        assert table.now.window.waiting_for == (11, 12)
        view = await judge.sees(lambda view: view["waiting_for"] == [11, 12])
        await judge.sees(
            lambda view: (
                "Места 11–20: кабель замолчал. Проверьте его: игра идёт с планшета."
                in [link["sentence"] for link in view["links"]]
            )
        )
        assert [link["state"] for link in judge.view["links"]] == ["up", "down"]
        assert {seat["seat"] for seat in judge.view["seats"] if seat["contact"] == "lost"} == {11, 12}
        assert view["step"]["do"] == "wait"
        table.cables[1].cut = False
        await table.closes()
        assert table.hands == {5: {1, 2, 11, 12}}

        # It stays away: the judge looks at its seats himself, and the others are counted by their sensors.
        for pico, seats in ((ten, (1, 2)), (more, (11, 12))):
            for seat in seats:
                put(pico, f"seat {seat}", False)
        await comes_true(lambda: all(contact is Contact.UP for contact in table.now.contacts.values()))
        table.cables[1].unplug()
        await comes_true(lambda: not table.now.links[1].up)
        await table.opens()
        put(ten, "seat 3", True)
        await table.at(2.3)
        assert table.stage is Stage.WAITING
        assert table.now.window is not None
        assert table.now.window.waiting_for == (11, 12)
        await table.does(cmd.RuleHand(6, 12, counts=True))
        await table.does(CountWindow())
        assert table.hands[6] == {3, 12}
