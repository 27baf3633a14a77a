"""Sealed frames for a seat's own channel (MQTT): equal size whatever is inside, no replay.

    frame = version (1) · session (32) · number (8) · box (size + 16)

The receiver opens a session with 16 random bytes, the sender adds 16 of its own; both derive the session's
key from the seat's, so a number can be the nonce: it never comes twice under one key.
ChaCha20-Poly1305 (RFC 8439), the whole header is associated data.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from companion.secrets.errors import Malformed, Replayed, Tampered
from companion.secrets.keys import SeatKey
from companion.secrets.padding import pad, unpad

Random: TypeAlias = Callable[[int], bytes]
VERSION: Final = 1
HALF: Final = 16
SIZE: Final = 4096
_HEADER: Final = 1 + 2 * HALF + 8
_TAG: Final = 16


@dataclass(frozen=True)
class Opened:
    """What was in a frame, its number, and how many numbers before it never came."""

    number: int
    content: bytes
    missed: int


def frame_bytes(size: int = SIZE) -> int:
    """Say how long every frame is."""
    return _HEADER + size + _TAG


class FrameSealer:
    """The sending end of one session. `channel` names direction and seat, e.g. "state A"."""

    def __init__(
        self, key: SeatKey, channel: str, opening: bytes, size: int = SIZE, random: Random = os.urandom
    ) -> None:
        self._session = _half(opening) + random(HALF)
        self._box = ChaCha20Poly1305(_session_key(key, channel, self._session))
        self._size = size
        self._next = 0

    def seal(self, content: bytes) -> bytes:
        """Seal the next frame; TooLong if the content does not fit, and then no number is used up."""
        padded = pad(content, self._size)
        header = bytes([VERSION]) + self._session + self._next.to_bytes(8, "big")
        box = self._box.encrypt(_nonce(self._next), padded, header)
        self._next += 1
        return header + box


class FrameOpener:
    """The receiving end: it made the `opening`, and takes each number once and in rising order only."""

    def __init__(self, key: SeatKey, channel: str, opening: bytes, size: int = SIZE) -> None:
        self._key, self._channel, self._opening, self._size = key, channel, _half(opening), size
        self._session: bytes | None = None
        self._last = -1

    def open(self, frame: bytes) -> Opened:
        """Open a frame: Malformed, Replayed or Tampered if it cannot be."""
        if len(frame) != frame_bytes(self._size) or frame[0] != VERSION:
            raise Malformed(f"a frame has {frame_bytes(self._size)} bytes and version {VERSION}")
        session, number = frame[1 : 1 + 2 * HALF], int.from_bytes(frame[_HEADER - 8 : _HEADER], "big")
        if not hmac.compare_digest(session[:HALF], self._opening) or self._session not in (None, session):
            raise Replayed("this frame is of another session")
        if number <= self._last:
            raise Replayed(f"frame {number} came before")
        content = self._decrypt(session, number, frame)
        opened = Opened(number, content, number - self._last - 1)
        # Only now, with the tag checked: a forged frame must not move the window.
        self._session, self._last = session, number
        return opened

    def _decrypt(self, session: bytes, number: int, frame: bytes) -> bytes:
        box = ChaCha20Poly1305(_session_key(self._key, self._channel, session))
        try:
            return unpad(box.decrypt(_nonce(number), frame[_HEADER:], frame[:_HEADER]))
        except InvalidTag:
            raise Tampered(f"frame {number} was changed or sealed with another key") from None


def new_opening(random: Random = os.urandom) -> bytes:
    """Make the receiver's half of a session."""
    return random(HALF)


def _half(opening: bytes) -> bytes:
    if len(opening) != HALF:
        raise Malformed(f"a session is opened with {HALF} bytes, not {len(opening)}")
    return opening


def _session_key(key: SeatKey, channel: str, session: bytes) -> bytes:
    return key.derive(f"frames {channel}", session)


def _nonce(number: int) -> bytes:
    return number.to_bytes(12, "big")
