"""A game as mafiaratings writes it: every player with his own doings by round (see `from_mafiaratings.py`)."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from controller.game import RULESETS
from controller.game import events as ev
from controller.game.ballot import BallotKind
from controller.game.history import History
from controller.game.moment import Moment
from controller.game.night import waking
from controller.game.outcome import Reason, Winner
from controller.game.phases import (
    Acquaintance,
    Dealing,
    Dusk,
    LastWord,
    Morning,
    Night,
    Over,
    Speech,
    SpeechKind,
    Voting,
)
from controller.game.rules import Waking
from controller.game.seat import How
from controller.game.state import NightRow, State, apply
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.from_mafiaratings import PLAYERS, ROLES
from controller.record.exchange.notes import Kind, Notes
from controller.record.headers import Headers

Row: TypeAlias = dict[str, Any]

FEATURES = "gsdutclhvknwr"
"""What of the format's features such a game has: checks, deaths with round, type and time, best move, shots, votes with
the question whether all leave, nominations, warnings with their place."""
WORDS = {role: word for word, role in ROLES.items()}
WINNERS = {Winner.RED: "civ", Winner.BLACK: "maf"}
DEATHS = {How.SHOT: "night", How.VOTED: "day", How.RAISED: "day", How.FOULED: "warnings", How.REMOVED: "kickOut"}
CALLS = {Waking.SHOOTING: "shooting", Waking.DON: "don", Waking.SHERIFF: "sheriff"}


def mafiaratings(headers: Headers, game: History, notes: Notes | None = None) -> Row:
    """The game as an object for JSON. What the format has no place for is noted. Raises ExchangeFault."""
    notes = notes if notes is not None else Notes()
    state = game.state
    if len(state.seats) != PLAYERS or any(seat.role not in WORDS for seat in state.seats):
        raise ExchangeFault("not_for_mafiaratings")
    if state.outcome is None:
        raise ExchangeFault("game_goes_on")
    if state.outcome.reason is Reason.ANNULLED:
        raise ExchangeFault("game_annulled")
    _dropped(state, notes)
    players = [_player(headers, state, number) for number in range(1, PLAYERS + 1)]
    for event, before in _told(game):
        _happened(players, event, before, notes)
    for night in state.nights:
        for shooter in _shooters(state, night):
            # A miss of which it is not known whose it was is nobody's shot.
            _put(players[shooter - 1], "shooting", night.night - 1, None)
        for shooter, targets in night.shots or ():
            if len(targets) > 1:
                notes.add(Kind.DROPPED, "several_shots", seat=shooter, at=f"night {night.night}")
            # More than one shot is a miss; the format can only say that by leaving it out.
            _put(players[shooter - 1], "shooting", night.night - 1, targets[0] if len(targets) == 1 else None)
        for check in night.checks:
            if check.by.value in players[check.seat - 1]:
                notes.add(Kind.DROPPED, "checked_again", role=check.by.value, seat=check.seat, night=night.night)
            players[check.seat - 1].setdefault(check.by.value, night.night)
    _votes(players, state)
    row: Row = {"features": FEATURES, "players": players}
    for key, value in (("number", headers.game), ("table", headers.table)):
        if value:
            row[key] = value
    if state.outcome.winner is not None and state.outcome.winner in WINNERS:
        row["winner"] = WINNERS[state.outcome.winner]
    return row


def _dropped(state: State, notes: Notes) -> None:
    """What the format has no place for."""
    if state.rules != RULESETS["fiim"]:
        notes.add(Kind.DROPPED, "rules", rules=state.rules.name)
    if state.awards or state.penalties:
        notes.add(Kind.DROPPED, "judges_points")
    if state.protests:
        notes.add(Kind.DROPPED, "protests")
    if state.wills:
        notes.add(Kind.DROPPED, "wills")
    if any(seat.warnings for seat in state.seats):
        notes.add(Kind.DROPPED, "oral_warnings")
    if any(count.touches for row in state.ballots for count in row.counts):
        notes.add(Kind.DROPPED, "sensors")
    if state.outcome is not None and state.outcome.winner not in WINNERS:
        notes.add(Kind.DROPPED, "outcome", reason=state.outcome.reason.value)


def _shooters(state: State, night: NightRow) -> tuple[int, ...]:
    """The black players who lived in that night, if anybody was called to shoot."""
    if night.shots is None:
        return ()
    at = Moment.night_of(night.night)
    return tuple(
        seat.number
        for seat in state.seats
        if seat.role is not None and seat.role.black and (seat.left is None or seat.left.at >= at)
    )


def _player(headers: Headers, state: State, number: int) -> Row:
    seat = state.seat(number)
    name = next((sitter.name for sitter in headers.seats if sitter.number == number), "")
    row: Row = {"name": name} if name else {}
    assert seat.role is not None
    row["role"] = WORDS[seat.role]
    if seat.left is not None:
        row["death"] = {"round": _round(seat.left.at), "type": DEATHS[seat.left.how]}
    if state.best_move is not None and state.best_move.seat == number:
        row["legacy"] = list(state.best_move.numbers)
    return row


def _round(at: Moment) -> int:
    return at.number - 1 if at.day else at.number


def _put(player: Row, key: str, place: int, value: object) -> None:
    """A value in a list that has one place a round."""
    values: list[object] = player.setdefault(key, [])
    values.extend([None] * (place + 1 - len(values)))
    values[place] = value


def _told(game: History) -> Iterator[tuple[ev.Event, State]]:
    """Every event that stands with the state before it."""
    state = game.start
    for decision in game:
        for event in decision.events:
            yield event, state
            state = apply(state, event)


def _happened(players: list[Row], event: ev.Event, before: State, notes: Notes) -> None:
    match event:
        case ev.Nominated(by, seat):
            _put(players[by - 1], "nominating", _round(before.at), seat)
        case ev.Withdrawn(by, seat):
            players[by - 1]["nominating"][_round(before.at)] = None
            notes.add(Kind.DROPPED, "withdrawals", by=by, seat=seat)
        case ev.FoulGiven(seat, clause):
            if clause is not None:
                notes.add(Kind.DROPPED, "foul_clauses")
            players[seat - 1].setdefault("warnings", []).append(_time(before))
        case ev.Disqualified(seat, How.REMOVED, clause):
            if clause is not None:
                notes.add(Kind.DROPPED, "foul_clauses")
            players[seat - 1]["_removed"] = _time(before)
        case ev.Left(seat, How.REMOVED):
            players[seat - 1]["death"]["time"] = players[seat - 1].pop("_removed")
        case ev.GameDecided(outcome) if outcome.offender is not None:
            time, offender = _time(before), players[outcome.offender - 1]
            if "death" in offender:
                notes.add(Kind.DROPPED, "defeat_after_death", seat=outcome.offender)
            else:
                offender["death"] = {"round": time["round"], "type": "teamKickOut", "time": time}
        case ev.PositionSet():
            raise ExchangeFault("set_by_hand")
        case _:
            pass


def _time(state: State) -> Row:
    """Where the game is, in their words."""
    round_, phase = _round(state.at), state.phase
    row: Row = {"round": round_}
    match phase:
        case Dealing():
            return row | {"time": "start"}
        case Acquaintance():
            return row | {"time": "arrangement"}
        case Night():
            call = waking(state)
            assert call is not None
            return row | {"time": CALLS[call.step]}
        case Morning():
            return row | {"time": "day start"}
        case Speech(seat, SpeechKind.MINUTE, _):
            return row | {"time": "speaking", "speaker": seat}
        case Speech(seat, _, _):
            return row | {"time": "voting", "speaker": seat, "votingRound": _ballots(state)}
        case Voting():
            ballot = state.ballot
            if ballot is not None and ballot.kind is BallotKind.RAISE:
                return row | {"time": "voting kill all"}
            row |= {"time": "voting", "votingRound": _ballots(state)}
            return row if ballot is None or ballot.due is None else row | {"nominee": ballot.due}
        case LastWord(seat, _, evening):
            return row | {"time": "day kill speaking" if evening else "night kill speaking", "speaker": seat}
        case Over():
            return row | {"time": "end"}
        case Dusk():
            return {"round": state.at.number, "time": "night start"}
        case _:
            raise ExchangeFault("not_for_mafiaratings")


def _ballots(state: State) -> int:
    """How many ballots of this day have their result."""
    return sum(row.at == state.at for row in state.ballots)


def _votes(players: list[Row], state: State) -> None:
    """One vote, or a list of them where a day had more: the last, true or false, is for all leaving."""
    given: dict[tuple[int, int], list[int | bool]] = {}
    for row in state.ballots:
        for seat in row.voters:
            cast = given.setdefault((seat, _round(row.at)), [])
            if row.kind is BallotKind.RAISE:
                cast.append(seat in row.votes[0].hands)
                continue
            cast += [votes.candidate for votes in row.votes if seat in (*votes.hands, *votes.assigned)]
    for (seat, round_), cast in given.items():
        if cast:
            _put(players[seat - 1], "voting", round_, cast[0] if len(cast) == 1 else cast)
