"""The rooms: each has its door, its sentence and its list of what it may import, and the lists are obeyed."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
TOPS = ("controller", "hardware", "firmware_bridge", "scenes")
FIRMWARE = HOUSE / "firmware_bridge" / "firmware"
DOORS = sorted(door.relative_to(HOUSE).as_posix() for top in TOPS for door in (HOUSE / top).rglob("__init__.py"))


def contracts() -> list[dict[str, object]]:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
    return project["tool"]["importlinter"]["contracts"]


@pytest.mark.parametrize("door", DOORS)
def test_a_package_opens_with_a_sentence(door: str):
    said = ast.get_docstring(ast.parse((HOUSE / door).read_text(encoding="utf-8")))
    assert (said or "").rstrip().endswith("."), f"{door} does not say what the room is for"


def test_no_module_hides_from_the_arrows_in_a_folder_without_a_door():
    """A folder without __init__.py is not a package, and import-linter would not look into it."""
    hidden = {
        module.parent.relative_to(HOUSE).as_posix()
        for top in TOPS
        for module in (HOUSE / top).rglob("*.py")
        if not module.is_relative_to(FIRMWARE) and not (module.parent / "__init__.py").exists()
    }
    assert hidden == set()


def test_every_room_has_its_list_of_what_it_may_import():
    rooms = {"hardware", "firmware_bridge", "scenes"}
    rooms |= {f"controller.{door.parent.name}" for door in (HOUSE / "controller").glob("*/__init__.py")}
    assert rooms - {contract["room"] for contract in contracts()} == set()


def obeyed(folder: Path, list_line: str, importing: str) -> tuple[bool, str]:
    """Check a house of two rooms in which `hall.stage` consists of `importing`."""
    for room in ("hall", "cellar"):
        (folder / room).mkdir()
        (folder / room / "__init__.py").touch()
    (folder / "cellar" / "wine.py").touch()
    (folder / "hall" / "stage.py").write_text(importing, encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        '[tool.importlinter]\nroot_packages = ["hall", "cellar"]\ninclude_external_packages = true\n'
        'contract_types = ["room: tests.house.arrows.RoomContract"]\n'
        f'[[tool.importlinter.contracts]]\nname = "hall"\ntype = "room"\nroom = "hall"\n{list_line}\n',
        encoding="utf-8",
    )
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(HOUSE), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("list_line", "importing"),
    [
        ("may_import = []", "import hall"),
        ('may_import = ["standard library"]', "import json"),
        ('may_import = ["cellar"]', "from cellar import wine"),
        ('may_import = ["cellar.wine"]', "from cellar import wine"),
    ],
)
def test_an_import_on_the_list_is_allowed(tmp_path: Path, list_line: str, importing: str):
    kept, said = obeyed(tmp_path, list_line, importing)
    assert kept, said


@pytest.mark.parametrize(
    ("list_line", "importing", "imported"),
    [
        ("may_import = []", "import json", "json"),
        ('may_import = ["standard library"]', "from cellar import wine", "cellar.wine"),
        ('may_import = ["standard library"]', "def late():\n    import aiohttp", "aiohttp"),
        ('may_import = ["standard library"]\nnever = ["time"]', "from time import sleep", "time"),
        ('may_import = ["cellar.wine"]', "import cellar", "cellar"),
    ],
)
def test_an_import_that_is_not_on_the_list_is_refused(tmp_path: Path, list_line: str, importing: str, imported: str):
    kept, said = obeyed(tmp_path, list_line, importing)
    assert not kept
    assert f"hall.stage may not import {imported} " in said
