"""Files as they come from outside: not larger than can be meant, and in the encoding they are in."""

import os
from pathlib import Path

import msgspec

from controller.record.exchange.faults import ExchangeFault

MOST_BYTES = 10_000_000
CYRILLIC = frozenset("абвгґдеєёжзиіїйклмнопрстуфхцчшщъыьэюя")


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises ExchangeFault."""
    try:
        if path.is_dir():
            raise ExchangeFault("is_a_folder")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise ExchangeFault("missing") from None
    except OSError as error:
        raise ExchangeFault("unreadable", why=error.strerror or str(error)) from None
    if len(data) > MOST_BYTES:
        raise ExchangeFault("too_large", megabytes=max(size, len(data)) // 1_000_000, most=MOST_BYTES // 1_000_000)
    if not data.strip():
        raise ExchangeFault("empty")
    return data


def text_of(data: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 with its mark, or cp1251, as spreadsheets save it. Raises ExchangeFault."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _decoded(data, "utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _decoded(data, "cp1251")
    letters = [letter for letter in text.casefold() if letter.isalpha() and not letter.isascii()]
    if b"\0" in data or sum(letter in CYRILLIC for letter in letters) < 0.9 * len(letters):
        raise ExchangeFault("encoding")
    return text


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise ExchangeFault("encoding") from None


def decoded_json(data: bytes) -> object:
    """JSON as plain values. Raises ExchangeFault."""
    try:
        return msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ExchangeFault("json_damaged", why=str(error)) from None
