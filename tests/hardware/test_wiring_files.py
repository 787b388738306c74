"""Wiring files: what is shipped can be soldered, and what cannot be is refused with a sentence."""

import json
import re
from pathlib import Path

import pytest

from firmware_bridge import flashing
from hardware.board import BOARD_KEYS
from hardware.drawing import LEG_OF, draw
from hardware.wiring import (
    EVERY_KEY,
    INPUT_OF,
    PINS_OF,
    SHIPPED,
    TEN_SEATS_AND_BOARD,
    WiringError,
    WiringMap,
    parse_wiring,
    read_wiring,
    shipped,
)

PAGE = (Path(__file__).parents[2] / "docs" / "hardware.md").read_text(encoding="utf-8")
DRAWINGS = Path(__file__).parents[2] / "docs" / "wiring"
NAMES = [wiring.name for wiring in shipped()]


def wiring(name: str) -> WiringMap:
    return read_wiring(SHIPPED / f"{name}.toml")


def test_a_keys_input_is_the_same_on_every_device():
    assert EVERY_KEY[: len(TEN_SEATS_AND_BOARD)] == TEN_SEATS_AND_BOARD
    assert len(set(EVERY_KEY)) == len(EVERY_KEY) == 39
    for each in shipped():
        for number, key in enumerate(each.inputs):
            assert key is None or INPUT_OF[key] == number


def test_what_is_shipped_serves_what_its_name_says():
    ten = ["pi_gpio", "pico_direct", "pico_matrix", "pico_seats_1_to_10"]
    assert sorted(NAMES) == sorted([*ten, "pi_board", "pico_seats_11_to_20"])
    assert [wiring(name).seats for name in ten] == [tuple(range(1, 11))] * 4
    assert wiring("pi_board").keys == tuple(BOARD_KEYS)
    assert not set(wiring("pi_board").keys) & set(wiring("pico_seats_1_to_10").keys)
    assert wiring("pico_seats_11_to_20").seats == tuple(range(11, 21))
    assert wiring("pico_matrix").inputs == TEN_SEATS_AND_BOARD
    assert set(BOARD_KEYS) <= set(wiring("pico_matrix").keys)


def test_what_lies_on_a_pico_says_the_same_as_the_wiring():
    matrix = wiring("pico_matrix")
    said = json.loads(matrix.pins_file())
    assert said["inputs"] == 29
    assert [EVERY_KEY[number] for number, _, _ in said["pins"]] == [f"seat {seat}" for seat in range(1, 11)]
    assert {pin for _, pin, _ in said["pins"]} == {matrix.pins[f"seat {seat}"] for seat in range(1, 11)}
    for column, keys in enumerate(said["matrix"]["inputs"]):
        for row, number in enumerate(keys):
            place = (said["matrix"]["columns"][column], said["matrix"]["rows"][row])
            assert number is None or matrix.place_in_matrix(EVERY_KEY[number]) == place
    assert matrix.chain
    assert [EVERY_KEY[lamp] for lamp in said["lamps"]["chain"]["lamps"]] == list(matrix.chain.keys)
    assert json.loads(wiring("pico_seats_11_to_20").pins_file())["inputs"] == 39


def test_a_touch_pad_that_gives_voltage_closes_high_and_the_board_may_differ():
    pads = parse_wiring("pads", 'board = "pico"\nhands_close_to = "supply"\n[pins]\n"seat 1" = 0\n"vote" = 1\n')
    assert (pads.closed_level("seat 1"), pads.closed_level("vote")) == (1, 0)
    assert json.loads(pads.pins_file())["pins"] == [[0, 0, 1], [13, 1, 0]]


