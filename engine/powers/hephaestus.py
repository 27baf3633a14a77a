"""Hephaestus, God of Blacksmiths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Hephaestus(Power):
    """Your Build: Your worker may build one more block (not a dome) on top of the block it has just built."""

    builds_at_most = 2
    acts = ("",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build a second block on the first."""
        if t.closing and len(t.turn.builds) == 1 and t.turn.builds[0].level < 2 and not t.turn.builds[0].dome:
            first = t.turn.builds[0].cell
            yield from t.builds(t.moved, only=1 << first)
