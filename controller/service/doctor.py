"""`mafia-table doctor`: whether a table can be opened here, as sentences, and where each setting came from."""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from controller.catalogue import sentence
from controller.game import RULESETS
from controller.service.addresses import redis_place
from controller.service.own_rules import own_rules
from controller.service.pages import built_pages
from controller.service.running import PAGES, CannotStart, listen
from controller.service.settings import DEFAULT, Settings
from controller.service.wiring import plans_of
from controller.views.readiness import serves
from firmware_bridge.link import candidate_ports

LEAST_FREE_MB: Final = 200
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence; `ok` is False where something has to be done."""

    ok: bool
    sentence: str


def findings(settings: Settings) -> list[Finding]:
    """Everything that `doctor` has to say. It changes nothing and stops nothing that runs."""
    language = settings.speech.language

    def finding(code: str, *, ok: bool = True, **params: str | int) -> Finding:
        return Finding(ok, sentence(f"doctor.{code}", language, **params))

    def source(name: str) -> str:
        known = settings.sources.get(name, DEFAULT)
        return sentence("doctor.source_default", language) if known == DEFAULT else known

    found = [Finding(ok=False, sentence=fault.sentence(language)) for fault in settings.faults]
    found.append(finding("data", folder=str(settings.data), source=source("data")))
    found += [
        finding("value", name=name, value=_shown(settings, name), source=source(name))
        for name in settings.sources
        if name != "data"
    ]
    if settings.game.ruleset not in RULESETS:
        known = ", ".join(RULESETS)
        wrong = sentence("service.no_ruleset", language, word=settings.game.ruleset, known=known)
        found.append(Finding(ok=False, sentence=wrong))
    if (own := own_rules(settings)).fault is not None:
        found.append(Finding(ok=False, sentence=own.sentence(language)))

    nearest = next(folder for folder in (settings.data, *settings.data.parents) if folder.exists())
    if not os.access(nearest, os.W_OK):
        found.append(finding("data_unusable", ok=False, folder=str(settings.data)))
    free = shutil.disk_usage(nearest).free // _MEGABYTE
    found.append(finding("space" if free >= LEAST_FREE_MB else "space_low", ok=free >= LEAST_FREE_MB, megabytes=free))

    build = built_pages(PAGES).id
    found.append(finding("build", build=build) if build else finding("no_build", ok=False))
    try:
        listen(settings.web.host, settings.web.port, language).close()
        found.append(finding("port_free", port=settings.web.port))
    except CannotStart as cannot:
        found.append(Finding(ok=False, sentence=str(cannot)))
    return [*found, *_devices(settings)]


def _devices(settings: Settings) -> list[Finding]:
    """The devices that the settings name: their wirings, and where they may be plugged in."""
    language = settings.speech.language
    plans, refused = plans_of(settings)
    found = [
        Finding(ok=False, sentence=sentence(f"wiring.{error.code}", language, **error.params)) for error in refused
    ]
    for plan in plans:
        board = len(plan.wiring.keys) > len(plan.wiring.seats)
        params = {"device": serves(plan.wiring.seats, language, board=board), "name": plan.wiring.name}
        found.append(Finding(ok=True, sentence=sentence("doctor.wiring", language, **params)))
    ports = candidate_ports([port for plan in plans for port in plan.ports])
    if any(plan.wiring.board == "pico" for plan in plans):
        code = "ports" if ports else "no_ports"
        found.append(Finding(ok=True, sentence=sentence(f"doctor.{code}", language, ports=", ".join(ports))))
    return found


def _shown(settings: Settings, name: str) -> str:
    """A value as doctor prints it; a password only as being there."""
    section, _, key = name.partition(".")
    value: Any = getattr(getattr(settings, section), key)
    if value is None or value in ("", ()):
        return "\u2013"
    if name == "relays.redis":
        with suppress(ValueError):
            return redis_place(str(value))
    if "password" in key or name == "relays.redis":
        return "\u2022" * 4
    if isinstance(value, tuple | list):
        return ", ".join(str(each) for each in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return str(value).lower() if isinstance(value, bool) else str(value)
