"""docs/wire.md says what the code does."""

import re
from pathlib import Path

from firmware_bridge import core, device, frames
from hardware.wiring import TEN_SEATS_AND_BOARD

PAGE = (Path(__file__).parents[2] / "docs" / "wire.md").read_text(encoding="utf-8")


def test_the_table_of_messages_is_the_codes_table():
    rows = re.findall(r"^\| ([0-9A-F]{2}) \| (\w+) \| (host|device) \| (.+) \|$", PAGE, re.MULTILINE)
    written = [
        (int(kind, 16), name, sender, tuple(tuple(field.split()) for field in fields.split(", ")))
        for kind, name, sender, fields in rows
    ]
    assert written == list(frames.MESSAGES)


def test_every_message_is_explained_under_its_sender():
    host, apart, devices = PAGE.partition("### The device says")
    assert apart
    for _, name, sender, _ in frames.MESSAGES:
        assert f"- **{name}** - " in (host if sender == "host" else devices)


def test_the_figures_on_the_page_are_the_codes_figures():
    for sentence in (
        f"Protocol version: **{frames.PROTOCOL}**",
        f"at most {frames.LONGEST} bytes",
        f"`123456789` gives {frames.crc16(b'123456789'):04X}",
        f"Every {core.HELLO_EVERY_NS // core.MILLISECOND} ms until answered",
        f"Every {core.PING_EVERY_AT_FIRST_NS // core.MILLISECOND} ms for the first "
        f"{core.FIRST_PINGS_NS // core.MILLISECOND // 1000} s of a connection, "
        f"then every {core.PING_EVERY_NS // core.MILLISECOND} ms",
        f"every {device.SENT_EVERY_MS} ms: every edge",
        f"held for {device.QUIET_MS} ms",
        f"longer than {device.CHATTER_MS} ms is *chattering*",
        f"closed for {device.LONGEST_MS // 1000} s is reported",
        f"At most {device.WINDOW} are on their way",
        f"acknowledged for {device.RESEND_MS} ms",
        f"doubles to {device.SLOWEST_RESEND_MS // 1000} s at most",
        f"silence of the host of {device.HOST_SILENT_MS // 1000} s",
        f"Without a valid frame for {core.SILENCE_NS // core.MILLISECOND // 1000} s",
    ):
        assert sentence in PAGE, sentence


def test_the_wiring_on_the_page_is_the_default_wiring():
    names = re.search(r"10 to 18 are ([^;]+);", PAGE)
    assert names
    assert tuple(names[1].split(", ")) == TEN_SEATS_AND_BOARD[10:19]
    assert TEN_SEATS_AND_BOARD[19] == "board 1"
    assert len(TEN_SEATS_AND_BOARD) - 1 == 28


def test_the_example_on_the_page_is_what_the_code_sends():
    wire = re.search(r"^    wire   ([0-9A-F ]+)$", PAGE, re.MULTILINE)
    body = re.search(r"^    body   ([0-9A-F ]+)$", PAGE, re.MULTILINE)
    assert wire
    assert body
    assert bytes.fromhex(wire[1]) == frames.pack(frames.PING, 5, 0x11223344, 1)
    assert frames.cobs_decode(bytes.fromhex(wire[1])[1:-1]) == bytes.fromhex(body[1])
