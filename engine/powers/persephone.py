"""Persephone, Goddess of Spring Growth."""

from __future__ import annotations

from typing import Any

from engine.rules.look import Look
from engine.rules.power import Power


class Persephone(Power):
    """Opponent's Turn: If possible, at least one of the opponent's workers must move up this turn."""

    if_possible = True
    by_rising = True

    def heading(self, t: Look[Any]) -> int:
        """Look at high places first."""
        return t.pos.up1

    def insists(self, t: Look[Any]) -> bool:
        """A worker has moved up."""
        return any(m.rise > 0 for m in t.turn.moves)
