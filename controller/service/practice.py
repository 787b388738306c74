"""A practice game: the simulated table's players act by the script, hands by the sensors' own cable and words on a page
beside the tablet, and at the end the judge reads what there was. Its journal is a folder that is thrown away.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from aiohttp import web
from rich.console import Console

from controller.catalogue import LANGUAGES, has, listed, sentence
from controller.game.best_move import best_move_of
from controller.game.night import waking
from controller.game.phases import Choosing, Dealing, LastWord, Night, Over, Speech, SpeechKind, Voting
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.rulesets import RULESETS as RULES
from controller.game.state import State
from controller.practice import script
from controller.practice.score import Fact, Report, Shown, Told, score
from controller.practice.script import MEASURES, SEATS, Act, Spoken
from controller.service import sample_final
from controller.service.access import Scope
from controller.service.running import PAGES, Running, running, until_told_to_stop
from controller.service.settings import Copies, Game, Metrics, Obs, Relays, Settings
from controller.service.simulation import Simulation
from controller.table.state import Snapshot, Stage
from controller.table.table import Table
from hardware.signal import seat_of

RULESETS: Final = tuple(MEASURES)
SPEED: Final = 1.0
EARLY_AFTER_S: Final = (0.9, 1.5)
"""So long after a candidate is called an early hand comes down, if the window is not open by then."""
LEAVES_AFTER_S: Final = 0.3

log = logging.getLogger(__name__)


@dataclass
class Room:
    """Players who do what the script says, as fast as the judge leads them."""

    table: Table
    simulation: Simulation
    seed: int
    speed: float = SPEED
    """Words come so many times as fast; hands are as fast as hands."""
    bubbles: dict[int, Act] = field(default_factory=dict[int, Act])
    """What is seen and heard now, by seat."""
    shown: list[Shown] = field(default_factory=list[Shown])
    told: list[Told] = field(default_factory=list[Told])
    game: str = ""
    down: set[int] = field(default_factory=set[int])
    """Whose hand rests on the table."""
    _moment: object = None

    @property
    def own_seed(self) -> int:
        """The script of the game that is on: the next game is another one."""
        return self.seed + self.table.snapshot.header.game

    @property
    def cards(self) -> tuple[Role, ...]:
        """What the seats draw in the game that is on, seat 1 first."""
        return script.cards(self.own_seed, self.table.snapshot.state)

    @property
    def sensed(self) -> frozenset[int]:
        """The seats with a sensor; the hands of the others are seen in the room alone."""
        return frozenset(seat for key in self.simulation.keys if (seat := seat_of(key)) is not None)

    def report(self) -> Report:
        """The game so far, seen by a second pair of eyes."""
        return score(self.table.snapshot.history, self.shown, self.told)

    async def run(self) -> None:
        """Follows the game until cancelled."""
        changed = asyncio.Event()
        stop = self.table.subscribe(lambda _snapshot, _cause: changed.set())
        playing: asyncio.Task[None] | None = None
        try:
            while True:
                changed.clear()
                now = self.table.snapshot
                if now.game != self.game:
                    self.game, self.shown, self.told = now.game, [], []
                moment = moment_of(now)
                if moment != self._moment:
                    self._moment = moment
                    await _ended(playing)
                    playing = asyncio.create_task(self._play(now), name="practice: the players")
                await changed.wait()
        finally:
            stop()
            await _ended(playing)
            self._release()

    # --- one moment

    async def _play(self, now: Snapshot) -> None:
        try:
            self.bubbles.clear()
            state = now.state
            match state.phase:
                case Dealing():
                    self._card(state)
                case Speech(seat, SpeechKind.MINUTE, seconds) if seconds:
                    await self._acts(now, script.minute(self.own_seed, state, seat))
                case Speech(seat) | LastWord(seat) if best_move_of(state) != seat or state.best_move is not None:
                    await self._acts(now, (Act(6.0, seat, "thanks"),))
                case LastWord(seat):
                    await self._acts(now, script.best_move(self.own_seed, state, seat))
                case Voting():
                    await self._vote(now)
                case Night():
                    await self._night(now)
                case Choosing() if state.avenger_choice is None:
                    await self._act(now, Role.AVENGER)
                case _:
                    self._release()
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("the players of the practice game have stopped")

    def _card(self, state: State) -> None:
        """The next seat shows the card it has drawn."""
        seat = next((seat.number for seat in state.seats if seat.role is None), None)
        if seat is None:
            return
        self.told = [one for one in self.told if one.kind != "card" or one.seat != seat]
        self.told.append(Told("card", seat, state.at, role=self.cards[seat - 1]))
        self.bubbles[seat] = Act(0.0, seat, "card")

    async def _acts(self, now: Snapshot, acts: Sequence[Act]) -> None:
        """Everything that is said in this moment, each when it is due."""
        gone = 0.0
        for act in script.in_order(acts):
            await asyncio.sleep((act.after - gone) / self.speed)
            gone = act.after
            self._show(now, act)

    def _show(self, now: Snapshot, act: Act) -> None:
        at = now.state.at
        self.bubbles[act.seat] = act
        match act.what:
            case "nominates":
                self._tell(Told("nomination", act.seat, at, act.targets))
            case "best_move":
                self._tell(Told("best_move", act.seat, at, act.targets))
            case Spoken.OUT_OF_TURN | Spoken.NIGHT_TALK:
                what = Spoken(act.what)
                measure = MEASURES[now.state.rules.name][what]
                shown = Shown(what, act.seat, at, self.table.snapshot.history.length, measure)
                if not any((one.what, one.seat, one.at) == (what, act.seat, at) for one in self.shown):
                    self.shown.append(shown)
            case _:
                pass

    def _tell(self, told: Told) -> None:
        if told not in self.told:
            self.told.append(told)

    async def _night(self, now: Snapshot) -> None:
        self._release()
        state, call = now.state, waking(now.state)
        match None if call is None else call.step:
            case Waking.SHOOTING | Waking.KILL if state.tonight is not None and state.tonight.shots is None:
                acts = script.shooting(self.own_seed, state)
                fired = script.shots(self.own_seed, state)
                hit = script.target(state, fired)
                self._tell(Told("shots", 0, state.at, tuple(fired.values()) if hit is None else (hit,)))
                await self._acts(now, acts)
            case Waking.DON | Waking.SHERIFF as step:
                by = Role.DON if step is Waking.DON else Role.SHERIFF
                acts = script.check(self.own_seed, state, by)
                for act in acts:
                    self._tell(Told("check", act.seat, state.at, act.targets, by))
                await self._acts(now, acts)
            case Waking.MANIAC | Waking.BEAUTY | Waking.DOCTOR | Waking.BOMBER as step:
                if state.tonight is not None and step.value not in state.tonight.acted:
                    await self._act(now, Role(step.value))
            case _:
                pass

    async def _act(self, now: Snapshot, by: Role) -> None:
        acts = script.act(self.own_seed, now.state, by)
        for act in acts:
            self._tell(Told("act", act.seat, now.state.at, act.targets, by))
        await self._acts(now, acts)

    # --- hands

    async def _vote(self, now: Snapshot) -> None:
        state, ballot, window = now.state, now.state.ballot, now.window
        assert ballot is not None
        if ballot.unsaid is not None:
            return  # hands rest until the count is said
        if window is not None and window.stage is Stage.OPEN and ballot.due is not None:
            await self._open(script.hands(self.own_seed, state, ballot, ballot.due, self.sensed))
            return
        if window is not None:
            return
        await asyncio.sleep(LEAVES_AFTER_S)
        self._release()
        if ballot.due is None:
            return
        early = [hand for hand in script.hands(self.own_seed, state, ballot, ballot.due, self.sensed) if hand.early]
        for hand, after in zip(early, EARLY_AFTER_S, strict=False):
            await asyncio.sleep(after)
            self._hand(hand.seat, down=True)

    async def _open(self, hands: Sequence[script.Hand]) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        moves = [(hand.down, hand.seat, True) for hand in hands]
        moves += [(hand.up, hand.seat, False) for hand in hands if hand.up is not None]
        for ms, seat, down in sorted(moves):
            await asyncio.sleep(max(0.0, began + ms / 1000 - loop.time()))
            self._hand(seat, down=down)

    def _hand(self, seat: int, *, down: bool) -> None:
        if (seat in self.down) != down and (
            seat not in self.sensed or self.simulation.press(f"seat {seat}", down=down)
        ):
            (self.down.add if down else self.down.discard)(seat)

    def _release(self) -> None:
        for seat in tuple(self.down):
            self._hand(seat, down=False)

    # --- what the page shows

    def picture(self, language: str) -> dict[str, Any]:
        """The room and the report, in the words of `language`."""
        now = self.table.snapshot
        state, names = now.state, now.names
        return {
            "title": sentence("practice.title", language, seed=self.seed, game=now.header.game),
            "how": sentence("practice.how", language),
            "review": sentence("practice.review", language),
            "room": sentence("practice.room", language),
            "over": isinstance(state.phase, Over),
            "seats": [
                {
                    "seat": seat.number,
                    "name": names[seat.number - 1],
                    "out": not seat.in_play,
                    "hand": seat.number in self.down,
                    "says": self._says(seat.number, language),
                }
                for seat in state.seats
            ],
            "report": report_said(self.report(), state, language),
        }

    def _says(self, seat: int, language: str) -> str | None:
        act, ruleset = self.bubbles.get(seat), self.table.snapshot.state.rules.name
        if act is None:
            return None
        if act.what == "card":
            return sentence("practice.card", language, role=self.cards[seat - 1].value, ruleset=ruleset)
        if act.what == "acts" and not act.targets:
            return sentence("practice.refuses", language)
        code = f"practice.{act.what}"
        code = f"{code}_{act.line}" if has(f"{code}_{act.line}", language) else code
        return sentence(code, language, seats=listed(act.targets))


def moment_of(now: Snapshot) -> object:
    """What tells one moment of the players from the next."""
    state, ballot, window = now.state, now.state.ballot, now.window
    vote = None
    if ballot is not None and isinstance(state.phase, Voting):
        stage = "unsaid" if ballot.unsaid is not None else None if window is None else window.stage
        # A repeated window is a moment of its own.
        vote = (ballot.number, ballot.due, stage, ballot.opened)
    empty = [seat.number for seat in state.seats if seat.role is None] if isinstance(state.phase, Dealing) else []
    night = state.tonight
    noted = (night.shots is None, len(night.acted)) if night is not None else None
    return (now.game, state.at, state.phase, vote, empty[:1], noted, state.best_move)


def report_said(report: Report, state: State, language: str) -> dict[str, Any]:
    """The report as sentences."""
    rules = state.rules.name

    def at(moment: str) -> str:
        kind, _, number = moment.partition(" ")
        return sentence(f"practice.at_{kind}", language, number=int(number))

    def clause(number: str | None) -> str:
        if number is None:
            return ""
        cited, meant = f"paragraph.{number}", f"violation.{number}"
        # A text without clause numbers is cited by its first words.
        words = sentence(cited, language, ruleset=rules) if has(cited, language, ruleset=rules) else number
        return f"{words} ({sentence(meant, language, ruleset=rules)})" if has(meant, language, ruleset=rules) else words

    return {
        "summary": sentence(
            "practice.summary",
            language,
            there=len(report.rows),
            noticed=report.noticed,
            false=len(report.false),
            right=sum(fact.right for fact in report.facts),
            facts=len(report.facts),
        ),
        "rows": [
            {
                "at": at(row.at),
                "seat": row.seat,
                "what": sentence(f"practice.mistake_{row.what}", language),
                "clause": clause(row.clause),
                "measure": sentence(f"practice.measure_{row.penalty.value}", language),
                "verdict": row.verdict,
                "said": sentence(f"practice.verdict_{row.verdict}", language),
            }
            for row in report.rows
        ],
        "false": [
            sentence(
                "practice.false",
                language,
                at=at(one.at),
                seat=one.seat,
                measure=sentence(f"practice.measure_{one.penalty.value}", language),
                clause=clause(one.clause),
            )
            for one in report.false
        ],
        "wrong": [_wrong(fact, at, language, rules) for fact in report.facts if not fact.right]
        + [
            sentence("practice.wrong_unsaid", language, at=at(when), by=by, seat=seat)
            for when, by, seat in report.unsaid
        ],
    }


def _wrong(fact: Fact, at: Any, language: str, ruleset: str) -> str:
    told = fact.told
    refused = told.kind == "act" and not told.said
    return sentence(
        "practice.wrong_refused" if refused else f"practice.wrong_{told.kind}",
        language,
        at=at(str(told.at)),
        seat=told.seat,
        seats=listed(told.said),
        role=(told.role or Role.CIVILIAN).value,
        ruleset=ruleset,
    )


async def _ended(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


# --- the service around it


async def practice(settings: Settings, console: Console, *, seed: int, ruleset: str, seats: int = SEATS) -> None:
    """Runs a practice table until it is told to stop; nothing of it is kept. Raises CannotStart."""
    with TemporaryDirectory(prefix="mafia-practice-") as folder:
        await _practise(practice_settings(settings, Path(folder), ruleset, seats), console, seed)


def practice_settings(settings: Settings, folder: Path, ruleset: str, seats: int = SEATS) -> Settings:
    """The same settings for a game that is no real one, in a folder of its own."""
    language = settings.speech.language
    game = Game(
        ruleset=ruleset,
        event=sentence("practice.event", language),
        stage="",
        judge=settings.game.judge or sample_final.JUDGE,
        names=tuple(_name(seat, language) for seat in range(1, seats + 1)),
    )
    # Nothing of it goes anywhere: no OBS follows it, nothing is copied, no relay shows it.
    apart = replace(settings, obs=Obs(), copies=Copies(), relays=Relays(), metrics=Metrics())
    return replace(apart, data=folder, game=game)


def _name(seat: int, language: str) -> str:
    names = sample_final.NAMES
    return names[seat - 1] if seat <= len(names) else sentence("practice.player", language, seat=seat)


def not_practised(ruleset: str, language: str) -> str:
    """That there is no practice by these rules, and by which there is."""
    return sentence("practice.no_such_ruleset", language, ruleset=ruleset, known=", ".join(RULESETS))


def seats_fit(ruleset: str, seats: int) -> bool:
    """Whether so many may sit at a table of these rules."""
    return RULES[ruleset].fewest <= seats <= RULES[ruleset].most


def not_so_many(ruleset: str, language: str) -> str:
    """How many may sit at a table of these rules."""
    rules = RULES[ruleset]
    code = "practice.so_many" if rules.fewest == rules.most else "practice.from_to"
    return sentence(code, language, ruleset=ruleset, fewest=rules.fewest, most=rules.most)


async def _practise(settings: Settings, console: Console, seed: int) -> None:
    seats: list[Room] = []

    def also(app: web.Application) -> None:
        add_practice(app, seats)

    async with running(settings, simulated=True, also=also) as service:
        room = room_of(service, seed)
        seats.append(room)
        language = settings.speech.language
        for text in (
            sentence("practice.title", language, seed=seed, game=1),
            f"  {service.link(Scope.JUDGE)}",
            f"      {sentence('service.judge', language)}",
            f"  {service.address}/practice?lang={language}",
            f"      {sentence('practice.page', language)}",
            sentence("practice.kept", language),
            sentence("service.stops", language),
        ):
            console.print(text, soft_wrap=True, markup=False, highlight=False)
        playing = asyncio.create_task(room.run(), name="practice")
        try:
            await until_told_to_stop()
        finally:
            await _ended(playing)


def room_of(service: Running, seed: int) -> Room:
    """The players at the simulated table of `service`."""
    assert service.simulation is not None
    return Room(service.table, service.simulation, seed)


def add_practice(app: web.Application, rooms: Sequence[Room], pages: Path = PAGES) -> None:
    """Adds the page of the room and what it shows, which a practice game alone has."""

    async def page(_: web.Request) -> web.StreamResponse:
        return web.FileResponse(pages / "practice.html", headers={"Cache-Control": "no-cache"})

    async def now(request: web.Request) -> web.StreamResponse:
        if not rooms:
            raise web.HTTPServiceUnavailable
        asked = request.query.get("lang", "")
        language = asked if asked in LANGUAGES else LANGUAGES[0]
        text = json.dumps(rooms[0].picture(language), ensure_ascii=False)
        return web.json_response(text=text, headers={"Cache-Control": "no-store"})

    app.router.add_get("/practice", page)
    app.router.add_get("/practice/now", now)
