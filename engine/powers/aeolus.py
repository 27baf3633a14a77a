"""Aeolus, God of the Winds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import NOWHERE
from engine.events import Event, Moved
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import CARD, Turn


class Aeolus(Power):
    """Setup: Place the wind token beside the board, pointing in any of the eight directions: that is
    where the wind blows.
    End of Your Turn: Turn the wind to any direction.
    Any Move: Workers cannot move directly against the wind.
    (Revised card: the token starts on the card; at the end of your turn you may lay it out with a
    direction or take it back, and there is no wind while it is on the card.)
    """

    bars = (Moved,)
    acts = ("",)
    declares = "wind"
    tokens = ("wind",)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Turn the wind."""
        if t.closing and not any(isinstance(step, Turn) for step in t.turn.deeds):
            back = t.table.revised and t.pos.tokens.wind != NOWHERE
            for way in (CARD,) if back else range(8):
                yield Offer(Turn("wind", way))

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid moving against the wind, for everybody."""
        wind = t.token("wind")
        if not isinstance(event, Moved) or event.carried or wind == NOWHERE:
            return False
        return event.way == (wind + 4) % 8
