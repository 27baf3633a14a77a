"""Limus, Goddess of Famine."""

from __future__ import annotations

from typing import Any

from engine.events import Built, Event
from engine.rules.look import Look
from engine.rules.power import Power


class Limus(Power):
    """Opponent's Turn: Opponents' workers cannot build on spaces neighbouring your workers, unless they
    build a dome that finishes a complete tower. (Revised card: any dome may be built.)
    """

    bars = (Built,)

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid building next to Limus."""
        if not isinstance(event, Built) or not t.binds(event.worker) or not t.is_near_own(event.cell):
            return False
        return not (event.dome if t.table.revised else event.completes)
