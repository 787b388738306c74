"""What the hall sees in the course of an evening, as the sound is told it."""

from dataclasses import replace

from controller.sound.score import Heard
from controller.views.messages import Timer

MS = 1_000_000

DAY = Heard(game=1, kind="dusk", round=1, speaker=None, timer=None, open_since=None, closes=None)
NIGHT = replace(DAY, kind="night")
MORNING = replace(DAY, kind="morning", round=2)


def speech(seat: int = 3, *, ends: int, total: int = 60_000, name: str = "timer 1") -> Heard:
    """`seat` speaks until `ends`, nanoseconds."""
    timer = Timer(id=name, kind="minute", total=total, running=True, deadline=ends / MS, left=total)
    return replace(DAY, kind="speech", speaker=(seat, "minute"), timer=timer)


def paused(heard: Heard, left: int) -> Heard:
    """The same with the clock standing still; `left` milliseconds."""
    assert heard.timer is not None
    timer = Timer(id=heard.timer.id, kind="minute", total=heard.timer.total, running=False, deadline=None, left=left)
    return replace(heard, timer=timer)


def vote(*, opened: int, closes: int) -> Heard:
    """A window that is open, nanoseconds."""
    return replace(DAY, kind="voting", open_since=opened / MS, closes=closes / MS)
