"""The sound as the judge's tablet says it: what plays on which card, and what is amiss, as sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.catalogue import sentence
from controller.views.tablet import Readiness, Sound


@dataclass(frozen=True, slots=True)
class Word:
    """Something to be said: the key of its sentence in the catalogue's group `sound`, with its parameters."""

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    ok: bool = False


@dataclass(frozen=True, slots=True)
class SoundReport:
    """What the sound says of itself."""

    state: Word
    """Whether it can be heard, and where."""
    notes: tuple[Word, ...] = ()
    """What was or is amiss beside that, newest last."""
    tone: Word | None = None
    """What came of the last test tone."""
    on: bool = True
    """Whether there is sound at all: it was not switched off in the settings."""
    playing: bool = False
    held: bool = False
    """The judge speaks: the music has stepped back."""
    muted: bool = False
    """The judge has taken the music out of this night."""
    without: bool = False
    """The judge goes on without sound."""
    volume: int = 0
    limit: int = 100


OFF = SoundReport(Word("off", ok=True), on=False)


def readiness_of(report: SoundReport | None, language: str) -> tuple[Readiness, ...]:
    """The checklist's lines on the sound."""
    if report is None:
        return ()
    said = (report.state, *report.notes, *(() if report.tone is None else (report.tone,)))
    return tuple(
        Readiness(ok=note.ok or report.without, sentence=sentence(f"sound.{note.code}", language, **note.params))
        for note in said
    )


def sound_of(report: SoundReport | None, language: str) -> Sound | None:
    """The sound's part of the judge's view; None where there is none to be had."""
    if report is None or not report.on:
        return None
    amiss = next((note for note in (report.state, *report.notes) if not note.ok), None)
    told = report.state if amiss is None else amiss
    return Sound(
        ok=amiss is None,
        sentence=sentence(f"sound.{told.code}", language, **told.params),
        playing=report.playing,
        held=report.held,
        muted=report.muted,
        without=report.without,
        volume=report.volume,
        limit=report.limit,
    )
