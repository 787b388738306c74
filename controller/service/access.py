"""Who gets in as what. A token is unguessable, belongs to one scope, and outlives a restart so that links stay good.

Without a token a client is the hall, and nothing that a client says afterwards can change its scope.
"""

import json
import os
import secrets
from enum import StrEnum
from hmac import compare_digest
from pathlib import Path
from typing import Final

TOKEN_BYTES: Final = 24
_LEAST_LENGTH: Final = 24


class Scope(StrEnum):
    """What a client may see and do."""

    JUDGE = "judge"
    AIR = "air"
    PRODUCER = "producer"
    TABLE = "table"
    HALL = "hall"
    BREAK = "break"
    """The page between games: standings and who plays next, nothing of a running game."""


GUARDED: Final = (Scope.JUDGE, Scope.AIR, Scope.PRODUCER, Scope.TABLE)
"""The scopes that ask for a token."""
OPEN: Final = (Scope.HALL, Scope.BREAK)
"""The scopes that do not."""


class Tokens:
    """The tokens of one table."""

    def __init__(self, tokens: dict[Scope, str]) -> None:
        self._tokens = tokens

    def scope_of(self, token: str | None, page: str | None = None) -> Scope | None:
        """The scope that `token` opens; without a token the break's for its page, else the hall; None for a wrong
        one."""
        if token is None:
            return Scope.BREAK if page == Scope.BREAK.value else Scope.HALL
        found: Scope | None = None
        for scope, own in self._tokens.items():  # all of them, so that the time taken tells nothing
            if compare_digest(own.encode(), token.encode(errors="replace")):
                found = scope
        return found

    def path(self, scope: Scope) -> str:
        """The path of the page of `scope`, with its token in the fragment, which browsers send to nobody."""
        return f"/{scope}" if scope in OPEN else f"/{scope}#t={self._tokens[scope]}"

    def __getitem__(self, scope: Scope) -> str:
        """The token of `scope`."""
        return self._tokens[scope]


def tokens_in(folder: Path) -> Tokens:
    """The tokens kept in `folder`; those that are missing or damaged are made anew and kept. Raises OSError."""
    path = folder / "links.json"
    known: dict[str, object] = {}
    try:
        read: object = json.loads(path.read_text())
        known = read if isinstance(read, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    except (OSError, ValueError):
        known = {}
    tokens: dict[Scope, str] = {}
    for scope in GUARDED:
        token = known.get(scope.value)
        good = isinstance(token, str) and len(token) >= _LEAST_LENGTH and token.isascii()
        tokens[scope] = token if good and isinstance(token, str) else secrets.token_urlsafe(TOKEN_BYTES)
    if {scope.value: token for scope, token in tokens.items()} != known:
        fresh = path.with_name(f"{path.name}.new")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump({scope.value: token for scope, token in tokens.items()}, file)
        fresh.replace(path)
    return Tokens(tokens)
