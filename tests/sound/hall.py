"""A hall to play in: a PulseAudio server of its own whose cards are null sinks, and ears - the recording of a monitor,
each of whose samples has its moment on the monotonic clock."""

import math
import os
import shutil
import subprocess
import threading
import time
from array import array
from collections.abc import Sequence
from pathlib import Path

RATE = 48_000
LOUDEST = 32_768.0


class Hall:
    """The sound server. `cards` are the names of its sinks."""

    def __init__(self, folder: Path, cards: Sequence[str] = ("one", "two")) -> None:
        self._folder = folder
        self._socket = folder / "native"
        self._cards = list(cards)
        self._process: subprocess.Popen[bytes] | None = None
        self.environment = {
            "PULSE_SERVER": f"unix:{self._socket}",
            "PULSE_RUNTIME_PATH": str(folder),
            "PULSE_COOKIE": str(folder / "cookie"),
        }

    def open(self) -> None:
        """Starts the server and waits for its cards."""
        self._socket.unlink(missing_ok=True)
        modules = [f"module-native-protocol-unix auth-anonymous=1 socket={self._socket}"]
        modules += [_sink(name) for name in self._cards]
        options = [word for module in modules for word in ("-L", module)]
        self._process = subprocess.Popen(
            [
                "pulseaudio",
                "-n",
                "--daemonize=no",
                "--exit-idle-time=-1",
                "--use-pid-file=no",
                "--disable-shm=yes",
                f"--log-target=file:{self._folder / 'pulse.log'}",
                *options,
            ],
            env={**os.environ, "HOME": str(self._folder), "PULSE_RUNTIME_PATH": str(self._folder)},
            start_new_session=True,
        )
        patience = time.monotonic() + 20.0
        while not all(name in self.ask("list", "sinks", "short") for name in self._cards):
            assert time.monotonic() < patience, (self._folder / "pulse.log").read_text()
            time.sleep(0.05)

    def close(self) -> None:
        """Ends the server as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def ask(self, *words: str) -> str:
        """What `pactl` answers; empty where there is no server."""
        done = subprocess.run(["pactl", *words], env=os.environ | self.environment, capture_output=True, check=False)
        return done.stdout.decode()

    def unplug(self, card: str) -> None:
        """Takes a card away."""
        rows = [row.split("\t") for row in self.ask("list", "modules", "short").splitlines()]
        number = next(row[0] for row in rows if f"sink_name={card} " in f"{row[2]} ")
        self.ask("unload-module", number)

    def plug(self, card: str) -> None:
        """Brings a card."""
        self.ask("load-module", *_sink(card).split(" "))

    def streams(self) -> int:
        """How many streams play into the server, corked ones too."""
        return len(self.ask("list", "sink-inputs", "short").splitlines())


def _sink(name: str) -> str:
    return f"module-null-sink sink_name={name} rate={RATE} sink_properties=device.description={name}"


class Ears:
    """What comes out of a card, from now on: one channel, 48 kHz."""

    def __init__(self, hall: Hall, card: str = "one") -> None:
        # A sink has made its first two seconds of silence before anybody listens, and those would be waited for.
        asleep = hall.streams() == 0
        if asleep:
            hall.ask("suspend-sink", card, "1")
        self._samples = array("h")
        self._begin: float | None = None
        self._process = subprocess.Popen(
            [
                "parec",
                f"--device={card}.monitor",
                "--raw",
                "--format=s16le",
                f"--rate={RATE}",
                "--channels=1",
                "--latency-msec=5",
                "--process-time-msec=5",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | hall.environment,
        )
        self._thread = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()
        patience = time.monotonic() + 10.0
        if asleep:
            while not hall.ask("list", "source-outputs", "short"):
                assert time.monotonic() < patience, "nobody records"
                time.sleep(0.01)
            hall.ask("suspend-sink", card, "0")
        while self.heard_until < 0.2:
            assert time.monotonic() < patience, "nothing comes from the monitor"
            time.sleep(0.02)

    def _hear(self) -> None:
        assert self._process.stdout is not None
        number = self._process.stdout.fileno()
        odd = b""
        while data := os.read(number, 65536):
            now = time.monotonic()
            data = odd + data
            whole = len(data) // 2 * 2
            self._samples.frombytes(data[:whole])
            odd = data[whole:]
            # A chunk is never early: the earliest arrival is the nearest to the truth.
            begin = now - len(self._samples) / RATE
            self._begin = begin if self._begin is None else min(self._begin, begin)

    def close(self) -> None:
        """Hears no more."""
        self._process.kill()
        self._process.wait()
        self._thread.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def heard_until(self) -> float:
        """Seconds that were heard."""
        return len(self._samples) / RATE

    def between(self, start: float, end: float) -> "array[int]":
        """The samples from `start` to `end`, seconds on the monotonic clock; waits until they have come."""
        patience = time.monotonic() + max(0.0, end - time.monotonic()) + 10.0
        assert self._begin is not None
        while self._begin + len(self._samples) / RATE < end:
            assert time.monotonic() < patience, "the recording has stopped"
            time.sleep(0.005)
        first = max(0, round((start - self._begin) * RATE))
        return self._samples[first : round((end - self._begin) * RATE)]

    def lately(self, seconds: float) -> "array[int]":
        """The last `seconds` that have come."""
        return self._samples[-round(seconds * RATE) :]

    def level(self, start: float, end: float) -> float:
        """RMS in dB of full scale; -inf: digital silence."""
        return level(self.between(start, end))

    def envelope(self, start: float, end: float, step: float) -> list[float]:
        """The level of every `step` from `start` to `end`."""
        samples = self.between(start, end)
        size = round(step * RATE)
        return [level(samples[first : first + size]) for first in range(0, len(samples) - size + 1, size)]

    def onset(self, start: float, end: float, above: float = -70.0) -> float | None:
        """When the first sample louder than `above` dB comes between `start` and `end`; None: none does."""
        limit = LOUDEST * 10 ** (above / 20)
        for number, sample in enumerate(self.between(start, end)):
            if abs(sample) > limit:
                return start + number / RATE
        return None


def level(samples: Sequence[int]) -> float:
    """RMS in dB of full scale; -inf: digital silence."""
    power = sum(sample * sample for sample in samples)
    return 10 * math.log10(power / len(samples) / LOUDEST**2) if power else -math.inf


def missing_parts() -> list[str]:
    """What of the real parts this machine does not have."""
    return [name for name in ("mpv", "pulseaudio", "pactl", "parec") if shutil.which(name) is None]
