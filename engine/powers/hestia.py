"""Hestia, Goddess of Hearth and Home."""

from __future__ import annotations

from engine.board import ALL, PERIMETER
from engine.events import Built
from engine.rules.again import OnceMore


class Hestia(OnceMore):
    """Your Build: Your worker may build a second time, but not on a perimeter space."""

    def again(self, first: Built) -> int:
        """Build once more, away from the edge."""
        return ALL & ~PERIMETER
