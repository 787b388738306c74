"""The messages of the judge's tablet, beside those it has in common with the air. Allow-lists, as in `messages.py`."""

from typing import Literal, TypeAlias

from controller.views.messages import AirSeat, Evidence, Message, Timer, Told

ContactState: TypeAlias = Literal["up", "down", "stuck", "chattering", "lost"]
StepKind: TypeAlias = Literal["next", "open_window", "close_window", "announce", "wait", "shoot", "kill", "none"]
LinkState: TypeAlias = Literal["up", "down", "connecting"]
DiskState: TypeAlias = Literal["ok", "slow", "failing"]


class JudgeSeat(AirSeat, frozen=True, kw_only=True):
    """A player as the judge sees one."""

    warnings: int
    technical: int
    """Heavy technical fouls, where the tournament has them."""
    lamp: str
    contact: ContactState
    next_foul: str | None
    """What one foul more would bring, beyond the foul; None where it is a foul and nothing else."""


class Proposal(Message, frozen=True, kw_only=True):
    """A foul that a window proposes."""

    id: str
    seat: int
    what: str
    clause: str
    at: str
    answer: Literal["given", "waived"] | None
    consequence: str | None


class Legal(Message, frozen=True, kw_only=True):
    """What the judge may do now."""

    next: bool
    nominate: tuple[int, ...]
    withdraw: bool
    foul: tuple[int, ...]
    warn: tuple[int, ...]
    remove: tuple[int, ...]
    defeat: tuple[int, ...]
    open_window: bool
    close_window: bool
    void_window: bool
    rule: tuple[int, ...]
    count: bool
    shoot: bool
    kill: bool
    check: str | None
    act: str | None
    best_move: int | None
    will: int | None
    technical: tuple[int, ...]
    award: bool
    penalty: bool
    protest: bool
    annul: bool
    deal: tuple[int, ...]
    undo: str | None
    redo: str | None


class Step(Message, frozen=True, kw_only=True):
    """The one big step."""

    do: StepKind
    label: str
    detail: str
    blocked: str | None


class HistoryLine(Message, frozen=True, kw_only=True):
    """One decision as a sentence."""

    decision: int
    sentence: str
    undone: bool


class Violation(Message, frozen=True, kw_only=True):
    """One line of the text's list of violations."""

    clause: str
    penalty: str
    name: str


class Link(Message, frozen=True, kw_only=True):
    """A device and how it is reached."""

    device: str
    state: LinkState
    sentence: str


class Readiness(Message, frozen=True, kw_only=True):
    """One sentence of the checklist."""

    ok: bool
    sentence: str


class Walk(Message, frozen=True, kw_only=True):
    """The walk around the table before a game."""

    step: int
    of: int
    seat: int | None
    ask: Literal["down", "up", "look"] | None
    sentence: str
    faults: tuple[str, ...]


class Sound(Message, frozen=True, kw_only=True):
    """The night's music and the cues."""

    ok: bool
    sentence: str
    playing: bool
    held: bool
    muted: bool
    without: bool
    volume: int
    limit: int


class Unsaved(Message, frozen=True, kw_only=True):
    """How far the table is ahead of its disk."""

    offered: bool
    on: bool
    rows: int
    since: int | None


class Suggestion(Message, frozen=True, kw_only=True):
    """What the side judge has seen and the judge has not answered."""

    number: int
    seat: int
    what: Literal["foul", "warn", "note"]
    clause: str | None
    text: str


class Switch(Message, frozen=True, kw_only=True):
    """An option of the rule set that is on or off. `geographic`: other regions play it otherwise."""

    name: str
    on: bool
    sentence: str
    geographic: bool


class Ruleset(Message, frozen=True, kw_only=True):
    """A rule set that can be played."""

    name: str
    title: str
    fewest: int
    most: int


class Scheduled(Message, frozen=True, kw_only=True):
    """A game to come, as the roster has it."""

    game: int
    stage: str
    table: int
    players: tuple[str, ...]


class SetUpView(Message, frozen=True, kw_only=True):
    """What can be chosen before the deal."""

    rulesets: tuple[Ruleset, ...]
    """What can be played: the rulesets, a club's points on one of them, the tournament's own where it has a file."""
    chosen: str
    """Which of them is."""
    options: dict[str, str]
    """The tournament's own parameters as they are."""
    switches: tuple[Switch, ...]
    schedule: tuple[Scheduled, ...]


class Given(Message, frozen=True, kw_only=True):
    """Points that the judge has given; as decimals."""

    seat: int
    points: str
    clause: str | None


class Protested(Message, frozen=True, kw_only=True):
    """A protest as it stands in the protocol."""

    seat: int
    text: str


class Caps(Message, frozen=True, kw_only=True):
    """What is left to award; decimals. None: no limit is stated. `approved`: with the chief judge's word."""

    most: str
    total: str | None
    total_approved: str | None
    players: int | None
    players_approved: int | None


class Aftermath(Message, frozen=True, kw_only=True):
    """After the game: what was given, what is left, and the signature."""

    awards: tuple[Given, ...]
    penalties: tuple[Given, ...]
    protests: tuple[Protested, ...]
    caps: Caps | None
    protests_timer: Timer | None
    signed: str | None


class JudgeView(Told, frozen=True, kw_only=True):
    """Everything on the judge's tablet."""

    seats: tuple[JudgeSeat, ...]
    phrase: str
    hints: tuple[str, ...]
    """The weightiest first."""
    calls: tuple[str, ...]
    """Who is called in this night, in order, whoever lives."""
    recorded: bool
    """Whether what the present call is for has been noted."""
    tonight: tuple[str, ...]
    """What was noted in this night, for under the cover alone."""
    step: Step
    legal: Legal
    proposals: tuple[Proposal, ...]
    evidence: tuple[Evidence, ...]
    waiting_for: tuple[int, ...]
    history: tuple[HistoryLine, ...]
    violations: tuple[Violation, ...]
    links: tuple[Link, ...]
    readiness: tuple[Readiness, ...]
    disk: DiskState
    unsaved: Unsaved
    walk: Walk | None
    sound: Sound | None
    armed: str | None
    """The board's key that waits for a seat."""
    suggestions: tuple[Suggestion, ...]
    side_gives: bool
    set_up: SetUpView | None
    """Before the first card; afterwards None."""
    aftermath: Aftermath | None
    """Once the game is over."""
