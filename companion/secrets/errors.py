"""What can go wrong with secrets, each told apart.

SecretError
├── KeyMissing     the owner's phone has not brought the key (back) yet
├── WrongKey       a key, but not the one it was sealed with
├── Tampered       the right key, but the box was changed or moved elsewhere
├── Malformed      not a box, frame, key or record at all
├── TooLong        the content does not fit the fixed size
├── Replayed       a frame that was seen before, or of another session
├── NotCanonical   a value that has no canonical form
└── Broken         a chain of commitments that does not hold (`turn`, `why`)
"""

from __future__ import annotations

from typing import Literal

BrokenReason = Literal["missing", "extra", "turn", "link", "salt", "commitment"]


class SecretError(Exception):
    """Anything this package reports; its text never holds a secret."""


class KeyMissing(SecretError):
    """The owner's phone has not brought the key (back) yet."""

    def __init__(self, game: str, seat: str) -> None:
        super().__init__(f"the key of seat {seat} of game '{game}' is not here: its phone has to bring it")
        self.game, self.seat = game, seat


class WrongKey(SecretError):
    """A key, but not the one it was sealed with."""


class Tampered(SecretError):
    """The right key, but the box was changed or moved to another place."""


class Malformed(SecretError):
    """Not a box, frame, key or record at all."""


class TooLong(SecretError):
    """The content does not fit the fixed size."""

    def __init__(self, length: int, room: int) -> None:
        super().__init__(f"{length} bytes do not fit into {room}")
        self.length, self.room = length, room


class Replayed(SecretError):
    """A frame that was seen before, or of another session."""


class NotCanonical(SecretError):
    """A value that has no canonical form."""


class Broken(SecretError):
    """A chain of commitments that does not hold."""

    def __init__(self, turn: int, why: BrokenReason) -> None:
        super().__init__(f"turn {turn}: {why}")
        self.turn, self.why = turn, why
