"""`mafia-table firmware`: the files, the way they get there, and what the device that is plugged in runs."""

import asyncio
import hashlib
import os
import pty
import tty
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from controller.catalogue import sentence
from controller.service import firmware
from controller.service.firmware import run_firmware
from firmware_bridge.flashing import device_files
from hardware.wiring import _SENTENCES, SHIPPED, WiringMap, read_wiring
from tests.firmware_bridge.pico_bench import Pico, micropython

MATRIX = read_wiring(SHIPPED / "pico_matrix.toml")


@pytest.fixture(autouse=True)
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine that runs the tests may have ports of its own."""
    monkeypatch.setattr(firmware, "candidate_ports", list)


class Plugged:
    """A Pico under MicroPython at a pseudo-terminal."""

    def __init__(self, folder: Path, wiring: WiringMap) -> None:
        micropython()
        self.pico = Pico(folder, wiring)
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)

    def power_on(self) -> str:
        self.pico.power_on(self._master, self._master)
        return self.port

    def end(self) -> None:
        if self.pico.process:
            self.pico.power_off()
        os.close(self._master)
        os.close(self._slave)


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    plugged = Plugged(tmp_path / "board", MATRIX)
    yield plugged
    plugged.end()


def run(port: str | None = None, language: str = "en", **how: object) -> tuple[int, list[str]]:
    said: list[str] = []
    code = run_firmware(port, language, say=said.append, **how)  # pyright: ignore[reportArgumentType]
    return code, said


def test_it_lists_every_file_with_its_size_and_hash():
    code, said = run()
    assert code == 0
    for file in device_files(MATRIX):
        line = next(line for line in said if line.endswith(f"  {file.name}"))
        assert line.split() == [hashlib.sha256(file.content).hexdigest(), str(len(file.content)), file.name]
    assert said[-1] == "No USB port is seen, so no device was asked. Plug it in and ask again."


def test_the_files_are_laid_ready_with_the_commands_that_copy_them(tmp_path: Path):
    _, said = run(folder=tmp_path / "pico", wiring="pico_seats_11_to_20")
    for file in device_files(read_wiring(SHIPPED / "pico_seats_11_to_20.toml")):
        assert (tmp_path / "pico" / file.name).read_bytes() == file.content
    assert any(f"mpremote cp -r {tmp_path}/pico/. :" in line for line in said)


def test_a_folder_that_cannot_be_written_is_refused_with_a_sentence(tmp_path: Path):
    (tmp_path / "pico").write_text("a file", encoding="utf-8")
    code, said = run(folder=tmp_path / "pico")
    assert code == 2
    assert said[-1].startswith(f"The folder {tmp_path}/pico cannot be written: ")


@pytest.mark.parametrize("language", ["ru", "uk", "en"])
def test_a_wiring_that_cannot_be_is_refused_in_the_persons_language(tmp_path: Path, language: str):
    file = tmp_path / "home.toml"
    file.write_text('board = "pico"\n[pins]\n"seat 1" = 0\n"seat 2" = 0\n', encoding="utf-8")
    code, said = run(language=language, wiring=str(file))
    expected = sentence("wiring.pin_twice", language, name="home", pin=0, first="seat 1", second="seat 2")
    assert (code, said) == (2, [expected])


def test_a_wiring_of_the_machines_own_pins_needs_no_firmware():
    code, said = run(wiring="pi_gpio")
    assert (code, len(said)) == (2, 1)


def test_the_catalogue_says_what_the_wiring_says():
    for code, text in _SENTENCES.items():
        params = {hole: "7" for _, hole, _, _ in Formatter().parse(text) if hole}
        assert sentence(f"wiring.{code}", "en", **params) == text.format(**params)


def test_a_device_with_our_program_is_known_with_its_wiring(plugged: Plugged):
    port = plugged.power_on()
    code, said = run(port)
    assert code == 0
    assert said[-1] == (
        f"{port}: pico-e66074657374 runs the program of this table with the wiring pico_matrix. Nothing is to be done."
    )


def test_a_device_with_pins_of_its_own_is_no_fault(plugged: Plugged):
    pins = plugged.pico.folder / "pins.json"
    pins.write_bytes(pins.read_bytes() + b"\n")
    code, said = run(plugged.power_on())
    assert code == 0
    assert said[-1].endswith("runs the program of this table with pins of its own.")


def test_a_device_with_another_program_is_to_be_copied_anew(plugged: Plugged):
    file = plugged.pico.folder / "firmware_bridge" / "device.py"
    file.write_bytes(file.read_bytes() + b"\n")
    code, said = run(plugged.power_on())
    assert code == 1
    assert "runs another program, build " in said[-1]


def test_a_device_that_cannot_serve_says_why(plugged: Plugged):
    (plugged.pico.folder / "pins.json").unlink()
    code, said = run(plugged.power_on())
    assert code == 1
    assert "the device cannot serve: pico-e66074657374: pins.json is missing" in said[-1]


def test_a_port_where_nobody_answers_and_one_that_is_none(plugged: Plugged, tmp_path: Path):
    assert run(plugged.port)[1][-1].startswith(f"{plugged.port}: nobody answers there.")
    assert run(str(tmp_path / "none"))[1][-1] == f"{tmp_path}/none: the port cannot be opened. Plug the cable in again."


def test_it_may_be_called_where_no_loop_runs():
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
    assert run()[0] == 0
