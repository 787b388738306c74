"""The link against an OBS that misbehaves on demand: nobody ever waits for it, and what it says of OBS is true."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from scenes.client import Address, Asked, Client, NoObs, Why
from scenes.link import Link
from scenes.seen import Changed, Hand, Note, Obs, OnAir, Said, Sent
from scenes.wanted import Wanted
from tests.scenes.fake_obs import FakeObs
from tests.scenes.real_obs import free_port

NOTICED_WITHIN_S = 5.0
PATIENCE_S = 15.0


class Heard:
    """A link and all that it has reported."""

    def __init__(self, address: Address, **mentioned: Any) -> None:
        self.notes: list[Note] = []
        self.obs = Obs()
        self._came = threading.Condition()
        self.link = Link(address, self._hear, **mentioned)
        self.link.start()

    def _hear(self, note: Note) -> None:
        with self._came:
            self.notes.append(note)
            if isinstance(note, Changed):
                self.obs = note.obs
            self._came.notify_all()

    async def until(self, seen: Callable[[], bool], within: float = PATIENCE_S) -> float:
        """Waits for `seen`; how long it took, seconds."""
        started = time.monotonic()

        def wait() -> bool:
            with self._came:
                return self._came.wait_for(seen, within)

        assert await asyncio.to_thread(wait), (self.obs, self.notes[-10:])
        return time.monotonic() - started

    def want(self, own: str, scene: str, hands: int = 0) -> None:
        """This scene from now on."""
        self.link.want(Wanted(own, time.monotonic(), scene, hands=hands))

    def on_air(self, own: str) -> bool:
        """Whether OBS itself has said that it shows the picture."""
        return OnAir(own) in self.notes

    async def close(self) -> None:
        """The end."""
        await asyncio.to_thread(self.link.stop)


@pytest.fixture
async def obs() -> AsyncIterator[FakeObs]:
    """A fake OBS that does everything right so far."""
    fake = await FakeObs().start()
    yield fake
    await fake.stop()


@pytest.fixture
async def heard(obs: FakeObs) -> AsyncIterator[Heard]:
    """A link to it."""
    one = Heard(obs.address)
    yield one
    await one.close()


async def test_a_replay_buffer_whose_event_went_by_is_seen_within_a_second_or_two(obs: FakeObs):
    obs.replays = False
    heard = Heard(obs.address)
    await heard.until(lambda: heard.obs.up)
    assert not heard.obs.replays
    obs.replays = True
    await heard.until(lambda: heard.obs.replays, NOTICED_WITHIN_S)
    await heard.close()


async def test_a_switch_is_done_when_obs_itself_says_so(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    assert obs.program == "Night"
    assert heard.obs.program == "Night"


async def test_the_newest_wanted_scene_is_the_one(obs: FakeObs, heard: Heard):
    for number, scene in enumerate(["Night", "Vote", "Night", "Vote", "Drone"]):
        heard.want(f"auto-{number}", scene)
    await heard.until(lambda: heard.on_air("auto-4"))
    assert obs.program == "Drone"


async def test_the_scene_that_is_on_air_already_is_done_without_an_event(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Table")
    await heard.until(lambda: heard.on_air("auto-1"))
    assert obs.requests("SetCurrentProgramScene") == []


async def test_obs_that_is_not_ready_is_asked_again(obs: FakeObs, heard: Heard):
    obs.not_ready = 30
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    assert not heard.obs.unready


async def test_a_switch_that_was_answered_and_not_done_is_asked_again(obs: FakeObs, heard: Heard):
    obs.only_says_so = 2
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    assert len(obs.requests("SetCurrentProgramScene")) == 3


async def test_obs_that_never_switches_is_called_stubborn(obs: FakeObs, heard: Heard):
    obs.only_says_so = 1000
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.obs.stubborn)
    obs.only_says_so = 0
    await heard.until(lambda: heard.on_air("auto-1") and not heard.obs.stubborn)


async def test_late_answers_hold_nothing_up(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    obs.late = 0.8
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    heard.want("auto-2", "Vote")
    await heard.until(lambda: any(isinstance(note, Sent) and note.id == "auto-2" for note in heard.notes))
    sent = next(note for note in heard.notes if isinstance(note, Sent) and note.id == "auto-2")
    assert sent.seconds < 0.5  # the answers take longer: it was not waited for them
    await heard.until(lambda: heard.on_air("auto-2"))
    assert heard.obs.up


async def test_a_lost_answer_and_lost_events_do_not_lose_the_switch(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    obs.loses_events = True
    obs.loses_answers_to.add("SetCurrentProgramScene")
    heard.want("auto-1", "Night")
    await heard.until(lambda: bool(obs.requests("SetCurrentProgramScene")))
    obs.loses_answers_to.clear()
    await heard.until(lambda: heard.on_air("auto-1"))
    assert obs.program == "Night"


async def test_obs_hangs_up_in_the_middle_of_a_request_and_has_the_scene_after_it(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    obs.hangs_up_at.add("SetCurrentProgramScene")
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    assert obs.connections == 2
    assert any(isinstance(note, Changed) and note.obs.why is Why.LOST for note in heard.notes)


async def test_a_half_open_connection_is_found_within_five_seconds(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    names = ("GetStats", "GetStreamStatus", "GetSceneList")
    obs.loses_answers_to.update(names)
    obs.greets = False
    assert await heard.until(lambda: not heard.obs.up) < NOTICED_WITHIN_S
    assert heard.obs.why is Why.SILENT
    obs.loses_answers_to.clear()
    obs.greets = True
    await heard.until(lambda: heard.obs.up)


async def test_obs_starts_after_the_link_and_has_its_scene():
    port = free_port()
    heard = Heard(Address("127.0.0.1", port))
    fake = FakeObs()
    try:
        heard.want("auto-1", "Vote")
        await heard.until(lambda: heard.obs.why is Why.REFUSED)
        await fake.start(port)
        await heard.until(lambda: heard.on_air("auto-1"))
    finally:
        await heard.close()
        await fake.stop()


async def test_the_state_is_read_anew_after_a_connect(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    port = obs.port
    await obs.stop()
    await heard.until(lambda: not heard.obs.up)
    again = await FakeObs(scenes=["Other", "Night"], program="Other", frames=0).start(port)
    try:
        await heard.until(lambda: heard.obs.up)
        assert heard.obs.scenes == ("Other", "Night")
        assert heard.obs.program == "Other"
        assert not any(isinstance(note, Hand) for note in heard.notes), "an OBS that has just started is nobody's hand"
    finally:
        await again.stop()


# --- somebody's hand


async def test_scenes_that_were_wanted_a_moment_ago_and_come_late_are_nobodys_hand(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    obs.holds_events = True
    for number, scene in enumerate(["Night", "Vote", "Drone"]):
        heard.want(f"auto-{number}", scene)
        await heard.until(lambda scene=scene: obs.program == scene or obs.requests("SetCurrentProgramScene") != [])
        await heard.until(lambda number=number: any(getattr(one, "id", "") == f"auto-{number}" for one in heard.notes))
    await heard.until(lambda: len(obs.requests("SetCurrentProgramScene")) == 3)
    await obs.let_events_go()
    await heard.until(lambda: heard.on_air("auto-2"))
    assert not any(isinstance(note, Hand) for note in heard.notes)


async def test_a_switch_in_obs_is_told_and_not_undone(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    await obs.producer_switches("Drone")
    await heard.until(lambda: Hand("Drone", 1) in heard.notes)
    assert obs.program == "Drone"


async def test_what_was_decided_before_the_hand_was_heard_of_is_not_sent(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    await obs.producer_switches("Drone")
    await heard.until(lambda: Hand("Drone", 1) in heard.notes)
    heard.want("auto-2", "Vote", hands=0)
    heard.link.ask("look", Asked.of("GetVersion"))
    await heard.until(lambda: any(isinstance(note, Said) and note.name == "look" for note in heard.notes))
    assert obs.program == "Drone"
    heard.want("auto-3", "Vote", hands=1)
    await heard.until(lambda: heard.on_air("auto-3"))
    assert obs.program == "Vote"


async def test_a_switch_whose_event_was_lost_is_noticed(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    await obs.producer_switches("Drone", silently=True)
    assert await heard.until(lambda: Hand("Drone", 1) in heard.notes) < NOTICED_WITHIN_S


async def test_a_switch_while_the_link_was_down_is_a_hand_where_it_is_the_same_obs(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    obs.hangs_up_at.add("GetStats")
    await obs.producer_switches("Drone", silently=True)
    await heard.until(lambda: Hand("Drone", 1) in heard.notes)
    assert obs.program == "Drone"


async def test_what_an_obs_that_hung_does_long_after_is_nobodys_hand(obs: FakeObs, heard: Heard):
    """Requests of the old connection are done when OBS goes on: after the new one has had its scene."""
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    obs.only_says_so = 1
    obs.loses_answers_to.add("SetCurrentProgramScene")
    heard.want("auto-2", "Vote")
    await heard.until(lambda: len(obs.requests("SetCurrentProgramScene")) == 2)
    obs.hangs_up_at.add("GetStats")
    heard.want("auto-3", "Table")
    await heard.until(lambda: not heard.obs.up)
    obs.loses_answers_to.clear()
    await heard.until(lambda: heard.on_air("auto-3"))
    await obs.producer_switches("Vote")  # the old request, at last
    await heard.until(lambda: obs.program == "Table")
    assert not any(isinstance(note, Hand) for note in heard.notes)


# --- what is wrong is named


async def test_a_scene_that_is_missing_is_named_and_holds_up_nothing(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Nihgt")
    await heard.until(lambda: heard.obs.missing == frozenset({"Nihgt"}))
    heard.want("auto-2", "Vote")
    await heard.until(lambda: heard.on_air("auto-2"))


async def test_a_source_with_a_scenes_name_is_no_scene(obs: FakeObs, heard: Heard):
    obs.scenes.remove("Night")
    obs.inputs.add("Night")
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.obs.missing == frozenset({"Night"}))
    heard.want("auto-2", "Vote")
    await heard.until(lambda: heard.on_air("auto-2"))
    assert not heard.obs.stubborn


async def test_a_scene_that_comes_back_is_shown(obs: FakeObs, heard: Heard):
    obs.scenes.remove("Night")
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.obs.missing == frozenset({"Night"}))
    await obs.event("SceneItemCreated")
    await heard.until(lambda: len(obs.requests("SetCurrentProgramScene")) == 2)
    await heard.until(lambda: heard.obs.missing == frozenset({"Night"}))
    obs.scenes.append("Night")
    await obs.event("SceneCreated", sceneName="Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    assert obs.program == "Night"


async def test_another_name_for_what_is_on_air_is_no_switch(obs: FakeObs, heard: Heard):
    heard.want("auto-1", "Night")
    await heard.until(lambda: heard.on_air("auto-1"))
    obs.scenes[obs.scenes.index("Night")] = obs.program = "Dark"
    await obs.event("SceneNameChanged", oldSceneName="Night", sceneName="Dark")
    await heard.until(lambda: heard.obs.missing == frozenset({"Night"}))
    beats = len(obs.requests("GetStats"))
    await heard.until(lambda: len(obs.requests("GetStats")) > beats + 3)
    assert heard.obs.program == "Dark"
    assert not any(isinstance(note, Hand) for note in heard.notes)
    heard.want("auto-2", "Vote")
    await heard.until(lambda: heard.on_air("auto-2"))


async def test_a_transition_of_ones_own_is_that_switch_alone(obs: FakeObs, heard: Heard):
    """After an emergency's cut OBS switches again as the producer has set it."""
    heard.link.want(Wanted("hand-1", time.monotonic(), "Night", transition="Cut", duration=100))
    await heard.until(lambda: heard.on_air("hand-1"))
    assert (obs.transition, obs.duration) == ("Cut", 100)
    heard.want("auto-2", "Vote")
    await heard.until(lambda: heard.on_air("auto-2"))
    assert (obs.transition, obs.duration) == ("Fade", 300)
    assert heard.obs.of_the_producer == frozenset()
    obs.transition = "Cut"
    await obs.event("CurrentSceneTransitionChanged", transitionName="Cut")
    await heard.until(lambda: heard.obs.of_the_producer == frozenset({"transition"}))
    heard.want("auto-3", "Table")
    await heard.until(lambda: heard.on_air("auto-3"))
    assert obs.transition == "Cut"


