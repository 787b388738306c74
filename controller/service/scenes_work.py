"""`mafia-table scenes` at work: OBS set up in one step, its scenes as a file, the cue sheet, chapters and clips."""

import ipaddress
import socket
import sys
from pathlib import Path
from typing import Final

from controller.catalogue import sentence
from controller.service.access import Access, Scope
from controller.service.producer_kept import delay_of, kept_in
from controller.service.settings import Settings, settings
from scenes.client import Address, Client, NoObs, ObsRefused
from scenes.collection import collection
from scenes.cues import Sheet, cue_sheet
from scenes.install import Finding, canvas_of, install
from scenes.layout import Canvas, Pages, layout
from scenes.tape import clock, lines

COULD_NOT: Final = 1
COLLECTION: Final = "Mafia"
_EVERYWHERE: Final = ("0.0.0.0", "::", "")


def run_install(config: Path | None, data: Path | None, lang: str | None, *, address: str | None, again: bool) -> int:
    """Sets up the running OBS; the exit code."""
    known, language, sheet = _known(config, data, lang)
    where = known.obs
    if not where.host:
        return _failed(sentence("obs.off", language))
    params: dict[str, str | int] = {"host": where.host, "port": where.port}
    client: Client | None = None
    try:
        client = Client(Address(where.host, where.port, where.password))
        canvas = canvas_of(client)
        scenes = layout(sheet, _pages(known, address), canvas, language)
        transitions = [cue.transition for cue in sheet.cues.values() if cue.transition is not None]
        delay = delay_of(known, kept_in(known.data)).stream
        found = install(client, scenes, canvas, transitions=transitions, delay=delay, again=again)
    except NoObs as no:
        return _failed(sentence(f"obs.{no.why.value}", language, **params))
    except ObsRefused as refused:
        why = refused.comment or refused.code
        return _failed(sentence("install.refused", language, request=refused.request, why=why))
    finally:
        if client is not None:
            client.close()
    return _report([*found, *_left_to_do(known, address, language)], sheet, language)


def run_collection(
    config: Path | None, data: Path | None, lang: str | None, *, out: Path, address: str | None, height: int
) -> int:
    """Writes the scenes as a file for OBS; the exit code."""
    known, language, sheet = _known(config, data, lang)
    canvas = Canvas(height * 16 // 9, height)
    scenes = layout(sheet, _pages(known, address), canvas, language)
    try:
        out.touch(0o600)  # a link stands in it
        out.chmod(0o600)
        out.write_bytes(collection(COLLECTION, scenes, canvas))
    except OSError as error:
        return _failed(sentence("install.file_not_made", language, file=str(out), why=error.strerror or str(error)))
    made = Finding("file_made", {"file": str(out)})
    return _report([made, *_left_to_do(known, address, language)], sheet, language)


def run_check(config: Path | None, data: Path | None, lang: str | None) -> int:
    """Says what is wrong with the cue sheet; the exit code."""
    _, language, sheet = _known(config, data, lang)
    return _report([] if sheet.faults else [Finding("cues_good", {"count": len(sheet.cues)})], sheet, language)


def run_chapters(config: Path | None, data: Path | None, lang: str | None) -> int:
    """Prints the chapters of the last recording; the exit code."""
    known, language, _ = _known(config, data, lang)
    found = lines(kept_in(known.data).shelf.present, language)
    for at, title in found:
        _say(f"{at} {title}")
    return 0 if found else _failed(sentence("install.no_chapters", language))


def run_clips(config: Path | None, data: Path | None, lang: str | None) -> int:
    """Prints the saved replays; the exit code."""
    known, language, _ = _known(config, data, lang)
    clips = kept_in(known.data).shelf.present.clips
    for clip in clips:
        at = "" if clip.recorded is None else f"{clock(clip.recorded)} "
        _say(f"{at}{clip.title(language)}: {clip.path}")
    return 0 if clips else _failed(sentence("install.no_clips", language))


def _known(config: Path | None, data: Path | None, lang: str | None) -> tuple[Settings, str, Sheet]:
    known = settings(config, data)
    language = lang or known.speech.language
    for fault in known.faults:
        sys.stderr.write(fault.sentence(language) + "\n")
    return known, language, cue_sheet(known.cues, language)


def _pages(known: Settings, address: str | None) -> Pages:
    """The links as OBS opens them, with the tokens that the service knows."""
    known.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    host = _own_host(known)
    scheme, host = "https" if known.web.secure else "http", f"[{host}]" if ":" in host else host
    base = (address or f"{scheme}://{host}:{known.web.port}").rstrip("/")
    air = Access(known.data).path(Scope.AIR)
    return Pages(air=base + air, pause=f"{base}/break", result=base + air.replace("/air", "/result", 1))


def _own_host(known: Settings) -> str:
    """By which address OBS's machine reaches this one."""
    if known.web.host not in _EVERYWHERE and not _obs_is_shut_out(known):
        return known.web.host
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
            towards.connect((known.obs.host or "127.0.0.1", known.obs.port))  # sends nothing
            return str(towards.getsockname()[0])
    except OSError:
        return "127.0.0.1"


def _obs_is_shut_out(known: Settings) -> bool:
    """Whether OBS runs on another machine and the table lets in none, by its settings."""
    return bool(known.obs.host) and _is_this_machine(known.web.host) and not _is_this_machine(known.obs.host)


def _left_to_do(known: Settings, address: str | None, language: str) -> list[Finding]:
    """What is left to do so that OBS's machine gets in, and the table finds the scenes by their names; the command line
    of `serve` may have seen to it already."""
    found: list[Finding] = []
    if address is None and _obs_is_shut_out(known):
        found.append(Finding("shut_out", {"host": known.obs.host}, ok=False))
    if language != known.speech.language:
        found.append(Finding("other_names", {"named": language, "known": known.speech.language}, ok=False))
    return found


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _report(found: list[Finding], sheet: Sheet, language: str) -> int:
    for row in found:
        _say(f"{'+' if row.ok else '!'} {row.said(language)}")
    for fault in sheet.faults:
        _say(f"! {fault.said(language)}")
    return COULD_NOT if sheet.faults or not all(row.ok for row in found) else 0


def _failed(text: str) -> int:
    sys.stderr.write(text + "\n")
    return COULD_NOT


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
