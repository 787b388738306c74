"""The settings' devices: a wiring that cannot be is told and stops nothing, and no device knows of another."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from gpiozero.pins.mock import MockFactory
from rich.console import Console

from controller.catalogue import LANGUAGES, sentence
from controller.game import commands as cmd
from controller.game.roles import Role
from controller.service import serving
from controller.service.access import Scope
from controller.service.doctor import findings
from controller.service.running import Running, running
from controller.service.settings import Settings, settings
from controller.service.simulation import Simulation
from controller.service.wiring import Cable, Plan, plans_of
from controller.table.state import Contact
from controller.table.wishes import Accepted, TableCommand, Wish
from firmware_bridge import flashing, frames
from firmware_bridge.core import DeviceInfo, LinkCore, LinkStatus, Reason
from hardware.gpio_pins import PinFactory
from hardware.wiring import TEN_SEATS_AND_BOARD, WiringMap, find_wiring, read_wiring
from tests.service.judge import token
from tests.service.page import Page
from tests.service.waiting import comes_true

BOARD_ON_THE_PI = """
board = "gpio"
[pins]
"next" = 16
"back" = 17
"vote" = 18
[lamps.pins]
"next" = 20
"""
SEATS_ON_A_PICO = 'board = "pico"\n[pins]\n' + "".join(f'"seat {seat}" = {seat - 1}\n' for seat in range(1, 11))


def wired(folder: Path, text: str, **files: str) -> Settings:
    """The settings of a file that says `text` of its devices, beside wirings of its own."""
    for name, wiring in files.items():
        (folder / f"{name}.toml").write_text(wiring, encoding="utf-8")
    file = folder / "table.toml"
    file.write_text(f"[web]\nport = 0\n[devices]\n{text}", encoding="utf-8")
    known = settings(file, folder / "data")
    assert known.faults == ()
    return known


# --- what can be and what cannot


def test_without_a_setting_it_is_a_pico_with_ten_seats_and_the_whole_board(tmp_path: Path):
    plans, refused = plans_of(settings(tmp_path / "none.toml", tmp_path))
    assert refused == ()
    assert [plan.wiring.inputs for plan in plans] == [TEN_SEATS_AND_BOARD]


def test_a_wiring_of_ones_own_lies_beside_the_settings(tmp_path: Path):
    known = wired(
        tmp_path,
        'wiring = "board.toml"\n[[devices.also]]\nwiring = "seats.toml"\ndevice = "pico-1"\n',
        board=BOARD_ON_THE_PI,
        seats=SEATS_ON_A_PICO,
    )
    plans, refused = plans_of(known)
    assert refused == ()
    assert [(plan.wiring.name, plan.wiring.board, plan.device) for plan in plans] == [
        ("board", "gpio", None),
        ("seats", "pico", "pico-1"),
    ]


@pytest.mark.parametrize(
    ("text", "code", "left"),
    [
        ('wiring = "pico"', "no_such_wiring", []),
        ('wiring = "mine.toml"', "unreadable", []),
        ('wiring = "twice.toml"', "pin_twice", []),
        ('wiring = "hole.toml"', "missing_seats", []),
        ('wiring = "pi_gpio"\n[[devices.also]]\nwiring = "board.toml"', "key_in_two", ["pi_gpio"]),
        ('wiring = "few.toml"\n[[devices.also]]\nwiring = "other.toml"', "one_machine", ["few"]),
        (
            'device = "a"\n[[devices.also]]\nwiring = "pico_seats_11_to_20"',
            "device_unnamed",
            ["pico_matrix"],
        ),
        (
            '[[devices.also]]\nwiring = "pico_seats_11_to_20"\ndevice = "a"',
            "device_unnamed",
            ["pico_seats_11_to_20"],
        ),
        (
            'device = "a"\n[[devices.also]]\nwiring = "pico_seats_11_to_20"\ndevice = "a"',
            "device_twice",
            ["pico_matrix"],
        ),
    ],
)
async def test_a_wiring_that_cannot_be_is_told_in_every_language_and_the_others_serve(
    tmp_path: Path, text: str, code: str, left: list[str]
):
    known = wired(
        tmp_path,
        text,
        board=BOARD_ON_THE_PI,
        twice='board = "gpio"\n[pins]\n"seat 1" = 4\n"seat 2" = 4\n',
        hole='board = "gpio"\n[pins]\n"seat 1" = 4\n"seat 3" = 5\n',
        few='board = "gpio"\n[pins]\n"timer" = 4\n',
        other='board = "gpio"\n[pins]\n"undo" = 5\n',
    )
    plans, refused = plans_of(known)
    assert [error.code for error in refused] == [code]
    assert [plan.wiring.name for plan in plans] == left
    for language in LANGUAGES:
        spoken = replace(known, speech=type(known.speech)(language=language))
        assert any(not found.ok and str(refused[0].params["name"]) in found.sentence for found in findings(spoken))


async def test_it_is_said_at_start_and_stands_on_the_tablets_checklist(
    tmp_path: Path, pages: Path, monkeypatch: pytest.MonkeyPatch
):
    known = wired(tmp_path, 'wiring = "pico"\n')
    console = Console(record=True, width=300)

    async def at_once() -> None:
        pass

    monkeypatch.setattr(serving, "until_told_to_stop", at_once)
    await serving.serve(known, console)
    told = "Разводки «pico» нет. Есть pi_board, pi_gpio, pico_direct, pico_matrix"
    assert told in console.export_text()
    async with running(known, pages=pages) as service, Page(service.address, token(service, Scope.JUDGE)) as page:
        assert [one["sentence"] for one in page.view["readiness"] if told in one["sentence"] and not one["ok"]]


async def test_a_device_that_does_not_answer_is_said_once_it_has_had_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    known = wired(tmp_path, 'wiring = "pi_gpio"\n[[devices.also]]\nwiring = "pico_seats_11_to_20"\n')
    monkeypatch.setattr(serving, "DEVICES_WITHIN_S", 0.3)
    monkeypatch.setattr("controller.service.wiring.candidate_ports", lambda _: [])
    console = Console(record=True, width=300)
    serves = asyncio.create_task(serving.serve(known, console))
    try:
        await comes_true(lambda: "Места 11–20: ищу, кабель ещё не ответил" in console.export_text(clear=False))
        assert "Места 1–10 и пульт: выводы этой машины недоступны." in console.export_text(clear=False)
    finally:
        serves.cancel()
        with suppress(asyncio.CancelledError):
            await serves


# --- two devices


class Pins:
    """Mock pins as this machine's own."""

    def __init__(self, wiring: WiringMap) -> None:
        self.factory = MockFactory()
        self._wiring = wiring

    def __call__(self) -> PinFactory:
        return cast("PinFactory", self.factory)

    def put(self, key: str, *, down: bool) -> None:
        pin: Any = self.factory.pin(self._wiring.pins[key])
        (pin.drive_low if down else pin.drive_high)()

    def lit(self, key: str) -> bool:
        return bool(self.factory.pin(self._wiring.lamps[key]).state)


