"""Seats for games whose players are known: each player has every seat as often as any other, give or take one.

This is exact, not searched for. Draw a line from every player to every game he plays. Split each player into halves,
thirds ... of ten games; then no point has more than ten lines, and the lines of such a graph can be coloured with ten
colours so that no two at one point are alike (König). A colour is a seat: ten different ones in every game, and no
player has one twice before he has had all ten - or as many as he has games.
"""

from collections.abc import Sequence

from controller.record.seating.chance import Chance
from controller.record.seating.plan import SEATS

FREE = -1


def seat_all(games: Sequence[Sequence[int]], players: int, chance: Chance) -> list[list[int]]:
    """The players of each game in the order of their seats."""
    parts = _parts(games, players)
    at_game = [[FREE] * SEATS for _ in games]  # which part of a player sits there
    at_part = [[FREE] * SEATS for _ in range(max(max(row) for row in parts) + 1)]  # in which game
    for game, row in enumerate(parts):
        for part in row:
            _colour(game, part, at_game, at_part)
    player_of = {
        part: player for row, who in zip(parts, games, strict=True) for part, player in zip(row, who, strict=True)
    }
    seats = chance.shuffled(range(SEATS))
    return [[player_of[row[seat]] for seat in seats] for row in at_game]


def _parts(games: Sequence[Sequence[int]], players: int) -> list[list[int]]:
    """Each player's games counted off by tens: a new part of the player begins with the eleventh."""
    played = [0] * players
    number: dict[tuple[int, int], int] = {}
    parts: list[list[int]] = []
    for game in games:
        row: list[int] = []
        for player in game:
            key = (player, played[player] // SEATS)
            row.append(number.setdefault(key, len(number)))
            played[player] += 1
        parts.append(row)
    return parts


def _colour(game: int, part: int, at_game: list[list[int]], at_part: list[list[int]]) -> None:
    """One line more: it takes a seat that is free at both ends, and if there is none, a chain of lines is swapped."""
    free_here = at_game[game].index(FREE)
    free_there = at_part[part].index(FREE)
    if free_here != free_there and at_part[part][free_here] != FREE:
        _swap(part, free_here, free_there, at_game, at_part)
    at_game[game][free_here] = part
    at_part[part][free_here] = game


def _swap(part: int, wanted: int, other: int, at_game: list[list[int]], at_part: list[list[int]]) -> None:
    """Frees `wanted` at `part`: along the path of lines with these two seats in turn, the one becomes the other.

    The path cannot come to the game that the new line leads to: it would arrive there with `wanted`, which is free.
    """
    path: list[tuple[int, int, int]] = []
    colour, at = wanted, part
    while True:
        game = at_part[at][colour]
        if game == FREE:
            break
        path.append((game, at, colour))
        colour = wanted + other - colour
        at = at_game[game][colour]
        if at == FREE:
            break
        path.append((game, at, colour))
        colour = wanted + other - colour
    for game, at, colour in path:
        at_game[game][colour] = FREE
        at_part[at][colour] = FREE
    for game, at, colour in path:
        at_game[game][wanted + other - colour] = at
        at_part[at][wanted + other - colour] = game
