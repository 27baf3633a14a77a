"""Eros, God of Desire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import EDGES, NEAR, PERIMETER
from engine.events import Event, Moved, Won
from engine.rules.look import Look
from engine.rules.power import Power
from engine.state import Table


class Eros(Power):
    """Setup: Place your workers on opposite edges of the board.
    Win Condition: You also win if one of your workers moves to a space neighbouring your other worker
    and both are on the first level. (With three players: both on the same level, whichever it is.)
    """

    stage = "win"
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def ground(self, table: Table, free: int, placed: tuple[int, ...]) -> int:
        """The second worker goes opposite the first."""
        if not placed:
            return PERIMETER
        opposite = 0
        for number, edge in enumerate(EDGES):
            if edge >> placed[0] & 1:
                opposite |= EDGES[number ^ 1]
        return opposite

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Win by meeting on the same low level."""
        if not isinstance(event, Moved) or not t.mine or not t.own(event.worker) or len(t.workers) != 2:
            return
        other = next(cell for worker, cell in t.workers.items() if worker != event.worker)
        level = t.level(event.end)
        wanted = level if len(t.table.seats) == 3 else 1
        if NEAR[event.end] >> other & 1 and level == t.level(other) == wanted:
            yield Won(t.holder.seat, event.end, event.worker)
