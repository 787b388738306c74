"""Whether every dependency of a table can be had for 64-bit Raspberry Pi OS without a compiler: `make wheels`.

pip is asked for wheels alone, for that machine and each Python it comes with, in the versions that set-up installs. It
needs the network that set-up needs, and is no part of `make test`.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HOUSE = Path(__file__).parents[2]
PYTHONS = ("3.11", "3.13")
"""Raspberry Pi OS on Debian 12 and on 13."""
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)] + ["manylinux2014_aarch64"]


def wanted(python: str) -> list[str]:
    """What a table needs there. pip reads the conditions for this machine, so what is for the Pi alone is asked for by
    name."""
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    found: list[str] = []
    for line in project["dependencies"]:
        need, _, condition = (part.strip() for part in line.partition(";"))
        if "aarch64" not in condition or python < "3.13":
            found.append(need)
    return found


def downloaded(python: str) -> list[str]:
    """The files that pip finds. Raises subprocess.CalledProcessError where one is missing."""
    with tempfile.TemporaryDirectory() as folder:
        platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
        subprocess.run(
            [
                sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", folder,
                "--only-binary=:all:", *platforms, "--python-version", python, "--implementation", "cp",
                "--constraint", str(HOUSE / "set-up/constraints.txt"), *wanted(python),
            ],
            check=True,
        )  # fmt: skip
        return sorted(path.name for path in Path(folder).iterdir())


def main() -> int:
    """Print what there is; 1 if something is missing."""
    for python in PYTHONS:
        try:
            files = downloaded(python)
        except subprocess.CalledProcessError:
            print(f"Python {python} on aarch64: something has no wheel, see above")
            return 1
        own = [name for name in files if "aarch64" in name]
        print(f"Python {python} on aarch64: {len(files)} wheels, {len(own)} of them built for it, no compiler needed")
        if not any(name.startswith("lgpio") for name in files):
            print(
                "    lgpio, for seats on the Pi's own pins, is Debian's python3-lgpio there (set-up/packages-run.txt)"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
