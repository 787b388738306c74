"""`mafia-table sound`: the sound tried by hand - which cards there are, a test tone, a night in twenty seconds - and
folders of music added or taken away. It never touches the mpv of a service that runs."""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from controller.catalogue import sentence
from controller.service.settings import Settings
from controller.sound import library
from controller.sound.cards import Card, rank
from controller.sound.director import Director
from controller.sound.loudness import Loudness
from controller.sound.score import Heard
from controller.views.sounding import SoundReport, Word

DONE: Final = 0
AMISS: Final = 1
REFUSED: Final = 2
_READY_WITHIN_S: Final = 6.0
_BY_HAND: Final = " by hand"

Say = Callable[[str], object]


class SoundTrial:
    """One command, saying what it does."""

    def __init__(self, settings: Settings, say: Say = print) -> None:
        self._settings = msgspec.structs.replace(settings.sound, on=True)
        self._folder = settings.data / "sound"
        self._language = settings.speech.language
        self._say_line = say
        self._news = threading.Event()

    def cards(self) -> int:
        """Lists the cards, the one that would be taken marked. 1 where none would be."""
        with self._director() as director:
            report = self._ready(director)
            for card in director.cards:
                mark = ">" if card == director.card else "-" if self._ranked(card) is None else " "
                self._say_line(f"{mark} {card.name}  ({card.device})")
            return self._told(report.state)

    def tone(self) -> int:
        """Plays the test tone and says what was measured. 1 where it was not heard."""
        with self._director() as director:
            report = self._ready(director)
            if director.card is None:
                return self._told(report.state)
            director.tone()
            self._wait(lambda: director.report.tone is not None)
            return self._told(director.report.tone or director.report.state)

    def night(self) -> int:
        """Plays a night in twenty seconds, saying what is to be heard. 1 where there is no card to play it on."""
        with self._director() as director:
            report = self._ready(director)
            code = self._told(report.state)
            if director.card is None:
                return code
            day = Heard(game=0, kind="dusk", round=1, speaker=None, timer=None, open_since=None, closes=None)
            night = replace(day, kind="night")
            morning = replace(day, kind="morning")
            director.see(day, taken_back=True)
            for word, act, seconds in (
                ("night_falls", lambda: director.see(night), 8.0),
                ("night_ducked", lambda: director.hold("hand", held=True, seconds=10.0), 4.0),
                ("night_back", lambda: director.hold("hand", held=False), 3.0),
                ("night_ends", lambda: director.see(morning), 5.0),
            ):
                self._say(word)
                act()
                time.sleep(seconds)
            return max(code, *(self._told(word) for word in director.report.notes), DONE)

    def add(self, place: Path) -> int:
        """Adds a folder of music, each file measured. 1 where a file is no music, 2 where nothing could be added."""
        place = place.expanduser().resolve()
        if not place.is_dir():
            return self._refuse("no_folder", folder=str(place))
        if shutil.which("mpv") is None:
            return self._refuse("no_mpv")
        if not library.music_in(place):
            return self._refuse("no_music", folder=str(place))
        return asyncio.run(self._add(place))

    def remove(self, place: Path) -> int:
        """Takes a folder away again. 2 where it was not there."""
        place = place.expanduser().resolve()
        try:
            library.remove(place, self._folder)
        except KeyError:
            return self._refuse("not_added", folder=str(place))
        except OSError as error:
            return self._refuse("shelf_unusable", folder=str(self._folder), why=error.strerror or str(error))
        self._say("removed", folder=str(place))
        return DONE

    def _ranked(self, card: Card) -> int | None:
        return rank(card, self._settings.cards)

    async def _add(self, place: Path) -> int:
        bad = 0

        def told(file: Path, loudness: Loudness | None) -> None:
            nonlocal bad
            if loudness is None:
                bad += 1
                self._say("file_bad", file=str(file))
            else:
                levels = {"loudness": f"{loudness.integrated:.1f}", "gain": f"{loudness.gain:+.1f}"}
                self._say("file_levelled", file=file.name, **levels)

        try:
            await library.add(place, self._folder, told)
        except OSError as error:
            return self._refuse("shelf_unusable", folder=str(self._folder), why=error.strerror or str(error))
        self._say(
            "added", folder=str(place), count=sum(place in t.path.parents for t in library.tracks_in(self._folder))
        )
        return AMISS if bad else DONE

    @contextmanager
    def _director(self) -> Generator[Director]:
        director = Director(
            self._settings,
            folder=self._folder,
            language=self._language,
            clock=time.monotonic_ns,
            changed=lambda _: self._news.set(),
            mark=f"{self._folder.resolve()}{_BY_HAND}",
        )
        director.start()
        try:
            yield director
        finally:
            director.close()

    def _ready(self, director: Director) -> SoundReport:
        self._wait(lambda: director.report.state.code != "starting")
        return director.report

    def _wait(self, condition: Callable[[], bool]) -> None:
        until = time.monotonic() + _READY_WITHIN_S
        while not condition() and self._news.wait(max(0.0, until - time.monotonic())):
            self._news.clear()

    def _told(self, word: Word) -> int:
        self._say(word.code, **word.params)
        return DONE if word.ok else AMISS

    def _refuse(self, code: str, **params: str | int) -> int:
        self._say(code, **params)
        return REFUSED

    def _say(self, code: str, **params: str | int) -> None:
        self._say_line(sentence(f"sound.{code}", self._language, **params))
