"""What is whole in a damaged journal, read from the bytes of its files without SQLite.

A decision carries its own hash, so it is known as whole wherever it lies: in a page, in the write-ahead log, in a file
that ends in the middle of a page. No header, index or table of contents is believed.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

PAGE: Final = 4096
FIRST: Final = ""
"""What the first row names as the hash before it."""
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_MOST_IN_LEAF: Final = PAGE - 35
_LEAST_IN_LEAF: Final = (PAGE - 12) * 32 // 255 - 23
_MOST_IN_KEY: Final = (PAGE - 12) * 64 // 255 - 23
_NUMBER_BYTES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
_HASH: Final = 13 + 2 * 64
_RECORD: Final = re.compile(rb"(?=[\x0e-\x28]\x00)")
"""A record's head, as long as thirteen columns make it; `seq` is the row's key and stands in it as nothing."""
_DECISION: Final = (int, str, str, str, int, str, str, str, str, str, int, str, str)
_EDGE: Final = (str, int, int, str, int, int, int, str)
_GAME, _TABLE_EVENTS, _PREVIOUS, _OWN = 1, 7, 11, 12

Line: TypeAlias = tuple[Any, ...]
Pages: TypeAlias = Mapping[int, bytes]


def row_hash(content: Sequence[Any], previous: str) -> str:
    """The hash of a row, or of a batch of edges, that follows the one whose hash is `previous`."""
    return hashlib.sha256(previous.encode() + msgspec.json.encode(content)).hexdigest()


def is_sound(line: Line) -> bool:
    """Whether a row is what was written. Where it belongs is not asked."""
    kinds = len(line) == len(_DECISION) and all(type(v) is kind for v, kind in zip(line, _DECISION, strict=True))
    return kinds and line[_OWN] == row_hash(line[:_PREVIOUS], line[_PREVIOUS])


def sound_rows(data: bytes, log: bytes) -> list[Line]:
    """Every row that is whole in the database's bytes and its log's, in no order."""
    pages = dict(_pages(data))
    views = ({**pages, **dict(_frames(log))}, pages)
    found: dict[str, Line] = {}
    for source in (data, log):
        for match in _RECORD.finditer(source):
            for view in views:
                line = _row_at(source, match.start(), view)
                if line is None:
                    break
                if is_sound(line):
                    found[line[_OWN]] = line
                    break
    return list(found.values())


def edges(data: bytes, log: bytes) -> list[Line]:
    """Every edge that can be read."""
    found: dict[Line, Line] = {}
    for number, page in (*_pages(data), *_frames(log)):
        for payload in _keys(page, 100 if number == 1 else 0):
            edge = _record(payload, _EDGE)
            if edge is not None:
                found.setdefault(edge[:3], edge)
    return list(found.values())


def in_use(rows: Sequence[Line]) -> list[Line]:
    """Those of `rows` that can be gone on with: all from the first on that follow each other, and beyond a gap the
    last game and those before it that are whole from their first row on."""
    followers: dict[str, list[Line]] = {}
    for line in rows:
        followers.setdefault(line[_PREVIOUS], []).append(line)
    length: dict[str, int] = {}
    for line in sorted(rows, key=lambda line: line[0], reverse=True):
        length[line[_OWN]] = 1 + max((length.get(next_[_OWN], 0) for next_ in followers.get(line[_OWN], ())), default=0)

    def chain(previous: str) -> list[Line]:
        found: list[Line] = []
        while after := [line for line in followers.get(previous, ()) if not found or line[0] == found[-1][0] + 1]:
            found.append(max(after, key=lambda line: length[line[_OWN]]))
            previous = found[-1][_OWN]
        return found

    head = chain(FIRST)
    end = max(rows, key=lambda line: line[0], default=None)
    if end is None or (head and end[0] <= head[-1][0]):
        return head
    by_hash = {line[_OWN]: line for line in rows}
    tail = [end]
    while (before := by_hash.get(tail[-1][_PREVIOUS])) is not None and before[0] == tail[-1][0] - 1:
        tail.append(before)
    tail.reverse()
    known = {line[_GAME] for line in head}
    begins = next((n for n, line in enumerate(tail) if '"type":"GameBegan"' in line[_TABLE_EVENTS]), None)
    if begins is None:
        return head
    tail = tail[begins:]
    begun: set[str] = set()
    for line in tail:
        if '"type":"GameBegan"' in line[_TABLE_EVENTS]:
            begun.add(line[_GAME])
        if line[_GAME] in known or line[_GAME] not in begun:
            return head
    return head + tail


# --- the pages


def _pages(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, at in enumerate(range(0, len(data), PAGE), 1):
        yield number, data[at : at + PAGE].ljust(PAGE, b"\0")


def _frames(log: bytes) -> Iterator[tuple[int, bytes]]:
    for at in range(_LOG_HEADER, len(log), _FRAME_HEADER + PAGE):
        page = log[at + _FRAME_HEADER : at + _FRAME_HEADER + PAGE]
        yield int.from_bytes(log[at : at + 4], "big"), page.ljust(PAGE, b"\0")


def _keys(page: bytes, head: int) -> Iterator[bytes]:
    """The payloads of an index's page: the edges are kept in one."""
    kind = page[head]
    if kind not in (0x02, 0x0A):
        return
    array = head + (12 if kind == 0x02 else 8)
    for number in range(min(int.from_bytes(page[head + 3 : head + 5], "big"), PAGE // 4)):
        pointer = page[array + 2 * number : array + 2 * number + 2]
        at = int.from_bytes(pointer, "big") + (4 if kind == 0x02 else 0)
        size, begins = _varint(page, at)
        if 0 < size <= _MOST_IN_KEY and begins + size <= len(page):
            yield page[begins : begins + size]


# --- the records


def _row_at(source: bytes, at: int, pages: Pages) -> Line | None:
    """The row whose record begins at `at`; None if there is none."""
    serials = _serials(source, at)
    if serials is None or not _may_be_a_row(serials):
        return None
    size = source[at] + sum(_length(serial) for serial in serials)
    payload = source[at : at + size] if size <= _MOST_IN_LEAF else _long(source, at, size, pages)
    rest = _record(payload, (None, *_DECISION[1:]))
    if rest is None or source[at - 1] >= 0x80:
        return None
    begins = at - 1
    while begins > max(0, at - 9) and source[begins - 1] >= 0x80:
        begins -= 1
    return (_varint(source, begins)[0], *rest[1:])


def _long(source: bytes, at: int, size: int, pages: Pages) -> bytes:
    """A record that goes on in pages of its own."""
    local = _LEAST_IN_LEAF + (size - _LEAST_IN_LEAF) % (PAGE - 4)
    if local > _MOST_IN_LEAF:
        local = _LEAST_IN_LEAF
    payload = source[at : at + local]
    following = int.from_bytes(source[at + local : at + local + 4], "big")
    while len(payload) < size and (page := pages.get(following)) is not None:
        payload += page[4 : 4 + size - len(payload)]
        following = int.from_bytes(page[:4], "big")
    return payload


def _may_be_a_row(serials: Sequence[int]) -> bool:
    return (
        len(serials) == len(_DECISION)
        and serials[_OWN] == _HASH
        and serials[_PREVIOUS] in (13, _HASH)
        and all(
            _is_text(serial) if kind is str else serial in _NUMBER_BYTES
            for serial, kind in zip(serials[1:], _DECISION[1:], strict=True)
        )
    )


def _record(payload: bytes, kinds: Iterable[type | None]) -> Line | None:
    """The values of a record whose columns are of `kinds`; None if it is another."""
    kinds = tuple(kinds)
    serials = _serials(payload, 0)
    if serials is None or len(serials) != len(kinds):
        return None
    at, values = payload[0], list[object]()
    for serial, kind in zip(serials, kinds, strict=True):
        piece = payload[at : at + _length(serial)]
        at += _length(serial)
        if len(piece) != _length(serial):
            return None
        if kind is None and serial == 0:
            values.append(None)
        elif kind is str and _is_text(serial):
            try:
                values.append(piece.decode())
            except UnicodeDecodeError:
                return None
        elif kind is int and serial in _NUMBER_BYTES:
            values.append(serial - 8 if serial in (8, 9) else int.from_bytes(piece, "big", signed=True))
        else:
            return None
    return tuple(values)


def _serials(data: bytes, at: int) -> list[int] | None:
    """The kinds of a record's columns; its head is never longer than a byte can say."""
    if at >= len(data):
        return None
    end, at = at + data[at], at + 1
    found: list[int] = []
    while at < end <= len(data):
        serial, at = _varint(data, at)
        found.append(serial)
    return found if at == end else None


def _is_text(serial: int) -> bool:
    return serial >= 13 and serial % 2 == 1


def _length(serial: int) -> int:
    return _NUMBER_BYTES.get(serial, 0) if serial < 12 else (serial - 12) // 2


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite packs it, and where it ends."""
    value = 0
    for count, byte in enumerate(data[at : at + 9], 1):
        if count == 9:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count
    return value, len(data)
