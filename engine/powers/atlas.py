"""Atlas, Titan Shouldering the Heavens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import NEAR, cells_in
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.rules.sketch import DOMED, QuickTurn, Sketch


class Atlas(Power):
    """Your Build: Your worker may build a dome at any level, even on the ground."""

    acts = ("build",)
    at_home = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build a dome on any level."""
        if t.due.kind == "build":
            yield from t.domes(t.due.workers)

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """On every lower space a dome as well."""
        found = s.plain()
        for start, _, ends, shut in s.moves():
            low = ~(shut | s.up3)
            for end in cells_in(ends):
                found += [(start, end, DOMED + cell) for cell in cells_in(NEAR[end] & low)]
        return found
