"""The sound of the whole service: from the judge's tablet and the board's key to what comes out of the card."""

import asyncio
import logging
import math
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from controller.game import commands as cmd
from controller.game.roles import Role
from controller.service.access import Scope
from controller.service.running import Running, running
from controller.service.sample_final import CARDS
from controller.service.settings import Settings
from controller.sound import library
from controller.sound.library import Shelf
from controller.sound.player import MARK
from controller.sound.settings import SoundSettings
from controller.table.clock import SystemClock
from controller.table.table import Table
from controller.table.wishes import Wish
from tests.service.judge import Judge, device_at, token
from tests.service.page import Page
from tests.service.waiting import comes_true
from tests.sound.conftest import ears, hall
from tests.sound.hall import Ears, Hall
from tests.sound.test_library import tone

__all__ = ["ears", "hall"]

PROGRAM = Path(sys.executable).with_name("mafia-table")
AT_LAST_S = 6.0
"""Music is back after a crash in two seconds (`make bench`), on a machine that does not test other things too."""


@asynccontextmanager
async def played(chosen: Settings, pages: Path, **sound) -> AsyncGenerator[tuple[Running, Judge, Page]]:
    """A simulated table whose cards are dealt, its judge, and its board; it plays on the card `one`."""
    sounds = msgspec.structs.replace(SoundSettings(cards=("one",), volume=100, fade_in=0.2, fade_out=0.2), **sound)
    async with (
        running(replace(chosen, sound=sounds), simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE), language="en") as tablet,
        Page(service.address, token(service, Scope.TABLE), page="table") as pad,
    ):
        await tablet.sees(lambda view: any(row["sentence"] == "Sound: one" for row in view["readiness"]))
        await tablet.sees(lambda view: view["links"][0]["state"] == "up")
        judge = Judge(tablet)
        await judge.deals()
        yield service, judge, pad


def on_the_checklist(view: dict, words: str) -> bool:
    """Whether a line of the checklist that is not well has these words."""
    return any(not row["ok"] and words in row["sentence"] for row in view["readiness"])


async def heard(ears: Ears, start: float, end: float) -> float:
    """The level from `start` to `end`, when it has been heard."""
    return await asyncio.to_thread(ears.level, start, end)


def own_mpv(folder: Path) -> list[int]:
    """Every mpv of the table whose sound's folder is `folder`."""
    wanted, found = f"{MARK}={folder.resolve()}".encode(), list[int]()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            ours = wanted in (place / "environ").read_bytes().split(b"\0")
            if ours and (place / "comm").read_text().strip() == "mpv":
                found.append(int(place.name))
        except OSError:
            continue
    return found


async def test_the_boards_key_held_steps_back_tapped_is_off_and_undo_goes_over_the_nights_edge(
    chosen: Settings, pages: Path, ears: Ears
) -> None:
    async with played(chosen, pages, cues=(), duck=20.0) as (_, judge, pad):
        tablet = judge.page

        async def key(*, down: bool) -> None:
            assert (await pad.ask("signal", {"key": "night sound", "down": down}))["ok"]

        fell = time.monotonic()
        await judge.does("next")
        await tablet.sees(lambda view: view["sound"]["playing"])
        assert tablet.view["phase"]["kind"] == "acquaintance"
        full = await heard(ears, fell + 1.0, fell + 1.8)
        assert full > -30.0

        await key(down=True)
        await tablet.sees(lambda view: view["sound"]["held"])
        held = time.monotonic()
        ducked = await heard(ears, held + 0.4, held + 1.2)
        await key(down=False)
        await tablet.sees(lambda view: not view["sound"]["held"])
        freed = time.monotonic()
        assert not tablet.view["sound"]["muted"]
        again = await heard(ears, freed + 0.9, freed + 1.7)
        assert 16.0 < full - ducked < 24.0
        assert abs(full - again) < 4.0

        await key(down=True)
        await key(down=False)
        await tablet.sees(lambda view: view["sound"]["muted"] and not view["sound"]["playing"])
        off = time.monotonic()
        assert await heard(ears, off + 0.4, off + 0.8) == -math.inf
        await key(down=True)
        await key(down=False)
        await tablet.sees(lambda view: view["sound"]["playing"] and not view["sound"]["muted"])

        await judge.does("undo")
        await tablet.sees(lambda view: view["phase"]["kind"] == "dealing" and not view["sound"]["playing"])
        back = time.monotonic()
        assert await heard(ears, back + 0.4, back + 1.0) == -math.inf
        await judge.does("redo")
        await tablet.sees(lambda view: view["sound"]["playing"])
        night = time.monotonic()
        assert await heard(ears, night + 0.8, night + 1.4) > -30.0


