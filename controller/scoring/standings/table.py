"""The table itself: every player's numbers with the game and the clause they come from, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256

from controller.game.outcome import Winner
from controller.game.roles import Role
from controller.scoring.standings.compensation import compensations, hard_side
from controller.scoring.standings.game import GameCard, Showing
from controller.scoring.standings.tournament import TieBreak, Tournament


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a player: what it is, for which game, by which clause."""

    game: str
    what: str
    """`win`, `coefficient`, `best_move`, `award`, `penalty`, `compensation`, `will`, `wrong_vote`."""
    value: Fraction
    clause: str = ""
    note: str = ""
    """What it was counted from, where it was counted: `i=2 B=4`, `K=1.4`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One player's place. Points are exact; they are rounded where they are shown."""

    place: int
    name: str
    main: Fraction
    extra: Fraction
    compensation: Fraction
    games: int
    wins: int
    first_night_deaths: int
    ties: tuple[Fraction, ...]
    """The values by which equal sums were put in order, as the tournament's `ties`."""
    by_lot: bool
    """Whether nothing but the lot parts this player from a neighbour."""
    entries: tuple[Entry, ...]

    @property
    def total(self) -> Fraction:
        """The sum that decides."""
        return self.main + self.extra + self.compensation


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """A tournament's table, first place first."""

    tournament: Tournament
    rows: tuple[Row, ...]
    games: int
    hard_side: Winner | None
    coefficient: Fraction
    seed: str
    """What the lot was drawn with."""

    def row(self, name: str) -> Row | None:
        """The row of `name`."""
        return next((row for row in self.rows if row.name.casefold() == name.casefold()), None)


def standings(
    games: Sequence[GameCard], tournament: Tournament, *, seed: str = "", teams: Mapping[str, str] | None = None
) -> Standings:
    """The table of `games`. `seed` draws the lot where the text's own order leaves players equal.

    `teams` gives each player's team, for a tournament whose compensation is counted by it.
    """
    names = sorted({showing.name for game in games for showing in game.showings})
    side, coefficient = None, Fraction(1)
    if tournament.coefficient is not None:
        side, coefficient = hard_side(games, len(names), tournament.coefficient)
    mates = _mates(teams or {}, tournament)
    rows = [_row(name, games, tournament, (side, coefficient), mates.get(name, frozenset())) for name in names]
    rows.sort(key=lambda row: (*(-value for value in (row.total, *row.ties)), lot(seed, row.name)))
    equal = [(row.total, row.ties) for row in rows]
    placed = tuple(
        replace(row, place=place, by_lot=equal.count((row.total, row.ties)) > 1) for place, row in enumerate(rows, 1)
    )
    return Standings(
        tournament=tournament,
        rows=placed,
        games=len(games),
        hard_side=side,
        coefficient=coefficient,
        seed=seed,
    )


def lot(seed: str, name: str) -> bytes:
    """Where the lot puts `name`: the SHA-256 of seed and name, the smaller first. The same on every machine."""
    return sha256(f"{seed}\n{name}".encode()).digest()


def _mates(teams: Mapping[str, str], tournament: Tournament) -> Mapping[str, frozenset[str]]:
    """Whose deaths are counted with a player's own."""
    if tournament.compensation is None or not tournament.compensation.by_team:
        return {}
    return {name: frozenset(mate for mate in teams if teams[mate] == team) for name, team in teams.items()}


def _row(
    name: str,
    games: Sequence[GameCard],
    tournament: Tournament,
    hard: tuple[Winner | None, Fraction],
    mates: frozenset[str],
) -> Row:
    side, coefficient = hard
    own = [(game, showing) for game in games for showing in game.showings if showing.name == name]
    entries: list[Entry] = []
    for game, showing in own:
        entries += _entries(game, showing)
        if tournament.coefficient is not None and side is not None and showing.won and game.winner is side:
            more = Fraction(showing.points.main) * (coefficient - 1)
            note = f"K={float(coefficient):.2f}"
            entries.append(Entry(game.label, "coefficient", more, tournament.coefficient.clause, note))
    if tournament.compensation is not None:
        for game, amount, deaths, played in compensations(games, name, tournament.compensation, mates):
            note = f"i={deaths} N={played}"
            entries.append(Entry(game.label, "compensation", amount, tournament.compensation.clause, note))
    sums = _sums(entries)
    row = Row(
        place=0,
        name=name,
        main=sums.get("win", Fraction(0)) + sums.get("coefficient", Fraction(0)),
        extra=sum((sums.get(what, Fraction(0)) for what in EXTRA), Fraction(0)),
        compensation=sums.get("compensation", Fraction(0)),
        games=len(own),
        wins=sum(1 for _, showing in own if showing.won),
        first_night_deaths=sum(1 for _, showing in own if showing.first_night),
        ties=(),
        by_lot=False,
        entries=tuple(entries),
    )
    ties = tuple(_tie(tie, row, [showing for _, showing in own]) for tie, _ in tournament.ties)
    return replace(row, ties=ties)


EXTRA = ("best_move", "award", "penalty", "will", "wrong_vote")
GAINS = ("best_move", "award", "compensation")


def _entries(game: GameCard, showing: Showing) -> list[Entry]:
    return [
        Entry(game.label, "win" if part.what == "main" else part.what, Fraction(part.value), part.clause)
        for part in showing.points.parts
    ]


def _sums(entries: Sequence[Entry]) -> Mapping[str, Fraction]:
    found: dict[str, Fraction] = {}
    for entry in entries:
        found[entry.what] = found.get(entry.what, Fraction(0)) + entry.value
    return found


def _gained(entries: Sequence[Entry]) -> dict[str, Fraction]:
    """What was gained in each game beyond the result (wma 6.3, 6.5, 6.7)."""
    found: dict[str, Fraction] = {}
    for entry in entries:
        if entry.what in GAINS:
            found[entry.game] = found.get(entry.game, Fraction(0)) + entry.value
    return found


def _tie(tie: TieBreak, row: Row, showings: Sequence[Showing]) -> Fraction:
    """The value of one tie-break; more stands higher."""
    gained = _gained(row.entries)
    match tie:
        case TieBreak.EXTRA:
            return row.extra
        case TieBreak.GAINED:
            return sum(gained.values(), Fraction(0))
        case TieBreak.FEWER_GAMES_GAINED_IN:
            return Fraction(-sum(1 for value in gained.values() if value > 0))
        case TieBreak.WINS:
            return Fraction(row.wins)
        case TieBreak.WINS_AS_DON_OR_SHERIFF:
            return Fraction(sum(1 for s in showings if s.won and s.role in (Role.DON, Role.SHERIFF)))
        case TieBreak.WINS_AS_CIVILIAN:
            return Fraction(sum(1 for s in showings if s.won and s.role is Role.CIVILIAN))
        case TieBreak.FIRST_NIGHT_DEATHS:
            return Fraction(row.first_night_deaths)
        case TieBreak.BEST_PLAYER:
            return Fraction(sum(1 for s in showings if s.awarded))
        case TieBreak.LARGEST_GAIN:
            return max(gained.values(), default=Fraction(0))
