"""A foreign game played through the engine: the engine walks, and at every step takes what the source has for it.

The engine is not bent. What it refuses is left out and noted; where it needs what the source does not have - a ballot
the source's rules do not hold - the walk ends, and the game is incomplete.
"""

from controller.game import commands as cmd
from controller.game.ballot import BallotKind
from controller.game.commands import Command
from controller.game.fouls import FOULS_OUT
from controller.game.history import History, begin
from controller.game.moment import Moment
from controller.game.night import living_black, waking
from controller.game.phases import Acquaintance, Dusk, LastWord, Morning, Night, Over, Speech, SpeechKind, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.rules import Rules, Waking
from controller.game.state import State, new_game
from controller.record.exchange.compare import compare
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.foreign import Exit, ForeignGame, Place, Sanction, Stage
from controller.record.exchange.notes import Kind, Notes
from controller.record.saying import said

STAGES = {Waking.SHOOTING: Stage.SHOOTING, Waking.DON: Stage.DON, Waking.SHERIFF: Stage.SHERIFF}


def retrace(foreign: ForeignGame, rules: Rules, notes: Notes) -> tuple[History, bool]:
    """The game as the engine comes through it, and whether it came to its end. Raises ExchangeFault."""
    walk = _Walk(foreign, rules, notes)
    walk.deal()
    while not isinstance(walk.state.phase, Over) and not walk.stopped:
        walk.step()
    complete = isinstance(walk.state.phase, Over)
    if complete:
        walk.punish_rest(None)
    walk.leftovers()
    compare(foreign, walk.state, notes)
    return walk.game, complete


