"""Hera, Goddess of Marriage."""

from __future__ import annotations

from typing import Any

from engine.board import NOWHERE, PERIMETER
from engine.events import Event, Won
from engine.rules.look import Look
from engine.rules.power import Power


class Hera(Power):
    """Opponent's Turn: An opponent cannot win by moving into a perimeter space."""

    def instead(self, t: Look[Any], event: Event) -> Event | None:
        """No win on the perimeter."""
        prevented = (
            isinstance(event, Won)
            and event.cell != NOWHERE
            and t.against
            and t.state.side(event.seat) != t.holder.side
            and PERIMETER >> event.cell & 1
        )
        return None if prevented else event
