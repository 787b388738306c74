"""Which pin is which input and which lamp: pins.json, made by `mafia-table firmware` from a wiring, checked here again.

{"inputs": 29, "pins": [[input, pin, level when closed], ...],
 "matrix": {"columns": [pin, ...], "rows": [pin, ...], "inputs": [[input or null, a row each], a column each]},
 "lamps": {"pins": [[lamp, pin], ...], "chain": {"data": pin, "clock": pin, "latch": pin, "lamps": [lamp, ...]}}}
"""

import json

from firmware_bridge.frames import MOST_INPUTS

PICO_PINS = tuple(range(23)) + (26, 27, 28)
"""What the board brings out and does not use itself."""


class PinsError(Exception):
    """pins.json cannot be used. The text says why, in a technician's English."""


class Pins:
    """A pins.json that has been found good."""

    def __init__(self, said) -> None:
        """Raise PinsError if `said`, the parsed file, cannot be wired."""
        self._taken = set()
        self._known = set()
        if not isinstance(said, dict):
            raise PinsError("pins.json is no object")
        for word in said:
            if word not in ("inputs", "pins", "matrix", "lamps"):
                raise PinsError("pins.json: unknown word " + str(word))
        self.inputs = self._number(said.get("inputs"), "inputs", 1, MOST_INPUTS)
        self.pins = []
        for row in self._rows(said.get("pins", []), 3, "pins"):
            closed = self._number(row[2], "level", 0, 1)
            self.pins.append((self._input(row[0]), self._pin(row[1]), closed))
        self.columns = []
        self.rows = []
        self.matrix = []
        if said.get("matrix") is not None:
            self._take_matrix(said["matrix"])
        self._known = set()
        self.lamp_pins = []
        self.chain = None
        self.chained = []
        self._take_lamps(said.get("lamps", {}))

    def _take_matrix(self, matrix) -> None:
        try:
            self.columns = [self._pin(pin) for pin in matrix["columns"]]
            self.rows = [self._pin(pin) for pin in matrix["rows"]]
            keys = [list(column) for column in matrix["inputs"]]
        except (KeyError, TypeError):
            raise PinsError("pins.json: the matrix needs columns, rows and inputs")
        if len(keys) != len(self.columns) or any(len(column) != len(self.rows) for column in keys):
            raise PinsError("pins.json: the matrix has %d columns of %d rows" % (len(self.columns), len(self.rows)))
        self.matrix = [[None if key is None else self._input(key) for key in column] for column in keys]

    def _take_lamps(self, lamps) -> None:
        if not isinstance(lamps, dict):
            raise PinsError("pins.json: lamps is no object")
        for row in self._rows(lamps.get("pins", []), 2, "lamps"):
            self.lamp_pins.append((self._input(row[0]), self._pin(row[1])))
        chain = lamps.get("chain")
        if chain is None:
            return
        try:
            self.chain = (self._pin(chain["data"]), self._pin(chain["clock"]), self._pin(chain["latch"]))
            self.chained = [self._input(lamp) for lamp in chain["lamps"]]
        except (KeyError, TypeError):
            raise PinsError("pins.json: the chain of lamps needs data, clock, latch and lamps")

    def _rows(self, rows, length, name):
        if not isinstance(rows, list) or any(not isinstance(row, list) or len(row) != length for row in rows):
            raise PinsError("pins.json: %s is no list of %d numbers each" % (name, length))
        return rows

    def _number(self, value, name, least, most):
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise PinsError("pins.json: %s is %s, not %d to %d" % (name, value, least, most))
        return value

    def _input(self, value):
        number = self._number(value, "an input", 0, self.inputs - 1)
        if number in self._known:
            raise PinsError("pins.json: input %d stands twice" % number)
        self._known.add(number)
        return number

    def _pin(self, value):
        if value not in PICO_PINS or isinstance(value, bool):
            raise PinsError("pins.json: there is no pin %s" % (value,))
        if value in self._taken:
            raise PinsError("pins.json: pin %d stands twice" % value)
        self._taken.add(value)
        return value


def read_pins(path: str) -> Pins:
    """Return what the file says, or raise PinsError."""
    try:
        with open(path) as file:
            said = json.load(file)
    except OSError:
        raise PinsError("pins.json is missing")
    except ValueError:
        raise PinsError("pins.json is no JSON")
    return Pins(said)
