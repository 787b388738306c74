"""`decide(state, command)`: the events of a legal command, or the refusal with its clause. Nothing is half done.

`unfold` is the same with the state that the events lead to.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.game import aftermath, best_move, city, deal, fouls, moves, night, nominations, setting, voting
from controller.game import commands as cmd
from controller.game.commands import Command
from controller.game.draft import Draft
from controller.game.events import Event
from controller.game.phases import Over
from controller.game.refusal import Refusal, Refused, refuse
from controller.game.state import State


@dataclass(frozen=True, slots=True)
class Chapter:
    """How one command is checked and done."""

    check: Callable[[State, Any], None]
    do: Callable[[Draft, Any], None]


CHAPTERS: dict[type[Command], Chapter] = {
    cmd.Deal: Chapter(deal.check_deal, deal.deal),
    cmd.Next: Chapter(lambda state, _: moves.check_next(state), lambda draft, _: moves.step(draft)),
    cmd.Nominate: Chapter(nominations.check_nominate, nominations.nominate),
    cmd.Withdraw: Chapter(nominations.check_withdraw, nominations.withdraw),
    cmd.Foul: Chapter(fouls.check_foul, fouls.give_foul),
    cmd.TechnicalFoul: Chapter(fouls.check_technical, fouls.give_technical),
    cmd.Warn: Chapter(fouls.check_warn, fouls.warn),
    cmd.Remove: Chapter(fouls.check_remove, fouls.remove),
    cmd.Defeat: Chapter(fouls.check_defeat, fouls.defeat),
    cmd.OpenWindow: Chapter(voting.check_open, voting.open_window),
    cmd.VoidWindow: Chapter(voting.check_void, voting.void_window),
    cmd.CountHands: Chapter(voting.check_count_hands, voting.count_hands),
    cmd.Announce: Chapter(voting.check_announce, voting.announce),
    cmd.CountVote: Chapter(voting.check_count_vote, voting.count_vote),
    cmd.RuleHand: Chapter(voting.check_rule, voting.rule_hand),
    cmd.Give: Chapter(fouls.check_give, fouls.give),
    cmd.Waive: Chapter(fouls.check_waive, fouls.waive),
    cmd.Shoot: Chapter(night.check_shoot, night.shoot),
    cmd.Check: Chapter(night.check_check, night.check),
    cmd.Kill: Chapter(city.check_kill, city.kill),
    cmd.Act: Chapter(city.check_act, city.act),
    cmd.BestMove: Chapter(best_move.check_best_move, best_move.name_best_move),
    cmd.Will: Chapter(best_move.check_will, best_move.leave_will),
    cmd.Award: Chapter(aftermath.check_award, aftermath.award),
    cmd.Penalise: Chapter(aftermath.check_penalise, aftermath.penalise),
    cmd.Protest: Chapter(aftermath.check_protest, aftermath.protest),
    cmd.Annul: Chapter(aftermath.check_annul, aftermath.annul),
    cmd.SetPosition: Chapter(setting.check_set, setting.set_table),
}

WHILE_OPEN = frozenset(
    {cmd.RuleHand, cmd.CountHands, cmd.CountVote, cmd.VoidWindow, cmd.Foul, cmd.TechnicalFoul, cmd.Remove}
)
"""While a window is open the judge rules a hand, closes, voids, gives a foul or removes; nothing else."""

AFTER_THE_END = frozenset(
    {
        cmd.Foul,
        cmd.TechnicalFoul,
        cmd.Warn,
        cmd.Remove,
        cmd.Give,
        cmd.Waive,
        cmd.BestMove,
        cmd.Will,
        cmd.Award,
        cmd.Penalise,
        cmd.Protest,
        cmd.Annul,
        cmd.SetPosition,
    }
)
"""What is still taken when the game is over (rules page, reading 20)."""


def check(state: State, command: Command) -> None:
    """Raises Refused if `command` is not legal in `state`."""
    kind = type(command)
    if isinstance(state.phase, Over) and kind not in AFTER_THE_END:
        raise refuse("game_over")
    if state.ballot is not None and state.ballot.is_open and kind not in WHILE_OPEN:
        raise refuse("window_open")
    if isinstance(command, cmd.Defeat) and says_result_first(state, command):
        said = Draft(state)
        moves.say_result(said, lambda _: None)
        state = said.state  # the vote may have decided the game
    CHAPTERS[kind].check(state, command)


def unfold(state: State, command: Command) -> Draft | Refusal:
    """What `command` unfolds into, with all automatic consequences; or why it is refused.

    The draft's state is the fold of its events over `state`, so whoever goes on from there need not fold them again.
    """
    try:
        check(state, command)
    except Refused as refused:
        return refused.refusal
    draft = Draft(state)
    chapter = CHAPTERS[type(command)]
    if says_result_first(state, command):
        moves.say_result(draft, lambda draft: chapter.do(draft, command))
    else:
        chapter.do(draft, command)
    return draft


def decide(state: State, command: Command) -> tuple[Event, ...] | Refusal:
    """The events that follow from `command`; or why it is refused."""
    draft = unfold(state, command)
    return draft if isinstance(draft, Refusal) else tuple(draft.events)


def says_result_first(state: State, command: Command) -> bool:
    """Whether the result of a counted ballot is said before `command`: it is determined already.

    So for a removal (fiim 7.2); a team's defeat and an annulment come after it too.
    """
    if not voting.every_hand_is_counted(state):
        return False
    return isinstance(command, cmd.Defeat | cmd.Annul) or fouls.removes(state, command)
