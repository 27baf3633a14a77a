"""Pan, God of the Wild."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Event, Moved, Won
from engine.rules.look import Look
from engine.rules.power import Power


class Pan(Power):
    """Win Condition: You also win if one of your workers moves down two or more levels."""

    stage = "win"
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Win by a drop of two levels."""
        if isinstance(event, Moved) and t.mine and t.own(event.worker) and event.rise <= -2:
            yield Won(t.holder.seat, event.end, event.worker)
