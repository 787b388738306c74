"""Records to be read: a head with the cards, and what is said of it."""

from controller.game.state import State
from controller.record import RecordFault, read

FIIM = "civilian mafia civilian sheriff civilian civilian mafia civilian don civilian"
CITY = "civilian mafia beauty sheriff doctor civilian mafia maniac don civilian"


def head(ruleset: str = "fiim", *more: str, cards: str = FIIM) -> str:
    seats = [f"seat {n}: P{n}, {card}" for n, card in enumerate(cards.split(), 1)]
    return "\n".join([f"ruleset: {ruleset}", *more, *seats]) + "\n\n"


def state(*lines: str, ruleset: str = "fiim", more: tuple[str, ...] = (), cards: str = FIIM) -> State:
    """The game of these lines as it comes out at the end."""
    return read(head(ruleset, *more, cards=cards) + "\n".join(lines) + "\n").game.state


def fault(text: str) -> RecordFault:
    """The fault that reading `text` ends in."""
    try:
        read(text)
    except RecordFault as found:
        return found
    raise AssertionError("it was not refused")


def refused(*lines: str, ruleset: str = "fiim", more: tuple[str, ...] = (), cards: str = FIIM) -> str:
    """Why the last of these lines is refused; no other line may be."""
    found = fault(head(ruleset, *more, cards=cards) + "\n".join(lines) + "\n")
    above = head(ruleset, *more, cards=cards).count("\n")
    assert found.line == above + len(lines), (found.line, found.refusal)
    return found.refusal.code
