"""Looks: three ship, an event writes its own, and a file that is wrong is a sentence."""

from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import ClientSession

from controller.catalogue import sentence
from controller.service.running import running
from controller.service.settings import Settings, Show
from controller.service.themes import Looks, WrongTheme, contrast, look, shipped

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc0"
    "000003010100c9fe92ef0000000049454e44ae426082"
)


def test_three_looks_ship_and_each_can_be_read() -> None:
    assert shipped() == ("club", "dark", "light")
    for name in shipped():
        theme = look(name).theme
        assert theme.name
        for colours in (theme.colours, {**theme.colours, **theme.night}):
            for text, plane in (("paper", "ink"), ("mute", "ink2"), ("ink", "paper"), ("on-acc", "acc")):
                assert contrast(colours[text], colours[plane]) >= 4.5
            assert all(contrast(colours[f"on-{role}"], colours[role]) >= 4.5 for role in ("civ", "maf", "don", "she"))


def test_contrast_is_the_standards() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_an_events_own_file_says_only_what_differs(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(PIXEL)
    (tmp_path / "cup.toml").write_text(
        'name = "Cup"\n[colours]\nacc = "#ffb000"\nacc_line = "#ffb000"\n[logos]\nevent = "logo.png"\n'
        'sponsors = ["logo.png"]\n[safe]\nx = 40\ny = 30\n[lower_third]\nside = "right"\n'
    )
    found = look(str(tmp_path / "cup.toml"))
    assert (found.theme.colours["acc"], found.theme.colours["ink"]) == ("#ffb000", "#12161d")
    assert (found.theme.safe_x, found.theme.side) == (40, "right")
    assert found.theme.logo in {f"/theme/{name}" for name in found.files}


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ('[colours]\nink = "black"\n', "wrong_field", "colours.ink"),
        ("[colors]\n", "wrong_field", "colors"),
        ('[night]\nsky = "#000000"\n', "wrong_field", "sky"),
        ('[colours]\nmute = "#3a3a3a"\n', "pale", "mute"),
        ('[night]\nacc_line = "#202020"\n', "pale", "acc_line"),
        ('[logos]\nevent = "nothing.png"\n', "no_file", "nothing.png"),
        ('[logos]\nevent = "../../secret.png"\n', "outside", "secret.png"),
        ('[logos]\nevent = "cup.toml"\n', "wrong_kind", "cup.toml"),
        ("[safe]\nx = 900\n", "wrong_field", "safe.x"),
        ("name = \n", "unreadable", "cup.toml"),
    ],
)
def test_a_wrong_file_is_a_sentence_that_says_where(tmp_path: Path, text: str, code: str, named: str) -> None:
    (tmp_path / "cup.toml").write_text(text)
    with pytest.raises(WrongTheme) as wrong:
        look(str(tmp_path / "cup.toml"))
    assert wrong.value.code == code
    for language in ("ru", "uk", "en"):
        assert named in sentence(f"theme.{code}", language, **wrong.value.params)


def test_an_unknown_name_names_those_there_are() -> None:
    looks = Looks("neon")
    assert looks.fault is not None
    assert "club, dark, light" in sentence(f"theme.{looks.fault.code}", "en", **looks.fault.params)
    theme = looks.theme()
    assert theme is not None
    assert theme.colours["ink"] == "#12161d"


def test_a_file_that_goes_wrong_leaves_what_was_shown_until_it_is_right_again(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('[colours]\nacc = "#ffb000"\n')
    looks = Looks(str(file))
    file.write_text('[colours]\nacc = "#ff"\n')
    before = looks.theme()
    assert before is not None
    assert before.colours["acc"] == "#ffb000"
    assert looks.fault is not None
    file.write_text('[colours]\nacc = "#ffc040"\n')
    after = looks.theme()
    assert after is not None
    assert (after.colours["acc"], looks.fault) == ("#ffc040", None)


async def test_the_service_serves_the_look_its_files_and_those_that_ship(
    chosen: Settings, pages: Path, tmp_path: Path
) -> None:
    (tmp_path / "logo.png").write_bytes(PIXEL)
    (tmp_path / "cup.toml").write_text('[logos]\nevent = "logo.png"\n')
    settings = replace(chosen, show=Show(theme=str(tmp_path / "cup.toml")))
    async with running(settings, pages=pages) as service, ClientSession() as client:
        async with client.get(service.address + "/theme.json") as answer:
            theme = await answer.json()
        async with client.get(service.address + theme["logo"]) as answer:
            assert (answer.status, answer.content_type, await answer.read()) == (200, "image/png", PIXEL)
        async with client.get(service.address + "/theme/light.json") as answer:
            assert (await answer.json())["name"] == "Light studio"
        for nothing in ("/theme/neon.json", "/theme/secret.txt", "/theme/..%2fsecret.txt"):
            async with client.get(service.address + nothing) as answer:
                assert answer.status == 404
