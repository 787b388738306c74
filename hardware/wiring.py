"""Which input of a device is which key, and which pin each is soldered to. A wiring is data.

An input's number belongs to its key on every device and never changes, so that host and device cannot disagree
about what a number means. A wiring file says only which of them there are, and on which pins.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, cast

from hardware.board import BOARD_KEYS
from hardware.signal import HAND_KEYS, seat_of

Wiring = tuple[str | None, ...]
"""The key of each input, or None for an input with nothing on it."""

TEN_SEATS_AND_BOARD: Final[Wiring] = (*HAND_KEYS[:10], *BOARD_KEYS)
"""Inputs 0 to 9 are the hands of seats 1 to 10, inputs 10 to 28 the board's keys in the order of `BOARD_KEYS`.
A lamp has the number of the input that it belongs to."""

EVERY_KEY: Final[tuple[str, ...]] = (*HAND_KEYS[:10], *BOARD_KEYS, *HAND_KEYS[10:])
"""Every key there is, each at its input's number: after those of `TEN_SEATS_AND_BOARD` the hands of seats 11 to 20."""

INPUT_OF: Final[Mapping[str, int]] = {key: number for number, key in enumerate(EVERY_KEY)}

Board = Literal["pico", "gpio"]
Side = Literal["ground", "supply"]

PINS_OF: Final[Mapping[Board, tuple[int, ...]]] = {
    "pico": (*range(23), 26, 27, 28),
    "gpio": tuple(range(2, 28)),
}
"""The pins that each kind of board brings out for us."""

SHIPPED: Final = Path(__file__).with_name("wirings")


class WiringError(ValueError):
    """A wiring that cannot be. The text is a sentence for the person who wrote it; `code` and `params` say the same."""

    def __init__(self, code: str, **params: str | int) -> None:
        """Keep what is wrong; `code` is a key of the sentences below."""
        super().__init__(_SENTENCES[code].format(**params))
        self.code = code
        self.params = params


_SENTENCES: Final = {
    "unreadable": "{name}: this is no wiring: {why}.",
    "no_such_wiring": "There is no wiring “{name}”. There are {known}; the name of one’s own file ends in .toml.",
    "key_in_two": "“{key}” is both in the wiring {name} and in {other}.",
    "one_machine": "{name} and {other} are both wirings of this machine’s own pins: make one of them.",
    "device_unnamed": "{name}: where there are several microcontrollers, each needs its device’s id (device).",
    "device_twice": "{name} and {other} name the same device, {device}.",
    "no_board": '{name}: say which board it is: board = "pico" or board = "gpio".',
    "unknown_word": "{name}: there is no setting called “{word}” in {place}.",
    "unknown_key": "{name}: there is no key called “{key}”.",
    "no_such_pin": "{name}: “{key}” is on pin {pin}, which this board does not have.",
    "pin_twice": "{name}: pin {pin} is given to “{first}” and to “{second}”.",
    "key_twice": "{name}: “{key}” stands twice.",
    "missing_seats": "{name}: the seats {first} to {last} are served, but seat {seat} is missing.",
    "no_contact": "{name}: there is no hand and no key in it.",
    "hand_in_matrix": "{name}: “{key}” is in the matrix. A hand needs a pin of its own, or its time is not its own.",
    "matrix_shape": "{name}: the matrix needs a line of {rows} keys for each of its {columns} columns.",
    "pico_only": "{name}: a matrix or a chain of lamps needs a Pico.",
    "bad_value": "{name}: {place} is not what it should be.",
}


