"""Settings: defaults that work, a file that is read, and faults that warn and stop nothing."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.service.command_line import app
from controller.service.settings import Settings, settings


def _read(folder: Path, text: str) -> Settings:
    file = folder / "table.toml"
    file.write_text(text, encoding="utf-8")
    return settings(file)


def test_without_a_file_everything_has_a_default(tmp_path: Path) -> None:
    known = settings(tmp_path / "none.toml", tmp_path / "data")
    assert (known.web.host, known.game.ruleset, known.speech.language) == ("127.0.0.1", "fiim", "ru")
    assert known.data == tmp_path / "data"
    assert known.faults == ()
    assert known.sources["data"] == "--data"


def test_a_file_says_what_it_says(tmp_path: Path) -> None:
    known = _read(
        tmp_path,
        'data = "~/tables/one"\n[web]\nhost = "0.0.0.0"\nport = 80\n[speech]\nlanguage = "uk"\n'
        '[devices]\nports = ["/dev/ttyACM7"]\n[game]\nnames = ["Ёж"]\n',
    )
    assert (known.web.host, known.web.port, known.speech.language) == ("0.0.0.0", 80, "uk")
    assert known.devices.ports == ("/dev/ttyACM7",)
    assert known.game.names == ("Ёж",)
    assert known.data == Path("~/tables/one").expanduser()
    assert known.sources["web.port"].endswith("table.toml")
    assert known.faults == ()


def test_a_faulty_value_warns_and_the_others_of_its_section_are_read(tmp_path: Path) -> None:
    known = _read(tmp_path, '[web]\nport = "eighty"\nhost = "0.0.0.0"\n[speech]\nlanguage = "en"\n[souns]\nx = 1\n')
    assert (known.web.port, known.web.host) == (8666, "0.0.0.0")
    assert known.speech.language == "en"
    assert [fault.name for fault in known.faults] == ["web.port", "souns"]
    assert (known.sources["web.port"], known.sources["web.host"]) == ("default", str(tmp_path / "table.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[web]\nprot = 80\n", "There is no setting web.prot; port is like it."),
        ("[speach]\nlanguage = 'en'\n", "There is no setting speach; speech is like it."),
        ("[web]\nport = 70000\n", "Setting web.port is a number from 0 to 65535."),
        ("[speech]\nlanguage = 'de'\n", "Setting speech.language is one of: en, ru, uk."),
        ("[game]\nnames = 'Ёж'\n", "Setting game.names is a list in square brackets"),
        ("[web]\nhost = 1\n", "Setting web.host is a text in quotation marks."),
        ("[devices]\ndevice = 1\n", "Setting devices.device is a text in quotation marks."),
        ("[[devices.also]]\nwirng = 'pico'\n", "There is no setting devices.also[1].wirng; wiring is like it."),
        ("[devices]\nalso = 'pico'\n", "Setting devices.also is sections: write [[devices.also]]"),
        ("web = 8\n", "Setting web is a section: write [web]"),
        ("data = 8\n", "Setting data is a text in quotation marks."),
        ("[web]\nport = \n", "table.toml, line 2, column 8: this is no TOML."),
    ],
)
def test_a_fault_says_what_is_wrong_where_and_what_there_is(tmp_path: Path, text: str, said: str) -> None:
    [fault] = _read(tmp_path, text).faults
    assert said in fault.sentence("en")
    for language in ("ru", "uk"):
        assert "…" not in fault.sentence(language).replace('"…"', "")


def test_a_file_that_is_no_text_is_one_warning(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes(b"\xff\xfe\x00[web]")
    [fault] = settings(tmp_path / "table.toml").faults
    assert "UTF-8" in fault.sentence("en")


def test_doctor_names_every_value_and_hides_none_that_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text('[game]\nruleset = "xx"\nnames = ["Ёж", "Уж"]\n', encoding="utf-8")
    asked = ["doctor", "--config", str(tmp_path / "table.toml"), "--data", str(tmp_path), "--port", "0", "--lang", "en"]
    told = CliRunner().invoke(app, asked)
    lines = told.stdout.splitlines()
    assert told.exit_code == 1
    assert f"+ game.names = Ёж, Уж: {tmp_path / 'table.toml'}" in lines
    assert "+ web.host = 127.0.0.1: default" in lines
    assert "+ web.port = 0: --port" in lines
    assert "+ speech.language = en: --lang" in lines
    assert any(line.startswith('! There is no ruleset "xx"') for line in lines)
