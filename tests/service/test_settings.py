"""Settings: defaults that work, a file that is read, and faults that warn and stop nothing."""

from pathlib import Path

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
    assert known.sources["web"].endswith("table.toml")
    assert known.faults == ()


def test_a_faulty_section_warns_and_the_others_are_read(tmp_path: Path) -> None:
    known = _read(tmp_path, '[web]\nport = "eighty"\n[speech]\nlanguage = "en"\n[sound]\nloud = true\n')
    assert known.web.port == 8666
    assert known.speech.language == "en"
    assert {fault.name for fault in known.faults} == {"web", "sound"}
    assert known.sources["web"] == "default"


def test_a_section_with_an_unknown_key_is_not_swallowed(tmp_path: Path) -> None:
    known = _read(tmp_path, "[web]\nprot = 80\n")
    assert [fault.name for fault in known.faults] == ["web"]
    assert "prot" in known.faults[0].why


def test_a_file_that_is_no_toml_is_one_warning(tmp_path: Path) -> None:
    known = _read(tmp_path, "this is no toml")
    assert len(known.faults) == 1
    assert known.web.port == 8666
