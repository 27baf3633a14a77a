"""Demeter, Goddess of the Harvest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Demeter(Power):
    """Your Build: Your worker may build a second time, but not on the same space."""

    builds_at_most = 2
    acts = ("",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build once more, elsewhere."""
        if t.closing and len(t.turn.builds) == 1:
            first = t.turn.builds[0].cell
            yield from t.builds(t.moved, only=~(1 << first))
