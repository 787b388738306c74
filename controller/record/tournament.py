"""`mafia-table standings`: a tournament's table from its records, and why a player stands where he stands."""

import csv
import gc
import io
import json
import sys
from collections.abc import Generator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path

from controller.catalogue import nearest, sentence
from controller.game.refusal import Refusal, refuse
from controller.record.lines import RecordFault
from controller.record.notation import Reading
from controller.record.replay import REFUSED, fault_line, read_file
from controller.record.variant import OWN, Variant, read_variant
from controller.scoring.decimals import shortest
from controller.scoring.standings import (
    GameCard,
    Row,
    Standings,
    TeamRow,
    TieBreak,
    Tournament,
    game_card,
    standings,
    team_standings,
)

CENT = 100


def shown(value: Fraction) -> str:
    """`value` with two places at most, half up, in the shortest form (rules page, reading 18)."""
    sign = -1 if value < 0 else 1
    cents = floor(abs(value) * CENT + Fraction(1, 2)) * sign
    return shortest(Decimal(cents) / CENT)


TEAM_HEADS = frozenset({"команда", "клуб", "team", "club"})
"""What may stand over the column of teams, in the three languages."""


class TournamentFault(Exception):
    """Records that make no tournament together: the file that shows it, its line where one does, and the refusal."""

    def __init__(self, path: Path, refusal: Refusal, line: int | None = None) -> None:
        super().__init__(path, refusal, line)
        self.path = path
        self.refusal = refusal
        self.line = line


@dataclass(frozen=True, slots=True)
class Tables:
    """The players' table, which team each plays for where teams were named, and codes of what is to be said with it."""

    players: Standings
    teams: Mapping[str, str] | None
    notes: tuple[str, ...]


def tournament(
    paths: Sequence[Path], *, seed: str = "", stage: str = "", variant: Variant | None = None, teams: Path | None = None
) -> Tables:
    """The table of the records in `paths`.

    `stage`: only games of this stage; `teams`: a CSV file of players and teams. Raises RecordFault (with its file in
    `args`) or TournamentFault.
    """
    cards: list[GameCard] = []
    scorings: dict[str, Path] = {}
    countings: dict[tuple[tuple[str, str], ...], Path] = {}
    rule: Tournament | None = None
    played: dict[tuple[str, ...], Path] = {}
    stages: set[str] = set()
    files: set[Path] = set()
    unset = False
    for path in paths:
        if path.resolve() in files:
            raise TournamentFault(path, refuse("record_twice").refusal)
        files.add(path.resolve())
        reading = _read(path, variant)
        headers = reading.headers
        stages.add(headers.stage)
        scorings.setdefault(headers.scoring, path)
        if len(scorings) > 1:
            first, second = list(scorings)[:2]
            raise TournamentFault(path, refuse("scorings_differ", scoring=second, other=first).refusal)
        countings.setdefault(headers.points, path)
        if len(countings) > 1 and variant is None:
            other = str(next(iter(countings.values())))
            raise TournamentFault(path, refuse("points_differ", file=other).refusal)
        rule = reading.tournament
        identity = (headers.event, headers.stage, headers.game, headers.table, headers.date)
        if headers.game and identity in played:
            raise TournamentFault(path, refuse("game_twice", game=headers.game, file=str(played[identity])).refusal)
        played[identity] = path
        if reading.game.state.outcome is None:
            raise TournamentFault(path, refuse("game_without_end").refusal)
        unset = unset or _values_unset(reading)
        if stage and headers.stage.strip().casefold() != stage.strip().casefold():
            continue
        names = {sitter.number: sitter.name for sitter in headers.seats}
        cards.append(game_card(path.name, headers.stage, names, reading.game.state, reading.table))
    if not cards:
        raise TournamentFault(paths[0], refuse("stage_unknown", stage=stage, nearest=nearest(stage, stages)).refusal)
    assert rule is not None
    names = {showing.name for card in cards for showing in card.showings}
    of_teams = _teams(teams, names) if teams is not None else None
    if of_teams is None and rule.compensation is not None and rule.compensation.by_team:
        raise TournamentFault(paths[0], refuse("ci_by_team_without_teams").refusal)
    table = standings(cards, rule, seed=seed, teams=of_teams)
    return Tables(table, of_teams, ("best_move_points_unset",) if unset else ())


def _read(path: Path, variant: Variant | None) -> Reading:
    try:
        return read_file(path, variant)
    except RecordFault as fault:
        fault.add_note(str(path))
        raise


def _values_unset(reading: Reading) -> bool:
    """A best move whose worth the tournament has not set (rules page, reading 10)."""
    best = reading.table.best_move
    named = reading.game.state.best_move
    return (
        best is not None and best.of_tournament and named is not None and not reading.game.state.rules.best_move_points
    )


# --- printing


