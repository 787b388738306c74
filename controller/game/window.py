"""The ruling of a vote window: what each hand was, to the microsecond.

The table "The hand on the table, millisecond by millisecond" of the rules page, row by row.
Nothing here knows a clock: touches come in microseconds from the opening.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from controller.game.ballot import Ballot, BallotKind, Count, HandRuling, Offence, Proposal, Touch, Votes
from controller.game.rules import Rules


class Hand(NamedTuple):
    """One seat's hand in one window, as the sensor saw it. Hands sort as they came down."""

    first: int
    """When it first came down, microseconds from the opening."""
    seat: int
    vote: int | None
    """When it came down as a vote; None where it gave none."""
    early: bool = False
    pulled: bool = False
    lifted: bool = False
    """It left after the close, before the count was said."""
    late: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a ballot says by its windows and the judge's rulings."""

    votes: tuple[Votes, ...]
    proposals: tuple[Proposal, ...]


def read_hand(rules: Rules, seat: int, touches: Sequence[Touch], count: Count) -> Hand | None:
    """What one seat's touches of one window, in order, were; None where there is nothing to note."""
    if not touches:
        return None
    closed, announced = count.closed, count.announced
    vote: int | None = None
    early = pulled = lifted = late = False
    for touch in touches:
        down, up = touch.down, touch.up
        if down > closed or (down == closed and not rules.close_inclusive):
            # ukraine 4.4.7: with the word is too late; elsewhere the end is inclusive.
            late = True
            continue
        if down < -rules.early_tolerance:
            early = True  # fiim 6.6.4, wma 5.6.6
        if up is not None and up < 0:
            continue  # gone before the opening
        if vote is None:
            vote = down  # one vote, from the first down
        if up is None:
            continue
        if up < closed:
            pulled = True  # counts all the same: fiim 4.4.10, ukraine 4.4.11
        elif announced is not None and up < announced:
            lifted = True
    return Hand(touches[0].down, seat, vote, early, pulled, lifted, late)


def judge(rules: Rules, ballot: Ballot, at: str, living: frozenset[int], known: Iterable[Proposal]) -> Sheet:
    """All the votes and proposals of `ballot`, decided anew from its windows and rulings.

    `living` are the seats in play now: hands that were not raised fall to the last candidate for them alone.
    `known` are the proposals of this ballot so far; those that the judge has answered stay as they are.
    """
    reading = _Reading(rules, ballot)
    votes = [reading.window(index, count) for index, count in enumerate(ballot.counts)]
    if ballot.counted and rules.unvoted_to_last and ballot.kind is not BallotKind.RAISE:
        # fiim 4.4.9, ukraine 4.4.10: a hand that was not raised falls to the last candidate.
        unraised = tuple(seat for seat in ballot.voters if seat not in reading.given and seat in living)
        last = votes[-1]
        votes[-1] = Votes(last.candidate, last.hands, unraised, last.late)
        if ballot.counts[-1].by_sensors:
            reading.not_raised(unraised, last.candidate)
    return Sheet(tuple(votes), _proposals(reading, at, known))


_DOWN = attrgetter("down")


