"""`mafia-table doctor --walk`: the walk around the table in a terminal, on the real link, as the tablet leads it.

The table itself walks, with its journal: no edge is acknowledged that is not on disk.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from rich.console import Console

from controller.catalogue import sentence
from controller.game.refusal import Refusal
from controller.service.running import Running, running
from controller.service.settings import Settings, Web
from controller.sound.settings import SoundSettings
from controller.table.state import Ask, Finding, Verdict, Walk
from controller.views.selftest import asked, finding_line
from controller.views.steps import refusal_sentence

WITHIN_S: Final = 20.0
"""How long a contact may take before the walk goes on without it, where nobody is at the keyboard."""
LINK_WITHIN_S: Final = 15.0
SILENT: Final = SoundSettings(on=False)
YES: Final = frozenset({"да", "так", "yes", "y", "д", "т"})


async def walk(settings: Settings, console: Console, *, simulated: bool = False, keyboard: bool | None = None) -> bool:
    """Walk around the table and say what was found; whether everything passed. Raises CannotStart.

    `simulated` walks around the simulated table, whose hands then move by themselves. Without a `keyboard` nobody
    can say that nothing comes: each contact has its time, and the lamps are not judged.
    """
    typing = sys.stdin.isatty() if keyboard is None else keyboard
    own = tempfile.TemporaryDirectory() if simulated else nullcontext(str(settings.data))
    with own as folder:
        # Nobody needs its pages: any free port of this machine will do.
        chosen = replace(settings, data=Path(folder), web=Web(host="127.0.0.1", port=0), sound=SILENT)
        async with running(chosen, simulated=simulated) as service:
            return await _Round(service, console, settings.speech.language, keyboard=typing).goes()


class _Round:
    """One walk in one terminal."""

    def __init__(self, service: Running, console: Console, language: str, *, keyboard: bool) -> None:
        self._service = service
        self._table = service.table
        self._console = console
        self._language = language
        self._keyboard = keyboard
        self._changed = asyncio.Event()
        self._lines: asyncio.Queue[str] = asyncio.Queue()

    async def goes(self) -> bool:
        """Walks to the end."""
        stop = self._table.subscribe(lambda _snapshot, _cause: self._changed.set())
        with suppress(TimeoutError):
            async with asyncio.timeout(LINK_WITHIN_S):
                while not self._service.cables.ready:
                    await self._change()
        begun = self._table.selftest("start")
        if isinstance(begun, Refusal):
            stop()
            self._say(refusal_sentence(begun, self._language, self._table.snapshot.header.ruleset))
            return False
        if self._keyboard:
            self._say(sentence("selftest.how_to_skip", self._language))
        async with self._typed():
            await self._to_its_end()
        found = self._walk.findings
        self._say(asked(replace(self._walk, ask=None), self._language))
        self._table.selftest("stop")
        stop()
        return all(one.verdict is Verdict.PASSED for one in found)

    async def _to_its_end(self) -> None:
        said: str | None = None
        told: set[Finding] = set()
        since = asyncio.get_running_loop().time()
        step = -1
        while True:
            now = self._walk
            for found in now.findings:
                if found not in told:
                    told.add(found)
                    mark = "+" if found.verdict is Verdict.PASSED else "!"
                    self._say(f"{mark} {finding_line(found, self._language)}")
            if now.ask is None or (now.ask is Ask.LOOK and not self._keyboard):
                return
            if now.step != step:
                step, since = now.step, asyncio.get_running_loop().time()
                self._moves_a_hand(now)
            if (line := asked(now, self._language)) != said:
                said = line
                self._say(f"  {line}")
            await self._change()
            self._heeds_the_keyboard(now)
            if not self._keyboard and asyncio.get_running_loop().time() - since > WITHIN_S:
                self._table.selftest("skip", now.step)

    def _heeds_the_keyboard(self, now: Walk) -> None:
        while not self._lines.empty():
            line = self._lines.get_nowait().strip().casefold()
            if now.ask is Ask.LOOK and line in YES:
                self._table.selftest("seen")
            else:
                self._table.selftest("skip", now.step)
                return

    def _moves_a_hand(self, now: Walk) -> None:
        simulation = self._service.simulation
        if simulation is not None and now.key is not None:
            simulation.press(now.key, down=True)
            simulation.press(now.key, down=False)

    @property
    def _walk(self) -> Walk:
        walk = self._table.snapshot.walk
        assert walk is not None
        return walk

    async def _change(self) -> None:
        """Until something has changed, or for a quarter of a second."""
        self._changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), 0.25)

    @asynccontextmanager
    async def _typed(self) -> AsyncGenerator[None]:
        """Meanwhile every line that is typed is heard."""
        if not self._keyboard:
            yield
            return
        loop, keys = asyncio.get_running_loop(), sys.stdin.fileno()

        def hear() -> None:
            text = os.read(keys, 1024).decode("utf-8", "replace")
            if not text:
                loop.remove_reader(keys)
            for line in text.splitlines():
                self._lines.put_nowait(line)
            self._changed.set()

        loop.add_reader(keys, hear)
        try:
            yield
        finally:
            loop.remove_reader(keys)

    def _say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, markup=False, highlight=False)
