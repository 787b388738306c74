"""The messages of the producer's page. Allow-lists, as in `messages.py`; sentences are in the page's language."""

from typing import Literal, TypeAlias

from controller.views.messages import AirSeat, Header, Message, Phase, Stage, Timer
from controller.views.stage import FactsBy

LinkToObs: TypeAlias = Literal["off", "seeking", "up", "down"]
Holder: TypeAlias = Literal["obs", "page", "cover"]


class ReplayWindow(Message, frozen=True, kw_only=True):
    """A vote window that can be shown once more."""

    window: str
    candidate: int
    hands: int


class ObsOutput(Message, frozen=True, kw_only=True):
    """A stream or a recording; seconds, and frames that were lost of all."""

    active: bool
    paused: bool
    seconds: float
    skipped: int
    total: int


class ObsState(Message, frozen=True, kw_only=True):
    """OBS as its link last heard it."""

    state: LinkToObs
    sentence: str
    faults: tuple[str, ...]
    """What is wrong beside the link itself: missing scenes, a cue sheet that could not be read."""
    version: str
    program: str | None
    preview: str | None
    studio: bool
    scenes: tuple[str, ...]
    fps: float
    round_trip: float
    """Milliseconds."""
    streaming: ObsOutput
    recording: ObsOutput
    replays: bool
    touched: tuple[str, ...]
    """Sources and filters that the producer has switched in OBS: the automation leaves them alone."""


class NextStep(Message, frozen=True, kw_only=True):
    """The next automatic step; `at` in ms on the service's clock."""

    id: str
    label: str
    scene: str
    at: float


class Wheel(Message, frozen=True, kw_only=True):
    """Who has the wheel, and what comes next by itself."""

    held: Holder | None
    scene: str | None
    next: NextStep | None


class SceneButton(Message, frozen=True, kw_only=True):
    """A scene of the cue sheet; `there`: OBS has it."""

    short: str
    name: str
    there: bool


class OwnDelay(Message, frozen=True, kw_only=True):
    """A spectators' link that does not follow the table's delay."""

    name: str
    seconds: int


class Delays(Message, frozen=True, kw_only=True):
    """Seconds that viewers are behind the table: by OBS's stream delay as wanted and as OBS has it, and on the
    spectators' page; links with a delay of their own beside it."""

    stream: int
    in_obs: int | None
    spectators: int
    own: tuple[OwnDelay, ...]


class KnownFacts(Message, frozen=True, kw_only=True):
    """What the roster has to tell of a player."""

    seat: int
    facts: tuple[str, ...]


class Mark(Message, frozen=True, kw_only=True):
    """A chapter of the recording."""

    at: str
    title: str


class SavedClip(Message, frozen=True, kw_only=True):
    """A replay that OBS has saved."""

    at: str
    title: str
    path: str


class ProducerView(Message, frozen=True, kw_only=True):
    """Everything on the producer's page."""

    header: Header
    phase: Phase
    timer: Timer | None
    stopped: bool
    now: str
    """What the game does, in a few words."""
    seats: tuple[AirSeat, ...]
    stage: Stage
    facts: tuple[KnownFacts, ...]
    facts_by: FactsBy
    windows: tuple[ReplayWindow, ...]
    obs: ObsState
    wheel: Wheel
    buttons: tuple[SceneButton, ...]
    delays: Delays
    chapters: tuple[Mark, ...]
    clips: tuple[SavedClip, ...]
    simulated: bool


class Pictures(Message, frozen=True, kw_only=True):
    """Program and preview as small pictures (data URLs)."""

    program: str | None
    preview: str | None
