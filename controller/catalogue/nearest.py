"""The word that a sentence proposes in the place of one that nobody knows."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like `word`, whatever the case; empty if none is."""
    names = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), list(names), n=1)
    return names[found[0]] if found else ""
