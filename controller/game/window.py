"""The ruling of a vote window: what each hand was, to the microsecond.

The table "The hand on the table, millisecond by millisecond" of the rules page, row by row.
Nothing here knows a clock: touches come in microseconds from the opening.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.game.ballot import Ballot, Count, HandRuling, Offence, Proposal, Touch, Votes
from controller.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's hand in one window, as the sensor saw it."""

    seat: int
    first: int
    """When it first came down, microseconds from the opening."""
    vote: int | None
    """When it came down as a vote; None where it gave none."""
    early: bool = False
    pulled: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a ballot says by its windows and the judge's rulings."""

    votes: tuple[Votes, ...]
    proposals: tuple[Proposal, ...]


def read_hand(rules: Rules, seat: int, touches: Iterable[Touch], count: Count) -> Hand | None:
    """What one seat's touches of one window were; None where there is nothing to note."""
    first: int | None = None
    vote: int | None = None
    early = pulled = late = False
    for touch in sorted(touches, key=lambda touch: touch.down):
        first = touch.down if first is None else first
        if touch.down > count.closed or (touch.down == count.closed and not rules.close_inclusive):
            # ukraine 4.4.7: with the word is too late; elsewhere the end is inclusive.
            late = True
            continue
        gone_before = touch.up is not None and touch.up < 0
        if touch.down < -rules.early_tolerance:
            early = True  # fiim 6.6.4, wma 5.6.6
        if gone_before:
            continue
        vote = touch.down if vote is None else vote  # one vote, from the first down
        if touch.up is not None and touch.up < count.closed:
            pulled = True  # counts all the same: fiim 4.4.10, ukraine 4.4.11
        elif (
            rules.lifted_before_count_is_pulled
            and touch.up is not None
            and count.announced is not None
            and touch.up < count.announced
        ):
            pulled = True  # city, "Убранная рука"
    if first is None:
        return None
    return Hand(seat, first, vote, early, pulled, late)


def judge(rules: Rules, ballot: Ballot, at: str, living: frozenset[int], answered: Iterable[Proposal]) -> Sheet:
    """All the votes and proposals of `ballot`, decided anew from its windows and rulings.

    `living` are the seats in play now: hands that were not raised fall to the last candidate for them alone.
    `answered` are proposals the judge has answered already; they stay as they are.
    """
    forced, barred = _rulings(ballot.rulings)
    given: dict[int, int] = {}
    natural: set[int] = set()  # whose hand the sensors saw, wherever it was ruled to
    votes: list[Votes] = []
    offences: list[tuple[int, Offence, int]] = []
    resting: dict[int, bool] = {}  # hands that never left the last window; the value: it was no free vote any more
    for index, count in enumerate(ballot.counts):
        candidate = count.candidate
        gone = {seat for seat, counted in ballot.removed if counted <= index}
        raised: list[tuple[int, int]] = []
        late: list[int] = []
        if count.listed is not None:
            for order, seat in enumerate(count.listed):
                if seat not in given and forced.get(seat, candidate) == candidate and (seat, candidate) not in barred:
                    raised.append((order, seat))
            resting = {}
        else:
            touches = _by_seat(count.touches)
            for seat, spent in resting.items():
                if not spent and seat not in touches:
                    # A late hand that has not left the table is an early hand at the next opening.
                    touches[seat] = [Touch(seat, -rules.early_tolerance - 1)]
            hands: list[Hand] = []
            still: dict[int, bool] = {}
            for seat, own in touches.items():
                own = sorted(own, key=lambda touch: touch.down)
                if own[-1].up is None:
                    still[seat] = False
                if resting.get(seat) and own[0].down < 0:
                    # Still resting from the candidate it was counted for (or ruled out for): not a new hand.
                    if len(own) == 1 and own[0].up is None:
                        still[seat] = True
                    own = own[1:]
                hand = read_hand(rules, seat, own, count)
                if hand is not None and seat not in gone:
                    hands.append(hand)
            for hand in sorted(hands, key=lambda hand: (hand.first, hand.seat)):
                seat = hand.seat
                if hand.vote is not None and (seat, candidate) in barred:
                    if seat in still:
                        still[seat] = True
                    hand_counts = False
                elif hand.vote is not None and (seat in given or seat in natural):
                    offences.append((seat, Offence.SEVERAL_CANDIDATES, candidate))
                    if seat in still:
                        still[seat] = True
                    continue
                else:
                    hand_counts = hand.vote is not None
                if hand.early:
                    offences.append((seat, Offence.EARLY_HAND, candidate))
                elif hand.pulled:
                    offences.append((seat, Offence.HAND_PULLED, candidate))
                if hand_counts:
                    natural.add(seat)
                    if seat in still:
                        still[seat] = True
                    if forced.get(seat, candidate) == candidate:
                        raised.append((hand.vote if hand.vote is not None else 0, seat))
                elif hand.late:
                    late.append(seat)
            # A hand that was counted and simply was not listed again has not left either.
            resting = {**{seat: True for seat, spent in resting.items() if spent and seat not in touches}, **still}
        raised.sort()
        order = [seat for _, seat in raised]
        order += [seat for seat, where in forced.items() if where == candidate and seat not in order]
        for seat in order:
            given[seat] = candidate
        votes.append(Votes(candidate, tuple(order), (), tuple(late)))
    if ballot.counted and votes:
        unraised = tuple(seat for seat in ballot.voters if seat not in given and seat in living)
        if rules.unvoted_to_last and ballot.questions[-1]:
            # fiim 4.4.9: a hand that was not raised falls to the last candidate.
            votes[-1] = Votes(votes[-1].candidate, votes[-1].hands, unraised, votes[-1].late)
            if ballot.counts[-1].by_sensors:
                freed = {seat for seat, _ in barred}
                offences += [(seat, Offence.NOT_RAISED, votes[-1].candidate) for seat in unraised if seat not in freed]
    return Sheet(tuple(votes), _proposals(rules, ballot, at, offences, answered))


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


def _by_seat(touches: Iterable[Touch]) -> dict[int, list[Touch]]:
    found: dict[int, list[Touch]] = {}
    for touch in touches:
        found.setdefault(touch.seat, []).append(touch)
    return found


def _proposals(
    rules: Rules,
    ballot: Ballot,
    at: str,
    offences: Iterable[tuple[int, Offence, int]],
    answered: Iterable[Proposal],
) -> tuple[Proposal, ...]:
    """Proposals for `offences` where the text has a clause for them; answered ones keep their answer and place."""
    known = {proposal.id: proposal for proposal in answered if proposal.given is not None}
    found: list[Proposal] = []
    for seat, what, candidate in offences:
        sanction = rules.proposals.get(what)
        if sanction is None:
            continue
        number = f"{ballot.number}.{candidate}.{seat}.{what}"
        found.append(known.pop(number, None) or Proposal(number, seat, what, sanction.clause, candidate, at))
    return (*found, *known.values())
