"""Chronus, God of Time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import NOWHERE
from engine.events import Built, Ended, Event, Won
from engine.rules.look import Look
from engine.rules.power import Power


class Chronus(Power):
    """Win Condition: You also win when there are at least five complete towers on the board."""

    stage = "win"
    hears: ClassVar[tuple[type, ...]] = (Built, Ended)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Win by the fifth complete tower."""
        if t.pos.complete.bit_count() >= 5:
            yield Won(t.holder.seat, NOWHERE)
