"""Charybdis, Whirlpool Monster."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine.board import CELLS, NOWHERE, cells_in
from engine.events import Event, Forced, Moved, Won
from engine.refusal import OCCUPIED
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Lay


class Charybdis(Power):
    """Setup: Put two whirlpool tokens on your card.
    End of Your Turn: You may place one whirlpool from your card on any unoccupied space without a token.
    Any Time: If a worker moves onto one whirlpool while both are on unoccupied spaces, it must then move
    to the other one, as if in the same direction. A whirlpool that is built on or removed returns to
    your card.
    (Revised card: the worker is forced to the other whirlpool instead, and wins by arriving there on
    level 3 as if it had moved up, but not by moving onto the first one.)
    """

    acts = ("",)
    stage = "transfer"
    tokens = ("whirlpool",)
    hears: ClassVar[tuple[type, ...]] = (Moved,)

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Place a whirlpool."""
        lying = t.pos.tokens.whirlpools
        if not t.closing or lying.bit_count() >= 2 or any(isinstance(step, Lay) for step in t.turn.deeds):
            return
        taken = t.pos.tokens.lying
        for cell in CELLS:
            if t.free >> cell & ~taken >> cell & 1:
                yield Offer(Lay("whirlpool", cell))
            elif t.curious:
                yield Offer(Lay("whirlpool", cell), (), OCCUPIED if taken >> cell & 1 else t.blocker(cell))

    def exit_from(self, t: Look[Any], worker: str, cell: int, entered: bool) -> int:
        """Name the whirlpool that a worker on this one is carried to, or NOWHERE."""
        pools = t.pos.tokens.whirlpools
        if pools.bit_count() != 2 or not pools >> cell & 1 or t.cell(worker) != cell:
            return NOWHERE
        other = next(c for c in cells_in(pools) if c != cell)
        shut = t.blocked >> other & 1 or (not entered and not t.table.revised and self.swapped(t, cell))
        return NOWHERE if shut else other

    def swapped(self, t: Look[Any], cell: int) -> bool:
        """Whether somebody had to leave the space when it was entered."""
        for event in reversed(t.turn.events):
            if isinstance(event, Moved):
                return False
            if isinstance(event, Forced) and event.start == cell:
                return True
        return False

    def then(self, t: Look[Any], event: Event) -> Iterable[Event]:
        """Carry a worker from one whirlpool to the other."""
        if not isinstance(event, Moved) or event.carried:
            return
        other = self.exit_from(t, event.worker, event.end, False)
        if other == NOWHERE:
            return
        rise = t.level(other) - t.level(event.end)
        if not t.table.revised:
            yield Moved(event.worker, event.end, other, rise, event.way, True)
            return
        yield Forced(event.worker, event.end, other)
        began = t.level(event.start)
        if t.level(other) == 3 > began and t.state.side(t.turn.seat) == event.worker[0]:
            yield Won(t.turn.seat, other, event.worker)

    def instead(self, t: Look[Any], event: Event) -> Event | None:
        """Revised: no win by moving onto the first whirlpool."""
        if not t.table.revised or not isinstance(event, Won) or event.cell == NOWHERE:
            return event
        arrived = t.turn.moves[-1].end != event.cell
        return event if arrived or self.exit_from(t, event.worker, event.cell, True) == NOWHERE else None
