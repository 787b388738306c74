"""Pictures put in from a page: by the producer and the secretary alone, cleaned, shown at once, kept, deleted."""

import errno
import io
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiohttp import ClientSession
from PIL import Image

from controller.catalogue import sentence
from controller.game.refusal import Refused
from controller.service.access import Scope
from controller.service.pictures import PORTRAIT, portrait
from controller.service.roster import RosterFolder
from controller.service.running import Running, running
from controller.service.settings import Settings
from controller.service.upload_door import LARGEST_BODY
from controller.service.uploads import MOST_SPONSORS, Uploads
from tests.service.judge import token
from tests.service.page import COOKIE, Page

SECRET = b"52.5163N 13.3777E"


def snapped(size: tuple[int, int] = (600, 900), colour: str = "#c03020", kind: str = "JPEG") -> bytes:
    """A picture as a camera writes it, with a place in it."""
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    out = io.BytesIO()
    Image.new("RGB" if kind == "JPEG" else "RGBA", size, colour).save(out, kind, exif=exif)
    return out.getvalue()


def headers(service: Running, scope: Scope) -> dict[str, str]:
    own = token(service, scope)
    return {"Cookie": own} if own.startswith(COOKIE) else {"Authorization": f"Bearer {own}"}


class Poster:
    """Puts pictures in over HTTP."""

    def __init__(self, service: Running, client: ClientSession, scope: Scope) -> None:
        self._address, self._client, self._headers = service.address, client, headers(service, scope)

    async def __call__(self, path: str, body: bytes = b"", **more: str) -> tuple[int, dict[str, Any]]:
        async with self._client.post(
            f"{self._address}/pictures/{path}",
            data=io.BytesIO(body),
            headers={**self._headers, "Content-Type": "image/jpeg", **more},
        ) as answer:
            return answer.status, await answer.json() if answer.content_type == "application/json" else {}

    async def player(self, name: str, body: bytes) -> tuple[int, dict[str, Any]]:
        return await self("player", body, Player=quote(name))

    async def drop(self, **what: str | int) -> tuple[int, dict[str, Any]]:
        async with self._client.post(f"{self._address}/pictures/drop", json=what, headers=self._headers) as answer:
            return answer.status, await answer.json()


async def test_a_players_picture_is_on_air_at_once_and_goes_again(chosen: Settings, pages: Path) -> None:
    async with (
        running(chosen, pages=pages) as service,
        Page(service.address, token(service, Scope.AIR)) as air,
        ClientSession() as client,
    ):
        producer = Poster(service, client, Scope.PRODUCER)
        status, shown = await producer.player("  ёж ", snapped())
        assert (status, shown["players"][2]["name"], shown["players"][2]["uploaded"]) == (200, "Ёж", True)
        await air.sees(lambda view: view["seats"][2]["photo"] is not None)
        address = air.view["seats"][2]["photo"]
        assert address == shown["players"][2]["photo"]
        async with client.get(service.address + address) as answer:
            body = await answer.read()
        assert Image.open(io.BytesIO(body)).size == PORTRAIT
        kept = [path.read_bytes() for path in chosen.uploads.rglob("*.jpg")]
        assert len(kept) == 1
        assert SECRET not in kept[0] + body

        # Another one in its place, and then none.
        await producer.player("Ёж", snapped(colour="#2040c0"))
        await air.sees(lambda view: view["seats"][2]["photo"] not in (None, address))
        assert len(list(chosen.uploads.rglob("*.jpg"))) == 1
        await producer.drop(what="player", name="ЁЖ")
        await air.sees(lambda view: view["seats"][2]["photo"] is None)
        assert list(chosen.uploads.rglob("*.jpg")) == []
        assert (await producer.drop(what="player", name="Ёж"))[1]["refusal"]["code"] == "picture_gone"


async def test_the_logo_and_the_sponsors_are_worn_by_every_look_and_outlive_a_restart(
    chosen: Settings, pages: Path
) -> None:
    wide = Image.new("RGBA", (3000, 900), "#00000000")
    wide.paste("#ffffff", (500, 200, 2500, 700))
    out = io.BytesIO()
    wide.save(out, "PNG")
    async with (
        running(chosen, pages=pages) as service,
        Page(service.address, token(service, Scope.AIR)) as air,
        ClientSession() as client,
    ):
        producer = Poster(service, client, Scope.PRODUCER)
        await producer("logo", out.getvalue())
        await producer("sponsor", snapped((300, 100), "#123456", "PNG"))
        _, shown = await producer("sponsor", snapped((200, 100), "#654321", "WEBP"))
        await air.until(lambda: len({frame for frame in air.frames if '42["look"' in frame}) >= 3)
        for look in ("/theme.json", "/theme/light.json"):
            async with client.get(service.address + look) as answer:
                theme = await answer.json()
            assert (theme["logo"], theme["sponsors"]) == (shown["logo"], shown["sponsors"])
        async with client.get(service.address + shown["logo"]) as answer:
            assert answer.content_type == "image/png"
            assert Image.open(io.BytesIO(await answer.read())).size == (1600, 400), "cut to what can be seen"
        _, shown = await producer.drop(what="sponsor", place=1)
        assert len(shown["sponsors"]) == 1
    async with running(chosen, pages=pages) as service, ClientSession() as client:
        async with client.get(service.address + "/theme.json") as answer:
            theme = await answer.json()
        assert (theme["logo"], theme["sponsors"]) == (shown["logo"], shown["sponsors"])
        secretary = Poster(service, client, Scope.OFFICE)
        _, shown = await secretary.drop(what="logo")
        assert shown["logo"] is None


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("player", b"no picture", "picture_unreadable"),
        ("player", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "picture_unreadable"),
        ("player", snapped()[:300], "picture_unreadable"),
        ("player", b"", "picture_unreadable"),
        ("player", snapped((100, 400)), "picture_too_small"),
        ("player", b"\0" * (LARGEST_BODY + 1), "picture_too_large"),
        ("logo", snapped((30, 300)), "picture_too_small"),
        ("logo", snapped((300, 300), "#00000000", "PNG"), "picture_too_small"),
        ("sponsor", b"GIF89a", "picture_unreadable"),
    ],
)
async def test_what_cannot_be_taken_is_a_sentence_and_nothing_is_kept(
    chosen: Settings, pages: Path, path: str, body: bytes, code: str
) -> None:
    async with running(chosen, pages=pages) as service, ClientSession() as client:
        status, said = await Poster(service, client, Scope.PRODUCER)(f"{path}?lang=en", body, Player=quote("Ёж"))
    assert (status, said["refusal"]["code"]) == (409, code)
    assert said["refusal"]["sentence"] == sentence(f"refusal.{code}", "en", **said["refusal"]["params"])
    assert list(chosen.uploads.rglob("*.*")) == []


