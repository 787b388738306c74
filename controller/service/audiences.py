"""What each audience was shown last, encoded, and its revision: it rises only when that audience's bytes change."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec
from msgspec import Raw

from controller.small_files import write_whole
from controller.views.messages import Audience, Envelope, Language, Message

ROOM_A_START: Final = 1_000_000
"""Revisions of one run of the service: the next run begins above them, so that no screen ever sees one go back."""

Source = TypeVar("Source")


def starts_of(folder: Path) -> int:
    """How many times the service was started on `folder`, this time included. Raises OSError."""
    path = folder / "starts"
    try:
        before = int(path.read_text())
    except (OSError, ValueError):
        before = 0
    write_whole(path, f"{before + 1}\n".encode())
    return before + 1


class AudienceView(Generic[Source]):
    """One audience: how its view is made, and the last one in every language that is read."""

    def __init__(
        self, audience: Audience, build: Callable[[Source, Language], Message], page_build: str, start: int
    ) -> None:
        self.audience: Audience = audience
        self.revision = start * ROOM_A_START
        self._build = build
        self._page_build = page_build
        self._shown: dict[Language, bytes] = {}

    def refresh(self, source: Source, languages: Iterable[Language]) -> bool:
        """Makes the views anew; whether anything has changed. A language read for the first time is no change."""
        changed = False
        wanted: set[Language] = {*languages, *self._shown}
        for language in wanted:
            encoded = msgspec.json.encode(self._build(source, language))
            known = self._shown.get(language)
            changed = changed or (known is not None and known != encoded)
            self._shown[language] = encoded
        if changed:
            self.revision += 1
        return changed

    def shown(self, language: Language) -> bytes | None:
        """The view as it was encoded last."""
        return self._shown.get(language)

    def envelope(self, language: Language, now_ns: int) -> Envelope:
        """The last view, dated `now_ns` on the service's clock. Raises KeyError for a language never refreshed."""
        return Envelope(
            audience=self.audience,
            revision=self.revision,
            build=self._page_build,
            now=now_ns // 1000 / 1000,
            view=Raw(self._shown[language]),
        )
