"""Players' pictures: cut, freed of what a camera writes, served under addresses that tell nothing, changed in play."""

import io
from pathlib import Path

import pytest
from aiohttp import ClientSession
from PIL import Image

from controller.catalogue import sentence
from controller.service.access import Scope
from controller.service.pictures import PORTRAIT, portrait
from controller.service.roster import RosterFolder
from controller.service.running import running
from controller.service.settings import Settings
from controller.table.wishes import SetUp, Wish
from tests.service.judge import token
from tests.service.page import Page
from tests.service.waiting import comes_true

SECRET = b"52.5163N 13.3777E"


def snap(path: Path, size: tuple[int, int] = (600, 900), colour: str = "#c03020", *, turned: bool = False) -> None:
    """A picture as a camera writes it, with a place in it."""
    picture = Image.new("RGB", size, colour)
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    if turned:
        exif[0x0112] = 6
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, exif=exif)


def test_a_picture_named_like_the_player_needs_no_file(tmp_path: Path) -> None:
    snap(tmp_path / "Северная Пальмира.jpg")
    folder = RosterFolder(tmp_path)
    assert folder.look()
    address = folder.roster.photo("северная  пальмира ")
    assert address is not None
    assert "альмира" not in address
    assert folder.picture(address.removeprefix("/photos/")) is not None
    assert folder.roster.photo("Клык") is None
    assert not folder.look(), "nothing has changed"


def test_a_picture_that_cannot_be_taken_is_told_to_the_judge_and_the_log_has_no_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "Северная Пальмира.jpg").write_bytes(b"no picture")
    (tmp_path / "roster.toml").write_text('[[player]]\nname = "Клык"\npicture = "klyk.jpg"\n')
    folder = RosterFolder(tmp_path)
    folder.look()
    told = [sentence(note.code, "ru", **note.params) for note in folder.notes()]
    assert any("Северная Пальмира" in text for text in told)
    assert any("Клык" in text for text in told)
    assert "roster" in caplog.text
    assert not [word for word in ("Пальмира", "Клык", "klyk") if word in caplog.text]


@pytest.mark.parametrize("size", [(600, 900), (900, 600), (80, 2000), (2000, 80), (656, 712), (5, 5)])
@pytest.mark.parametrize("face", [None, (0.5, 0.3), (0.0, 0.0), (1.0, 1.0)])
def test_any_crop_becomes_the_cards_form(tmp_path: Path, size: tuple[int, int], face: tuple[float, float]) -> None:
    snap(tmp_path / "a.png", size)
    made = Image.open(io.BytesIO(portrait(tmp_path / "a.png", face)))
    assert (made.size, made.format, made.mode) == (PORTRAIT, "JPEG", "RGB")


def test_the_face_comes_where_the_card_wants_it(tmp_path: Path) -> None:
    picture = Image.new("RGB", (2000, 1000), "#000000")
    picture.paste("#ffffff", (1480, 300, 1520, 340))
    picture.save(tmp_path / "a.png")
    made = Image.open(io.BytesIO(portrait(tmp_path / "a.png", (0.75, 0.32)))).convert("L")
    white = made.point([0] * 128 + [255] * 128).getbbox()
    assert white is not None
    assert (white[0] + white[2]) / 2 == pytest.approx(PORTRAIT[0] / 2, abs=6)


