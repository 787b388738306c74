"""The producer's desk: orders from the page and from a Stream Deck, who may give them, what outlives a restart."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from controller.game import commands as cmd
from controller.game.phases import Speech as Speaking
from controller.service import producer_kept, sample_final
from controller.service.access import Scope
from controller.service.producer_kept import FILE, delay_of, kept_in
from controller.service.running import Running, running
from controller.service.settings import Delay, Game, Obs, Settings, Speech, Web
from controller.table.wishes import Accepted, Wish
from scenes.client import Asked
from tests.scenes.fake_obs import FakeObs
from tests.service.page import Page
from tests.service.waiting import comes_true

SCENES = ["Table", "Close-up", "Vote", "Night", "Result", "Break", "Cover", "Drone"]


def settings(folder: Path, obs: FakeObs | None = None) -> Settings:
    """A table with players, in English, with or without an OBS."""
    where = Obs() if obs is None else Obs(host="127.0.0.1", port=obs.port)
    game = Game(names=sample_final.NAMES)
    return Settings(data=folder, web=Web(port=0), game=game, obs=where, speech=Speech(language="en"))


@pytest.fixture
async def obs() -> AsyncIterator[FakeObs]:
    """An OBS with the house's scenes."""
    fake = await FakeObs(scenes=list(SCENES), program="Drone").start()
    yield fake
    await fake.stop()


async def deal(service: Running) -> None:
    """Up to the night of acquaintance."""
    commands = [*(cmd.Deal(seat, role) for seat, role in enumerate(sample_final.CARDS, 1)), cmd.Next()]
    for number, command in enumerate(commands):
        assert isinstance(await service.table.submit(Wish(id=f"d{number}", command=command)), Accepted)


class Deck:
    """A Stream Deck."""

    def __init__(self, service: Running, session: ClientSession) -> None:
        self._service, self._session = service, session

    async def press(self, body: object, token: str | None = None, **headers: str) -> tuple[int, dict[str, Any]]:
        """Sends `body`; the status and the answer."""
        token = self._service.access[Scope.PRODUCER] if token is None else token
        headers = {"Authorization": f"Bearer {token}", **headers}
        data = body if isinstance(body, str) else json.dumps(body)
        url = f"{self._service.address}/producer/do"
        async with self._session.post(url, data=data, headers=headers) as answer:
            return answer.status, await answer.json()


async def test_orders_by_plain_http_reach_the_overlay_and_obs(obs: FakeObs, tmp_path: Path):
    async with running(settings(tmp_path, obs), simulated=True) as service, ClientSession() as session:
        deck = Deck(service, session)
        await deal(service)
        await comes_true(lambda: obs.program == "Night")
        assert await deck.press({"do": "scene", "scene": "vote"}) == (200, {"ok": True, "revision": None})
        await comes_true(lambda: obs.program == "Vote")
        assert (await deck.press({"do": "cover"}))[0] == 200
        await comes_true(lambda: obs.program == "Cover")
        assert (await deck.press({"do": "release"}))[0] == 200
        await comes_true(lambda: obs.program == "Night")
        async with Page(service.address, service.access[Scope.AIR], page="air") as air:
            for body in (
                {"do": "roles"},
                {"do": "lift", "seat": 3},
                {"do": "lower_third", "title": "Полночь", "subtitle": "Судья"},
                {"do": "fact", "seat": 4, "text": "Первый финал"},
            ):
                assert (await deck.press(body))[0] == 200
            await air.until(lambda: air.view["stage"]["fact"] is not None)
            assert air.view["stage"] == {
                "overlay": True,
                "roles": False,
                "scores": True,
                "lifted": 3,
                "lower_third": {"title": "Полночь", "subtitle": "Судья"},
                "fact": {"seat": 4, "text": "Первый финал"},
                "replay": None,
            }


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"do": "scene", "scene": "Nihgt"}, 409, "no_such_scene"),
        ({"do": "replay"}, 409, "no_replay_window"),
        ({"do": "lift", "seat": 20}, 409, "no_seat_there"),
        ({"do": "skip", "step": "auto-999"}, 409, "no_step"),
        ({"do": "delay", "stream": 20}, 409, "no_obs"),
        ({"do": "delay", "stream": 20, "spectators": 600}, 409, "no_obs"),
        ({"do": "delay", "spectators": 60}, 409, "delay_short"),
        ({"do": "delay", "spectators": 901}, 409, "malformed"),
        ({"do": "fact", "seat": 1}, 409, "no_facts"),
        ({"do": "facts", "by": "always"}, 409, "malformed"),
        ({"do": "transition"}, 409, "no_obs"),
        ({"do": "dance"}, 409, "malformed"),
        ({"do": "lift", "seat": "three"}, 409, "malformed"),
        ({"do": "fact", "seat": 1, "text": "x" * 200}, 409, "malformed"),
        ([], 409, "malformed"),
        ("{", 409, "malformed"),
    ],
)
async def test_what_cannot_be_done_is_a_sentence(tmp_path: Path, body: object, status: int, code: str):
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        got, answer = await Deck(service, session).press(body)
        assert service.desk.delay == Delay()
    assert (got, answer["refusal"]["code"]) == (status, code)
    assert answer["refusal"]["sentence"]


