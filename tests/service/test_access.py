"""The desk's door: PIN, registered devices, links that expire, turn and end; and who cannot lock out whom."""

import asyncio
import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from typer.testing import CliRunner

from controller.game.refusal import Refusal
from controller.service import registry
from controller.service.access import GUESSES, Access, Entered, Scope
from controller.service.addresses import is_ours, reachable
from controller.service.command_line import app
from controller.service.pin import FIRST_WAIT_S, LONGEST_WAIT_S, TRIES, Tries, fits, hashed
from controller.service.running import CannotStart, Running, running
from controller.service.settings import Settings, Web
from tests.service.judge import device_at, token
from tests.service.page import COOKIE, Page
from tests.service.waiting import comes_true

PIN = "482915"


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Both clocks of an `Access`."""
    return Clock()


@pytest.fixture
def access(tmp_path: Path, clock: Clock) -> Access:
    """A table with a PIN."""
    access = Access(tmp_path, clock=clock, tries=Tries(clock))
    access.set_pin(Scope.JUDGE, PIN)
    return access


async def registered(access: Access) -> str:
    """The cookie of a device that was registered just now."""
    secret, _ = access.invite(Scope.JUDGE, "tablet")
    entered = await access.enter(PIN, invitation=secret, address="10.0.0.2")
    assert isinstance(entered, Entered)
    assert entered.cookie is not None
    return entered.cookie


def code(answer: Entered | Refusal) -> str:
    """The refusal's code."""
    assert isinstance(answer, Refusal), answer
    return answer.code


async def test_a_pin_without_a_registered_device_opens_nothing(access: Access) -> None:
    assert code(await access.enter(PIN)) == "not_registered"
    assert code(await access.enter(PIN, cookie="ab12.wrong")) == "not_registered"
    assert code(await access.enter(PIN, invitation="x" * 32)) == "code_wrong"


async def test_an_invitation_registers_one_device_once_by_its_link_or_by_its_code(access: Access) -> None:
    secret, typed = access.invite(Scope.JUDGE, "tablet")
    assert code(await access.enter("000000", invitation=secret)) == "pin_wrong"
    entered = await access.enter(PIN, invitation=f"{typed[:4]} {typed[4:]}")
    assert isinstance(entered, Entered)
    assert access.at_desk(entered.cookie, Scope.JUDGE) is not None
    assert code(await access.enter(PIN, invitation=secret)) == "code_wrong"
    assert code(await access.enter(PIN, invitation=typed)) == "code_wrong"


async def test_an_invitation_is_good_for_a_quarter_of_an_hour(access: Access, clock: Clock) -> None:
    secret, typed = access.invite(Scope.JUDGE, "tablet")
    clock.now += 901
    assert code(await access.enter(PIN, invitation=secret)) == "code_wrong"
    assert code(await access.enter(PIN, invitation=typed)) == "code_wrong"


async def test_a_device_of_one_desk_is_none_of_the_other(access: Access) -> None:
    cookie = await registered(access)
    assert not isinstance(access.at_desk(cookie, Scope.JUDGE), Refusal)
    assert access.at_desk(cookie, Scope.OFFICE) == Refusal("not_registered")


async def test_the_pin_is_asked_again_after_a_day_after_leaving_and_after_a_change(
    access: Access, clock: Clock
) -> None:
    cookie = await registered(access)
    clock.now += 16 * 3600 + 1
    assert access.at_desk(cookie, Scope.JUDGE) == Refusal("pin_needed")
    assert isinstance(await access.enter(PIN, cookie=cookie), Entered)
    await access.leave(cookie)
    assert access.at_desk(cookie, Scope.JUDGE) == Refusal("pin_needed")
    assert isinstance(await access.enter(PIN, cookie=cookie), Entered)
    access.set_pin(Scope.JUDGE, "111222")
    assert access.at_desk(cookie, Scope.JUDGE) == Refusal("pin_needed")
    assert code(await access.enter(PIN, cookie=cookie)) == "pin_wrong"
    assert isinstance(await access.enter("111222", cookie=cookie), Entered)