async def test_an_emergency_is_a_cut_also_where_the_producer_has_set_the_transition(obs: FakeObs, heard: Heard):
    await heard.until(lambda: heard.obs.up)
    await obs.event("CurrentSceneTransitionChanged", transitionName="Fade")
    await heard.until(lambda: heard.obs.of_the_producer == frozenset({"transition"}))
    heard.link.want(Wanted("hand-1", time.monotonic(), "Night", transition="Cut", emergency=True))
    await heard.until(lambda: heard.on_air("hand-1"))
    assert obs.transition == "Cut"
    heard.link.want(Wanted("auto-2", time.monotonic(), "Vote", transition="Cut"))
    await heard.until(lambda: heard.on_air("auto-2"))
    assert obs.transition == "Fade"


@pytest.mark.parametrize(("password", "why"), [("wrong", Why.WRONG_PASSWORD), ("", Why.NO_PASSWORD)])
async def test_the_wrong_password_is_told(obs: FakeObs, password: str, why: Why):
    obs.password = "right"
    heard = Heard(Address("127.0.0.1", obs.port, password))
    try:
        assert await heard.until(lambda: heard.obs.why is why) < NOTICED_WITHIN_S
    finally:
        await heard.close()


async def test_an_old_obs_and_a_silent_one_are_told_apart(obs: FakeObs):
    obs.age = 4
    with pytest.raises(NoObs) as old:
        await asyncio.to_thread(Client, obs.address)
    assert old.value.why is Why.OLD
    obs.age, obs.greets = 5, False
    with pytest.raises(NoObs) as silent:
        await asyncio.to_thread(Client, obs.address)
    assert silent.value.why is Why.SILENT


async def test_a_server_that_is_no_obs_is_told(obs: FakeObs):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NoObs) as other:
            await asyncio.to_thread(Client, Address("127.0.0.1", port))
    assert other.value.why is Why.OTHER


async def test_whoever_asks_never_waits(obs: FakeObs):
    obs.greets = False  # a peer that takes connections and says nothing
    heard = Heard(obs.address)
    try:
        started = time.monotonic()
        for number in range(1000):
            heard.want(f"auto-{number}", "Night")
            heard.link.ask("x", Asked.of("GetVersion"))
        assert time.monotonic() - started < 1.0
    finally:
        started = time.monotonic()
        await heard.close()
        assert time.monotonic() - started < 2.0
