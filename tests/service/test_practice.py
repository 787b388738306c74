"""A practice game on the running service: players who slip, on the sensors' own cable, and a review that is right."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, web
from typer.testing import CliRunner

from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.night import waking
from controller.game.phases import Choosing, Dealing, LastWord, Night, Over, Speech, SpeechKind, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.practice import script
from controller.service.command_line import app as command
from controller.service.practice import EARLY_AFTER_S, Room, add_practice, practice_settings, room_of
from controller.service.running import PAGES, Running, running
from controller.service.settings import Copies, Obs, Settings
from controller.table.state import Stage
from controller.table.wishes import AnnounceCount, TableCommand, Wish
from tests.service.waiting import comes_true

SEED = 5
QUICK = 40.0


@pytest.fixture
async def room(
    request: pytest.FixtureRequest, chosen: Settings, pages: Path, tmp_path: Path
) -> AsyncIterator[tuple[Running, Room]]:
    """A practice table whose players speak forty times as fast."""
    rooms: list[Room] = []

    def also(app: web.Application) -> None:
        add_practice(app, rooms, PAGES if (PAGES / "practice.html").is_file() else pages)

    ruleset, seats = request.param
    settings = practice_settings(chosen, tmp_path / "practice", ruleset, seats)
    async with running(settings, simulated=True, pages=pages, also=also) as service:
        room = room_of(service, SEED)
        room.speed = QUICK
        rooms.append(room)
        await comes_true(lambda: any(link.up and link.clock_ready for link in service.table.snapshot.links), 30.0)
        playing = asyncio.create_task(room.run())
        yield service, room
        playing.cancel()
        with suppress(asyncio.CancelledError):
            await playing


class Trainee:
    """A judge who writes down what is said, notices what `notices` says, and goes on."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._names = count(1)

    async def does(self, command: Command | TableCommand) -> None:
        answer = await self.room.table.submit(Wish(id=f"trainee {next(self._names)}", command=command))
        assert not isinstance(answer, Refusal), (command, answer)

    async def plays(self) -> None:
        """A step of the game, once the players have done with it."""
        room, table = self.room, self.room.table
        state = table.snapshot.state
        match state.phase:
            case Dealing() if any(seat.role is None for seat in state.seats):
                seat = next(seat.number for seat in state.seats if seat.role is None)
                await comes_true(lambda: seat in room.bubbles, 10.0)
                assert room.bubbles[seat].what == "card"
                await self.does(cmd.Deal(seat, room.cards[seat - 1]))
            case Speech(seat, SpeechKind.MINUTE, seconds) if seconds:
                await self._hears(seat)
                for told in [
                    one for one in room.told if (one.kind, one.at, one.seat) == ("nomination", state.at, seat)
                ]:
                    await self.does(cmd.Nominate(seat, told.said[0]))
                await self.does(cmd.Next())
            case LastWord(seat) | Speech(seat):
                await self._hears(seat)
                named = next((one for one in room.told if one.kind == "best_move" and one.seat == seat), None)
                if named is not None and state.best_move is None:
                    await self.does(cmd.BestMove(seat, named.said))
                await self.does(cmd.Next())
            case Voting():
                await self._vote()
            case Night() if state.rules.name == "city":
                await self._city_night()
                await self.does(cmd.Next())
            case Night(0):
                await comes_true(lambda: any(act.what == "shoots" for act in room.bubbles.values()), 10.0)
                fired = next(one for one in reversed(room.told) if one.kind == "shots").said
                one = len(set(fired)) == 1
                await self.does(cmd.Shoot(everybody_at=fired[0]) if one else cmd.Shoot(missed=True))
                await self.does(cmd.Next())
            case Choosing():
                await self._chooses(Role.AVENGER)
                await self.does(cmd.Next())
            case _:
                await self.does(cmd.Next())

    async def _city_night(self) -> None:
        room, state = self.room, self.room.table.snapshot.state
        call = waking(state)
        assert call is not None
        match call.step:
            case Waking.KILL:
                await comes_true(lambda: any(act.what == "shoots" for act in room.bubbles.values()), 10.0)
                fired = script.shots(room.own_seed, state)
                await self.does(cmd.Kill(choices=tuple(fired.items())))
            case Waking.DON | Waking.SHERIFF:
                pass
            case step:
                await self._chooses(Role(step.value))

    async def _chooses(self, by: Role) -> None:
        room, state = self.room, self.room.table.snapshot.state
        holder = state.holder(by)
        assert holder is not None
        if holder.acts or isinstance(state.phase, Choosing):
            await comes_true(lambda: any(act.what == "acts" for act in room.bubbles.values()), 10.0)
            told = next(one for one in reversed(room.told) if one.kind == "act" and one.role is by)
            await self.does(cmd.Act(by, told.said))

    async def _hears(self, seat: int) -> None:
        room = self.room
        await comes_true(lambda: seat in room.bubbles and room.bubbles[seat].what == "thanks", 10.0)

    async def _vote(self) -> None:
        room, table = self.room, self.room.table
        ballot = table.snapshot.state.ballot
        assert ballot is not None
        if ballot.due is None:
            for row in [row for row in table.snapshot.state.proposals if row.given is None]:
                await self.does(cmd.Give(row.id))
            await self.does(cmd.Next())
            return
        hands = script.hands(room.own_seed, table.snapshot.state, ballot, ballot.due, room.sensed)
        early = [hand.seat for hand in hands if hand.early][: len(EARLY_AFTER_S)]
        await comes_true(lambda: room.down >= set(early), 10.0)
        await self.does(cmd.OpenWindow())
        await comes_true(lambda: table.snapshot.window is None or table.snapshot.window.stage is not Stage.OPEN, 20.0)
        await comes_true(lambda: table.snapshot.window is None, 20.0)
        for seat in sorted(room.down - room.sensed):  # no sensor: the judge has seen the hand
            await self.does(cmd.RuleHand(ballot.due, seat, counts=True))
        await self.does(AnnounceCount())
        await comes_true(lambda: not room.down or table.snapshot.state.ballot is None, 20.0)