def test_nothing_that_a_camera_wrote_leaves_the_machine_and_a_turned_picture_stands_upright(tmp_path: Path) -> None:
    picture = Image.new("RGB", (900, 600), "#ffffff")
    picture.paste("#000000", (0, 0, 200, 600))
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, SECRET.decode()
    picture.save(tmp_path / "a.jpg", exif=exif)
    assert SECRET in (tmp_path / "a.jpg").read_bytes()
    body = portrait(tmp_path / "a.jpg")
    assert SECRET not in body
    made = Image.open(io.BytesIO(body))
    assert not made.getexif()
    assert made.convert("L").getpixel((PORTRAIT[0] // 2, 20)) == pytest.approx(0, abs=12)


def test_what_is_no_picture_is_a_sentence_and_the_others_are_taken(tmp_path: Path) -> None:
    snap(tmp_path / "Ёж.jpg")
    (tmp_path / "Клык.jpg").write_bytes(b"no picture")
    (tmp_path / "Тень.png").write_bytes((tmp_path / "Ёж.jpg").read_bytes()[:300])
    folder = RosterFolder(tmp_path)
    folder.look()
    assert folder.roster.photo("Ёж") is not None
    assert [fault.code for fault in folder.roster.faults] == ["bad_picture", "bad_picture"]
    for language in ("ru", "uk", "en"):
        assert all("jpg" in sentence(f"roster.{f.code}", language, **f.params) for f in folder.roster.faults[:1])


def test_a_wrong_file_leaves_what_was_known(tmp_path: Path) -> None:
    (tmp_path / "roster.toml").write_text(
        '[[player]]\nname = "Ёж"\nfacts = ["Без фолов с весны"]\n[[game]]\ngame = 4\nplayers = ["Ёж"]\n'
    )
    folder = RosterFolder(tmp_path)
    folder.look()
    assert folder.roster.facts_of("ёж") == ("Без фолов с весны",)
    for wrong in ("[[player]]\nname = 5\n", "[[player\n", '[[player]]\nname = "Ёж"\nfactz = []\n'):
        (tmp_path / "roster.toml").write_text(wrong)
        assert folder.look()
        assert [fault.code for fault in folder.roster.faults] == ["bad_file"]
        assert folder.roster.facts_of("ёж") == ("Без фолов с весны",)
        assert [game.game for game in folder.roster.games] == [4]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    snap(tmp_path / "elsewhere" / "a.jpg")
    (tmp_path / "roster").mkdir()
    (tmp_path / "roster" / "Ёж.jpg").symlink_to(tmp_path / "elsewhere" / "a.jpg")
    (tmp_path / "roster" / "roster.toml").write_text('[[player]]\nname = "Клык"\npicture = "../elsewhere/a.jpg"\n')
    folder = RosterFolder(tmp_path / "roster")
    folder.look()
    assert folder.roster.addresses == {}


async def test_names_and_pictures_change_with_the_roster_and_with_the_players(chosen: Settings, pages: Path) -> None:
    snap(chosen.roster / "Ёж.jpg")
    snap(chosen.roster / "Новичок.jpg", colour="#2040c0")
    async with (
        running(chosen, pages=pages) as service,
        Page(service.address, token(service, Scope.AIR)) as air,
        Page(service.address, token(service, Scope.JUDGE)) as tablet,
        Page(service.address, None) as hall,
        ClientSession() as client,
    ):
        third = air.view["seats"][2]
        assert (third["name"], tablet.view["seats"][2]["photo"]) == ("Ёж", third["photo"])
        async with client.get(service.address + third["photo"]) as answer:
            body = await answer.read()
            assert (answer.status, answer.content_type) == (200, "image/jpeg")
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        async with client.get(service.address + "/photos/roster.toml") as answer:
            assert answer.status == 404

        # Another player sits down.
        header, names = service.table.snapshot.header, list(service.table.snapshot.names)
        names[2] = "Новичок"
        await service.table.submit(Wish(id="seats", command=SetUp(header, tuple(names))))
        await air.sees(lambda view: view["seats"][2]["name"] == "Новичок")
        newcomer = air.view["seats"][2]["photo"]
        assert newcomer not in (None, third["photo"])

        # The same player brings another picture.
        snap(chosen.roster / "Новичок.jpg", colour="#20c040")
        await air.sees(lambda view: view["seats"][2]["photo"] not in (newcomer, None))
        async with client.get(service.address + air.view["seats"][2]["photo"]) as answer:
            assert await answer.read() != body
        await comes_true(lambda: len(service.broadcast.screens) == 3)
        assert not any("/photos/" in frame for frame in hall.frames)
