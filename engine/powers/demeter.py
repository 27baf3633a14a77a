"""Demeter, Goddess of the Harvest."""

from __future__ import annotations

from engine.board import ALL
from engine.events import Built
from engine.rules.again import OnceMore


class Demeter(OnceMore):
    """Your Build: Your worker may build a second time, but not on the same space."""

    def again(self, first: Built) -> int:
        """Build once more, elsewhere."""
        return ALL & ~(1 << first.cell)
