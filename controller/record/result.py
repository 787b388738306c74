"""What a replay says of a game, as one object of plain values: the notation's page has its keys.

The keys beyond that page: `seats`, `warnings`, `technical`, `wills`, `awards`, `penalties`, `protests`, and `given`,
`acts`, `late` inside rows.
"""

from typing import Any, TypeAlias

from controller.game.ballot import RAISE
from controller.game.phases import (
    Acquaintance,
    Choosing,
    Dealing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Phase,
    Speech,
    Voting,
)
from controller.game.state import BallotRow, NightRow, PointsRow, State
from controller.record.headers import Headers
from controller.scoring.decimals import shortest
from controller.scoring.points import Points, points_of_game
from controller.scoring.table import Table

Row: TypeAlias = dict[str, Any]

PHASES: dict[type[Phase], str] = {
    Dealing: "dealing",
    Acquaintance: "acquaintance",
    Night: "night",
    Morning: "morning",
    Speech: "speech",
    LastWord: "last_word",
    Voting: "voting",
    Choosing: "choosing",
    Dusk: "dusk",
    Over: "over",
}


def result(headers: Headers, state: State, table: Table) -> Row:
    """The object that `replay --json` prints. Seats, hands and rows stand in the order they happened."""
    outcome = state.outcome
    return {
        "ruleset": headers.ruleset,
        "scoring": headers.scoring,
        "phase": PHASES[type(state.phase)],
        "outcome": {
            "winner": outcome.winner if outcome is not None else None,
            "reason": outcome.reason if outcome is not None else None,
            "at": str(outcome.at) if outcome is not None else None,
        },
        "alive": list(state.living),
        "departures": [{"seat": row.seat, "how": row.how, "at": str(row.at)} for row in state.departures],
        "ballots": [_ballot(row) for row in state.ballots],
        "nights": [_night(row) for row in state.nights],
        "fouls": {str(seat.number): len(seat.fouls) for seat in state.seats if seat.fouls},
        "warnings": {str(seat.number): len(seat.warnings) for seat in state.seats if seat.warnings},
        "technical": {
            str(seat.number): ["heavy" if foul.heavy else "light" for foul in seat.technical]
            for seat in state.seats
            if seat.technical
        },
        "proposed": [
            {"seat": row.seat, "what": row.what, "clause": row.clause, "at": row.at, "given": row.given}
            for row in state.proposals
        ],
        "best_move": {"seat": state.best_move.seat, "numbers": list(state.best_move.numbers)}
        if state.best_move is not None
        else None,
        "points": {str(seat): points_row(points) for seat, points in points_of_game(state, table).items()},
        "speeches": [
            {"seat": row.seat, "at": str(row.at), "kind": row.kind, "seconds": row.seconds} for row in state.speeches
        ],
        "seats": [{"seat": seat.number, "name": seat.name, "role": seat.role} for seat in headers.seats],
        "wills": [{"seat": row.seat, "named": row.named, "forgotten": row.forgotten} for row in state.wills],
        "awards": [_points(row) | {"approved": row.approved} for row in state.awards],
        "penalties": [_points(row) | {"clause": row.clause} for row in state.penalties],
        "protests": [{"seat": row.seat, "text": row.text} for row in state.protests],
    }


def points_row(points: Points) -> dict[str, str]:
    """One player's points as decimal strings, with the parts that the scoring has."""
    parts = {
        "main": points.main,
        "best_move": points.best_move,
        "award": points.award,
        "penalty": points.penalty,
        "compensation": points.compensation,
        "will": points.will,
        "wrong_vote": points.wrong_vote,
        "total": points.total,
    }
    return {name: shortest(value) for name, value in parts.items() if value is not None}


def _ballot(row: BallotRow) -> Row:
    votes: list[Row] = []
    for line in row.votes:
        vote: Row = {
            "seat": None if line.candidate == RAISE else line.candidate,
            "hands": list(line.hands),
            "assigned": list(line.assigned),
        }
        votes.append(vote | ({"late": list(line.late)} if line.late else {}))
    return {"at": str(row.at), "kind": row.kind, "votes": votes, "leaves": list(row.leaves)}


def _night(row: NightRow) -> Row:
    return {
        "night": row.night,
        "shots": {str(shooter): list(targets) for shooter, targets in row.shots or ()},
        "killed": list(row.killed or ()),
        "checks": [{"by": check.by, "seat": check.seat, "hit": check.hit} for check in row.checks],
        "acts": {role: list(seats) for role, seats in row.acts},
    }


def _points(row: PointsRow) -> Row:
    return {"seat": row.seat, "points": shortest(row.points)}
