"""A game on the bench, told as it is played: `game.day(1).nominates(1, 5)`, `game.vote({5: [1, 2]})`, `game.leaves`.

Every sentence is a command that the engine must take; where the story only says what happens later, the bench makes
the steps up to there as a judge would, with a miss and no checks for a night that is passed over.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller.game import RULESETS, History, Legal, Refusal, State, begin, legal, new_game
from controller.game import commands as cmd
from controller.game.ballot import BallotKind, Touch
from controller.game.commands import Command
from controller.game.moment import Moment
from controller.game.night import waking
from controller.game.phases import (
    Choosing,
    Dealing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Phase,
    Speech,
    SpeechKind,
    Voting,
)
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.seat import Seat
from controller.game.state import BallotRow

HAND = re.compile(r"(\d+)@(-?[\d.]+?)(?:\.\.(-?[\d.]+))?")


def micro(seconds: str) -> int:
    """Seconds as they are written in a record, in microseconds."""
    return round(float(seconds) * 1_000_000)


def touches(hands: str) -> tuple[Touch, ...]:
    """Hands as the notation writes them: `1@0.35 3@-0.20..2.9`, seconds from the opening."""
    found: list[Touch] = []
    for word in hands.split():
        match = HAND.fullmatch(word)
        assert match, word
        seat, down, up = match.groups()
        found.append(Touch(int(seat), micro(down), None if up is None else micro(up)))
    return tuple(found)


class Table:
    """One game with the judge's hand on it."""

    def __init__(self, ruleset: str = "fiim", *, seats: int | None = None, **options: Any) -> None:
        self.history: History = begin(new_game(replace(RULESETS[ruleset], **options), seats))

    # --- the judge's hand

    def plays(self, command: Command) -> "Table":
        """`command` is taken."""
        played = self.history.play(command)
        assert isinstance(played, History), f"{command} was refused: {played}"
        self.history = played
        return self

    def refuses(self, command: Command) -> Refusal:
        """`command` is refused, and nothing has happened."""
        played = self.history.play(command)
        assert isinstance(played, Refusal), f"{command} was taken"
        return played

    def undo(self) -> "Table":
        """The last decision is taken back."""
        back = self.history.undo()
        assert isinstance(back, History)
        self.history = back
        return self

    def redo(self) -> "Table":
        """What the last undo took back is done again."""
        again = self.history.redo()
        assert isinstance(again, History)
        self.history = again
        return self

    def next(self, steps: int = 1) -> "Table":
        """The one big step."""
        for _ in range(steps):
            self.plays(cmd.Next())
        return self

    def until(self, there: Callable[[State], bool]) -> "Table":
        """Steps up to where `there` holds, with a miss for a shooting that is passed over."""
        for _ in range(200):
            if there(self.state):
                return self
            assert not isinstance(self.phase, Over), f"the game was over before that: {self.outcome}"
            if self.calls is Waking.SHOOTING and self.state.tonight is not None and self.state.tonight.shots is None:
                self.misses()
            if self.calls is Waking.KILL and self.state.tonight is not None and self.state.tonight.shots is None:
                self.plays(cmd.Kill())
            self.next()
        raise AssertionError("the game never came to that")

    # --- the deal and the phases

    def dealt(self, *, mafia: Iterable[int] = (2, 7), don: int = 9, sheriff: int = 4) -> "Table":
        """Ten cards are drawn; night 0 has not begun."""
        roles = dict.fromkeys(mafia, Role.MAFIA) | {don: Role.DON, sheriff: Role.SHERIFF}
        for seat in self.state.seats:
            self.plays(cmd.Deal(seat.number, roles.get(seat.number, Role.CIVILIAN)))
        return self

    def seated(self, *roles: Role) -> "Table":
        """These cards are drawn, from seat 1 on, and civilians' by the rest; night 0 has not begun."""
        for seat in self.state.seats:
            drawn = roles[seat.number - 1] if seat.number <= len(roles) else Role.CIVILIAN
            self.plays(cmd.Deal(seat.number, drawn))
        return self

    def night(self, number: int) -> "Table":
        """Night `number` falls."""
        night = Moment.night_of(number)
        return self.until(lambda state: state.at == night and not isinstance(state.phase, Dealing))

    def morning(self, number: int) -> "Table":
        """Everybody wakes on day `number`."""
        return self.until(lambda state: state.at == Moment.day_of(number) and isinstance(state.phase, Morning))

    def day(self, number: int) -> "Table":
        """Day `number` has begun: its first minute, or the last word of the one shot in the night."""
        day = Moment.day_of(number)
        return self.until(lambda state: state.at == day and not isinstance(state.phase, Morning))

    def minute(self, seat: int) -> "Table":
        """`seat` has the minute."""
        return self.until(lambda state: state.minute_of == seat)

    def last_word(self, seat: int | None = None) -> "Table":
        """Somebody has the last word."""
        return self.until(lambda state: isinstance(state.phase, LastWord) and seat in (None, state.phase.seat))

    def revote(self) -> "Table":
        """Somebody of the tied has the word."""
        return self.until(lambda state: isinstance(state.phase, Speech) and state.phase.kind is SpeechKind.REVOTE)

    def ballot(self) -> "Table":
        """The judge is about to call the first candidate, or puts the raise question."""
        return self.until(lambda state: isinstance(state.phase, Voting))

    def dusk(self) -> "Table":
        """The day is done."""
        return self.until(lambda state: isinstance(state.phase, Dusk))

    def over(self) -> "Table":
        """Nothing more is played."""
        return self.until(lambda state: isinstance(state.phase, Over))

    # --- by day

    def nominates(self, by: int, seat: int) -> "Table":
        """In the minute of `by`."""
        return self.minute(by).plays(cmd.Nominate(by, seat))

    def withdraws(self, by: int) -> "Table":
        """`by` takes the own nomination back."""
        return self.plays(cmd.Withdraw(by))

    def foul(self, seat: int, clause: str | None = None, *, times: int = 1) -> "Table":
        """Fouls to `seat`."""
        for _ in range(times):
            self.plays(cmd.Foul(seat, clause))
        return self

    def remove(self, seat: int, clause: str | None = None) -> "Table":
        """A disqualifying foul."""
        return self.plays(cmd.Remove(seat, clause))

    def best(self, seat: int, *numbers: int) -> "Table":
        """The best move of `seat`, in the last word."""
        return self.plays(cmd.BestMove(seat, numbers))

    # --- the vote

    def count(self, hands: Mapping[int, Iterable[int]]) -> "Table":
        """The judge counts every candidate himself; the result is not said yet."""
        self.ballot()
        called = [(seat, tuple(hands.get(seat, ()))) for seat in self.candidates]
        assert {seat for seat, _ in called} >= set(hands), f"{list(hands)} do not stand, but {self.candidates}"
        for seat, raised in called:
            self.plays(cmd.CountVote(seat, raised))
        return self

    def vote(self, hands: Mapping[int, Iterable[int]]) -> "Table":
        """A whole ballot with its result."""
        return self.count(hands).next()

    def raises(self, *hands: int) -> "Table":
        """The hands for "all of them leave", with the result."""
        assert self.asked_to_raise
        return self.plays(cmd.CountVote(0, hands)).next()

    def hands(self, candidate: int, seen: str = "", closed: float = 2.0, announced: float | None = None) -> "Table":
        """A window by sensors, in the notation's words."""
        self.ballot()
        self.plays(cmd.OpenWindow())
        said = None if announced is None else micro(str(announced))
        return self.plays(cmd.CountHands(candidate, touches(seen), micro(str(closed)), said))

    def rule(self, candidate: int, seat: int, *, counts: bool) -> "Table":
        """The judge's word over one hand."""
        return self.plays(cmd.RuleHand(candidate, seat, counts))

    # --- by night

    def shoots(self, target: int) -> "Table":
        """All living black at one seat."""
        return self.plays(cmd.Shoot(everybody_at=target))

    def shots(self, shots: Mapping[int, Iterable[int]]) -> "Table":
        """Each shooter alone."""
        return self.plays(cmd.Shoot(tuple((shooter, tuple(targets)) for shooter, targets in shots.items())))

    def misses(self) -> "Table":
        """A miss, without saying whose."""
        return self.plays(cmd.Shoot(missed=True))

    def don_checks(self, seat: int | None) -> bool:
        """The don's check; returns the judge's nod."""
        return self._checks(Role.DON, Waking.DON, seat)

    def sheriff_checks(self, seat: int | None) -> bool:
        """The sheriff's check; returns whether the seat is black."""
        return self._checks(Role.SHERIFF, Waking.SHERIFF, seat)

    def _checks(self, role: Role, waking: Waking, seat: int | None) -> bool:
        self.until(lambda _: self.calls is waking).plays(cmd.Check(role, seat))
        row = self.state.tonight
        assert row is not None
        return bool(row.checks) and row.checks[-1].by is role and row.checks[-1].hit

    # --- by city's night

    def kills(self, together: int | None = None, **choices: int) -> "Table":
        """What the mafia want, all together or each: `kills(_4=6, _7=6)`; nothing: they refuse."""
        pairs = tuple((int(shooter.strip("_")), target) for shooter, target in choices.items())
        return self.until(lambda _: self.calls is Waking.KILL).plays(cmd.Kill(together, pairs))

    def acts(self, role: Role, *seats: int) -> "Table":
        """What `role` does when it is called; no seats: refuses."""
        return self.wakes(role).plays(cmd.Act(role, seats))

    def wakes(self, role: Role) -> "Table":
        """`role` is called, or the dead avenger is asked."""
        if role is Role.AVENGER:
            return self.until(lambda state: isinstance(state.phase, Choosing))
        return self.until(lambda state: isinstance(state.phase, Night) and self.calls == role.value)

    # --- what is seen

    @property
    def state(self) -> State:
        """The whole state."""
        return self.history.state

    @property
    def phase(self) -> Phase:
        """Where the game is."""
        return self.state.phase

    @property
    def stands(self) -> str:
        """Where the game is, in a word: `dusk of day 1`."""
        return f"{type(self.phase).__name__.lower()} of {self.state.at}"

    @property
    def calls(self) -> Waking | None:
        """Who is called in the night."""
        call = waking(self.state)
        return None if call is None else call.step

    @property
    def word(self) -> tuple[int, int] | None:
        """Who has the word, and for how many seconds."""
        return (self.phase.seat, self.phase.seconds) if isinstance(self.phase, Speech | LastWord) else None

    @property
    def legal(self) -> Legal:
        """What the judge may do."""
        return legal(self.state)

    @property
    def living(self) -> tuple[int, ...]:
        """Who is in play."""
        return self.state.living

    @property
    def left(self) -> list[str]:
        """Who has left, how and when, in order: `5 voted day 1`."""
        return [f"{row.seat} {row.how} {row.at}" for row in self.state.departures]

    @property
    def candidates(self) -> tuple[int, ...]:
        """Who stands, in the order of the calls."""
        return self.state.candidates if self.state.ballot is None else self.state.ballot.questions

    @property
    def asked_to_raise(self) -> bool:
        """Whether the raise question is being put."""
        return self.state.ballot is not None and self.state.ballot.kind is BallotKind.RAISE

    @property
    def row(self) -> BallotRow:
        """The last ballot that came to its result."""
        return self.state.ballots[-1]

    @property
    def leaves(self) -> list[int]:
        """Whom the last ballot sent out."""
        return list(self.row.leaves)

    @property
    def votes(self) -> dict[int, list[int]]:
        """The hands raised in the present ballot, or in the last one."""
        votes = self.row.votes if self.state.ballot is None else self.state.ballot.votes
        return {row.candidate: list(row.hands) for row in votes}

    @property
    def assigned(self) -> dict[int, list[int]]:
        """The hands that fell to a candidate in the present ballot, or in the last one."""
        votes = self.row.votes if self.state.ballot is None else self.state.ballot.votes
        return {row.candidate: list(row.assigned) for row in votes if row.assigned}

    @property
    def late(self) -> dict[int, list[int]]:
        """Hands that came after the close."""
        votes = self.row.votes if self.state.ballot is None else self.state.ballot.votes
        return {row.candidate: list(row.late) for row in votes if row.late}

    @property
    def proposed(self) -> list[str]:
        """The judge's queue, answered ones included: `4 early_hand 6.6.4`."""
        return [f"{row.seat} {row.what} {row.clause}" for row in self.state.proposals]

    @property
    def outcome(self) -> str | None:
        """How the game ended: `red no_black_left day 3`."""
        found = self.state.outcome
        return None if found is None else f"{found.winner} {found.reason} {found.at}"

    @property
    def speeches(self) -> list[tuple[int, int]]:
        """Who had the word on the present night or day, and for how long, in order."""
        return [(row.seat, row.seconds) for row in self.state.speeches if row.at == self.state.at]

    def seat(self, number: int) -> Seat:
        """The seat `number`."""
        return self.state.seat(number)


def five_left(**options: Any) -> Table:
    """Last word of 8 on day 3: 4, 5, 6, 9 and 10 live, and 9 is the don."""
    game = Table(**options).dealt()
    game.nominates(1, 2).nominates(3, 8).vote({2: [1, 3, 4, 5, 6, 8]})
    game.night(1).shoots(1).day(2)
    game.nominates(3, 7).nominates(4, 3).vote({7: [3, 4, 5, 6, 8], 3: [7, 9, 10]})
    game.night(2).shoots(3).day(3)
    game.nominates(5, 8)
    if game.state.rules.name == "ukraine":
        game.last_word(8)  # nobody votes on one candidate there
    else:
        game.vote({8: []})
    assert game.living == (4, 5, 6, 9, 10)
    return game


def four_left(**options: Any) -> Table:
    """Last word of 5 on day 4: 4, 6, 9 and 10 live, and 9 is the don; 5 was shot."""
    return five_left(**options).night(3).shoots(5).day(4)
