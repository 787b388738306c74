"""Set-up by command: the links that OBS gets, what is said where something is left to do, a name that is taken."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from controller.service.scenes_work import run_chapters, run_check, run_clips, run_collection, run_install
from scenes.client import ObsRefused
from scenes.install import install
from scenes.layout import Canvas, Scene


def config(folder: Path, text: str) -> Path:
    """A settings file, in English."""
    file = folder / "table.toml"
    file.write_text(f'[speech]\nlanguage = "en"\n{text}')
    return file


def links(folder: Path, text: str, lang: str | None = None) -> list[str]:
    """The addresses in the collection, without what stands behind."""
    out = folder / "scenes.json"
    run_collection(config(folder, text), folder / "data", lang, out=out, address=None, height=1080)
    sources = json.loads(out.read_text())["sources"]
    return sorted({url.rpartition("/")[0] for one in sources if (url := one["settings"].get("url"))})


def test_an_obs_on_another_machine_gets_links_that_it_can_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    found = links(tmp_path, '[obs]\nhost = "192.0.2.77"\n')
    if found == ["http://127.0.0.1:8666"]:
        pytest.skip("this machine has no network, so no address of its own")
    assert "127.0.0.1" not in found[0]
    assert "--host 0.0.0.0" in capsys.readouterr().out


def test_an_obs_on_this_machine_and_a_table_over_tls(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert links(tmp_path, '[obs]\nhost = "127.0.0.1"\n') == ["http://127.0.0.1:8666"]
    assert links(tmp_path, '[web]\ncertificate = "table.pem"\n') == ["https://127.0.0.1:8666"]
    assert "--host" not in capsys.readouterr().out


def test_the_file_with_the_link_is_for_its_owner_alone_also_where_it_was_there_before(tmp_path: Path):
    (tmp_path / "scenes.json").write_text("")
    (tmp_path / "scenes.json").chmod(0o644)
    links(tmp_path, "")
    assert stat.S_IMODE((tmp_path / "scenes.json").stat().st_mode) == 0o600


def test_names_that_the_table_does_not_look_for_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    links(tmp_path, "", "uk")
    assert "--lang uk" in capsys.readouterr().out
    links(tmp_path, "", "en")
    assert "--lang" not in capsys.readouterr().out


def test_a_setting_that_is_mistyped_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = config(tmp_path, '[obs]\nhots = "192.0.2.77"\n')
    assert run_install(file, tmp_path, None, address=None, again=False) == 1
    assert "obs.hots" in capsys.readouterr().err
    run_check(file, tmp_path, None)
    assert "obs.hots" in capsys.readouterr().err


def test_what_is_not_there_yet_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = config(tmp_path, "")
    run_chapters(file, tmp_path, None)
    assert "no chapters" in capsys.readouterr().err
    run_clips(file, tmp_path, None)
    assert "no replays" in capsys.readouterr().err


class Taken:
    """An OBS in which a source is called like a scene."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def call(self, name: str, /, **data: Any) -> dict[str, Any]:
        """Answers."""
        if name == "CreateScene":
            if data["sceneName"] == "Night":
                raise ObsRefused(name, 601, "A source already exists by that scene name.")
            self.made.append(data["sceneName"])
        empty: dict[str, Any] = {"currentSceneCollectionName": "Mine", "inputKinds": [], "inputs": [], "scenes": []}
        return {**empty, "transitions": []}


def test_a_name_that_a_source_has_is_told_and_the_other_scenes_are_made():
    obs = Taken()
    scenes = [Scene(name, ()) for name in ("Table", "Night", "Vote")]
    found = install(obs, scenes, Canvas())  # type: ignore[arg-type]
    assert obs.made == ["Table", "Vote"]
    assert [(row.code, row.ok) for row in found] == [("scene_made", True), ("name_taken", False), ("scene_made", True)]
