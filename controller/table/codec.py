"""Commands and events as versioned JSON, and back. Every dataclass carries its class name as `type`; what is read is
checked against the dataclass's own types, so a row that does not fit is an error and never a half-read event."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Final, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from controller.game.commands import Command
from controller.game.events import Event
from controller.table.events import TableEvent
from controller.table.wishes import TableCommand

VERSION: Final = 1

_Reader: TypeAlias = Callable[[Any], Any]


class Unreadable(ValueError):
    """JSON that is no command or event of this version."""


def write(value: object) -> str:
    """Return `value` - a dataclass, or a tuple of them - as JSON text."""
    return msgspec.json.encode(_plain(value)).decode("utf-8")


def read_command(text: str) -> Command | TableCommand:
    """Return the command that `write` made `text` from. Raises Unreadable."""
    return _read(Command | TableCommand, text)


def read_events(text: str) -> tuple[Event, ...]:
    """Return the game's events. Raises Unreadable."""
    return _read(tuple[Event, ...], text)


def read_table_events(text: str) -> tuple[TableEvent, ...]:
    """Return the table's events. Raises Unreadable."""
    return _read(tuple[TableEvent, ...], text)


def _read(hint: Any, text: str) -> Any:
    try:
        return _reader(hint)(msgspec.json.decode(text))
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as wrong:
        raise Unreadable(str(wrong)) from wrong


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        own = {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
        return {"type": type(value).__name__, **own}
    if isinstance(value, tuple):
        return [_plain(part) for part in cast("tuple[object, ...]", value)]
    return msgspec.to_builtins(value)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a dataclass is read: what reads each of its parts, and the parts that must be there."""

    parts: Mapping[str, _Reader]
    needed: tuple[str, ...]


@cache
def _reader(hint: Any) -> _Reader:
    """What makes a value of type `hint` of plain data. A restart reads a whole game: types are looked at once."""
    if not _holds_dataclass(hint):
        return lambda data: msgspec.convert(data, hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _one_of((hint,))
    arguments = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        own = _one_of(tuple(kind for kind in arguments if kind is not type(None)))
        if type(None) not in arguments:
            return own
        return lambda data: None if data is None else own(data)
    if get_origin(hint) is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            each = _reader(arguments[0])
            return lambda data: tuple(each(item) for item in _list(data, hint))
        parts = [_reader(part) for part in arguments]

        def exactly(data: Any) -> Any:
            items = _list(data, hint)
            if len(items) != len(parts):
                raise Unreadable(f"{data!r} is no {hint}")
            return tuple(part(item) for part, item in zip(parts, items, strict=True))

        return exactly

    def unfit(data: Any) -> Any:
        raise Unreadable(f"{data!r} is no {hint}")

    return unfit


def _list(data: Any, hint: Any) -> list[Any]:
    if not isinstance(data, list):
        raise Unreadable(f"{data!r} is no {hint}")
    return cast("list[Any]", data)


def _one_of(kinds: tuple[Any, ...]) -> _Reader:
    """What reads the one of `kinds` that the data names."""
    named = {kind.__name__: kind for kind in kinds}

    def read(data: Any) -> Any:
        if not isinstance(data, dict):
            raise Unreadable(f"{data!r} has no type")
        said = dict(cast("dict[str, Any]", data))
        name = said.pop("type", None)
        kind = named.get(name)
        if kind is None:
            raise Unreadable(f"{name} is not expected here")
        shape = _shape(kind)
        if unknown := said.keys() - shape.parts.keys():
            raise Unreadable(f"{name} has no {', '.join(sorted(unknown))}")
        for part in shape.needed:
            if part not in said:
                raise Unreadable(f"{name} lacks {part}")
        return kind(**{part: shape.parts[part](item) for part, item in said.items()})

    return read


@cache
def _shape(kind: type) -> _Shape:
    hints = get_type_hints(kind)
    own = fields(kind)
    needed = (part.name for part in own if part.default is MISSING and part.default_factory is MISSING)
    return _Shape({part.name: _reader(hints[part.name]) for part in own}, tuple(needed))


@cache
def _holds_dataclass(hint: Any) -> bool:
    if isinstance(hint, type) and is_dataclass(hint):
        return True
    return any(_holds_dataclass(part) for part in get_args(hint) if part is not Ellipsis)