async def test_five_wrong_pins_are_a_wait_that_doubles_and_ends(access: Access, clock: Clock) -> None:
    cookie = await registered(access)
    wait = FIRST_WAIT_S
    for _ in range(7):
        for _ in range(TRIES):
            assert code(await access.enter("000000", cookie=cookie)) == "pin_wrong"
        locked = await access.enter(PIN, cookie=cookie)
        assert code(locked) == "pin_locked"
        assert isinstance(locked, Refusal)
        assert locked.params["seconds"] == int(wait) + 1
        clock.now += wait
        wait = min(wait * 2, LONGEST_WAIT_S)
    assert isinstance(await access.enter(PIN, cookie=cookie), Entered)


async def test_tries_at_the_same_time_are_as_many_tries(access: Access) -> None:
    cookie = await registered(access)
    answers = await asyncio.gather(*(access.enter(f"{guess:06}", cookie=cookie) for guess in range(40)))
    assert [code(answer) for answer in answers].count("pin_wrong") == TRIES


async def test_an_attacker_in_the_hall_locks_out_himself_and_not_the_judge(access: Access, clock: Clock) -> None:
    cookie = await registered(access)
    _, typed = access.invite(Scope.JUDGE, "another tablet")
    for number in range(200):
        answer = await access.enter("000000", invitation=f"{number:08}", cookie=cookie[:8], address="10.0.0.66")
        assert code(answer) in ("code_wrong", "pin_locked")
    assert code(await access.enter(PIN, invitation=typed, address="10.0.0.66")) == "pin_locked"
    await access.leave(cookie)
    assert isinstance(await access.enter(PIN, cookie=cookie, address="10.0.0.66"), Entered)


async def test_one_with_many_addresses_ends_the_codes_and_no_more(access: Access) -> None:
    cookie = await registered(access)
    secret, typed = access.invite(Scope.JUDGE, "another tablet")
    wrong = [f"{number:08}" for number in range(GUESSES + 1) if f"{number:08}" != typed]
    for number, guess in enumerate(wrong[:GUESSES]):
        await access.enter(PIN, invitation=guess, address=f"10.0.1.{number}")
    assert code(await access.enter(PIN, invitation=typed, address="10.0.2.1")) == "code_wrong"
    assert isinstance(await access.enter(PIN, invitation=secret, address="10.0.2.2"), Entered)
    assert isinstance(await access.enter(PIN, cookie=cookie), Entered)


def test_addresses_of_one_network_are_one(clock: Clock) -> None:
    from controller.service.access import neighbourhood

    assert neighbourhood("2001:db8:1:2:3:4:5:6") == neighbourhood("2001:db8:1:2::9")
    assert neighbourhood("2001:db8:1:3::9") != neighbourhood("2001:db8:1:2::9")
    assert neighbourhood("10.0.0.1") != neighbourhood("10.0.0.2")


def test_what_is_kept_tells_no_pin_no_code_and_no_cookie(access: Access, tmp_path: Path) -> None:
    secret, typed = access.invite(Scope.JUDGE, "tablet")
    cookie = asyncio.run(registered(access))
    kept = (tmp_path / "access.json").read_text()
    for word in (PIN, secret, typed, cookie.partition(".")[2]):
        assert word not in kept
    assert (tmp_path / "access.json").stat().st_mode & 0o077 == 0


def test_a_pin_is_kept_salted() -> None:
    first, second = hashed(PIN), hashed(PIN)
    assert first != second
    assert fits(PIN, first)
    assert fits(PIN, second)
    for wrong in ("482914", "", "48291", "4829150", "дон", "x" * 10_000):
        assert not fits(wrong, first)
    assert not fits(PIN, "damaged")


def test_a_link_expires_turns_and_ends(access: Access, clock: Clock) -> None:
    link = access.add_link(Scope.AIR, "second", hours=2)
    own = access.token(link)
    holder = access.holder_of(own)
    assert holder is not None
    assert holder.scope is Scope.AIR
    turned = access.rotate(link.id)
    assert turned is not None
    assert access.holder_of(own) is None
    assert not access.still_in(holder)
    now = access.holder_of(access.token(turned))
    assert now is not None
    assert access.still_in(now)
    clock.now += 7201
    assert access.holder_of(access.token(turned)) is None
    assert not access.still_in(now)


