"""The producer's desk: it shows the game to the director and the recorder, hands what is wanted to OBS's link, keeps
the overlay's switches, and does what the producer asks.

Nothing here waits for OBS, and nothing that goes wrong here reaches the table.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from controller.catalogue import nearest
from controller.game.refusal import Refusal
from controller.service.access import CONFIRMED_BELOW_S
from controller.service.producer_kept import Keeper, Kept, delay_of, kept_in
from controller.service.producer_page import ProducerPage
from controller.service.recorder import Recorder
from controller.service.settings import Delay, Settings
from controller.table import wishes
from controller.table.state import Cause, Snapshot, What
from controller.views import produce
from controller.views.air import air_view
from controller.views.evidence import counted_windows
from controller.views.facts import ObsLine, Surroundings
from controller.views.messages import AirView, Fact, LowerThird
from controller.views.produce import ProducerOrder
from controller.views.producer import (
    Pictures,
    ProducerView,
)
from controller.views.stage import FactsBy, Replayed, Switches
from scenes.client import Address, Asked
from scenes.cues import cue_sheet
from scenes.director import NEVER, Director
from scenes.happenings import in_the_open
from scenes.link import Link
from scenes.seen import Changed, Hand, LetIn, Note, Obs, OnAir, Recording, ReplaySaved, Said, Sent

log = logging.getLogger(__name__)

FILE: Final = "producer.json"
PICTURES_EVERY_S: Final = 1.0
PICTURE_WIDTH: Final = 480
PICTURE_QUALITY: Final = 60
WINDOWS_SHOWN: Final = 12
SHORTEST_LATE: Final = 0.001
"""A timer of the loop may fire a hair early; it is set again no sooner."""
_UNDOING: Final = (wishes.Undo, wishes.Redo, wishes.Replace)


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
        own_delays: Callable[[], Iterable[tuple[str, int]]] = tuple,
        delay_changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`show_all` is called when the on-air view has changed, `show_producer` when only this page has, and
        `delay_changed` when the spectators' delay has; `watched` says whether anybody looks at the pictures,
        `own_delays` which spectators' links have a delay of their own."""
        self._delay_changed = delay_changed
        self._settings = settings
        self.now = now
        """The table and what is around it."""
        self._show_all, self._show_producer, self._show_pictures = show_all, show_producer, show_pictures
        self._watched = watched
        self._kept = kept_in(settings.data)
        self._keeper = Keeper(settings.data, self._kept_changed)
        self._director = Director(cue_sheet(settings.cues, settings.speech.language))
        self._page = ProducerPage(settings, self._director, own_delays)
        self._recorder = Recorder(
            lambda: self._kept.shelf,
            lambda shelf: self._keep(replace(self._kept, shelf=shelf)),
            self._ask,
            settings.speech.language,
        )
        self._obs = Obs()
        self._link: Link | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._alarm: asyncio.TimerHandle | None = None
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
        await asyncio.to_thread(self._keeper.close)

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
        return self._recorder.active

    @property
    def delay(self) -> Delay:
        """How far viewers are to be behind the table now."""
        return delay_of(self._settings, self._kept)

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
        self._recorder.see(opened, passed, told=told, replays=self._director.sheet.replays)

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
                self._recorder.recording(state, path)
            case ReplaySaved(path):
                self._recorder.clip_saved(path)
            case Said(name, data):
                if not self._answered(name, data):
                    return
        self._show_producer()

    def _obs_changed(self, obs: Obs) -> None:
        before, self._obs = self._obs, obs
        self._recorder.obs_is(obs)
        if (before.up, before.why) != (obs.up, obs.why):
            self._show_all()
        if before.up != obs.up:
            log.info("OBS is %s", "connected" if obs.up else f"gone: {obs.why}")
            self._pictures = {"program": None, "preview": None}
            self._asked_for_picture.clear()

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

    def _answered(self, name: str, data: Mapping[str, object] | None) -> bool:
        """Whether the page has to be shown anew."""
        if name in self._pictures:
            self._asked_for_picture.discard(name)
            picture = None if data is None else data.get("imageData")
            self._pictures[name] = picture if isinstance(picture, str) else None
            if not self._obs.studio:
                self._pictures["preview"] = None
            self._show_pictures(Pictures(program=self._pictures["program"], preview=self._pictures["preview"]))
            return False
        if data is None and name == "clip":
            self._recorder.clip_refused()
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
            case produce.Preview() | produce.Transition() | produce.SaveReplay():
                return self._in_obs(order)
            case produce.Delay():
                return self._set_delay(order)
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

    def _in_obs(self, order: produce.Preview | produce.Transition | produce.SaveReplay) -> Refusal | None:
        """What OBS itself has to do once."""
        if self._link is None or not self._obs.up:
            return self._no_obs()
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
                self._recorder.save()
        return None

    def _no_obs(self) -> Refusal:
        return Refusal("no_obs", {"word": self._page.sentence(self._obs, self._settings.speech.language)})

    def _set_delay(self, order: produce.Delay) -> Refusal | None:
        """Both delays or neither."""
        stream, spectators = order.stream, order.spectators
        if stream is not None and (self._link is None or not self._obs.up):
            return self._no_obs()
        if spectators is not None and spectators < CONFIRMED_BELOW_S and not order.confirmed:
            return Refusal("delay_short", {"seconds": spectators, "least": CONFIRMED_BELOW_S})
        kept = self._kept
        if stream is not None and self._link is not None:
            kept = replace(kept, stream_delay=stream)
            self._set_stream_delay(self._link, stream)
        changed = spectators is not None and spectators != self.delay.spectators
        if spectators is not None:
            kept = replace(kept, spectators_delay=spectators)
        self._keep(kept)
        if changed:
            self._delay_changed()
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
        snapshot, around = self.now()
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
                found = self._told(snapshot, around, seat, text)
                if isinstance(found, Refusal):
                    return found
                switches = found
            case produce.Facts(by):
                turned: FactsBy = "first_day" if around.facts_by == "by_hand" else "by_hand"
                switches = replace(switches, facts=by or turned, hidden_fact=None)
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

    def _told(self, snapshot: Snapshot, around: Surroundings, seat: int | None, text: str) -> Switches | Refusal:
        """The switches with this fact, the player's next one, or none."""
        shown = self.switches.fact
        if seat is None:
            return replace(self.switches, fact=None, hidden_fact=_fact(around.fact))
        if text:
            return replace(self.switches, fact=Fact(seat=seat, text=text))
        known = around.facts.get(seat, ())
        if not known:
            return Refusal("no_facts", {"seat": seat, "name": snapshot.names[seat - 1]})
        place = known.index(shown.text) + 1 if shown is not None and shown.seat == seat and shown.text in known else 0
        told = None if place == len(known) else Fact(seat=seat, text=known[place])
        return replace(self.switches, fact=told)

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
        self._keeper.keep(kept)

    def _kept_changed(self) -> None:
        """In the writer's thread: it can be written no more, or again."""
        if self._loop is not None and not self._closed:
            with suppress(RuntimeError):  # the service has ended meanwhile
                self._loop.call_soon_threadsafe(self._show_producer)

    def _ask(self, name: str, asked: Asked) -> None:
        if self._link is not None:
            self._link.ask(name, asked)

    # --- what is shown

    def view(self, snapshot: Snapshot, around: Surroundings, language: str) -> ProducerView:
        """The producer's page."""
        return self._page.view(snapshot, around, self._obs, self._kept, language, unkept=self._keeper.unkept)

    def chapters(self, language: str) -> list[tuple[str, str]]:
        """The chapter list of the present recording."""
        return self._recorder.chapters(language)

    @property
    def obs_line(self) -> ObsLine | None:
        """OBS's line of the table's checklist; None where no OBS is set."""
        if self._link is None:
            return None
        return ObsLine(self._obs.up, *self._page.sentence_code(self._obs))


def _fact(told: tuple[int, str] | None) -> Fact | None:
    return None if told is None else Fact(seat=told[0], text=told[1])


def _turned(now: bool, on: bool | None) -> bool:
    return not now if on is None else on
