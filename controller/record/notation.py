"""Reading a record: text into headers and a game that has been played. Nothing is half-applied: it reads, or it faults.

reading = read(text)
reading.game.state.outcome
"""

from dataclasses import dataclass

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.history import History, begin
from controller.game.refusal import Refusal, Refused, refuse
from controller.game.state import new_game
from controller.record.headers import Head, Headers, is_header, read_head, split
from controller.record.lines import Line, RecordFault, lines_of
from controller.record.play import finished, play
from controller.record.statements import Undo, read_statement
from controller.record.variant import Variant
from controller.scoring.referee import referee
from controller.scoring.standings import Tournament
from controller.scoring.tables import Table, at_stage


@dataclass(frozen=True, slots=True)
class Reading:
    """A record that was read: its headers, how it is counted and how such games add up, and the game as it came out."""

    headers: Headers
    table: Table
    tournament: Tournament
    game: History


def read(text: str, variant: Variant | None = None) -> Reading:
    """The game that `text` records, by the rules and points of `variant` where the tournament has its own.

    Raises RecordFault with the line and the reason.
    """
    head_lines, game_lines = split(lines_of(text))
    head = read_head(head_lines, RULESETS if variant is None else variant.rulesets)
    headers = head.headers
    table, tournament = head.counting.table, head.counting.tournament
    if variant is not None:
        for own, of_variant in ((headers.ruleset, variant.rules.name), (headers.scoring, variant.table.name)):
            if own != of_variant:  # else its numbers would silently not count
                wrong = refuse("variant_of_other_rules", played=own, variant=of_variant).refusal
                raise RecordFault(head_lines[0].number, wrong)
        table, tournament = variant.table, variant.tournament
    table = at_stage(table, headers.stage)
    game = _dealt(head, table)
    before: list[History] = []
    for line in game_lines:
        try:
            game = _played(game, line, before)
        except Refused as refused:
            raise RecordFault(line.number, refused.refusal, headers.ruleset) from None
    return Reading(headers, table, tournament, finished(game))


def _played(game: History, line: Line, before: list[History]) -> History:
    """The game after one line; `before` keeps the game before each statement that stands, for `undo`."""
    if is_header(line.text):
        raise refuse("header_in_game", header=line.text.partition(":")[0].strip())
    rules = game.start.rules
    statement = read_statement(line.text, seats=len(game.start.seats), window=rules.window)
    if isinstance(statement, Undo):
        if not before:
            raise refuse("nothing_to_undo")
        return before.pop()
    played = play(game, statement)
    before.append(game)
    return played


def _dealt(head: Head, table: Table) -> History:
    """The game with its cards dealt, in night 0."""
    headers = head.headers
    game = begin(new_game(head.rules, len(headers.seats)), referee(table))
    for sitter in headers.seats:
        dealt = game.play(cmd.Deal(sitter.number, sitter.role))
        if isinstance(dealt, Refusal):
            raise RecordFault(head.seat_lines[sitter.number], dealt, headers.ruleset)
        game = dealt
    begun = game.play(cmd.Next())
    if isinstance(begun, Refusal):
        raise RecordFault(head.last_line, begun, headers.ruleset)
    return begun
