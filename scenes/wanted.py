"""What OBS is to look like, as one value: it can be sent again at any time, and the newest one replaces the others."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

Item: TypeAlias = tuple[str, str]
"""A source where it stands: scene, source."""
Filter: TypeAlias = tuple[str, str]
"""A filter where it stands: source, filter."""


def _no_flags() -> dict[tuple[str, str], bool]:
    return {}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture that was decided. Every name is OBS's own."""

    id: str
    """`auto-12` for what came by itself, `hand-3` for what the producer asked for."""
    decided: float
    """When, seconds on this machine's monotonic clock."""
    scene: str | None = None
    """None: whatever is on air."""
    transition: str | None = None
    duration: int | None = None
    """Milliseconds."""
    items: Mapping[Item, bool] = field(default_factory=_no_flags)
    filters: Mapping[Filter, bool] = field(default_factory=_no_flags)
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    prepare: bool = False
    """In studio mode the scene goes into the preview, and the producer takes it from there."""

    emergency: bool = False
    """It comes by its own transition, whatever the producer has set; the next one goes by the producer's again."""
    hands: int = 0
    """How many times somebody had switched OBS when this was decided; a later switch overrules it."""

    def same_picture(self, other: "Wanted") -> bool:
        """Whether both ask for the same, whoever decided it and when."""
        return replace(self, id="", decided=0.0, hands=0) == replace(other, id="", decided=0.0, hands=0)
