"""Bia, Goddess of Violence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import ALL, NOWHERE, PERIMETER
from engine.events import Event, Moved, Removed
from engine.rules.look import Look
from engine.rules.power import Power
from engine.state import Table


class Bia(Power):
    """Setup: Place your workers first. (2017 edition and revised card: on perimeter spaces only.)
    Your Move: If your worker moves into a space and the next space in the same direction is occupied
    by an opponent's worker, that worker is removed from the game.
    """

    places = "first"
    stage = "removal"
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def ground(self, table: Table, free: int, placed: tuple[int, ...]) -> int:
        """Start on the perimeter, where the card says so."""
        return PERIMETER if table.later or table.revised else ALL

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Remove the rival straight ahead."""
        if isinstance(event, Moved) and t.mine and t.own(event.worker):
            ahead = t.ahead(event.end, event.way)
            victim = t.pos.worker_at(ahead) if ahead != NOWHERE else None
            if victim in t.rivals:
                yield Removed(victim, ahead)
