"""Every sentence a person reads, in Russian, Ukrainian and English, in one place.

`sentence("refusal.nominated_already", "uk", by=4)`. A code is a group and a key: the file `ru/refusal.toml` holds
the Russian refusals, one line a sentence, and so for the other languages.
"""

from controller.catalogue.catalogue import (
    LANGUAGES,
    UnknownSentence,
    codes,
    group,
    has,
    listed,
    sentence,
)
from controller.catalogue.nearest import nearest

__all__ = ["LANGUAGES", "UnknownSentence", "codes", "group", "has", "listed", "nearest", "sentence"]
