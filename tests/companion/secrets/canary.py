"""The canary: unique values put into secrets, and a scanner that finds them in any bytes that leave.

    canary = Canary.hatch(random.Random(1))             # put canary.text or .raw into salts, keys, payloads
    leaks = scan({"websocket B": received}, [canary])   # () if nothing leaked
    assert_silent({"log": log, "mqtt": frames}, [canary])

A canary is found plain, and as base64 (at any of the three offsets, standard and URL alphabet),
hexadecimal, percent-encoded, JSON- or HTML-escaped, UTF-16, reversed, as a list of numbers; and all that
once more inside gzip, zlib, base64 or hexadecimal (two levels deep).
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

LENGTH = 16
_ZLIB_STARTS = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/_-]{24,}")
_HEX_RUN = re.compile(rb"(?:[0-9a-fA-F]{2}){16,}")


@dataclass(frozen=True)
class Canary:
    """A value that occurs nowhere else in the world."""

    name: str
    raw: bytes

    @classmethod
    def hatch(cls, random: Random, name: str = "canary") -> Canary:
        """Make one of 16 random bytes; the same for the same random state."""
        return cls(name, random.randbytes(LENGTH))

    @property
    def text(self) -> str:
        """A text to put into payloads; the scanner looks for it and for the raw bytes."""
        return "canary-" + self.raw.hex()


@dataclass(frozen=True)
class Leak:
    """Where a canary was seen, and in which form."""

    channel: str
    canary: str
    form: str
    at: int

    def __str__(self) -> str:
        return f"{self.canary} leaked on {self.channel} as {self.form} at byte {self.at}"


def forms(canary: Canary) -> Iterator[tuple[str, bytes]]:
    """Give all spellings of a canary that are looked for, as (name, bytes)."""
    for kind, plain in (
        ("raw bytes", canary.raw),
        ("text", canary.text.encode()),
        ("digits", canary.raw.hex().encode()),
    ):
        yield kind, plain
        yield f"{kind} reversed", plain[::-1]
        yield f"{kind} in hex", plain.hex().encode()
        yield f"{kind} in HEX", plain.hex().upper().encode()
        yield f"{kind} percent-encoded", b"".join(b"%%%02x" % byte for byte in plain)
        yield f"{kind} PERCENT-encoded", b"".join(b"%%%02X" % byte for byte in plain)
        yield f"{kind} as \\x escapes", b"".join(b"\\x%02x" % byte for byte in plain)
        yield f"{kind} as \\u escapes", b"".join(b"\\u%04x" % byte for byte in plain)
        yield f"{kind} as \\U escapes", b"".join(b"\\u%04X" % byte for byte in plain)
        yield f"{kind} as HTML entities", b"".join(b"&#%d;" % byte for byte in plain)
        yield f"{kind} as hex HTML entities", b"".join(b"&#x%x;" % byte for byte in plain)
        yield f"{kind} in UTF-16 LE", b"".join(bytes([byte, 0]) for byte in plain)
        yield f"{kind} in UTF-16 BE", b"".join(bytes([0, byte]) for byte in plain)
        yield f"{kind} as numbers", b",".join(b"%d" % byte for byte in plain)
        yield f"{kind} as spaced numbers", b", ".join(b"%d" % byte for byte in plain)
        yield f"{kind} in base32", base64.b32encode(plain[: len(plain) // 5 * 5])
        yield from _base64_forms(kind, plain)
    yield "text percent-quoted raw", _quoted(canary.raw)
    yield "raw bytes as Python escapes", repr(canary.raw)[2:-1].encode()


def scan(
    channels: Mapping[str, bytes | str | Iterable[bytes]], canaries: Sequence[Canary]
) -> tuple[Leak, ...]:
    """Look for all canaries in everything that left; a channel is bytes, text, or a list of messages."""
    return tuple(
        leak
        for name, content in channels.items()
        for data in _unfolded(_joined(content))
        for canary in canaries
        for leak in _found(name, data, canary)
    )


def assert_silent(channels: Mapping[str, bytes | str | Iterable[bytes]], canaries: Sequence[Canary]) -> None:
    """Fail with every leak named; fail as well if there is nothing to look at."""
    assert canaries, "no canary was hatched"
    assert channels, "no channel is listened to"
    leaks = scan(channels, canaries)
    assert not leaks, "\n".join(map(str, leaks))


def _base64_forms(kind: str, plain: bytes) -> Iterator[tuple[str, bytes]]:
    """The three ways base64 may cut the bytes, without the characters that their neighbours change."""
    for offset in range(3):
        start, end = (0, 2, 3)[offset], (offset + len(plain)) * 8 // 6
        for alphabet, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
            yield f"{kind} in {alphabet} at offset {offset}", encode(bytes(offset) + plain)[start:end]


def _quoted(raw: bytes) -> bytes:
    safe = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~"
    return b"".join(bytes([byte]) if byte in safe else b"%%%02X" % byte for byte in raw)


def _joined(content: bytes | str | Iterable[bytes]) -> bytes:
    if isinstance(content, str):
        return content.encode(errors="surrogatepass")
    return content if isinstance(content, bytes) else b"\n".join(content)


def _unfolded(data: bytes, depth: int = 2) -> Iterator[bytes]:
    """The data itself, and what is packed or encoded in it."""
    yield data
    if depth:
        for inner in (*_inflated(data), *_decoded(data)):
            yield from _unfolded(inner, depth - 1)


def _inflated(data: bytes) -> Iterator[bytes]:
    for start in _ZLIB_STARTS.finditer(data):
        try:
            yield zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data[start.start() :], 1 << 24)
        except zlib.error:
            continue


def _decoded(data: bytes) -> Iterator[bytes]:
    for run in _BASE64_RUN.finditer(data):
        text = run.group().translate(bytes.maketrans(b"-_", b"+/"))
        try:
            yield base64.b64decode(text[: len(text) // 4 * 4])
        except binascii.Error:
            continue
    for run in _HEX_RUN.finditer(data):
        yield bytes.fromhex(run.group().decode())


def _found(channel: str, data: bytes, canary: Canary) -> Iterator[Leak]:
    for form, pattern in forms(canary):
        if (at := data.find(pattern)) >= 0:
            yield Leak(channel, canary.name, form, at)
