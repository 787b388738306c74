"""`mafia-table firmware`: which files belong on a microcontroller, how they get there, and what runs on those that are
plugged in. It asks and never writes to a device."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.catalogue import sentence
from controller.service.settings import DEFAULT_WIRING
from firmware_bridge.flashing import build, copy_to, device_files, same_program, wiring_of
from firmware_bridge.link import LinkStatus, Reason, SeatLink, candidate_ports
from hardware.wiring import EVERY_KEY, WiringError, WiringMap, find_wiring, shipped

ASKED_FOR_S: Final = 2.5
DONE: Final = 0
SOMETHING_TO_DO: Final = 1
REFUSED: Final = 2


def run_firmware(
    port: str | None,
    language: str,
    *,
    wiring: str = DEFAULT_WIRING,
    folder: Path | None = None,
    say: Callable[[str], object] = print,
) -> int:
    """Say what belongs on a device and what is on those that answer, at `port` or at every USB port.

    `wiring` is the name of a shipped wiring or a file. With `folder`, all files are laid there, ready to be copied.
    Return 0, or 1 if a device needs another program, or 2 if the wiring or the folder cannot be used.
    """
    try:
        chosen = find_wiring(wiring)
    except WiringError as refused:
        say(sentence(f"wiring.{refused.code}", language, **refused.params))
        return REFUSED
    if chosen.board != "pico":
        say(sentence("firmware.no_microcontroller", language, name=chosen.name))
        return REFUSED
    say(sentence("firmware.belongs", language, name=chosen.name, build=build(chosen)))
    for file in device_files(chosen):
        say(f"  {file.sha256}  {len(file.content):6}  {file.name}")
    if folder is not None:
        try:
            copy_to(folder, chosen)
        except OSError as error:
            say(sentence("firmware.folder_unusable", language, folder=str(folder), why=error.strerror or str(error)))
            return REFUSED
        say(sentence("firmware.copy", language))
        say(f"  mpremote cp -r {folder}/. :\n  mpremote reset")
    else:
        say(sentence("firmware.name_a_folder", language))
    ports = [port] if port else candidate_ports()
    if not ports:
        say(sentence("firmware.nobody", language))
        return DONE
    known = [each for each in (chosen, *shipped()) if each.board == "pico"]
    fine = [_say_of(path, asyncio.run(_ask(path)), known, language, say) for path in ports]
    return DONE if all(fine) else SOMETHING_TO_DO


def _say_of(port: str, status: LinkStatus, known: list[WiringMap], language: str, say: Callable[[str], object]) -> bool:
    """Say what runs at a port. Return whether there is nothing to do."""
    device = status.device
    if status.reason is Reason.FAULTY or status.reason is Reason.OTHER_PROTOCOL:
        code = "faulty" if status.reason is Reason.FAULTY else "other_protocol"
        say(sentence(f"firmware.{code}", language, port=port, why=status.detail))
        return False
    if status.reason is Reason.BUSY or status.reason is Reason.PORT_FAILED:
        say(sentence("firmware.busy" if status.reason is Reason.BUSY else "firmware.port_failed", language, port=port))
        return False
    if device is None:
        say(sentence("firmware.silent", language, port=port))
        return True
    if not same_program(device.build, known):
        say(sentence("firmware.other_program", language, port=port, device=device.id, build=device.build))
        return False
    found = wiring_of(device.build, known)
    if found is None:
        say(sentence("firmware.other_pins", language, port=port, device=device.id))
        return True
    say(sentence("firmware.same", language, port=port, device=device.id, name=found.name))
    return True


async def _ask(port: str) -> LinkStatus:
    """Ask who is at a port. Nothing is acknowledged, so the device keeps all that it has."""
    heard = asyncio.Event()

    def note(status: LinkStatus) -> None:
        if status.device is not None or status.reason not in (None, Reason.SEARCHING):
            heard.set()

    link = SeatLink(lambda: [port], lambda _: None, note, wiring=EVERY_KEY)
    asking = asyncio.create_task(link.run())
    with suppress(TimeoutError):
        await asyncio.wait_for(heard.wait(), ASKED_FOR_S)
    status = link.status
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    return status
