"""A game and all the decisions that made it: play, undo, redo, replace. Values; nothing changes in place.

Undo takes back the last decision with every automatic consequence, whatever phase it has led to.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from controller.game.commands import Command
from controller.game.decide import unfold as unfold_play
from controller.game.draft import Draft
from controller.game.events import Event
from controller.game.refusal import Refusal
from controller.game.state import State, fold, new_game

Unfold: TypeAlias = Callable[[State, Command], Draft | Refusal]


class Decision(NamedTuple):
    """One decision as it was taken: the command, what came of it, and the state before and after.

    A person takes one command; the table may have to play others `ahead` of it (evidence that is completed first)
    and `then`, when their time comes (a window that is counted). `events` are those of all of them, in order.
    """

    number: int
    command: Command
    events: tuple[Event, ...]
    before: State
    after: State
    previous: "Decision | None"
    ahead: tuple[Command, ...] = ()
    then: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """The game up to now, and the decisions that an undo has taken back."""

    start: State
    last: Decision | None = None
    undone: tuple[Decision, ...] = ()
    """What a redo would bring back, the next one last."""
    unfold: Unfold = unfold_play

    @property
    def state(self) -> State:
        """Where the game is now."""
        return self.start if self.last is None else self.last.after

    @property
    def length(self) -> int:
        """How many decisions stand."""
        return 0 if self.last is None else self.last.number

    def __iter__(self) -> Iterator[Decision]:
        """The decisions that stand, first to last."""
        found: list[Decision] = []
        decision = self.last
        while decision is not None:
            found.append(decision)
            decision = decision.previous
        return reversed(found)

    def play(self, command: Command, ahead: tuple[Command, ...] = ()) -> "History | Refusal":
        """The game with one decision more, or why it is refused: `command` with `ahead` before it, all or nothing."""
        before = state = self.state
        events: list[Event] = []
        for part in (*ahead, command):
            draft = self.unfold(state, part)
            if isinstance(draft, Refusal):
                return draft
            state = draft.state
            events += draft.events
        return self._with(Decision(self.length + 1, command, tuple(events), before, state, self.last, ahead))

    def _with(self, decision: Decision) -> "History":
        return History(self.start, decision, (), self.unfold)

    def happened(
        self,
        command: Command,
        events: tuple[Event, ...],
        ahead: tuple[Command, ...] = (),
        then: tuple[Command, ...] = (),
    ) -> "History":
        """The game with a decision whose events are known: nothing is decided anew."""
        before = self.state
        return self._with(
            Decision(self.length + 1, command, events, before, fold(before, events), self.last, ahead, then)
        )

    def follow(self, command: Command) -> "History | Refusal":
        """The game with `command` as an automatic consequence of the last decision: an undo takes back both."""
        draft = self.unfold(self.state, command)
        return draft if isinstance(draft, Refusal) else self.followed(command, tuple(draft.events))

    def followed(self, command: Command, events: tuple[Event, ...]) -> "History":
        """The game with a consequence of the last decision whose events are known.

        Raises ValueError if there is no decision.
        """
        if self.last is None:
            raise ValueError("nothing has been decided that this could follow from")
        last = self.last._replace(
            events=(*self.last.events, *events),
            after=fold(self.last.after, events),
            then=(*self.last.then, command),
        )
        return self._with(last)

    def undo(self) -> "History | Refusal":
        """The game without its last decision."""
        if self.last is None:
            return Refusal("nothing_to_undo")
        return replace(self, last=self.last.previous, undone=(*self.undone, self.last))

    def redo(self) -> "History | Refusal":
        """The game with the decision that the last undo took back."""
        if not self.undone:
            return Refusal("nothing_to_redo")
        return replace(self, last=self.undone[-1], undone=self.undone[:-1])

    def replace(self, number: int, command: Command) -> "History | Refusal":
        """The same game with `command` as decision `number`; the later ones decided anew, all or nothing.

        What was played ahead of the replaced command stays; what followed from it falls away with it.
        """
        decisions = list(self)
        if not 1 <= number <= len(decisions):
            return Refusal("no_such_decision", {"decision": number})
        replaced = decisions[number - 1]
        game = replace(self, last=replaced.previous, undone=()).play(command, replaced.ahead)
        for decision in decisions[number:]:
            if isinstance(game, Refusal):
                return game
            game = game.play(decision.command, decision.ahead)
            for consequence in decision.then:
                if isinstance(game, Refusal):
                    return game
                game = game.follow(consequence)
        return game


def begin(start: State, unfold: Unfold = unfold_play) -> History:
    """A game before its first decision."""
    return History(start, unfold=unfold)


__all__ = ["Decision", "History", "Unfold", "begin", "new_game"]
