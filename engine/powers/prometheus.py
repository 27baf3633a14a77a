"""Prometheus, Titan Benefactor of Mankind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.events import Event, Moved
from engine.rules.look import Look
from engine.rules.power import Due, Offer, Power


class Prometheus(Power):
    """Your Turn: A worker may build before it moves; it must then move without moving up, and build again."""

    bars = (Moved,)
    acts = ("move",)

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
