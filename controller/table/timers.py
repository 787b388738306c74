"""Which clock runs in which phase of the game (fiim 4.2, 4.3.1, 4.4.13, 4.4.14, 4.5.6)."""

from controller.game.night import waking
from controller.game.phases import Acquaintance, LastWord, Night, Over, Speech, SpeechKind
from controller.game.state import State
from controller.table.clock import SECOND
from controller.table.state import Timer

CALL = "call"
PROTESTS = "protests"
"""The ten minutes after the end in which a protest is taken (fiim 8.9): counted for the judge alone."""
PROTESTS_S = 600


def timer_of(state: State, number: int, now: int) -> Timer | None:
    """The timer that begins with the phase of `state` and runs from `now`; None where nothing is timed.

    `number` is the journal row that begins it: timers have ids, and a new one is a new one.
    """
    timed = _timed(state)
    if timed is None:
        return None
    kind, seat, seconds = timed
    total = seconds * SECOND
    return Timer(f"timer {number}", kind, seat, total, running=True, deadline=now + total, left=total)


def _timed(state: State) -> tuple[str, int | None, int] | None:
    match state.phase:
        case Speech(seat, kind, seconds) if seconds:
            return kind.value, seat, seconds
        case LastWord(seat, seconds) if seconds:
            return SpeechKind.LAST_WORD.value, seat, seconds
        case Acquaintance() | Night():
            call = waking(state)
            return None if call is None or not call.seconds else (CALL, None, call.seconds)
        case Over() if state.rules.protests and state.outcome is not None:
            return PROTESTS, None, PROTESTS_S
        case _:
            return None
