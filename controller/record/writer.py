"""Writing a game as a record that replays to it.

The writer reads every line it writes: a statement stands only where the reader, at the place it has come to, makes of
it what happened. Where the place itself matters (a third foul in the own minute), `next` brings the reader there; where
it does not, nothing is said of it - a record lists what happened, not every button.

What cannot stand in a line is changed: `#` becomes `№` in names and texts, a line break a blank, and the second of two
equal names gets a number.
"""

from collections.abc import Iterator, Sequence

from controller.game import RULESETS
from controller.game import commands as cmd
from controller.game.history import History, begin
from controller.game.moment import Moment
from controller.game.refusal import Refusal, Refused
from controller.game.state import State, new_game
from controller.record.headers import Headers
from controller.record.options import options_of
from controller.record.play import finished, play
from controller.record.retell import Told, retold
from controller.record.saying import clean, said
from controller.record.statements import read_statement
from controller.scoring.tables import rules_for

STANDS_EARLIER = (cmd.BestMove, cmd.Will, cmd.Award, cmd.Penalise, cmd.Protest)
"""What a record may have under a night though it is said in the morning or after the game."""


class CannotWrite(ValueError):
    """A game that the notation has no words for: its cards are not dealt, or something in it cannot be told."""


def write(headers: Headers, game: History) -> str:
    """The record of `game`: options and cards are the game's, the rest of the head is `headers`'. Raises CannotWrite.

    Replayed, it comes to the state that the game comes to at the end of a record (`play.finished`).
    """
    if any(seat.role is None for seat in game.state.seats):
        raise CannotWrite("not every seat has a card")
    try:
        told, retelling = retold(game, _dealt(game))
        return "\n".join([*_head(headers, game), "", *_body(told, retelling, _dealt(game))]) + "\n"
    except Refused as refused:
        raise CannotWrite(f"what happened is refused in a record: {refused.refusal}") from refused


# --- the head


def _head(headers: Headers, game: History) -> Iterator[str]:
    own = rules_for(headers.scoring, RULESETS[headers.ruleset])
    yield f"ruleset: {headers.ruleset}"
    if headers.scoring != headers.ruleset:
        yield f"scoring: {headers.scoring}"
    for name, value in options_of(game.start.rules, own):
        yield f"option: {name}={value}"
    for name, value in headers.points:
        yield f"points: {name}={value}"
    for key in ("event", "stage", "game", "table", "date", "judge"):
        if value := clean(getattr(headers, key)):
            yield f"{key}: {value}"
    names = {sitter.number: clean(sitter.name) for sitter in headers.seats}
    used: set[str] = set()
    for seat in game.state.seats:
        assert seat.role is not None
        name = names.get(seat.number, "")
        if name in used:
            name = f"{name} ({seat.number})"
        used |= {name} if name else set()
        yield f"seat {seat.number}: {name}, {seat.role.value}"


def _dealt(game: History) -> History:
    """The reader's game with these cards, in night 0."""
    rules = game.start.rules
    start = begin(new_game(rules, len(game.start.seats)), game.unfold)
    for seat in game.state.seats:
        assert seat.role is not None
        start = _taken(start.play(cmd.Deal(seat.number, seat.role)))
    return _taken(start.play(cmd.Next()))


def _taken(game: History | Refusal) -> History:
    if isinstance(game, Refusal):
        raise Refused(game)
    return game


# --- the game


def _body(told: Sequence[Told], retelling: History, reader: History) -> Iterator[str]:
    """The lines of the game; `reader` is where a reader is who has read so far."""
    written = reader.state.at
    yield str(written)
    for decision in told:
        text = said(decision.command, decision.before, decision.after)
        early = isinstance(decision.command, STANDS_EARLIER)
        for lines in _ways(reader, written, decision.before, early=early):
            read = _read(reader, [*lines, text])
            if read is not None and _comes_to(read, decision.after):
                break
        else:
            raise CannotWrite(f"cannot be told: {text}")
        yield from (*lines, text)
        reader = read
        if lines and not lines[0].startswith("next"):
            written = decision.before.at
        if isinstance(decision.command, cmd.SetPosition):
            written = reader.state.at
    yield from _last_lines(reader, written, retelling)


def _last_lines(reader: History, written: Moment, retelling: History) -> Iterator[str]:
    """What brings the reader to the end of a game that nothing more is told of."""
    end = finished(retelling).state
    for lines in ([], *_ways(reader, written, retelling.state), ["end"]):
        read = _read(reader, lines)
        if read is not None and finished(read).state == end:
            yield from lines
            return
    raise CannotWrite("the game's end cannot be told")


def _ways(reader: History, written: Moment, place: State, *, early: bool = False) -> Iterator[list[str]]:
    """Lines that may stand before a statement made at `place`, the shortest first."""
    reached = list(_moments(written, place.at))
    if early or not reached:
        yield []
    if reached:
        yield reached
    for lines in (reached, []):
        steps = _steps(_read(reader, lines), place)
        if steps:
            yield [*lines, f"next {steps}" if steps > 1 else "next"]
    if reader.state == place:
        yield []  # the game is over: no night or day can be reached any more


def _moments(written: Moment, at: Moment) -> Iterator[str]:
    """The lines `night N` and `day N` from what is written up to `at`."""
    while written < at:
        written = written.following
        yield str(written)


def _steps(reader: History | None, place: State) -> int:
    """How often Next is pressed to come to `place`; 0 if it does not lead there."""
    steps = 0
    while reader is not None and reader.state.at <= place.at:
        if reader.state == place:
            return steps
        onward = reader.play(cmd.Next())
        reader = None if isinstance(onward, Refusal) else onward
        steps += 1
    return 0


def _comes_to(reader: History, state: State) -> bool:
    """Whether the reader's game is at `state`, or comes there by nothing but steps."""
    return reader.state == state or _steps(reader, state) > 0


def _read(reader: History, lines: Sequence[str]) -> History | None:
    """The reader's game after these lines; None where one of them is refused."""
    rules = reader.start.rules
    try:
        for line in lines:
            reader = play(reader, read_statement(line, seats=len(reader.start.seats), window=rules.window))
    except Refused:
        return None
    return reader
