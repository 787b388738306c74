"""A phone, a tablet, a side judge and the board at once, pressed at random: one history, every refusal explained."""

import asyncio
import random
from collections import Counter
from itertools import count
from typing import Any

import pytest

from controller.service.access import Scope
from controller.service.running import Running
from controller.table.archive import filed_games
from controller.table.journal_file import read_only
from tests.service.judge import token
from tests.service.page import Page

ROLES = ("civilian",) * 6 + ("mafia",) * 2 + ("don", "sheriff")
SEATS = range(1, 11)
NAMES = [f"Игрок {seat}" for seat in SEATS]
KEYS = ("next", "next", "vote", "vote", "timer", "back", "foul", "nominate", "remove", *(f"board {n}" for n in SEATS))


@pytest.mark.timeout(180)
async def test_four_devices_at_random_leave_one_history(simulated: Running) -> None:
    await _soak(simulated, 400, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [11, 12])
async def test_ten_thousand_commands_of_four_devices_leave_one_history(simulated: Running, seed: int) -> None:
    await _soak(simulated, 10_000, seed=seed)


async def _soak(service: Running, commands: int, *, seed: int) -> None:
    key = token(service, Scope.JUDGE)
    said = {"token": key, "page": "judge"}
    async with (
        Page(service.address, auth={**said, "language": "ru"}) as tablet,
        Page(service.address, auth={**said, "language": "ru"}) as phone,
        Page(service.address, auth={**said, "language": "uk", "side": True}) as side,
    ):
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        left = iter(range(commands))
        devices = [Finger(page, random.Random(seed * 10 + n), n) for n, page in enumerate((tablet, phone, side))]
        board = asyncio.create_task(_board(service, random.Random(seed)))
        try:
            await asyncio.gather(*(device.plays(left, service) for device in devices))
        finally:
            board.cancel()
        await service.table.idle()
        await _settled(service, tablet, phone)

        given = {name: answer for device in devices for name, answer in device.answers.items()}
        refused = {name for name, answer in given.items() if not answer["ok"]}
        for name in refused:
            refusal = given[name]["refusal"]
            assert refusal["sentence"].strip(), refusal
            assert refusal["sentence"] != refusal["code"], refusal
            assert refusal["code"] not in ("fault", "disk_failing"), refusal
        assert tablet.view == phone.view
        assert tablet.revision == phone.revision

        shown = service.table.snapshot
        book = next(game.book for game in filed_games(_folder(service)) if game.book.game == shown.game)
        assert book.state == shown.state
        assert list(book.history) == list(shown.history)
        assert book.revision == shown.revision
        rows = [row.id for row in read_only(_folder(service))]
        assert len(rows) == len(set(rows)), "a command was taken twice"
        assert not refused & set(rows), "what was refused was done"
        taken = len(given) - len(refused)
        codes = Counter(given[name]["refusal"]["code"] for name in refused)
        print(f"\n{codes.most_common(12)}")
        print(f"{len(given)} commands: {taken} taken, {len(refused)} refused; {len(rows)} rows in the journal")
        assert taken > len(given) / 10


def _folder(service: Running) -> Any:
    return FOLDERS[service.address]


FOLDERS: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def where_the_journal_is(simulated: Running, tmp_path: Any) -> None:
    """The service's folder, by its address."""
    FOLDERS[simulated.address] = tmp_path / "data"


async def _settled(service: Running, *pages: Page) -> None:
    """Every page has the newest view."""
    service.broadcast.refresh()
    newest = service.broadcast.revision(Scope.JUDGE)
    for page in pages:
        await page.until(lambda page=page: page.revision >= newest)


