"""Which commands are legal now. Screens and lamps offer these and no others.

Whose turn it is at night is a secret: what is told here for the night's calls does not depend on roles.
"""

from dataclasses import dataclass

from controller.game import commands as cmd
from controller.game.best_move import best_move_of
from controller.game.commands import Command
from controller.game.decide import check
from controller.game.night import waking
from controller.game.phases import Dealing, LastWord, Over
from controller.game.refusal import Refusal, Refused
from controller.game.roles import Role
from controller.game.rules import Waking
from controller.game.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Legal:
    """What the judge may do now; tuples hold the seats for which it may be done."""

    next: bool
    deal: tuple[int, ...]
    nominate: tuple[int, ...]
    withdraw: bool
    foul: tuple[int, ...]
    remove: tuple[int, ...]
    defeat: tuple[int, ...]
    open_window: bool
    close_window: bool
    void_window: bool
    rule: tuple[int, ...]
    count: bool
    shoot: bool
    kill: bool
    check: Role | None
    act: Role | None
    best_move: int | None
    will: int | None
    award: bool
    protest: bool
    annul: bool

    technical: tuple[int, ...] = ()
    """Who may be given a technical foul, where the tournament has them."""

    @property
    def warn(self) -> tuple[int, ...]:
        """Whoever may be given a foul may be warned, except while a window is open."""
        return () if self.close_window else self.foul


def refusal(state: State, command: Command) -> Refusal | None:
    """Why `command` would be refused now; None where it is legal."""
    try:
        check(state, command)
    except Refused as refused:
        return refused.refusal
    return None


def _may(state: State, command: Command) -> bool:
    return refusal(state, command) is None


def _seems(state: State, command: Command) -> bool:
    """Whether `command` is legal for all that the table knows: what only roles forbid is offered, and refused under the
    cover."""
    refused = refusal(state, command)
    return refused is None or refused.secret


def legal(state: State) -> Legal:
    """Everything that is legal in `state`."""
    numbers = tuple(seat.number for seat in state.seats)
    ballot = state.ballot
    is_open = ballot is not None and ballot.is_open
    speaker = state.minute_of
    call = waking(state)
    step = call.step if call is not None else None
    checks = {Waking.DON: Role.DON, Waking.SHERIFF: Role.SHERIFF}
    acts = {
        Waking.MANIAC: Role.MANIAC,
        Waking.BEAUTY: Role.BEAUTY,
        Waking.DOCTOR: Role.DOCTOR,
        Waking.BOMBER: Role.BOMBER,
    }
    checking = checks.get(step) if step is not None else None
    acting = acts.get(step) if step is not None else None
    last_word = state.phase.seat if isinstance(state.phase, LastWord) else None
    owner = best_move_of(state) if last_word is not None or isinstance(state.phase, Over) else None
    punishable = tuple(n for n in numbers if _may(state, cmd.Foul(n)))
    called: tuple[int, ...] = ()
    if ballot is not None:
        called = tuple(count.candidate for count in ballot.counts)
        if is_open and ballot.due is not None:
            called = (*called, ballot.due)
    return Legal(
        next=_may(state, cmd.Next()),
        deal=numbers if isinstance(state.phase, Dealing) else (),
        nominate=() if speaker is None else tuple(n for n in numbers if _may(state, cmd.Nominate(speaker, n))),
        withdraw=speaker is not None and _may(state, cmd.Withdraw(speaker)),
        foul=punishable,
        remove=punishable,
        defeat=numbers if _seems(state, cmd.Defeat(numbers[0])) else (),
        open_window=_may(state, cmd.OpenWindow()),
        close_window=is_open,
        void_window=_may(state, cmd.VoidWindow()),
        rule=()
        if ballot is None or not called
        else tuple(n for n in ballot.voters if _may(state, cmd.RuleHand(called[-1], n, counts=True))),
        count=ballot is not None and ballot.due is not None and _may(state, cmd.CountVote(ballot.due, ())),
        shoot=_may(state, cmd.Shoot(missed=True)),
        kill=_may(state, cmd.Kill()),
        check=checking if checking is not None and _may(state, cmd.Check(checking, None)) else None,
        act=Role.AVENGER
        if _may(state, cmd.Act(Role.AVENGER))
        else acting
        if acting is not None and _may(state, cmd.Act(acting))
        else None,
        best_move=owner if owner is not None and _may(state, cmd.BestMove(owner, ())) else None,
        will=last_word if last_word is not None and _may(state, cmd.Will(last_word)) else None,
        award=isinstance(state.phase, Over),
        protest=isinstance(state.phase, Over) and state.rules.protests,
        annul=_may(state, cmd.Annul()),
        technical=punishable if state.rules.technical_fouls_out else (),
    )
