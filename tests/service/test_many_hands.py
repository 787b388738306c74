"""A phone, a tablet, a side judge and the board at once, pressed at random: one history, every refusal explained.

What fails prints its seed and the last things that were sent, in the order of their answers; all of them lie beside
the journal, one line of JSON each, so that they can be sent again. It waits for an answer, for the cable and for a
page, never for a time; a machine that is too busy for that is told to be.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from controller.catalogue import LANGUAGES, has
from controller.game.phases import Over
from controller.game.refusal import Refusal
from controller.record.notation import read
from controller.service.access import Scope
from controller.service.running import Running
from controller.table.archive import filed_games
from controller.table.journal_file import read_only
from controller.table.state import Cause, Contact, Disk, Snapshot, Stage, What
from tests.service.judge import token
from tests.service.page import Page
from tests.service.waiting import comes_true

ROLES = ("civilian",) * 6 + ("mafia",) * 2 + ("don", "sheriff")
SEATS = range(1, 11)
NAMES = [f"Игрок {seat}" for seat in SEATS]
BUSY_S = 120.0
"""So long a machine may be busy with other things before that is said to be the failure."""
TOLD = 60
KEYS = ("next", "next", "vote", "vote", "timer", "back", "foul", "nominate", "remove", *(f"board {n}" for n in SEATS))


@pytest.mark.timeout(180)
async def test_four_devices_at_random_leave_one_history(simulated: Running, tmp_path: Path) -> None:
    await _soak(simulated, 400, seed=1, folder=tmp_path / "data")


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [11, 12, 13, 14])
async def test_ten_thousand_commands_of_four_devices_leave_one_history(
    simulated: Running, tmp_path: Path, seed: int
) -> None:
    await _soak(simulated, 10_000, seed=seed, folder=tmp_path / "data")


async def _soak(service: Running, commands: int, *, seed: int, folder: Path) -> None:
    sent = Sent(seed, folder / "sent.jsonl")
    try:
        await _pressed(service, commands, sent, folder)
    except BaseException:  # whatever it is, an assertion or the end of the test's time
        sent.tell()
        raise


async def _pressed(service: Running, commands: int, sent: "Sent", folder: Path) -> None:
    said = {"token": token(service, Scope.JUDGE), "page": "judge"}
    hellos = ({**said, "language": "ru"}, {**said, "language": "ru"}, {**said, "language": "uk", "side": True})
    left = iter(range(commands))
    devices = [Finger(service, hello, random.Random(sent.seed * 10 + n), sent) for n, hello in enumerate(hellos)]
    async with AsyncExitStack() as closing:
        for device in devices:
            await device.connect()
            closing.push_async_callback(device.close)
        await devices[0].page.sees(lambda view: view["links"][0]["state"] == "up")
        board = Board(service, sent)
        pressing = asyncio.create_task(board.presses(random.Random(sent.seed)))
        try:
            async with asyncio.TaskGroup() as playing:
                for device in devices:
                    playing.create_task(device.plays(left))
        finally:
            pressing.cancel()
            await asyncio.wait((pressing,))
        assert pressing.cancelled(), pressing.exception()
        tablet, phone = devices[0].page, devices[1].page
        await board.rests()
        await _at_rest(service, tablet, phone)

        assert tablet.view == phone.view
        assert tablet.revision == phone.revision
        given = {name: answer for device in devices for name, answer in device.answers.items()}
        refused = {name for name, answer in given.items() if not answer["ok"]}
        for name in refused:
            refusal = given[name]["refusal"]
            assert refusal["sentence"].strip(), refusal
            assert refusal["sentence"] != refusal["code"], refusal
            assert refusal["code"] != "fault", refusal

        shown = service.table.snapshot
        filed = filed_games(folder)
        book = next(game.book for game in filed if game.book.game == shown.game)
        assert book.state == shown.state
        assert list(book.history) == list(shown.history)
        assert book.revision == shown.revision
        rows = [row.id for row in read_only(folder)]
        assert len(rows) == len(set(rows)), "a command was taken twice"
        assert not refused & set(rows), "what was refused was done"
        assert {name for name, answer in given.items() if answer["ok"]} >= set(rows) & set(given)
        # Every game that was dealt can be read from its record; one that is over comes to the same.
        dealt = [game for game in filed if game.dealt]
        for game in dealt:
            own, again = game.book.state, read(game.record).game.state
            if isinstance(own.phase, Over):
                assert (again.outcome, again.departures) == (own.outcome, own.departures)
        for unexplained in _unexplained(board.refused):
            raise AssertionError(f"the board's {unexplained} has no sentence")
        taken = len(given) - len(refused)
        codes = Counter(given[name]["refusal"]["code"] for name in refused)
        print(f"\nseed {sent.seed}: {codes.most_common(12)}")
        cuts, stalls = (sum(getattr(device, what) for device in devices) for what in ("cuts", "stalls"))
        print(
            f"{len(given)} commands over {cuts} cuts, {stalls} of them sent again to a disk that had stood still: "
            f"{taken} taken, {len(refused)} refused, {len(rows)} rows kept"
        )
        over = sum(game.book.state.outcome is not None for game in dealt)
        counted = sum(count.by_sensors for game in dealt for row in game.book.state.ballots for count in row.counts)
        print(
            f"{len(filed)} games, {over} with a result, {counted} windows counted by sensors in ballots that stand; "
            f"the board: {board.taken} presses taken, {len(board.refused)} refused"
        )
        assert taken > len(given) / 10


async def _at_rest(service: Running, *pages: Page) -> None:
    """Nothing is on its way: no window will count itself, every wish has its answer, every page the newest view.

    It returns in the very turn of the loop in which that is so, and whoever compares may not wait before.
    """

    def still() -> bool:
        window = service.table.snapshot.window
        newest = service.broadcast.revision(Scope.JUDGE)
        counts_itself = window is not None and window.stage in (Stage.OPEN, Stage.WAITING)
        return not counts_itself and all(page.revision == newest for page in pages)

    await comes_true(still)
    await service.table.idle()
    service.broadcast.refresh()
    await comes_true(still)


@dataclass
class Sent:
    """Everything that was pressed and what came of it, in the order of the answers, so that it can be done again."""

    seed: int
    file: Path
    lines: list[str] = field(default_factory=list[str])

    def note(self, **what: Any) -> None:
        """Adds a line."""
        self.lines.append(json.dumps(what, ensure_ascii=False))

    def tell(self) -> None:
        """Prints the seed and the end of it, and leaves all of it in a file."""
        self.file.write_text("\n".join(self.lines) + "\n")
        last = "\n".join(self.lines[-TOLD:])
        print(f"\nseed {self.seed}; {len(self.lines)} presses lie in {self.file}, the last are:\n{last}")


class Finger:
    """One device: it does what is offered, or anything at all."""

    page: Page

    def __init__(self, service: Running, hello: dict[str, Any], dice: random.Random, sent: Sent) -> None:
        self.cuts = 0
        self.stalls = 0
        self._sent = sent
        self._service = service
        self._hello = hello
        self._side = hello.get("side", False)
        self._own = uuid4().hex
        self.answers: dict[str, dict[str, Any]] = {}
        self._dice = dice
        self._names = count(1)

    async def connect(self) -> None:
        """A link, with the whole view."""
        self.page = await Page(self._service.address, auth=self._hello).__aenter__()

    async def close(self) -> None:
        """The link is cut."""
        await self.page.__aexit__()

    async def plays(self, left: Iterator[int]) -> None:
        """Presses until nothing is left to press."""
        for turn in left:
            if turn % 50 == 0:
                self._service.broadcast.screens.renew_allowances()
            name = f"{self._own} {next(self._names)}"
            back = self._dice.choice((0, 0, 0, 0, 1, 3))
            seen = self.page.views[-1 - min(back, len(self.page.views) - 1)]
            payload = {"id": name, "revision": seen["revision"], **self._body(seen["view"])}
            answer = await self._sends(payload)
            code = None if answer["ok"] else answer["refusal"]["code"]
            self._sent.note(device=self._hello["language"], side=self._side, **payload, refused=code)
            if self._dice.random() < 0.1:  # the answer was lost on its way, and the page has sent it again
                again = await self._sends(payload)
                assert again["ok"] == answer["ok"], (payload, answer, again)
            self.answers[name] = answer

    async def _sends(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The answer for good. A machine that is so busy that its disk takes nothing for two seconds refuses, says so
        and may be asked again, as the page does: that is no failure, and what was written can be lost by no test."""
        while not (answer := await self._answered(payload))["ok"] and answer["refusal"]["code"] == "disk_failing":
            self.stalls += 1
            await comes_true(lambda: self._service.table.snapshot.disk is not Disk.FAILING, BUSY_S)
        return answer

    async def _answered(self, payload: dict[str, Any]) -> dict[str, Any]:
        """The answer, over as many links as it takes; now and then the link is cut just behind the command."""
        while True:
            asked = asyncio.create_task(self.page.ask("command", payload))
            cut = asyncio.create_task(self.page.closed.wait())
            if self._dice.random() < 0.01:
                await asyncio.sleep(0)
                await self.page.hang_up()
            await asyncio.wait((asked, cut), return_when=asyncio.FIRST_COMPLETED)
            cut.cancel()
            if asked.done() and not asked.cancelled() and asked.exception() is None:
                return asked.result()
            asked.cancel()
            self.cuts += 1
            await self.close()
            await self.connect()

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
        if view["step"]["do"] == "announce":
            may += [{"do": "announce"}] * 4
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
            {"do": "announce"},
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