async def test_an_order_in_an_encoding_that_nobody_knows_is_a_sentence(tmp_path: Path):
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        kind = "application/json; charset=klingon"
        got, answer = await Deck(service, session).press({"do": "hold"}, **{"Content-Type": kind})
    assert (got, answer["refusal"]["code"]) == (409, "malformed")


async def test_no_other_token_opens_the_doors_and_no_page_of_another_origin(tmp_path: Path):
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        deck = Deck(service, session)
        for token in ("", "wrong", service.access[Scope.AIR], service.access[Scope.JUDGE]):
            assert (await deck.press({"do": "roles"}, token))[0] == 401
        assert service.desk.switches.roles
        async with session.options(
            f"{service.address}/producer/do",
            headers={"Origin": "http://evil", "Access-Control-Request-Headers": "authorization"},
        ) as asked:
            assert asked.status == 405
            assert "Access-Control-Allow-Origin" not in asked.headers
        for path in ("state", "chapters"):
            async with session.get(f"{service.address}/producer/{path}") as answer:
                assert answer.status == 401
        async with Page(service.address, service.access[Scope.AIR], page="air") as air:
            answer = await air.ask("produce", {"do": "roles"})
            assert answer["refusal"]["code"] == "no_right"


async def test_the_page_gets_its_view_and_its_pictures_and_gives_orders(obs: FakeObs, tmp_path: Path):
    async with running(settings(tmp_path, obs), simulated=True) as service:
        token = service.access[Scope.PRODUCER]
        async with Page(service.address, token, page="producer", language="en") as page:
            await page.until(lambda: page.view["obs"]["state"] == "up")
            assert page.view["obs"]["sentence"] == "OBS 29.0.2 is connected"
            assert [one["short"] for one in page.view["buttons"]][:3] == ["table", "speaker", "vote"]
            assert all(one["there"] for one in page.view["buttons"])
            assert (await page.ask("produce", {"do": "hold", "on": True}))["ok"]
            await page.until(lambda: page.view["wheel"]["held"] == "page")
            await obs.stop()
            await page.until(lambda: page.view["obs"]["state"] == "down")
            assert "game goes on" in page.view["obs"]["sentence"] or "does not answer" in page.view["obs"]["sentence"]


async def test_the_switches_outlive_a_restart_and_a_damaged_file_is_put_aside(tmp_path: Path):
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        deck = Deck(service, session)
        await deck.press({"do": "scores", "on": False})
        await deck.press({"do": "lower_third", "title": "A", "subtitle": "B"})
    async with running(settings(tmp_path), simulated=True) as service:
        assert not service.desk.switches.scores
        assert service.desk.switches.lower_third is not None
    file = tmp_path / FILE
    await asyncio.to_thread(file.write_text, '{"switches": 3')
    async with running(settings(tmp_path), simulated=True) as service:
        assert service.desk.switches.scores
    assert await asyncio.to_thread(file.with_suffix(".damaged").read_text) == '{"switches": 3'


