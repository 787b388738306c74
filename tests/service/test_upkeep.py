"""What keeps a table going through a day, on the running service: the copy, the figures, the log, the report, the beat
that systemd waits for, and what is kept before another version writes."""

import asyncio
import json
import os
import re
import socket
import sqlite3
import sys
import time
import zipfile
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from aiohttp import ClientSession
from rich.console import Console

from controller.service import metrics, sample_final, serving
from controller.service.access import Scope
from controller.service.heartbeat import Heartbeat
from controller.service.report import bundle
from controller.service.running import running
from controller.service.settings import Copies, Game, Metrics, Settings, Speech
from controller.service.upgrade import KEPT, keep_before, this_version
from controller.table.copying import Copy, restore
from controller.table.journal_file import JOURNAL, JournalFile
from firmware_bridge.core import Edge
from hardware.signal import Signal
from tests.service.judge import Judge, token
from tests.service.keeping import Taken
from tests.service.page import Page
from tests.service.waiting import comes_true

PROGRAM = str(Path(sys.executable).with_name("mafia-table"))
ROLES = ("don", "mafia", "sheriff", "civilian", "дон", "мафия", "шериф", "мирный")


def kept(chosen: Settings, stick: Path) -> Settings:
    return replace(chosen, copies=Copies((str(stick),)), metrics=Metrics(port=0))