class _Reading:
    """A ballot read window by window, in the order of the calls."""

    def __init__(self, rules: Rules, ballot: Ballot) -> None:
        self.rules = rules
        self.ballot = ballot
        self.forced, self.barred = _rulings(ballot.rulings)
        self.given: dict[int, int] = {}
        """Whom each counted hand is against."""
        self.seen: set[int] = set()
        """Whose hand was seen as a vote, wherever it was ruled to: one that was moved is still one hand."""
        self.resting: dict[int, bool] = {}
        """Hands that have not left the table since the last window; True for a spent one: counted or ruled out."""
        self.offences: list[tuple[int, Offence, int]] = []
        self.clauses: dict[tuple[int, Offence, int], str] = {}
        """Clauses of offences that are not cited by the offence's usual one."""

    def window(self, index: int, count: Count) -> Votes:
        """The hands of one candidate."""
        candidate = count.candidate
        late: tuple[int, ...] = ()
        if count.listed is not None:
            # A counted hand that rests through the judge's own count is the same hand at the next window.
            self.resting = {seat: True for seat, spent in self.resting.items() if spent}
            raised = [seat for seat in count.listed if seat not in self.given and self._may_count(seat, candidate)]
            self.seen |= {seat for seat in count.listed if (seat, candidate) not in self.barred}
        else:
            raised, late = self._by_sensors(index, count)
        # A hand ruled here that no sensor saw stands after those that were seen.
        raised += [seat for seat, where in self.forced.items() if where == candidate and seat not in raised]
        self.given |= dict.fromkeys(raised, candidate)
        return Votes(candidate, tuple(raised), (), late)

    def not_raised(self, seats: Iterable[int], candidate: int) -> None:
        """Who never raised a hand; one whose hand was ruled out is not reproached with it."""
        freed = {seat for seat, _ in self.barred}
        self.offences += [(seat, Offence.NOT_RAISED, candidate) for seat in seats if seat not in freed]

    def _may_count(self, seat: int, candidate: int) -> bool:
        return self.forced.get(seat, candidate) == candidate and (seat, candidate) not in self.barred

    def _by_sensors(self, index: int, count: Count) -> tuple[list[int], tuple[int, ...]]:
        """The hands that count against this candidate in the order they came down, and the late ones."""
        rules, candidate = self.rules, count.candidate
        touches = self._new_touches(count)
        hands = [hand for seat, own in touches.items() if (hand := read_hand(rules, seat, own, count))]
        gone = {seat for seat, counted in self.ballot.removed if counted <= index}
        raised: list[tuple[int, int]] = []
        late: list[int] = []
        for hand in sorted(hands):
            seat = hand.seat
            if seat in gone:
                continue
            if hand.vote is None:
                if hand.late:
                    late.append(seat)
                self._propose(hand, candidate)
                continue
            if seat in self.resting:
                self.resting[seat] = True
            if seat in self.seen:
                # The first vote stands: fiim 6.6.7, wma 5.6.10.
                self.offences.append((seat, Offence.SEVERAL_CANDIDATES, candidate))
                continue
            self._propose(hand, candidate)
            if (seat, candidate) not in self.barred:
                self.seen.add(seat)
                if self._may_count(seat, candidate):
                    raised.append((hand.vote, seat))
        return [seat for _, seat in sorted(raised)], tuple(late)

    def _propose(self, hand: Hand, candidate: int) -> None:
        # One hand gives at most one proposal a window, early before pulled where an early hand is an offence at all.
        if hand.early and Offence.EARLY_HAND in self.rules.proposals:
            self.offences.append((hand.seat, Offence.EARLY_HAND, candidate))
        elif hand.pulled:
            self.offences.append((hand.seat, Offence.HAND_PULLED, candidate))
        elif hand.lifted and (sanction := self.rules.lifted_before_count):
            self.offences.append((hand.seat, Offence.HAND_PULLED, candidate))
            self.clauses[hand.seat, Offence.HAND_PULLED, candidate] = sanction.clause  # city, "Убранная рука"

    def _new_touches(self, count: Count) -> dict[int, list[Touch]]:
        """This window's touches by seat, less the spent hands that still rest; notes which hands rest after it."""
        touches: dict[int, list[Touch]] = {}
        for touch in sorted(count.touches, key=_DOWN):
            touches.setdefault(touch.seat, []).append(touch)
        resting = {seat: False for seat, own in touches.items() if own[-1].up is None}
        for seat, spent in self.resting.items():
            own = touches.get(seat)
            if own is None:
                if not spent:
                    # A late hand that has not left the table is an early hand at the next opening.
                    touches[seat] = [Touch(seat, -self.rules.early_tolerance - 1)]
                resting[seat] = spent
            elif spent and own[0].down < 0:
                # Still resting from the candidate it was counted for, or ruled out for: not a new hand.
                same = own.pop(0)
                if same.up is None:
                    resting[seat] = True
        self.resting = resting
        return touches


def _rulings(rulings: Iterable[HandRuling]) -> tuple[dict[int, int], set[tuple[int, int]]]:
    """Where each hand was ruled to, and which hands were ruled not to count; the last word stands."""
    forced: dict[int, int] = {}
    barred: set[tuple[int, int]] = set()
    for ruling in rulings:
        if ruling.counts:
            forced[ruling.seat] = ruling.candidate
            barred.discard((ruling.seat, ruling.candidate))
        else:
            barred.add((ruling.seat, ruling.candidate))
            if forced.get(ruling.seat) == ruling.candidate:
                del forced[ruling.seat]
    return forced, barred


def _proposals(reading: _Reading, at: str, known: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """Proposals for the offences that the text has a clause for; answered ones keep their answer and place."""
    before = {(proposal.seat, proposal.what, proposal.candidate): proposal for proposal in known}
    found: list[Proposal] = []
    for offence in reading.offences:
        seat, what, candidate = offence
        sanction = reading.rules.proposals.get(what)
        if sanction is None:
            continue
        clause = reading.clauses.get(offence, sanction.clause)
        proposal = before.pop(offence, None)
        if proposal is None or (proposal.given is None and proposal.clause != clause):
            number = f"{reading.ballot.number}.{candidate}.{seat}.{what}"
            proposal = Proposal(number, seat, what, clause, candidate, at)
        found.append(proposal)
    return (*found, *[proposal for proposal in before.values() if proposal.given is not None])
