"""The state of one game, and the fold that makes it: `apply(state, event)`.

The fold never decides and never refuses: whatever an event says has happened.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import assert_never

from controller.game import events as ev
from controller.game.ballot import Ballot, BallotKind, Count, HandRuling, Proposal, Votes
from controller.game.moment import Moment
from controller.game.outcome import Outcome
from controller.game.phases import Dealing, LastWord, Morning, Night, Phase, Speech, SpeechKind
from controller.game.position import Position
from controller.game.roles import Role
from controller.game.rules import Rules
from controller.game.seat import Departure, How, Seat, Technical, Violation
from controller.game.values import changed


@dataclass(frozen=True, slots=True)
class Nomination:
    """`by` has nominated `seat`."""

    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class SpeechRow:
    """Somebody had the word; 0 seconds for a silent one."""

    seat: int
    at: Moment
    kind: SpeechKind
    seconds: int


@dataclass(frozen=True, slots=True)
class BallotRow:
    """A ballot that was held to its end, with all that it was decided from."""

    number: int
    at: Moment
    kind: BallotKind
    candidates: tuple[int, ...]
    voters: tuple[int, ...]
    counts: tuple[Count, ...]
    rulings: tuple[HandRuling, ...]
    votes: tuple[Votes, ...]
    leaves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A check that was made."""

    by: Role
    seat: int
    hit: bool


@dataclass(frozen=True)  # without slots: see `changed`
class NightRow:
    """What a night with shooting brought; None where it has not come to it."""

    night: int
    shots: tuple[tuple[int, tuple[int, ...]], ...] | None = None
    kill: int | None = None
    checks: tuple[CheckRow, ...] = ()
    acts: tuple[tuple[Role, tuple[int, ...]], ...] = ()
    acted: frozenset[str] = frozenset()
    """Steps for which something was recorded, be it that nothing was done."""
    killed: tuple[int, ...] | None = None

    def act(self, role: Role) -> tuple[int, ...]:
        """Whom `role` chose in this night."""
        return next((seats for by, seats in self.acts if by is role), ())


@dataclass(frozen=True, slots=True)
class BestMoveRow:
    """The best move as spoken."""

    seat: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WillRow:
    """A will: `after` is the night whose victim left it."""

    seat: int
    named: int | None
    forgotten: bool
    after: int


@dataclass(frozen=True, slots=True)
class PointsRow:
    """An award (positive) or a penalty (negative) of the judge."""

    seat: int
    points: Decimal
    clause: str | None = None
    approved: bool = False


@dataclass(frozen=True, slots=True)
class ProtestRow:
    """A protest."""

    seat: int
    text: str


