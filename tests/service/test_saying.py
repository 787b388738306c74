"""What the command line does where it cannot be read: other locales, a full device, a broken pipe, no such language."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.catalogue import LANGUAGES, sentence

COMMAND = str(Path(sys.executable).with_name("mafia-table"))
RECORD = str(Path(__file__).parent.parent / "vectors" / "wma_final.mafia")


def run(*words: str, out: int = subprocess.PIPE, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [COMMAND, *words], stdout=out, stderr=subprocess.PIPE, env={**os.environ, **environment}, timeout=60
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def test_it_is_utf_8_whatever_the_locale() -> None:
    status, out, err = run("replay", RECORD, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert (status, err) == (0, "")
    assert out == run("replay", RECORD, LC_ALL="C.UTF-8")[1]


@pytest.mark.parametrize("words", [("replay", RECORD, "--lang", "uk"), ("rules", "--help"), ("rules",)])
def test_a_full_device_is_one_sentence(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        status, _, err = run(*words, out=full.fileno())
    language = "uk" if "uk" in words else "ru"
    why = os.strerror(28)
    assert (status, err) == (1, sentence("service.not_written", language, why=why) + "\n")


def test_a_broken_pipe_is_one_sentence() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    status, _, err = run("replay", RECORD, out=writes)
    os.close(writes)
    assert (status, err.count("\n")) == (1, 1)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words", [("replay", RECORD), ("standings", RECORD), ("protocol", RECORD), ("export", RECORD), ("draw", RECORD)]
)
def test_a_language_that_there_is_not_is_refused(words: tuple[str, ...]) -> None:
    status, out, err = run(*words, "--lang", "xx")
    assert (status, out) == (2, "")
    assert err == sentence("service.no_such_language", "ru", word="xx", languages=", ".join(LANGUAGES)) + "\n"
