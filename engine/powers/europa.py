"""Europa & Talus, Queen & Guardian Automaton."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS, NEAR, NOWHERE
from engine.refusal import NOT_NEIGHBOUR, OCCUPIED
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Lay


class Europa(Power):
    """Setup: Put the Talus token on your card.
    End of Your Turn: You may put or move Talus to an unoccupied space neighbouring the worker that
    moved, if no token lies there.
    Any Time: All players treat the space of Talus as if it held nothing but a dome.
    """

    acts = ("",)
    tokens = ("talus",)

    def shuts(self, t: Look[Any]) -> int:
        """Talus is a dome to everybody."""
        talus = t.token("talus")
        return 1 << talus if talus != NOWHERE else 0

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Put Talus next to the worker that moved."""
        if not t.closing or not (t.moved or t.curious) or any(isinstance(step, Lay) for step in t.turn.deeds):
            return
        near, taken = NEAR[t.cell(t.moved[0])] if t.moved else 0, t.pos.tokens.lying
        for cell in CELLS:
            if near >> cell & t.free >> cell & ~taken >> cell & 1:
                yield Offer(Lay("talus", cell))
            elif t.curious:
                flaw = OCCUPIED if taken >> cell & 1 else t.blocker(cell)
                yield Offer(Lay("talus", cell), (), flaw if near >> cell & 1 else NOT_NEIGHBOUR)
