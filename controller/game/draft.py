"""Events decided so far, and the state they lead to. A chapter reads `draft.state` and emits what follows from it."""

from controller.game.events import Event
from controller.game.state import State, apply


class Draft:
    """What one command is unfolding into."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def emit(self, *events: Event) -> None:
        """Takes events as decided: the state moves on with each."""
        for event in events:
            self.events.append(event)
            self.state = apply(self.state, event)
