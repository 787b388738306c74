"""Two tables whose games differ only in secrets - the cards of seats that behave alike, the checks - are the same to
everybody who stands around them: frames, answers to what the hall asks, every HTTP route, and the log."""

import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession

from controller.game.roles import Role
from controller.service.access import Scope
from controller.service.running import Running, running
from controller.service.sample_final import CARDS
from controller.service.settings import Settings
from tests.service.judge import Judge, token
from tests.service.page import Page
from tests.service.test_crawl import routes
from tests.service.test_what_a_client_may_ask import EVENTS, FIELDS

OTHER_CARDS = (*CARDS[1:], CARDS[0])
"""Everybody has his neighbour's card."""
SHOT = 4
Told = dict[str, list[Any]]


def timeless(frame: str) -> str:
    """A frame without the clock's own figures and the connection's name: the two tables do not begin at one instant.
    That instants are the same is looked at on a clock of the tests' own (tests/views/test_hall_knows_nothing)."""
    frame = re.sub(r'"(now|deadline|sid|t0|starts_in)":\s*("[^"]*"|[\d.]+)', r'"\1":0', frame)
    return re.sub(r"^40.*", "40", frame)


def checks(cards: Iterable[Role]) -> dict[str, int]:
    """Whom don and sheriff check: each another than in the other game."""
    dealt = tuple(cards)
    return {"don": dealt.index(Role.SHERIFF) + 1, "sheriff": dealt.index(Role.CIVILIAN) + 1}


async def told(settings: Settings, pages: Path, cards: tuple[Role, ...], log: list[logging.LogRecord]) -> Told:
    """All that is told of one game, from the deal to the second day, by channel."""
    found: Told = defaultdict(list)
    begun = len(log)
    async with running(settings, pages=pages) as table, AsyncExitStack() as stack, ClientSession() as session:
        late = table.access.token(table.access.add_link(Scope.SPECTATOR, "late", delay=300))
        tablet = await stack.enter_async_context(Page(table.address, token(table, Scope.JUDGE)))
        shown = {
            "hall": await stack.enter_async_context(Page(table.address)),
            "break": await stack.enter_async_context(Page(table.address, page="break")),
            "office": await stack.enter_async_context(Page(table.address, token(table, Scope.OFFICE), page="office")),
        }
        spectator = await stack.enter_async_context(Page(table.address, late, page="spectator", waits=False))
        judge = Judge(tablet)

        async def settled() -> None:
            for name, page in shown.items():
                wanted = table.broadcast.revision(Scope(name))
                await page.until(lambda page=page, wanted=wanted: page.revision >= wanted)

        async def look() -> None:
            await settled()
            found["http"] += await fetched(table, session)
            for event in EVENTS:
                answer = json.dumps(await shown["hall"].ask(event, dict(FIELDS)), ensure_ascii=False)
                found["answers"].append((event, timeless(answer)))

        await judge.deals(cards)
        await look()
        await judge.goes_on_to("night")
        await settled()
        while not tablet.view["legal"]["shoot"]:
            await judge.does("next")
        await judge.does("shoot", shots={}, at=SHOT)
        await judge.does("next")
        for by, seat in checks(cards).items():
            await judge.does("check", by=by, seat=seat)
            await look()
            await judge.does("next")
        await judge.goes_on_to("speech")
        await look()
        for name, page in shown.items():
            found[name] = [timeless(frame) for frame in page.frames if frame.startswith(("40", "42"))]
        # It is let in and told its delay by two hands: either may be the first, and the second is waited for.
        await spectator.until(lambda: any(frame.startswith('42["delay"') for frame in spectator.frames))
        found["spectators"] = sorted(timeless(frame) for frame in spectator.frames if frame.startswith(("40", "42")))
    said = [row for row in log[begun:] if row.name.startswith(("controller", "aiohttp"))]
    found["log"] = [
        (row.name, row.levelname, row.getMessage(), getattr(row, "kind", ""), getattr(row, "outcome", ""))
        for row in said
    ]
    return found


