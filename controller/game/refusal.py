"""A refusal is the person's mistake put into a value: a code with parameters and a clause. It is never a bug.

The sentence comes from the catalogue in the person's language; here there are no sentences.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

Param: TypeAlias = str | int


def _none() -> Mapping[str, Param]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was not taken. The state is as it was."""

    code: str
    params: Mapping[str, Param] = field(default_factory=_none)
    clause: str | None = None
    not_now: bool = False
    """The command belongs to another step: it may be legal a few steps later."""
    secret: bool = False
    """The reason tells a role: it may be shown under the tablet's cover only."""


class Refused(Exception):
    """Carries a refusal out of the chapter that found it; `decide` turns it back into a value."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


def refuse(
    code: str,
    /,
    *,
    clause: str | None = None,
    not_now: bool = False,
    secret: bool = False,
    **params: Param,
) -> Refused:
    """A `Refused` to raise: `raise refuse("not_living", seat=4, clause="4.4.2")`."""
    return Refused(Refusal(code, MappingProxyType(params), clause, not_now, secret))
