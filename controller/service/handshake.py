"""What a page says when it comes, and the sentence for one that is not let in."""

from typing import Self

import msgspec
import socketio
from msgspec import Struct

from controller.catalogue import sentence
from controller.views import messages
from controller.views.messages import Language


class Handshake(Struct):
    """The `auth` of a page's connection."""

    token: str | None = None
    page: str | None = None
    language: str | None = None
    side: bool = False

    @classmethod
    def of(cls, auth: object) -> Self:
        """What was said; anything that cannot be read is a token that opens nothing."""
        try:
            return msgspec.convert({} if auth is None else auth, cls)
        except msgspec.ValidationError:
            return cls(token="")

    @property
    def speaks(self) -> Language | None:
        """The language of the page."""
        match self.language:
            case "ru" | "uk" | "en":
                return self.language
            case _:
                return None


def not_let_in(code: str, language: Language) -> socketio.exceptions.ConnectionRefusedError:
    """The refusal `code`, to be raised."""
    text = sentence(f"refusal.{code}", language)
    return socketio.exceptions.ConnectionRefusedError(
        text, messages.Refusal(code=code, params={}, clause=None, sentence=text, covered=None)
    )
