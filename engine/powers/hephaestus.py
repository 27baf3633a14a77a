"""Hephaestus, God of Blacksmiths."""

from __future__ import annotations

from engine.events import Built
from engine.rules.again import OnceMore


class Hephaestus(OnceMore):
    """Your Build: Your worker may build one more block (not a dome) on top of the block it has just built."""

    def again(self, first: Built) -> int:
        """Build a second block on the first."""
        return 1 << first.cell if first.level < 2 and not first.dome else 0
