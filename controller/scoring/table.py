"""What a scoring is made of. A scoring is one value of `Table`; the code that counts points asks it, never its name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType

from controller.game.outcome import Winner
from controller.game.roles import Role, Team
from controller.scoring.decimals import ZERO

RED = frozenset(role for role in Role if role.team is Team.RED)
BLACK = frozenset(role for role in Role if role.team is Team.BLACK)


def _nothing() -> Mapping[int, Decimal]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """How much one player may be awarded: from `least` to `most` in steps."""

    least: Decimal = Decimal("0.01")
    most: Decimal
    step: Decimal = Decimal("0.01")
    approved_from: Decimal | None = None
    """From here on the chief judge has to approve; None: never."""
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """How much may be awarded in one game; with the chief judge's approval more."""

    most: Decimal
    approved: Decimal | None = None
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Awards:
    """What a judge may award after the game."""

    won: Amount
    lost: Amount
    players: Limit | None = None
    total: Limit | None = None
    by_team: Mapping[tuple[Winner, Team], Limit] = field(default_factory=lambda: MappingProxyType({}))
    """Club: what each team may get together, by who has won."""
    in_draw: bool = False
    draw_clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A penalty of the judge: how much, and to whom it can be given at all."""

    points: Decimal
    """Negative."""
    repeats: bool = False
    """Whether it may be taken several times at once, or (city) in steps."""
    most: Decimal | None = None
    """The largest where it repeats, negative; None: no limit is stated."""
    roles: frozenset[Role] = frozenset(Role)
    lost: bool = False
    """Whether the player's team must have lost."""
    clause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BestMove:
    """Points for a best move of a red player, by how many black ones it names."""

    red_won: Mapping[int, Decimal] = field(default_factory=_nothing)
    red_lost: Mapping[int, Decimal] = field(default_factory=_nothing)
    """Also in a draw."""
    three_red: Decimal = ZERO
    """Club: for three numbers that are all red."""
    of_tournament: bool = False
    """The values are the tournament's own, `best_move_points` (rules page, reading 10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wills:
    """Club: what wills are worth, and votes on the critical circle."""

    black_named: Decimal
    red_named_black_won: Decimal
    red_named_red_won: Decimal
    wrong_vote: Decimal
    wrong_vote_at_four: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The points of one scoring."""

    name: str
    ruleset: str
    """What it is played on."""
    win: Mapping[Role, Decimal]
    loss: Mapping[Role, Decimal] = field(default_factory=lambda: MappingProxyType({}))
    annulled: Decimal = ZERO
    best_move: BestMove | None = None
    larger_of_award_and_best_move: bool = False
    """Only the larger of the two counts (wma 6.3.7)."""
    disqualified: Decimal = ZERO
    """Negative; on top of everything else."""
    disqualified_roles: frozenset[Role] = frozenset(Role)
    removed: Decimal | None = None
    """What a disqualified player has for the whole game, whatever else he did; None: nothing of the kind."""
    removed_lost: Decimal | None = None
    """The same where the removal itself has lost the game."""
    removed_clause: str = ""
    technical_light: Decimal = ZERO
    """Negative; for each light technical foul, where a tournament has them."""
    technical_heavy: Decimal = ZERO
    """Negative; for each heavy one."""
    first_shot: Decimal = ZERO
    """Compensation for the one shot in night 1."""
    first_shot_roles: frozenset[Role] = frozenset(Role)
    first_shot_any_winner: bool = True
    """False: only where black has won."""
    maniac_defeated: Decimal = ZERO
    """City, ППК: what the maniac has who is given the defeat."""
    factor: Decimal = Decimal(1)
    """On win, awards, best move and penalties (wma 6.3.8)."""
    final_factor: Decimal = Decimal(1)
    awards: Awards
    penalties: Mapping[str, Penalty]
    """By clause; the empty clause is what is meant when none is said."""
    other_clauses: bool = False
    """Whether a penalty may be given under a clause that is not listed."""
    wills: Wills | None = None
    clauses: Mapping[str, str]
    """Where each number stands in the text, by the names above; `win` and `loss` also by card or team, `win.red`."""

    def clause(self, what: str, role: Role | None = None) -> str:
        """The clause of a number; empty where the text has none."""
        names = (what,) if role is None else (f"{what}.{role}", f"{what}.{role.team}", what)
        return next((self.clauses[name] for name in names if name in self.clauses), "")

    @property
    def compensates(self) -> bool:
        """Whether a single game has compensation points."""
        return bool(self.first_shot)
