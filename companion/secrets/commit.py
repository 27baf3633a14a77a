"""Commit and reveal: proves that a secret was not changed, not that nobody peeked.

A commitment is HMAC-SHA-256 with a salt of 32 random bytes from the owner's phone as key over the canonical
JSON of {game, seat, power, turn, value}. Commitments of one seat form a hash chain, so that none can be
left out, put in or moved later. docs/secrets.md is the specification, tests/data/secrets/vectors.json its
examples; companion/web/static/js/commit.js does the same on the phones.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.secrets.canonical import canonical
from companion.secrets.errors import Broken, Malformed, NotCanonical

SALT_BYTES: Final = 32
ORIGIN: Final = "santorini chain 1"
_HASH: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Owner:
    """Whose secret it is. `start` is the turn the chain starts with: 0, or later after a lost phone."""

    game: str
    seat: str
    power: str
    start: int = 0

    @property
    def verifiable(self) -> bool:
        """A chain that starts later proves nothing about the turns before: the game is not verifiable."""
        return self.start == 0


@dataclass(frozen=True)
class Published:
    """What everybody gets and the log keeps: one commitment and its link of the chain."""

    turn: int
    commitment: str
    link: str


@dataclass(frozen=True)
class Revealed:
    """What is told at the end: the value and the salt it was committed with."""

    turn: int
    value: Mapping[str, object]
    salt: str


def commitment(owner: Owner, turn: int, value: Mapping[str, object], salt: bytes) -> str:
    """Commit to a value; the salt is the phone's and stays with it until the end."""
    if len(salt) != SALT_BYTES:
        raise Malformed(f"a salt has {SALT_BYTES} bytes, this one {len(salt)}")
    message = {"game": owner.game, "seat": owner.seat, "power": owner.power, "turn": turn, "value": value}
    return hmac.new(salt, canonical(message), hashlib.sha256).hexdigest()


def origin(owner: Owner) -> str:
    """Give the link in front of the first one; it binds the chain to its owner."""
    start = {"game": owner.game, "seat": owner.seat, "power": owner.power, "start": owner.start}
    return hashlib.sha256(canonical({"chain": ORIGIN, **start})).hexdigest()


def link(previous: str, turn: int, commitment: str) -> str:
    """Chain a commitment to the link before it."""
    message = {"previous": previous, "turn": turn, "commitment": commitment}
    return hashlib.sha256(canonical(message)).hexdigest()


def publish(owner: Owner, before: Sequence[Published], commitment: str) -> Published:
    """Give the next entry of the chain."""
    turn = owner.start + len(before)
    previous = before[-1].link if before else origin(owner)
    return Published(turn, commitment, link(previous, turn, commitment))


def verify_links(owner: Owner, published: Sequence[Published]) -> None:
    """Check the chain alone, as every phone does while the game runs; raise Broken where it fails."""
    previous = origin(owner)
    for turn, entry in enumerate(published, owner.start):
        if entry.turn != turn:
            raise Broken(turn, "turn")
        if not _HASH.fullmatch(entry.commitment) or entry.link != link(previous, turn, entry.commitment):
            raise Broken(turn, "link")
        previous = entry.link


def verify_chain(owner: Owner, published: Sequence[Published], revealed: Sequence[Revealed]) -> None:
    """Check the chain and everything revealed against it; raise Broken at the first turn that fails."""
    verify_links(owner, published)
    for entry, secret in zip(published, revealed):
        _verify(owner, entry, secret)
    shorter = owner.start + min(len(published), len(revealed))
    if len(revealed) < len(published):
        raise Broken(shorter, "missing")
    if len(revealed) > len(published):
        raise Broken(shorter, "extra")


def _verify(owner: Owner, entry: Published, secret: Revealed) -> None:
    if secret.turn != entry.turn:
        raise Broken(entry.turn, "turn")
    if not _HASH.fullmatch(secret.salt):
        raise Broken(entry.turn, "salt")
    try:
        computed = commitment(owner, secret.turn, secret.value, bytes.fromhex(secret.salt))
    except NotCanonical as error:
        raise Broken(entry.turn, "commitment") from error
    if computed != entry.commitment:
        raise Broken(entry.turn, "commitment")
