"""What has happened. Events are the game's record: the state is a fold over them, and nothing in the fold decides."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from controller.game.ballot import BallotKind, Count, HandRuling, Proposal, Votes
from controller.game.moment import Moment
from controller.game.outcome import Outcome
from controller.game.phases import Phase
from controller.game.position import Position
from controller.game.roles import Role
from controller.game.seat import How


@dataclass(frozen=True, slots=True)
class RoleDealt:
    """A card was drawn."""

    seat: int
    role: Role


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The game is in `phase` of the night or day `at`."""

    phase: Phase
    at: Moment


@dataclass(frozen=True, slots=True)
class DiscussionOpened:
    """`seat` opens the day."""

    seat: int


@dataclass(frozen=True, slots=True)
class Nominated:
    """A nomination was accepted."""

    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A nomination was taken back."""

    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class FoulGiven:
    """One foul more."""

    seat: int
    clause: str | None


@dataclass(frozen=True, slots=True)
class TechnicalFoulGiven:
    """One technical foul more, light or heavy."""

    seat: int
    heavy: bool
    clause: str | None


@dataclass(frozen=True, slots=True)
class SilenceOwed:
    """The third foul takes this seat's nearest minute."""

    seat: int


@dataclass(frozen=True, slots=True)
class WarningGiven:
    """One warning more."""

    seat: int
    clause: str | None


@dataclass(frozen=True, slots=True)
class Disqualified:
    """`seat` is sent off: no last word is left to it."""

    seat: int
    how: How
    clause: str | None


@dataclass(frozen=True, slots=True)
class Left:
    """`seat` lives no more."""

    seat: int
    how: How


@dataclass(frozen=True, slots=True)
class LastWordsOwed:
    """These have a last word to say, in this order."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VoteCancelled:
    """The vote of day `day` is not held."""

    day: int


@dataclass(frozen=True, slots=True)
class BallotOpened:
    """A ballot begins."""

    number: int
    kind: BallotKind
    candidates: tuple[int, ...]
    voters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """The vote on `candidate` is open since `at`, nanoseconds on the table's clock."""

    candidate: int
    at: int


@dataclass(frozen=True, slots=True)
class WindowVoided:
    """The vote on `candidate` is to be repeated, and this is what the ballot says without it."""

    candidate: int
    votes: tuple[Votes, ...]
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class HandsCounted:
    """A window was counted (or its evidence completed), and this is what the ballot says with it."""

    count: Count
    votes: tuple[Votes, ...]
    proposals: tuple[Proposal, ...]
    """All proposals of the present ballot."""


@dataclass(frozen=True, slots=True)
class HandRuled:
    """The judge ruled a hand, and this is what the ballot says with it."""

    ruling: HandRuling
    votes: tuple[Votes, ...]
    proposals: tuple[Proposal, ...]


@dataclass(frozen=True, slots=True)
class BallotDecided:
    """The ballot has a result: `leaves` are who leave; a tie that goes on has nobody."""

    leaves: tuple[int, ...]
    final: bool
    """Whether the day's vote is settled by it."""


@dataclass(frozen=True, slots=True)
class VoterRemoved:
    """City: `seat` was removed in the vote; the hands it gave count."""

    seat: int


@dataclass(frozen=True, slots=True)
class BallotCut:
    """The ballot is not held to its end; it has no row."""


@dataclass(frozen=True, slots=True)
class VoteSettled:
    """The day's vote is settled without a ballot."""


@dataclass(frozen=True, slots=True)
class ProposalAnswered:
    """The judge gave or waived a proposal."""

    proposal: str
    given: bool


@dataclass(frozen=True, slots=True)
class Shot:
    """The night's shooting: each shooter with targets, and who is killed by it."""

    shots: tuple[tuple[int, tuple[int, ...]], ...]
    kill: int | None


@dataclass(frozen=True, slots=True)
class Checked:
    """A check; `seat` is None where none was made."""

    by: Role
    seat: int | None
    hit: bool


@dataclass(frozen=True, slots=True)
class Acted:
    """City: an act of the night, or the avenger's choice."""

    by: Role
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NightEnded:
    """The night is done; `killed` leave by it, in the record's order."""

    killed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BestMoveNamed:
    """The best move as it was spoken."""

    seat: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WillLeft:
    """Club: a will, for the night after which it was left."""

    seat: int
    named: int | None
    forgotten: bool


@dataclass(frozen=True, slots=True)
class GameDecided:
    """The result stands."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Awarded:
    """The judge's points."""

    seat: int
    points: Decimal
    approved: bool


@dataclass(frozen=True, slots=True)
class Penalised:
    """The judge's penalty points, negative."""

    seat: int
    points: Decimal
    clause: str | None


@dataclass(frozen=True, slots=True)
class Protested:
    """A protest for the protocol."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The table was set by hand; it is a correction, and says so."""

    position: Position


Event: TypeAlias = (
    RoleDealt
    | PhaseBegan
    | DiscussionOpened
    | Nominated
    | Withdrawn
    | FoulGiven
    | TechnicalFoulGiven
    | SilenceOwed
    | WarningGiven
    | Disqualified
    | Left
    | LastWordsOwed
    | VoteCancelled
    | BallotOpened
    | WindowOpened
    | WindowVoided
    | HandsCounted
    | HandRuled
    | BallotDecided
    | VoterRemoved
    | BallotCut
    | VoteSettled
    | ProposalAnswered
    | Shot
    | Checked
    | Acted
    | NightEnded
    | BestMoveNamed
    | WillLeft
    | GameDecided
    | Awarded
    | Penalised
    | Protested
    | PositionSet
)
