"""OBS's link: a thread of its own that keeps one connection and sees to it that OBS shows what is wanted.

It is told the newest picture and forgets the one before; it believes OBS's events and not its answers; it notices
within five seconds that nobody is there any more; and nobody ever waits for it. What it has to report it hands to
`report`, in its own thread.
"""

import logging
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from scenes.client import (
    MISSING,
    NOT_READY,
    Address,
    AllAnswered,
    Answered,
    Asked,
    Client,
    Happened,
    NoObs,
    Why,
)
from scenes.pursuit import Key, Known, Missing, Pursuit, Way, missing_from
from scenes.reading import (
    CHANGES_WHAT_THERE_IS,
    RECORDING,
    Reading,
    duration_of,
    frames_of,
    name_of,
    output_of,
    text_of,
)
from scenes.seen import Changed, Hand, LetIn, Note, Obs, OnAir, Recording, ReplaySaved, Said, Sent
from scenes.wanted import Filter, Item, Wanted

BEAT_S: Final = 1.0
SILENT_AFTER_S: Final = 3.0
"""So long a request may be unanswered while nothing else is heard either."""
ANSWER_WITHIN_S: Final = 1.5
NOT_READY_AGAIN_S: Final = 0.15
SWITCHES_WITHIN_S: Final = 1.0
"""So long OBS's own event is waited for, beside the transition, before it is asked what is on air."""
STILL_DONE_WITHIN_S: Final = 10.0
"""So long an unanswered switch may still be done by an OBS that hung; counted anew from each connection."""
LONGEST_TRANSITION_S: Final = 20.0
STUBBORN_AFTER: Final = 3
PAUSES_S: Final = (0.25, 0.5, 1.0, 2.0)
"""Between attempts to connect; the last one again and again."""
MOST_ASKED: Final = 32
ENDS_WITHIN_S: Final = 1.0

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _SentScene:
    """A switch that was asked for and not seen yet. An OBS that hung may do it long after the link has given it up."""

    scene: str
    until: float
    """So long its event is taken for this link's own."""


@dataclass(slots=True)
class _Waiting:
    """A request that is not answered yet."""

    since: float
    answered: Callable[[Sequence[Answered]], None]
    lost: Callable[[], None] = lambda: None


