"""What is wrong with a file that was to be read: one sentence, with the line where there is one."""

from collections.abc import Mapping
from pathlib import Path

from controller.catalogue import sentence


class ExchangeFault(Exception):
    """A file that is refused as a whole; nothing of it is taken. The sentence is the catalogue's `exchange.CODE`."""

    def __init__(self, code: str, line: int | None = None, **params: str | int) -> None:
        super().__init__(code, line, params)
        self.code = code
        self.line = line
        self.params: Mapping[str, str | int] = params

    def said(self, path: Path, language: str) -> str:
        """`FILE:LINE: what is wrong.`"""
        place = f"{path}:{self.line}" if self.line is not None else str(path)
        return f"{place}: {sentence('exchange.' + self.code, language, **self.params)}"
