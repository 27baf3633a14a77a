"""Keys of seats: made on the phone, held in this process's memory, never written anywhere."""

from __future__ import annotations

import hashlib
import hmac
import re
import sys
from typing import Final, NoReturn

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from companion.secrets.errors import KeyMissing, Malformed, WrongKey

KEY_BYTES: Final = 32
_HEX: Final = re.compile(r"[0-9a-f]{64}")


class SeatKey:
    """32 random bytes of one seat. Cannot be printed, compared by accident or pickled."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise Malformed(f"a key has {KEY_BYTES} bytes, this one {len(secret)}")
        self._secret = secret

    @classmethod
    def from_hex(cls, text: str) -> SeatKey:
        """Read the key as the phone sends it: 64 hexadecimal digits."""
        if not _HEX.fullmatch(text):
            raise Malformed("a key is 64 hexadecimal digits")
        return cls(bytes.fromhex(text))

    @property
    def id(self) -> str:
        """Name the key without telling anything about it: 16 hexadecimal digits."""
        return hmac.new(self._secret, b"santorini key id 1", hashlib.sha256).hexdigest()[:16]

    def derive(self, purpose: str, salt: bytes | None = None) -> bytes:
        """Derive a key for one purpose alone (HKDF-SHA-256)."""
        info = f"santorini {purpose} 1".encode()
        return HKDF(algorithm=hashes.SHA256(), length=KEY_BYTES, salt=salt, info=info).derive(self._secret)

    def __repr__(self) -> str:
        return "SeatKey(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a seat's key is not written anywhere")


class Keyring:
    """The keys that phones have brought to this process."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, str], SeatKey] = {}

    def bring(self, game: str, seat: str, key: SeatKey, expected: str | None) -> None:
        """Take a key from its owner's phone; `expected` is the id in the game's log, None for a new one."""
        if expected is not None and key.id != expected:
            raise WrongKey(f"this is not the key that seat {seat} of game '{game}' uses")
        self._keys[game, seat] = key

    def key(self, game: str, seat: str) -> SeatKey:
        """Give a seat's key, or KeyMissing while its phone has not brought it."""
        try:
            return self._keys[game, seat]
        except KeyError:
            raise KeyMissing(game, seat) from None

    def has(self, game: str, seat: str) -> bool:
        """Say whether the phone has brought this seat's key."""
        return (game, seat) in self._keys

    def forget(self, game: str, seat: str | None = None) -> None:
        """Drop the key of a seat, or all of a game."""
        for owner in [owner for owner in self._keys if owner[0] == game and seat in (None, owner[1])]:
            del self._keys[owner]

    def __repr__(self) -> str:
        return f"Keyring({len(self._keys)} keys)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("keys are not written anywhere")


def forbid_core_dumps() -> None:
    """Keep a crash of this process from writing its memory, keys included, to a file."""
    if sys.platform != "win32":
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
