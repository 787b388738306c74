"""Games that nobody planned: a judge who does anything that `legal` offers, with a liking for what is rare.

Everything comes from one seed. `anything` makes commands without asking whether they are legal; `offered` says by
`Legal` alone, and by what a screen sees beside it, whether one of them should be taken.
"""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from controller.game import Legal, State
from controller.game import commands as cmd
from controller.game.ballot import RAISE, Ballot, BallotKind, Proposal, Touch
from controller.game.commands import Command
from controller.game.phases import Dealing, LastWord, Over, Speech, Voting
from controller.game.roles import Role

SEATS = range(1, 11)
BLACK = (Role.MAFIA, Role.DON)
CLAUSES = (None, "6.6.1", "6.6.4", "6.7.1", "6.8.1", "5.1.14")


@dataclass(frozen=True)
class Temper:
    """What a game is likely to bring."""

    nominate: float
    withdraw: float
    tie: float
    """How often a ballot is split evenly."""
    sensors: float
    untidy: float
    """How often a hand is early, late, pulled or twice on the table."""
    ruling: float
    void: float
    foul: float
    remove: float
    end: float
    """How often a defeat or an annulment comes."""
    miss: float
    stalls: bool
    """Whether nobody is voted out or shot any more once four are left."""
    spares: bool
    """Whether the hands and shots avoid to end the game."""


def temper(chance: Random) -> Temper:
    """A game's own temper."""
    return Temper(
        nominate=chance.choice((0.15, 0.4, 0.9)),
        withdraw=chance.choice((0.0, 0.2)),
        tie=chance.choice((0.1, 0.5, 0.95)),
        sensors=chance.choice((0.0, 0.5, 1.0)),
        untidy=chance.choice((0.0, 0.1, 0.5)),
        ruling=chance.choice((0.0, 0.1, 0.3)),
        void=chance.choice((0.0, 0.05)),
        foul=chance.choice((0.0, 0.03, 0.15)),
        remove=chance.choice((0.0, 0.0, 0.004, 0.03)),
        end=chance.choice((0.0, 0.0, 0.002)),
        miss=chance.choice((0.1, 0.3, 1.0)),
        stalls=chance.random() < 0.5,
        spares=chance.random() < 0.6,
    )


def living_black(state: State) -> list[int]:
    """Living seats with a black card, the sent off left out."""
    return [seat.number for seat in state.seats if seat.acts and seat.role in BLACK]


def pending(state: State) -> list[Proposal]:
    """What waits in the judge's queue."""
    return [proposal for proposal in state.proposals if proposal.given is None]


