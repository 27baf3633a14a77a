"""Achilles, Volatile Warrior."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Due, Offer, Power


class Achilles(Power):
    """Your Turn, once: A worker may build both before and after it moves."""

    acts = ("move",)
    hero = True

    def due(self, t: Look[Any], due: Due) -> Due:
        """The worker that has built has to move."""
        return due.only(t.turn.builds[0].worker) if due.kind == "move" and t.turn.builds else due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build before the move."""
        if t.opening:
            yield from t.builds(t.crew, hero=True)
