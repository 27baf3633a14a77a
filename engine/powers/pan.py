"""Pan, God of the Wild."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Event, Moved, Won
from engine.rules.look import Look
from engine.rules.power import Power
from engine.rules.sketch import QuickTurn, Sketch


class Pan(Power):
    """Win Condition: You also win if one of your workers moves down two or more levels."""

    at_home = True
    stage = "win"
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Win by a drop of two levels."""
        if isinstance(event, Moved) and t.mine and t.own(event.worker) and event.rise <= -2:
            yield Won(t.holder.seat, event.end, event.worker)

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """Some drops win instead of being followed by a build."""
        found: list[QuickTurn] = []
        for start, wins, ends, shut in s.moves():
            drops = ends & ~(s.up2 if s.up3 >> start & 1 else s.up1 if s.up2 >> start & 1 else -1)
            found += s.played(start, wins | drops, ends & ~drops, shut)
        return found
