"""The messages between the service and the pages, as `docs/messages.md` says them; a test holds the two together.

Every type is an allow-list written by hand: a key that is not a field here does not exist on any page.
"""

from typing import Literal, TypeAlias

from msgspec import UNSET, Raw, Struct, UnsetType

Audience: TypeAlias = Literal["judge", "office", "air", "spectator", "producer", "hall", "break", "table"]
Language: TypeAlias = Literal["ru", "uk", "en"]
LANGUAGES: tuple[Language, ...] = ("ru", "uk", "en")
CandidateState: TypeAlias = Literal["waiting", "called", "open", "counting", "counted"]


class Message(Struct, frozen=True):
    """What every message is: named fields that never change."""


# --- the frame around a view, and the answers


class Envelope(Message, frozen=True, kw_only=True):
    """A whole view on its way; `view` is encoded already."""

    audience: Audience
    revision: int
    build: str
    now: float
    """Milliseconds on the service's monotonic clock at sending."""
    view: Raw


class Refusal(Message, frozen=True, kw_only=True):
    """Why something was not done, with the sentence in the page's language."""

    code: str
    params: dict[str, str | int]
    clause: str | None
    sentence: str
    covered: str | None
    """What may be read under the judge's cover alone; `sentence` is neutral then, and code and params say nothing."""


class Done(Message, frozen=True, kw_only=True):
    """It was done."""

    ok: bool = True
    revision: int | None = None


class NotDone(Message, frozen=True, kw_only=True):
    """It was not done."""

    ok: bool = False
    refusal: Refusal


class ClockAnswer(Message, frozen=True, kw_only=True):
    """The page's own time given back with the service's."""

    t0: float
    now: float


class HistoryPage(Message, frozen=True, kw_only=True):
    """The whole history, oldest first; what was undone stands behind it, as a redo would bring it back."""

    ok: bool = True
    lines: tuple["Line", ...]


class Line(Message, frozen=True, kw_only=True):
    """One decision: in which phase it was taken, and what it was."""

    decision: int
    at: str
    sentence: str
    undone: bool


class Document(Message, frozen=True, kw_only=True):
    """A file: its name, and its bytes in base64."""

    ok: bool = True
    name: str
    content: str


class Lamps(Message, frozen=True, kw_only=True):
    """The state of every lamp, by key."""

    lamps: dict[str, str]


class Delay(Message, frozen=True, kw_only=True):
    """How much later a spectator is shown the game."""

    seconds: int
    starts_in: float | None
    """Milliseconds until there is anything to show; None: there is, or nobody knows."""


# --- what is public


class Phase(Message, frozen=True, kw_only=True):
    """Where the game is, as everybody at the table hears it."""

    kind: str
    round: int
    day: bool
    step: str | None
    seat: int | None
    speech: str | None
    silent: bool


class Timer(Message, frozen=True, kw_only=True):
    """The clock that runs now. Milliseconds; `deadline` on the service's clock while it runs."""

    id: str
    kind: str
    total: int
    running: bool
    deadline: float | None
    left: int


class Header(Message, frozen=True, kw_only=True):
    """What is played, where and under whom."""

    event: str
    stage: str
    game: int
    table: int
    judge: str
    ruleset: str


class Result(Message, frozen=True, kw_only=True):
    """Who has won and why."""

    winner: str | None
    reason: str
    at: str


class Out(Message, frozen=True, kw_only=True):
    """How and when somebody left."""

    how: str
    at: str


class Nomination(Message, frozen=True, kw_only=True):
    """`by` has nominated `seat`."""

    seat: int
    by: int


class Window(Message, frozen=True, kw_only=True):
    """A vote window, milliseconds on the service's clock."""

    opened: float
    closes: float


class HallSeat(Message, frozen=True, kw_only=True):
    """A player as the hall sees one."""

    seat: int
    name: str
    in_play: bool
    out: Out | None
    fouls: int
    silent: bool
    nominated: int | None
    speaking: bool


class HallCandidate(Message, frozen=True, kw_only=True):
    """A candidate and the count, once it was said."""

    seat: int | None
    state: CandidateState
    count: int | None


class HallVote(Message, frozen=True, kw_only=True):
    """The ballot as the hall sees it: counts, not whose hands."""

    kind: str
    candidates: tuple[HallCandidate, ...]
    window: Window | None
    tied: tuple[int, ...] | UnsetType = UNSET
    """In a raise question: who would leave."""


class PublicView(Message, frozen=True, kw_only=True):
    """What hall, air and judge have in common."""

    header: Header
    phase: Phase
    timer: Timer | None
    stopped: bool
    nominations: tuple[Nomination, ...]
    result: Result | None


class HallView(PublicView, frozen=True, kw_only=True):
    """Everything that the hall may know."""

    seats: tuple[HallSeat, ...]
    vote: HallVote | None


# --- what viewers may know


class AirSeat(HallSeat, frozen=True, kw_only=True):
    """A player as viewers see one."""

    role: str | None
    photo: str | None
    points: str | None
    hand: int | None


