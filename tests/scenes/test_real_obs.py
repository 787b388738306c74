"""Against the real OBS: set-up, a whole game followed picture by picture, and an OBS that dies, freezes or asks for
another password in the middle of it. Debian's OBS has no browser source: colours stand in the overlay's place."""

import asyncio
import base64
import io
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from controller.game import commands as cmd
from controller.game.phases import Speech as Speaking
from controller.service import sample_final
from controller.service.running import Running, running
from controller.service.settings import Game, Obs, Settings, Speech, Web
from controller.table import wishes
from controller.table.wishes import Accepted, Wish
from controller.views import produce
from scenes.client import Client
from scenes.collection import collection
from scenes.cues import Cue, cue_sheet
from scenes.director import Director
from scenes.install import canvas_of, install
from scenes.layout import Canvas, Pages, layout
from tests.scenes.real_obs import HEIGHT, WIDTH, RealObs
from tests.scenes.test_link import Heard
from tests.scenes.views import whole_game

pytestmark = pytest.mark.timeout(180)

PAGES = Pages("http://127.0.0.1:1/air#t=A", "http://127.0.0.1:1/break", "http://127.0.0.1:1/result#t=A")
SHEET = cue_sheet(None, "en")
QUICK = replace(
    SHEET,
    minimum=0.0,
    burst=0.0,
    cues={name: replace(cue, after=0, hold=0, transition="Cut", duration=None) for name, cue in SHEET.cues.items()},
)
COLOURS = {
    "Table": (45, 122, 31),
    "Close-up": (122, 74, 31),
    "Vote": (31, 74, 160),
    "Night": (64, 16, 90),
    "Result": (200, 180, 40),
    "Break": (90, 90, 90),
    "Cover": (22, 22, 29),
}
"""RGB of the picture that stands in each scene in the overlay's place."""
STATUS_WITHIN_S = 5.0
SCENE_WITHIN_S = 2.0
COMMAND_WITHIN_S = 1.0


def set_up(client: Client) -> None:
    """The house's scenes, each with a colour of its own."""
    install(client, layout(SHEET, PAGES, canvas_of(client), "en"), canvas_of(client))
    for scene, (red, green, blue) in COLOURS.items():
        colour = 0xFF000000 | blue << 16 | green << 8 | red
        settings = {"color": colour, "width": WIDTH, "height": HEIGHT}
        client.call(
            "CreateInput",
            sceneName=scene,
            inputName=f"picture of {scene}",
            inputKind="color_source_v3",
            inputSettings=settings,
        )


def on_screen(client: Client) -> str | None:
    """Which scene's picture the program shows, by its colour."""
    program = client.call("GetCurrentProgramScene")["currentProgramSceneName"]
    shot = client.call("GetSourceScreenshot", sourceName=program, imageFormat="png", imageWidth=64, imageHeight=36)
    picture = Image.open(io.BytesIO(base64.b64decode(shot["imageData"].partition(",")[2]))).convert("RGB")
    pixel: Any = picture.getpixel((32, 18))
    near = [name for name, rgb in COLOURS.items() if all(abs(a - b) <= 6 for a, b in zip(pixel, rgb, strict=True))]
    return near[0] if near else None


async def ask(client: Client, name: str, **data: Any) -> Any:
    """Asks OBS beside the loop."""
    return await asyncio.to_thread(client.call, name, **data)


# --- set-up


def state_of(client: Client) -> dict[str, Any]:
    """All scenes with what stands in them and how."""
    scenes = client.call("GetSceneList")["scenes"]
    return {
        row["sceneName"]: client.call("GetSceneItemList", sceneName=row["sceneName"])["sceneItems"] for row in scenes
    }


def test_install_says_what_this_obs_lacks_and_done_again_changes_nothing(obs: RealObs):
    client = obs.client()
    scenes = layout(SHEET, PAGES, canvas_of(client), "en")
    first = install(client, scenes, canvas_of(client), transitions=["Fade", "Stinger"], delay=0)
    assert [row.code for row in first if not row.ok] == ["no_browser", "no_transition"]
    assert {row.params["word"] for row in first if row.code == "scene_made"} == set(SHEET.scenes.values())
    made = state_of(client)
    assert [row["sourceName"] for row in made["Cover"]] == ["Mafia: cover"]
    second = install(client, scenes, canvas_of(client), transitions=["Fade"], delay=0)
    assert [row.code for row in second] == ["no_browser"]
    assert state_of(client) == made
    assert {"First", "Second"} <= made.keys()
    client.close()


