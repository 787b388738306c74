"""Nicknames as they are compared: however somebody typed the spaces and the letters, it is the same player."""


def folded(name: str) -> str:
    """What of a nickname tells it from others."""
    return " ".join(name.split()).casefold()