def test_a_usual_link_that_was_revoked_does_not_come_back_with_a_restart(tmp_path: Path) -> None:
    access = Access(tmp_path)
    own = access[Scope.AIR]
    assert access.revoke("air")
    again = Access(tmp_path)
    assert again.holder_of(own) is None
    assert [link.scope for link in again.open_links()] == [Scope.PRODUCER]
    assert again.path(Scope.AIR) == "/air"


def test_the_judges_link_of_a_simulation_opens_nothing_at_a_real_table(tmp_path: Path) -> None:
    own = Access(tmp_path, simulated=True)[Scope.JUDGE]
    real = Access(tmp_path)
    assert real.holder_of(own) is None
    with pytest.raises(KeyError):
        real[Scope.JUDGE]


# --- over the wire


async def test_codes_that_were_typed_while_there_was_none_are_not_held_against_a_later_one(access: Access) -> None:
    for number in range(2 * GUESSES):
        assert code(await access.enter(PIN, invitation=f"{number:08}", address=f"10.0.1.{number}")) == "code_wrong"
    _, typed = access.invite(Scope.JUDGE, "tablet")
    wrong = f"{(int(typed) + 1) % 10**8:08}"
    assert code(await access.enter(PIN, invitation=wrong, address="10.0.2.1")) == "code_wrong"
    assert isinstance(await access.enter(PIN, invitation=typed, address="10.0.2.1"), Entered)


async def post(session: ClientSession, service: Running, path: str, body: object, **headers: str) -> tuple[int, Any]:
    """A POST as a page of the service sends it."""
    async with session.post(f"{service.address}{path}", json=body, headers=headers) as answer:
        return answer.status, (await answer.json() if answer.content_type == "application/json" else None)


