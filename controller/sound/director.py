"""The sound of one table: a thread of its own, so that nothing at the table ever waits for it. It is told what the hall
sees and what the judge wants; it plays, looks after its two mpv and the card, and says how it goes."""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from controller.small_files import no_room
from controller.sound.cards import Card, cards_in, choose, rank
from controller.sound.cues import Cues
from controller.sound.library import OWN, Track, tracks_in
from controller.sound.listening import CannotListen, measure, record
from controller.sound.music import Music
from controller.sound.order import Order, Played, keep, played_in
from controller.sound.player import End, NoPlayer, end_left_over
from controller.sound.score import Cue, CueName, Heard, Prompter
from controller.sound.settings import SoundSettings
from controller.sound.speech import Voice
from controller.sound.streams import sinks_of, watch_streams
from controller.views.sounding import SoundReport, Word

log = logging.getLogger(__name__)

SECOND: Final = 1_000_000_000
CLOSES_WITHIN_S: Final = 2.0
BEGINS_ANEW_AFTER_S: Final = 1.0
MENDS_EVERY_S: Final = 1.0
LOOKS_FOR_CARDS_AFTER: Final = (5, 10, 20, 40, 60)
"""Turns of mending without a card before mpv is started anew to look for one; a table without sound is not kept busy
by it."""
STREAMS_SETTLE_S: Final = 0.1
"""The server's events come in swarms: it is asked once for all of them."""
NOTES_FOR_S: Final = 30.0
BETTER_FOR_S: Final = 2.0
"""So long a better card must have been there before it is taken: one with a loose plug comes and goes."""
HELD_FOR_S: Final = 2.5
"""A tablet says again and again that its key is held; one that is not heard of any more holds nothing."""
BOARD_HELD_FOR_S: Final = 60.0
"""The release of the board's key may have been lost with its cable."""
TONE: Final = OWN / "tone.flac"
TONE_S: Final = 2.0


