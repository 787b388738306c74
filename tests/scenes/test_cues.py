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
    "[[cue": ("unreadable", None),
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
    assert [fault.code for fault in sheet.faults] == ["unreadable"]
