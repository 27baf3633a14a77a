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
