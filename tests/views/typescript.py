"""Reads the types of docs/messages.md: as much of TypeScript as that page is written in, and checks values by it."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "messages.md"
_TOKEN = re.compile(r'\s+|//[^\n]*|"[^"]*"|\d+|[A-Za-z_]\w*|[{}\[\]()<>|&:;,?=]')


@dataclass
class Shape:
    """An object type: key -> its type and whether it may be missing."""

    keys: dict[str, tuple[Any, bool]] = field(default_factory=dict)


@dataclass
class OneOf:
    """A union."""

    options: list[Any]


@dataclass
class ListOf:
    """An array."""

    item: Any


@dataclass
class MapOf:
    """A record or an index signature."""

    item: Any


@dataclass
class Named:
    """A name of another type, or a word of the language."""

    name: str


@dataclass
class Word:
    """A string or number that stands for itself."""

    value: str | int


class Reader:
    """One pass over the types of the page."""

    def __init__(self, text: str) -> None:
        blocks = re.findall(r"```ts\n(.*?)```", text, re.DOTALL)
        source = "\n".join(blocks)
        self._tokens = [t for t in _TOKEN.findall(source) if t.strip() and not t.startswith("//")]
        assert "".join(_TOKEN.sub("", source).split()) == "", "the page has something that is not read here"
        self._at = 0
        self.types: dict[str, Any] = {}
        while self._at < len(self._tokens):
            self._take("type")
            name = self._next()
            self._take("=")
            self.types[name] = self._union()

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, token: str) -> None:
        found = self._next()
        assert found == token, (
            f"{token} expected, {found} found at {' '.join(self._tokens[self._at - 6 : self._at + 6])}"
        )

    def _union(self) -> Any:
        if self._peek() == "|":
            self._next()
        options = [self._both()]
        while self._peek() == "|":
            self._next()
            options.append(self._both())
        return options[0] if len(options) == 1 else OneOf(options)

    def _both(self) -> Any:
        left = self._suffixed()
        while self._peek() == "&":
            self._next()
            right = self._suffixed()
            left = Shape({**self.shape(left).keys, **self.shape(right).keys})
        return left

    def _suffixed(self) -> Any:
        found = self._atom()
        while self._peek() == "[":
            self._next()
            if self._peek() == "]":
                self._next()
                found = ListOf(found)
                continue
            key = self._next()
            self._take("]")
            known = self.resolve(found)
            found = known.item if isinstance(known, ListOf) else self.shape(known).keys[key.strip('"')][0]
        return found

    def _atom(self) -> Any:
        token = self._next()
        if token == "(":
            found = self._union()
            self._take(")")
            return found
        if token == "{":
            return self._object()
        if token.startswith('"'):
            return Word(token.strip('"'))
        if token.isdigit():
            return Word(int(token))
        if token in ("Record", "Omit"):
            self._take("<")
            first = self._union()
            self._take(",")
            second = self._union()
            self._take(">")
            if token == "Record":
                return MapOf(second)
            gone = {w.value for w in (second.options if isinstance(second, OneOf) else [second])}
            return Shape({key: kind for key, kind in self.shape(first).keys.items() if key not in gone})
        return Named(token)

    def _object(self) -> Any:
        shape = Shape()
        while self._peek() != "}":
            if self._peek() == "[":
                self._next()
                self._union()
                if self._peek() == ":":
                    self._next()
                    self._union()
                self._take("]")
                self._take(":")
                item = self._union()
                self._take("}")
                return MapOf(item)
            key = self._next()
            optional = self._peek() == "?"
            if optional:
                self._next()
            self._take(":")
            shape.keys[key] = (self._union(), optional)
            if self._peek() in (",", ";"):
                self._next()
        self._take("}")
        return shape

    def resolve(self, kind: Any) -> Any:
        """The type behind a name."""
        while isinstance(kind, Named) and kind.name in self.types:
            kind = self.types[kind.name]
        return kind

    def shape(self, kind: Any) -> Shape:
        """The keys of an object type."""
        found = self.resolve(kind)
        assert isinstance(found, Shape), found
        return found


def page() -> Reader:
    """The types of the page."""
    return Reader(PAGE.read_text(encoding="utf-8"))


def misfit(reader: Reader, kind: Any, value: Any, where: str, seen: set[str]) -> str | None:
    """What of `value` is not as `kind` says; None if all is. Every key met is added to `seen`, with its way there."""
    kind = reader.resolve(kind)
    match kind:
        case OneOf(options):
            tried: list[str] = []
            for option in options:
                met: set[str] = set()
                wrong = misfit(reader, option, value, where, met)
                if wrong is None:
                    seen |= met
                    return None
                tried.append(wrong)
            return max(tried, key=len)
        case Shape(keys):
            if not isinstance(value, dict):
                return f"{where}: an object expected"
            if unknown := value.keys() - keys.keys():
                return f"{where}: {sorted(unknown)} are not on the page"
            for key, (item, optional) in keys.items():
                if key not in value:
                    if optional:
                        continue
                    return f"{where}: {key} is missing"
                seen.add(f"{where}.{key}")
                if wrong := misfit(reader, item, value[key], f"{where}.{key}", seen):
                    return wrong
            return None
        case ListOf(item):
            if not isinstance(value, list):
                return f"{where}: a list expected"
            return next((w for one in value if (w := misfit(reader, item, one, f"{where}[]", seen))), None)
        case MapOf(item):
            if not isinstance(value, dict):
                return f"{where}: a record expected"
            return next((w for one in value.values() if (w := misfit(reader, item, one, f"{where}{{}}", seen))), None)
        case Word(word):
            return None if value == word and type(value) is type(word) else f"{where}: {word!r} expected, not {value!r}"
        case Named("null"):
            return None if value is None else f"{where}: null expected"
        case Named("string"):
            return None if isinstance(value, str) else f"{where}: a string expected, not {value!r}"
        case Named("boolean"):
            return None if isinstance(value, bool) else f"{where}: true or false expected"
        case Named("number"):
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return None if number else f"{where}: a number expected, not {value!r}"
        case _:
            return f"{where}: the page does not say what {kind} is"


def keys_of(reader: Reader, kind: Any, where: str = "") -> set[str]:
    """Every key that `kind` can have, with its way there."""
    kind = reader.resolve(kind)
    match kind:
        case OneOf(options):
            return set().union(*(keys_of(reader, option, where) for option in options))
        case Shape(keys):
            found = {f"{where}.{key}" for key in keys}
            return found.union(*(keys_of(reader, item, f"{where}.{key}") for key, (item, _) in keys.items()))
        case ListOf(item):
            return keys_of(reader, item, f"{where}[]")
        case MapOf(item):
            return keys_of(reader, item, f"{where}{{}}")
        case _:
            return set()
