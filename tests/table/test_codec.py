"""Commands and events as JSON and back."""

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.game.commands import Command
from controller.game.events import Event
from controller.table import codec
from controller.table.codec import Unreadable
from controller.table.events import TableEvent
from controller.table.wishes import TableCommand

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of type `hint`."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return st.builds(hint, **{part.name: of(hints[part.name]) for part in dataclasses.fields(hint)})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        if len(parts) == 2 and parts[1] is Ellipsis:
            return st.lists(of(parts[0]), max_size=3).map(tuple)
        return st.tuples(*map(of, parts))
    if get_args(hint):
        return st.one_of(*map(of, get_args(hint)))
    plain: Mapping[Any, st.SearchStrategy[Any]] = {
        int: st.integers(-(2**62), 2**62),
        bool: st.booleans(),
        str: TEXT,
        Decimal: st.decimals(-99, 99, places=2),
        type(None): st.none(),
    }
    return plain[hint]


@given(of(Command | TableCommand))
def test_every_command_comes_back_as_it_was(command: Command | TableCommand):
    assert codec.read_command(codec.write(command)) == command


@given(st.lists(of(Event), max_size=3).map(tuple))
def test_every_event_of_the_game_comes_back_as_it_was(events: tuple[Event, ...]):
    assert codec.read_events(codec.write(events)) == events


@given(st.lists(of(TableEvent), max_size=3).map(tuple))
def test_every_event_of_the_table_comes_back_as_it_was(events: tuple[TableEvent, ...]):
    assert codec.read_table_events(codec.write(events)) == events


def test_no_two_of_a_kind_share_a_name():
    for union in (Command | TableCommand, Event, TableEvent):
        names = [kind.__name__ for kind in get_args(union)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"seat": 4}',
        '{"type": "Foul"}',
        '{"type": "Foul", "seat": "4", "clause": null}',
        '{"type": "Foul", "seat": 4, "clause": null, "colour": "red"}',
        '{"type": "Execute", "seat": 4}',
        '{"type": "FoulGiven", "seat": 4, "clause": null}',
        '{"type": "Check", "by": "postman", "seat": 4}',
    ],
)
def test_what_is_no_command_is_never_half_read(text: str):
    with pytest.raises(Unreadable):
        codec.read_command(text)


def test_a_field_that_came_later_has_its_default_in_older_rows():
    assert codec.read_command('{"type": "Foul", "seat": 4}') == codec.read_command(
        '{"type": "Foul", "seat": 4, "clause": null}'
    )
