"""Short records to count points of: what differs is added at the end, or in place of a line."""

from controller.game.refusal import Refusal
from controller.record import Reading, RecordFault, read
from controller.record.result import points_row
from controller.scoring import points_of_game

SEATS = "civilian mafia civilian sheriff civilian civilian mafia civilian don civilian"
"""2 and 7 mafia, 9 the don, 4 the sheriff."""

RED_WINS = """
night 0
day 1
1 nominates 2
3 nominates 5
vote 2: 1 3 4 6 8 10
vote 5:
night 1
shot: {first}
{best}
day 2
3 nominates 9
5 nominates 10
vote 9: 3 5 6 8 10
vote 10:
night 2
shot: miss
day 3
5 nominates 7
vote 7:
"""

BLACK_WINS = """
night 0
day 1
1 nominates 3
2 nominates 9
vote 3: 1 2 4 5 7 8 9
vote 9: 3 6 10
night 1
shot: {first}
{best}
day 2
2 nominates 5
vote 5:
night 2
shot: 6
"""

DRAW = """
night 0
day 1
night 1
shot: miss
day 2
night 2
shot: miss
day 3
night 3
shot: miss
day 4
end
"""


def head(ruleset: str, scoring: str = "", *more: str, seats: str = SEATS) -> str:
    lines = [f"ruleset: {ruleset}", *([f"scoring: {scoring}"] if scoring else []), *more]
    lines += [f"seat {n}: P{n}, {role}" for n, role in enumerate(seats.split(), 1)]
    return "\n".join(lines) + "\n"


def game(play: str, *after: str, ruleset: str = "fiim", scoring: str = "", more: tuple[str, ...] = ()) -> Reading:
    """The game of `play` with the lines `after` it."""
    return read(head(ruleset, scoring, *more) + play + "\n".join(after) + "\n")


def red_wins(
    *after: str, first: int = 1, best: str = "", ruleset: str = "fiim", scoring: str = "", more: tuple[str, ...] = ()
) -> Reading:
    """Red wins on day 3; `first` is shot in night 1."""
    return game(RED_WINS.format(first=first, best=best), *after, ruleset=ruleset, scoring=scoring, more=more)


def black_wins(
    *after: str, first: int = 1, best: str = "", ruleset: str = "fiim", scoring: str = "", more: tuple[str, ...] = ()
) -> Reading:
    """Black wins in night 2; `first` is shot in night 1."""
    return game(BLACK_WINS.format(first=first, best=best), *after, ruleset=ruleset, scoring=scoring, more=more)


def points(reading: Reading, seat: int) -> dict[str, str]:
    """All parts of one player's points that are not 0, as they are printed."""
    row = points_row(points_of_game(reading.game.state, reading.table)[seat])
    return {name: value for name, value in row.items() if value != "0"}


def total(reading: Reading, seat: int) -> str:
    return points(reading, seat).get("total", "0")


def refused(reading: object) -> Refusal:
    """The refusal that reading ends in: `refused(lambda: red_wins("award 1 2"))`."""
    assert callable(reading)
    try:
        reading()
    except RecordFault as fault:
        return fault.refusal
    raise AssertionError("it was not refused")