async def test_a_spare_table_goes_on_from_the_copy_with_the_same_links(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "stick" / "table"
    async with running(kept(chosen, stick), simulated=True, pages=pages) as first:
        async with Page(first.address, token(first, Scope.JUDGE)) as tablet:
            judge = Judge(tablet)
            await judge.deals()
            await judge.goes_on_to("morning")
        copy = first.upkeep.copies[0]
        await comes_true(lambda: copy.state.code == "ok" and copy.state.rows == first.table.snapshot.revision)
        air, seen = token(first, Scope.AIR), first.table.snapshot
    began = time.perf_counter()
    spare = replace(chosen, data=tmp_path / "spare")
    restored = restore(stick, spare.data)
    assert restored.damage is None
    async with running(spare, simulated=True, pages=pages) as second, Page(second.address, air) as screen:
        took = time.perf_counter() - began
        assert second.table.snapshot.state == seen.state
        assert second.table.snapshot.names == seen.names
        assert screen.view["phase"]["kind"] == "morning"
    print(f"a spare table has taken over {restored.rows} decisions in {took:.1f} s")
    assert took < 60


async def test_what_the_table_writes_last_of_all_is_in_the_copy(
    chosen: Settings, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick, close = tmp_path / "stick", Copy.close
    ended: list[bool] = []

    async def closed(copy: Copy) -> None:
        ended.append(service.table._closed)
        await close(copy)

    monkeypatch.setattr(Copy, "close", closed)
    async with running(kept(chosen, stick), pages=pages) as service:
        await comes_true(lambda: service.upkeep.copies[0].state.code == "ok")
        service.table.edge(Edge(Signal("child", "seat 1", True, time.monotonic_ns()), 1, 1, 0))
    assert ended == [True]
    for folder in (chosen.data, stick):
        file = JournalFile(folder)
        assert file.last_edges()["child", 1] == 1
        file.close()


async def test_a_missing_stick_is_told_and_holds_nobody_up(chosen: Settings, pages: Path) -> None:
    missing = replace(chosen, copies=Copies(("/media/nobody/has/this",)))
    async with running(missing, pages=pages) as service:
        await comes_true(lambda: any(note.code == "readiness.copy_away" for note in service.notes()))


async def test_a_copy_that_is_there_is_never_told_to_be_missing(
    chosen: Settings, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = StringIO()
    monkeypatch.setattr(serving, "until_told_to_stop", lambda: comes_true(lambda: "Seats" in said.getvalue()))
    monkeypatch.setattr(serving, "DEVICES_WITHIN_S", 0.1)
    served = replace(kept(chosen, tmp_path / "stick"), speech=Speech(language="en"))
    await serving.serve(served, Console(file=said, width=500))
    assert "copy" not in said.getvalue()


async def test_a_missing_stick_is_told_on_the_terminal_too(
    chosen: Settings, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = StringIO()
    monkeypatch.setattr(serving, "until_told_to_stop", lambda: comes_true(lambda: "copy" in said.getvalue()))
    missing = replace(chosen, copies=Copies(("/media/nobody/has/this",)), speech=Speech(language="en"))
    await serving.serve(missing, Console(file=said, width=500))
    assert "Plug the stick in" in said.getvalue()


@pytest.mark.parametrize(("host", "said"), [("127.0.0.1", "taken"), ("192.0.2.1", "refused"), ("a b", "refused")])
async def test_why_the_figures_are_not_to_be_seen(chosen: Settings, pages: Path, host: str, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        unserved = replace(chosen, metrics=Metrics(port=holder.getsockname()[1], host=host))
        async with running(unserved, pages=pages) as service:
            assert [note.code for note in service.upkeep.notes()] == [f"readiness.metrics_{said}"]


async def test_the_figures_are_prometheus_text_on_a_port_of_their_own(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    async with running(kept(chosen, tmp_path / "stick"), pages=pages) as service, ClientSession() as session:
        assert service.upkeep.metrics_address is not None
        async with session.get(service.upkeep.metrics_address) as answer:
            text = await answer.text()
            assert answer.status == 200
            assert answer.headers["Content-Type"] == metrics.KIND
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        # A page whose name somebody has pointed to this machine asks from its own browser, and needs no key there.
        async with session.get(service.upkeep.metrics_address, headers={"Host": "figures.example"}) as answer:
            assert answer.status == 421
        async with session.get(service.address + "/metrics") as answer:
            assert answer.status == 404  # not in the hall's reach
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-0-9.e+]+', line), line
    families = re.findall(r"# TYPE (\w+) (counter|gauge)", text)
    assert len(families) == len(set(families)) >= 12
    assert all(name.endswith("_total") for name, kind in families if kind == "counter")
    for name in sample_final.NAMES:
        assert name not in text


async def test_another_machine_needs_the_key(chosen: Settings, tmp_path: Path) -> None:
    app = metrics.metrics_app(lambda: [metrics.Figure("a", "gauge", "A.", 1)], "the key of the figures")
    from aiohttp.test_utils import make_mocked_request

    (route,) = [route for route in app.router.routes() if route.method == "GET"]
    for said, status in ((None, 401), ("Bearer wrong", 401), ("Bearer the key of the figures", 200)):
        headers = {} if said is None else {"Authorization": said}
        request = make_mocked_request("GET", "/metrics", headers=headers)
        request = request.clone(remote="10.0.0.7")
        answer = await route.handler(request)
        assert getattr(answer, "status", None) == status
    assert metrics.metrics_key(tmp_path) == metrics.metrics_key(tmp_path)
    assert (tmp_path / metrics.KEY).stat().st_mode & 0o077 == 0


async def test_log_and_report_say_what_was_done_and_not_who_is_who(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    planted = replace(kept(chosen, tmp_path / "stick"), game=planted_names(chosen))
    async with running(planted, simulated=True, pages=pages) as service:
        async with Page(service.address, token(service, Scope.JUDGE)) as tablet:
            judge = Judge(tablet)
            await judge.deals()
            refused = await judge.tries("deal", seat=1, role="nobody")
            assert not refused["ok"]
            await judge.goes_on_to("morning")
            await judge.discussion({1: 6, 2: 3})
        secrets = [token(service, scope) for scope in (Scope.AIR, Scope.JUDGE, Scope.TABLE)]
        revision = service.table.snapshot.revision
    written = (planted.data / "log" / "table.jsonl").read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    done = [line for line in lines if line.get("outcome") == "done"]
    assert len(done) >= 20
    assert all(line["game"] and line["command"] and line["kind"] for line in done)
    assert done[-1]["revision"] == revision
    names = bundle(planted, tmp_path / "report.zip")
    with zipfile.ZipFile(tmp_path / "report.zip") as file:
        assert sorted(file.namelist()) == sorted(names)
        everything = "\n".join(file.read(name).decode() for name in names)
    for text in (written, everything):
        for secret in (*secrets, *PLANTED, metrics.metrics_key(planted.data)):
            assert secret not in text, secret
        for role in ROLES:
            assert not re.search(rf"\b{role}\b(?!-table)", text, re.IGNORECASE), role
    assert '"Deal"' not in everything
    assert str(revision) in everything


PLANTED = tuple(f"Имярек-Планта-{seat}" for seat in range(1, 11))


def planted_names(chosen: Settings) -> Game:
    return Game(
        event="Событие-Планта", stage="Стадия-Планта", judge="Судья-Планта", names=PLANTED, ruleset=chosen.game.ruleset
    )


async def test_the_log_takes_a_bounded_part_of_the_card(tmp_path: Path) -> None:
    import logging

    from controller.service import log

    handler = log.log_to_folder(tmp_path)
    try:
        writer = logging.getLogger("controller.service.bounded")
        for number in range(30_000):
            writer.info("a line of the log that is as long as such lines are, and carries its number: %d", number)
    finally:
        log.end(handler)
    files = list((tmp_path / log.FOLDER).iterdir())
    assert len(files) == log.FILES + 1
    assert sum(file.stat().st_size for file in files) <= (log.FILES + 1) * log.BYTES


# --- systemd


async def test_systemd_hears_that_the_service_is_ready_and_beats_while_the_loop_runs(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as systemd:
        systemd.bind(address)
        heart = Heartbeat({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "60000", "WATCHDOG_PID": str(os.getpid())})
        assert heart.every_s == pytest.approx(0.02)
        heard: list[str] = []

        def listen() -> bool:
            try:
                while True:
                    heard.append(systemd.recv(100).decode())
            except BlockingIOError:
                return heard.count("WATCHDOG=1") >= 3

        beating = asyncio.create_task(heart.run())
        await comes_true(listen)
        assert heard[0] == "READY=1"
        # A loop that hangs does not beat.
        time.sleep(0.2)  # noqa: ASYNC251 - that is the point
        listen()
        before = len(heard)
        time.sleep(0.2)  # noqa: ASYNC251
        listen()
        assert len(heard) == before
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)
        listen()
        assert heard[-1] == "STOPPING=1"


async def test_without_systemd_nobody_is_told() -> None:
    heart = Heartbeat({})
    assert heart.every_s is None
    heart.tell("READY=1")


# --- another version


def test_a_journal_of_another_version_is_kept_before_it_is_opened(tmp_path: Path) -> None:
    assert keep_before(tmp_path) is None  # nothing is there yet
    with closing(sqlite3.connect(tmp_path / JOURNAL)) as db:
        db.execute("CREATE TABLE old (a)")
    assert keep_before(tmp_path) is None  # the same version
    for number in range(KEPT + 2):
        (tmp_path / "written-by.json").write_text(json.dumps({"version": f"0.{number}"}))
        kept_in = keep_before(tmp_path)
        assert kept_in is not None
        assert (kept_in / JOURNAL).read_bytes()[:15] == b"SQLite format 3"
    assert len(list(tmp_path.glob("before-upgrade-*"))) == KEPT
    assert json.loads((tmp_path / "written-by.json").read_text()) == {"version": this_version()}


async def test_one_can_go_back_to_the_version_before(chosen: Settings, pages: Path) -> None:
    async with (
        running(chosen, simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
    ):
        await Judge(tablet).deals()
        before = service.table.snapshot
    (chosen.data / "written-by.json").write_text('{"version": "0.0.9"}')
    async with (
        running(chosen, simulated=True, pages=pages) as service,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
    ):
        await Judge(tablet).goes_on_to("morning")
    found = restore(chosen.data / "before-upgrade-0.0.9", chosen.data)
    assert (found.rows, found.damage) == (before.revision, None)
    async with running(chosen, simulated=True, pages=pages) as service:
        assert service.table.snapshot.state == before.state


async def test_the_whole_service_is_ready_again_after_a_kill(tmp_path: Path) -> None:
    """From the start of the process to its first answer; `make bench` judges the figure on a quiet machine."""
    async with AsyncExitStack() as stack:
        took: list[float] = []
        worked = 0.0
        for _ in range(2):
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            began = time.perf_counter()
            child = await asyncio.create_subprocess_exec(
                PROGRAM, "serve", "--data", str(tmp_path / "data"), "--port",
                str(port), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            session = await stack.enter_async_context(ClientSession())
            while True:
                try:
                    async with session.get(f"http://127.0.0.1:{port}/health") as answer:
                        assert answer.status == 200
                        break
                except OSError:
                    assert child.returncode is None
                    await asyncio.sleep(0.02)
            took.append(time.perf_counter() - began)
            worked = Taken.by(child.pid).cpu
            child.kill()
            await child.wait()
        print(f"killed and ready again in {took[1]:.1f} s from the start of the process, {worked:.1f} s of them work")
        assert worked < 2
