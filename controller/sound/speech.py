"""What is said in words at a cue: from a folder of recordings, or by a speech synthesiser (espeak-ng) where there is
one. Words are made before the game, so that none is waited for."""

import asyncio
import logging
import shutil
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from controller.catalogue import sentence
from controller.small_files import write_whole
from controller.sound.library import MUSIC
from controller.sound.score import Cue, CueName

log = logging.getLogger(__name__)

MOST_SEATS: Final = 20
_WORDS_A_MINUTE: Final = 150
_WAV_HEADER: Final = 44
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


def _with_its_length(said: bytes) -> bytes:
    """A WAV file out of a pipe, which could not know its length when it began."""
    whole = bytearray(said)
    struct.pack_into("<I", whole, 4, len(whole) - 8)
    struct.pack_into("<I", whole, _WAV_HEADER - 4, len(whole) - _WAV_HEADER)
    return bytes(whole)


class Voice:
    """The recordings there are."""

    def __init__(self, spoken: Iterable[CueName], language: str, recordings: Path | None, kept: Path) -> None:
        """`kept` is where a synthesiser's words are laid."""
        self._keys = keys_of(spoken)
        self._language = language
        self._recordings = recordings
        self._kept = kept
        self._files: dict[str, Path] = {}
        self.unkept: OSError | None = None
        """Why a synthesiser's words could not be laid there."""

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
        process = await asyncio.create_subprocess_exec(
            espeak,
            f"-v{_VOICES[self._language]}",
            f"-s{_WORDS_A_MINUTE}",
            "--stdout",
            "--",
            words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        said, _ = await process.communicate()
        if process.returncode != 0 or len(said) <= _WAV_HEADER:
            return None
        try:
            self._kept.mkdir(parents=True, exist_ok=True)
            await asyncio.to_thread(write_whole, file, _with_its_length(said))
            await asyncio.to_thread(write_whole, stamp, words.encode())
        except OSError as error:
            log.warning("the words of %s could not be kept: %s", key, error)
            self.unkept = error
            return None
        return file