def test_install_leaves_what_the_producer_has_changed(obs: RealObs):
    client = obs.client()
    canvas = canvas_of(client)
    scenes = layout(SHEET, PAGES, canvas, "en")
    install(client, scenes, canvas)
    cover = state_of(client)["Cover"][0]
    client.call("RemoveSceneItem", sceneName="Cover", sceneItemId=cover["sceneItemId"])
    client.call("SetSceneName", sceneName="Night", newSceneName="Dark")
    client.call("CreateSceneItem", sceneName="Table", sourceName="plain First")
    changed = state_of(client)
    codes = [row.code for row in install(client, scenes, canvas)]
    assert codes == ["no_browser", "scene_left_out", "source_left_out"]
    assert state_of(client) == changed
    codes = [row.code for row in install(client, scenes, canvas, again=True)]
    assert codes == ["no_browser", "scene_made", "source_made"]
    client.close()


class WithBrowser(Client):
    """A text source stands in the browser's place: its settings keep a link too."""

    def call(self, name: str, /, **data: Any) -> Any:
        """The same, for an OBS that would have a browser source."""
        if data.get("inputKind") == "browser_source":
            data["inputKind"] = "text_ft2_source_v2"
        answer = dict(super().call(name, **data))
        if name == "GetInputKindList":
            answer["inputKinds"] = [*answer["inputKinds"], "browser_source"]
        return answer


def test_one_overlay_stands_in_every_scene_of_the_game_and_its_link_is_renewed_unless_it_was_changed(obs: RealObs):
    obs.client().close()
    client = WithBrowser(obs.address)
    canvas = canvas_of(client)

    def put(link: str) -> list[str]:
        pages = replace(PAGES, air=link)
        return [row.code for row in install(client, layout(SHEET, pages, canvas, "en"), canvas)]

    def link() -> str:
        return str(client.call("GetInputSettings", inputName="Mafia: overlay")["inputSettings"]["url"])

    put("http://a/air#t=A")
    scenes = state_of(client)
    with_overlay = {name for name, rows in scenes.items() if any(row["sourceName"] == "Mafia: overlay" for row in rows)}
    assert with_overlay == {"Table", "Close-up", "Vote", "Night"}
    bounds = scenes["Night"][0]["sceneItemTransform"]
    assert (bounds["boundsWidth"], bounds["boundsHeight"]) == (WIDTH, HEIGHT)
    assert put("http://a/air#t=A") == ["nothing_to_do"]
    assert put("http://a/air#t=B") == ["link_made"]
    assert link() == "http://a/air#t=B"
    client.call("SetInputSettings", inputName="Mafia: overlay", inputSettings={"url": "http://mine"}, overlay=True)
    assert put("http://a/air#t=C") == ["link_left"]
    assert link() == "http://mine"
    client.close()


def test_the_file_to_import_makes_the_same_scenes(obs_in: Callable[..., RealObs], tmp_path: Path):
    canvas = Canvas(WIDTH, HEIGHT)
    file = tmp_path / "collection.json"
    file.write_bytes(collection("Test", layout(SHEET, PAGES, canvas, "en"), canvas))
    folder = tmp_path / "obs"
    folder.mkdir()
    client = obs_in(folder, file).start().client()
    made = state_of(client)
    assert list(reversed(made)) == list(SHEET.scenes.values()) or set(made) == set(SHEET.scenes.values())
    assert [row["sourceName"] for row in made["Cover"]] == ["Mafia: cover"]
    # The overlay stands there too: OBS keeps a source of a kind that it does not have.
    assert install(client, layout(SHEET, PAGES, canvas, "en"), canvas)[0].code == "no_browser"
    client.close()


# --- a whole game


