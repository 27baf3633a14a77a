"""Gaea, Goddess of the Earth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import CELLS, NEAR
from engine.events import Asked, Built, Event
from engine.refusal import WRONG_SPACE
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Place


class Gaea(Power):
    """Setup: Put two extra workers of your colour on your card.
    Any Build: When a worker builds a dome, you may at once place a worker from your card on an
    unoccupied ground-level space neighbouring that dome.
    """

    reserve = 2
    interrupts = True
    hears: ClassVar[tuple[type, ...]] = (Built,)

    def waiting(self, t: Look[Any]) -> tuple[str, ...]:
        """Name the workers on the card; only their owner may place them."""
        return tuple(w for w in t.names("reserve") if t.own(w))

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Ask whether to place a worker next to a new dome."""
        if isinstance(event, Built) and event.dome and self.waiting(t):
            yield Asked(t.holder.seat, event.cell)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Place the next worker beside the dome."""
        workers = self.waiting(t)
        if t.turn.asked is None or t.turn.asked[0] != t.holder.seat or not workers:
            return
        near, left = NEAR[t.turn.asked[1]], t.remember("reserve", workers[1:])
        for cell in CELLS:
            if near >> cell & t.free >> cell & ~t.pos.up1 >> cell & 1:
                yield Offer(Place(workers[0], cell), (left,))
            elif t.curious:
                taken = t.blocked >> cell & 1
                yield Offer(Place(workers[0], cell), (), t.blocker(cell) if taken else WRONG_SPACE)
