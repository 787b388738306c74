"""What a ballot is made of. How hands are read is in `window.py`; what a ballot decides is in `voting.py`."""

from dataclasses import dataclass
from enum import StrEnum

RAISE = 0
"""Stands for "all of them leave" where a candidate's seat stands otherwise."""


class BallotKind(StrEnum):
    """A first ballot, a vote among the tied, or the raise question."""

    BALLOT = "ballot"
    REVOTE = "revote"
    RAISE = "raise"


class Offence(StrEnum):
    """What a window can propose to the judge's queue."""

    EARLY_HAND = "early_hand"
    HAND_PULLED = "hand_pulled"
    SEVERAL_CANDIDATES = "several_candidates"
    NOT_RAISED = "not_raised"


@dataclass(frozen=True, slots=True)
class Touch:
    """One hand on the table, microseconds from the window's opening; `up` is None while it has not left."""

    seat: int
    down: int
    up: int | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """What was seen in one candidate's window, or what the judge counted without sensors (`listed`)."""

    candidate: int
    touches: tuple[Touch, ...] = ()
    closed: int = 0
    """Microseconds from the opening to the close."""
    announced: int | None = None
    """Microseconds from the opening to the announcement of the count."""
    listed: tuple[int, ...] | None = None
    flagged: bool = False
    """The sensors' clock was not fitted yet, or a sensor was not heard: the judge looked himself."""

    @property
    def by_sensors(self) -> bool:
        """Whether hands were seen by sensors, as against counted by the judge."""
        return self.listed is None

    @property
    def said(self) -> bool:
        """Whether the judge has said it aloud; a count of the judge's own is said when it is given."""
        return self.announced is not None or not self.by_sensors


@dataclass(frozen=True, slots=True)
class HandRuling:
    """The judge's word over one hand: it stands over what the sensor said."""

    candidate: int
    seat: int
    counts: bool


@dataclass(frozen=True, slots=True)
class Votes:
    """The hands against one candidate: raised ones in order, and those that fell to the last (fiim 4.4.9)."""

    candidate: int
    hands: tuple[int, ...] = ()
    assigned: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    """Seats whose hand came after the close: noted, no vote."""

    @property
    def total(self) -> int:
        """Hands raised and assigned."""
        return len(self.hands) + len(self.assigned)


@dataclass(frozen=True)  # without slots: see `changed` in values.py
class Proposal:
    """A foul that a window proposes; nothing is punished until the judge gives it."""

    id: str
    seat: int
    what: Offence
    clause: str
    candidate: int
    at: str
    given: bool | None = None
    """None while it waits in the queue, then whether it was given or waived."""


@dataclass(frozen=True)  # without slots: see `changed` in values.py
class Ballot:
    """A ballot while it is held. Votes are a function of counts and rulings, carried along by the events."""

    number: int
    kind: BallotKind
    candidates: tuple[int, ...]
    """In order of nomination; for the raise question, those who would leave."""
    voters: tuple[int, ...]
    counts: tuple[Count, ...] = ()
    rulings: tuple[HandRuling, ...] = ()
    votes: tuple[Votes, ...] = ()
    opened: int | None = None
    """While a window is open: when it was opened, nanoseconds on the table's clock."""
    removed: tuple[tuple[int, int], ...] = ()
    """Seats removed while it was held, each with how many windows had been counted by then (city)."""

    @property
    def questions(self) -> tuple[int, ...]:
        """What is asked, in order: the candidates, or the one raise question."""
        return (RAISE,) if self.kind is BallotKind.RAISE else self.candidates

    @property
    def due(self) -> int | None:
        """The question that is open or comes next; None when all are counted."""
        return None if len(self.counts) >= len(self.questions) else self.questions[len(self.counts)]

    @property
    def is_open(self) -> bool:
        """Whether a window is open now."""
        return self.opened is not None

    @property
    def counted(self) -> bool:
        """Whether every question has been counted: only rulings and the result are left."""
        return self.due is None

    @property
    def unsaid(self) -> Count | None:
        """The last count while the judge has not announced it (fiim 4.4.7): hands must still rest. The next opening
        and the result announce it too."""
        return None if self.is_open or not self.counts or self.counts[-1].said else self.counts[-1]

    @property
    def last_is_open(self) -> bool:
        """Whether the window that is open is the last one."""
        return self.is_open and len(self.counts) == len(self.questions) - 1