async def test_a_whole_game_is_followed_and_the_picture_is_that_of_each_phase(obs: RealObs):
    client = await asyncio.to_thread(obs.client)
    await asyncio.to_thread(set_up, client)
    heard, director = Heard(obs.address), Director(QUICK)
    seen: dict[str, set[str | None]] = {}
    try:
        phase = ""
        for _, view in whole_game():
            director.see(view, time.monotonic())
            if view.phase.kind == phase:
                continue
            phase = view.phase.kind
            await asyncio.sleep(0)
            while (wanted := director.advance(time.monotonic())) is not None:
                heard.link.want(wanted)
                await heard.until(lambda wanted=wanted: heard.on_air(wanted.id))
            if director.step is not None:  # a moment has its time; here it passes at once
                director.go(director.step.id)
                if (wanted := director.advance(time.monotonic())) is not None:
                    heard.link.want(wanted)
                    await heard.until(lambda wanted=wanted: heard.on_air(wanted.id))
            seen.setdefault(phase, set()).add(await asyncio.to_thread(on_screen, client))
    finally:
        await heard.close()
        client.close()
    assert seen == {
        "dealing": {"Break"},
        "acquaintance": {"Night"},
        "night": {"Night"},
        "morning": {"Table"},
        "speech": {"Close-up"},
        "voting": {"Vote"},
        "last_word": {"Close-up"},
        "dusk": {"Table"},
        "over": {"Result"},
    }


async def test_sources_filters_and_texts_follow_and_what_the_producer_touched_stays(obs: RealObs):
    client = await asyncio.to_thread(obs.client)
    await asyncio.to_thread(set_up, client)
    made = {"inputName": "name", "inputKind": "text_ft2_source_v2", "inputSettings": {"text": ""}}
    await ask(client, "CreateInput", sceneName="Close-up", **made)
    await ask(client, "CreateSourceFilter", sourceName="picture of Night", filterName="dim", filterKind="color_filter")
    cues = {
        "night": Cue("night", scene="night", filters_on=(("picture of Night", "dim"),)),
        "speech": Cue("speech", scene="speaker", show=(("Close-up", "name"),), texts={"name": "{seat}. {name}"}),
    }
    sheet = replace(QUICK, cues={**QUICK.cues, **cues})
    heard = Heard(obs.address, items=sheet.items, filters=sheet.filters, texts=sheet.texts)
    director = Director(sheet)

    def read() -> tuple[bool, bool, str]:
        rows = client.call("GetSceneItemList", sceneName="Close-up")["sceneItems"]
        shown = next(row["sceneItemEnabled"] for row in rows if row["sourceName"] == "name")
        on = client.call("GetSourceFilter", sourceName="picture of Night", filterName="dim")["filterEnabled"]
        return shown, on, client.call("GetInputSettings", inputName="name")["inputSettings"].get("text", "")

    async def follow(kind: str) -> tuple[bool, bool, str]:
        view = next(view for _, view in whole_game() if view.phase.kind == kind)
        director.see(view, time.monotonic(), told=False)
        wanted = director.advance(time.monotonic())
        assert wanted is not None
        heard.link.want(wanted)
        await heard.until(lambda: heard.on_air(wanted.id))
        return await asyncio.to_thread(read)

    try:
        assert await follow("acquaintance") == (False, False, "")
        assert await follow("speech") == (True, False, "1. Стрекоза")
        assert await follow("night") == (False, True, "")
        item = next(
            row["sceneItemId"]
            for row in (await ask(client, "GetSceneItemList", sceneName="Close-up"))["sceneItems"]
            if row["sourceName"] == "name"
        )
        await ask(client, "SetSceneItemEnabled", sceneName="Close-up", sceneItemId=item, sceneItemEnabled=True)
        await heard.until(lambda: heard.obs.of_the_producer == frozenset({"Close-up/name"}))
        assert (await follow("morning"))[0] is True
        heard.link.release()
        await heard.until(lambda: not heard.obs.of_the_producer)
    finally:
        await heard.close()
        client.close()


