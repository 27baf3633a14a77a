"""Polyphemus, Gigantic Cyclops."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import ALL
from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Polyphemus(Power):
    """End of Your Turn, once: Build up to two domes on any unoccupied spaces of the board, at any level."""

    acts = ("",)
    hero = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build a dome anywhere."""
        if t.closing and t.turn.builds and len(t.turn.builds) < 3:
            yield from t.domes([t.turn.builds[0].worker], within=ALL, hero=True)
