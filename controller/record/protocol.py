"""A game for people to read in a terminal: the result, who sat where and left when, the votes, the nights."""

from collections.abc import Iterable, Sequence

from controller.catalogue import listed, sentence
from controller.game.ballot import RAISE
from controller.game.moment import Moment
from controller.game.outcome import Outcome
from controller.game.state import BallotRow, NightRow, State
from controller.record.headers import Headers
from controller.scoring.decimals import shortest
from controller.scoring.points import points_of_game
from controller.scoring.table import Table

NOTHING = "—"


def protocol(headers: Headers, state: State, table: Table, language: str) -> str:
    """The short protocol of a game in `language`."""
    words = _Words(language, headers.ruleset)
    parts = [words.head(headers), [words.outcome(state.outcome)], words.seats(headers, state, table)]
    if state.ballots:
        parts.append([words.say("ballots"), *(f"  {words.ballot(row)}" for row in state.ballots)])
    if state.nights:
        parts.append([words.say("nights"), *(f"  {words.night(row)}" for row in state.nights)])
    if last := words.named(state):
        parts.append(last)
    return "\n\n".join("\n".join(part) for part in parts)


class _Words:
    """The protocol's words in one language and ruleset."""

    __slots__ = ("language", "ruleset")

    def __init__(self, language: str, ruleset: str) -> None:
        self.language = language
        self.ruleset = ruleset

    def say(self, key: str, **params: str | int) -> str:
        return sentence(f"replay.{key}", self.language, **({"ruleset": self.ruleset} | params))

    def moment(self, at: Moment) -> str:
        return sentence(f"moment.{'day' if at.day else 'night'}", self.language, number=at.number)

    def head(self, headers: Headers) -> list[str]:
        where = [headers.event, headers.stage]
        where += [self.say("game", game=headers.game)] if headers.game else []
        where += [self.say("table", table=headers.table)] if headers.table else []
        line = ", ".join(part for part in (*where, headers.date) if part)
        rules = (
            self.say("rules")
            if headers.scoring == headers.ruleset
            else self.say("rules_scored", scoring=headers.scoring)
        )
        judge = self.say("judge", name=headers.judge) if headers.judge else ""
        return [part for part in (line, rules, judge) if part]

    def outcome(self, outcome: Outcome | None) -> str:
        if outcome is None:
            return self.say("goes_on")
        winner = outcome.winner or "none"
        return self.say("outcome", winner=winner, reason=outcome.reason, moment=self.moment(outcome.at))

    def seats(self, headers: Headers, state: State, table: Table) -> list[str]:
        points = points_of_game(state, table)
        rows = [["№", self.say("name"), self.say("role"), self.say("fouls"), self.say("left"), self.say("points")]]
        for sitter, seat in zip(headers.seats, state.seats, strict=True):
            left = ""
            if seat.left is not None:
                how = sentence(f"how.{seat.left.how}", self.language)
                left = self.say("departure", how=how, moment=self.moment(seat.left.at))
            role = sentence(f"role.{sitter.role}", self.language, ruleset=self.ruleset)
            fouls = str(len(seat.fouls) or "")
            total = shortest(points[seat.number].total)
            rows.append([str(seat.number), sitter.name, role, fouls, left, total])
        return _columns(rows)

    def ballot(self, row: BallotRow) -> str:
        votes: list[str] = []
        for vote in row.votes:
            who = "" if vote.candidate == RAISE else f"{vote.candidate}: "
            rest = f"; {self.say('assigned', seats=listed(vote.assigned))}" if vote.assigned else ""
            votes.append(f"{who}{listed(vote.hands) or NOTHING}{rest} ({vote.total})")
        leaves = self.say("leaves", seats=listed(row.leaves)) if row.leaves else self.say("miss")
        return f"{self.moment(row.at)}, {self.say(row.kind)} | {' | '.join(votes)} | {leaves}"

    def night(self, row: NightRow) -> str:
        said = [f"{shooter}→{'+'.join(map(str, targets)) or NOTHING}" for shooter, targets in row.shots or ()]
        parts = [self.say("shots", shots=", ".join(said))] if said else []
        parts += [self.say("night_act", role=role, seats=listed(seats)) for role, seats in row.acts]
        parts += [
            self.say("check_hit" if check.hit else "check_no", role=check.by, seat=check.seat) for check in row.checks
        ]
        parts.append(self.say("killed", seats=listed(row.killed)) if row.killed else self.say("miss"))
        return f"{self.moment(Moment.night_of(row.night))} | {' | '.join(parts)}"

    def named(self, state: State) -> list[str]:
        best = state.best_move
        lines = [self.say("best_move", seat=best.seat, numbers=listed(best.numbers) or NOTHING)] if best else []
        return lines + [self.say("will", seat=row.seat, named=row.named or NOTHING) for row in state.wills]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows under one another, as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(zip(row, widths, strict=True)) for row in rows]


def _line(cells: Iterable[tuple[str, int]]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in cells).rstrip()
