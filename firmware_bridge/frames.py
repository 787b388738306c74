# pyright: basic
"""The wire: COBS frames, CRC-16 and every message, in MicroPython's subset. Both sides run this same file.

docs/wire.md says the same in prose; a test keeps the two alike.
"""

import struct

PROTOCOL = 1

HELLO = 0x01
PING = 0x02
ACK = 0x03
LAMPS = 0x04
IDENTITY = 0x81
PONG = 0x82
EDGE = 0x83
SENT = 0x84
STUCK = 0x85
FAULT = 0x86

# type, name, sender, ((field, code), ...). Integers are little-endian. A "str" is a length byte and UTF-8;
# "edges" and "bytes" run to the end of the frame.
MESSAGES = (
    (HELLO, "HELLO", "host", (("protocol", "u8"),)),
    (PING, "PING", "host", (("token", "u32"),)),
    (ACK, "ACK", "host", (("seq", "u32"),)),
    (LAMPS, "LAMPS", "host", (("states", "bytes"),)),
    (
        IDENTITY,
        "IDENTITY",
        "device",
        (
            ("protocol", "u8"),
            ("tick_bits", "u8"),
            ("ticks_per_second", "u32"),
            ("tick", "u32"),
            ("first", "u32"),
            ("inputs", "u8"),
            ("kind", "str"),
            ("build", "str"),
            ("device", "str"),
        ),
    ),
    (PONG, "PONG", "device", (("token", "u32"), ("tick", "u32"))),
    (EDGE, "EDGE", "device", (("seq", "u32"), ("edges", "edges"))),
    (SENT, "SENT", "device", (("upto", "u32"), ("last", "u32"), ("first", "u32"))),
    (STUCK, "STUCK", "device", (("at_start", "u64"), ("too_long", "u64"), ("chattering", "u64"))),
    (FAULT, "FAULT", "device", (("build", "str"), ("device", "str"), ("text", "str"))),
)

LAMP_OFF = 0
LAMP_ON = 1
LAMP_BLINK = 2

MOST_INPUTS = 64
MOST_EDGES = 32  # in one EDGE: 4 + 32 * 5 bytes stay below LONGEST
LONGEST = 240  # bytes of a frame before COBS, its CRC included: one COBS block, and a small buffer on the device

_CLOSED = 0x80
_SIZES = {"u8": 1, "u32": 4, "u64": 8}
_FIELDS = {message[0]: message[3] for message in MESSAGES}

# CRC-16/CCITT-FALSE a nibble at a time: 16 entries are worth their memory on a microcontroller, 256 are not.
_CRC = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc16(data: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE of `data` (polynomial 0x1021, start 0xFFFF, not reflected, no final xor)."""
    crc = 0xFFFF
    for byte in data:
        crc = ((crc << 4) & 0xFFFF) ^ _CRC[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ _CRC[(crc >> 12) ^ (byte & 15)]
    return crc


def cobs_encode(data: bytes) -> bytes:
    """Return `data` stuffed so that no byte of it is zero (consistent overhead byte stuffing), no delimiter."""
    out = bytearray(1)
    code_at = 0
    code = 1
    for byte in data:
        if code == 255:
            out[code_at] = 255
            code_at = len(out)
            out.append(0)
            code = 1
        if byte:
            out.append(byte)
            code += 1
        else:
            out[code_at] = code
            code_at = len(out)
            out.append(0)
            code = 1
    out[code_at] = code
    return bytes(out)


def cobs_decode(data: bytes) -> bytes | None:
    """Return what `cobs_encode` was given, or None if `data` is no such stuffing."""
    out = bytearray()
    at = 0
    end = len(data)
    while at < end:
        code = data[at]
        if code == 0 or at + code > end:
            return None
        block = data[at + 1 : at + code]
        if 0 in block:
            return None
        out.extend(block)
        at += code
        if code < 255 and at < end:
            out.append(0)
    return bytes(out)


def pack(kind: int, number: int, boot: int, *values) -> bytes:
    """Return the frame of one message as it goes on the wire, delimiters included.

    `number` counts the sender's frames (modulo 256), `boot` is the device's boot id, `values` follow MESSAGES.
    """
    body = bytearray(struct.pack("<BBI", kind, number & 0xFF, boot))
    fields = _FIELDS[kind]
    for index in range(len(fields)):
        code = fields[index][1]
        value = values[index]
        if code in _SIZES:
            body.extend(value.to_bytes(_SIZES[code], "little"))
        elif code == "str":
            text = value.encode()
            body.append(len(text))
            body.extend(text)
        elif code == "edges":
            for source, closed, tick in value:
                body.append(source | (_CLOSED if closed else 0))
                body.extend(tick.to_bytes(4, "little"))
        else:
            body.extend(value)
    body.extend(struct.pack("<H", crc16(bytes(body))))
    if len(body) > LONGEST:
        raise ValueError("a frame of %d bytes: %d at most" % (len(body), LONGEST))
    return b"\0" + cobs_encode(bytes(body)) + b"\0"


def unpack(body: bytes):
    """Return `(kind, number, boot, values)` of a checked frame body, or None if it is no message of this protocol.

    A body that is longer or shorter than its message is none: a message never changes its shape, it gets a new type.
    """
    if len(body) < 6 or body[0] not in _FIELDS:
        return None
    kind, number, boot = struct.unpack("<BBI", body[:6])
    values = []
    at = 6
    for _, code in _FIELDS[kind]:
        if code in _SIZES:
            end = at + _SIZES[code]
            if end > len(body):
                return None
            values.append(int.from_bytes(body[at:end], "little"))
        elif code == "str":
            end = at + 1 + body[at] if at < len(body) else len(body) + 1
            if end > len(body):
                return None
            try:
                values.append(bytes(body[at + 1 : end]).decode())
            except ValueError:  # UnicodeError: MicroPython raises it too, as a ValueError
                return None
        elif code == "edges":
            end = len(body)
            if (end - at) % 5 or end == at:
                return None
            edges = []
            for start in range(at, end, 5):
                first = body[start]
                tick = int.from_bytes(body[start + 1 : start + 5], "little")
                edges.append((first & ~_CLOSED, bool(first & _CLOSED), tick))
            values.append(edges)
        else:
            end = len(body)
            values.append(bytes(body[at:]))
        at = end
    return (kind, number, boot, values) if at == len(body) else None


class Decoder:
    """Bytes in, messages out. Survives any bytes: what is no frame is counted in `damaged` and forgotten."""

    def __init__(self) -> None:
        self.damaged = 0
        self._part = bytearray()
        self._overlong = False

    def feed(self, data: bytes):
        """Return the messages that `data` completes, in order, each as `unpack` gives it."""
        messages = []
        pieces = bytes(data).split(b"\0")
        for index in range(len(pieces)):
            if index:
                message = self._end_of_frame()
                if message:
                    messages.append(message)
            self._part.extend(pieces[index])
            if len(self._part) > LONGEST + 1:
                self._part = bytearray()
                self._overlong = True
        return messages

    def _end_of_frame(self):
        part = bytes(self._part)
        overlong = self._overlong
        self._part = bytearray()
        self._overlong = False
        if not part and not overlong:
            return None
        body = cobs_decode(part)
        message = None
        if not overlong and body and len(body) > 2 and crc16(body[:-2]) == body[-2] | body[-1] << 8:
            message = unpack(body[:-2])
        if message is None:
            self.damaged += 1
        return message