class _Walk:
    """Where the engine is, and what of the source is still to come."""

    def __init__(self, foreign: ForeignGame, rules: Rules, notes: Notes) -> None:
        self.foreign = foreign
        self.notes = notes
        self.game = begin(new_game(rules, len(foreign.roles)))
        self.sanctions = list(foreign.sanctions)
        self.nominated: set[tuple[int, int]] = set()
        self.voted: set[tuple[int, int]] = set()
        self.stopped = False

    @property
    def state(self) -> State:
        """The present state."""
        return self.game.state

    def deal(self) -> None:
        """The cards as the source has them."""
        for seat, role in sorted(self.foreign.roles.items()):
            played = self.game.play(cmd.Deal(seat, role))
            if isinstance(played, Refusal):
                raise ExchangeFault("deal", game=self.foreign.label, seat=seat, role=role.value)
            self.game = played
        played = self.game.play(cmd.Next())
        if isinstance(played, Refusal):
            raise ExchangeFault("deal", game=self.foreign.label, seat=0, role="")
        self.game = played

    def step(self) -> None:
        """What belongs to the present step, and the step after it."""
        if self.state.minute_of is not None:
            # A nomination that was accepted stood before a removal in the same minute could keep it from being made.
            self.minute(self.state.minute_of)
        before = self.state
        self.punish()
        if self.state.phase != before.phase or isinstance(self.state.phase, Over):
            return  # a removal has moved the game on
        match self.state.phase:
            case Night():
                self.night()
                self.punish()
            case Voting() if not self.counted:
                self.vote()
                return
            case LastWord(seat, _, _):
                self.last_word(seat)
            case Dusk():
                self.punish_rest(self.state.at)
            case _:
                pass
        if not self.stopped and self.state.phase == before.phase:
            self.next()

    @property
    def counted(self) -> bool:
        """Whether the ballot only waits for its result."""
        return self.state.ballot is not None and self.state.ballot.counted

    def next(self) -> None:
        """The judge's step."""
        if waking(self.state) is not None and self.last_call():
            self.punish_rest(self.state.at)
            if isinstance(self.state.phase, Over):
                return
        played = self.game.play(cmd.Next())
        if isinstance(played, Refusal):
            self.stop("stuck", refusal=played)
        else:
            self.game = played

    def last_call(self) -> bool:
        """Whether this night's last call is being made."""
        onward = self.game.play(cmd.Next())
        return not isinstance(onward, Refusal) and not isinstance(onward.state.phase, Acquaintance | Night)

    def play(self, command: Command) -> bool:
        """Plays what the source has; what is refused is noted and left out."""
        before = self.state
        played = self.game.play(command)
        if isinstance(played, Refusal):
            what = said(command, before, before)
            self.notes.add(Kind.DIFFERS, "refused", played, at=str(before.at), what=what)
            return False
        self.game = played
        return True

    def stop(self, code: str, refusal: Refusal | None = None) -> None:
        """The engine cannot go on with what the source has."""
        self.notes.add(Kind.DIFFERS, code, refusal, at=str(self.state.at))
        self.stopped = True

    # --- fouls and removals

    def here(self, place: Place) -> bool:
        """Whether `place` is where the engine is."""
        state, phase = self.state, self.state.phase
        if place.at != state.at:
            return False
        ballot = state.ballot
        match phase:
            case Acquaintance():
                return True
            case Night():
                call = waking(state)
                return call is not None and place.stage in (STAGES.get(call.step), Stage.BEGIN)
            case Morning():
                return place.stage is Stage.BEGIN
            case Speech(seat, SpeechKind.MINUTE, _):
                return place.stage is Stage.MINUTE and place.seat in (seat, None)
            case Speech(seat, _, _):
                # Programs count the speeches after the first tie as round 0 or 1.
                fits = place.round is None or self.ballots_held - place.round in (0, 1)
                return place.stage is Stage.SPLIT and place.seat in (seat, None) and fits
            case Voting() if ballot is not None and ballot.kind is BallotKind.RAISE:
                return place.stage is Stage.RAISE
            case Voting() if ballot is not None:
                return (
                    place.stage is Stage.VOTE
                    and place.round in (self.ballots_held, None)
                    and (place.seat is None or ballot.due in (place.seat, None))
                )
            case Dusk():
                return place.stage is Stage.DUSK
            case LastWord(seat, _, evening):
                stage = Stage.EVENING_WORD if evening else Stage.MORNING_WORD
                return place.stage is stage and place.seat in (seat, None)
            case _:
                return False

    def punish(self) -> None:
        """Gives what was given here. A fourth foul in a vote that took somebody out came after the count (fiim 7.1)."""
        for sanction in list(self.sanctions):
            if self.here(sanction.place) and not self.waits(sanction):
                self.give(sanction)

    def waits(self, sanction: Sanction) -> bool:
        """Whether this removal is kept back: until the shot or check that its player made, or until the count."""
        state, seat = self.state, sanction.seat
        if sanction.how is None and len(state.seat(seat).fouls) + 1 < FOULS_OUT:
            return False
        match state.phase:
            case Night():
                return not self.recorded and (self.acts(seat) or seat in self.foreign.leavers(state.at, Exit.NIGHT))
            case Voting():
                votes = self.votes()
                voted = votes is not None and seat in votes
                return not self.counted and voted and bool(self.foreign.leavers(state.at, Exit.VOTE))
            case _:
                return False

    @property
    def recorded(self) -> bool:
        """Whether the present call of the night has been played."""
        call, night = waking(self.state), self.state.tonight
        assert call is not None
        assert night is not None
        return night.shots is not None if call.step is Waking.SHOOTING else call.step.value in night.acted

    def acts(self, seat: int) -> bool:
        """Whether `seat` does something in the present call by the source's word."""
        call, night = waking(self.state), self.foreign.nights.get(self.state.at.number)
        assert call is not None
        if night is None:
            return False
        if call.step is Waking.SHOOTING:
            return night.shots.get(seat) is not None
        return self.foreign.roles[seat].value == call.step.value and self.foreign.roles[seat] in night.checks

    def punish_rest(self, at: Moment | None) -> None:
        """Gives what belongs to `at` and had no place of its own; None: all that is left."""
        for sanction in list(self.sanctions):
            at_the_end = sanction.place.stage is Stage.END
            if at is None or (sanction.place.at <= at and not at_the_end):
                if not at_the_end:
                    self.notes.add(Kind.ASSUMED, "foul_place", seat=sanction.seat, at=str(sanction.place.at))
                self.give(sanction)

    def give(self, sanction: Sanction) -> None:
        """A foul, a removal, a defeat."""
        self.sanctions.remove(sanction)
        seat, clause = sanction.seat, sanction.clause
        match sanction.how:
            case None:
                self.play(cmd.Foul(seat, clause))
            case Exit.DEFEAT:
                self.play(cmd.Defeat(seat, clause))
            case _:
                self.play(cmd.Remove(seat, clause))

    # --- night

    def night(self) -> None:
        """The shots or the check of the present call."""
        state, call = self.state, waking(self.state)
        assert call is not None
        night = self.foreign.nights.get(state.at.number)
        if call.step is Waking.SHOOTING:
            if night is None:
                self.stop("no_night")
                return
            living = living_black(state)
            for shooter in night.shots.keys() - set(living):
                self.notes.add(Kind.DIFFERS, "shot_of_the_dead", seat=shooter, at=str(state.at))
            shots = tuple((seat, (target,)) for seat in living if (target := night.shots.get(seat)) is not None)
            self.play(cmd.Shoot(shots))
            return
        role = Role.DON if call.step is Waking.DON else Role.SHERIFF
        seat = night.checks.get(role) if night is not None else None
        if seat is not None:
            self.play(cmd.Check(role, seat))

    # --- day

    def minute(self, seat: int) -> None:
        """The speaker's nomination."""
        day = self.foreign.days.get(self.state.at.number)
        target = day.nominations.get(seat) if day is not None else None
        if target is not None and (self.state.at.number, seat) not in self.nominated:
            self.nominated.add((self.state.at.number, seat))
            self.play(cmd.Nominate(seat, target))

    def vote(self) -> None:
        """The hands for the candidate whose turn it is."""
        ballot = self.state.ballot
        assert ballot is not None
        assert ballot.due is not None
        if ballot.kind is BallotKind.RAISE:
            self.raised()
            return
        votes = self.votes()
        if votes is None:
            self.cut()
            return
        self.voted.add((self.state.at.number, self.ballots_held))
        if not ballot.counts:
            self.check_votes(votes, ballot.candidates, ballot.voters)
        living = self.state.living
        self.play(cmd.CountVote(ballot.due, tuple(seat for seat in living if votes.get(seat) == ballot.due)))

    def cut(self) -> None:
        """A ballot that the source does not have: a removal has cut it off (fiim 7.1), or its rules hold none."""
        before = self.state.phase
        for sanction in list(self.sanctions):
            if (sanction.place.at, sanction.place.stage) == (self.state.at, Stage.VOTE):
                self.give(sanction)
        if self.state.phase == before:
            self.stop("no_ballot")

    @property
    def ballots_held(self) -> int:
        """How many ballots of this day have their result."""
        return sum(row.at == self.state.at for row in self.state.ballots)

    def votes(self) -> dict[int, int] | None:
        """The source's votes of the present ballot."""
        day = self.foreign.days.get(self.state.at.number)
        return day.ballots[self.ballots_held] if day is not None and self.ballots_held < len(day.ballots) else None

    def check_votes(self, votes: dict[int, int], candidates: tuple[int, ...], voters: tuple[int, ...]) -> None:
        """Notes hands that the engine cannot take as they are."""
        at = str(self.state.at)
        self.notes.add(Kind.MISSING, "order_of_hands")
        for seat, candidate in sorted(votes.items()):
            if seat not in voters:
                self.notes.add(Kind.DIFFERS, "vote_of_the_dead", seat=seat, at=at)
            elif candidate not in candidates:
                self.notes.add(Kind.DIFFERS, "vote_for_no_candidate", seat=seat, candidate=candidate, at=at)
        for seat in voters:
            if seat not in votes:
                self.notes.add(Kind.ASSUMED, "hand_to_the_last", seat=seat, at=at)

    def raised(self) -> None:
        """The question whether all tied leave; where the source is silent, who left says how it went."""
        state = self.state
        assert state.ballot is not None
        day = self.foreign.days.get(state.at.number)
        hands = day.raised if day is not None else None
        if hands is None:
            left = set(state.ballot.candidates) <= self.foreign.leavers(state.at, Exit.VOTE)
            hands = state.living if left else ()
            self.notes.add(Kind.ASSUMED, "raise_all" if left else "raise_none", at=str(state.at))
        self.play(cmd.CountVote(0, tuple(seat for seat in state.living if seat in hands)))

    def last_word(self, seat: int) -> None:
        """The best move of the first one shot."""
        best = self.foreign.best_move
        if best is not None and best[0] == seat and self.state.best_move is None:
            self.play(cmd.BestMove(seat, best[1]))

    # --- what the engine had no place for

    def leftovers(self) -> None:
        """Notes nominations and ballots that the engine did not come to."""
        for number, day in sorted(self.foreign.days.items()):
            for seat, target in day.nominations.items():
                if (number, seat) not in self.nominated:
                    self.notes.add(Kind.DIFFERS, "nomination_not_taken", by=seat, seat=target, day=number)
            for ballot in range(len(day.ballots)):
                if (number, ballot) not in self.voted:
                    self.notes.add(Kind.DIFFERS, "ballot_not_held", day=number, ballot=ballot + 1)
        best = self.foreign.best_move
        if best is not None and self.state.best_move is None:
            self.notes.add(Kind.DIFFERS, "best_move_not_taken", seat=best[0])
        for sanction in self.sanctions:
            self.notes.add(Kind.DIFFERS, "foul_not_taken", seat=sanction.seat, at=str(sanction.place.at))
