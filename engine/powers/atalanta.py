"""Atalanta, Swift Huntress."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.rules.look import Look
from engine.rules.power import Offer, Power


class Atalanta(Power):
    """Your Move, once: Your worker may move any number of additional times."""

    acts = ("build",)
    hero = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move on."""
        if t.due.kind == "build" and t.turn.moves:
            yield from t.moves(t.moved, hero=True)
