"""Medea, Powerful Sorceress."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.board import CELLS
from engine.events import Unbuilt
from engine.refusal import NOT_NEIGHBOUR, OCCUPIED, WRONG_PIECE, WRONG_SPACE
from engine.rules.look import Look
from engine.rules.power import Offer, Power
from engine.steps import Unbuild


class Medea(Power):
    """End of Your Turn, once: Remove one block from under any number of workers neighbouring your unmoved
    worker. Tokens on those blocks are removed too.
    (Revised card: all blocks under one worker neighbouring either of yours.)
    """

    acts = ("",)
    targets = True
    hero = True
    unsettles = True

    def may(self, t: Look[Any]) -> Iterable[Offer]:
        """Take a block from under a worker."""
        taken = [step.cell for step in t.turn.deeds if isinstance(step, Unbuild)]
        if not t.closing or (t.table.revised and taken):
            return
        casters = t.workers if t.table.revised else t.unmoved
        near, on = t.beside(casters.values()), t.pos.standing & ~t.shut
        for cell in CELLS if casters else ():
            level = t.level(cell)
            if near >> cell & on >> cell & 1 and level and cell not in taken:
                along = (Unbuilt(cell, level - 1),) if t.table.revised and level > 1 else ()
                yield Offer(Unbuild(cell), along, None, True)
            elif t.curious:
                bare = not level and on >> cell & 1
                flaw = OCCUPIED if t.shut >> cell & 1 else WRONG_PIECE if bare else WRONG_SPACE
                yield Offer(Unbuild(cell), (), flaw if near >> cell & 1 else NOT_NEIGHBOUR, True)