async def test_switches_that_cannot_be_written_work_and_the_producer_is_told(tmp_path: Path):
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        deck = Deck(service, session)
        producer = service.access[Scope.PRODUCER]
        async with Page(service.address, producer, page="producer", language="en") as page:
            file = tmp_path / FILE
            await asyncio.to_thread(file.unlink, missing_ok=True)
            await asyncio.to_thread((file / "in the way").mkdir, parents=True)
            assert (await deck.press({"do": "scores", "on": False}))[0] == 200
            said = await page.sees(lambda view: bool(view["obs"]["faults"]))
            assert said["obs"]["faults"][0].startswith("The disk does not write")
            assert not service.desk.switches.scores
            await asyncio.to_thread((file / "in the way").rmdir)
            await asyncio.to_thread(file.rmdir)
            await deck.press({"do": "scores", "on": True})
            await page.sees(lambda view: not view["obs"]["faults"])
            assert await asyncio.to_thread(file.is_file)


def test_what_is_being_written_is_not_told_to_be_kept_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[str | None] = []

    def writes(_path: Path, _data: bytes) -> None:
        seen.append(keeper.unkept)
        if len(seen) == 1:
            raise OSError

    monkeypatch.setattr(producer_kept, "write_whole", writes)
    keeper = producer_kept.Keeper(tmp_path, lambda: None)
    keeper.keep(producer_kept.Kept())
    keeper.keep(producer_kept.Kept())
    keeper.close()
    assert seen == [None, "unkept"]
    assert keeper.unkept is None


async def test_both_delays_are_set_in_one_place_and_outlive_a_restart(obs: FakeObs, tmp_path: Path):
    known = settings(tmp_path, obs)
    async with running(known, simulated=True) as service, ClientSession() as session:
        await comes_true(lambda: service.desk.obs_line is not None and service.desk.obs_line.ok)
        own = service.access.add_link(Scope.SPECTATOR, "press", delay=200)
        follows = service.access.add_link(Scope.SPECTATOR, "public")
        async with (
            Page(service.address, service.access.token(own), page="spectator", waits=False) as press,
            Page(service.address, service.access.token(follows), page="spectator", waits=False) as public,
        ):
            await public.until(lambda: '42["delay",{"seconds":300,' in "".join(public.frames))
            assert (await Deck(service, session).press({"do": "delay", "stream": 30, "spectators": 600}))[0] == 200
            await public.until(public.closed.is_set)
            assert not press.closed.is_set()
        async with Page(service.address, service.access.token(follows), page="spectator", waits=False) as again:
            await again.until(lambda: '42["delay",{"seconds":600,' in "".join(again.frames))
        await comes_true(
            lambda: [row["parameterValue"] for row in obs.requests("SetProfileParameter")] == ["true", "30"]
        )
        view = service.desk.view(*service.desk.now(), "en")
        assert (view.delays.stream, view.delays.spectators) == (30, 600)
        assert [(row.name, row.seconds) for row in view.delays.own] == [("press", 200)]
    assert delay_of(known, kept_in(tmp_path)) == Delay(spectators=600, stream=30)
    async with running(known, simulated=True) as service:
        assert service.desk.delay == Delay(spectators=600, stream=30)


ROSTER = """
[[player]]
name = "{name}"
facts = ["Двенадцать игр без фола", "Играет с 2009 года"]
"""


async def test_a_key_goes_through_the_facts_that_the_roster_has(tmp_path: Path):
    folder = tmp_path / "roster"
    folder.mkdir()
    (folder / "roster.toml").write_text(ROSTER.format(name=sample_final.NAMES[2]))
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        deck = Deck(service, session)
        view = service.desk.view(*service.desk.now(), "en")
        assert [(row.seat, len(row.facts)) for row in view.facts] == [(3, 2)]
        told: list[str | None] = []
        for _ in range(4):
            assert (await deck.press({"do": "fact", "seat": 3}))[0] == 200
            fact = service.desk.switches.fact
            told.append(None if fact is None else fact.text)
        assert told == ["Двенадцать игр без фола", "Играет с 2009 года", None, "Двенадцать игр без фола"]
        assert (await deck.press({"do": "fact"}))[0] == 200
        assert service.desk.switches.fact is None


