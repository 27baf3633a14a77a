"""Ares, God of War."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS
from engine.refusal import NOT_NEIGHBOUR, WRONG_PIECE
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Unbuild


class Ares(Power):
    """End of Your Turn: You may remove one block (not a dome) that is not covered by a worker or dome,
    from a space neighbouring your unmoved worker. Tokens on that block are removed too.
    """

    acts = ("",)
    unsettles = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Take a block off next to an unmoved worker."""
        if not t.closing or any(isinstance(step, Unbuild) for step in t.turn.deeds):
            return
        near = t.beside(t.unmoved.values())
        for cell in CELLS if t.unmoved else ():
            if near >> cell & t.free >> cell & t.pos.up1 >> cell & 1:
                yield Offer(Unbuild(cell))
            elif t.curious:
                flaw = t.blocker(cell) if t.blocked >> cell & 1 else WRONG_PIECE
                yield Offer(Unbuild(cell), (), flaw if near >> cell & 1 else NOT_NEIGHBOUR)
