"""The protocol's shared vectors, declared once; `python -m tests.firmware_bridge.vectors` writes them.

The bytes are put together by hand (header, content, bitwise CRC, naive COBS), not by the code under test.
"""

from __future__ import annotations

import json
from pathlib import Path

PATH = Path(__file__).parents[1] / "data" / "protocol" / "vectors.json"


def crc(data: bytes) -> bytes:
    value = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            feedback = (value >> 15) ^ (byte >> bit & 1)
            value = (value << 1 & 0xFFFF) ^ (0x1021 if feedback else 0)
    return value.to_bytes(2, "big")


def cobs(raw: bytes) -> bytes:
    return b"".join(bytes([len(part) + 1]) + part for part in raw.split(b"\0"))


def wire(session: int, sequence: int, kind: int, payload: bytes, version: int = 1) -> bytes:
    head = bytes((version, session, sequence, kind))
    return cobs(head + payload + crc(head + payload)) + b"\0"


def good(
    name: str, kind: str, code: int, payload: bytes, fields: dict[str, object], sequence: int = 1
) -> dict:
    session = 0 if name == "welcome unasked" else 0x5A
    return {
        "name": name,
        "kind": kind,
        "code": code,
        "session": session,
        "sequence": sequence,
        "payload": payload.hex(),
        "fields": fields,
        "wire": wire(session, sequence, code, payload).hex(),
    }


def picture(colours: list[tuple[int, int, int]], brightness: int) -> tuple[bytes, dict[str, object]]:
    return bytes([brightness]) + b"".join(map(bytes, colours)), {"brightness": brightness, "colours": colours}


WELCOME = {
    "major": 1,
    "minor": 0,
    "patch": 0,
    "leds": 25,
    "layout": 1,
    "buttons": 4,
    "features": 3,
    "reset_cause": 1,
}
COUNTERS = (
    "malformed",
    "bad_crc",
    "too_long",
    "out_of_order",
    "no_session",
    "unknown",
    "repeated",
    "overruns",
)
STATUS = {"uptime": 65_536, **dict(zip(COUNTERS, range(1, 9))), "lost_presses": 65_535}


def declared_good() -> list[dict]:
    one, three = [(255, 0, 16)], [(255, 0, 0), (0, 255, 0), (0, 0, 255)]
    most = [((7 * n) % 256, (11 * n) % 256, (13 * n) % 256) for n in range(80)]
    welcome = bytes(v for v in WELCOME.values())  # type: ignore[misc]
    status = STATUS["uptime"].to_bytes(4, "big") + b"".join(
        v.to_bytes(2, "big") for n, v in STATUS.items() if n != "uptime"
    )
    return [
        good("hello", "Hello", 0x01, b"", {}, sequence=0),
        good("picture of one LED", "Picture", 0x02, *picture(one, 128)),
        good("picture of three LEDs", "Picture", 0x02, *picture(three, 255), sequence=2),
        good("picture of eighty LEDs, the most", "Picture", 0x02, *picture(most, 64), sequence=255),
        good("dark picture, all zeros", "Picture", 0x02, *picture([(0, 0, 0)] * 25, 0), sequence=3),
        good("beep", "Beep", 0x03, bytes.fromhex("03700096"), {"hertz": 880, "milliseconds": 150}),
        good("ping", "Ping", 0x04, b"", {}),
        good("heard", "Heard", 0x05, b"\x07", {"number": 7}),
        good("ack of a picture", "Ack", 0x80, b"\x02", {"kind": 2}),
        good("welcome", "Welcome", 0x81, welcome, WELCOME, sequence=0),
        good("welcome unasked", "Welcome", 0x81, welcome, WELCOME, sequence=0),
        good("button 2 down", "Press", 0x82, b"\x02\x01", {"button": 2, "pressed": 1}, sequence=7),
        good("status", "Status", 0x84, status, STATUS),
        good("refusal", "Refusal", 0x8F, b"\x02\x04\x09", {"kind": 2, "reason": 4, "expected": 9}),
    ]


def bad(name: str, sent: bytes, error: str, native: str) -> dict:
    return {"name": name, "wire": sent.hex(), "error": error, "native": native}


def declared_bad() -> list[dict]:
    hello = wire(0x5A, 0, 1, b"")
    flipped = bytearray(wire(0x5A, 1, 4, b""))
    flipped[2] ^= 0x10
    raw = bytes((1, 0x5A, 1, 4))
    return [
        bad("one bit flipped", bytes(flipped), "BadCrc", "BAD_CRC"),
        bad("CRC bytes swapped", cobs(raw + crc(raw)[::-1]) + b"\0", "BadCrc", "BAD_CRC"),
        bad("cut off before its end", hello[:4] + b"\0", "Malformed", "MALFORMED"),
        bad("too short for header and CRC", cobs(b"\x01\x02\x03\x04\x05") + b"\0", "Malformed", "MALFORMED"),
        bad("COBS code beyond the end", b"\x09\x01\x02\0", "Malformed", "MALFORMED"),
        bad("one byte longer than allowed", wire(0x5A, 1, 2, bytes(range(1, 246))), "TooLong", "TOO_LONG"),
        bad("four hundred bytes of garbage", b"\x55" * 400 + b"\0", "TooLong", "TOO_LONG"),
        bad("version 2", wire(0x5A, 0, 1, b"", version=2), "WrongVersion", "FRAME"),
        bad("unknown kind", wire(0x5A, 1, 0x66, b""), "UnknownKind", "FRAME"),
        bad("hello with content", wire(0x5A, 0, 1, b"\x01"), "WrongPayload", "FRAME"),
        bad("picture without brightness", wire(0x5A, 1, 2, b""), "WrongPayload", "FRAME"),
        bad("picture with half a colour", wire(0x5A, 1, 2, b"\x10\x20\x30"), "WrongPayload", "FRAME"),
        bad("beep above 10000 Hz", wire(0x5A, 1, 3, bytes.fromhex("27110001")), "WrongPayload", "FRAME"),
    ]


def text() -> str:
    return json.dumps({"protocol": 1, "good": declared_good(), "bad": declared_bad()}, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
