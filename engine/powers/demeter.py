"""Demeter, Goddess of the Harvest."""

from __future__ import annotations

from itertools import permutations

from engine.board import ALL, NEAR, cells_in
from engine.events import Built
from engine.rules.again import OnceMore
from engine.rules.sketch import QuickTurn, Sketch


class Demeter(OnceMore):
    """Your Build: Your worker may build a second time, but not on the same space."""

    at_home = True

    def again(self, first: Built) -> int:
        """Build once more, elsewhere."""
        return ALL & ~(1 << first.cell)

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """Two different spaces, in either order."""
        found = s.plain()
        for start, _, ends, shut in s.moves():
            for end in cells_in(ends):
                pairs = permutations(cells_in(NEAR[end] & ~shut), 2)
                found += [(start, end, first, second) for first, second in pairs]
        return found