class Board:
    """The board's keys and the players' hands, for as long as it is let; and what became of the presses."""

    def __init__(self, service: Running, sent: Sent) -> None:
        assert service.simulation is not None
        self.refused: list[Refusal] = []
        self.taken = 0
        self._sent = sent
        self._service = service
        self._simulation = service.simulation
        service.table.subscribe(self._hear)

    def _hear(self, _: Snapshot, cause: Cause) -> None:
        if cause.refusal is not None and cause.origin == "board":
            self.refused.append(cause.refusal)
        elif cause.what is What.DECISION and cause.origin == "board":
            self.taken += 1

    async def presses(self, dice: random.Random) -> None:
        """Presses until it is stopped."""
        simulation = self._simulation
        while True:
            key = dice.choice(KEYS) if dice.random() < 0.5 else f"seat {dice.choice(SEATS)}"
            if key in simulation.keys:
                self._sent.note(board=key)
                simulation.press(key, down=True)
                try:
                    await asyncio.sleep(0.03)
                finally:
                    simulation.press(key, down=False)
            await asyncio.sleep(0.05)

    async def rests(self) -> None:
        """Waits until all that was pressed has come over the cable: behind it a hand goes down and up again."""
        for down in (True, False):
            self._simulation.press("seat 1", down=down)
            await comes_true(lambda down=down: (self._contact() is Contact.DOWN) is down, BUSY_S)

    def _contact(self) -> Contact | None:
        return self._service.table.snapshot.contacts.get(1)


def _unexplained(refused: Iterable[Refusal]) -> list[str]:
    """The codes that have no sentence on the judge's tablet."""
    return [one.code for one in refused for language in LANGUAGES if not has(f"refusal.{one.code}", language)]
