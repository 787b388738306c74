"""A judge with a tablet and ten players with hands, for stories told over the wire."""

import hashlib
import json
import re
import time
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any
from uuid import uuid4

from controller.game.roles import Role
from controller.service.access import Scope
from controller.service.registry import Device
from controller.service.running import Running
from controller.service.sample_final import CARDS
from tests.service.page import COOKIE, Page


class Judge:
    """Gives commands as the tablet does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._ids = count(1)
        self._own = uuid4().hex

    async def tries(self, do: str, **fields: Any) -> dict[str, Any]:
        """A command; its answer."""
        name = fields.pop("id", f"{self._own} {next(self._ids)}")
        return await self.page.ask("command", {"id": name, "revision": self.page.revision, "do": do, **fields})

    async def does(self, do: str, **fields: Any) -> None:
        """A command that is taken, and whose view has come."""
        answer = await self.tries(do, **fields)
        assert answer["ok"], (do, fields, answer)
        await self.page.until(lambda: self.page.revision >= answer["revision"])

    async def deals(self, cards: Iterable[Role] = CARDS) -> None:
        """Deals all cards."""
        for seat, role in enumerate(cards, 1):
            await self.does("deal", seat=seat, role=role.value)

    async def goes_on_to(self, kind: str) -> None:
        """Presses the big step until the game is in this phase."""
        await self.does("next")
        while self.page.view["phase"]["kind"] != kind:
            await self.does("next")

    async def discussion(self, nominates: Mapping[int, int]) -> None:
        """The day's minutes, to the vote or to dusk."""
        while self.page.view["phase"]["kind"] != "speech":
            await self.does("next")
        while self.page.view["phase"]["kind"] == "speech":
            speaker = self.page.view["phase"]["seat"]
            if speaker in nominates:
                await self.does("nominate", by=speaker, seat=nominates[speaker])
            await self.does("next")

    async def night(self, shot: int, *, sheriff: int | None = None) -> None:
        """A night in which everybody shoots at one, to the morning or to the end."""
        while self.page.view["phase"]["kind"] != "night":
            await self.does("next")
        await self.does("shoot", shots={}, at=shot)
        await self.does("next")
        await self.does("next")
        if sheriff is not None:
            await self.does("check", by="sheriff", seat=sheriff)
        await self.does("next")


async def votes(judge: Judge, running: Running, hands: Mapping[int, tuple[int, ...]]) -> None:
    """One ballot with hands on the real link: the players press, the judge opens and closes."""
    simulation = running.simulation
    assert simulation is not None
    page = judge.page
    for seats in hands.values():
        await judge.does("open_window")
        for seat in seats:
            simulation.press(f"seat {seat}", down=True)
        await page.sees(lambda view, seats=seats: _raised(view) == set(seats))
        await judge.does("close_window")
        await page.sees(
            lambda view: not any(one["state"] in ("open", "counting") for one in view["vote"]["candidates"])
        )
        for seat in seats:
            simulation.press(f"seat {seat}", down=False)
        await page.sees(lambda view: all(seat["contact"] == "up" for seat in view["seats"]))


def _raised(view: dict[str, Any]) -> set[int]:
    now = next((one for one in view["vote"]["candidates"] if one["state"] == "open"), None)
    return set() if now is None else set(now["hands"])


def _is_open(view: dict[str, Any]) -> bool:
    return any(one["state"] in ("open", "counting") for one in view["vote"]["candidates"])


def hears_no_role(page: Page) -> None:
    """Not one byte that `page` was ever sent tells a role. The night's calls and the result are said aloud."""
    for frame in page.frames:
        for key in ("role", "shots", "checks", "nights", "legal", "proposals", "history", "evidence", "hand", "hands"):
            assert f'"{key}"' not in frame
        if frame.startswith("42"):
            view = json.loads(frame[2:])[1].get("view", {})
            view.get("phase", {}).pop("step", None)
            view.pop("result", None)
            frame = json.dumps(view, ensure_ascii=False)
        for word in ("mafia", "don", "sheriff", "civilian", "мафия", "дон", "шериф", "мирный"):
            assert not re.search(rf'["\s]{word}["\s]', _without_timer(frame), re.IGNORECASE), (word, frame)


def _without_timer(frame: str) -> str:
    """The timer of a night's call is named after the call, which is said aloud."""
    return re.sub(r'"id": "night \d+ \w+"', "", frame)


def token(running: Running, scope: Scope) -> str:
    """What opens a scope: its link's token, or at a real table's desk the cookie of a device that has given its PIN."""
    if scope is Scope.OFFICE or (scope is Scope.JUDGE and running.simulation is None):
        return device_at(running, scope)
    if scope is Scope.SPECTATOR:
        return running.access.token(running.access.add_link(scope, "public", delay=0))
    return running.access[scope]


def device_at(running: Running, scope: Scope = Scope.JUDGE, name: str = "tablet") -> str:
    """A tablet that is registered at `running` and has given its PIN, as a `Page` takes it."""
    access, secret = running.access, uuid4().hex
    now = time.time()
    kept = hashlib.sha256(secret.encode()).hexdigest()
    device = Device(id=secret[:8], scope=scope, name=name, secret=kept, registered=now, known_until=now + 3600)
    access._changed_now(lambda registry: registry.with_device(device))
    return f"{COOKIE}{device.id}.{secret}"