class Finger:
    """One device: it does what is offered, or anything at all."""

    def __init__(self, page: Page, dice: random.Random, number: int) -> None:
        self.page = page
        self._side = number == 2
        self.answers: dict[str, dict[str, Any]] = {}
        self._dice = dice
        self._number = number
        self._names = count(1)

    async def plays(self, left: Any, service: Running) -> None:
        """Presses until nothing is left to press."""
        for turn in left:
            if turn % 50 == 0:
                service.broadcast.screens.renew_allowances()
            name = f"finger {self._number} {next(self._names)}"
            back = self._dice.choice((0, 0, 0, 0, 1, 3))
            seen = self.page.views[-1 - min(back, len(self.page.views) - 1)]
            payload = {"id": name, "revision": seen["revision"], **self._body(seen["view"])}
            answer = await self.page.ask("command", payload)
            if self._dice.random() < 0.1:  # the answer was lost on its way, and the page has sent it again
                again = await self.page.ask("command", payload)
                assert again["ok"] == answer["ok"], (payload, answer, again)
            self.answers[name] = answer

    def _body(self, view: dict[str, Any]) -> dict[str, Any]:
        if self._side and self._dice.random() < 0.9:
            return self._seen()
        return self._offered(view) if self._dice.random() < 0.75 else self._anything(view)

    def _seen(self) -> dict[str, Any]:
        """What the side judge's own page can send."""
        seat = self._dice.choice(SEATS)
        return self._dice.choice(
            (
                {"do": "warn", "seat": seat},
                {"do": "foul", "seat": seat, "clause": "6.6.1"},
                {"do": "suggest", "seat": seat, "what": "note", "text": "шепчет"},
            )
        )

    def _offered(self, view: dict[str, Any]) -> dict[str, Any]:
        dice, legal = self._dice, view["legal"]
        undealt = [seat["seat"] for seat in view["seats"] if seat["role"] is None]
        living = [seat["seat"] for seat in view["seats"] if seat["in_play"]]
        if undealt and legal["deal"]:
            seat = undealt[0]
            return {"do": "deal", "seat": seat, "role": ROLES[seat - 1]}
        may: list[dict[str, Any]] = []
        if legal["next"]:
            may += [{"do": "next"}] * 3
        if legal["open_window"]:
            may += [{"do": "open_window"}] * 3
        if legal["close_window"]:
            may += [{"do": "close_window"}] * 3
        if legal["count"]:
            may += [{"do": "count", "seats": dice.sample(living, dice.randint(0, len(living)))}] * 2
        if legal["shoot"]:
            may += [{"do": "shoot", "at": dice.choice(living)}, {"do": "shoot", "miss": True}] * 3
        if legal["check"]:
            may += [{"do": "check", "by": legal["check"], "seat": dice.choice((*living, None))}] * 2
        if legal["nominate"] and view["phase"]["seat"]:
            may += [{"do": "nominate", "by": view["phase"]["seat"], "seat": dice.choice(legal["nominate"])}] * 2
        if legal["best_move"]:
            may.append(
                {"do": "best_move", "seat": legal["best_move"], "numbers": dice.sample(SEATS, dice.randint(0, 3))}
            )
        for proposal in view["proposals"]:
            if proposal["answer"] is None:
                may.append({"do": dice.choice(("give", "waive")), "proposal": proposal["id"]})
        for suggestion in view["suggestions"]:
            may.append({"do": "answer", "suggestion": suggestion["number"], "taken": dice.random() < 0.3})
        if view["phase"]["kind"] == "over":
            may += [{"do": "new_game"}, {"do": "sign"}, {"do": "award", "seat": dice.choice(SEATS), "points": "0.3"}]
        return dice.choice(may) if may else self._anything(view)

    def _anything(self, view: dict[str, Any]) -> dict[str, Any]:
        dice = self._dice
        seat, other = dice.choice(SEATS), dice.choice(SEATS)
        choices: tuple[dict[str, Any], ...] = (
            {"do": "foul", "seat": seat},
            {"do": "foul", "seat": seat, "clause": "6.6.1"},
            {"do": "warn", "seat": seat},
            {"do": "nominate", "by": seat, "seat": other},
            {"do": "withdraw", "by": seat},
            {"do": "rule", "candidate": other, "seat": seat, "counts": dice.random() < 0.5},
            {"do": "void_window"},
            {"do": "undo"},
            {"do": "undo"},
            {"do": "redo"},
            {"do": "timer", "running": dice.random() < 0.5},
            {"do": "stop", "stopped": dice.random() < 0.3},
            {"do": "suggest", "seat": seat, "what": dice.choice(("foul", "warn", "note")), "text": "видел"},
            {"do": "side", "gives": dice.random() < 0.5},
            {"do": "shoot", "at": seat},
            {"do": "check", "by": "don", "seat": seat},
            {"do": "replace", "decision": dice.randint(1, 60), "with": {"do": "foul", "seat": seat}},
            {"do": "deal", "seat": seat, "role": dice.choice(ROLES)},
            {"do": "protest", "seat": seat, "text": "не согласен"},
            {"do": "will", "seat": seat, "named": other},
            {"do": "act", "by": "doctor", "seats": [seat]},
            {"do": "kill", "at": seat},
            {"do": "technical", "seat": seat, "heavy": True},
            {"do": "set_up", "event": "", "stage": "", "game": 1, "table": 1, "judge": "", "names": NAMES},
            {"do": "position", "day": True, "round": dice.randint(1, 3), "left": [[seat, "voted"]], "speaker": other},
            {"do": "next"},
        )
        rare = ({"do": "remove", "seat": seat}, {"do": "defeat", "seat": seat, "clause": "6.8.1"}, {"do": "annul"})
        return dice.choice(rare) if dice.random() < 0.02 else dice.choice(choices)


async def _board(service: Running, dice: random.Random) -> None:
    """The board's keys and the players' hands, for as long as it is let."""
    simulation = service.simulation
    assert simulation is not None
    while True:
        key = dice.choice(KEYS) if dice.random() < 0.5 else f"seat {dice.choice(SEATS)}"
        if key in simulation.keys:
            simulation.press(key, down=True)
            await asyncio.sleep(0.03)
            simulation.press(key, down=False)
        await asyncio.sleep(0.05)
