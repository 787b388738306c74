"""What the command line prints: UTF-8 whatever the locale, one sentence where it cannot be written, and the languages
it is asked in."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import typer

from controller.catalogue import LANGUAGES, sentence

NOT_WRITTEN: Final = 1
NO_SUCH_LANGUAGE: Final = 2
_OPTION: Final = "--lang"


class _NotWritten(Exception):
    """Standard output takes no more; the text is why."""


class _Output(io.TextIOWrapper):
    """Standard output, whose faults are told from those of other files."""

    def write(self, text: str, /) -> int:
        try:
            return super().write(text)
        except OSError as error:
            raise _NotWritten(error.strerror or str(error)) from error

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            raise _NotWritten(error.strerror or str(error)) from error


def known_language(word: str | None) -> str | None:
    """`word`, which is a language or was not said; else the command ends with a sentence."""
    if word is not None and word not in LANGUAGES:
        text = sentence("service.no_such_language", LANGUAGES[0], word=word, languages=", ".join(LANGUAGES))
        sys.stderr.write(text + "\n")
        raise typer.Exit(NO_SUCH_LANGUAGE)
    return word


def say(command: Callable[[], Any]) -> None:
    """Runs `command`, which ends by SystemExit, and sees to what it prints."""
    output: Any = sys.stdout
    errors: Any = sys.stderr
    if isinstance(errors, io.TextIOWrapper):
        errors.reconfigure(encoding="utf-8", errors="replace")
    if output is None:  # it was closed before the start
        command()
        return
    interactive: bool = output.isatty()
    sys.stdout = _Output(output.detach(), encoding="utf-8", errors="replace", line_buffering=interactive)
    try:
        try:
            command()
        finally:
            sys.stdout.flush()
    except _NotWritten as wrong:
        # What is still in the buffer would be tried once more at the interpreter's end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stderr.write(sentence("service.not_written", _language(sys.argv), why=str(wrong)) + "\n")
        raise SystemExit(NOT_WRITTEN) from None


def _language(arguments: Sequence[str]) -> str:
    """The language that was asked for."""
    words = [word.removeprefix(f"{_OPTION}=") for word in arguments if word.startswith(f"{_OPTION}=")]
    words += [word for before, word in pairwise(arguments) if before == _OPTION]
    return next((word for word in words if word in LANGUAGES), LANGUAGES[0])
