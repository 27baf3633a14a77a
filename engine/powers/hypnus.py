"""Hypnus, God of Sleep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Began, Event, Moved, Noted
from engine.rules.look import Look
from engine.rules.power import Power


class Hypnus(Power):
    """Start of Opponent's Turn: If one of the opponent's workers is higher than all their others, it
    cannot move.
    """

    bars = (Moved,)
    hears: ClassVar[tuple[type, ...]] = (Began,)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Note who sleeps."""
        side = t.state.side(t.turn.seat)
        levels = sorted((t.level(c), w) for w, c in t.pos.workers.items() if w[0] == side)
        if t.against and levels and (len(levels) == 1 or levels[-1][0] > levels[-2][0]):
            yield Noted(t.holder.card, "sleeper", levels[-1][1])

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid the sleeper to move."""
        return isinstance(event, Moved) and t.binds(event.worker) and event.worker == t.note("sleeper")