async def fetched(table: Running, session: ClientSession) -> list[Any]:
    """Every route as nobody gets it: status, headers, body."""
    found: list[Any] = []
    for method, path in sorted(set(routes(table))):
        asked = path.replace("{name:.+}", "x").replace("{name}", "x")
        body = {} if method == "POST" else None
        async with session.request(method, table.address + asked, json=body) as answer:
            headers = {key: value for key, value in answer.headers.items() if key != "Date"}
            # The port stands in the policy.
            policy = re.sub(r":\d+", "", str(sorted(headers.items())))
            found.append((method, path, answer.status, policy, await answer.text()))
    return found


async def pair(chosen: Settings, pages: Path, caplog: pytest.LogCaptureFixture) -> tuple[Told, Told]:
    """Both games."""
    caplog.set_level(logging.INFO)
    log = caplog.records
    first = await told(replace(chosen, data=chosen.data / "one"), pages, CARDS, log)
    second = await told(replace(chosen, data=chosen.data / "two"), pages, OTHER_CARDS, log)
    return first, second


async def test_nothing_that_is_told_around_the_table_differs(
    chosen: Settings, pages: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await pair(chosen, pages, caplog)
    for channel in first:
        assert first[channel] == second[channel], channel
    # What is compared is worth comparing.
    assert {"hall", "break", "office", "spectators", "http", "answers", "log"} <= set(first)
    assert len(first["hall"]) > 10
    assert sum("night" in str(frame) for frame in first["hall"]) > 2
    assert any(row[3] == "Check" or "check" in str(row).lower() for row in first["log"])


def _leaks_in_hall(monkeypatch: pytest.MonkeyPatch) -> str:
    from controller.service import broadcast

    plain = broadcast.hall_view

    def leaky(snapshot: Any) -> Any:
        view = plain(snapshot)
        don = snapshot.state.holder(Role.DON)
        header = msgspec.structs.replace(view.header, event="" if don is None else str(don.number))
        return msgspec.structs.replace(view, header=header)

    monkeypatch.setattr(broadcast, "hall_view", leaky)
    return "hall"


def _leaks_in_log(monkeypatch: pytest.MonkeyPatch) -> str:
    from controller.service import broadcast

    plain = broadcast.Broadcast.refresh

    def leaky(self: Any) -> None:
        plain(self)
        don = self._snapshot().state.holder(Role.DON)
        logging.getLogger("controller.service").info("don %s", "" if don is None else don.number)

    monkeypatch.setattr(broadcast.Broadcast, "refresh", leaky)
    return "log"


def _leaks_over_http(monkeypatch: pytest.MonkeyPatch) -> str:
    from controller.service import running as running_module

    seen: list[Any] = []
    plain = running_module.Broadcast.refresh

    def noting(self: Any) -> None:
        plain(self)
        seen[:] = [self._snapshot().state.holder(Role.DON)]

    monkeypatch.setattr(running_module.Broadcast, "refresh", noting)
    monkeypatch.setattr(
        running_module,
        "health",
        lambda build: {"ok": True, "don": None if not seen or seen[0] is None else seen[0].number},
    )
    return "http"


def _leaks_in_answers(monkeypatch: pytest.MonkeyPatch) -> str:
    from controller.service.requests import Requests

    plain = Requests._refused

    def leaky(self: Any, screen: Any, refusal: Any) -> Any:
        don = self._table.snapshot.state.holder(Role.DON)
        return plain(self, screen, replace(refusal, clause=None if don is None else str(don.number)))

    monkeypatch.setattr(Requests, "_refused", leaky)
    return "answers"


def _leaks_to_spectators(monkeypatch: pytest.MonkeyPatch) -> str:
    from controller.service import spectators

    monkeypatch.setattr(spectators.Spectators, "_due", lambda self, delay, now: self._ring.last)
    return "spectators"


@pytest.mark.soak
@pytest.mark.parametrize(
    "leak", [_leaks_in_hall, _leaks_in_log, _leaks_over_http, _leaks_in_answers, _leaks_to_spectators]
)
async def test_a_leak_in_any_of_them_is_found(
    chosen: Settings,
    pages: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    leak: Callable[[pytest.MonkeyPatch], str],
) -> None:
    channel = leak(monkeypatch)
    first, second = await pair(chosen, pages, caplog)
    assert first[channel] != second[channel]
