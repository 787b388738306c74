"""One game as the standings see it: who played what, how it ended, what each had for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.outcome import Reason, Winner
from controller.game.roles import Role, Team
from controller.game.seat import How
from controller.game.state import State
from controller.scoring.points import Points, has_lost, has_won, points_of_game
from controller.scoring.table import Table
from controller.scoring.tables import is_final

FIRST_NIGHT = 1
SHOT = frozenset({How.SHOT, How.MANIAC})


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One player in one game."""

    name: str
    role: Role
    points: Points
    won: bool
    lost: bool
    first_night: bool
    """Shot in night 1."""
    awarded: bool
    """The judge gave points, which in ukraine is "best player" (8.4)."""
    black_named: bool
    """The best move named a black player."""

    @property
    def red(self) -> bool:
        """Whether the card was red."""
        return self.role.team is Team.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """One game of a tournament."""

    label: str
    """How the game is called in an explanation: a file, or a game's number."""
    stage: str
    winner: Winner | None
    """None where the game was annulled, or has no end."""
    annulled: bool
    showings: tuple[Showing, ...]

    @property
    def final(self) -> bool:
        """Whether it belongs to the final."""
        return is_final(self.stage)


def game_card(label: str, stage: str, names: Mapping[int, str], state: State, table: Table) -> GameCard:
    """The card of a game that was played; `names` by seat. An unnamed seat is left out."""
    points = points_of_game(state, table)
    awarded = {row.seat for row in state.awards}
    named = state.best_move
    showings: list[Showing] = []
    for seat in state.seats:
        name = names.get(seat.number, "")
        if not name or seat.role is None:
            continue
        left = seat.left
        showings.append(
            Showing(
                name=name,
                role=seat.role,
                points=points[seat.number],
                won=has_won(state, seat),
                lost=has_lost(state, seat),
                first_night=left is not None and left.how in SHOT and not left.at.day and left.at.number == FIRST_NIGHT,
                awarded=seat.number in awarded,
                black_named=named is not None
                and named.seat == seat.number
                and any(_black(state, number) for number in named.numbers),
            )
        )
    outcome = state.outcome
    return GameCard(
        label=label,
        stage=stage,
        winner=None if outcome is None else outcome.winner,
        annulled=outcome is not None and outcome.reason is Reason.ANNULLED,
        showings=tuple(showings),
    )


def _black(state: State, number: int) -> bool:
    role = state.seat(number).role
    return role is not None and role.black
