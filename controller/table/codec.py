"""Commands and events as versioned JSON, and back. Every dataclass carries its class name as `type`; what is read is
checked against the dataclass's own types, so a row that does not fit is an error and never a half-read event."""

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from controller.game.commands import Command
from controller.game.events import Event
from controller.table.events import TableEvent
from controller.table.wishes import TableCommand

VERSION: Final = 1


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
        return _value(hint, msgspec.json.decode(text))
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as wrong:
        raise Unreadable(str(wrong)) from wrong


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        own = {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
        return {"type": type(value).__name__, **own}
    if isinstance(value, tuple):
        return [_plain(part) for part in cast("tuple[object, ...]", value)]
    return msgspec.to_builtins(value)


def _value(hint: Any, data: Any) -> Any:
    """`data` as a value of type `hint`."""
    if not _holds_dataclass(hint):
        return msgspec.convert(data, hint)
    if isinstance(hint, type) and is_dataclass(hint):
        return _dataclass((hint,), data)
    arguments = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        if data is None and type(None) in arguments:
            return None
        return _dataclass(arguments, data)
    if get_origin(hint) is tuple and isinstance(data, list):
        items = cast("list[Any]", data)
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return tuple(_value(arguments[0], item) for item in items)
        if len(arguments) == len(items):
            return tuple(_value(part, item) for part, item in zip(arguments, items, strict=True))
    raise Unreadable(f"{data!r} is no {hint}")


def _dataclass(kinds: tuple[Any, ...], data: Any) -> Any:
    """`data` as the one of `kinds` that it names."""
    if not isinstance(data, dict):
        raise Unreadable(f"{data!r} has no type")
    said = dict(cast("dict[str, Any]", data))
    name = said.pop("type", None)
    kind = next((kind for kind in kinds if kind.__name__ == name), None)
    if kind is None:
        raise Unreadable(f"{name} is not expected here")
    hints = _hints(kind)
    if unknown := said.keys() - hints.keys():
        raise Unreadable(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    for part in fields(kind):
        if part.name not in said and part.default is MISSING and part.default_factory is MISSING:
            raise Unreadable(f"{kind.__name__} lacks {part.name}")
    return kind(**{name: _value(hints[name], item) for name, item in said.items()})


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _holds_dataclass(hint: Any) -> bool:
    if isinstance(hint, type) and is_dataclass(hint):
        return True
    return any(_holds_dataclass(part) for part in get_args(hint) if part is not Ellipsis)
