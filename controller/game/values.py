"""Values are never changed in place: `changed(seat, left=departure)` is a copy that differs."""

from typing import TypeVar

Value = TypeVar("Value")


def changed(value: Value, **changes: object) -> Value:
    """`value` with some fields changed: what `dataclasses.replace` does, without running every field through init.

    For the values that play copies all the time. They are without slots, so that their fields are copied in one go.
    """
    copy = object.__new__(type(value))
    object.__setattr__(copy, "__dict__", value.__dict__ | changes)  # past the guard of a frozen value
    return copy
