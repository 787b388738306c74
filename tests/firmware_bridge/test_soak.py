"""Ten million bytes of nonsense into both ends of the link: nothing breaks, nothing is invented, nothing is kept."""

import random
from collections.abc import Iterator

import pytest

from firmware_bridge import frames
from firmware_bridge.core import LinkCore
from firmware_bridge.device import Device
from tests.firmware_bridge.bench import MS, SECOND, Bench

pytestmark = pytest.mark.soak

BYTES = 10_000_000
HOST_SAYS = (
    frames.pack(frames.HELLO, 1, 0, frames.PROTOCOL),
    frames.pack(frames.PING, 2, 77, 5),
    frames.pack(frames.ACK, 3, 77, 1),
    frames.pack(frames.LAMPS, 4, 77, bytes(8)),
)
DEVICE_SAYS = (
    frames.pack(frames.IDENTITY, 1, 77, 1, 30, 1_000_000, 5, 1, 29, "table", "soak", "soak-1"),
    frames.pack(frames.PONG, 2, 77, 5, 6),
    frames.pack(frames.EDGE, 3, 77, 1, [(3, True, 7)]),
    frames.pack(frames.SENT, 4, 77, 8, 1, 1),
    frames.pack(frames.STUCK, 5, 77, 1, 2, 4),
    frames.pack(frames.FAULT, 6, 0, "soak", "soak-1", "text"),
)


def nonsense(chance: random.Random, genuine: tuple[bytes, ...]) -> Iterator[bytes]:
    """Yield pieces of ten million bytes: noise, zeros, long runs, and genuine frames with bytes hurt or gone."""
    left = BYTES
    while left > 0:
        match chance.randrange(4):
            case 0:
                piece = chance.randbytes(chance.randrange(1, 2000))
            case 1:
                piece = bytes([chance.randrange(3)]) * chance.randrange(1, 600)
            case 2:
                hurt = bytearray(chance.choice(genuine))
                for _ in range(chance.randrange(1, 4)):
                    hurt[chance.randrange(1, len(hurt) - 1)] ^= 1 << chance.randrange(8)
                piece = bytes(hurt)
            case _:
                frame = chance.choice(genuine)
                cut = chance.randrange(1, len(frame) - 1)
                piece = b"\0" + frame[:cut] + frame[cut + 1 :] + b"\0"
        left -= len(piece)
        yield piece


@pytest.mark.timeout(1800)
def test_the_host_survives_ten_million_bytes_and_hears_the_device_after_them():
    chance = random.Random(1)
    core = LinkCore()
    core.opened("noise", SECOND)
    now = SECOND
    for piece in nonsense(chance, DEVICE_SAYS):
        now += MS
        assert core.receive(piece, now) == []
        core.advance(now)
        assert len(core.take()) < 4096
        assert len(core._decoder._part) <= frames.LONGEST + 1
    # A CRC-16 lets one in 65,536 hurt frames through; an edge alone would need a handshake before it as well.
    assert core.status.damaged_frames > 10_000
    bench = Bench(core=core)
    bench.now = now
    bench.boot()
    core.opened("bench", now)
    bench.advance(2)
    bench.put("seat 4", True)
    bench.advance(0.5)
    assert bench.signals() == [("seat 4", True)]


@pytest.mark.timeout(1800)
def test_the_device_survives_ten_million_bytes_and_answers_after_them():
    chance = random.Random(2)
    device = Device("table", "soak", "soak-1", 77, [False] * 29, 0)
    tick = 0
    for piece in nonsense(chance, HOST_SAYS):
        tick = (tick + 1000) % (1 << 30)
        device.receive(piece, tick)
        device.advance(tick)
        assert len(device.take()) < 4096
    decoder = frames.Decoder()
    device.receive(b"\0" + HOST_SAYS[0], tick)
    assert frames.IDENTITY in [message[0] for message in decoder.feed(device.take())]


@pytest.mark.timeout(1800)
def test_a_decoder_gives_every_genuine_frame_between_the_nonsense():
    chance = random.Random(3)
    decoder = frames.Decoder()
    heard = 0
    for number, piece in enumerate(nonsense(chance, DEVICE_SAYS)):
        decoder.feed(piece)
        genuine = frames.pack(frames.PONG, number, 99, number, 7)
        messages = decoder.feed(b"\0" + genuine)
        assert messages[-1] == (frames.PONG, number & 0xFF, 99, [number, 7])
        heard += 1
    assert heard > 10_000
