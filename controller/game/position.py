"""Setting the table: a position entered by hand, to start in mid-game or to go on when everything else has failed."""

from dataclasses import dataclass

from controller.game.moment import Moment
from controller.game.seat import How


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands, as a judge would note it on paper. Roles are the deal's."""

    at: Moment
    left: tuple[tuple[int, How, Moment], ...] = ()
    """Who is out, how and when, in the order of leaving."""
    fouls: tuple[tuple[int, int], ...] = ()
    """Seats with fouls and how many, 1 to 4."""
    silent: tuple[int, ...] = ()
    """Seats whose nearest minute is taken by the third foul."""
    nominated: tuple[tuple[int, int], ...] = ()
    """Today's nominations, nominator and nominee, in order; nominator 0: not known."""
    speaker: int | None = None
    """By day: whose minute begins; None: everybody has just woken. No meaning by night."""
    opener: int | None = None
    """Who opened the discussion last; None: by day the speaker, or nobody yet."""
