"""The producer's desk: it shows the game to the director, hands what is wanted to OBS's link, keeps the overlay's
switches and the recording's chapters, and does what the producer asks.

Nothing here waits for OBS, and nothing that goes wrong here reaches the table.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.catalogue import nearest, sentence
from controller.game.refusal import Refusal
from controller.service.settings import Settings
from controller.table import wishes
from controller.table.clock import SystemClock
from controller.table.state import Cause, Snapshot, What
from controller.views import produce
from controller.views.air import air_view
from controller.views.evidence import counted_windows
from controller.views.facts import ObsLine, Surroundings
from controller.views.messages import AirView, Fact, LowerThird
from controller.views.produce import ProducerOrder
from controller.views.producer import (
    Delays,
    LinkToObs,
    Mark,
    NextStep,
    ObsOutput,
    ObsState,
    Pictures,
    ProducerView,
    ReplayWindow,
    SavedClip,
    SceneButton,
    Wheel,
)
from controller.views.stage import Replayed, Switches
from scenes.client import Address, Asked, Why
from scenes.cues import cue_sheet
from scenes.director import NEVER, Director
from scenes.happenings import in_the_open, situations, subject
from scenes.link import Link
from scenes.seen import Changed, Hand, LetIn, Note, Obs, OnAir, Output, Recording, ReplaySaved, Said, Sent
from scenes.tape import Clip, Head, Shelf, chapter_of, clock, lines, marked

log = logging.getLogger(__name__)

FILE: Final = "producer.json"
PICTURES_EVERY_S: Final = 1.0
PICTURE_WIDTH: Final = 480
PICTURE_QUALITY: Final = 60
WINDOWS_SHOWN: Final = 12
SHORTEST_LATE: Final = 0.001
"""A timer of the loop may fire a hair early; it is set again no sooner."""
_UNDOING: Final = (wishes.Undo, wishes.Redo, wishes.Replace)


class Kept(Struct, frozen=True):
    """What outlives the service."""

    switches: Switches = Switches()
    stream_delay: int | None = None
    """Seconds, once the producer has set it."""
    game: str = ""
    shelf: Shelf = Shelf()


class Desk:
    """One producer's desk."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], tuple[Snapshot, Surroundings]],
        *,
        show_all: Callable[[], None],
        show_producer: Callable[[], None],
        show_pictures: Callable[[Pictures], None],
        watched: Callable[[], bool],
    ) -> None:
        """`show_all` is called when the on-air view has changed, `show_producer` when only this page has; `watched`
        says whether anybody looks at the pictures."""
        self._settings = settings
        self.now = now
        """The table and what is around it."""
        self._show_all, self._show_producer, self._show_pictures = show_all, show_producer, show_pictures
        self._watched = watched
        self._file = settings.data / FILE
        self._kept = kept_in(settings.data)
        self._writer = ThreadPoolExecutor(1, "producer")
        self._boot = SystemClock().boot
        self._director = Director(cue_sheet(settings.cues, settings.speech.language))
        self._obs = Obs()
        self._link: Link | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._heads = (Head(), Head())
        self._chapter: tuple[str, dict[str, str | int]] | None = None
        self._clips: list[tuple[str, dict[str, str | int]]] = []
        self._pictures: dict[str, str | None] = {"program": None, "preview": None}
        self._asked_for_picture: set[str] = set()
        self._closed = False
        self._let_in_at: float | None = None
        self.scene_after_identify: float | None = None
        """Seconds from OBS's last letting the link in to its showing what is wanted."""
        self.lateness: list[float] = []
        """Seconds from each decision to its request, the last ones; for the bench and the page."""

    # --- its life

    def start(self) -> None:
        """Begins: the director looks at the table, and OBS is looked for if the settings name one."""
        self._loop = asyncio.get_running_loop()
        snapshot, around = self.now()
        self._kept = replace(self._kept, game=self._kept.game or snapshot.game)
        self._see(air_view(snapshot, around), told=True)
        obs = self._settings.obs
        if obs.host:
            loop, sheet = self._loop, self._director.sheet

            def report(note: Note) -> None:
                if not self._closed:
                    loop.call_soon_threadsafe(self._heard, note)

            address = Address(obs.host, obs.port, obs.password)
            self._link = Link(address, report, items=sheet.items, filters=sheet.filters, texts=sheet.texts)
            self._link.start()
        self._advance()

    async def close(self) -> None:
        """Ends the link and writes what is to be kept."""
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._link is not None:
            await asyncio.to_thread(self._link.stop)
        await asyncio.to_thread(self._writer.shutdown)

    async def run(self) -> None:
        """Asks for small pictures of program and preview while somebody looks at them."""
        while True:
            await asyncio.sleep(PICTURES_EVERY_S)
            if self._watched() and self._obs.up and not self._asked_for_picture:
                self._ask_for_picture("program", self._obs.program)
                if self._obs.studio:
                    self._ask_for_picture("preview", self._obs.preview)

    # --- the table

    @property
    def kept(self) -> Kept:
        """What outlives the service."""
        return self._kept

    @property
    def recording(self) -> bool:
        """Whether OBS records, as far as is known."""
        return self._heads[0].active

    @property
    def switches(self) -> Switches:
        """What the producer has set for the overlay."""
        return self._kept.switches

    def hear(self, snapshot: Snapshot, cause: Cause) -> None:
        """The table has changed. It is looked at when everybody else has been told; a fault here stays here."""
        if self._loop is not None and not self._closed and cause.what in (What.DECISION, What.WINDOW):
            self._loop.call_soon(self._table_changed, snapshot, cause)

    def _table_changed(self, snapshot: Snapshot, cause: Cause) -> None:
        try:
            self._follow(snapshot, cause)
        except Exception:
            log.exception("the producer's desk could not follow the table")

    def _follow(self, snapshot: Snapshot, cause: Cause) -> None:
        if snapshot.game != self._kept.game:
            self._keep(replace(self._kept, game=snapshot.game, switches=self.switches.for_another_game()))
            self._show_all()
        _, around = self.now()
        self._see(air_view(snapshot, around), told=not isinstance(cause.command, _UNDOING))
        self._advance()
        self._show_producer()

    def _see(self, view: AirView, *, told: bool) -> None:
        opened = in_the_open(view)
        passed = [(moment.name, moment.seat) for moment in self._director.see(view, self._time(), told=told)]
        chapter = chapter_of(opened)
        if chapter is not None and chapter != self._chapter:
            # After a restart the chapter that was begun goes on.
            begun = self._chapter is not None or not self._kept.shelf.present.chapters
            self._chapter = chapter
            if begun:
                self._mark(*chapter)
            if begun and told and chapter[0] == "over":
                passed.append(("over", None))
        for code, seat in passed:
            if code in self._director.sheet.replays and self._obs.replays and self._link is not None:
                words = {} if chapter is None else chapter[1]
                self._clips.append((code, {**words, "round": opened.phase.round, "seat": seat or 0}))
                self._link.ask("clip", Asked.of("SaveReplayBuffer"))
                break

    def _mark(self, code: str, params: dict[str, str | int]) -> None:
        shelf = self._kept.shelf
        tape = marked(shelf.present, code, params, self._heads, self._time(), self._boot)
        self._keep(replace(self._kept, shelf=shelf.with_present(tape)))
        if self._link is not None and self._heads[0].active and "CreateRecordChapter" in self._obs.requests:
            title = tape.chapters[-1].title(self._settings.speech.language)
            self._link.ask("chapter", Asked.of("CreateRecordChapter", chapterName=title))

    # --- the director

    def _time(self) -> float:
        return time.monotonic()

    def _advance(self) -> None:
        """What the director decides goes to OBS; and it is asked again when it wants to be."""
        wanted = self._director.advance(self._time())
        if wanted is not None and self._link is not None:
            self._link.want(wanted)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        wakes_at = self._director.wakes_at
        if self._loop is not None and wakes_at != NEVER:
            delay = max(SHORTEST_LATE, wakes_at - self._time())
            self._alarm = self._loop.call_later(delay, self._wake)

    def _wake(self) -> None:
        self._advance()
        self._show_producer()

    def _heard(self, note: Note) -> None:
        if self._closed:
            return
        match note:
            case Changed(obs):
                self._obs_changed(obs)
            case Hand(scene, number):
                self._director.hand(scene, number)
                self._advance()
            case Sent(_, seconds):
                self.lateness = [*self.lateness[-999:], seconds]
                return
            case LetIn(at):
                self._let_in_at = at
                return
            case OnAir():
                if self._let_in_at is not None:
                    self.scene_after_identify, self._let_in_at = self._time() - self._let_in_at, None
                return
            case Recording(state, path):
                self._recording(state, path)
            case ReplaySaved(path):
                self._clip_saved(path)
            case Said(name, data, code):
                if not self._answered(name, None if data is None else data.get("imageData"), code):
                    return
        self._show_producer()

    def _obs_changed(self, obs: Obs) -> None:
        before, self._obs = self._obs, obs
        if obs.up:
            now = self._time()
            for head, output in zip(self._heads, (obs.recording, obs.streaming), strict=True):
                head.heard(output.seconds, now, active=output.active, paused=output.paused)
        if (before.up, before.why) != (obs.up, obs.why):
            self._show_all()
        if before.up != obs.up:
            log.info("OBS is %s", "connected" if obs.up else f"gone: {obs.why}")
            self._pictures = {"program": None, "preview": None}
            self._asked_for_picture.clear()

    def _recording(self, state: str, path: str) -> None:
        shelf = self._kept.shelf
        match state:
            case "started":
                self._heads[0].heard(0.0, self._time(), active=True, paused=False)
                shelf = shelf.another()
                self._clips.clear()
            case "stopped":
                shelf = shelf.with_present(replace(shelf.present, path=path))
            case _:
                return
        self._keep(replace(self._kept, shelf=shelf))
        if state == "started" and self._chapter is not None:
            self._mark(*self._chapter)

    def _clip_saved(self, path: str) -> None:
        code, params = self._clips[-1] if self._clips else ("replay", {})
        shelf = self._kept.shelf
        clip = Clip(code, params, self._heads[0].position(self._time()), path)
        tape = replace(shelf.present, clips=(*shelf.present.clips, clip))
        self._keep(replace(self._kept, shelf=shelf.with_present(tape)))

    # --- pictures

    def _ask_for_picture(self, which: str, scene: str | None) -> None:
        if self._link is None or scene is None:
            return
        self._asked_for_picture.add(which)
        asked = Asked.of(
            "GetSourceScreenshot",
            sourceName=scene,
            imageFormat="jpg",
            imageWidth=PICTURE_WIDTH,
            imageCompressionQuality=PICTURE_QUALITY,
        )
        self._link.ask(which, asked)

    def _answered(self, name: str, picture: object, code: int) -> bool:
        """Whether the page has to be shown anew."""
        if name in self._pictures:
            self._asked_for_picture.discard(name)
            self._pictures[name] = picture if isinstance(picture, str) else None
            if not self._obs.studio:
                self._pictures["preview"] = None
            self._show_pictures(Pictures(program=self._pictures["program"], preview=self._pictures["preview"]))
            return False
        if code and name == "clip" and self._clips:
            self._clips.pop()
        return name == "delay"

    # --- what the producer asks

    def do(self, order: ProducerOrder) -> Refusal | None:
        """Does what is asked; why not, where it is not done."""
        refusal = self._at_the_wheel(order)
        self._advance()
        self._show_producer()
        return refusal

    def _at_the_wheel(self, order: ProducerOrder) -> Refusal | None:
        director = self._director
        match order:
            case produce.Scene(scene):
                found = self._scene_named(scene)
                if isinstance(found, Refusal):
                    return found
                director.take(found)
            case produce.Hold(on):
                self._switch_hold(on=director.held is None if on is None else on)
            case produce.Release():
                director.release()
                if self._link is not None:
                    self._link.release()
            case produce.Cover(on):
                covered = director.held is not None and director.held.by == "cover"
                director.cover(on=not covered if on is None else on)
            case produce.Skip(step) | produce.Go(step):
                step = step or (director.step.id if director.step is not None else "")
                done = director.skip(step) if isinstance(order, produce.Skip) else director.go(step)
                return None if done else Refusal("no_step")
            case produce.Preview() | produce.Transition() | produce.SaveReplay() | produce.Delay():
                return self._in_obs(order)
            case _:
                return self._on_stage(order)
        return None

    def _switch_hold(self, *, on: bool) -> None:
        if on:
            self._director.hold()
        else:
            self._director.release()
            if self._link is not None:
                self._link.release()

    def _scene_named(self, word: str) -> str | Refusal:
        """OBS's name of the scene that `word` means: a short name of the cue sheet, or OBS's own."""
        scenes = self._director.sheet.scenes
        name = scenes.get(word, word)
        if (self._obs.up and name in self._obs.scenes) or (not self._obs.up and word in scenes):
            return name
        known = [*self._obs.scenes, *scenes]
        return Refusal("no_such_scene", {"word": name, "nearest": nearest(word, known)})

    def _in_obs(
        self, order: produce.Preview | produce.Transition | produce.SaveReplay | produce.Delay
    ) -> Refusal | None:
        """What OBS itself has to do once."""
        if self._link is None or not self._obs.up:
            return Refusal("no_obs", {"word": self._sentence(self._settings.speech.language)})
        match order:
            case produce.Preview(scene):
                found = self._scene_named(scene)
                if isinstance(found, Refusal):
                    return found
                if not self._obs.studio:
                    return Refusal("no_studio")
                self._link.ask("preview scene", Asked.of("SetCurrentPreviewScene", sceneName=found))
            case produce.Transition():
                if not self._obs.studio:
                    return Refusal("no_studio")
                if self._obs.preview is not None:
                    self._director.take(self._obs.preview)
            case produce.SaveReplay():
                if not self._obs.replays:
                    return Refusal("no_replays")
                self._link.ask("clip", Asked.of("SaveReplayBuffer"))
            case produce.Delay(stream):
                self._keep(replace(self._kept, stream_delay=stream))
                self._set_stream_delay(self._link, stream)
        return None

    def _set_stream_delay(self, link: Link, seconds: int) -> None:
        """OBS takes it when the next stream starts."""
        values = (("DelayEnable", "true" if seconds else "false"), ("DelaySec", str(seconds)))
        for name, value in values:
            asked = Asked.of(
                "SetProfileParameter", parameterCategory="Output", parameterName=name, parameterValue=value
            )
            link.ask("delay", asked)
        link.look()

    def _on_stage(self, order: ProducerOrder) -> Refusal | None:
        """What the overlay is to show."""
        snapshot, _ = self.now()
        seats, switches = len(snapshot.state.seats), self.switches
        match order:
            case produce.Overlay(on):
                switches = replace(switches, overlay=_turned(switches.overlay, on))
            case produce.Roles(on):
                switches = replace(switches, roles=_turned(switches.roles, on))
            case produce.Scores(on):
                switches = replace(switches, scores=_turned(switches.scores, on))
            case produce.Lift(seat) | produce.Fact(seat) if seat is not None and seat > seats:
                return Refusal("no_seat_there", {"seat": seat})
            case produce.Lift(seat):
                switches = replace(switches, lifted=None if seat == switches.lifted else seat)
            case produce.LowerThird(title, subtitle):
                switches = replace(switches, lower_third=LowerThird(title=title, subtitle=subtitle) if title else None)
            case produce.Fact(seat, text):
                told = Fact(seat=seat, text=text) if seat is not None and text else None
                switches = replace(switches, fact=told)
            case produce.ReplayVote(window, on):
                found = self._replayed(snapshot, window, on=on)
                if isinstance(found, Refusal):
                    return found
                switches = replace(switches, replay=found)
            case _:
                return Refusal("unknown_command", {"command": type(order).__name__})
        if switches != self.switches:
            self._keep(replace(self._kept, switches=switches))
            snapshot, around = self.now()
            self._see(air_view(snapshot, around), told=True)
            self._show_all()
        return None

    def _replayed(self, snapshot: Snapshot, window: str | None, *, on: bool | None) -> Replayed | Refusal | None:
        shown = self.switches.replay
        if on is False or (on is None and window is None and shown is not None):
            return None
        windows = list(counted_windows(snapshot.state))
        window = window or (windows[-1] if windows else "")
        if window not in windows:
            return Refusal("no_replay_window")
        return Replayed(window, time.monotonic_ns())

    # --- what is kept

    def _keep(self, kept: Kept) -> None:
        """Keeps `kept` in memory at once and on disk as soon as the writer comes to it; the loop does not wait."""
        self._kept = kept
        if self._closed:
            return
        replayless = replace(kept, switches=replace(kept.switches, replay=None))
        text = msgspec.json.format(msgspec.json.encode(replayless), indent=1)
        self._writer.submit(_write, self._file, text)

    # --- what is shown

    def view(self, snapshot: Snapshot, around: Surroundings, language: str) -> ProducerView:
        """The producer's page."""
        air = air_view(snapshot, around)
        return ProducerView(
            header=air.header,
            phase=air.phase,
            timer=air.timer,
            stopped=air.stopped,
            now=self._what_happens(air, language),
            seats=air.seats,
            stage=air.stage,
            windows=tuple(
                ReplayWindow(window=name, candidate=one.candidate, hands=len(one.hands))
                for name, one in list(counted_windows(snapshot.state).items())[-WINDOWS_SHOWN:]
            ),
            obs=self._obs_state(language),
            wheel=self._wheel(language),
            buttons=tuple(
                SceneButton(short=short, name=name, there=name in self._obs.scenes)
                for short, name in self._director.sheet.scenes.items()
            ),
            delays=Delays(
                stream=self._obs.delay if self._kept.stream_delay is None else self._kept.stream_delay,
                in_obs=self._obs.delay if self._obs.up else None,
                spectators=self._settings.delay.spectators,
            ),
            chapters=tuple(Mark(at=at, title=title) for at, title in self.chapters(language)),
            clips=tuple(
                SavedClip(
                    at="" if one.recorded is None else clock(one.recorded), title=one.title(language), path=one.path
                )
                for one in self._kept.shelf.present.clips
            ),
            simulated=air.simulated,
        )

    def chapters(self, language: str) -> list[tuple[str, str]]:
        """The chapter list of the present recording."""
        return lines(self._kept.shelf.present, language)

    def _what_happens(self, air: AirView, language: str) -> str:
        opened = in_the_open(air)
        return sentence(f"happening.{situations(opened)[0]}", language, seat=subject(opened) or 0)

    def _wheel(self, language: str) -> Wheel:
        held, step = self._director.held, self._director.step
        following = None
        if step is not None:
            label = sentence(f"happening.{step.on}", language, seat=step.seat or 0)
            following = NextStep(id=step.id, label=label, scene=step.scene, at=step.at * 1000)
        return Wheel(
            held=None if held is None else held.by,
            scene=None if held is None else held.scene,
            next=following,
        )

    def _obs_state(self, language: str) -> ObsState:
        obs = self._obs
        return ObsState(
            state=self._link_state(),
            sentence=self._sentence(language),
            faults=tuple(self._obs_faults(language)),
            version=obs.version,
            program=obs.program if obs.up else None,
            preview=obs.preview if obs.up and obs.studio else None,
            studio=obs.up and obs.studio,
            scenes=obs.scenes if obs.up else (),
            fps=round(obs.fps, 1),
            round_trip=round(obs.round_trip * 1000, 1),
            streaming=_shown(obs.streaming),
            recording=_shown(obs.recording),
            replays=obs.up and obs.replays,
            touched=tuple(sorted(obs.of_the_producer)),
        )

    def _link_state(self) -> LinkToObs:
        if self._link is None:
            return "off"
        if self._obs.up:
            return "up"
        return "seeking" if self._obs.why is None else "down"

    def _sentence(self, language: str) -> str:
        code, params = self._sentence_code()
        return sentence(f"obs.{code}", language, **params)

    def _sentence_code(self) -> tuple[str, dict[str, str | int]]:
        where, state = self._settings.obs, self._link_state()
        params: dict[str, str | int] = {"host": where.host, "port": where.port, "version": self._obs.version}
        return ((self._obs.why or Why.LOST).value if state == "down" else state), params

    def _obs_faults(self, language: str) -> Iterable[str]:
        obs = self._obs
        if self._director.sheet.faults:
            yield sentence("obs.cue_faults", language, count=len(self._director.sheet.faults))
        if not obs.up:
            return
        if obs.unready:
            yield sentence("obs.unready", language)
        if obs.stubborn:
            yield sentence("obs.stubborn", language)
        for name in sorted(obs.missing):
            yield sentence("obs.missing", language, word=name, nearest=nearest(name, obs.scenes))

    @property
    def obs_line(self) -> ObsLine | None:
        """OBS's line of the table's checklist; None where no OBS is set."""
        if self._link is None:
            return None
        return ObsLine(self._obs.up, *self._sentence_code())


def _turned(now: bool, on: bool | None) -> bool:
    return not now if on is None else on


def _shown(output: Output) -> ObsOutput:
    return ObsOutput(
        active=output.active,
        paused=output.paused,
        seconds=round(output.seconds, 1),
        skipped=output.skipped,
        total=output.total,
    )


def kept_in(folder: Path) -> Kept:
    """What was kept in `folder`; a file that cannot be read is put aside, never overwritten."""
    file = folder / FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except FileNotFoundError:
        return Kept()
    except (OSError, msgspec.DecodeError):
        log.warning("%s cannot be read and is put aside", file.name)
        try:
            file.replace(file.with_suffix(".damaged"))
        except OSError:
            log.warning("%s could not be put aside", file.name)
        return Kept()


def _write(file: Path, text: bytes) -> None:
    fresh = file.with_name(f"{file.name}.new")
    try:
        fresh.write_bytes(text)
        fresh.replace(file)
    except OSError:
        log.exception("what the producer has set could not be kept")