async def test_a_tablet_is_registered_gives_its_pin_and_is_the_judge(service: Running) -> None:
    service.access.set_pin(Scope.JUDGE, PIN)
    _, typed = service.access.invite(Scope.JUDGE, "tablet")
    async with Page(service.address, page="judge", language="en") as stranger:
        assert stranger.refused is not None
        assert stranger.refused["data"]["code"] == "not_registered"
    async with ClientSession() as session:
        status, said = await post(session, service, "/enter", {"pin": "000000", "invitation": typed, "language": "en"})
        assert (status, said["refusal"]["sentence"]) == (403, "This is not the PIN.")
        async with session.post(f"{service.address}/enter", json={"pin": PIN, "invitation": typed}) as answer:
            assert answer.status == 200
            cookie = answer.headers["Set-Cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=Strict" in cookie
            assert "Path=/" in cookie
            assert answer.headers["Cache-Control"] == "no-store"
    own = cookie.partition(";")[0]
    assert own.startswith(COOKIE)
    async with Page(service.address, own) as tablet:
        assert tablet.views[0]["audience"] == "judge"
    # The same browser's projector is the hall: the cookie opens the page that asks for it.
    async with Page(service.address, own, page="hall") as hall:
        assert hall.views[0]["audience"] == "hall"


async def test_a_device_that_is_revoked_is_let_go_within_a_second(service: Running, chosen: Settings) -> None:
    own = device_at(service)
    async with Page(service.address, own) as tablet, Page(service.address, token(service, Scope.AIR)) as air:
        # As `mafia-table devices` does it, in another process.
        other = Access(chosen.data)
        assert other.revoke(own.removeprefix(COOKIE).partition(".")[0])
        await tablet.until(tablet.closed.is_set, 5)
        assert not air.closed.is_set()
        other.rotate("air")
        await air.until(air.closed.is_set, 5)
    async with Page(service.address, own) as again:
        assert again.refused is not None
        assert again.refused["data"]["code"] == "not_registered"


@pytest.mark.parametrize("path", ["/enter", "/leave", "/access"])
async def test_another_sites_page_can_post_nothing(service: Running, path: str) -> None:
    own = device_at(service)
    body = {"do": "invite", "scope": "judge", "name": "evil", "pin": PIN}
    async with ClientSession() as session:
        for headers in (
            {"Origin": "http://elsewhere.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ):
            assert (await post(session, service, path, body, Cookie=own, **headers))[0] == 403
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            async with session.post(
                f"{service.address}{path}", data=b'{"do": "look"}', headers={"Content-Type": kind, "Cookie": own}
            ) as answer:
                assert answer.status == 415
        for odd in (b"", b"[]", b"{", b'"look"', b"null", b"[" * 4000, b'{"a":' * 600):
            headers = {"Content-Type": "application/json", "Cookie": own}
            async with session.post(f"{service.address}{path}", data=odd, headers=headers) as answer:
                assert answer.status == 400
        async with session.post(f"{service.address}{path}", json={"pin": "x" * 5000}) as answer:
            assert answer.status == 413
    assert service.access.invitations() == []
    async with Page(service.address, own) as tablet:
        assert tablet.views


async def test_devices_and_links_are_looked_after_from_the_judges_tablet(service: Running) -> None:
    own = device_at(service)
    async with ClientSession() as session:

        async def act(do: str, **fields: Any) -> Any:
            return (await post(session, service, "/access", {"do": do, **fields}, Cookie=own))[1]

        view = await act("look")
        assert [row["own"] for row in view["devices"]] == [True]
        assert [row["scope"] for row in view["links"]] == ["air", "producer"]
        assert view["links"][0]["open"]["address"] == service.link(Scope.AIR)
        assert len({len(row) for row in view["links"][0]["open"]["qr"]}) == 1
        invited = (await act("invite", scope="office", name="Секретарь"))["invited"]
        assert invited["open"]["address"].startswith(f"{service.address}/office#e=")
        more = await act("link", scope="air", name="second")
        new = next(row for row in more["links"] if row["name"] == "second")
        turned = next(row for row in (await act("rotate", id=new["id"]))["links"] if row["id"] == new["id"])
        assert turned["open"]["address"] != new["open"]["address"]
        assert new["id"] not in {row["id"] for row in (await act("revoke", id=new["id"]))["links"]}
        assert (await act("revoke", id="nobody"))["refusal"]["code"] == "no_such_link"
        for cookie in (None, device_at(service, Scope.OFFICE), f"{COOKIE}ab.cd"):
            headers = {} if cookie is None else {"Cookie": cookie}
            status, said = await post(session, service, "/access", {"do": "look"}, **headers)
            assert (status, said["refusal"]["code"]) == (403, "not_registered")
        for scope in (Scope.AIR, Scope.HALL):
            bearer = service.access[Scope.AIR] if scope is Scope.AIR else ""
            status, _ = await post(session, service, "/access", {"do": "look"}, Authorization=f"Bearer {bearer}")
            assert status == 403


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Fills the disk for what is registered."""

    def no_room(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    return lambda: monkeypatch.setattr(registry, "write_whole", no_room)


async def test_a_full_disk_is_told_and_keeps_nobody_who_is_registered_out(
    service: Running, full: Callable[[], None]
) -> None:
    service.access.set_pin(Scope.JUDGE, PIN)
    _, typed = service.access.invite(Scope.JUDGE, "second")
    own, judge = device_at(service), device_at(service)
    device = service.access.device_of(own.removeprefix(COOKIE))
    assert device is not None
    await service.access.leave(own.removeprefix(COOKIE))
    full()
    async with ClientSession() as session:
        asked = {"do": "invite", "scope": "office", "name": "third", "language": "en"}
        status, said = await post(session, service, "/access", asked, Cookie=judge)
        assert (status, said["refusal"]["code"]) == (403, "disk_full")
        assert "no room on the disk" in said["refusal"]["sentence"]
        # A tablet that is new cannot be kept; one that is known gets in by its PIN.
        status, said = await post(session, service, "/enter", {"pin": PIN, "invitation": typed, "language": "en"})
        assert (status, said["refusal"]["code"]) == (403, "disk_full")
        status, said = await post(session, service, "/enter", {"pin": PIN}, Cookie=own)
        assert (status, said["ok"]) == (200, True)
    async with Page(service.address, own) as tablet:
        assert tablet.views[0]["audience"] == "judge"


async def test_a_name_that_was_pointed_here_by_somebody_else_is_not_answered(service: Running) -> None:
    port = service.address.rpartition(":")[2]
    async with ClientSession() as session:
        for host, status in {
            f"127.0.0.1:{port}": 200,
            f"localhost:{port}": 200,
            f"table.local:{port}": 200,
            f"[::1]:{port}": 200,
            f"evil.example:{port}": 421,
            "127.0.0.1.evil.example": 421,
        }.items():
            async with session.get(f"{service.address}/hall", headers={"Host": host}) as answer:
                assert answer.status == status, host
    assert is_ours("table.example:8666", ["table.example"])


async def test_the_office_is_shown_no_secret_and_can_do_nothing(simulated: Running) -> None:
    from tests.service.judge import Judge, hears_no_role

    async with (
        Page(simulated.address, token(simulated, Scope.JUDGE)) as tablet,
        Page(simulated.address, device_at(simulated, Scope.OFFICE), page="office") as office,
    ):
        judge = Judge(tablet)
        await judge.deals()
        await judge.goes_on_to("morning")
        await office.sees(lambda view: view["phase"]["kind"] == "morning")
        assert office.view["readiness"]
        hears_no_role(office)
        answer = await office.ask("command", {"id": "1", "revision": 0, "do": "next"})
        assert answer["refusal"]["code"] == "no_right"


async def test_a_person_who_has_taken_over_still_plays_after_a_crash(chosen: Settings, pages: Path) -> None:
    for before, after in ((False, True), (True, False)):
        async with running(chosen, simulated=True, pages=pages) as service:
            assert service.takeover.person is before
            async with Page(service.address, token(service, Scope.TABLE)) as pad:
                assert (await pad.ask("takeover", {"person": after}))["ok"]


# --- TLS and addresses


async def test_with_a_certificate_of_its_own_everything_comes_over_tls(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    import ssl

    certificate, key = tmp_path / "table.crt", tmp_path / "table.key"
    made = await asyncio.to_thread(
        subprocess.run,
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=table.local", "-addext", "subjectAltName=IP:127.0.0.1,DNS:table.local",
         "-keyout", str(key), "-out", str(certificate)],
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    web = Web(port=0, certificate=str(certificate), key=str(key))
    async with running(replace(chosen, web=web), pages=pages) as service:
        assert service.address.startswith("https://")
        service.access.set_pin(Scope.JUDGE, PIN)
        secret, _ = service.access.invite(Scope.JUDGE, "tablet")
        trust = ssl.create_default_context(cafile=str(certificate))
        async with ClientSession() as session:
            body = {"pin": PIN, "invitation": secret}
            async with session.post(f"{service.address}/enter", json=body, ssl=trust) as answer:
                assert answer.status == 200
                cookie = answer.headers["Set-Cookie"]
                assert cookie.startswith("__Host-mafia-device=")
                assert "Secure" in cookie
            headers = {"Cookie": cookie.partition(";")[0], "Origin": service.address}
            address = f"{service.address}/socket.io/?EIO=4&transport=websocket"
            async with session.ws_connect(address, ssl=trust, headers=headers) as socket:
                await socket.receive_str()
                await socket.send_str('40{"page":"judge"}')
                assert (await socket.receive_str()).startswith("40")
                assert '"audience":"judge"' in await socket.receive_str()
    with pytest.raises(CannotStart, match=r"missing\.crt"):
        async with running(replace(chosen, web=Web(port=0, certificate=str(tmp_path / "missing.crt"))), pages=pages):
            pass


async def test_on_any_address_the_links_say_the_machines_own(chosen: Settings, pages: Path) -> None:
    assert reachable("10.1.2.3") == "10.1.2.3"
    own = reachable("0.0.0.0")
    assert own not in ("0.0.0.0", "", "::")
    async with running(replace(chosen, web=Web(host="0.0.0.0", port=0)), pages=pages) as service:
        assert service.address.startswith(f"http://{own}:")
        async with Page(service.address) as page:
            assert page.views


def test_the_service_listens_to_this_machine_alone_until_it_is_told_otherwise() -> None:
    assert Web().host == "127.0.0.1"


# --- the command


def devices(folder: Path, *words: str) -> tuple[int, str]:
    """`mafia-table devices ...`: its status and what it said."""
    done = CliRunner().invoke(app, ["devices", *words, "--data", str(folder)], env={"COLUMNS": "200"})
    return done.exit_code, done.output


def test_the_command_adds_shows_turns_and_ends(tmp_path: Path) -> None:
    status, said = devices(tmp_path, "add", "Планшет")
    assert status == 1
    assert "mafia-table devices pin" in said
    status, said = devices(tmp_path, "pin")
    pin = "".join(letter for letter in said if letter.isdecimal())
    assert (status, len(pin)) == (0, 6)
    status, said = devices(tmp_path, "add", "Планшет", "--host", "10.0.0.5")
    assert status == 0
    assert "http://10.0.0.5:8666/judge#e=" in said
    assert "▄" in said
    status, said = devices(tmp_path, "link", "air", "--name", "Вторая камера", "--hours", "3")
    assert status == 0
    which = said.split()[0]
    before = next(word for word in said.split() if "/air#t=" in word)
    after = next(word for word in devices(tmp_path, "rotate", which)[1].split() if "/air#t=" in word)
    assert before != after
    status, said = devices(tmp_path, "list")
    assert "Вторая камера" in said
    assert after in said
    assert devices(tmp_path, "revoke", which)[0] == 0
    assert devices(tmp_path, "revoke", which)[0] == 1
    assert which not in devices(tmp_path)[1]
    assert devices(tmp_path, "link", "judge")[0] == 1


def test_the_command_says_that_the_disk_is_full(tmp_path: Path, full: Callable[[], None]) -> None:
    assert devices(tmp_path, "pin")[0] == 0
    full()
    for words in (("add", "tablet"), ("link", "air"), ("rotate", "air"), ("revoke", "air"), ("pin",)):
        status, said = devices(tmp_path, *words)
        assert status == 1, words
        assert "На диске нет места" in said, words


def test_what_opens_a_door_is_shown_on_a_screen_and_never_written_into_a_log(tmp_path: Path) -> None:
    import pty

    tmp_path.chmod(0o755)
    command = [str(Path(sys.executable).with_name("mafia-table")), "serve", "--port", "0", "--data", str(tmp_path)]
    piped = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        assert piped.stdout is not None
        said = ""
        while "Ctrl-C" not in said:
            line = piped.stdout.readline().decode()
            assert line
            said += line
        assert "PIN:" not in said
        assert "#" not in said
        assert "/air\n" in said
        assert "mafia-table devices pin" in said
        # Somebody else has made the folder: what lies in it is read by the table's user alone all the same.
        assert [path for path in tmp_path.rglob("*") if path.stat().st_mode & 0o077] == []
    finally:
        piped.terminate()
        piped.communicate(timeout=20)
    assert Access(tmp_path).registry.pins == {}

    screen, end = pty.openpty()
    shown = subprocess.Popen(command, stdout=end, stderr=end)
    os.close(end)
    try:
        said, until = "", time.monotonic() + 30
        while "Ctrl-C" not in said and time.monotonic() < until:
            said += os.read(screen, 65536).decode(errors="replace")
        assert "PIN: " in said
        assert "/judge#e=" in said
        assert "/air#t=" in said
    finally:
        shown.terminate()
        shown.wait(20)
        os.close(screen)
    assert Scope.JUDGE.value in Access(tmp_path).registry.pins


async def test_nothing_of_the_door_is_in_the_log(service: Running, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    service.access.set_pin(Scope.JUDGE, PIN)
    secret, typed = service.access.invite(Scope.JUDGE, "tablet")
    async with ClientSession() as session:
        await post(session, service, "/enter", {"pin": "135790", "invitation": typed})
        await post(session, service, "/enter", {"pin": PIN, "invitation": secret})
    async with Page(service.address, token(service, Scope.AIR)), Page(service.address, "a wrong token"):
        await comes_true(lambda: bool(service.broadcast.screens.of(Scope.AIR)))
    for word in (PIN, "135790", secret, typed, service.access[Scope.AIR], "a wrong token"):
        assert word not in caplog.text