class Link:
    """The link to one OBS."""

    def __init__(
        self,
        address: Address,
        report: Callable[[Note], None],
        *,
        items: Sequence[Item] = (),
        filters: Sequence[Filter] = (),
        texts: Sequence[str] = (),
    ) -> None:
        """`items`, `filters` and `texts` are all that will ever be asked for, so that their state can be read ahead."""
        self._address = address
        self._report = report
        self._reading = Reading(items, filters, texts)
        self._lock = threading.Lock()
        self._newest: Wanted | None = None
        self._asked: deque[tuple[str, Asked]] = deque(maxlen=MOST_ASKED)
        self._releasing = self._looking = False
        self._stopping = False
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_write.setblocking(False)
        self._wake_read.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="obs", daemon=True)
        self._client: Client | None = None

        # Of the thread alone:
        self._obs = Obs()
        self._told = self._obs
        self._known = Known()
        self._pursuit: Pursuit | None = None
        self._waiting: dict[str, _Waiting] = {}
        self._hands: set[Key] = set()
        self._own: dict[Key, bool | str] = {}
        """What was asked of sources and not seen yet: an event that says the same is no hand's."""
        self._frames_before: int | None = None
        self._beat_at = 0.0
        self._read_at: float | None = None
        self._was_on_air: str | None = None
        self._doubted: str | None = None
        self._transition_since: float | None = None
        self._sent_scenes: list[_SentScene] = []
        """Scenes that were asked for and not seen yet: one that was wanted a moment ago may still come on air."""
        self._switched = 0
        """How many times somebody else has switched OBS."""
        self._strange_texts: dict[str, str] = {}
        self._theirs: Way | None = None
        """How OBS switched before this link changed that; None: it has not."""
        self._changing = False

    # --- from any thread

    def start(self) -> None:
        """Begins to look for OBS."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the link, within a second."""
        self._stopping = True
        client = self._client
        if client is not None:
            client.close()
        self._wake()
        if self._thread.is_alive():
            self._thread.join(ENDS_WITHIN_S)

    def want(self, wanted: Wanted) -> None:
        """This picture from now on, whenever OBS is there; the ones before are forgotten. Returns at once."""
        with self._lock:
            self._newest = wanted
        self._wake()

    def ask(self, name: str, asked: Asked) -> None:
        """Asks once; the answer is reported as `Said(name)`. Returns at once."""
        with self._lock:
            self._asked.append((name, asked))
        self._wake()

    def look(self) -> None:
        """OBS's state is read anew soon. Returns at once."""
        with self._lock:
            self._looking = True
        self._wake()

    def release(self) -> None:
        """What the producer touched in OBS belongs to the automation again."""
        with self._lock:
            self._releasing = True
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # full: it will wake anyway
            self._wake_write.send(b"x")

    # --- the thread

    def _run(self) -> None:
        failures = 0
        while not self._stopping:
            why = Why.LOST
            try:
                self._client = client = Client(self._address)
                self._note(LetIn(time.monotonic()))
                failures = 0
                try:
                    self._serve(client)
                finally:
                    client.close()
            except NoObs as no:
                why = no.why
            except Exception:
                # Nothing that OBS may say ends this thread: the connection is thrown away and another one made.
                log.exception("the link to OBS had to be made anew")
            self._client = None
            if self._stopping:
                break
            self._gone(why)
            self._pause(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
            failures += 1
        self._wake_read.close()
        self._wake_write.close()

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            self._sleep([], left)
            self._refuse_asked()

    def _sleep(self, also: list[Client], seconds: float) -> bool:
        """Waits until it is woken or there is something to read; whether there is."""
        readable, _, _ = select.select([self._wake_read, *also], [], [], max(0.0, seconds))
        if self._wake_read in readable:
            with suppress(BlockingIOError):
                while self._wake_read.recv(4096):
                    pass
        return any(client in readable for client in also)

    def _serve(self, client: Client) -> None:
        self._waiting.clear()
        self._own.clear()
        self._strange_texts.clear()
        for row in self._sent_scenes:
            row.until = time.monotonic() + STILL_DONE_WITHIN_S
        self._doubted = self._transition_since = None
        self._known = Known()
        self._changing = False
        self._read_at, self._beat_at = 0.0, time.monotonic() + BEAT_S
        if self._pursuit is not None:
            self._pursuit = Pursuit(self._pursuit.wanted, overruled=self._pursuit.overruled, first_sent=True)
        while not self._stopping:
            now = time.monotonic()
            self._take_over(client)
            if self._read_at is not None and now >= self._read_at and not self._changing:
                self._read_at = None
                self._read(client)
            if now >= self._beat_at:
                self._beat_at = now + BEAT_S
                self._beat(client)
            self._pursue(client, now)
            self._give_up(client, now)
            self._tell()
            if self._sleep([client], self._next(now) - time.monotonic()):
                heard = client.receive()
                if heard is not None:
                    self._hear(heard)

    def _next(self, now: float) -> float:
        """When there is something to do even if nothing comes."""
        due = [self._beat_at]
        if self._read_at is not None:
            due.append(self._read_at)
        if (pursuit := self._pursuit) is not None and not pursuit.done and self._obs.up and not self._changing:
            due.append(pursuit.not_before if pursuit.sent_at is None else self._patience(pursuit))
        return max(min(due), now + 0.01)

    def _take_over(self, client: Client) -> None:
        """What was asked for from outside."""
        with self._lock:
            newest, asked = self._newest, list(self._asked)
            releasing, looking = self._releasing, self._looking
            self._asked.clear()
            self._releasing = self._looking = False
        if releasing:
            self._hands.clear()
            self._obs = replace(self._obs, of_the_producer=frozenset())
            if self._pursuit is not None:
                self._pursuit = Pursuit(self._pursuit.wanted, first_sent=True)
        if newest is not None and (self._pursuit is None or newest is not self._pursuit.wanted):
            self._pursuit = Pursuit(newest, overruled=newest.hands < self._switched)
        for name, one in asked:
            self._send_one(client, name, one)
        if looking:
            self._read_at = time.monotonic() + NOT_READY_AGAIN_S  # what was asked just now is done by then

    def _refuse_asked(self) -> None:
        with self._lock:
            asked = list(self._asked)
            self._asked.clear()
        for name, _ in asked:
            self._note(Said(name, None))

    def _send_one(self, client: Client, name: str, one: Asked) -> None:
        def answered(answers: Sequence[Answered]) -> None:
            self._note(Said(name, answers[0].data if answers[0].ok else None))

        self._waiting[client.send(one)] = _Waiting(time.monotonic(), answered, lambda: self._note(Said(name, None)))

    def _in_order(self, client: Client, asked: Sequence[Asked], answered: Callable[[Sequence[Answered]], None]) -> None:
        self._waiting[client.send_in_order(asked)] = _Waiting(time.monotonic(), answered)

    # --- what OBS is like

    def _read(self, client: Client) -> None:
        """Reads everything anew: after each connect, and when a switch was answered and not seen."""
        started = time.monotonic()

        def answered(answers: Sequence[Answered]) -> None:
            if not self._reading.whole(answers):
                self._obs = replace(self._obs, unready=True)
                self._read_at = time.monotonic() + NOT_READY_AGAIN_S
                return
            self._obs = replace(self._obs, round_trip=time.monotonic() - started)
            self._all_read(answers)

        self._in_order(client, self._reading.asked, answered)

    def _all_read(self, answers: Sequence[Answered]) -> None:
        program, frames = self._reading.program(answers), self._reading.frames(answers)
        same_run = self._frames_before is not None and frames >= self._frames_before
        before, was_up = self._was_on_air, self._obs.up
        self._frames_before = frames
        self._known = self._reading.known(answers)
        was_missing = self._obs.missing
        self._obs = self._reading.state(self._obs, answers)
        # While nobody listened, somebody may have switched: the same OBS, and not to what was wanted last.
        if not same_run:
            self._sent_scenes.clear()
            self._theirs = None
        if was_up:
            self._glimpsed(program)
        elif program is not None and same_run and before is not None and program != before:
            self._program_is(program)
        else:
            self._obs = replace(self._obs, program=program)
            self._was_on_air = program
        if (pursuit := self._pursuit) is not None:
            if pursuit.wanted.scene in was_missing:
                pursuit.done = False  # it may be there now
            if not pursuit.done:
                pursuit.sent_at = None
        self._look_whether_done()

    def _beat(self, client: Client) -> None:
        started = time.monotonic()
        whats = ("Stats", "StreamStatus", "RecordStatus", "CurrentProgramScene", "ReplayBufferStatus")
        asked = [Asked.of(f"Get{what}") for what in whats]
        asked += [Asked.of("GetInputSettings", inputName=name) for name in self._known.texts]
        names = list(self._known.texts)

        def answered(answers: Sequence[Answered]) -> None:
            if len(answers) < len(whats) or not all(one.ok for one in answers[:4]):
                return
            stats, stream, record, program = (one.data for one in answers[:4])
            self._frames_before = frames_of(stats)
            self._obs = replace(
                self._obs,
                fps=float(stats.get("activeFps", 0.0)),
                round_trip=time.monotonic() - started,
                streaming=output_of(stream),
                recording=output_of(record),
                # Refused where OBS has no replay buffer. An answer to an earlier reading may be older than its event.
                replays=answers[4].ok and bool(answers[4].data.get("outputActive")),
            )
            if self._obs.up and not self._changing:
                self._glimpsed(name_of(program.get("currentProgramSceneName")))
            for name, answer in zip(names, answers[len(whats) :], strict=False):
                if answer.ok:
                    self._text_is(name, text_of(answer.data))

        self._in_order(client, asked, answered)

    # --- what is wanted

    def _pursue(self, client: Client, now: float) -> None:
        """Sends what is wanted and not there, and sends it again where OBS has not done it."""
        pursuit = self._pursuit
        if pursuit is None or pursuit.done or self._changing or not self._obs.up or now < pursuit.not_before:
            return
        if pursuit.sent_at is not None:
            if now >= self._patience(pursuit):
                pursuit.sent_at = now
                self._read_at = now  # believe what is on air, not what was answered; the reading lets it be sent again
                self._obs = replace(self._obs, stubborn=pursuit.attempts >= STUBBORN_AFTER)
            return
        missing = self._missing(pursuit)
        if not missing:
            self._look_whether_done()
            return
        asked = missing.asked
        self._own.update(missing.own)
        if self._theirs is None and any(one.name.startswith("SetCurrentSceneTransition") for one, _ in asked):
            self._theirs = Way(self._known.transition, self._known.duration)
        pursuit.sent_at, pursuit.attempts = now, pursuit.attempts + 1
        switch: _SentScene | None = None
        if pursuit.wanted.scene is not None and any(one.name == "SetCurrentProgramScene" for one, _ in asked):
            switch = _SentScene(pursuit.wanted.scene, now + STILL_DONE_WITHIN_S)
            self._sent_scenes.append(switch)

        def answered(answers: Sequence[Answered]) -> None:
            if switch is not None:
                switch.until = time.monotonic() + 2 * SWITCHES_WITHIN_S + (pursuit.wanted.duration or 0) / 1000
            self._done_as_asked(pursuit, asked, answers)

        self._in_order(client, [one for one, _ in asked], answered)
        if not pursuit.first_sent:
            pursuit.first_sent = True
            self._note(Sent(pursuit.wanted.id, time.monotonic() - pursuit.wanted.decided))

    def _patience(self, pursuit: Pursuit) -> float:
        """Until when OBS may take its time: it says that a scene is there at the end of the transition."""
        assert pursuit.sent_at is not None
        if self._transition_since is not None:
            return self._transition_since + LONGEST_TRANSITION_S
        return pursuit.sent_at + SWITCHES_WITHIN_S + (pursuit.wanted.duration or 0) / 1000

    def _missing(self, pursuit: Pursuit) -> Missing:
        return missing_from(pursuit, self._known, self._obs, self._hands, self._theirs or Way())

    def _done_as_asked(self, pursuit: Pursuit, asked: Sequence[tuple[Asked, str]], answers: Sequence[Answered]) -> None:
        if any(one.code == NOT_READY for one in answers):
            self._obs = replace(self._obs, unready=True)
            pursuit.sent_at, pursuit.not_before = None, time.monotonic() + NOT_READY_AGAIN_S
            return
        self._obs = replace(self._obs, unready=False)
        for (_, name), answer in zip(asked, answers, strict=False):
            if answer.code in MISSING and name:
                self._obs = replace(self._obs, missing=self._obs.missing | {name})
            if answer.ok and answer.request == "SetInputSettings":
                self._known.texts[name] = pursuit.wanted.texts.get(name, "")
        self._look_whether_done()

    def _look_whether_done(self) -> None:
        pursuit = self._pursuit
        if pursuit is None or pursuit.done or not self._obs.up or not self._known.sources_read:
            return
        if self._missing(pursuit):
            return
        pursuit.done = True
        if not pursuit.overruled and pursuit.wanted.scene not in self._obs.missing:
            self._obs = replace(self._obs, stubborn=False)
            self._note(OnAir(pursuit.wanted.id))

    # --- what OBS says

    def _hear(self, heard: Answered | AllAnswered | Happened) -> None:
        match heard:
            case Happened(name, data):
                self._happened(name, data)
            case Answered():
                if (waiting := self._waiting.pop(heard.id, None)) is not None:
                    waiting.answered((heard,))
            case AllAnswered(own, answers):
                if (waiting := self._waiting.pop(own, None)) is not None:
                    waiting.answered(answers)

    def _happened(self, name: str, data: Mapping[str, Any]) -> None:
        match name:
            case "CurrentProgramSceneChanged":
                self._program_is(str(data.get("sceneName", "")))
            case "CurrentPreviewSceneChanged":
                self._obs = replace(self._obs, preview=name_of(data.get("sceneName")))
                self._look_whether_done()
            case "StudioModeStateChanged":
                self._obs = replace(self._obs, studio=bool(data.get("studioModeEnabled")))
                self._read_at = time.monotonic()
            case "SceneItemEnableStateChanged":
                self._item_is(str(data.get("sceneName")), data.get("sceneItemId"), bool(data.get("sceneItemEnabled")))
            case "SourceFilterEnableStateChanged":
                filter_ = (str(data.get("sourceName")), str(data.get("filterName")))
                if filter_ in self._known.filters:
                    self._known.filters[filter_] = self._flag("filter", filter_, on=bool(data.get("filterEnabled")))
                    self._look_whether_done()
            case "SceneTransitionStarted":
                self._transition_since = time.monotonic()
            case "SceneTransitionEnded":
                self._transition_since = None
            case "CurrentSceneTransitionDurationChanged":
                self._known.duration = duration_of(data)
            case "CurrentSceneTransitionChanged":
                self._transition_is(str(data.get("transitionName", "")))
            case "CurrentSceneCollectionChanging":
                # Everything that OBS says now is about scenes that are being taken away.
                self._changing = True
            case "CurrentSceneCollectionChanged":
                self._changing = False
                self._was_on_air = self._theirs = None
                self._obs = replace(self._obs, program=None)
                self._read_at = time.monotonic()
                if self._pursuit is not None:
                    self._pursuit = Pursuit(self._pursuit.wanted, first_sent=True, overruled=self._pursuit.overruled)
            case "SceneNameChanged":
                # What is on air has another name now, and nobody has switched.
                if self._obs.program == str(data.get("oldSceneName", "")):
                    self._obs = replace(self._obs, program=name_of(data.get("sceneName")))
                    self._was_on_air = self._obs.program
                    if self._pursuit is not None:
                        self._pursuit.done = False  # where the old name is wanted, it is said to be missing
                self._read_at = time.monotonic()
            case "ReplayBufferSaved":
                self._note(ReplaySaved(str(data.get("savedReplayPath", ""))))
            case "ReplayBufferStateChanged":
                self._obs = replace(self._obs, replays=bool(data.get("outputActive")))
            case "RecordStateChanged":
                self._record_is(data)
            case "StreamStateChanged":
                self._beat_at = 0.0
            case "ExitStarted":
                raise NoObs(Why.CLOSING)
            case _ if name in CHANGES_WHAT_THERE_IS:
                self._read_at = time.monotonic()
            case _:
                pass

    def _glimpsed(self, program: str | None) -> None:
        """What is on air by an answer, which may be older than the last event: it counts when it is seen twice."""
        pursuit = self._pursuit
        if program is None or program == self._obs.program:
            self._doubted = None
        elif self._doubted == program or (pursuit is not None and pursuit.wanted.scene == program):
            self._program_is(program)
        else:
            self._doubted = program

    def _program_is(self, scene: str) -> None:
        """OBS says what is on air now; where that is not what was sent, it was somebody's hand."""
        if scene == self._obs.program or self._changing:
            return
        pursuit = self._pursuit
        self._obs = replace(self._obs, program=scene)
        self._was_on_air, self._doubted = scene, None
        if self._was_asked_for(scene):
            if pursuit is not None and pursuit.done and not pursuit.overruled:
                pursuit.done, pursuit.sent_at = False, None  # an old request was done after the newest one
            self._look_whether_done()
            return
        if pursuit is not None and (pursuit.wanted.scene == scene or (pursuit.wanted.prepare and self._obs.studio)):
            self._look_whether_done()
            return
        if pursuit is not None:
            pursuit.overruled = True
        self._switched += 1
        self._note(Hand(scene, self._switched))

    def _was_asked_for(self, scene: str) -> bool:
        """Whether this link has asked for `scene` and not seen it yet."""
        now = time.monotonic()
        waits = [row for row in self._sent_scenes if row.until > now or self._transition_since is not None]
        found = next((row for row in waits if row.scene == scene), None)
        # Those of before it stay: what an OBS that hung had not done yet may be done after the newest one.
        self._sent_scenes = [row for row in waits if row is not found]
        return found is not None

    def _item_is(self, scene: str, number: object, shown: bool) -> None:
        for (where, source), (own, _) in self._known.items.items():
            if where == scene and own == number:
                self._known.items[where, source] = (own, self._flag("item", (where, source), on=shown))
                self._look_whether_done()
                return

    def _flag(self, kind: str, where: tuple[str, str], *, on: bool) -> bool:
        if self._own.pop((kind, *where), None) is not on:
            self._touched((kind, *where))
        return on

    def _transition_is(self, name: str) -> None:
        self._known.transition = name
        if self._own.pop(("transition",), None) != name:
            self._theirs = None
            self._touched(("transition",))

    def _text_is(self, name: str, text: str) -> None:
        """OBS has no event for a text. An answer may be older than the last change: it counts when seen twice."""
        if text == self._known.texts.get(name):
            self._strange_texts.pop(name, None)
        elif self._strange_texts.get(name) == text:
            self._known.texts[name] = text
            self._touched(("text", name))
        else:
            self._strange_texts[name] = text

    def _touched(self, key: Key) -> None:
        self._hands.add(key)
        words = frozenset("/".join(key[1:]) or key[0] for key in self._hands)
        self._obs = replace(self._obs, of_the_producer=words)

    def _record_is(self, data: Mapping[str, Any]) -> None:
        state = RECORDING.get(str(data.get("outputState", "")))
        if state is not None:
            self._note(Recording(state, str(data.get("outputPath") or "")))
            self._beat_at = 0.0

    # --- the end of it

    def _give_up(self, client: Client, now: float) -> None:
        """Lets go of what is never answered. Raises NoObs where nothing at all is heard any more."""
        late = [own for own, waiting in self._waiting.items() if now - waiting.since > ANSWER_WITHIN_S]
        if late and now - client.heard_at > SILENT_AFTER_S:
            raise NoObs(Why.SILENT)
        for own in late:
            if now - client.heard_at < ANSWER_WITHIN_S:
                self._waiting.pop(own).lost()
                if not self._obs.up:
                    self._read_at = now

    def _gone(self, why: Why) -> None:
        for waiting in self._waiting.values():
            waiting.lost()
        self._waiting.clear()
        self._refuse_asked()
        self._obs = replace(self._obs, up=False, why=why, unready=False)
        self._tell()

    def _tell(self) -> None:
        if self._obs != self._told:
            self._told = self._obs
            self._note(Changed(self._obs))

    def _note(self, note: Note) -> None:
        try:
            self._report(note)
        except Exception:
            log.exception("a report of the link to OBS was not taken")