async def test_every_signal_comes_once_however_pages_come_and_go(chosen: Settings, pages: Path, ears: Ears) -> None:
    # With the music's volume at nothing the recording holds the signals alone.
    async with played(chosen, pages, volume=0) as (service, judge, _):
        over = asyncio.Event()

        async def come_and_go() -> None:
            while not over.is_set():
                for scope in (None, Scope.JUDGE, Scope.AIR):
                    async with Page(service.address, None if scope is None else token(service, scope)):
                        await asyncio.sleep(0.05)

        visitors = [asyncio.create_task(come_and_go()) for _ in range(2)]
        began = time.monotonic()
        await judge.does("next")
        await asyncio.sleep(3.5)
        await judge.does("undo")
        await judge.does("redo")
        edges = time.monotonic()
        await asyncio.sleep(0.6)
        over.set()
        await asyncio.gather(*visitors)
        onset = await asyncio.to_thread(ears.onset, began - 0.1, began + 1.5, -50.0)
        assert onset is not None
        print(f"the night's signal {1000 * (onset - began):.0f} ms after the judge's step was sent")
        # The bell has rung out after 3.2 s; neither the edge gone over again nor any page has rung it again.
        assert await heard(ears, onset + 3.25, edges + 0.6) == -math.inf


async def test_what_goes_wrong_is_on_the_judges_tablet_and_the_game_goes_on(
    chosen: Settings, pages: Path, hall: Hall, tmp_path: Path
) -> None:
    place, folder = tmp_path / "music", chosen.data / "sound"
    tone(place / "good.wav", -12.0, 60.0)
    (place / "broken.mp3").write_text("no music")
    library.keep(Shelf((str(place),)), folder)
    async with played(chosen, pages, cards=("one", "two"), cues=()) as (_, judge, _pad):
        tablet = judge.page
        assert tablet.view["sound"] | {"volume": 0} == {
            "ok": False, "sentence": "2 music files were never measured and play as loud as they are: run "
            "`mafia-table sound add` on their folder.", "playing": False, "held": False, "muted": False,
            "without": False, "volume": 0, "limit": 100,
        }  # fmt: skip
        await judge.does("next")
        await tablet.sees(lambda view: view["sound"]["playing"])
        for _ in range(3):  # whichever of the two comes first
            if any("broken.mp3" in row["sentence"] for row in tablet.view["readiness"]):
                break
            await judge.does("undo")
            await tablet.sees(lambda view: not view["sound"]["playing"])
            await judge.does("redo")
            await asyncio.sleep(0.5)
        await tablet.sees(lambda view: on_the_checklist(view, "“broken.mp3” cannot be played; the next one plays"))

        for pid in own_mpv(folder):
            os.kill(pid, signal.SIGSTOP)
        await tablet.sees(lambda view: on_the_checklist(view, "The player was frozen and was started anew"))
        await comes_true(lambda: len(own_mpv(folder)) == 3)
        for pid in own_mpv(folder):
            os.kill(pid, signal.SIGKILL)
        await tablet.sees(lambda view: on_the_checklist(view, "The player had ended and was started anew"))

        await asyncio.to_thread(hall.unplug, "one")
        await tablet.sees(lambda view: view["sound"]["sentence"].startswith("Sound on “two”: “one” is not there"))
        assert on_the_checklist(tablet.view, "“one” is gone; it sounds on “two” now")
        await asyncio.to_thread(hall.plug, "one")
        await tablet.sees(lambda view: any(row == {"ok": True, "sentence": "Sound: one"} for row in view["readiness"]))

        await asyncio.to_thread(hall.close)
        await tablet.sees(lambda view: not view["sound"]["ok"] and "sound" in view["sound"]["sentence"].lower())
        # The judge goes on: the game does not wait, and by the judge's word the sound is no fault any more.
        before = time.monotonic()
        await judge.does("next")
        assert time.monotonic() - before < 5.0
        assert (await tablet.ask("sound", {"act": "without"}))["ok"]
        await tablet.sees(lambda view: view["sound"]["without"] and all(row["ok"] for row in sounds_of(view)))


