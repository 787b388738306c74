"""The cue sheet: what can be said in it, and that whatever is wrong is a sentence with the nearest word."""

from pathlib import Path

import pytest

from controller.catalogue import LANGUAGES
from scenes.cues import Sheet, cue_sheet


def sheet_of(folder: Path, text: str) -> Sheet:
    """The sheet that `text` is laid over the house's own."""
    file = folder / "cues.toml"
    file.write_text(text, encoding="utf-8")
    return cue_sheet(file, "en")


def test_a_cue_takes_the_place_of_the_houses_own_and_the_others_stay(tmp_path: Path):
    text = """
        [scenes]
        left = "Camera left"
        [cameras]
        1-3 = "left"
        7 = "table"
        [[cue]]
        on = "speech"
        scene = "left"
        show = ["Plate", "table/Logo", "Some scene/Thing"]
        filters_on = ["Camera/Blur"]
        texts = { Plate = "{seat}. {name}" }
    """
    sheet = sheet_of(tmp_path, text)
    assert sheet.faults == ()
    assert sheet.cameras == {1: "left", 2: "left", 3: "left", 7: "table"}
    assert sheet.cues["speech"].show == (("Camera left", "Plate"), ("Table", "Logo"), ("Some scene", "Thing"))
    assert sheet.cues["speech"].filters_on == (("Camera", "Blur"),)
    assert sheet.cues["night"].scene == "night"


def test_the_houses_own_cues_can_be_left_out(tmp_path: Path):
    sheet = sheet_of(tmp_path, 'defaults = false\n[[cue]]\non = "night"\nscene = "night"\n')
    assert list(sheet.cues) == ["night"]


FAULTY = {
    '[[cue]]\non = "speach"': ("unknown_happening", "speech"),
    '[[cue]]\nscene = "table"': ("no_happening", None),
    '[[cue]]\non = "night"\nscene = "nihgt"': ("unknown_scene", "night"),
    '[[cue]]\non = "night"\nscen = "night"': ("unknown_key", "scene"),
    '[[cue]]\non = "night"\nafter = "soon"': ("wrong_kind", None),
    '[[cue]]\non = "night"\nafter = true': ("wrong_kind", None),
    '[[cue]]\non = "night"\nduration = -1': ("wrong_kind", None),
    '[[cue]]\non = "night"\nfor = 3': ("lasts_itself", None),
    '[[cue]]\non = "shot"\nscene = "table"': ("secret", None),
    '[[cue]]\non = "checked"\ntransition = "Cut"': ("secret", None),
    '[[cue]]\non = "best_move"\ncamera = true': ("secret", None),
    '[[cue]]\non = "missed"\nduration = 100': ("secret", None),
    '[[cue]]\non = "night"\nshow = ["Moon"]': ("source_nowhere", None),
    '[[cue]]\non = "night"\nfilters_on = ["Blur"]': ("filter_nowhere", None),
    '[[cue]]\non = "foul"\ntexts = { A = "{nam}" }': ("unknown_place", "name"),
    '[[cue]]\non = "foul"\ntexts = { A = "{role}" }': ("unknown_place", None),
    '[[cue]]\non = "night"\n[[cue]]\non = "night"': ("twice", None),
    "[shot]\nminimum = 1": ("unknown_key", "shots"),
    '[shots]\nminimum = "1"': ("wrong_kind", None),
    'shots = "fast"': ("wrong_kind", None),
    '[cameras]\n21 = "table"': ("no_seat", None),
    '[cameras]\n3-1 = "table"': ("no_seat", None),
    '[cameras]\n1 = "tabel"': ("unknown_scene", "table"),
    '[recording]\nreplays = ["vote_resut"]': ("unknown_happening", "vote_result"),
    "cue = 3": ("wrong_kind", None),
    "cue = [3]": ("wrong_kind", None),
    "[[cue": ("not_toml", None),
}


@pytest.mark.parametrize("text", FAULTY)
def test_what_is_wrong_is_a_sentence_and_the_rest_works(tmp_path: Path, text: str):
    code, near = FAULTY[text]
    sheet = sheet_of(tmp_path, text)
    assert [fault.code for fault in sheet.faults] == [code]
    if near is not None:
        assert sheet.faults[0].params["nearest"] == near
    for language in LANGUAGES:
        assert sheet.faults[0].said(language)
    assert sheet.cues["voting"].scene == "vote"
    assert sheet.cues["night"].scene in (None, "night")


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    sheet = cue_sheet(tmp_path / "none.toml", "en")
    assert [fault.code for fault in sheet.faults] == ["no_file"]


LINES = """\
# a table of one's own
[scenes]
left = "Camera left"
right = 5

[cameras]
1-3 = "left"
4-x = "left"

[shots]
minimun = 3

[[cue]]
on = "night"
after = 1

[[cue]]
texts = { A = "{seet}" }
on = "foul"

[[cue]]
on = "checked"
scene = "table"
"""


def test_what_is_wrong_is_said_with_its_line(tmp_path: Path):
    found = [(fault.place, fault.code) for fault in sheet_of(tmp_path, LINES).faults]
    assert found == [
        ("cues.toml:4", "wrong_kind"),
        ("cues.toml:11", "unknown_key"),
        ("cues.toml:8", "no_seat"),
        ("cues.toml:18", "unknown_place"),
        ("cues.toml:21", "secret"),
    ]
    assert sheet_of(tmp_path, LINES).faults[0].said("en").startswith("cues.toml:4: [scenes]")
    broken = sheet_of(tmp_path, "[scenes]\nleft =\n").faults[0]
    assert broken.params["line"] == 2


def test_a_sheet_that_an_editor_marked_as_utf_8_or_saved_otherwise(tmp_path: Path):
    file = tmp_path / "cues.toml"
    file.write_bytes('\ufeff[scenes]\nleft = "Слева"\n'.encode())
    assert cue_sheet(file, "en").faults == ()
    file.write_bytes('[scenes]\nleft = "Слева"\n'.encode("cp1251"))
    assert [fault.code for fault in cue_sheet(file, "en").faults] == ["not_text"]
