"""Games from other programs' JSON: told apart by what is in it, played through the engine, written as records."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import msgspec

from controller.game.history import History
from controller.game.rules import Rules
from controller.game.rulesets.fiim import FIIM
from controller.record.exchange import from_mafiaratings, from_polemica
from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.files import decoded_json, read_bytes
from controller.record.exchange.foreign import ForeignGame
from controller.record.exchange.notes import Kind, Note, Notes
from controller.record.exchange.retrace import retrace
from controller.record.headers import Headers
from controller.record.play import finished
from controller.record.writer import write

MOST_GAMES = 1000


@dataclass(frozen=True, slots=True)
class Imported:
    """A game as the engine played it."""

    label: str
    """What the source calls it."""
    headers: Headers
    game: History
    complete: bool
    """Whether the engine came to the end; if not, there is no record of it."""
    record: str
    """The game in our notation."""
    notes: tuple[Note, ...]

    @property
    def differs(self) -> tuple[Note, ...]:
        """Where the source and the engine disagree."""
        return tuple(note for note in self.notes if note.kind is Kind.DIFFERS)


def import_games(path: Path, rules: Rules = FIIM) -> tuple[Imported, ...]:
    """All games in the file, played by `rules`. Raises ExchangeFault where it cannot be read as what it seems to be."""
    return games_from(read_bytes(path), rules)


def games_from(data: bytes, rules: Rules = FIIM) -> tuple[Imported, ...]:
    """All games in the JSON text `data`. Raises ExchangeFault."""
    games = _listed(decoded_json(data))
    if not games:
        raise ExchangeFault("no_games")
    if len(games) > MOST_GAMES:
        raise ExchangeFault("too_many_games", most=MOST_GAMES)
    return tuple(_imported(game, rules) for game in games)


def _listed(found: object) -> list[object]:
    """The games of a file: one by itself, under `game`, or a list of them, under `games`."""
    if isinstance(found, dict):
        held = cast("dict[str, object]", found)
        found = held.get("games", [held.get("game", held)])
    if not isinstance(found, list):
        raise ExchangeFault("not_a_game")
    return cast("list[object]", found)


def _imported(game: object, rules: Rules) -> Imported:
    notes = Notes()
    foreign = _foreign(game, notes)
    foreign.headers = replace(foreign.headers, ruleset=rules.name, scoring=rules.name)
    history, complete = retrace(foreign, rules, notes)
    record = write(foreign.headers, history) if complete else ""
    if complete:
        history = finished(history)
    return Imported(foreign.label, foreign.headers, history, complete, record, tuple(notes.found))


def _foreign(game: object, notes: Notes) -> ForeignGame:
    players = cast("dict[str, object]", game).get("players") if isinstance(game, dict) else None
    first = cast("list[object]", players)[0] if isinstance(players, list) and players else None
    if not isinstance(first, dict):
        raise ExchangeFault("not_a_game")
    try:
        if "position" in first:
            return from_polemica.foreign_game(msgspec.convert(game, from_polemica.Game), notes)
        return from_mafiaratings.foreign_game(msgspec.convert(game, from_mafiaratings.Game), notes)
    except msgspec.ValidationError as error:
        raise ExchangeFault("json_form", why=str(error)) from None
