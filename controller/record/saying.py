"""A decision as a line of a record. The lines are those that `statements.py` reads."""

from collections.abc import Iterable

from controller.game import commands as cmd
from controller.game.ballot import RAISE, Touch
from controller.game.commands import Command
from controller.game.roles import Role
from controller.game.state import State
from controller.record.lines import seconds
from controller.record.positions import position_words
from controller.scoring.decimals import shortest

NONE = "-"


def clean(text: str) -> str:
    """`text` as it can stand in a line: without a comment's sign and in one line."""
    return " ".join(text.replace("#", "№").split())


def said(command: Command, before: State, after: State) -> str:
    """The line for `command`, decided in `before` with `after` as its result.

    Raises ValueError for what a record does not say: a card, a step, an opened window.
    """
    match command:
        case cmd.Nominate(by, seat):
            return f"{by} nominates {seat}"
        case cmd.Withdraw(by):
            return f"{by} withdraws"
        case cmd.Foul(seat, clause):
            return _words("foul", seat, clause)
        case cmd.TechnicalFoul(seat, heavy, clause):
            return _words("technical", seat, "heavy" if heavy else "light", clause)
        case cmd.Warn(seat, clause):
            return _words("warn", seat, clause)
        case cmd.Remove(seat, clause):
            return _words("remove", seat, clause)
        case cmd.Defeat(seat, clause):
            return _words("defeat", seat, clause)
        case cmd.VoidWindow():
            return f"void {_question(_voided(before))}"
        case cmd.CountHands():
            return _hands(command, before)
        case cmd.CountVote(candidate, seats):
            return _list("raise" if candidate == RAISE else f"vote {candidate}", seats)
        case cmd.RuleHand(candidate, seat, counts):
            return f"rule {_question(candidate)}: {seat} {'yes' if counts else 'no'}"
        case cmd.Give(proposal):
            return f"give {_proposal(before, proposal)}"
        case cmd.Waive(proposal):
            return f"waive {_proposal(before, proposal)}"
        case cmd.Shoot():
            return f"shot: {_shots(command, after)}"
        case cmd.Check(by, seat):
            word = "check" if by is Role.SHERIFF and before.rules.name == "city" else by.value
            return f"{word}: {NONE if seat is None else seat}"
        case cmd.Kill(together, choices):
            pairs = (f"{shooter}>{target}" for shooter, target in choices)
            return f"kill: {together if together is not None else ' '.join(pairs) or NONE}"
        case cmd.Act(by, seats):
            return _list(by.value, seats, none=NONE)
        case cmd.BestMove(seat, numbers):
            return _list(f"best {seat}", numbers, none=NONE)
        case cmd.Will(seat, named, forgotten):
            return f"will {seat}: {'forgotten' if forgotten else NONE if named is None else named}"
        case cmd.Award(seat, points, approved):
            return _words("award", seat, shortest(points), "approved" if approved else None)
        case cmd.Penalise(seat, points, clause):
            return _words("penalty", seat, shortest(points), clause)
        case cmd.Protest(seat, text):
            return f"protest {seat}: {clean(text)}"
        case cmd.SetPosition(position):
            return f"position: {position_words(position)}"
        case cmd.Annul():
            return "annul"
        case cmd.Deal() | cmd.Next() | cmd.OpenWindow() | cmd.Announce():
            raise ValueError(f"a record does not say {command}")


def _words(*words: str | int | None) -> str:
    return clean(" ".join(str(word) for word in words if word is not None))


def _list(head: str, seats: Iterable[int], *, none: str = "") -> str:
    return f"{head}: {' '.join(map(str, seats)) or none}".rstrip()


def _question(candidate: int) -> str:
    return "raise" if candidate == RAISE else str(candidate)


def _voided(state: State) -> int:
    ballot = state.ballot
    assert ballot is not None
    candidate = ballot.due if ballot.is_open else ballot.counts[-1].candidate
    assert candidate is not None
    return candidate


def _hands(command: cmd.CountHands, before: State) -> str:
    words = ["hands", _question(command.candidate)]
    if command.closed != before.rules.window:
        words.append(f"+{seconds(command.closed)}")
    if command.announced is not None:
        words += ["counted", seconds(command.announced)]
    if command.flagged:
        words.append("flagged")
    return f"{' '.join(words)}: {' '.join(_touch(touch) for touch in command.touches)}".rstrip()


def _touch(touch: Touch) -> str:
    up = "" if touch.up is None else f"..{seconds(touch.up)}"
    return f"{touch.seat}@{seconds(touch.down)}{up}"


def _shots(command: cmd.Shoot, after: State) -> str:
    if command.everybody_at is not None:
        return str(command.everybody_at)
    if command.missed:
        return "miss"
    shots = command.shots or after.nights[-1].shots or ()
    return " ".join(f"{shooter}>{'+'.join(map(str, targets)) or NONE}" for shooter, targets in shots)


def _proposal(state: State, number: str) -> str:
    """`S WHAT`, and where it was if another one like it waits before it."""
    waiting = [row for row in state.proposals if row.given is None]
    proposal = next(row for row in waiting if row.id == number)
    first = next(row for row in waiting if (row.seat, row.what) == (proposal.seat, proposal.what))
    where = "" if first is proposal else " " + ".".join(number.split(".")[:2])
    return f"{proposal.seat} {proposal.what}{where}"
