"""A tournament's players from CSV or XLSX."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.sheets import Row, columns, rows_of

LONGEST_NAME = 40
MOST_PLAYERS = 1000
NAMES = {
    "name": (
        *("ник", "никнейм", "игровой ник", "игровой никнейм", "псевдоним", "игрок", "имя", "участник", "фио"),
        *("нік", "нікнейм", "ігровий нік", "ігровий нікнейм", "псевдонім", "гравець", "ім'я", "ім’я", "учасник"),
        *("nick", "nickname", "name", "player", "player name", "participant"),
    ),
    "club": ("клуб", "команда", "club", "team"),
    "city": ("город", "місто", "city", "town"),
    "number": ("", "n", "no", "п/п", "п/н", "номер", "number"),
}


@dataclass(frozen=True, slots=True)
class Player:
    """One who takes part."""

    name: str
    club: str = ""
    city: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    """The players in the order of the file."""

    players: tuple[Player, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(player.name for player in self.players)


def read_players(path: Path) -> Roster:
    """The players in the file. A name that is there twice, blank or too long is refused. Raises ExchangeFault."""
    rows = rows_of(path)
    found = columns(rows[0], NAMES)
    if "name" not in found:
        if len(rows[0].cells) > 1 and sum(bool(cell) for cell in rows[0].cells) > 1:
            raise ExchangeFault("no_name_column", rows[0].line)
        # One column without a head is a plain list of names.
        return Roster(tuple(Player(name) for name in _names(rows, next(i for i, c in enumerate(rows[0].cells) if c))))
    body = rows[1:]
    if not body:
        raise ExchangeFault("no_players")
    names = _names(body, found["name"])
    return Roster(
        tuple(
            Player(name, row.cell(found.get("club")), row.cell(found.get("city")))
            for name, row in zip(names, body, strict=True)
        )
    )


def _names(rows: tuple[Row, ...], column: int) -> Iterator[str]:
    seen: dict[str, int] = {}
    for row in rows:
        name = checked_name(row.cell(column), row.line)
        if (key := name.casefold()) in seen:
            raise ExchangeFault("name_twice_in_file", row.line, name=name, first=seen[key])
        seen[key] = row.line
        if len(seen) > MOST_PLAYERS:
            raise ExchangeFault("too_many_players", row.line, most=MOST_PLAYERS)
        yield name


def checked_name(name: str, line: int) -> str:
    """A name as it may stand in a protocol. Raises ExchangeFault."""
    if not name:
        raise ExchangeFault("blank_name", line)
    if len(name) > LONGEST_NAME:
        raise ExchangeFault("long_name", line, name=f"{name[:LONGEST_NAME]}…", most=LONGEST_NAME)
    if not name.isprintable():
        raise ExchangeFault("unprintable_name", line)
    return name