async def test_studio_mode_keeps_the_preview_that_the_producer_has_prepared(obs: RealObs):
    client = await asyncio.to_thread(obs.client)
    heard = Heard(obs.address)
    try:
        await heard.until(lambda: heard.obs.up)
        await ask(client, "SetStudioModeEnabled", studioModeEnabled=True)
        await ask(client, "SetCurrentPreviewScene", sceneName="First")
        await heard.until(lambda: heard.obs.studio and heard.obs.preview == "First")
        heard.want("auto-1", "Second")
        await heard.until(lambda: heard.on_air("auto-1"))
        await heard.until(lambda: heard.obs.program == "Second" and heard.obs.preview == "First")
        assert (await ask(client, "GetSceneList"))["currentPreviewSceneName"] == "First"
    finally:
        await heard.close()
        client.close()


# --- the service, and an OBS that is not well


class Evening:
    """A service with a table that a test plays on, and how long each command took."""

    def __init__(self, service: Running) -> None:
        self.service = service
        self.slowest = 0.0
        self._count = 0

    async def do(self, *commands: Any) -> None:
        """Commands at the table, one after another."""
        for command in commands:
            self._count += 1
            started = time.monotonic()
            answer = await self.service.table.submit(Wish(id=f"w{self._count}", command=command))
            assert isinstance(answer, Accepted), answer
            self.slowest = max(self.slowest, time.monotonic() - started)

    async def deal(self) -> None:
        """Up to the night of acquaintance."""
        await self.do(*(cmd.Deal(seat, role) for seat, role in enumerate(sample_final.CARDS, 1)))
        await self.do(cmd.Next())

    def state(self) -> tuple[str, str, str | None]:
        """OBS as the producer's page shows it."""
        view = self.service.desk.view(*self.service.desk.now(), "en")
        return view.obs.state, view.obs.sentence, view.obs.program

    async def until(self, seen: Callable[[], bool], within: float) -> float:
        """Waits for `seen`; how long it took, seconds."""
        started = time.monotonic()
        while not seen():
            assert time.monotonic() - started < within, self.state()
            await asyncio.sleep(0.02)
        return time.monotonic() - started


def evening_settings(folder: Path, obs: RealObs) -> Settings:
    """A table that looks for `obs`."""
    address = Obs(host="127.0.0.1", port=obs.port, password=obs.password)
    game = Game(names=sample_final.NAMES)
    return Settings(data=folder, web=Web(port=0), game=game, obs=address, speech=Speech(language="en"))


async def test_obs_is_killed_comes_back_freezes_and_changes_its_password_and_the_game_never_waits(
    obs: RealObs, tmp_path: Path
):
    client = await asyncio.to_thread(obs.client)
    await asyncio.to_thread(set_up, client)
    client.close()
    async with running(evening_settings(tmp_path / "data", obs), simulated=True) as service:
        evening = Evening(service)
        await evening.until(lambda: evening.state()[2] == "Break", 20)
        await evening.deal()
        await evening.until(lambda: evening.state()[2] == "Night", 20)

        await asyncio.to_thread(obs.kill)
        await evening.until(lambda: evening.state()[0] == "down", STATUS_WITHIN_S)
        while not isinstance(service.table.snapshot.state.phase, Speaking):
            await evening.do(cmd.Next())  # the first day begins without OBS
        obs.start()
        client = await asyncio.to_thread(obs.client)
        # OBS lets the link in within the pause between two attempts; the scene is there within two seconds of that.
        await evening.until(lambda: evening.state()[2] == "Close-up", STATUS_WITHIN_S + SCENE_WITHIN_S)
        assert service.desk.scene_after_identify is not None
        assert service.desk.scene_after_identify < SCENE_WITHIN_S
        assert await asyncio.to_thread(on_screen, client) == "Close-up"
        client.close()

        obs.freeze()
        await evening.until(lambda: evening.state()[0] == "down", STATUS_WITHIN_S)
        assert "silent" in evening.state()[1]
        await evening.do(wishes.SetStopped(True))
        obs.thaw()
        await evening.until(lambda: evening.state()[2] == "Break", STATUS_WITHIN_S + SCENE_WITHIN_S)
        assert service.desk.scene_after_identify < SCENE_WITHIN_S

        await asyncio.to_thread(obs.kill)
        obs.password = "another one"
        obs.start()
        client = await asyncio.to_thread(obs.client)
        await evening.until(lambda: "password" in evening.state()[1], STATUS_WITHIN_S)
        await evening.do(wishes.SetStopped(False))
        client.close()
        assert evening.slowest < COMMAND_WITHIN_S


