"""Clio, Muse of History."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Built, Event, Laid
from engine.rules.look import Look
from engine.rules.power import Power


class Clio(Power):
    """Your Build: When your workers build blocks, put one of your three coins on each of the first
    three.
    Opponent's Turn: Opponents treat spaces with your coins as if they held nothing but a dome.
    """

    tokens = ("coin",)
    hears: ClassVar[tuple[type, ...]] = (Built,)

    def shuts(self, t: Look[Any]) -> int:
        """Coins are domes to opponents in their turns."""
        return t.token("coins") if t.against else 0

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Put a coin on a new block."""
        left = t.number("coins_left", 3)
        if isinstance(event, Built) and t.mine and not event.dome and left and t.own(event.worker):
            yield Laid("coin", event.cell)
            yield t.remember("coins_left", left - 1)
