"""What a producer may ask, from the page or from a Stream Deck: one type an order, told apart by `do`.

A switch without `on` turns to the other side, which is what a single key can do.
"""

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from controller.views.commands import SeatNumber
from controller.views.stage import FactsBy

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
Title: TypeAlias = Annotated[str, Meta(max_length=80)]
StepId: TypeAlias = Annotated[str, Meta(max_length=40)]


class Order(Struct, frozen=True, tag_field="do"):
    """What is asked."""


class Scene(Order, frozen=True, tag="scene"):
    """This scene goes on air and stays: a short name of the cue sheet, or OBS's own name."""

    scene: Name


class Preview(Order, frozen=True, tag="preview"):
    """In studio mode: this scene goes into the preview."""

    scene: Name


class Transition(Order, frozen=True, tag="transition"):
    """In studio mode: the preview goes on air."""


class Hold(Order, frozen=True, tag="hold"):
    """What is on air stays until it is released."""

    on: bool | None = None


class Release(Order, frozen=True, tag="release"):
    """The automation has the wheel again."""


class Cover(Order, frozen=True, tag="cover"):
    """The emergency scene."""

    on: bool | None = None


class Skip(Order, frozen=True, tag="skip"):
    """The next automatic step does not happen; without `step` whichever it is."""

    step: StepId | None = None


class Go(Order, frozen=True, tag="go"):
    """The next automatic step happens now."""

    step: StepId | None = None


class Overlay(Order, frozen=True, tag="overlay"):
    """The whole overlay."""

    on: bool | None = None


class Roles(Order, frozen=True, tag="roles"):
    """Roles, shots and checks on the overlay."""

    on: bool | None = None


class Scores(Order, frozen=True, tag="scores"):
    """Points on the overlay."""

    on: bool | None = None


class Lift(Order, frozen=True, tag="lift"):
    """This seat's card is lifted out; the same once more, or none: no card is."""

    seat: SeatNumber | None = None


class LowerThird(Order, frozen=True, tag="lower_third"):
    """Two lines at the bottom; without a title they go."""

    title: Title = ""
    subtitle: Title = ""


class Fact(Order, frozen=True, tag="fact"):
    """A line about a player. Without a text the next one that the roster has of that player, and after the last one
    none; without a seat it goes."""

    seat: SeatNumber | None = None
    text: Annotated[str, Meta(max_length=160)] = ""


class Facts(Order, frozen=True, tag="facts"):
    """When a fact comes by itself. Without `by` to the other side: by hand, or on each speaker of the first day."""

    by: FactsBy | None = None


class ReplayVote(Order, frozen=True, tag="replay"):
    """A vote window once more; without `window` the last one. While one is shown, without `window`: it ends."""

    window: Annotated[str, Meta(max_length=20)] | None = None
    on: bool | None = None


class SaveReplay(Order, frozen=True, tag="save_replay"):
    """OBS's replay buffer is saved."""


class Delay(Order, frozen=True, tag="delay"):
    """How far viewers are behind the table, seconds: OBS's stream, which takes it when the next stream starts, and the
    spectators' page, which takes it at once. What is not said stays."""

    stream: Annotated[int, Meta(ge=0, le=1200)] | None = None
    spectators: Annotated[int, Meta(ge=0, le=900)] | None = None
    confirmed: bool = False
    """A spectators' delay under two minutes is meant."""


ProducerOrder: TypeAlias = (
    Scene
    | Preview
    | Transition
    | Hold
    | Release
    | Cover
    | Skip
    | Go
    | Overlay
    | Roles
    | Scores
    | Lift
    | LowerThird
    | Fact
    | Facts
    | ReplayVote
    | SaveReplay
    | Delay
)


def read_order(payload: object) -> ProducerOrder:
    """The order that `payload` says. Raises msgspec.ValidationError if it says none."""
    order: Any = msgspec.convert(payload, ProducerOrder)
    return order