class Director:
    """Plays what the table's state asks for. Every public method returns at once and may be called from any thread."""

    def __init__(
        self,
        settings: SoundSettings,
        *,
        folder: Path,
        language: str,
        clock: Callable[[], int],
        changed: Callable[[SoundReport], None],
        simulated: bool = False,
        mark: str | None = None,
    ) -> None:
        """`folder` is the sound's own, beside the journal. `clock` gives the table's nanoseconds. `changed` is called
        in the sound's thread. In a simulation nothing is amiss where there is no card. `mark` is by whom left-over mpv
        are known; None: by the folder."""
        self._settings = settings
        self._folder = folder
        self._clock = clock
        self._changed = changed
        self._simulated = simulated
        self._mark = mark or str(folder.resolve())
        self._voice = Voice(
            settings.spoken, language, None if settings.voice is None else Path(settings.voice).expanduser(), folder
        )
        tracks = tracks_in(folder)
        self._order = Order(tracks, settings.seed, played_in(folder))
        log.info("%d pieces of music, shuffled with the seed %d", len(tracks), self._order.played.seed)
        uneven = sum(not track.levelled for track in tracks)
        self._music = Music(
            settings,
            tracks,
            self._order,
            mark=self._mark,
            heard=self._music_says,
            ended=lambda end: self._player_ended("music", end),
            unreadable=self._unreadable,
            begun=self._begun,
        )
        self._writing: asyncio.Task[None] | None = None
        self._cues = Cues(
            volume=settings.cue_volume,
            mark=self._mark,
            clock=clock,
            sounds=self._sounds,
            heard=self._cues_say,
            ended=lambda end: self._player_ended("cues", end),
            left_out=self._left_out,
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._work: asyncio.Task[None] | None = None

        self._prompter = Prompter()
        self._wake = asyncio.Event()
        self._heard: Heard | None = None
        self._muted: tuple[int, int] | None = None
        self._without = False
        self._volume = min(settings.volume, settings.limit)
        self._holds: dict[str, asyncio.TimerHandle] = {}
        self._cards: tuple[Card, ...] = ()
        self._card: Card | None = None
        self._better: asyncio.TimerHandle | None = None
        self._looked = False
        self._stirred = asyncio.Event()
        self._no_player = False
        self._outputs: dict[str, str | None] = {}
        self._notes = [Word("not_levelled", {"count": uneven})] if uneven else []
        self._tone: Word | None = None
        self._toning = False
        self.report = SoundReport(Word("starting", ok=True), volume=self._volume, limit=settings.limit)
        """How it goes."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards there are."""
        return self._cards

    @property
    def card(self) -> Card | None:
        """The one that is played on."""
        return self._card

    def start(self) -> None:
        """Begins to play."""
        self._thread.start()

    def close(self) -> None:
        """Ends both mpv and the thread; waits for it, two seconds at most."""
        self._call(self._stop)
        self._thread.join(CLOSES_WITHIN_S)

    # --- what comes in, from any thread

    def see(self, heard: Heard, *, taken_back: bool = False) -> None:
        """The hall sees this now. `taken_back`: an undo, a redo or a correction has made it."""
        self._call(self._see, heard, self._clock(), taken_back)

    def hold(self, who: str, *, held: bool, seconds: float = HELD_FOR_S) -> None:
        """The key of `who` is held, or not any more; what is not said again within `seconds` is let go."""
        self._call(self._hold, who, held, seconds)

    def mute(self, *, muted: bool | None = None) -> None:
        """Takes the music out of this night, or puts it back; None: the other of the two."""
        self._call(self._mute, muted)

    def go_without(self, *, without: bool) -> None:
        """The judge goes on without sound, or has it back."""
        self._call(self._go_without, without)

    def set_volume(self, volume: int) -> None:
        """The music's volume, 0 to 100; never above the limit."""
        self._call(self._set_volume, volume)

    def tone(self) -> None:
        """Plays the test tone, listens to it where that can be done, and reports."""
        self._call(self._begin_tone)

    def _call(self, what: Callable[..., object], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: there is no sound any more
            self._loop.call_soon_threadsafe(what, *arguments)

    # --- the thread

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._main())
        except Exception:
            log.exception("the sound has stopped")
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _main(self) -> None:
        self._work = asyncio.current_task()
        with suppress(asyncio.CancelledError):
            while not self._no_player:
                try:
                    await self._play()
                except* NoPlayer:
                    self._no_player = True
                except* Exception:
                    log.exception("something went wrong in the sound: it is begun anew")
                    await asyncio.sleep(BEGINS_ANEW_AFTER_S)
            self._tell()
            await asyncio.Event().wait()  # there is nothing to play with

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()

    async def _play(self) -> None:
        end_left_over(self._mark)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._music.run(), name="sound: music")
            tasks.create_task(self._cues.run(), name="sound: cues")
            tasks.create_task(self._prompt(), name="sound: timed cues")
            tasks.create_task(self._mend(), name="sound: mending")
            tasks.create_task(watch_streams(self._stirred.set), name="sound: streams")
            tasks.create_task(self._keep_streams(), name="sound: keeping the streams")
            tasks.create_task(self._voice.prepare(self._cannot_say), name="sound: words")

    # --- what should sound

    def _see(self, heard: Heard, at: int, taken_back: bool) -> None:
        cues = self._prompter.see(heard, at, taken_back=taken_back)
        self._heard = heard
        for cue in cues:
            self._cue(cue)
        self._wake.set()
        self._apply()

    def _apply(self) -> None:
        """Music follows the phase; the judge alone may take it out."""
        night = None if self._heard is None else self._heard.night
        self._music.want(night is not None and night != self._muted and not self._without)
        self._tell()

    async def _prompt(self) -> None:
        """Gives the cues whose moment is known beforehand: the ends of speeches and of vote windows."""
        while True:
            self._wake.clear()
            for cue in self._prompter.due(self._clock()):
                self._cue(cue)
            due = self._prompter.next_due
            wait = None if due is None else max(0.0, (due - self._clock()) / SECOND)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()

    def _cue(self, cue: Cue) -> None:
        if not self._without and self._sounds(cue):
            self._cues.play(cue)

    def _sounds(self, cue: Cue) -> tuple[Path, ...]:
        signal = OWN / f"{cue.name.value}.flac"
        chime = (signal,) if cue.name in self._settings.cues and cue.name is not CueName.SPEAKER else ()
        word = self._voice.file(cue)
        return chime if word is None else (*chime, word)

    # --- what the judge wants

    def _hold(self, who: str, held: bool, seconds: float) -> None:
        if (before := self._holds.pop(who, None)) is not None:
            before.cancel()
        if held:
            self._holds[who] = self._loop.call_later(seconds, self._hold, who, False, seconds)
        self._music.hold(bool(self._holds))
        self._tell()

    def _mute(self, muted: bool | None) -> None:
        night = None if self._heard is None else self._heard.night
        if night is None:
            return
        was = self._muted == night
        self._muted = night if (not was if muted is None else muted) else None
        self._apply()

    def _go_without(self, without: bool) -> None:
        self._without = without
        self._apply()

    def _set_volume(self, volume: int) -> None:
        self._volume = max(0, min(volume, self._settings.limit))
        self._music.set_volume(self._volume)
        self._tell()

    # --- cards

    def _music_says(self, name: str, value: Any) -> None:
        if name == "audio-device-list" and isinstance(value, list):
            self._cards_are(cards_in(cast("list[dict[str, Any]]", value)))
        elif name == "current-ao":
            self._output("music", value)
        else:
            self._tell()

    def _cues_say(self, name: str, value: Any) -> None:
        if name == "current-ao":
            self._output("cues", value)

    def _output(self, player: str, value: str | None) -> None:
        self._outputs[player] = value
        self._tell()

    def _cards_are(self, cards: tuple[Card, ...]) -> None:
        self._cards, self._looked = cards, True
        best = choose(cards, self._settings.cards, self._card)
        if self._card is not None and self._card in cards:
            if best == self._card:
                self._forget_better()
            elif self._better is None:
                self._better = self._loop.call_later(BETTER_FOR_S, self._take_better)
        else:
            self._forget_better()
            self._use(best)
        self._tell()

    def _take_better(self) -> None:
        self._better = None
        self._use(choose(self._cards, self._settings.cards, self._card))

    def _forget_better(self) -> None:
        if self._better is not None:
            self._better.cancel()
            self._better = None

    def _use(self, card: Card | None) -> None:
        if card == self._card:
            return
        before, self._card = self._card, card
        log.warning("sound card: %s", "none" if card is None else f"{card.name} ({card.device})")
        device = None if card is None else card.device
        self._outputs.clear()
        self._music.use(device)
        self._cues.use(device)
        if before is not None:
            left = {"card": before.name}
            self._note(Word("card_lost", left) if card is None else Word("card_changed", left | {"now": card.name}))
        self._tell()

    async def _keep_streams(self) -> None:
        """Brings a stream back that was moved to another card behind mpv's back."""
        while True:
            await self._stirred.wait()
            await asyncio.sleep(STREAMS_SETTLE_S)
            self._stirred.clear()
            card = self._card
            both = (self._music.player, self._cues.player)
            players = {pid: player for player in both if (pid := player.pid) is not None}
            if card is None or card.sink is None:
                continue
            sinks = await sinks_of(players)
            for pid, sink in sinks.items():
                if sink != card.sink and card == self._card and card in self._cards:
                    log.warning("the sound server plays on %s what is for %s: it is taken back", sink, card.sink)
                    players[pid].tell("ao-reload")

    async def _mend(self) -> None:
        """Sees that what is dead is tried again: an output that fell silent, a card that is not there."""
        turn = without = looks = 0
        while True:
            await asyncio.sleep(MENDS_EVERY_S)
            turn += 1
            if self._card is None:
                without += 1
                if without >= LOOKS_FOR_CARDS_AFTER[min(looks, len(LOOKS_FOR_CARDS_AFTER) - 1)]:
                    # A list that was empty at mpv's start stays so where no sound server tells of new cards.
                    without, looks = 0, looks + 1
                    self._music.player.restart()
                continue
            without = looks = 0
            for name, player in (("music", self._music.player), ("cues", self._cues.player)):
                if self._outputs.get(name) == "null":
                    # The server that is back is known to a new mpv alone, with all its cards.
                    if turn % 2:
                        player.tell("ao-reload")
                    else:
                        player.restart()

    # --- what is said of it

    def _player_ended(self, player: str, end: End) -> None:
        self._outputs.pop(player, None)
        if end != "asked":
            self._note(Word(f"player_{end}"))

    def _unreadable(self, track: Track, why: str) -> None:
        log.warning("%s cannot be played: %s", track.path, why)
        self._note(Word("file_unreadable", {"file": track.path.name}))

    def _begun(self, track: Track) -> None:
        """A piece is to be heard: it does not come again before all the others, not even after a restart."""
        if self._order.begun(track) and (self._writing is None or self._writing.done()):
            self._writing = asyncio.create_task(self._keep_order(), name="sound: what was heard")

    async def _keep_order(self) -> None:
        written: Played | None = None
        while written != self._order.played:
            written = self._order.played
            try:
                await asyncio.to_thread(keep, written, self._folder)
            except OSError as error:
                self._not_kept(error)

    def _not_kept(self, error: OSError) -> None:
        log.warning("a file of the sound's own could not be written: %s", error)
        self._note(Word("unkept_full" if no_room(error) else "unkept"))

    def _left_out(self, cue: Cue) -> None:
        self._note(Word("cue_late"))

    def _cannot_say(self, keys: tuple[str, ...]) -> None:
        if self._voice.unkept is not None:
            self._not_kept(self._voice.unkept)
        note = Word("no_words", {"count": len(keys), "first": keys[0]})
        if note not in self._notes:
            self._notes.append(note)
            self._tell()

    def _note(self, note: Word) -> None:
        """Says something for half a minute."""
        if note in self._notes:
            return
        self._notes.append(note)
        self._loop.call_later(NOTES_FOR_S, self._forget, note)
        self._tell()

    def _forget(self, note: Word) -> None:
        if note in self._notes:
            self._notes.remove(note)
        self._tell()

    def _state(self) -> Word:
        if self._no_player:
            return Word("no_mpv", ok=self._simulated)
        if self._without:
            return Word("without", ok=True)
        if not self._looked:
            return Word("starting", ok=True)
        wanted: Mapping[str, str | int] = {"card": ", ".join(self._settings.cards)}
        if self._card is None:
            return Word("no_card", wanted) if self._settings.cards else Word("no_card_at_all", ok=self._simulated)
        named = {"card": self._card.name}
        if "null" in self._outputs.values():
            return Word("card_silent", named)
        if self._settings.cards and rank(self._card, self._settings.cards) != 0:
            return Word("card_instead", {**named, "wanted": self._settings.cards[0]})
        return Word("card", named, ok=True)

    def _tell(self) -> None:
        night = None if self._heard is None else self._heard.night
        report = SoundReport(
            state=self._state(),
            notes=tuple(self._notes),
            tone=self._tone,
            playing=self._music.sounding,
            held=bool(self._holds),
            muted=night is not None and night == self._muted,
            without=self._without,
            volume=self._volume,
            limit=self._settings.limit,
        )
        if report != self.report:
            self.report = report
            self._changed(report)

    # --- the test tone

    def _begin_tone(self) -> None:
        night = None if self._heard is None else self._heard.night
        if self._card is not None and not self._toning and night is None:
            self._toning = True
            self._sounding_tone = asyncio.ensure_future(self._play_tone(self._card))

    async def _play_tone(self, card: Card) -> None:
        named = {"card": card.name}
        try:
            self._cues.test(TONE)
            measured = measure(await record(card, TONE_S))
        except CannotListen:
            self._tone = Word("tone_unheard", named, ok=True)
        else:
            level = {"level": round(measured.level) if measured.level > -100 else -100}
            self._tone = Word("tone_heard", named | level, ok=True) if measured.is_tone else Word("tone_silent", named)
        finally:
            self._toning = False
            self._tell()
