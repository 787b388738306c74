"""A table without a table: a game's history and a clock of its own, shown as the snapshots that views are made from."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count

from controller.game import commands as cmd
from controller.game.ballot import Touch
from controller.game.best_move import best_move_of
from controller.game.commands import Command
from controller.game.history import History, begin
from controller.game.phases import LastWord, Night, Over, Speech, SpeechKind, Voting
from controller.game.refusal import Refusal
from controller.game.roles import Role
from controller.game.rulesets import RULESETS
from controller.game.state import State, new_game
from controller.service import sample_final
from controller.table.board import lamps
from controller.table.state import Contact, Disk, Link, Snapshot, Stage, Timer, Window
from controller.table.steps import main_step
from controller.table.timers import timer_of
from controller.table.wishes import Header

SECOND = 1_000_000_000
ANNOUNCED = 3_200_000
"""So long after the opening the judge says the count, microseconds."""
LINK = Link("table", True, None, "", "sim-1", True, {})


@dataclass
class Course:
    """One game as it goes."""

    history: History = field(default_factory=lambda: begin(new_game(RULESETS["fiim"])))
    now: int = 1_000 * SECOND
    rows: Iterator[int] = field(default_factory=lambda: count(1))
    timer: Timer | None = None
    touches: tuple[Touch, ...] = ()
    row: int = 0

    @property
    def state(self) -> State:
        """Where the game is."""
        return self.history.state

    def play(self, command: Command) -> Refusal | None:
        """One decision; the refusal where it is not legal."""
        before = self.state
        played = self.history.play(command)
        if isinstance(played, Refusal):
            return played
        self.history = played
        self.row = next(self.rows)
        if (before.phase, before.at) != (self.state.phase, self.state.at):
            self.timer = timer_of(self.state, self.row, self.now)
        return None

    def must(self, command: Command) -> None:
        """One decision that is legal."""
        refused = self.play(command)
        assert refused is None, (command, refused)

    def undo(self) -> None:
        """The last decision is taken back."""
        back = self.history.undo()
        assert isinstance(back, History)
        self.history, self.row = back, next(self.rows)

    def snapshot(self) -> Snapshot:
        """What the table would show."""
        window, ballot = None, self.state.ballot
        if ballot is not None and ballot.opened is not None and ballot.due is not None:
            length = self.state.rules.window * 1000
            hands = tuple(touch.seat for touch in self.touches)
            window = Window(
                ballot.due, Stage.OPEN, ballot.opened, ballot.opened + length, length, hands, self.touches, (), False
            )
        step = main_step(self.state, None if window is None else window.stage)
        undo = self.history.last is not None
        return Snapshot(
            revision=self.row,
            game="a game",
            previous=None,
            header=Header(event="Кубок", stage="Финал", judge="Полночь"),
            names=sample_final.NAMES,
            history=self.history,
            timer=self.timer,
            stopped=False,
            window=window,
            contacts={seat.number: Contact.UP for seat in self.state.seats},
            links=(LINK,),
            disk=Disk.OK,
            damage=None,
            step=step,
            lamps=lamps(self.state, step=step, window=window, timer=self.timer, undo=undo, armed=None),
        )

    def deal(self, cards: Iterable[Role] = sample_final.CARDS) -> Iterator[Snapshot]:
        """The cards are drawn."""
        for seat, role in enumerate(cards, 1):
            self.must(cmd.Deal(seat, role))
            yield self.snapshot()

    def vote(self, hands: Mapping[int, tuple[Touch, ...]]) -> Iterator[Snapshot]:
        """The ballot that is due, window by window, with these touches."""
        while (ballot := self.state.ballot) is not None and ballot.due is not None:
            due = ballot.due
            self.touches = ()
            self.must(cmd.OpenWindow(self.now))
            yield self.snapshot()
            self.touches = hands.get(due, ())
            yield self.snapshot()
            self.must(cmd.CountHands(due, self.touches))
            yield self.snapshot()
            self.must(cmd.Announce(due, self.touches, ANNOUNCED))
            yield self.snapshot()


def touches(seats: Iterable[int], *, early: int | None = None, pulled: int | None = None) -> tuple[Touch, ...]:
    """Hands that come down one after another."""
    return tuple(
        Touch(
            seat,
            -700_000 if seat == early else 100_000 + 50_000 * place,
            1_500_000 if seat == pulled else 2_500_000,
        )
        for place, seat in enumerate(seats)
    )


def sample_game() -> Iterator[Snapshot]:
    """The sample final, decision by decision, with a ruling, an undo, a warning and the judge's points in it."""
    course = Course()
    yield course.snapshot()
    yield from course.deal()
    while not isinstance(course.state.phase, Over):
        course.now += SECOND
        for command in _recorded(course.state):
            course.must(command)
            yield course.snapshot()
        if isinstance(course.state.phase, Voting):
            held = sum(1 for row in course.state.ballots if row.at == course.state.at)
            plan = sample_final.DAYS[course.state.at.number].ballots[held]
            yield from course.vote(
                {one: touches(seats, early=plan.early, pulled=plan.pulled) for one, seats in plan.hands.items()}
            )
            last = list(plan.hands)[-1]
            course.must(cmd.RuleHand(last, plan.hands[last][0], True))
            yield course.snapshot()
        course.must(cmd.Next())
        yield course.snapshot()
        course.undo()
        yield course.snapshot()
        course.must(cmd.Next())
        waiting = [row for row in course.state.proposals if row.given is None]
        if waiting and not isinstance(course.state.phase, Night):
            course.must(cmd.Give(waiting[0].id))
            yield course.snapshot()
    course.must(cmd.Award(5, Decimal("0.4"), True))
    course.must(cmd.Protest(3, "Рука была раньше"))
    yield course.snapshot()


def _recorded(state: State) -> Iterator[Command]:
    """What the script records in this step besides going on."""
    number = state.at.number
    match state.phase:
        case Night(step):
            plan = sample_final.NIGHTS[number]
            if step == 0:
                yield cmd.Shoot(everybody_at=plan.shot)
            role, seat = (Role.DON, plan.don) if step == 1 else (Role.SHERIFF, plan.sheriff)
            if step and seat is not None:
                yield cmd.Check(role, seat)
        case Speech(speaker, SpeechKind.MINUTE):
            day = sample_final.DAYS[number]
            if speaker in day.fouls:
                yield cmd.Foul(day.fouls[speaker], "6.6.1")
            if speaker in day.nominates:
                yield cmd.Nominate(speaker, day.nominates[speaker])
        case LastWord(speaker) if best_move_of(state) == speaker and state.best_move is None:
            yield cmd.BestMove(speaker, sample_final.NIGHTS[1].best_move)
        case _:
            return