async def test_a_fact_comes_by_itself_in_the_phase_that_the_producer_names_and_can_be_taken_away(tmp_path: Path):
    folder = tmp_path / "roster"
    folder.mkdir()
    (folder / "roster.toml").write_text(ROSTER.format(name=sample_final.NAMES[0]))
    async with running(settings(tmp_path), simulated=True) as service, ClientSession() as session:
        deck = Deck(service, session)
        await deal(service)
        async with Page(service.address, service.access[Scope.AIR], page="air") as air:
            for number in count():
                if isinstance(service.table.snapshot.state.phase, Speaking):
                    break
                assert isinstance(await service.table.submit(Wish(id=f"n{number}", command=cmd.Next())), Accepted)
            await air.until(lambda: air.view["phase"]["kind"] == "speech")
            assert air.view["phase"]["seat"] == 1
            assert air.view["stage"]["fact"] is None
            assert (await deck.press({"do": "facts"}))[0] == 200
            await air.until(lambda: air.view["stage"]["fact"] is not None)
            assert air.view["stage"]["fact"]["seat"] == 1
            assert (await deck.press({"do": "fact"}))[0] == 200
            await air.until(lambda: air.view["stage"]["fact"] is None)
            # By hand it comes back all the same.
            assert (await deck.press({"do": "fact", "seat": 1}))[0] == 200
            await air.until(lambda: air.view["stage"]["fact"] is not None)


async def test_obs_is_a_line_of_the_judges_checklist(obs: FakeObs, tmp_path: Path):
    async with running(settings(tmp_path, obs), simulated=True) as service:
        await comes_true(lambda: service.desk.obs_line is not None and service.desk.obs_line.ok)
        judge = service.access[Scope.JUDGE]
        async with Page(service.address, judge, page="judge", language="en") as page:
            lines = {row["sentence"]: row["ok"] for row in page.view["readiness"]}
            assert lines["OBS 29.0.2 is connected"] is True


async def test_a_record_chapter_is_made_where_obs_has_them_and_a_replay_is_saved_after_a_vote(
    obs: FakeObs, tmp_path: Path
):
    async with running(settings(tmp_path, obs), simulated=True) as service:
        await comes_true(lambda: service.desk.obs_line is not None and service.desk.obs_line.ok)
        obs.recording = True
        await obs.event("RecordStateChanged", outputState="OBS_WEBSOCKET_OUTPUT_STARTED", outputActive=True)
        await comes_true(lambda: service.desk.recording)
        await deal(service)
        await comes_true(lambda: obs.requests("CreateRecordChapter") != [])
        assert obs.requests("CreateRecordChapter")[0]["chapterName"] == "The night of acquaintance"
        # OBS answers that it will, and says later that it has.
        service.desk._recorder.save("vote_result", {"game": 1, "round": 1, "seat": 0})
        await comes_true(lambda: obs.requests("SaveReplayBuffer") != [])
        chapters = len(obs.requests("CreateRecordChapter"))
        service.desk._ask("chapter", Asked.of("CreateRecordChapter", chapterName="After it"))
        await comes_true(lambda: len(obs.requests("CreateRecordChapter")) > chapters)
        await obs.event("ReplayBufferSaved", savedReplayPath="/clips/one.mkv")
        await comes_true(lambda: service.desk.kept.shelf.present.clips != ())
        clip = service.desk.kept.shelf.present.clips[0]
        assert (clip.path, clip.title("en")) == ("/clips/one.mkv", "Vote of day 1")


async def test_a_faulty_cue_sheet_is_told_and_the_usual_one_works(obs: FakeObs, tmp_path: Path):
    sheet = tmp_path / "cues.toml"
    await asyncio.to_thread(sheet.write_text, '[[cue]]\non = "speach"\n')
    known = settings(tmp_path / "data", obs)
    known = replace(known, obs=Obs(host="127.0.0.1", port=obs.port, cues=str(sheet)))
    async with running(known, simulated=True) as service:
        await deal(service)
        await comes_true(lambda: obs.program == "Night")
        view = service.desk.view(*service.desk.now(), "en")
        assert view.obs.faults == ("The cue sheet has 1 fault. The command mafia-table scenes check shows them.",)
