"""Athena, Goddess of Wisdom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Ended, Event, Moved
from engine.rules.look import Look
from engine.rules.power import Power
from engine.rules.sketch import QuickTurn, Sketch


class Athena(Power):
    """Opponent's Turn: If one of your workers moved up on your last turn, opponents' workers cannot
    move up this turn.
    """

    bars = (Moved,)
    hears: ClassVar[tuple[type, ...]] = (Ended,)
    forgets = ("moved_up",)
    sums_up_moves = True

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid moving up."""
        return (
            isinstance(event, Moved)
            and event.rise > 0
            and t.binds(event.worker)
            and bool(t.memory("moved_up"))
        )

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Remember whether a worker moved up in one's own turn."""
        if t.mine and not t.turn.extra:
            yield t.remember("moved_up", any(m.rise > 0 for m in t.turn.moves))

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """In one's own turn nothing is special."""
        return s.plain()