@asynccontextmanager
async def plugged_in(port: Path, wiring: WiringMap) -> AsyncGenerator[Simulation]:
    """A simulated device at `port`."""
    table = Simulation(port, lambda _: None, wiring=wiring.inputs)
    life = asyncio.create_task(table.run())
    try:
        await table.ready()
        yield table
    finally:
        life.cancel()
        with suppress(asyncio.CancelledError):
            await life


async def test_a_board_on_the_pis_pins_and_seats_on_a_microcontroller(tmp_path: Path, pages: Path):
    port = tmp_path / "seats"
    known = wired(
        tmp_path,
        f'wiring = "board.toml"\n[[devices.also]]\nwiring = "seats.toml"\nports = ["{port}"]\n',
        board=BOARD_ON_THE_PI,
        seats=SEATS_ON_A_PICO,
    )
    pins = Pins(read_wiring(tmp_path / "board.toml"))
    async with (
        plugged_in(port, read_wiring(tmp_path / "seats.toml")) as seats,
        running(known, pages=pages, pins=pins) as service,
    ):
        await comes_true(lambda: service.cables.up)
        assert [(link.name, link.seats, link.board) for link in service.table.snapshot.links] == [
            ("board", (), True),
            ("seats", tuple(range(1, 11)), False),
        ]
        for number, role in enumerate([Role.DON, Role.MAFIA, Role.MAFIA, Role.SHERIFF, *[Role.CIVILIAN] * 6], 1):
            await does(service, cmd.Deal(number, role))
        await comes_true(lambda: pins.lit("next"))
        before = service.table.snapshot.revision
        pins.put("next", down=True)
        await comes_true(lambda: service.table.snapshot.revision == before + 1)
        pins.put("next", down=False)
        seats.press("seat 7", down=True)
        await comes_true(lambda: service.table.snapshot.contacts[7] is Contact.DOWN)


async def does(service: Running, command: cmd.Command | TableCommand) -> None:
    """A command that is taken."""
    name = f"test {service.table.snapshot.revision} {command}"
    answer = await service.table.submit(Wish(id=name, command=command))
    assert isinstance(answer, Accepted), (command, answer)


# --- a device that is not what it should be


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (flashing.build(find_wiring("pico_matrix")), None),
        (flashing.build(find_wiring("pico_direct")), "link.other_pins"),
        ("00000000/" + flashing.build(find_wiring("pico_matrix")).partition("/")[2], "link.other_program"),
        ("somebody's own 3", None),
    ],
    ids=["ours", "another wiring", "another program", "a device of another make"],
)
def test_a_device_with_another_program_or_another_wiring_on_it_is_told(build: str, code: str | None):
    cable = Cable(Plan(find_wiring("pico_matrix")), list)
    device = DeviceInfo("pico-1", "table", build, 7, 29)
    for up in (True, False):
        cable._link._core._status = LinkStatus(up=up, reason=None if up else Reason.SILENT, device=device)  # type: ignore[union-attr]
        note = cable.note()
        assert (None if note is None else note.code) == (code if up else None)
        if note is not None:
            for language in LANGUAGES:
                assert "--wiring pico_matrix" in sentence(note.code, language, **note.params)


def test_a_device_that_is_not_the_one_named_is_given_up_at_once_and_named():
    core = LinkCore(only_device="pico-1")
    core.opened("port", 0)
    said = frames.pack(frames.IDENTITY, 0, 9, frames.PROTOCOL, 30, 1_000_000, 5, 1, 29, "table", "x", "pico-2")
    assert core.receive(said, 1) == []
    assert (core.stranger, core.status.up, core.status.device) == ("pico-2", False, None)
    core.opened("another port", 2)
    assert core.stranger is None