@pytest.mark.parametrize("room", [("fiim", 10), ("city", 16)], indirect=True)
async def test_a_judge_who_writes_down_all_and_gives_all_that_sensors_see_is_told_what_was_missed(
    room: tuple[Running, Room],
) -> None:
    service, players = room
    judge = Trainee(players)
    while players.table.snapshot.state.at.number < 2 and not isinstance(players.table.snapshot.state.phase, Over):
        await judge.plays()
    report = players.report()
    assert report.facts
    assert [fact.told for fact in report.facts if not fact.right and fact.told.kind != "check"] == []
    assert report.false == ()
    assert report.unsaid == ()
    spoken = [row for row in report.rows if row.what in ("out_of_turn", "night_talk")]
    assert {row.verdict for row in spoken} <= {"missed"}
    assert {row.verdict for row in report.rows if row not in spoken} <= {"noticed"}
    async with ClientSession() as session, session.get(f"{service.address}/practice/now?lang=en") as answer:
        said: dict[str, Any] = await answer.json()
    assert said["report"]["summary"].startswith(f"Mistakes there were: {len(report.rows)};")
    assert len(said["seats"]) == len(players.table.snapshot.state.seats)


async def test_the_room_is_not_at_a_real_table(service: Running) -> None:
    async with ClientSession() as session:
        for path in ("/practice", "/practice/now"):
            async with session.get(service.address + path) as answer:
                assert answer.status == 404


def test_a_practice_game_goes_nowhere(chosen: Settings, tmp_path: Path) -> None:
    known = replace(chosen, obs=Obs(host="obs.local"), copies=Copies(folders=("/media/stick",)))
    apart = practice_settings(known, tmp_path / "practice", "wma")
    assert apart.data == tmp_path / "practice"
    assert (apart.obs, apart.copies) == (Obs(), Copies())
    assert apart.game.ruleset == "wma"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (("--ruleset", "poker"), "There is no practice by the rules poker; there is: fiim, wma, ukraine, city."),
        (("--ruleset", "wma", "--seats", "12"), "10 sit at a table by the rules wma."),
        (("--ruleset", "city", "--seats", "21"), "8 to 20 sit at a table by the rules city."),
    ],
)
def test_a_table_that_cannot_be_practised_at_is_said(asked: tuple[str, ...], why: str) -> None:
    said = CliRunner().invoke(command, ["practice", *asked, "--lang", "en"])
    assert said.exit_code == 2
    assert why in said.output