GPIO = 'board = "gpio"\n[pins]\n"seat 1" = 4\n'
PICO = 'board = "pico"\n[pins]\n"seat 1" = 0\n'
MATRIX = PICO + '[matrix]\ncolumns = [1]\nrows = [2]\nkeys = [["vote"]]\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("board =", "home: this is no wiring: Invalid value (at end of document)."),
        ("[pins]", 'home: say which board it is: board = "pico" or board = "gpio".'),
        ('board = "esp"', 'home: say which board it is: board = "pico" or board = "gpio".'),
        ('bord = "pico"', "home: there is no setting called “bord” in the wiring."),
        ('board = "pico"', "home: there is no hand and no key in it."),
        ('board = "pico"\npins = 3', "home: [pins] is not what it should be."),
        (PICO + '"seat 2" = 0', "home: pin 0 is given to “seat 1” and to “seat 2”."),
        (PICO + '"seat 2" = 24', "home: “seat 2” is on pin 24, which this board does not have."),
        (PICO + '"seat 2" = true', "home: “seat 2” is on pin True, which this board does not have."),
        (GPIO + '"seat 2" = 28', "home: “seat 2” is on pin 28, which this board does not have."),
        (PICO + '"seat 21" = 1', "home: there is no key called “seat 21”."),
        (PICO + '"seat 3" = 1', "home: the seats 1 to 3 are served, but seat 2 is missing."),
        (PICO + '"board 11" = 1', "home: there is no key called “board 11”."),
        ('hands_close_to = "air"\n' + PICO, "home: hands_close_to is not what it should be."),
        (GPIO + MATRIX[len(PICO) :], "home: a matrix or a chain of lamps needs a Pico."),
        (MATRIX.replace("rows = [2]", "rows = [1]"), "home: pin 1 is given to “column 1” and to “row 1”."),
        (MATRIX.replace("rows = [2]", "rows = []"), "home: rows of the matrix is not what it should be."),
        (MATRIX.replace("vote", "voting"), "home: there is no key called “voting”."),
        (MATRIX.replace('["vote"]', "5"), "home: keys of the matrix is not what it should be."),
        (
            MATRIX.replace("vote", "seat 2"),
            "home: “seat 2” is in the matrix. A hand needs a pin of its own, or its time is not its own.",
        ),
        (
            MATRIX.replace('"vote"', '"vote", "back"'),
            "home: the matrix needs a line of 1 keys for each of its 1 columns.",
        ),
        (MATRIX.replace('"seat 1" = 0', '"seat 1" = 0\n"vote" = 5'), "home: “vote” stands twice."),
        (PICO + '[lamps.pins]\n"seat 1" = 0', "home: pin 0 is given to “seat 1” and to “the lamp of seat 1”."),
        (PICO + '[lamps]\nkeys = ["seat 1"]', "home: keys of the lamps without a chain is not what it should be."),
        (
            PICO + "[lamps]\nchain = { data = 1, clock = 2 }",
            "home: “the chain's latch” is on pin None, which this board does not have.",
        ),
        (
            PICO + '[lamps]\nchain = { data = 1, clock = 2, latch = 3 }\nkeys = ["vote", "vote"]',
            "home: “vote” stands twice.",
        ),
        (
            GPIO + '[lamps]\nchain = { data = 5, clock = 6, latch = 7 }\nkeys = ["vote"]',
            "home: a matrix or a chain of lamps needs a Pico.",
        ),
    ],
)
def test_a_wiring_that_cannot_be_is_refused_with_a_sentence(text: str, sentence: str):
    with pytest.raises(WiringError) as refused:
        parse_wiring("home", text)
    assert str(refused.value) == sentence


def test_a_wiring_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(WiringError, match="nowhere: this is no wiring"):
        read_wiring(tmp_path / "nowhere.toml")


# --- docs/hardware.md


def table(name: str) -> list[list[str]]:
    """Return the rows of the page's table under the heading of a wiring."""
    section = re.search(rf"^### `{name}`$(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, name
    rows = re.findall(r"^\| (.+) \|$", section[1].split("| | column 1")[0], re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in rows[2:]]


@pytest.mark.parametrize("name", NAMES)
def test_the_table_on_the_page_is_the_wiring(name: str):
    each = wiring(name)
    used = {pin: key for key, pin in each.pins.items()}
    used |= {pin: f"lamp of {key}" for key, pin in each.lamps.items()}
    if each.matrix:
        used |= {pin: f"column {number}" for number, pin in enumerate(each.matrix.columns, start=1)}
        used |= {pin: f"row {number}" for number, pin in enumerate(each.matrix.rows, start=1)}
    if each.chain:
        used |= {each.chain.data: "lamps: data", each.chain.clock: "lamps: clock", each.chain.latch: "lamps: latch"}
    prefix = "GP" if each.board == "pico" else "GPIO "
    assert table(name) == [[f"{prefix}{pin}", str(LEG_OF[each.board][pin]), used[pin]] for pin in sorted(used)]


def test_no_leg_is_two_pins_and_none_is_ground_or_supply():
    taken = {"pico": {3, 8, 13, 18, 23, 28, 30, 33, 35, 36, 37, 38, 39, 40}, "gpio": {1, 2, 4, 6, 9, 14, 17, 20, 25}}
    taken["gpio"] |= {27, 28, 30, 34, 39}
    for board, pins in PINS_OF.items():
        legs = [LEG_OF[board][pin] for pin in pins]
        assert len(set(legs)) == len(legs) == 26
        assert set(legs) | taken[board] == set(range(1, 41))


@pytest.mark.parametrize("name", NAMES)
def test_the_drawing_shows_every_pin_and_what_is_on_it(name: str):
    assert f"](wiring/{name}.svg)" in PAGE
    drawing = (DRAWINGS / f"{name}.svg").read_text(encoding="utf-8")
    assert drawing == draw(wiring(name))
    labels = re.findall(r"<text[^>]*>([^<]+)</text>", drawing)
    for row in table(name):
        assert set(row) <= set(labels)
    for key in wiring(name).keys:
        assert key in labels


def test_the_matrix_on_the_page_is_the_wirings_matrix():
    matrix = wiring("pico_matrix").matrix
    assert matrix
    grid = re.search(r"^\| \| column 1 .*\n.*\n((?:\| row .*\n)+)", PAGE, re.MULTILINE)
    assert grid
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")][1:] for line in grid[1].splitlines()]
    assert rows == [[column[row] or "-" for column in matrix.keys] for row in range(len(matrix.rows))]


def test_the_page_names_the_files_and_boards_as_they_are():
    for file in flashing.program():
        assert f"`{file.name}`" in PAGE
    for board in PINS_OF:
        assert f'board = "{board}"' in PAGE
