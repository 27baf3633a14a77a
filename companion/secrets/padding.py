"""Padding to a fixed size, so that size tells nothing: length in four bytes, content, zeros."""

from __future__ import annotations

from typing import Final

from companion.secrets.errors import Malformed, TooLong

_LENGTH: Final = 4


def pad(content: bytes, size: int) -> bytes:
    """Bring a content to exactly `size` bytes."""
    room = size - _LENGTH
    if len(content) > room:
        raise TooLong(len(content), room)
    return len(content).to_bytes(_LENGTH, "big") + content.ljust(room, b"\0")


def unpad(padded: bytes) -> bytes:
    """Take the content out again."""
    length = int.from_bytes(padded[:_LENGTH], "big")
    if len(padded) < _LENGTH or length > len(padded) - _LENGTH or any(padded[_LENGTH + length :]):
        raise Malformed("the padding is wrong")
    return padded[_LENGTH : _LENGTH + length]