@dataclass(frozen=True, slots=True)
class MatrixMap:
    """Keys at the crossings of pins: `keys[column][row]`, None where there is nothing."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    keys: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class ChainMap:
    """Lamps behind shift registers: `keys` in the order of the outputs."""

    data: int
    clock: int
    latch: int
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WiringMap:
    """One device's wiring as it is soldered."""

    name: str
    board: Board
    pins: Mapping[str, int]
    hands_close_to: Side = "ground"
    keys_close_to: Side = "ground"
    matrix: MatrixMap | None = None
    lamps: Mapping[str, int] = field(default_factory=dict[str, int])
    chain: ChainMap | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key with a contact, in the order of the inputs."""
        in_matrix = {key for column in self.matrix.keys for key in column if key} if self.matrix else set[str]()
        return tuple(key for key in EVERY_KEY if key in self.pins or key in in_matrix)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose hands are wired."""
        return tuple(sorted(seat for key in self.keys if (seat := seat_of(key)) is not None))

    @property
    def inputs(self) -> Wiring:
        """What the link needs: the key of each input, up to the last that is wired."""
        wired = set(self.keys)
        last = max(INPUT_OF[key] for key in wired)
        return tuple(key if key in wired else None for key in EVERY_KEY[: last + 1])

    def closed_level(self, key: str) -> int:
        """Return the level, 0 or 1, of the pin of `key` when its contact is closed."""
        side = self.keys_close_to if seat_of(key) is None else self.hands_close_to
        return 0 if side == "ground" else 1

    def place_in_matrix(self, key: str) -> tuple[int, int] | None:
        """Return the (column pin, row pin) of a key in the matrix, or None."""
        if self.matrix:
            for column, keys in zip(self.matrix.columns, self.matrix.keys, strict=True):
                if key in keys:
                    return column, self.matrix.rows[keys.index(key)]
        return None

    def pins_file(self) -> bytes:
        """Return what lies on a Pico as pins.json: the same, in the device's numbers."""
        said: dict[str, Any] = {
            "inputs": max(len(self.inputs), 1 + max((INPUT_OF[key] for key in self._lit()), default=0)),
            "pins": [[INPUT_OF[key], self.pins[key], self.closed_level(key)] for key in self.keys if key in self.pins],
        }
        if self.matrix:
            said["matrix"] = {
                "columns": list(self.matrix.columns),
                "rows": list(self.matrix.rows),
                "inputs": [[None if key is None else INPUT_OF[key] for key in column] for column in self.matrix.keys],
            }
        lamps: dict[str, Any] = {"pins": [[INPUT_OF[key], pin] for key, pin in self.lamps.items()]}
        if self.chain:
            lamps["chain"] = {
                "data": self.chain.data,
                "clock": self.chain.clock,
                "latch": self.chain.latch,
                "lamps": [INPUT_OF[key] for key in self.chain.keys],
            }
        said["lamps"] = lamps
        return (json.dumps(said, separators=(",", ":")) + "\n").encode()

    def _lit(self) -> tuple[str, ...]:
        return (*self.lamps, *(self.chain.keys if self.chain else ()))


def shipped() -> tuple[WiringMap, ...]:
    """Return the wirings that come with the table, by name."""
    return tuple(read_wiring(file) for file in sorted(SHIPPED.glob("*.toml")))


def find_wiring(name: str, folder: Path = Path()) -> WiringMap:
    """Return the wiring that a person calls `name`: one that is shipped, or a TOML file, which lies in `folder` where
    its path says nothing else. Raises WiringError if there is no such wiring, or it cannot be."""
    if name.endswith(".toml"):
        return read_wiring(folder / Path(name).expanduser())
    known = sorted(file.stem for file in SHIPPED.glob("*.toml"))
    if name not in known:
        raise WiringError("no_such_wiring", name=name, known=", ".join(known))
    return read_wiring(SHIPPED / f"{name}.toml")


