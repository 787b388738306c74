"""A position set by hand, as `position:` writes it: `day=3 alive=1,3,4 left=2:voted:day1 fouls=3:2,4:1 nominated=5,8`.

`alive` is the short form of a tired judge: whoever is not listed is out, voted out on the day before unless `left`
says how; nothing else in the points depends on a plain vote. `nominated=1>5,8` names the nominator where he is known.
"""

from collections.abc import Sequence

from controller.catalogue import nearest
from controller.game.moment import Moment
from controller.game.position import Position
from controller.game.refusal import refuse
from controller.game.seat import How
from controller.record.lines import SEAT, seat_number, seat_numbers

KEYS = ("day", "night", "alive", "left", "fouls", "silent", "nominated", "speaker", "opener")


def position_of(words: Sequence[str], seats: int) -> Position:
    """The position that `words` describe at a table of `seats`; raises Refused."""
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.casefold()
        if key not in KEYS:
            raise refuse("word_unknown", word=key, nearest=nearest(key, KEYS))
        if not equals or not value or key in found:
            raise refuse("statement_form", usage="position: KEY=VALUE")
        found[key] = value
    if ("day" in found) == ("night" in found):
        raise refuse("position_without_moment")
    number = found.get("day") or found["night"]
    if not SEAT.fullmatch(number):
        raise refuse("number_expected", word=number)
    at = Moment("day" in found, int(number))
    left = tuple(_departure(item, seats) for item in _items(found, "left"))
    if "alive" in found:
        alive = set(seat_numbers(_items(found, "alive"), seats))
        known = {seat for seat, _, _ in left}
        if both := alive & known:
            raise refuse("position_alive_and_out", seat=min(both))
        before = Moment.day_of(max(1, at.number - 1 if at.day else at.number))
        others = (seat for seat in range(1, seats + 1) if seat not in alive | known)
        left = (*left, *((seat, How.VOTED, before) for seat in others))
    return Position(
        at,
        left,
        tuple(_foul(item, seats) for item in _items(found, "fouls")),
        seat_numbers(_items(found, "silent"), seats),
        tuple(_nomination(item, seats) for item in _items(found, "nominated")),
        seat_number(found["speaker"], seats) if "speaker" in found else None,
        seat_number(found["opener"], seats) if "opener" in found else None,
    )


def _items(found: dict[str, str], key: str) -> list[str]:
    return found[key].split(",") if key in found else []


def _departure(item: str, seats: int) -> tuple[int, How, Moment]:
    parts = item.casefold().split(":")
    if len(parts) != 3:
        raise refuse("position_item", word=item, usage="left=2:voted:day1")
    seat, how, when = parts
    number = when.removeprefix("day").removeprefix("night")
    if how not in tuple(How) or not SEAT.fullmatch(number) or when == number:
        raise refuse("position_item", word=item, usage="left=2:voted:day1")
    return seat_number(seat, seats), How(how), Moment(when.startswith("day"), int(number))


def _foul(item: str, seats: int) -> tuple[int, int]:
    seat, colon, count = item.partition(":")
    if not colon or not SEAT.fullmatch(count):
        raise refuse("position_item", word=item, usage="fouls=3:2")
    return seat_number(seat, seats), int(count)


def _nomination(item: str, seats: int) -> tuple[int, int]:
    by, arrow, seat = item.rpartition(">")
    return seat_number(by, seats) if arrow else 0, seat_number(seat, seats)


def position_words(position: Position) -> str:
    """`position` as the notation writes it."""
    words = [f"{'day' if position.at.day else 'night'}={position.at.number}"]
    if position.left:
        out = (f"{seat}:{how}:{'day' if at.day else 'night'}{at.number}" for seat, how, at in position.left)
        words.append("left=" + ",".join(out))
    if position.fouls:
        words.append("fouls=" + ",".join(f"{seat}:{count}" for seat, count in position.fouls))
    if position.silent:
        words.append("silent=" + ",".join(map(str, position.silent)))
    if position.nominated:
        words.append("nominated=" + ",".join(f"{by}>{seat}" if by else str(seat) for by, seat in position.nominated))
    if position.speaker is not None:
        words.append(f"speaker={position.speaker}")
    if position.opener is not None:
        words.append(f"opener={position.opener}")
    return " ".join(words)