@dataclass(frozen=True, kw_only=True)  # without slots: see `changed`
class State:
    """One game at one moment."""

    rules: Rules
    seats: tuple[Seat, ...]
    phase: Phase = Dealing()
    at: Moment = Moment.night_of(0)
    opener: int | None = None
    """Who opened the discussion last."""
    spoke_last: int | None = None
    """Whose minute was the last of the discussion."""
    nominations: tuple[Nomination, ...] = ()
    """Today's, in order."""
    renominated: bool = False
    """Whether the speaker has used the one nomination more after a withdrawal."""
    withdrew: bool = False
    """Whether the speaker has taken a nomination back in this minute."""
    ballot: Ballot | None = None
    vote_settled: bool = False
    """Whether the day's vote has its result (fiim 7.1 against 7.2)."""
    cancelled_day: int = 0
    """The day whose vote is not held because of a removal; 0: none."""
    removed_for_day: int = 0
    """City: how many were removed for the day whose vote they cancel."""
    last_words: tuple[int, ...] = ()
    """Who has a last word to say yet, in order; the speaker himself is not here."""
    may_name: frozenset[int] = frozenset()
    """Seats whose best move or will can be taken yet."""
    departures: tuple[Departure, ...] = ()
    ballots: tuple[BallotRow, ...] = ()
    ballots_begun: int = 0
    nights: tuple[NightRow, ...] = ()
    speeches: tuple[SpeechRow, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    avenger_choice: tuple[int, ...] | None = None
    """City: whom the dead avenger took along; None while he has not chosen."""
    outcome: Outcome | None = None
    best_move: BestMoveRow | None = None
    wills: tuple[WillRow, ...] = ()
    awards: tuple[PointsRow, ...] = ()
    penalties: tuple[PointsRow, ...] = ()
    protests: tuple[ProtestRow, ...] = ()

    def seat(self, number: int) -> Seat:
        """The seat `number`; IndexError if there is no such seat."""
        if number < 1:
            raise IndexError(number)
        return self.seats[number - 1]

    @property
    def living(self) -> tuple[int, ...]:
        """Numbers of those in play, ascending."""
        return tuple([seat.number for seat in self.seats if seat.left is None])

    @property
    def tonight(self) -> NightRow | None:
        """The night that is being played."""
        if self.at.day or not self.nights or self.nights[-1].night != self.at.number:
            return None
        return self.nights[-1]

    @property
    def minute_of(self) -> int | None:
        """Whose own minute it is."""
        if isinstance(self.phase, Speech) and self.phase.kind is SpeechKind.MINUTE:
            return self.phase.seat
        return None

    @property
    def candidates(self) -> tuple[int, ...]:
        """Today's nominees who are in play, in order of nomination."""
        return tuple([n.seat for n in self.nominations if self.seats[n.seat - 1].left is None])

    @property
    def proposed_before(self) -> int:
        """How many of the proposals are older than the present ballot; its own are the last ones."""
        count = len(self.proposals)
        if self.ballot is not None:
            own = f"{self.ballot.number}."
            while count and self.proposals[count - 1].id.startswith(own):
                count -= 1
        return count

    def holder(self, role: Role) -> Seat | None:
        """The seat that drew a card of which there is one."""
        return next((seat for seat in self.seats if seat.role is role), None)

    def living_with(self, *roles: Role) -> tuple[int, ...]:
        """Seats in play with one of these cards, ascending."""
        return tuple([seat.number for seat in self.seats if seat.left is None and seat.role in roles])


def new_game(rules: Rules, seats: int | None = None) -> State:
    """A game of `seats` players (default: the ruleset's fewest) before the deal.

    Raises ValueError if the ruleset is not played by so many.
    """
    count = rules.fewest if seats is None else seats
    if not rules.fewest <= count <= rules.most:
        raise ValueError(f"{rules.name} is played by {rules.fewest} to {rules.most}, not {count}")
    return State(rules=rules, seats=tuple(Seat(number) for number in range(1, count + 1)))


def _with_seat(state: State, seat: Seat) -> tuple[Seat, ...]:
    return (*state.seats[: seat.number - 1], seat, *state.seats[seat.number :])


def _with_night(state: State, night: NightRow) -> tuple[NightRow, ...]:
    return (*state.nights[:-1], night)


def _own_proposals(state: State, proposals: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    """All earlier ballots' proposals with the present ballot's replaced."""
    return (*state.proposals[: state.proposed_before], *proposals)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """`apply` over all of `events`."""
    for event in events:
        state = apply(state, event)
    return state


def apply(state: State, event: ev.Event) -> State:
    """The state after `event`. The cases are tried in turn: what happens most stands first."""
    match event:
        case ev.PhaseBegan():
            return _begin(state, event)
        case ev.Nominated(by, number):
            return changed(
                state,
                nominations=(*state.nominations, Nomination(by, number)),
                renominated=state.renominated or state.withdrew,
            )
        case ev.HandsCounted(count, votes, proposals):
            assert state.ballot is not None
            counts = tuple(c for c in state.ballot.counts if c.candidate != count.candidate)
            ballot = changed(state.ballot, counts=(*counts, count), votes=votes, opened=None)
            return changed(state, ballot=ballot, proposals=_own_proposals(state, proposals))
        case ev.FoulGiven(number, clause):
            seat = state.seat(number)
            seat = changed(seat, fouls=(*seat.fouls, Violation(clause, state.at)))
            return changed(state, seats=_with_seat(state, seat))
        case ev.RoleDealt(number, role):
            return changed(state, seats=_with_seat(state, changed(state.seat(number), role=role)))
        case ev.Left(number, how):
            departure = Departure(number, how, state.at)
            return changed(
                state,
                seats=_with_seat(state, changed(state.seat(number), left=departure)),
                departures=(*state.departures, departure),
            )
        case ev.ProposalAnswered(proposal, given):
            proposals = tuple([changed(p, given=given) if p.id == proposal else p for p in state.proposals])
            return changed(state, proposals=proposals)
        case ev.Checked(by, number, hit):
            night = state.nights[-1]
            checks = night.checks if number is None else (*night.checks, CheckRow(by, number, hit))
            night = changed(night, checks=checks, acted=night.acted | {by.value})
            return changed(state, nights=_with_night(state, night))
        case ev.WindowOpened(_, at):
            assert state.ballot is not None
            return changed(state, ballot=changed(state.ballot, opened=at))
        case ev.DiscussionOpened(number):
            return changed(state, opener=number)
        case ev.Withdrawn(by, number):
            kept = tuple(n for n in state.nominations if (n.by, n.seat) != (by, number))
            return changed(state, nominations=kept, withdrew=True)
        case ev.TechnicalFoulGiven(number, heavy, clause):
            seat = state.seat(number)
            seat = changed(seat, technical=(*seat.technical, Technical(heavy, clause, state.at)))
            return changed(state, seats=_with_seat(state, seat))
        case ev.SilenceOwed(number):
            return changed(state, seats=_with_seat(state, changed(state.seat(number), owes_silence=True)))
        case ev.WarningGiven(number, clause):
            seat = state.seat(number)
            seat = changed(seat, warnings=(*seat.warnings, Violation(clause, state.at)))
            return changed(state, seats=_with_seat(state, seat))
        case ev.Disqualified(number, how, _):
            return changed(
                state,
                seats=_with_seat(state, changed(state.seat(number), disqualified=how)),
                last_words=tuple(seat for seat in state.last_words if seat != number),
            )
        case ev.LastWordsOwed(numbers):
            return changed(
                state,
                last_words=(*state.last_words, *numbers),
                may_name=state.may_name | frozenset(numbers),
            )
        case ev.VoteCancelled(day):
            again = state.removed_for_day + 1 if state.cancelled_day == day else 1
            return changed(state, cancelled_day=day, removed_for_day=again)
        case ev.BallotOpened(number, kind, candidates, voters):
            return changed(state, ballot=Ballot(number, kind, candidates, voters), ballots_begun=number)
        case ev.WindowVoided(candidate, votes, proposals):
            assert state.ballot is not None
            counts = tuple(c for c in state.ballot.counts if c.candidate != candidate)
            rulings = tuple(r for r in state.ballot.rulings if r.candidate != candidate)
            ballot = changed(state.ballot, counts=counts, rulings=rulings, votes=votes, opened=None)
            return changed(state, ballot=ballot, proposals=_own_proposals(state, proposals))
        case ev.HandRuled(ruling, votes, proposals):
            assert state.ballot is not None
            ballot = changed(state.ballot, rulings=(*state.ballot.rulings, ruling), votes=votes)
            return changed(state, ballot=ballot, proposals=_own_proposals(state, proposals))
        case ev.BallotDecided(leaves, final):
            return _decided(state, leaves, final)
        case ev.VoterRemoved(number):
            assert state.ballot is not None
            removed = (*state.ballot.removed, (number, len(state.ballot.counts)))
            return changed(state, ballot=changed(state.ballot, removed=removed))
        case ev.BallotCut():
            return changed(state, ballot=None)
        case ev.VoteSettled():
            return changed(state, ballot=None, vote_settled=True)
        case ev.Shot(shots, kill):
            night = changed(state.nights[-1], shots=shots, kill=kill)
            return changed(state, nights=_with_night(state, night))
        case ev.Acted(Role.AVENGER, numbers):
            return changed(state, avenger_choice=numbers)
        case ev.Acted(by, numbers):
            night = state.nights[-1]
            acts = (*night.acts, (by, numbers)) if numbers else night.acts
            night = changed(night, acts=acts, acted=night.acted | {by.value})
            return changed(state, nights=_with_night(state, night))
        case ev.NightEnded(killed):
            return changed(state, nights=_with_night(state, changed(state.nights[-1], killed=killed)))
        case ev.BestMoveNamed(number, numbers):
            return changed(state, best_move=BestMoveRow(number, numbers))
        case ev.WillLeft(number, named, forgotten):
            will = WillRow(number, named, forgotten, state.nights[-1].night)
            return changed(state, wills=(*state.wills, will))
        case ev.GameDecided(outcome):
            return changed(state, outcome=outcome)
        case ev.Awarded(number, points, approved):
            return changed(state, awards=(*state.awards, PointsRow(number, points, None, approved)))
        case ev.Penalised(number, points, clause):
            return changed(state, penalties=(*state.penalties, PointsRow(number, points, clause)))
        case ev.Protested(number, text):
            return changed(state, protests=(*state.protests, ProtestRow(number, text)))
        case ev.PositionSet(position):
            return _set(state, position)
        case _:
            assert_never(event)


def _begin(state: State, event: ev.PhaseBegan) -> State:
    """A phase begins: the word is noted, and what belongs to the day or the speaker is put back."""
    phase, at = event.phase, event.at
    changes: dict[str, object] = {"phase": phase, "at": at, "withdrew": False, "renominated": False}
    if isinstance(state.phase, LastWord) and state.outcome is None:
        # Once his minute is over he names nothing more (fiim 8.3); after the result it is still taken.
        changes["may_name"] = state.may_name - {state.phase.seat}
    match phase:
        case Speech(seat, kind, seconds):
            changes["speeches"] = (*state.speeches, SpeechRow(seat, at, kind, seconds))
            if kind is SpeechKind.MINUTE:
                changes["spoke_last"] = seat
                speaker = state.seat(seat)
                if speaker.owes_silence:
                    changes["seats"] = _with_seat(state, changed(speaker, owes_silence=False))
        case LastWord(seat, seconds):
            changes["speeches"] = (*state.speeches, SpeechRow(seat, at, SpeechKind.LAST_WORD, seconds))
            changes["last_words"] = tuple([number for number in state.last_words if number != seat])
        case Night() if not state.nights or state.nights[-1].night != at.number:
            changes["nights"] = (*state.nights, NightRow(at.number))
        case Morning():
            changes |= {"nominations": (), "vote_settled": False}
        case _:
            pass
    return changed(state, **changes)


def _set(state: State, position: Position) -> State:
    """The table as it was set: what the position does not say has not happened."""
    departures = tuple(Departure(number, how, at) for number, how, at in position.left)
    left = {departure.seat: departure for departure in departures}
    fouls = dict(position.fouls)
    seats = tuple(
        changed(
            seat,
            fouls=(Violation(None, position.at),) * fouls.get(seat.number, 0),
            owes_silence=seat.number in position.silent,
            left=left.get(seat.number),
            disqualified=_sent_off(left.get(seat.number)),
        )
        for seat in state.seats
    )
    avenger = next((seat.number for seat in seats if seat.role is Role.AVENGER), None)
    return changed(
        state,
        seats=seats,
        at=position.at,
        opener=position.opener if position.opener is not None else position.speaker,
        spoke_last=None,
        nominations=tuple(Nomination(by, number) for by, number in position.nominated),
        ballot=None,
        vote_settled=False,
        cancelled_day=0,
        removed_for_day=0,
        last_words=(),
        may_name=frozenset[int](),
        departures=departures,
        nights=tuple(night for night in state.nights if night.night < position.at.number),
        avenger_choice=() if avenger in left else None,
        outcome=None,
    )


def _sent_off(departure: Departure | None) -> How | None:
    return departure.how if departure is not None and departure.how in (How.FOULED, How.REMOVED) else None


def _decided(state: State, leaves: tuple[int, ...], final: bool) -> State:
    ballot = state.ballot
    assert ballot is not None
    row = BallotRow(
        ballot.number,
        state.at,
        ballot.kind,
        ballot.candidates,
        ballot.voters,
        ballot.counts,
        ballot.rulings,
        ballot.votes,
        leaves,
    )
    return changed(state, ballots=(*state.ballots, row), ballot=None, vote_settled=state.vote_settled or final)
