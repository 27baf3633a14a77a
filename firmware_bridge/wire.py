"""Bytes on the line: COBS between zero bytes, CRC-16 behind every frame (docs/protocol.md)."""

from __future__ import annotations

import binascii
from typing import Final

from cobs import cobs  # type: ignore[import-untyped]  # the library has no annotations

VERSION: Final = 1
HEADER: Final = 4
CRC: Final = 2
MAX_RAW: Final = 250
MAX_PAYLOAD: Final = MAX_RAW - HEADER - CRC
MAX_WIRE: Final = MAX_RAW + 2
DELIMITER: Final = b"\0"

# FrameError
# ├── Malformed        not COBS, or shorter than header and CRC
# ├── BadCrc
# ├── TooLong
# ├── WrongVersion     another version of the protocol
# ├── UnknownKind
# └── WrongPayload     the kind is known, its content is not


class FrameError(Exception):
    """A frame that is refused; `wire` is what came, without its delimiter."""

    def __init__(self, wire: bytes, why: str) -> None:
        super().__init__(f"{why}: {wire[:32].hex(' ')}{' …' if len(wire) > 32 else ''}")
        self.wire = wire
        self.why = why


class Malformed(FrameError):
    """Not COBS, or too short to be a frame."""


class BadCrc(FrameError):
    """Bytes were damaged on the way."""


class TooLong(FrameError):
    """More bytes than a frame may have."""


class WrongVersion(FrameError):
    """A frame of another version of the protocol."""

    def __init__(self, wire: bytes, version: int) -> None:
        super().__init__(wire, f"protocol version {version} instead of {VERSION}")
        self.version = version


class UnknownKind(FrameError):
    """A whole frame whose kind nobody knows."""


class WrongPayload(FrameError):
    """A whole frame of a known kind with impossible content."""


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740 (polynomial 0x1021, start 0xFFFF, nothing reflected)."""
    return binascii.crc_hqx(data, 0xFFFF)


def wrap(raw: bytes) -> bytes:
    """Add the CRC, stuff and end with the delimiter."""
    if len(raw) + CRC > MAX_RAW:
        raise TooLong(raw, f"{len(raw) + CRC} bytes instead of at most {MAX_RAW}")
    return bytes(cobs.encode(raw + crc16(raw).to_bytes(CRC, "big"))) + DELIMITER


def unwrap(wire: bytes) -> bytes:
    """Undo `wrap`, for the bytes between two delimiters."""
    if len(wire) >= MAX_WIRE:
        raise TooLong(wire, f"{len(wire)} bytes instead of at most {MAX_WIRE - 1}")
    try:
        raw = bytes(cobs.decode(wire))
    except cobs.DecodeError as error:
        raise Malformed(wire, "not COBS") from error
    if len(raw) < HEADER + CRC:
        raise Malformed(wire, f"only {len(raw)} bytes")
    body, sent = raw[:-CRC], int.from_bytes(raw[-CRC:], "big")
    if crc16(body) != sent:
        raise BadCrc(wire, f"CRC {sent:04x} instead of {crc16(body):04x}")
    return body


class Splitter:
    """Cuts a stream of bytes into what lies between delimiters; keeps at most one frame's worth."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> tuple[bytes, ...]:
        """Take what arrived; give every frame that it completes, without delimiters, empty ones left out."""
        *whole, rest = (bytes(self._kept) + chunk).split(DELIMITER)
        # One byte more than allowed is enough to know that it is too long, and bounds the memory.
        self._kept = bytearray(rest[: MAX_WIRE + 1])
        return tuple(frame[: MAX_WIRE + 1] for frame in whole if frame)

    def clear(self) -> None:
        """Forget half a frame."""
        self._kept.clear()
