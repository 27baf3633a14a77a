"""Aphrodite, Goddess of Love."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.events import Began, Event, Moved, Noted
from engine.rules.look import Look
from engine.rules.power import Power


class Aphrodite(Power):
    """Any Move: If an opponent's worker starts its turn neighbouring one of your workers, its last
    move of the turn must be to a space neighbouring one of your workers.
    """

    stage = "notice"
    hears: ClassVar[tuple[type, ...]] = (Began, Moved)

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Note whose workers are bound, and where a bound one has moved to."""
        if not t.against:
            return
        if isinstance(event, Moved):
            if event.worker in self.bound(t):
                yield Noted(t.holder.card, event.worker, t.is_near_own(event.end))
        else:
            near = (w for w, cell in t.pos.workers.items() if not t.own(w) and t.is_near_own(cell))
            yield Noted(t.holder.card, "bound", tuple(near))

    def bound(self, t: Look[Any]) -> tuple[str, ...]:
        """Name the workers that were neighbours when the turn began."""
        bound = t.note("bound")
        return bound if isinstance(bound, tuple) else ()

    def heading(self, t: Look[Any]) -> int:
        """Come back next to her workers."""
        return t.beside(t.workers.values())

    def insists(self, t: Look[Any]) -> bool:
        """Every bound worker that moved has come back."""
        return all(t.note(worker) is not False for worker in self.bound(t))