def read_wiring(file: Path) -> WiringMap:
    """Return the wiring in a TOML file. Raises WiringError if there is no such wiring, or it cannot be."""
    try:
        return parse_wiring(file.stem, file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise WiringError("unreadable", name=file.stem, why=str(error)) from error


def parse_wiring(name: str, text: str) -> WiringMap:
    """Return the wiring that `text` describes. Raises WiringError if it cannot be."""
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WiringError("unreadable", name=name, why=str(error)) from error
    return _Reader(name).read(said)


class _Reader:
    """Reads one wiring and remembers which pins and keys are taken."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._board: Board = "pico"
        self._taken: dict[int, str] = {}

    def read(self, said: Mapping[str, Any]) -> WiringMap:
        self._only(said, ("board", "hands_close_to", "keys_close_to", "pins", "matrix", "lamps"), "the wiring")
        board = said.get("board")
        if board not in PINS_OF:
            raise WiringError("no_board", name=self._name)
        self._board = board
        pins = self._pins(said.get("pins", {}), "[pins]", "")
        matrix = self._matrix(said["matrix"], pins) if "matrix" in said else None
        lamps, chain = self._lamps(said.get("lamps", {}))
        wiring = WiringMap(
            name=self._name,
            board=self._board,
            pins=pins,
            hands_close_to=self._side(said, "hands_close_to"),
            keys_close_to=self._side(said, "keys_close_to"),
            matrix=matrix,
            lamps=lamps,
            chain=chain,
        )
        if not wiring.keys:
            raise WiringError("no_contact", name=self._name)
        seats = wiring.seats
        for seat in range(seats[0], seats[-1]) if seats else ():
            if seat not in seats:
                raise WiringError("missing_seats", name=self._name, first=seats[0], last=seats[-1], seat=seat)
        return wiring

    def _side(self, said: Mapping[str, Any], word: str) -> Side:
        side = said.get(word, "ground")
        if side not in ("ground", "supply"):
            raise self._bad(word)
        return side

    def _matrix(self, said: Any, pins: Mapping[str, int]) -> MatrixMap:
        table = self._table(said, "[matrix]")
        self._pico_only()
        self._only(table, ("columns", "rows", "keys"), "[matrix]")
        columns = self._pin_list(table.get("columns"), "column")
        rows = self._pin_list(table.get("rows"), "row")
        lines = table.get("keys")
        if not isinstance(lines, list):
            raise self._bad("keys of the matrix")
        keys: list[tuple[str | None, ...]] = []
        known = set(pins)
        for line in cast("list[Any]", lines):
            if not isinstance(line, list):
                raise self._bad("keys of the matrix")
            for key in filter(None, cast("list[Any]", line)):
                self._key(key)
                if seat_of(key) is not None:
                    raise WiringError("hand_in_matrix", name=self._name, key=key)
                if key in known:
                    raise WiringError("key_twice", name=self._name, key=key)
                known.add(key)
            keys.append(tuple(key or None for key in cast("list[str]", line)))
        if len(keys) != len(columns) or any(len(line) != len(rows) for line in keys):
            raise WiringError("matrix_shape", name=self._name, columns=len(columns), rows=len(rows))
        return MatrixMap(columns, rows, tuple(keys))

    def _lamps(self, said: Any) -> tuple[dict[str, int], ChainMap | None]:
        table = self._table(said, "[lamps]")
        self._only(table, ("pins", "chain", "keys"), "[lamps]")
        lamps = self._pins(table.get("pins", {}), "[lamps.pins]", "the lamp of ")
        if "chain" not in table:
            if "keys" in table:
                raise self._bad("keys of the lamps without a chain")
            return lamps, None
        self._pico_only()
        wires = self._table(table["chain"], "the chain of lamps")
        self._only(wires, ("data", "clock", "latch"), "the chain of lamps")
        data, clock, latch = (self._pin(wires.get(word), f"the chain's {word}") for word in ("data", "clock", "latch"))
        keys = table.get("keys")
        if not isinstance(keys, list) or not keys:
            raise self._bad("keys of the lamps")
        lit: list[str] = []
        for key in cast("list[Any]", keys):
            self._key(key)
            if key in lit or key in lamps:
                raise WiringError("key_twice", name=self._name, key=key)
            lit.append(key)
        return lamps, ChainMap(data, clock, latch, tuple(lit))

    def _pins(self, said: Any, place: str, prefix: str) -> dict[str, int]:
        table = self._table(said, place)
        for key in table:
            self._key(key)
        return {key: self._pin(pin, f"{prefix}{key}") for key, pin in table.items()}

    def _pin_list(self, said: Any, what: str) -> tuple[int, ...]:
        if not isinstance(said, list) or not said:
            raise self._bad(f"{what}s of the matrix")
        return tuple(self._pin(pin, f"{what} {number}") for number, pin in enumerate(cast("list[Any]", said), start=1))

    def _pin(self, pin: Any, owner: str) -> int:
        if not isinstance(pin, int) or isinstance(pin, bool) or pin not in PINS_OF[self._board]:
            raise WiringError("no_such_pin", name=self._name, key=owner, pin=str(pin))
        if pin in self._taken:
            raise WiringError("pin_twice", name=self._name, pin=pin, first=self._taken[pin], second=owner)
        self._taken[pin] = owner
        return pin

    def _key(self, key: Any) -> None:
        if key not in INPUT_OF:
            raise WiringError("unknown_key", name=self._name, key=str(key))

    def _table(self, said: Any, place: str) -> Mapping[str, Any]:
        if not isinstance(said, dict):
            raise self._bad(place)
        return cast("Mapping[str, Any]", said)

    def _only(self, table: Mapping[str, Any], words: Iterable[str], place: str) -> None:
        for word in table:
            if word not in words:
                raise WiringError("unknown_word", name=self._name, word=word, place=place)

    def _pico_only(self) -> None:
        if self._board != "pico":
            raise WiringError("pico_only", name=self._name)

    def _bad(self, place: str) -> WiringError:
        return WiringError("bad_value", name=self._name, place=place)