def sounds_of(view: dict) -> list[dict]:
    """The checklist's lines on the sound, once the judge goes on without it."""
    return [row for row in view["readiness"] if "sound" in row["sentence"].lower()]


async def night_in(folder: Path) -> None:
    """A journal that ends in the night."""
    table = await Table.open(folder, SystemClock())
    commands = [*(cmd.Deal(seat, role) for seat, role in enumerate(CARDS, 1)), cmd.Next()]
    for number, command in enumerate(commands):
        await table.submit(Wish(id=f"d{number}", command=command))
    await table.close()
    assert Role.SHERIFF in CARDS


async def test_after_a_crash_in_the_night_the_music_is_back_and_nothing_doubles(
    hall: Hall, ears: Ears, tmp_path: Path
) -> None:
    data, settings = tmp_path / "data", tmp_path / "table.toml"
    await night_in(data)
    settings.write_text('[sound]\ncards = ["one"]\nvolume = 100\n')

    async def serve() -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            PROGRAM, "serve", "--config", str(settings), "--data", str(data), "--port", "0",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def plays(since: float) -> float:
        """The moment from which there is music again."""
        onset: float | None = None
        while onset is None:
            assert time.monotonic() - since < 30.0
            await asyncio.sleep(0.2)
            onset = await asyncio.to_thread(ears.onset, since, time.monotonic() - 0.1, -60.0)
        return onset

    started = time.monotonic()
    service = await serve()
    await plays(started)
    service.kill()
    killed = time.monotonic()
    await service.wait()
    await comes_true(lambda: not own_mpv(data / "sound"))  # they end with their service
    # What else an earlier life could have left: a player that nobody ends.
    left = await asyncio.create_subprocess_exec(
        "mpv", "--no-config", "--no-terminal", "--ao=pulse", str(library.NIGHT_BED),
        env=os.environ | {MARK: str((data / "sound").resolve())},
    )  # fmt: skip
    await comes_true(lambda: hall.streams() == 1)
    again = time.monotonic()
    service = await serve()
    await left.wait()
    ended = time.monotonic()
    onset = await plays(ended + 0.2)
    print(f"crash in the night: music {onset - again:.2f} s after the service was started anew")
    assert onset - again < AT_LAST_S
    assert killed < again
    now = time.monotonic()
    assert await heard(ears, now + 1.0, now + 2.0) > -40.0
    assert hall.streams() == 1
    assert len(own_mpv(data / "sound")) <= 3  # the music's, the signals', and the one that waits
    service.terminate()
    await service.wait()
    await comes_true(lambda: not own_mpv(data / "sound"))


@pytest.fixture
def no_card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without any sound card."""
    monkeypatch.setenv("PULSE_SERVER", f"unix:{tmp_path}/nobody")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/dev/null")


@pytest.mark.usefixtures("no_card")
@pytest.mark.parametrize("simulated", [False, True])
async def test_without_any_card_one_sentence_says_so_and_the_judge_goes_on(
    chosen: Settings, pages: Path, caplog: pytest.LogCaptureFixture, *, simulated: bool
) -> None:
    sentence = "Sound is off: this machine has no sound card."
    caplog.set_level(logging.INFO)
    async with running(replace(chosen, sound=SoundSettings()), simulated=simulated, pages=pages) as service:
        own = token(service, Scope.JUDGE) if simulated else device_at(service)
        async with Page(service.address, own, page="judge", language="en") as tablet:
            await tablet.sees(lambda view: view["sound"]["sentence"].startswith(sentence))
            # `make run` is a simulation: there nothing is amiss without a card.
            assert tablet.view["sound"]["ok"] is simulated
            [line] = [row for row in tablet.view["readiness"] if row["sentence"].startswith(sentence)]
            assert line["ok"] is simulated
            judge = Judge(tablet)
            await judge.deals()
            await judge.goes_on_to("acquaintance")
            assert (await tablet.ask("sound", {"act": "without"}))["ok"]
            await tablet.sees(lambda view: view["sound"]["ok"] and view["sound"]["without"])
            await judge.does("next")
    sounds = [row.getMessage() for row in caplog.records if row.name.startswith(("controller.sound", "asyncio"))]
    assert [row for row in caplog.records if row.name == "asyncio" and row.levelno >= logging.WARNING] == []
    assert len(sounds) <= 3, sounds
