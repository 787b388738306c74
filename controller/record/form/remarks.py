"""What the form's columns have no room for: removals and penalties with their clauses, wills, a table set by hand."""

from controller.game import events as ev
from controller.game.history import History
from controller.game.state import PointsRow
from controller.record.form.days import events_of
from controller.record.form.words import Words


def remarks_of(words: Words, game: History) -> tuple[str, ...]:
    """All remarks, in the order they came about."""
    state = game.state
    found: list[str] = []
    for event in events_of(game):
        match event:
            case ev.Disqualified(seat, how, clause):
                found.append(words.say("remark_removed", seat=seat, how=words.how(how), clause=clause or ""))
            case ev.PositionSet(position):
                found.append(words.say("remark_position", at=words.short(position.at)))
            case _:
                pass
    for seat in state.seats:
        clauses = [violation.clause for violation in (*seat.fouls, *seat.warnings) if violation.clause]
        if clauses:
            found.append(words.say("remark_clauses", seat=seat.number, clauses=", ".join(clauses)))
    for will in state.wills:
        if will.forgotten:
            found.append(words.say("remark_will_forgotten", seat=will.seat))
        elif will.named is None:
            found.append(words.say("remark_will_none", seat=will.seat))
        else:
            found.append(words.say("remark_will", seat=will.seat, named=will.named))
    if state.avenger_choice:
        found.append(words.say("remark_avenger", seat=state.avenger_choice[0]))
    found += [_points(words, row) for row in (*state.awards, *state.penalties)]
    return tuple(found)


def _points(words: Words, row: PointsRow) -> str:
    sign = "+" if row.points > 0 else ""
    approved = words.say("approved") if row.approved else ""
    points = sign + words.number(row.points)
    return words.say("remark_points", seat=row.seat, points=points, clause=row.clause or "", approved=approved)
