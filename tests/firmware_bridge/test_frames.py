"""The frame code against other people's COBS and CRC, and against any bytes at all."""

from __future__ import annotations

from typing import Any

import pytest
from cobs import cobs
from crccheck.crc import Crc16CcittFalse
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import frames

U8, U32, U64 = st.integers(0, 0xFF), st.integers(0, 0xFFFFFFFF), st.integers(0, 2**64 - 1)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "u8": U8,
    "u32": U32,
    "u64": U64,
    "str": st.text("abz-1 жї\0", max_size=15),
    "edges": st.lists(st.tuples(st.integers(0, 127), st.booleans(), U32), min_size=1, max_size=frames.MOST_EDGES),
    "bytes": st.binary(max_size=200),
}


@st.composite
def messages(draw: st.DrawFn) -> frames.Message:
    """Any message of the table."""
    kind, _, _, fields = draw(st.sampled_from(frames.MESSAGES))
    return kind, draw(U8), draw(U32), [draw(VALUES[code]) for _, code in fields]


def wire(message: frames.Message) -> bytes:
    kind, number, boot, values = message
    return frames.pack(kind, number, boot, *values)


@given(st.binary(max_size=300))
def test_crc_agrees_with_crccheck(data: bytes):
    assert frames.crc16(data) == Crc16CcittFalse.calc(data)


@given(st.binary(max_size=800) | st.lists(st.sampled_from([b"\0", b"\1", b"x" * 253, b"y" * 254])).map(b"".join))
def test_cobs_agrees_with_cobs(data: bytes):
    stuffed = frames.cobs_encode(data)
    assert stuffed == cobs.encode(data)
    assert frames.cobs_decode(stuffed) == data


@given(st.binary(max_size=300))
def test_cobs_refuses_what_cobs_refuses(data: bytes):
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        expected = None
    assert frames.cobs_decode(data) == expected


@pytest.mark.parametrize("stuffed", [b"\0", b"\3\1\0", b"\5\1", b"\1\0\1"])
def test_what_cobs_cannot_have_made_is_refused(stuffed: bytes):
    assert frames.cobs_decode(stuffed) is None


@given(st.lists(messages(), max_size=6), st.data())
def test_every_message_comes_out_as_it_went_in_however_the_bytes_are_cut(
    sent: list[frames.Message], data: st.DataObject
):
    stream = b"".join(wire(message) for message in sent)
    decoder = frames.Decoder()
    heard: list[frames.Message] = []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        heard += decoder.feed(stream[:cut])
        stream = stream[cut:]
    assert heard == sent
    assert decoder.damaged == 0


@given(st.binary(max_size=400), messages())
def test_a_frame_after_any_bytes_is_heard(noise: bytes, message: frames.Message):
    decoder = frames.Decoder()
    assert decoder.feed(noise + wire(message))[-1] == message


@given(messages(), st.data())
def test_up_to_three_flipped_bits_in_a_body_are_always_noticed(message: frames.Message, data: st.DataObject):
    # A CRC-16 of this polynomial finds every error of up to three bits in a body this short.
    body = frames.cobs_decode(wire(message)[1:-1])
    assert body is not None
    flips = data.draw(st.sets(st.integers(0, len(body) * 8 - 1), min_size=1, max_size=3))
    hurt = bytearray(body)
    for flip in flips:
        hurt[flip >> 3] ^= 1 << (flip & 7)
    decoder = frames.Decoder()
    assert decoder.feed(frames.cobs_encode(bytes(hurt)) + b"\0") == []
    assert decoder.damaged == 1


@given(messages(), st.integers(1, 30))
def test_a_body_that_is_cut_short_or_goes_on_is_no_message(message: frames.Message, more: int):
    kind = message[0]
    body = frames.cobs_decode(wire(message)[1:-1])
    assert body is not None
    assert frames.unpack(body[:-2]) == message
    if kind not in (frames.EDGE, frames.LAMPS):  # those run to the end of the body, whatever its length
        assert frames.unpack(body[:-2] + bytes(more)) is None
        assert frames.unpack(body[:-3]) is None


def test_an_overlong_frame_is_dropped_without_being_kept():
    decoder = frames.Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\1" * 1000) == []
    assert len(decoder._part) <= frames.LONGEST + 1
    ping = (frames.PING, 1, 2, [3])
    assert decoder.feed(b"\0" + wire(ping)) == [ping]
    assert decoder.damaged == 1


def test_a_text_that_is_no_utf8_is_no_message():
    body = frames.cobs_decode(frames.pack(frames.IDENTITY, 0, 1, 1, 30, 1, 0, 1, 1, "t", "b", "xy")[1:-1])
    assert body is not None
    assert frames.unpack(body[:-4] + b"\xff\xfe") is None


def test_a_frame_that_is_too_long_is_not_sent():
    with pytest.raises(ValueError, match="240 at most"):
        frames.pack(frames.LAMPS, 0, 1, bytes(250))
