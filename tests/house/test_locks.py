"""The lock files: complete, and silent about where packages come from."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parents[2]
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][A-Za-z0-9.+!]*)")


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    lines = (HOUSE / "set-up" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith("#"):
            match = PIN.fullmatch(line)
            assert match, f"not a plain pin: {line}"
            found[normalised(match[1])] = match[2]
    return found


def web_lock() -> dict[str, Any]:
    return json.loads((HOUSE / "overlay" / "package-lock.json").read_text(encoding="utf-8"))


def test_the_constraints_are_plain_pins_without_an_address():
    assert len(pins()) > 20


def test_every_python_dependency_is_pinned():
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    names = {normalised(re.split(r"[\[<>=!~;\s]", line, maxsplit=1)[0]) for line in wanted}
    assert names - pins().keys() == set()


def test_the_web_lock_names_no_registry():
    packages = web_lock()["packages"]
    addressed = [name for name, package in packages.items() if "resolved" in package]
    assert addressed == []
    assert all("integrity" in package for name, package in packages.items() if name)


def test_the_web_lock_is_of_the_ranges_that_package_json_has():
    package = json.loads((HOUSE / "overlay" / "package.json").read_text(encoding="utf-8"))
    root = web_lock()["packages"][""]
    for kind in ("dependencies", "devDependencies"):
        assert root.get(kind) == package.get(kind)