class Judge:
    """Makes one legal command after another."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        self.temper = temper(self.chance)
        self.after = self.chance.randrange(5)

    def often(self, share: float) -> bool:
        """Whether it happens this time."""
        return self.chance.random() < share

    def decides(self, state: State, now: Legal) -> Command | None:
        """The next command; None when there is nothing more to do."""
        if isinstance(state.phase, Over):
            return self._after_the_game(state, now)
        aside = self._aside(state, now)
        if aside is not None:
            return aside
        match state.phase:
            case Dealing():
                return self._deal(state, now)
            case Voting():
                return self._vote(state, now)
            case Speech() if self._may_nominate(state, now):
                assert state.minute_of is not None
                return cmd.Nominate(state.minute_of, self.chance.choice(now.nominate))
            case Speech() if now.withdraw and self.often(self.temper.withdraw):
                assert state.minute_of is not None
                return cmd.Withdraw(state.minute_of)
            case LastWord() if now.best_move is not None and self.often(0.6):
                return cmd.BestMove(now.best_move, tuple(self.chance.sample(SEATS, self.chance.randrange(4))))
            case _:
                return self._night(state, now)

    def _night(self, state: State, now: Legal) -> Command:
        if now.shoot:
            return self._shoot(state)
        if now.check is not None and self.often(0.8):
            holder = state.holder(now.check)
            acts = holder is not None and holder.acts
            return cmd.Check(now.check, self.chance.choice(SEATS) if acts and self.often(0.8) else None)
        return cmd.Next()

    def _deal(self, state: State, now: Legal) -> Command:
        if self.often(0.05) and state.seat(1).role is not None:
            return cmd.Deal(1, state.seat(1).role or Role.DON)
        if now.next:
            return cmd.Next()
        deck = Counter({Role.CIVILIAN: 6, Role.SHERIFF: 1, Role.MAFIA: 2, Role.DON: 1})
        deck.subtract(seat.role for seat in state.seats if seat.role is not None)
        seat = self.chance.choice([seat.number for seat in state.seats if seat.role is None])
        return cmd.Deal(seat, self.chance.choice([*deck.elements()]))

    def _aside(self, state: State, now: Legal) -> Command | None:
        """What a judge does whatever the phase is."""
        if now.remove and self.often(self.temper.remove):
            return cmd.Remove(self.chance.choice(now.remove), self.chance.choice(CLAUSES))
        if now.foul and self.often(self.temper.foul):
            # Fouls gather on few, so that third and fourth ones come.
            return cmd.Foul(self.chance.choice(now.foul[:3] if self.often(0.7) else now.foul))
        if now.warn and self.often(0.01):
            return cmd.Warn(self.chance.choice(now.warn), self.chance.choice(CLAUSES))
        if now.defeat and self.often(self.temper.end):
            return cmd.Defeat(self.chance.choice(now.defeat))
        if now.annul and self.often(self.temper.end / 2):
            return cmd.Annul()
        waiting = pending(state)
        if waiting and not now.close_window and self.often(0.3):
            proposal = self.chance.choice(waiting)
            give = proposal.seat in now.foul and self.often(0.6)
            return cmd.Give(proposal.id) if give else cmd.Waive(proposal.id)
        return None

    def _may_nominate(self, state: State, now: Legal) -> bool:
        stalled = self.temper.stalls and len(state.living) <= 4
        return bool(now.nominate) and not stalled and self.often(self.temper.nominate)

    def _goes_on_without(self, state: State, seat: int) -> bool:
        living = [n for n in state.living if n != seat]
        black = sum(1 for n in living if state.seat(n).role in BLACK)
        return 0 < black < len(living) - black

    def _victim(self, state: State, among: tuple[int, ...]) -> int:
        spared = [seat for seat in among if self._goes_on_without(state, seat)]
        return self.chance.choice(spared if spared and self.temper.spares else among)

    def _shoot(self, state: State) -> Command:
        shooters = living_black(state)
        stalled = self.temper.stalls and len(state.living) <= 4
        if stalled or self.often(self.temper.miss):
            if self.often(0.5):
                return cmd.Shoot(missed=True)
            some = self.chance.sample(shooters, self.chance.randrange(len(shooters) + 1))
            shots = tuple((seat, tuple(self.chance.choices(SEATS, k=self.chance.choice((0, 2))))) for seat in some)
            return cmd.Shoot(shots)
        victim = self._victim(state, state.living if self.often(0.9) else tuple(SEATS))
        if self.often(0.5):
            return cmd.Shoot(everybody_at=victim)
        return cmd.Shoot(tuple((seat, (victim,)) for seat in shooters))

    # --- the vote

    def _plan(self, state: State, ballot: Ballot) -> dict[int, list[int]]:
        """Who will raise the hand for whom in this ballot; the same whenever it is asked."""
        chance = Random(f"{self.seed}.{ballot.number}")
        voters = list(ballot.voters)
        chance.shuffle(voters)
        if ballot.kind is BallotKind.RAISE:
            return {RAISE: voters[: chance.choice((0, len(voters) // 2, len(voters) // 2 + 1, len(voters)))]}
        candidates = ballot.candidates
        if chance.random() < self.temper.tie:
            return {seat: voters[index :: len(candidates)] for index, seat in enumerate(candidates)}
        if chance.random() < 0.5:
            spared = [seat for seat in candidates if self._goes_on_without(state, seat)]
            out = chance.choice(spared or candidates)
            return {out: voters[: chance.randint(len(voters) // 2, len(voters))]}
        plan: dict[int, list[int]] = {}
        for voter in voters:
            if chance.random() < 0.8:
                plan.setdefault(chance.choice(candidates), []).append(voter)
        return plan

    def _vote(self, state: State, now: Legal) -> Command:
        ballot = state.ballot
        assert ballot is not None
        if now.rule and self.often(self.temper.ruling):
            called = [count.candidate for count in ballot.counts]
            called += [ballot.due] if ballot.is_open and ballot.due is not None else []
            return cmd.RuleHand(self.chance.choice(called), self.chance.choice(now.rule), self.often(0.5))
        if now.void_window and self.often(self.temper.void):
            return cmd.VoidWindow()
        if now.next:
            return cmd.Next()
        due = ballot.due
        assert due is not None
        hands = self._plan(state, ballot).get(due, [])
        if now.close_window and self.often(0.9):
            return cmd.CountHands(due, self._touches(ballot, hands), announced=3_000_000)
        if now.open_window and self.often(self.temper.sensors):
            return cmd.OpenWindow(self.chance.randrange(10**12))
        given = {seat for votes in ballot.votes for seat in votes.hands}
        return cmd.CountVote(due, tuple(seat for seat in hands if seat not in given))

    def _touches(self, ballot: Ballot, hands: list[int]) -> tuple[Touch, ...]:
        found: list[Touch] = []
        for seat in hands:
            up = self.chance.choice((None, 2_500_000, 3_500_000))
            found.append(Touch(seat, self.chance.randint(-300_000, 2_000_000), up))
        for seat in ballot.voters:
            if self.often(self.temper.untidy):
                down = self.chance.randint(-3_000_000, 3_000_000)
                found.append(Touch(seat, down, self.chance.choice((None, down, down + 400_000, down + 2_000_000))))
        self.chance.shuffle(found)
        return tuple(found)

    def _after_the_game(self, state: State, now: Legal) -> Command | None:
        if self.after == 0:
            return None
        self.after -= 1
        seat = self.chance.choice(SEATS)
        if now.foul and self.often(0.3):
            return cmd.Foul(self.chance.choice(now.foul))
        if now.remove and self.often(0.2):
            return cmd.Remove(self.chance.choice(now.remove))
        if now.award and not any(row.seat == seat for row in state.awards) and self.often(0.4):
            return cmd.Award(seat, Decimal("0.1"))
        if now.protest and self.often(0.3):
            return cmd.Protest(seat, "Протест")
        if now.annul and self.often(0.1):
            return cmd.Annul()
        return cmd.Penalise(seat, Decimal("-0.4"))


# --- commands that nobody has asked about


def anything(chance: Random, state: State) -> Command:
    """Any command with any seats, 0 and 11 among them; about the present ballot and queue more often than not."""
    seat, other = chance.randint(0, 11), chance.randint(0, 11)
    clause = chance.choice((*CLAUSES, "6.6.8"))
    candidate = seat
    if state.ballot is not None and chance.random() < 0.8:
        candidate = chance.choice((*state.ballot.questions, state.ballot.due or RAISE))
    numbers = tuple(chance.choices(range(12), k=chance.randrange(5)))
    role = chance.choice((*Role,))
    speaker = state.minute_of if state.minute_of is not None and chance.random() < 0.7 else seat
    queue = [proposal.id for proposal in state.proposals[-3:]] or ["1.5.1.early_hand"]
    touches = tuple(Touch(number, chance.randint(-(10**6), 3 * 10**6)) for number in numbers)
    return chance.choice(
        (
            lambda: cmd.Deal(seat, role),
            cmd.Next,
            lambda: cmd.Nominate(speaker, other),
            lambda: cmd.Withdraw(speaker),
            lambda: cmd.Foul(seat, clause),
            lambda: cmd.Warn(seat, clause),
            lambda: cmd.Remove(seat, clause),
            lambda: cmd.Defeat(seat, clause),
            cmd.OpenWindow,
            cmd.VoidWindow,
            lambda: cmd.CountHands(candidate, touches),
            lambda: cmd.Announce(candidate, touches, 10**6),
            lambda: cmd.CountVote(candidate, numbers),
            lambda: cmd.RuleHand(candidate, seat, chance.random() < 0.5),
            lambda: cmd.Give(chance.choice(queue)),
            lambda: cmd.Waive(chance.choice(queue)),
            lambda: cmd.Shoot(everybody_at=seat),
            lambda: cmd.Shoot(tuple((number, (other,)) for number in numbers)),
            lambda: cmd.Shoot(missed=True),
            lambda: cmd.Check(role, chance.choice((None, seat))),
            lambda: cmd.Check(Role.DON, seat),
            lambda: cmd.Check(Role.SHERIFF, None),
            lambda: cmd.Kill(seat),
            lambda: cmd.Act(role, numbers),
            lambda: cmd.BestMove(seat, numbers),
            lambda: cmd.Will(seat),
            lambda: cmd.Award(seat, Decimal("0.1")),
            lambda: cmd.Penalise(seat, Decimal("-0.4")),
            lambda: cmd.Protest(seat, chance.choice(("Протест", " "))),
            cmd.Annul,
        )
    )()


def _known(clause: str | None) -> bool:
    return clause is None or clause in CLAUSES


def offered(now: Legal, state: State, command: Command) -> bool:
    """Whether `command` is among what `now` offers, its details being possible."""
    at_table = set(SEATS)
    ballot = state.ballot
    voters = set(ballot.voters) if ballot is not None else set[int]()
    match command:
        case cmd.Deal(seat, role):
            deck = Counter({Role.CIVILIAN: 6, Role.SHERIFF: 1, Role.MAFIA: 2, Role.DON: 1})
            deck.subtract(s.role for s in state.seats if s.role is not None and s.number != seat)
            return seat in now.deal and deck[role] > 0
        case cmd.Next():
            return now.next
        case cmd.Nominate(by, seat):
            return by == state.minute_of and seat in now.nominate
        case cmd.Withdraw(by):
            return by == state.minute_of and now.withdraw
        case cmd.Foul(seat, clause):
            return seat in now.foul and _known(clause)
        case cmd.Warn(seat, clause):
            return seat in now.warn and _known(clause)
        case cmd.Remove(seat, clause):
            return seat in now.remove and _known(clause)
        case cmd.Defeat(seat, clause):
            return seat in now.defeat and _known(clause)
        case cmd.OpenWindow():
            return now.open_window
        case cmd.VoidWindow():
            return now.void_window
        case cmd.CountHands(candidate, touches):
            due = ballot is not None and candidate == ballot.due
            return now.close_window and due and {touch.seat for touch in touches} <= voters
        case cmd.Announce(candidate, touches):
            if ballot is None or now.close_window or not ballot.counts or not isinstance(state.phase, Voting):
                return False
            last = ballot.counts[-1]
            return last.candidate == candidate and last.by_sensors and {touch.seat for touch in touches} <= voters
        case cmd.CountVote(candidate, seats):
            if ballot is None or not now.count or candidate != ballot.due:
                return False
            given = {seat for votes in ballot.votes for seat in votes.hands}
            return len(set(seats)) == len(seats) and set(seats) <= voters - given
        case cmd.RuleHand(candidate, seat):
            if ballot is None:
                return False
            called = {count.candidate for count in ballot.counts} | ({ballot.due} if now.close_window else set())
            return seat in now.rule and candidate in called
        case cmd.Give(proposal):
            mine = [row for row in pending(state) if row.id == proposal]
            return bool(mine) and not now.close_window and mine[0].seat in now.foul
        case cmd.Waive(proposal):
            return proposal in {row.id for row in pending(state)} and not now.close_window
        case cmd.Shoot(shots, everybody_at):
            shooters = [shooter for shooter, _ in shots]
            targets = {target for _, aimed in shots for target in aimed}
            targets |= {everybody_at} if everybody_at is not None else set()
            possible = len(set(shooters)) == len(shooters) and set(shooters) <= set(living_black(state))
            return now.shoot and possible and targets <= at_table
        case cmd.Check(by, seat):
            holder = state.holder(by)
            return now.check is by and (seat is None or (seat in at_table and holder is not None and holder.acts))
        case cmd.BestMove(seat, numbers):
            possible = len(set(numbers)) == len(numbers) <= 3 and set(numbers) <= at_table
            return now.best_move == seat and possible
        case cmd.Award(seat):
            return now.award and seat in at_table - {row.seat for row in state.awards}
        case cmd.Penalise(seat):
            return now.award and seat in at_table
        case cmd.Protest(seat, text):
            return now.protest and seat in at_table and bool(text.strip())
        case cmd.Annul():
            return now.annul
        case _:
            return False  # city's and the club's
