"""The word that a sentence proposes in the place of one that nobody knows."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like `word`, whatever the case; empty if none is. Of two that differ in case alone
    the first."""
    names: dict[str, str] = {}
    for name in known:
        names.setdefault(name.casefold(), name)
    found = get_close_matches(word.casefold(), list(names), n=1)
    return names[found[0]] if found else ""
