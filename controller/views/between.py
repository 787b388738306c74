"""Between games: the standings after the games that are over, and who plays next. Open to everybody, so nothing of a
game that runs is read here but its players' names while they are being seated."""

from controller.game.phases import Dealing
from controller.table.state import Snapshot
from controller.views import public
from controller.views.facts import NextGame, Surroundings
from controller.views.messages import BreakView, Coming, Sitter, Standing


def break_view(snapshot: Snapshot, around: Surroundings) -> BreakView:
    """The view of the page between games."""
    return BreakView(
        header=public.header_of(snapshot),
        standings=tuple(
            Standing(
                place=row.place,
                name=row.name,
                photo=around.photo(row.name),
                total=row.total,
                games=row.games,
                wins=row.wins,
            )
            for row in around.places
        ),
        next=_coming(snapshot, around),
    )


def _coming(snapshot: Snapshot, around: Surroundings) -> Coming | None:
    """The game whose players sit down now, or the first of the roster's after the one that is played."""
    header = snapshot.header
    if isinstance(snapshot.state.phase, Dealing) and any(snapshot.names):
        return _seated(NextGame(header.game, header.stage, header.table, snapshot.names), around)
    later = [row for row in around.coming if row.game > header.game and row.table == header.table]
    return _seated(min(later, key=lambda row: row.game), around) if later else None


def _seated(game: NextGame, around: Surroundings) -> Coming:
    return Coming(
        game=game.game,
        stage=game.stage,
        table=game.table,
        players=tuple(
            Sitter(seat=seat, name=name, photo=around.photo(name)) for seat, name in enumerate(game.players, 1)
        ),
    )