def as_json(table: Standings, notes: Sequence[str]) -> str:
    """The table as NOTATION has it, one object a player, with what more is known of each."""
    rows = [
        {
            "place": row.place,
            "name": row.name,
            "total": shown(row.total),
            "main": shown(row.main),
            "extra": shown(row.extra),
            "compensation": shown(row.compensation),
            "wins": row.wins,
            "first_night_deaths": row.first_night_deaths,
            "games": row.games,
            "by_lot": row.by_lot,
            "notes": list(notes),
        }
        for row in table.rows
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def as_text(table: Standings, notes: Sequence[str], language: str) -> str:
    """The table for people."""
    heads = [
        sentence(f"standings.{head}", language) for head in ("place", "name", "total", "main", "extra", "ci", "wins")
    ]
    lines = [
        [
            str(row.place) + ("*" if row.by_lot else ""),
            row.name,
            shown(row.total),
            shown(row.main),
            shown(row.extra),
            shown(row.compensation),
            f"{row.wins}/{row.games}",
        ]
        for row in table.rows
    ]
    said = [_columns([heads, *lines])]
    if table.hard_side is not None:
        side = sentence(f"team.{table.hard_side}", language)
        said.append(sentence("standings.hard_side", language, side=side, coefficient=shown(table.coefficient)))
    if any(row.by_lot for row in table.rows):
        said.append(sentence("standings.lot", language, seed=table.seed, clause=table.tournament.lot_clause))
    said += [sentence(f"standings.{note}", language) for note in notes]
    return "\n".join(said)


def teams_as_json(teams: Sequence[TeamRow]) -> str:
    """The teams' table, one object a team."""
    rows = [
        {
            "place": row.place,
            "team": row.team,
            "total": shown(row.total),
            "wins": row.wins,
            "players": [member.name for member in row.members],
        }
        for row in teams
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def _columns(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def explained(table: Standings, row: Row, language: str) -> str:
    """Why this player stands here: every number with its game and clause, then what parts equals."""
    said = [sentence("standings.stands", language, place=row.place, name=row.name, total=shown(row.total))]
    lines = [
        [
            entry.game,
            sentence(f"standings.{entry.what}", language),
            ("+" if entry.value > 0 else "") + shown(entry.value),
            " ".join(part for part in (_cited(table, entry.clause), entry.note) if part),
        ]
        for entry in row.entries
    ]
    if lines:
        said.append(_columns(lines))
    for (tie, clause), value in zip(table.tournament.ties, row.ties, strict=True):
        value = abs(value) if tie is TieBreak.FEWER_GAMES_GAINED_IN else value
        said.append(f"{sentence(f'standings.tie_{tie}', language)}: {shown(value)} ({_cited(table, clause)})")
    if row.by_lot:
        said.append(sentence("standings.lot", language, seed=table.seed, clause=table.tournament.lot_clause))
    return "\n".join(said)


def _cited(table: Standings, clause: str) -> str:
    if not clause or clause.startswith(OWN):
        return clause
    return f"{table.tournament.scoring} {clause}"


def run_standings(
    paths: Sequence[Path],
    *,
    as_json_too: bool = False,
    language: str = "ru",
    seed: str = "",
    stage: str = "",
    explain: str = "",
    teams: Path | None = None,
    variant: Path | None = None,
) -> int:
    """Prints the tournament's table and returns the exit status; a fault leaves standard output empty."""
    try:
        own = _variant(variant) if variant is not None else None
        with _collector_resting():
            tables = tournament(paths, seed=seed, stage=stage, variant=own, teams=teams)
        table = tables.players
        if explain:
            said = explained(table, _player(table, explain, paths[0]), language)
        elif tables.teams is not None:
            ranked = team_standings(table, tables.teams)
            lines = [[str(row.place), row.team, shown(row.total), str(row.wins)] for row in ranked]
            said = teams_as_json(ranked) if as_json_too else _columns(lines)
        else:
            said = as_json(table, tables.notes) if as_json_too else as_text(table, tables.notes, language)
    except RecordFault as fault:
        sys.stderr.write(fault_line(Path(fault.__notes__[0]), fault, language) + "\n")
        return REFUSED
    except TournamentFault as fault:
        sys.stderr.write(fault_line(fault.path, RecordFault(fault.line, fault.refusal), language) + "\n")
        return REFUSED
    sys.stdout.write(said + "\n")
    return 0


@contextmanager
def _collector_resting() -> Generator[None, None, None]:
    """Games are values that hold no cycles: the collector would walk through all of them for nothing."""
    at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if at_work:
            gc.enable()


def _variant(path: Path) -> Variant:
    try:
        return read_variant(path)
    except RecordFault as fault:
        fault.add_note(str(path))
        raise


def _player(table: Standings, name: str, path: Path) -> Row:
    row = table.row(name)
    if row is None:
        near = nearest(name, [row.name for row in table.rows])
        raise TournamentFault(path, refuse("player_unknown", name=name, nearest=near).refusal)
    return row


def _teams(path: Path, known: Set[str]) -> Mapping[str, str]:
    """Players' teams from a CSV file with a name and a team a line, below a head or without one. Raises
    TournamentFault."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise TournamentFault(path, refuse("teams_unreadable").refusal) from None
    found: dict[str, str] = {}
    for number, line in enumerate(csv.reader(io.StringIO(text.replace(";", ","))), 1):
        if not line:
            continue
        if len(line) != 2 or not line[1].strip():
            raise TournamentFault(path, refuse("teams_line").refusal, number)
        name, team = (cell.strip() for cell in line)
        if name not in known:
            if number == 1 and team.casefold() in TEAM_HEADS:
                continue
            wrong = refuse("player_unknown", name=name, nearest=nearest(name, known)).refusal
            raise TournamentFault(path, wrong, number)
        found[name] = team
    return found
