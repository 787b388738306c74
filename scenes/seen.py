"""What is known of OBS, and what its link has to report. Values alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from scenes.client import Why


@dataclass(frozen=True, slots=True)
class Output:
    """A stream, a recording or the replay buffer."""

    active: bool = False
    paused: bool = False
    seconds: float = 0.0
    """How long it has run when it was last asked."""
    skipped: int = 0
    total: int = 0
    """Frames."""


@dataclass(frozen=True, slots=True)
class Obs:
    """OBS as it was last heard. Without a link the rest is what was known before, and not to be believed."""

    up: bool = False
    """Identified, and its state has been read."""
    why: Why | None = None
    """Why there is no link; None also before the first attempt has ended."""
    version: str = ""
    program: str | None = None
    preview: str | None = None
    studio: bool = False
    scenes: tuple[str, ...] = ()
    """In the order of OBS's own list, top first."""
    collection: str = ""
    transitions: tuple[str, ...] = ()
    requests: frozenset[str] = frozenset()
    """What it can be asked."""
    streaming: Output = Output()
    recording: Output = Output()
    replays: bool = False
    """The replay buffer runs."""
    delay: int = 0
    """OBS's own stream delay, seconds."""
    fps: float = 0.0
    round_trip: float = 0.0
    """Seconds from asking to the answer."""
    missing: frozenset[str] = frozenset()
    """Names that were wanted and that OBS does not have."""
    unready: bool = False
    """It has answered that it is not ready yet, and is asked again."""
    stubborn: bool = False
    """It says that it has switched, again and again, and does not."""
    of_the_producer: frozenset[str] = frozenset()
    """What the automation leaves alone since the producer touched it, as `scene/source` or `source/filter`."""


@dataclass(frozen=True, slots=True)
class Changed:
    """OBS is seen to be like this now."""

    obs: Obs


@dataclass(frozen=True, slots=True)
class LetIn:
    """OBS has accepted the link's Identify at `at`, seconds on this machine's monotonic clock."""

    at: float


@dataclass(frozen=True, slots=True)
class Sent:
    """The picture `id` was sent, so many seconds after it had been decided."""

    id: str
    seconds: float


@dataclass(frozen=True, slots=True)
class OnAir:
    """OBS itself says that the picture `id` is there."""

    id: str


@dataclass(frozen=True, slots=True)
class Hand:
    """Somebody has switched OBS to `scene`, and it was not this link; the `number`th time since its start."""

    scene: str
    number: int


@dataclass(frozen=True, slots=True)
class ReplaySaved:
    """OBS has written its replay buffer to `path`."""

    path: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording has started, paused, gone on or ended. `path` is known at its end."""

    state: str
    """"started", "paused", "resumed" or "stopped"."""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to what was asked under `name`; no data: it was refused or never came."""

    name: str
    data: Mapping[str, Any] | None


Note: TypeAlias = Changed | LetIn | Sent | OnAir | Hand | ReplaySaved | Recording | Said
