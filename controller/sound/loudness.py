"""How loud a music file is (EBU R 128), measured by mpv's own filter, and the gain that evens it out. A file is read
and never touched."""

import asyncio
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TARGET_LUFS: Final = -20.0
"""How loud every piece comes out; the table's own bed is made so."""
PEAK_DBTP: Final = -1.0
"""No true peak may come above it."""
SILENT_LUFS: Final = -70.0
"""What the measurement says of silence."""
_FILTER: Final = "lavfi=[ebur128=peak=true:framelog=verbose]"
_INTEGRATED: Final = re.compile(r"\bI:\s*(-?[\d.]+) LUFS")
_PEAK: Final = re.compile(r"\bPeak:\s*(-?[\d.]+|-inf) dBFS")


class NoMusic(Exception):
    """The file cannot be played, or is silent."""


@dataclass(frozen=True, slots=True)
class Loudness:
    """A file's integrated loudness, LUFS, and its highest true peak, dB."""

    integrated: float
    peak: float

    @property
    def gain(self) -> float:
        """By how many decibels it is made louder or quieter."""
        return round(min(TARGET_LUFS - self.integrated, PEAK_DBTP - self.peak), 2)


async def loudness_of(file: Path) -> Loudness:
    """Measures `file`, some thirty times as fast as it plays. Raises NoMusic."""
    mpv = shutil.which("mpv")
    if mpv is None:
        raise NoMusic("mpv")
    process = await asyncio.create_subprocess_exec(
        mpv,
        "--no-config",
        "--no-video",
        "--load-scripts=no",
        "--ytdl=no",
        "--ao=null",
        "--ao-null-untimed=yes",
        "--msg-level=all=no,ffmpeg=v",
        f"--af={_FILTER}",
        "--",
        str(file),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said = (await process.communicate())[0].decode(errors="replace")
    integrated, peak = _INTEGRATED.findall(said), _PEAK.findall(said)
    if not integrated or not peak or float(integrated[-1]) <= SILENT_LUFS:
        raise NoMusic(file.name)
    return Loudness(float(integrated[-1]), float(peak[-1]))
