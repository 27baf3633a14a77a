"""Hephaestus, God of Blacksmiths."""

from __future__ import annotations

from engine.board import NEAR, cells_in
from engine.events import Built
from engine.rules.again import OnceMore
from engine.rules.sketch import QuickTurn, Sketch


class Hephaestus(OnceMore):
    """Your Build: Your worker may build one more block (not a dome) on top of the block it has just built."""

    at_home = True

    def again(self, first: Built) -> int:
        """Build a second block on the first."""
        return 1 << first.cell if first.level < 2 and not first.dome else 0

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """Two blocks where the first one is no third."""
        found = s.plain()
        for start, _, ends, shut in s.moves():
            low = ~(shut | s.up2)
            for end in cells_in(ends):
                found += [(start, end, cell, cell) for cell in cells_in(NEAR[end] & low)]
        return found