async def test_the_producer_in_obs_and_on_the_page_has_the_wheel_until_it_is_released(obs: RealObs, tmp_path: Path):
    client = await asyncio.to_thread(obs.client)
    await asyncio.to_thread(set_up, client)
    async with running(evening_settings(tmp_path / "data", obs), simulated=True) as service:
        evening = Evening(service)
        desk = service.desk
        await evening.deal()
        await evening.until(lambda: evening.state()[2] == "Night", 20)
        await ask(client, "SetCurrentProgramScene", sceneName="First")
        await evening.until(lambda: desk.view(*desk.now(), "en").wheel.held == "obs", 5)
        while not isinstance(service.table.snapshot.state.phase, Speaking):
            await evening.do(cmd.Next())
        await asyncio.sleep(1.0)  # longer than the automatic step would have taken
        assert evening.state()[2] == "First"
        assert desk.do(produce.Cover(on=True)) is None
        await evening.until(lambda: evening.state()[2] == "Cover", 5)
        assert desk.do(produce.Release()) is None
        await evening.until(lambda: evening.state()[2] == "Close-up", 5)
        assert desk.do(produce.Scene("vote")) is None
        await evening.until(lambda: evening.state()[2] == "Vote", 5)
        refused = desk.do(produce.Scene("Nihgt"))
        assert refused is not None
        assert refused.params["nearest"] == "Night"
    client.close()


async def test_chapters_and_the_replay_buffer_in_a_real_recording(obs: RealObs, tmp_path: Path):
    client = await asyncio.to_thread(obs.client)
    await asyncio.to_thread(set_up, client)
    async with running(evening_settings(tmp_path / "data", obs), simulated=True) as service:
        evening = Evening(service)
        desk = service.desk
        await evening.until(lambda: evening.state()[0] == "up", 20)
        await ask(client, "StartRecord")
        await evening.until(lambda: desk.view(*desk.now(), "en").obs.recording.active, 10)
        await evening.deal()
        while not isinstance(service.table.snapshot.state.phase, Speaking):
            await evening.do(cmd.Next())
        chapters = desk.kept.shelf.present.chapters
        assert [one.code for one in chapters] == ["acquaintance", "day"]
        status = await ask(client, "GetRecordStatus")
        assert chapters[-1].recorded is not None
        assert abs(status["outputDuration"] / 1000 - chapters[-1].recorded) < 3
        await ask(client, "StartReplayBuffer")
        await evening.until(lambda: desk.view(*desk.now(), "en").obs.replays, 10)
        await asyncio.sleep(1.0)  # something to be saved
        assert desk.do(produce.SaveReplay()) is None
        await evening.until(lambda: bool(desk.kept.shelf.present.clips), 10)
        assert await asyncio.to_thread(Path(desk.kept.shelf.present.clips[0].path).is_file)
        await ask(client, "StopReplayBuffer")
        await ask(client, "StopRecord")
        await evening.until(lambda: desk.kept.shelf.present.path != "", 10)
    client.close()


async def test_the_stream_delay_is_set_on_the_page_and_read_back_from_obs(obs: RealObs, tmp_path: Path):
    client = await asyncio.to_thread(obs.client)
    async with running(evening_settings(tmp_path / "data", obs), simulated=True) as service:
        evening = Evening(service)
        desk = service.desk
        await evening.until(lambda: evening.state()[0] == "up", 20)
        assert desk.do(produce.Delay(stream=45)) is None
        await evening.until(lambda: desk.view(*desk.now(), "en").delays.in_obs == 45, 5)
        value = await ask(client, "GetProfileParameter", parameterCategory="Output", parameterName="DelaySec")
        assert value["parameterValue"] == "45"
    client.close()
