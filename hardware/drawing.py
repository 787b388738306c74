"""The wiring drawings and tables of docs/hardware.md, made from the wiring files so that they cannot say otherwise.

    python -m hardware.drawing docs/wiring

writes the drawings into that folder and the tables to standard output.
"""

import sys
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from hardware.wiring import Board, WiringMap, shipped

LEG_OF: Final[Mapping[Board, Mapping[int, int]]] = {
    "pico": {
        0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
        16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
    },
    "gpio": {
        2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36,
        17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
    },
}  # fmt: skip
"""The leg of the board, or of the header, that each pin comes out at."""

_TITLE: Final[Mapping[Board, str]] = {"pico": "Raspberry Pi Pico", "gpio": "Raspberry Pi"}
_ROW: Final = 26
_TOP: Final = 64


def uses(wiring: WiringMap) -> list[tuple[str, str, str]]:
    """Return a (pin, leg, what is on it) for every pin that is used, in the order of the pins."""
    used = {pin: key for key, pin in wiring.pins.items()}
    used |= {pin: f"lamp of {key}" for key, pin in wiring.lamps.items()}
    if wiring.matrix:
        used |= {pin: f"column {number}" for number, pin in enumerate(wiring.matrix.columns, start=1)}
        used |= {pin: f"row {number}" for number, pin in enumerate(wiring.matrix.rows, start=1)}
    if wiring.chain:
        used |= {
            wiring.chain.data: "lamps: data",
            wiring.chain.clock: "lamps: clock",
            wiring.chain.latch: "lamps: latch",
        }
    prefix = "GP" if wiring.board == "pico" else "GPIO "
    return [(f"{prefix}{pin}", str(LEG_OF[wiring.board][pin]), used[pin]) for pin in sorted(used)]


def table(wiring: WiringMap) -> str:
    """Return the page's table of a wiring."""
    rows = "".join(f"| {pin} | {leg} | {what} |\n" for pin, leg, what in uses(wiring))
    return f"| pin | leg | what is on it |\n| --- | --- | --- |\n{rows}"


def grid(wiring: WiringMap) -> str:
    """Return the page's table of a wiring's matrix, or nothing."""
    if not wiring.matrix:
        return ""
    columns = range(1, len(wiring.matrix.columns) + 1)
    head = "| | " + " | ".join(f"column {number}" for number in columns) + " |\n"
    rows = "".join(
        f"| row {row + 1} | " + " | ".join(column[row] or "-" for column in wiring.matrix.keys) + " |\n"
        for row in range(len(wiring.matrix.rows))
    )
    return head + "|" + " --- |" * (len(columns) + 1) + "\n" + rows


def draw(wiring: WiringMap) -> str:
    """Return the drawing of a wiring as an SVG."""
    pins = uses(wiring)
    bottom = _TOP + _ROW * len(pins)
    parts = [_board(wiring, bottom)]
    right = 660
    for place, (pin, leg, what) in enumerate(pins):
        parts.append(_pin(_TOP + _ROW * place + _ROW // 2, pin, leg, what, _kind(wiring, what)))
    if wiring.matrix:
        parts.append(_crossings(wiring))
        right = 660 + 120 * len(wiring.matrix.columns)
    if wiring.chain:
        parts.append(_chained(wiring, bottom))
        bottom += 40
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {bottom + 30}" '
        'font-family="sans-serif" font-size="13" stroke-width="1.5">\n'
        f'<rect width="{right}" height="{bottom + 30}" fill="white"/>\n{"".join(parts)}</svg>\n'
    )


def _text(x: int, y: int, said: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}"{more}>{escape(said)}</text>\n'


def _line(x: int, y: int, x2: int, y2: int) -> str:
    return f'<line x1="{x}" y1="{y}" x2="{x2}" y2="{y2}" stroke="black"/>\n'


def _board(wiring: WiringMap, bottom: int) -> str:
    title = _text(30, 36, f"{_TITLE[wiring.board]}: {wiring.name}", ' font-size="17" font-weight="bold"')
    size = f'x="30" y="{_TOP - 8}" width="150" height="{bottom - _TOP + 16}" rx="6"'
    return title + f'<rect {size} fill="#eef4ee" stroke="black"/>\n'


def _kind(wiring: WiringMap, what: str) -> str:
    if what.startswith("lamp of "):
        return "lamp"
    return "contact" if what in wiring.pins else "wire"


def _pin(y: int, pin: str, leg: str, what: str, kind: str) -> str:
    drawn = _text(44, y + 5, pin) + _text(150, y + 5, leg, ' fill="#777"') + _line(180, y, 230, y)
    label = 420
    if kind == "contact":  # an open lever, and ground
        drawn += f'<circle cx="233" cy="{y}" r="3" fill="none" stroke="black"/>\n' + _line(236, y - 1, 268, y - 10)
        drawn += f'<circle cx="271" cy="{y}" r="3" fill="none" stroke="black"/>\n' + _line(274, y, 330, y)
        drawn += _line(330, y - 8, 330, y + 8) + _line(335, y - 5, 335, y + 5) + _line(340, y - 2, 340, y + 2)
        label = 356
    elif kind == "lamp":  # a resistor, a lamp, and ground
        drawn += f'<rect x="230" y="{y - 5}" width="30" height="10" fill="none" stroke="black"/>\n' + _line(
            260, y, 280, y
        )
        drawn += f'<circle cx="289" cy="{y}" r="9" fill="#fff6d0" stroke="black"/>\n' + _line(283, y - 6, 295, y + 6)
        drawn += _line(283, y + 6, 295, y - 6) + _line(298, y, 330, y)
        drawn += _line(330, y - 8, 330, y + 8) + _line(335, y - 5, 335, y + 5) + _line(340, y - 2, 340, y + 2)
        label = 356
    else:
        drawn += _line(230, y, 410, y)
    return drawn + _text(label, y + 5, what)


def _crossings(wiring: WiringMap) -> str:
    """Draw the matrix: a crossing is a key and a diode, its ring towards the column."""
    assert wiring.matrix
    drawn = ""
    rows = len(wiring.matrix.rows)
    for column, keys in enumerate(wiring.matrix.keys):
        x = 640 + 120 * column
        drawn += _line(x, _TOP + 10, x, _TOP + 60 * rows + 10) + _text(x - 20, _TOP, f"c{column + 1}")
        for row, key in enumerate(keys):
            y = _TOP + 40 + 60 * row
            if key:
                drawn += f'<circle cx="{x}" cy="{y}" r="5" fill="black"/>\n' + _text(x + 8, y - 8, key)
    for row in range(rows):
        y = _TOP + 40 + 60 * row
        drawn += _line(590, y, 640 + 120 * len(wiring.matrix.columns) - 60, y) + _text(566, y + 5, f"r{row + 1}")
    return drawn


def _chained(wiring: WiringMap, bottom: int) -> str:
    assert wiring.chain
    registers = -(-len(wiring.chain.keys) // 8)
    return _text(
        30,
        bottom + 36,
        f"{registers} x (74HC595 and ULN2803A) for {len(wiring.chain.keys)} lamps, in the order of the file",
    )


def main() -> None:
    """Write the drawings into the folder named, and the tables to standard output."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for wiring in shipped():
        (folder / f"{wiring.name}.svg").write_text(draw(wiring), encoding="utf-8")
        sys.stdout.write(f"### `{wiring.name}`\n\n{table(wiring)}\n{grid(wiring)}\n")


if __name__ == "__main__":
    main()
