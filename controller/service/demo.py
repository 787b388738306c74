"""The sample final played by itself, through the same doors as a real one: hands and board keys are pressed on the
simulated table and come back over its cable; what a judge does on the tablet is submitted to the table.

It looks at the game before every act, so a person may take over at any moment, and it goes on from wherever it is.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from decimal import Decimal
from itertools import count
from typing import Final
from uuid import uuid4

from controller.game import commands as cmd
from controller.game.ballot import Ballot
from controller.game.best_move import best_move_of
from controller.game.commands import Command
from controller.game.legal import refusal
from controller.game.night import waking
from controller.game.phases import Acquaintance, Dealing, LastWord, Morning, Night, Over, Speech, SpeechKind, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.state import State
from controller.service import sample_final as final
from controller.service.around import Takeover
from controller.service.running import Running
from controller.service.simulation import SHORTEST_PRESS_S, Simulation
from controller.table.state import Contact, Snapshot, Stage
from controller.table.table import Table
from controller.table.wishes import NewGame, SetUp, TableCommand, Wish

ORIGIN: Final = "autoplay"
KEY_HELD_S: Final = 0.08
"""At most so long; a game at speed presses as shortly as a key takes it."""
PATIENCE_S: Final = 3.0
"""So long a key's effect is waited for; then the tablet's way is taken, as a judge would with a dead board."""

CARD_S: Final = 0.5
CALL_S: Final = 3.0
NUMBER_S: Final = 0.7
SPEECH_S: Final = 4.0
THOUGHT_S: Final = 1.8
BEFORE_VOTE_S: Final = 1.6
HAND_S: Final = 0.22
EARLY_BY_S: Final = 0.6
MORNING_S: Final = 3.0
SHOWN_S: Final = 20.0

log = logging.getLogger(__name__)


class _HandedOver(Exception):
    """A person has the table now."""


class Autoplay:
    """Judge and players of the sample final."""

    def __init__(self, running: Running, speed: float = 1.0) -> None:
        """Everything is `speed` times as fast, but for what the rules themselves time."""
        assert running.simulation is not None
        self._running = running
        self._table: Table = running.table
        self._simulation: Simulation = running.simulation
        self._takeover: Takeover = running.takeover
        self._speed = speed
        self._down: set[str] = set()
        self._changed = asyncio.Event()
        self._names: Iterator[int] = count(1)
        self._run_id = uuid4().hex
        self.games = 0
        """How many games have come to their end."""

    async def run(self) -> None:
        """Plays game after game until cancelled."""
        stop = self._table.subscribe(lambda _snapshot, _cause: self._changed.set())
        try:
            while True:
                with suppress(_HandedOver):
                    await self._turn(self._table.snapshot)
                if self._takeover.person:
                    self._hands_off()
                    await self._given_back()
        finally:
            stop()
            self._hands_off()

    async def _given_back(self) -> None:
        while self._takeover.person:
            self._takeover.changed.clear()
            await self._takeover.changed.wait()

    # --- one act

    async def _turn(self, now: Snapshot) -> None:
        """One act of the game as it stands; it changes something or waits a moment."""
        if now.stopped:
            await self._change(1.0)
            return
        if await self._answer_proposal(now):
            return
        match now.state.phase:
            case Dealing():
                await self._deal(now)
            case Acquaintance():
                await self._go_on(now, CALL_S)
            case Night():
                await self._night(now)
            case Morning():
                await self._go_on(now, MORNING_S)
            case Speech(seat, kind, _):
                await self._speech(now, seat, kind)
            case LastWord(seat):
                await self._last_word(now, seat)
            case Voting():
                await self._vote(now)
            case Over():
                await self._over(now)
            case _:
                await self._go_on(now, MORNING_S)

    async def _deal(self, now: Snapshot) -> None:
        seats = now.state.seats
        named = final.NAMES[: len(seats)]
        if now.names != named and not any(now.names):
            await self._submit(SetUp(now.header, named))
            return
        empty = next((seat.number for seat in seats if seat.role is None), None)
        if empty is None:
            await self._go_on(now, THOUGHT_S)
        elif await self._rest(CARD_S, now):
            await self._submit(cmd.Deal(empty, self._card(now.state, empty)))

    def _card(self, state: State, seat: int) -> Role:
        """The card of the script, or any that is left."""
        for role in (final.CARDS[seat - 1], *final.CARDS):
            if refusal(state, cmd.Deal(seat, role)) is None:
                return role
        return Role.CIVILIAN

    async def _speech(self, now: Snapshot, seat: int, kind: SpeechKind) -> None:
        state = now.state
        day = final.DAYS.get(state.at.number)
        if day is None or kind is not SpeechKind.MINUTE:
            await self._go_on(now, SPEECH_S)
            return
        fouled = day.fouls.get(seat)
        given = 0 if fouled is None else sum(1 for row in state.seat(fouled).fouls if row.at == state.at)
        due = sum(1 for speaker, who in day.fouls.items() if who == fouled and self._has_begun(state, speaker))
        if fouled is not None and given < due and refusal(state, cmd.Foul(fouled)) is None:
            if await self._rest(THOUGHT_S, now):
                await self._press_pair("foul", f"board {fouled}", now)
            return
        nominee = day.nominates.get(seat)
        if nominee is not None and refusal(state, cmd.Nominate(seat, nominee)) is None:
            if await self._rest(THOUGHT_S, now):
                await self._submit(cmd.Nominate(seat, nominee))
            return
        await self._go_on(now, SPEECH_S)

    @staticmethod
    def _has_begun(state: State, speaker: int) -> bool:
        return any(row.seat == speaker and row.at == state.at for row in state.speeches)

    async def _last_word(self, now: Snapshot, seat: int) -> None:
        state = now.state
        night = final.NIGHTS.get(1)
        if night is not None and best_move_of(state) == seat and state.best_move is None:
            move = cmd.BestMove(seat, night.best_move)
            if refusal(state, move) is None:
                if await self._rest(THOUGHT_S, now):
                    await self._submit(move)
                return
        await self._go_on(now, SPEECH_S)

    async def _night(self, now: Snapshot) -> None:
        state, call = now.state, waking(now.state)
        plan = final.NIGHTS.get(state.at.number, final.Night(shot=None))
        act: Command | None = None
        match call.step if call is not None else None:
            case Waking.SHOOTING:
                victim = self._victim(state, plan.shot)
                act = cmd.Shoot(everybody_at=victim)
                if refusal(state, act) is None and not await self._numbers(now, victim):
                    return
            case Waking.DON if plan.don is not None:
                act = cmd.Check(Role.DON, plan.don)
            case Waking.SHERIFF if plan.sheriff is not None:
                act = cmd.Check(Role.SHERIFF, plan.sheriff)
            case _:
                pass
        if act is not None and refusal(state, act) is None:
            if await self._rest(CALL_S, now):
                await self._submit(act)
            return
        await self._go_on(now, CALL_S / 2)

    async def _numbers(self, now: Snapshot, victim: int) -> bool:
        """Numbers are called up to the one that is shot at; whether nothing else has happened meanwhile."""
        for number in range(1, victim + 1):
            self._running.call(number)
            if not await self._rest(NUMBER_S, now):
                return False
        return True

    @staticmethod
    def _victim(state: State, planned: int | None) -> int:
        """The script's victim, or the first red one who lives."""
        if planned is not None and state.seat(planned).in_play:
            return planned
        red = (s.number for s in state.seats if s.in_play and s.role is not None and not s.role.black)
        return next(red, state.living[0])

    async def _over(self, now: Snapshot) -> None:
        for seat, points in final.AWARDS.items():
            award = cmd.Award(seat, Decimal(points), approved=True)
            if refusal(now.state, award) is None:
                if await self._rest(THOUGHT_S, now):
                    await self._submit(award)
                return
        if await self._rest(SHOWN_S, now):
            self.games += 1
            await self._submit(NewGame())

    async def _answer_proposal(self, now: Snapshot) -> bool:
        """The judge's queue is emptied between the votes: a pulled hand is forgiven, the rest is given."""
        ballot = now.state.ballot
        if ballot is not None and not ballot.counted:
            return False
        waiting = next((row for row in now.state.proposals if row.given is None), None)
        if waiting is None:
            return False
        answer: Command = cmd.Give(waiting.id) if waiting.what.value == "early_hand" else cmd.Waive(waiting.id)
        if refusal(now.state, answer) is not None:
            answer = cmd.Waive(waiting.id)
        if await self._rest(THOUGHT_S, now):
            await self._submit(answer)
        return True

    # --- the vote

    async def _vote(self, now: Snapshot) -> None:
        ballot, window = now.state.ballot, now.window
        assert ballot is not None
        if ballot.unsaid is not None:
            await self._go_on(now, THOUGHT_S)  # the judge says the count
        elif ballot.due is None:
            await self._go_on(now, THOUGHT_S)
        elif window is None:
            await self._one_candidate(now, ballot, ballot.due)
        elif window.stage is Stage.OPEN or (window.stage is Stage.WAITING and await self._change(PATIENCE_S)):
            await self._change(0.5)
        elif window.stage is Stage.UNDECIDED:
            await self._submit(cmd.VoidWindow())
        else:
            await self._submit(cmd.CountVote(ballot.due, self._raised(now.state, ballot, ballot.due)))

    async def _one_candidate(self, now: Snapshot, ballot: Ballot, candidate: int) -> None:
        """The judge calls one candidate, the window opens, hands come down and stay till the count."""
        self._hands_off()
        if any(contact is Contact.DOWN for contact in now.contacts.values()):
            await self._change(0.2)  # a hand that has not left yet would be an early one
            return
        if not await self._rest(BEFORE_VOTE_S, now):
            return
        hands, plan = self._raised(now.state, ballot, candidate), self._plan(now.state, ballot)
        if plan is not None and plan.early in hands:
            self._hand(plan.early, down=True)
            # What is early is counted in real time, however fast the game is played.
            await self._nap(EARLY_BY_S * self._speed)
        if not await self._press("vote", lambda snapshot: snapshot.window is not None):
            await self._submit(cmd.OpenWindow())
        for seat in hands:
            await self._nap(HAND_S)
            self._hand(seat, down=True)
        if plan is not None and plan.pulled in hands:
            await self._nap(0.3)
            self._hand(plan.pulled, down=False)
        await self._until(lambda snapshot: self._taken(snapshot, hands), 1.0)
        if self._speed > 1:
            await self._press("vote", lambda snapshot: not self._is_open(snapshot))
        await self._until(lambda snapshot: snapshot.window is None, PATIENCE_S)
        await self._nap(0.6)
        self._hands_off()

    @staticmethod
    def _is_open(snapshot: Snapshot) -> bool:
        return snapshot.window is not None and snapshot.window.stage is Stage.OPEN

    @staticmethod
    def _taken(snapshot: Snapshot, hands: Iterable[int]) -> bool:
        return snapshot.window is None or set(hands) <= set(snapshot.window.hands)

    @staticmethod
    def _plan(state: State, ballot: Ballot) -> final.Ballot | None:
        """The script's ballot, where it is among those who stand now."""
        day = final.DAYS.get(state.at.number)
        held = sum(1 for row in state.ballots if row.at == state.at)
        if day is None or held >= len(day.ballots) or set(day.ballots[held].hands) != set(ballot.candidates):
            return None
        return day.ballots[held]

    def _raised(self, state: State, ballot: Ballot, candidate: int) -> tuple[int, ...]:
        """Whose hands go up now: as the script says, else each against one by the seat's number; the rest at last."""
        given = {seat for votes in ballot.votes for seat in (*votes.hands, *votes.assigned)}
        free = [seat for seat in ballot.voters if seat not in given and state.seat(seat).in_play]
        if len(ballot.questions) == 1 and candidate == 0:
            return tuple(free[: len(free) // 2 + 1])
        if candidate == ballot.questions[-1]:
            return tuple(free)
        plan = self._plan(state, ballot)
        if plan is not None:
            return tuple(seat for seat in plan.hands[candidate] if seat in free)
        asked = ballot.questions
        return tuple(seat for seat in free if asked[seat % len(asked)] == candidate)

    # --- hands, keys, commands

    def _hand(self, seat: int, *, down: bool) -> None:
        key = f"seat {seat}"
        if (key in self._down) != down and self._simulation.press(key, down=down):
            (self._down.add if down else self._down.discard)(key)

    def _hands_off(self) -> None:
        for key in tuple(self._down):
            self._simulation.press(key, down=False)
        self._down.clear()

    async def _go_on(self, now: Snapshot, after: float) -> None:
        """The big step on the board, after a while."""
        if not await self._rest(after, now):
            return
        revision = self._table.snapshot.revision
        if not await self._press("next", lambda snapshot: snapshot.revision != revision):
            await self._submit(cmd.Next())

    async def _press_pair(self, key: str, seat_key: str, now: Snapshot) -> None:
        await self._press(key, lambda snapshot: snapshot.lamps.get(key) == "blink")
        await self._press(seat_key, lambda snapshot: snapshot.revision != now.revision)

    async def _press(self, key: str, done: Callable[[Snapshot], bool]) -> bool:
        """Presses a key of the board; whether it did what it should."""
        if not self._simulation.press(key, down=True):
            return False
        try:
            await asyncio.sleep(max(SHORTEST_PRESS_S, KEY_HELD_S / self._speed))
        finally:
            self._simulation.press(key, down=False)
        return await self._until(done, PATIENCE_S)

    async def _submit(self, command: Command | TableCommand) -> None:
        """What a judge does on the tablet."""
        wish = Wish(id=f"{ORIGIN} {self._run_id} {next(self._names)}", command=command, origin=ORIGIN)
        answer = await self._table.submit(wish)
        if isinstance(answer, Refusal):
            log.info("the autoplay's %s was refused: %s", command, answer.code)
            await self._change(0.5)

    # --- time

    async def _nap(self, seconds: float) -> None:
        """Time passes. Raises _HandedOver when a person takes the table."""
        if self._takeover.person:
            raise _HandedOver
        self._takeover.changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._takeover.changed.wait(), seconds / self._speed)
        if self._takeover.person:
            raise _HandedOver

    async def _rest(self, seconds: float, now: Snapshot) -> bool:
        """Time passes; whether the game is still where it was in `now`."""
        await self._nap(seconds)
        return self._table.snapshot.revision == now.revision

    async def _change(self, seconds: float) -> bool:
        """Waits for anything to change at the table, for so long at most; whether nothing has."""
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return True
        return False

    async def _until(self, done: Callable[[Snapshot], bool], seconds: float) -> bool:
        """Waits until `done`; whether it is, within so long."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not done(self._table.snapshot):
            self._changed.clear()
            left = end - loop.time()
            if left <= 0 or self._takeover.person:
                return False
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)
        return True
