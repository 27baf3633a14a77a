"""Hades, God of the Underworld."""

from __future__ import annotations

from typing import Any

from engine.events import Event, Moved
from engine.rules.look import Look
from engine.rules.power import Power


class Hades(Power):
    """Opponent's Turn: Opponents' workers cannot move down."""

    bars = (Moved,)

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid moving down."""
        return isinstance(event, Moved) and event.rise < 0 and t.binds(event.worker)
