"""What is said in words at a cue: from a folder of recordings, or by a speech synthesiser (espeak-ng) where there is
one. Words are made before the game, so that none is waited for."""

import asyncio
import logging
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from controller.catalogue import sentence
from controller.sound.library import MUSIC
from controller.sound.score import Cue, CueName

log = logging.getLogger(__name__)

MOST_SEATS: Final = 20
_WORDS_A_MINUTE: Final = 150
_VOICES: Final = {"ru": "ru", "uk": "uk", "en": "en"}


def key_of(cue: Cue) -> str:
    """The name of the recording of `cue`: `time`, `speaker_7`."""
    return cue.name.value if cue.seat is None else f"{cue.name.value}_{cue.seat}"


def keys_of(spoken: Iterable[CueName]) -> tuple[str, ...]:
    """Every recording that is needed to say the cues `spoken`."""
    return tuple(
        key
        for name in spoken
        for key in (
            [f"{name.value}_{seat}" for seat in range(1, MOST_SEATS + 1)] if name is CueName.SPEAKER else [name.value]
        )
    )


def words_of(key: str, language: str) -> str:
    """What is said: in `language`, from the catalogue."""
    name, _, seat = key.rpartition("_")
    if name == CueName.SPEAKER.value:
        return sentence("sound.say_speaker", language, seat=int(seat))
    return sentence(f"sound.say_{key}", language)


class Voice:
    """The recordings there are."""

    def __init__(self, spoken: Iterable[CueName], language: str, recordings: Path | None, kept: Path) -> None:
        """`kept` is where a synthesiser's words are laid."""
        self._keys = keys_of(spoken)
        self._language = language
        self._recordings = recordings
        self._kept = kept
        self._files: dict[str, Path] = {}

    def file(self, cue: Cue) -> Path | None:
        """The recording of `cue`; None: it is not said."""
        return self._files.get(key_of(cue))

    async def prepare(self, missing: Callable[[tuple[str, ...]], None]) -> None:
        """Finds or makes every recording; `missing` is told those that there are not."""
        for key in self._keys:
            found = self._recorded(key) or await self._synthesised(key)
            if found is not None:
                self._files[key] = found
        if left := tuple(key for key in self._keys if key not in self._files):
            log.warning("nothing to say %s with", ", ".join(left))
            missing(left)

    def _recorded(self, key: str) -> Path | None:
        if self._recordings is None:
            return None
        named = (self._recordings / f"{key}{suffix}" for suffix in sorted(MUSIC))
        return next((path for path in named if path.is_file()), None)

    async def _synthesised(self, key: str) -> Path | None:
        espeak = shutil.which("espeak-ng")
        if espeak is None:
            return None
        words = words_of(key, self._language)
        file = self._kept / f"{self._language}-{key}.wav"
        stamp = file.with_suffix(".txt")
        if file.is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == words:
            return file
        self._kept.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        process = await asyncio.create_subprocess_exec(
            espeak,
            f"-v{_VOICES[self._language]}",
            f"-s{_WORDS_A_MINUTE}",
            "-w",
            str(fresh),
            "--",
            words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        if await process.wait() != 0 or not fresh.is_file():
            return None
        fresh.replace(file)
        stamp.write_text(words, encoding="utf-8")
        return file
