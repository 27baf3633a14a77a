"""Hestia, Goddess of Hearth and Home."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import PERIMETER
from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Hestia(Power):
    """Your Build: Your worker may build a second time, but not on a perimeter space."""

    builds_at_most = 2
    acts = ("",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build once more, away from the edge."""
        if t.closing and len(t.turn.builds) == 1:
            yield from t.builds(t.moved, only=~PERIMETER)
