"""Prometheus, Titan Benefactor of Mankind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import NEAR, cells_in
from engine.events import Event, Moved
from engine.rules.look import Look
from engine.rules.power import Due, Offer, Power
from engine.rules.sketch import QuickTurn, Sketch


class Prometheus(Power):
    """Your Turn: A worker may build before it moves; it must then move without moving up, and build again."""

    bars = (Moved,)
    acts = ("move",)
    at_home = True

    def due(self, t: Look[Any], due: Due) -> Due:
        """The worker that has built has to move."""
        return due.only(t.turn.builds[0].worker) if due.kind == "move" and t.turn.builds else due

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Build before the move."""
        if t.opening:
            yield from t.builds(t.crew)

    def cannot(self, t: Look[Any], event: Event) -> bool:
        """Forbid moving up after that."""
        return t.mine and bool(t.turn.early or t.turn.builds) and isinstance(event, Moved) and event.rise > 0

    def quickly(self, s: Sketch) -> list[QuickTurn]:
        """After a build before the move, named last, only moves that do not rise."""
        found, blocked = s.plain(), s.blocked
        for start, _, ends, shut in s.moves():
            high = (s.up1, s.up2, s.up3, 0)[s.level(start)]
            level, flat = high | s.same(s.level(start)), ends & ~high
            for early in cells_in(NEAR[start] & ~blocked):
                bit = 1 << early
                closed = shut | bit & s.up3
                for end in cells_in(flat & ~(bit & level)):
                    found += [(start, end, cell, early) for cell in cells_in(NEAR[end] & ~closed)]
        return found
