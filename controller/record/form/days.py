"""The days of the form: who was nominated by whom, and every ballot with its hands (fiim 9.5)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.game import events as ev
from controller.game.ballot import BallotKind, Votes
from controller.game.history import History
from controller.game.moment import Moment
from controller.game.phases import LastWord, Morning, Night
from controller.game.state import BallotRow, State
from controller.record.form.value import Candidate, DaySheet, Round, Tally
from controller.record.form.words import Words


@dataclass(slots=True)
class _Day:
    """What the events of one day tell that the state keeps only while the day lasts."""

    at: Moment
    nominations: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """By whom (0: not known), and whom."""


def day_sheets(words: Words, game: History) -> tuple[DaySheet, ...]:
    """Every day that was played, in order."""
    state = game.state
    decided = state.outcome
    # After a win in the night it dawns once more for the last words; that is no day of play.
    sheets = (_sheet(words, state, day) for day in _days(game) if decided is None or day.at <= decided.at)
    return tuple(sheet for sheet in sheets if sheet.candidates or sheet.result)


def events_of(game: History) -> Iterator[ev.Event]:
    """Everything that has happened and stands."""
    for decision in game:
        yield from decision.events


def _days(game: History) -> list[_Day]:
    days: list[_Day] = []
    for event in events_of(game):
        match event:
            case ev.PhaseBegan(phase, at) if at.day and not _of_the_night(phase, at):
                if not days or days[-1].at != at:
                    days.append(_Day(at))
                elif isinstance(phase, Morning):
                    days[-1].nominations.clear()  # a position set before anybody has spoken
            case ev.PositionSet(position) if position.at.day:
                # What the position does not say has not happened, on this day or a later one.
                days = [day for day in days if day.at < position.at]
                days.append(_Day(position.at, list(position.nominated)))
            case ev.Nominated(by, seat):
                days[-1].nominations.append((by, seat))
            case ev.Withdrawn(by, seat):
                days[-1].nominations.remove((by, seat))
            case _:
                pass
    return days


def _of_the_night(phase: object, at: Moment) -> bool:
    """Night phases have a night's moment; nothing of a day is in them."""
    return isinstance(phase, Night) or (isinstance(phase, LastWord) and not at.day)


def _sheet(words: Words, state: State, day: _Day) -> DaySheet:
    rows = tuple(row for row in state.ballots if row.at == day.at)
    nominated = dict.fromkeys(seat for _, seat in day.nominations)
    by = {seat: str(by) if by else "" for by, seat in day.nominations}
    rounds = tuple(_round(words, row, tuple(nominated)) for row in rows)
    return DaySheet(
        title=words.full(day.at),
        candidates=tuple(Candidate(str(seat), by[seat]) for seat in nominated),
        rounds=rounds,
        result=_result(words, state, day, rows),
    )


def _round(words: Words, row: BallotRow, nominated: tuple[int, ...]) -> Round:
    label = {BallotKind.BALLOT: "votes", BallotKind.REVOTE: "revote", BallotKind.RAISE: "raise"}[row.kind]
    if row.kind is BallotKind.RAISE:
        return Round(words.say(label), (_tally(row.votes[0]),), whole=True)
    tallies = {votes.candidate: _tally(votes) for votes in row.votes}
    return Round(words.say(label), tuple(tallies.get(seat) for seat in nominated), whole=False)


def _tally(votes: Votes) -> Tally:
    assigned = f"({' '.join(map(str, votes.assigned))})" if votes.assigned else ""
    return Tally(str(votes.total), " ".join([*map(str, votes.hands), *([assigned] if assigned else [])]))


def _result(words: Words, state: State, day: _Day, rows: tuple[BallotRow, ...]) -> str:
    """What came of the day's vote: who left, who stayed, or why there was none."""
    left = [row for row in state.departures if row.at == day.at]
    if left:
        ways = dict.fromkeys(row.how for row in left)
        return "; ".join(
            f"{words.how(how)}: {', '.join(str(row.seat) for row in left if row.how is how)}" for how in ways
        )
    if rows:
        return words.say("nobody_left") if state.at != day.at or state.vote_settled else ""
    if state.at == day.at and state.outcome is None:
        return ""
    return words.say("no_vote")
