"""Remarks on a game from another program: what it does not say, what was assumed, where we differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from controller.catalogue import sentence
from controller.game.refusal import Refusal


class Kind(StrEnum):
    """How much a note matters."""

    MISSING = "missing"
    """The source does not say it."""
    ASSUMED = "assumed"
    """The source does not say it, and something had to be taken for it."""
    DROPPED = "dropped"
    """The source says it, and a record has no place for it; or the other way round."""
    DIFFERS = "differs"
    """The source and the engine disagree."""


def _none() -> Mapping[str, str | int]:
    return {}


@dataclass(frozen=True, slots=True)
class Note:
    """One remark; its sentence is the catalogue's `exchange.note_CODE`."""

    kind: Kind
    code: str
    params: Mapping[str, str | int] = field(default_factory=_none)
    refusal: Refusal | None = None
    """Why the engine refused it."""

    def said(self, language: str) -> str:
        """The remark as a sentence."""
        refusal = self.refusal
        why = sentence(f"refusal.{refusal.code}", language, **refusal.params) if refusal is not None else ""
        if refusal is not None and refusal.clause:
            why += f" ({refusal.clause})"
        kind = sentence(f"exchange.kind_{self.kind.value}", language)
        return f"{kind}: {sentence('exchange.note_' + self.code, language, **self.params, why=why)}"


class Notes:
    """Notes as they are gathered; the same one is kept once."""

    def __init__(self) -> None:
        self.found: list[Note] = []

    def add(self, kind: Kind, code: str, refusal: Refusal | None = None, **params: str | int) -> None:
        """One note more."""
        note = Note(kind, code, params, refusal)
        if note not in self.found:
            self.found.append(note)
