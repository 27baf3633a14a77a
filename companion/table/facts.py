"""The events of a game as they are kept: each is a small JSON payload under a type name.

A game is folded from them again, so nothing here depends on when or by whom it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

Payload = Mapping[str, Any]

BEGUN: Final = "begun"
STEP: Final = "step"
UNDONE: Final = "undone"
REDONE: Final = "redone"
UNDO_ASKED: Final = "undo_asked"
UNDO_REFUSED: Final = "undo_refused"
END_OFFERED: Final = "end_offered"
END_REFUSED: Final = "end_refused"
PAUSED: Final = "paused"
RESUMED: Final = "resumed"
ACCEPTED: Final = "accepted"
HINTS: Final = "hints"
RENAMED: Final = "renamed"
COMMITTED: Final = "committed"
"""Everybody: that a seat has bound itself, with commitment and link."""
SALTED: Final = "salted"
"""Sealed: the value and the salt of a commitment."""
HIDDEN: Final = "hidden"
"""Everybody: that a seat did something in secret; what, comes sealed right behind."""
KEYED: Final = "keyed"
"""Everybody: the name of the key that a seat's secrets are sealed with."""
AGAIN: Final = "again"
"""Everybody: that a seat has entered its secret again; what was played before cannot be checked any more."""
ENTERED_AGAIN: Final = "entered_again"
"""Sealed: a secret that was entered again after its phone was lost, with the public state it belongs to."""

CARRIED: Final = "carried"
"""Sealed: what a seat that kept its key hides, where somebody else's phone was lost."""


@dataclass(frozen=True)
class Fact:
    """One thing that happened at a table, not yet numbered."""

    type: str
    payload: Payload
    secret_of: str | None = None
    """The seat that alone may know this; then it is kept sealed."""


def step_taken(seat: str, step: str, by: str) -> Fact:
    """Somebody took a step; `by` says whether by tap, by the camera or by a button."""
    return Fact(STEP, {"seat": seat, "step": step, "by": by})
