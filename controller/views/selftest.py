"""The walk around the table in words, for the tablet and the terminal."""

from controller.catalogue import sentence
from controller.table import state
from controller.table.state import Ask, Finding, Verdict
from controller.views.tablet import Walk


def walk_of(walk: state.Walk | None, language: str) -> Walk | None:
    """The walk as the tablet shows it; None where there is none."""
    if walk is None:
        return None
    return Walk(
        step=walk.step,
        of=walk.of,
        seat=None if walk.key is None else _seat(walk.key),
        ask=None if walk.ask is None else walk.ask.value,
        sentence=asked(walk, language),
        faults=tuple(finding_line(found, language) for found in walk.findings if found.verdict is not Verdict.PASSED),
    )


def asked(walk: state.Walk, language: str) -> str:
    """What the walk asks for now, or how it has ended."""
    if walk.ask is None:
        count = sum(found.verdict is not Verdict.PASSED for found in walk.findings)
        code = "over_faults" if count else "over"
        return sentence(f"selftest.{code}", language, of=len(walk.findings), count=count)
    if walk.ask is Ask.LOOK or walk.key is None:
        return sentence("selftest.look", language)
    if walk.silent:
        return sentence("selftest.silent", language)
    kind = "hand" if walk.key.startswith("seat ") else "key"
    code = "blocked" if walk.closed else walk.ask.value
    return _first_large(sentence(f"selftest.{kind}_{code}", language, what=contact_name(walk.key, language)))


def finding_line(found: Finding, language: str) -> str:
    """What was found of one contact, and what to do about it."""
    by = "" if found.by is None else contact_name(found.by, language)
    what = contact_name(found.key, language)
    return _first_large(sentence(f"selftest.{found.verdict.value}", language, what=what, by=by))


def contact_name(key: str, language: str) -> str:
    """What the contact `key` is called within a sentence."""
    if (seat := _seat(key)) is not None:
        return sentence("contact.hand" if key.startswith("seat ") else "contact.board", language, seat=seat)
    return sentence(f"contact.{key.replace(' ', '_')}", language)


def _seat(key: str) -> int | None:
    """The seat in the name of a hand's contact, or of a seat's key on the board."""
    kind, _, number = key.partition(" ")
    return int(number) if kind in ("seat", "board") and number.isdecimal() else None


def _first_large(text: str) -> str:
    return text[:1].upper() + text[1:]
