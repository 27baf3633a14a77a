"""Sealing at rest: what one seat alone may know lies encrypted in the event log.

AES-256-GCM-SIV (RFC 8452: a repeated nonce, say after an old backup was restored, would not give the
content away) under a key derived from the seat's, with game, seat and event number as associated data:
a box cannot be moved to another place. All boxes of one `size` are equally long.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from companion.secrets.canonical import canonical
from companion.secrets.errors import Malformed, Tampered, WrongKey
from companion.secrets.keys import SeatKey
from companion.secrets.padding import pad, unpad

Random: TypeAlias = Callable[[int], bytes]
SIZE: Final = 1024
NONCE_BYTES: Final = 12
PURPOSE: Final = "seal"


@dataclass(frozen=True)
class Place:
    """Where a box belongs: it opens nowhere else."""

    game: str
    seat: str
    seq: int


def seal(
    key: SeatKey, place: Place, secret: Mapping[str, object], size: int = SIZE, random: Random = os.urandom
) -> dict[str, dict[str, str | int]]:
    """Encrypt a secret to the payload of a private event; `size` must not depend on the secret."""
    nonce = random(NONCE_BYTES)
    content = pad(json.dumps(secret, allow_nan=False).encode(), size)
    box = AESGCMSIV(key.derive(PURPOSE)).encrypt(nonce, content, _bound(place))
    return {"sealed": {"v": 1, "key": key.id, "nonce": _text(nonce), "box": _text(box)}}


def unseal(key: SeatKey, place: Place, payload: Mapping[str, object]) -> dict[str, object]:
    """Decrypt the payload of a private event: Malformed, WrongKey or Tampered if it cannot be."""
    key_id, nonce, box = _parts(payload)
    if key_id != key.id:
        raise WrongKey(f"seat {place.seat} of game '{place.game}' sealed event {place.seq} with another key")
    try:
        content = AESGCMSIV(key.derive(PURPOSE)).decrypt(nonce, box, _bound(place))
    except InvalidTag:
        raise Tampered(f"event {place.seq} of game '{place.game}' was changed or moved") from None
    secret = json.loads(unpad(content))
    if not isinstance(secret, dict):
        raise Malformed("a secret is an object")
    return secret


def key_of(payload: Mapping[str, object]) -> str:
    """Name the key that a payload was sealed with."""
    return _parts(payload)[0]


def _bound(place: Place) -> bytes:
    return canonical({"game": place.game, "seat": place.seat, "seq": place.seq})


def _parts(payload: Mapping[str, object]) -> tuple[str, bytes, bytes]:
    match payload:
        case {"sealed": {"v": 1, "key": str(key_id), "nonce": str(nonce), "box": str(box)}}:
            return key_id, _bytes(nonce, NONCE_BYTES), _bytes(box)
        case _:
            raise Malformed("this payload is not sealed, or by a later version")


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str, length: int | None = None) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("a box is base64") from None
    if length is not None and len(data) != length:
        raise Malformed(f"{length} bytes were expected, {len(data)} found")
    return data
