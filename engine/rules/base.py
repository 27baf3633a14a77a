"""The base rules, written like a power: everybody has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Event, Moved, Won
from engine.rules.look import Look
from engine.rules.power import DONE, Due, Offer, Power


class Base(Power):
    """Move a worker one space, up one level at most; then build next to it. Moving up to level 3 wins."""

    stage = "win"
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def due(self, t: Look[Any], due: Due) -> Due:
        """A move, then a build by the worker that moved."""
        if not t.turn.moves:
            return Due("move", tuple(t.crew))
        return DONE if t.turn.builds else Due("build", t.moved)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Move to a neighbouring unoccupied space; build on one."""
        if t.due.kind == "move":
            yield from t.moves(t.due.workers)
        elif t.due.kind == "build":
            yield from t.builds(t.due.workers)

    def instead(self, t: Look[Any], event: Event) -> Event | None:
        """Nobody wins during an extra turn."""
        return None if t.turn.extra and not t.turn.over else event

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Moving up to level 3 wins, with a worker of one's own."""
        if isinstance(event, Moved) and event.rise > 0 and t.level(event.end) == 3 and t.own(event.worker):
            yield Won(t.turn.seat, event.end, event.worker)