@pytest.mark.parametrize("name", ["", "  ", "a\x07b", "a\0b", "Ж" * 81, "𝔐" * 70])
def test_a_name_that_no_player_has_is_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused) as refused:
        Uploads(tmp_path).put_player(name, snapped())
    assert refused.value.refusal.code in ("picture_no_name", "picture_long_name")


@pytest.mark.parametrize(
    "name", ["../../escape", "/etc/passwd", "100%", "a%2Fb", "..", ".hidden", "x.png", "Мисс «Ёж»"]
)
def test_any_name_stays_in_the_folder_and_is_found_again(tmp_path: Path, name: str) -> None:
    uploads = Uploads(tmp_path / "pictures")
    uploads.put_player(name, snapped())
    assert uploads.named() == [name]
    assert [path.parent for path in tmp_path.rglob("*.jpg")] == [uploads.players]
    folder = RosterFolder(tmp_path / "roster", uploads.players)
    folder.look()
    assert folder.roster.photo(name) is not None
    assert folder.roster.photo("b") is None


def test_a_picture_from_a_page_stands_before_the_folders_and_the_rosters(tmp_path: Path) -> None:
    (tmp_path / "roster").mkdir()
    for name, colour in (("Ёж", "#ff0000"), ("IMG", "#00ff00")):
        (tmp_path / "roster" / f"{name}.jpg").write_bytes(snapped(colour=colour))
    (tmp_path / "roster" / "roster.toml").write_text('[[player]]\nname = "Ёж"\npicture = "IMG.jpg"\n')
    uploads = Uploads(tmp_path / "pictures")
    folder = RosterFolder(tmp_path / "roster", uploads.players)
    folder.look()
    before = folder.roster.photo("Ёж")
    uploads.put_player("Ёж", snapped(colour="#0000ff"))
    assert folder.look()
    assert folder.roster.photo("Ёж") not in (None, before)
    uploads.drop_player("Ёж")
    folder.look()
    assert folder.roster.photo("Ёж") == before


def test_the_strip_has_an_end(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    for _ in range(MOST_SPONSORS):
        uploads.add_sponsor(snapped((60, 60)))
    with pytest.raises(Refused) as refused:
        uploads.add_sponsor(snapped((60, 60)))
    assert refused.value.refusal.params == {"most": MOST_SPONSORS}


async def test_nobody_else_may_and_no_page_of_another_site(chosen: Settings, pages: Path) -> None:
    async with running(chosen, pages=pages) as service, ClientSession() as client:
        for scope in (Scope.AIR, Scope.SPECTATOR, Scope.JUDGE):
            assert (await Poster(service, client, scope)("logo", snapped()))[0] == 403
            async with client.get(service.address + "/pictures", headers=headers(service, scope)) as answer:
                assert answer.status == 403
        for scope in (Scope.PRODUCER, Scope.OFFICE):
            poster = Poster(service, client, scope)
            for foreign in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
                assert (await poster("logo", snapped(), **foreign))[0] == 403
            assert (await poster("logo", snapped()))[0] == 200


async def test_a_picture_that_the_disk_does_not_take_is_said_and_the_log_has_no_name(
    service: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("controller.service.uploads.write_whole", full)
    async with ClientSession() as client:
        status, said = await Poster(service, client, Scope.PRODUCER).player("Клык", snapped())
    assert (status, said["refusal"]["code"]) == (409, "disk_full")
    assert "No space left" in caplog.text
    assert "Клык" not in caplog.text


PEAK = """
import resource, sys
from io import BytesIO
from controller.service.pictures import logo, portrait
body = BytesIO(sys.stdin.buffer.read())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
{make}(body)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
"""


@pytest.mark.parametrize("make", ["portrait", "logo"])
def test_the_largest_picture_leaves_memory_to_the_table(make: str) -> None:
    """What it is unpacked to and little more than once again: it was four times as much."""
    side = 4_900
    body = snapped((side, side), kind="PNG")
    done = subprocess.run([sys.executable, "-c", PEAK.format(make=make)], input=body, capture_output=True, check=True)
    assert int(done.stdout) < 2.4 * 4 * side * side
    with pytest.raises(ValueError, match="pixels"):
        portrait(io.BytesIO(snapped((5_100, 5_000), kind="PNG")))
