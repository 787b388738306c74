"""What we ask of gpiozero's pins, as types of our own: the raw pins below its devices, where the edges have a time."""

from collections.abc import Callable
from typing import Protocol, cast

PinChanged = Callable[[float, int], None]
"""Called in any thread with the edge's ticks, as the factory counts them, and the pin's new level."""


class Pin(Protocol):
    """One pin. `when_changed` keeps a weak reference alone: whoever sets it keeps the callback alive."""

    state: int
    bounce: float | None
    edges: str
    when_changed: PinChanged | None

    def input_with_pull(self, pull: str) -> None:
        """Make it an input with the pull "up" or "down"."""
        ...

    def output_with_state(self, state: bool) -> None:
        """Make it an output at this level."""
        ...

    def close(self) -> None:
        """Give it back."""
        ...


class PinFactory(Protocol):
    """Where pins come from."""

    def pin(self, name: int) -> Pin:
        """Return the pin with this GPIO number."""
        ...

    def close(self) -> None:
        """Give all pins back."""
        ...


def pins_of_this_machine() -> PinFactory:
    """Return the pins of the Raspberry Pi that this runs on. Raises Exception of many kinds where there are none."""
    # lgpio is there on a Pi alone.
    from gpiozero.pins.lgpio import LGPIOFactory  # pyright: ignore

    return cast("PinFactory", LGPIOFactory())