class AirCandidate(Message, frozen=True, kw_only=True):
    """A candidate and the hands against it, in the order raised."""

    seat: int | None
    state: CandidateState
    hands: tuple[int, ...]
    assigned: tuple[int, ...]


class AirVote(Message, frozen=True, kw_only=True):
    """The ballot as viewers see it."""

    kind: str
    candidates: tuple[AirCandidate, ...]
    free: tuple[int, ...]
    window: Window | None
    leaves: tuple[int, ...] | None
    unsaid: bool = False
    """The last count is the viewers' already; the judge has not announced it to the table."""
    tied: tuple[int, ...] | UnsetType = UNSET
    """In a raise question: who would leave."""


class Check(Message, frozen=True, kw_only=True):
    """A check of the don or the sheriff."""

    by: str
    seat: int
    hit: bool


class AirNight(Message, frozen=True, kw_only=True):
    """A night with shooting."""

    night: int
    shots: dict[str, tuple[int, ...]]
    killed: tuple[int, ...] | None
    checks: tuple[Check, ...]


class Gone(Message, frozen=True, kw_only=True):
    """Who left by a day."""

    seat: int
    how: str


class AirDay(Message, frozen=True, kw_only=True):
    """A day that is done."""

    day: int
    left: tuple[Gone, ...]


class BestMove(Message, frozen=True, kw_only=True):
    """The best move as spoken, and how many black ones it has."""

    seat: int
    numbers: tuple[int, ...]
    hits: int


class Told(PublicView, frozen=True, kw_only=True):
    """The whole game, roles and nights included."""

    seats: tuple[AirSeat, ...]
    vote: AirVote | None
    nights: tuple[AirNight, ...]
    days: tuple[AirDay, ...]
    calling: int | None
    best_move: BestMove | None
    simulated: bool


class Touch(Message, frozen=True, kw_only=True):
    """A hand on the table, milliseconds from the window's opening."""

    seat: int
    down: float
    up: float | None


class Ruling(Message, frozen=True, kw_only=True):
    """The judge's word over one hand."""

    seat: int
    counts: bool


class Evidence(Message, frozen=True, kw_only=True):
    """What was seen in one window and what it was read as."""

    ballot: int
    candidate: int
    length: float
    touches: tuple[Touch, ...]
    hands: tuple[int, ...]
    late: tuple[int, ...]
    rulings: tuple[Ruling, ...]
    flagged: bool


class LowerThird(Message, frozen=True, kw_only=True):
    """Who is seen, as the producer has typed it."""

    title: str
    subtitle: str


class Fact(Message, frozen=True, kw_only=True):
    """Something about a player, as the producer has typed it."""

    seat: int
    text: str


class Replay(Message, frozen=True, kw_only=True):
    """A vote window shown once more, from `started_at` (ms on the service's clock) on."""

    window: str
    """`BALLOT.CANDIDATE`, as in the evidence."""
    started_at: float
    evidence: Evidence


class Stage(Message, frozen=True, kw_only=True):
    """What the producer has set for the on-air overlay. What is switched off is not drawn; the rest is the page's."""

    overlay: bool
    roles: bool
    scores: bool
    lifted: int | None
    """The seat whose card is to be lifted out."""
    lower_third: LowerThird | None
    fact: Fact | None
    replay: Replay | None


class AirView(Told, frozen=True, kw_only=True):
    """Everything that viewers may know, and the producer's switches."""

    stage: Stage


# --- between games


class Standing(Message, frozen=True, kw_only=True):
    """One line of the standings; `total` as a decimal."""

    place: int
    name: str
    photo: str | None
    total: str
    games: int
    wins: int


class Sitter(Message, frozen=True, kw_only=True):
    """Who will sit where."""

    seat: int
    name: str
    photo: str | None


class Coming(Message, frozen=True, kw_only=True):
    """The next game at this table."""

    game: int
    stage: str
    table: int
    players: tuple[Sitter, ...]


class BreakView(Message, frozen=True, kw_only=True):
    """What is shown between games: nothing of a game that runs."""

    header: Header
    standings: tuple[Standing, ...]
    next: Coming | None


class Theme(Message, frozen=True, kw_only=True):
    """How the screens look: what `/theme.json` says. Colours are `#rrggbb` by their name on the pages."""

    name: str
    colours: dict[str, str]
    night: dict[str, str]
    """Those that are others at night."""
    family: str | None
    faces: dict[str, str]
    """Weight -> the address of the face's file."""
    logo: str | None
    sponsors: tuple[str, ...]
    side: Literal["left", "right"]
    """Where the lower third stands."""
    lower_plane: str
    lower_text: str
    safe_x: int
    safe_y: int


class LookNow(Message, frozen=True, kw_only=True):
    """The look is this one now: `/theme.json` says something else where `version` is another."""

    version: str


# --- the simulated table


class TableSeat(Message, frozen=True, kw_only=True):
    """A place at the simulated table."""

    seat: int
    name: str
    in_play: bool


class TableView(Message, frozen=True, kw_only=True):
    """The sensors that the simulated table can press."""

    seats: tuple[TableSeat, ...]
    keys: tuple[str, ...]
    simulated: bool
    person: bool
