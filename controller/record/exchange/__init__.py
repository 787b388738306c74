"""Players, seatings and games from and to other programs.

    read_players(path), read_seating(path)              CSV and XLSX
    import_games(path)                                  mafiaratings and Polemica JSON, played through the engine
    mafiaratings(headers, game)                         a game as mafiaratings writes it

What a source does not say, what was assumed, and where the engine disagrees with it stands in the notes of each game.
"""

from controller.record.exchange.faults import ExchangeFault
from controller.record.exchange.games import Imported, import_games
from controller.record.exchange.notes import Kind, Note
from controller.record.exchange.rosters import Player, Roster, read_players
from controller.record.exchange.seatings import Seated, read_seating, seating_csv, seating_workbook
from controller.record.exchange.to_mafiaratings import mafiaratings

__all__ = [
    "ExchangeFault",
    "Imported",
    "Kind",
    "Note",
    "Player",
    "Roster",
    "Seated",
    "import_games",
    "mafiaratings",
    "read_players",
    "read_seating",
    "seating_csv",
    "seating_workbook",
]
