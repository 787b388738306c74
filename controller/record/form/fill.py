"""A played game as the official form: fiim 9.2 to 9.10, ukraine 9.2 to 9.10; city the same way with its own nights."""

from decimal import Decimal

from controller.catalogue import sentence
from controller.game.best_move import best_move_of
from controller.game.history import History
from controller.game.outcome import Reason, Winner
from controller.game.roles import Role
from controller.game.rules import Penalty
from controller.game.seat import Seat
from controller.game.state import State
from controller.record.form.days import day_sheets
from controller.record.form.nights import night_columns, night_lines
from controller.record.form.remarks import remarks_of
from controller.record.form.value import BestMoveBox, Field, ProtocolForm, SeatRow
from controller.record.form.words import Words
from controller.record.headers import Headers
from controller.scoring.decimals import ZERO
from controller.scoring.points import Points, points_of_game
from controller.scoring.table import Table

DASH = "–"
BY_LETTER = (Role.CIVILIAN, Role.MAFIA, Role.SHERIFF, Role.DON)


def protocol_form(headers: Headers, game: History, table: Table, language: str) -> ProtocolForm:
    """The form of `game` as it stands; before the end points and winner are left for the pen."""
    state = game.state
    words = Words(language, headers.ruleset)
    points = points_of_game(state, table)
    names = {sitter.number: sitter.name for sitter in headers.seats}
    dealt = tuple(dict.fromkeys((*BY_LETTER, *(seat.role for seat in state.seats if seat.role is not None))))
    return ProtocolForm(
        language=language,
        title=words.say("title"),
        subtitle=words.ruleset_name(headers.scoring),
        blank=False,
        words=words.labels(),
        head=head_fields(words, headers),
        legend=words.legend(dealt),
        seats=tuple(
            seat_row(words, state, table, seat, names[seat.number], points[seat.number]) for seat in state.seats
        ),
        with_warnings=warnings_count(state),
        best_move=best_move_box(state),
        winner=Field(words.say("winner"), _winner(words, state)),
        reason=_reason(words, state),
        days=day_sheets(words, game),
        night_columns=night_columns(words, state.rules),
        nights=night_lines(words, state),
        remarks=remarks_of(words, game),
        protests=tuple(Field(seat_and_name(row.seat, names[row.seat]), row.text) for row in state.protests)
        if state.rules.protests
        else None,
        protest_hint=words.say("protest_hint"),
        signatures=signatures(words, headers.judge),
    )


def head_fields(words: Words, headers: Headers) -> tuple[Field, ...]:
    """What is written before the game (fiim 9.2; ukraine 9.2 has the day of the tournament and the start's time)."""
    date, _, start = headers.date.partition(" ")
    fields = [
        Field(words.say("event"), headers.event),
        Field(words.say("stage"), headers.stage),
        Field(words.say("game"), headers.game),
        Field(words.say("table"), headers.table),
        Field(words.say("date"), date),
        Field(words.say("start"), start.strip()),
        Field(words.say("judge"), headers.judge),
    ]
    return tuple(fields)


def signatures(words: Words, judge: str) -> tuple[Field, ...]:
    """Who signs: the judge with his name (fiim 9.10), and the chief judge."""
    return (Field(words.say("judge"), judge), Field(words.say("chief_judge"), ""))


def seat_and_name(seat: int, name: str) -> str:
    """`4. Рыжий`."""
    return f"{seat}. {name}" if name else str(seat)


def warnings_count(state: State) -> bool:
    """Whether the form has a column for warnings: where the text punishes with them, or one was given."""
    known = any(rule.penalty is Penalty.WARNING for rule in state.rules.violations)
    return known or any(seat.warnings for seat in state.seats)


def seat_row(words: Words, state: State, table: Table, seat: Seat, name: str, points: Points) -> SeatRow:
    """One player's line. Points stand there once there is a result."""
    team = _team_points(state, table, seat, points)
    over = state.outcome is not None
    return SeatRow(
        number=seat.number,
        name=name,
        role=words.letter(seat.role) if seat.role is not None else "",
        fouls=tuple(words.short(foul.at) for foul in seat.fouls),
        warnings=str(len(seat.warnings)) if seat.warnings else "",
        left=_left(words, seat),
        points=words.number(team) if over else "",
        extra=words.number(points.total - team) if over else "",
        total=words.number(points.total) if over else "",
    )


def _team_points(state: State, table: Table, seat: Seat, points: Points) -> Decimal:
    """The column of points: for the team's win or loss, and for disqualification (fiim 9.8, ukraine 9.8)."""
    disqualified = (
        seat.disqualified is not None
        and seat.role in table.disqualified_roles
        and table.removed is None
        and (state.outcome is None or state.outcome.reason is not Reason.ANNULLED)
    )
    return points.main + (table.disqualified * table.factor if disqualified else ZERO)


def _left(words: Words, seat: Seat) -> str:
    if seat.left is None:
        return words.how(seat.disqualified) if seat.disqualified is not None else ""
    said = f"{words.short(seat.left.at)} {words.how(seat.left.how)}"
    if seat.disqualified is not None and seat.disqualified is not seat.left.how:
        said += f", {words.how(seat.disqualified)}"
    return said


def best_move_box(state: State) -> BestMoveBox | None:
    """The first one shot and his three; a dash after a miss in the first night (fiim 9.6, ukraine 9.6)."""
    if not state.rules.best_move:
        return None
    row, owner = state.best_move, best_move_of(state)
    if row is not None:
        return BestMoveBox(str(row.seat), tuple(map(str, row.numbers)) or (DASH,), dash=False)
    if owner is not None:
        return BestMoveBox(str(owner), (), dash=False)
    first = next((night for night in state.nights if night.night == 1), None)
    return BestMoveBox("", (), dash=first is not None and first.killed is not None)


def _winner(words: Words, state: State) -> str:
    """«красные» or «чёрные» (fiim 9.7); the form's own words where nobody has won."""
    outcome = state.outcome
    if outcome is None:
        return ""
    match outcome.winner:
        case Winner.RED | Winner.BLACK | Winner.MANIAC:
            return sentence(f"team.{outcome.winner.value}", words.language)
        case Winner.DRAW:
            return words.say("draw")
        case None:
            return words.say("annulled")


def _reason(words: Words, state: State) -> str:
    outcome = state.outcome
    if outcome is None or outcome.winner is None:
        return ""
    return f"{words.short(outcome.at)}: {sentence(f'reason.{outcome.reason.value}', words.language)}"
