"""Which sound card is played on: chosen by name from what mpv lists, the best of a list first. The machine's default is
never followed, since it changes when HDMI is plugged in. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_SERVERS: Final = ("pulse/", "pipewire/")
_ALSA: Final = ("alsa/sysdefault:", "alsa/hdmi:", "alsa/iec958:")
"""Of ALSA's many names of one card those that mix what several programs play, and those of HDMI."""


@dataclass(frozen=True, slots=True)
class Card:
    """One sound card: mpv's name of it, and the name a person knows."""

    device: str
    name: str

    @property
    def is_hdmi(self) -> bool:
        """Whether it is the sound of a screen."""
        return "hdmi" in f"{self.device} {self.name}".lower()

    @property
    def sink(self) -> str | None:
        """The sound server's name of it, by which it can be listened to."""
        server, _, sink = self.device.partition("/")
        return sink if f"{server}/" in _SERVERS and sink else None


def cards_in(devices: Iterable[Mapping[str, Any]]) -> tuple[Card, ...]:
    """The cards of mpv's `audio-device-list`: those of the sound server, else ALSA's own."""
    known = [Card(str(row.get("name", "")), str(row.get("description") or row.get("name", ""))) for row in devices]
    served = tuple(card for card in known if card.sink is not None)
    return served or tuple(card for card in known if card.device.startswith(_ALSA))


def rank(card: Card, wanted: Sequence[str]) -> int | None:
    """The place of `card` among the `wanted`, from 0; None: it is not wanted. A word is looked for in both names."""
    if not wanted:
        return 1 if card.is_hdmi else 0
    both = f"{card.name}\n{card.device}".lower()
    return next((place for place, word in enumerate(wanted) if word.lower() in both), None)


def choose(cards: Iterable[Card], wanted: Sequence[str], present: Card | None = None) -> Card | None:
    """The best card there is; among equals the `present` one stays. None: there is none."""
    ranked = [(place, card != present, card) for card in cards if (place := rank(card, wanted)) is not None]
    return min(ranked, key=lambda row: row[:2])[2] if ranked else None
