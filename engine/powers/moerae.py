"""Moerae, Goddesses of Fate."""

from __future__ import annotations

from typing import Any

from engine.board import NOWHERE
from engine.events import Event, Won
from engine.rules.look import Look
from engine.rules.power import Power


class Moerae(Power):
    """Setup: Take the map, the shield and the Fate token. Secretly choose four spaces of the map that
    form a square. Place three workers of your colour.
    Win Condition: If an opponent's worker attempts to win by moving into one of your Fate spaces, you
    win instead.
    """

    workers = 3
    declares = "fate"
    late = True

    def instead(self, t: Look[Any], event: Event) -> Event | None:
        """Take over a win by a move into the square."""
        secret = t.state.secrets.get(t.holder.card)
        if secret is None or secret.fate == NOWHERE or not isinstance(event, Won) or event.cell == NOWHERE:
            return event
        square = {secret.fate, secret.fate + 1, secret.fate + 5, secret.fate + 6}
        taken = event.cell in square and t.state.side(event.seat) != t.holder.side
        return event._replace(seat=t.holder.seat) if taken else event
