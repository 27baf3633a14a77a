"""Terpsichore, Muse of Dancing."""

from __future__ import annotations

from typing import Any

from engine.rules.look import Look
from engine.rules.power import DONE, Due, Power


class Terpsichore(Power):
    """Your Turn: All your workers must move, one after the other, and then all must build."""

    def due(self, t: Look[Any], due: Due) -> Due:
        """First every move, then every build."""
        moving = tuple(t.unmoved)
        built = {b.worker for b in t.turn.builds}
        building = tuple(w for w in t.crew if w not in built)
        return Due("move", moving) if moving else Due("build", building) if building else DONE
